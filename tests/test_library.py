"""The library as a door: it acts when called, says how far it is, and can be stopped."""

import shutil
from pathlib import Path

import pytest

import sandbox
from sandbox import Config, Experiment, Sandbox
from sandbox.errors import CorpusError
from sandbox.progress import Progress
from tests.conftest import MakePdf

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def library(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path / "results")


def test_the_names_that_a_notebook_needs_come_from_the_package() -> None:
    assert (Sandbox.__module__, Config.__module__, Experiment.__module__) == (
        "sandbox.library",
        "sandbox.config",
        "sandbox.experiments.experiment",
    )
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        sandbox.Nothing  # noqa: B018


def test_reading_acts_at_once_and_reports_its_progress(library: Sandbox, make_pdf: MakePdf) -> None:
    steps: list[Progress] = []
    report = library.read(str(make_pdf("one page of text")), on_progress=steps.append)
    assert len(report.documents) == 1
    assert {step.stage for step in steps} == {"read"}


def test_what_a_progress_callback_raises_stops_the_work(
    library: Sandbox, make_pdf: MakePdf
) -> None:
    def stop(step: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        library.read(str(make_pdf("one page of text")), on_progress=stop)
    assert library.history() == ()


def test_a_file_that_is_no_document_cannot_be_opened(library: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "notes.pdf").write_text("no PDF")
    with pytest.raises(CorpusError, match=r"notes\.pdf"):
        library.open(str(tmp_path / "notes.pdf"))


def test_a_question_finds_its_page_without_any_model(library: Sandbox, make_pdf: MakePdf) -> None:
    corpus = library.open(str(make_pdf("The clinic has 40 beds.")))
    config = Config(name="words", index="text", retriever="lexical", reranker="none")
    retrieval = library.retrieve(corpus, "How many beds?", config)
    assert [(item.rank, item.chunk.page) for item in retrieval.retrieved] == [(1, 1)]


def test_a_test_set_is_split_checked_and_moved_through_the_library(
    library: Sandbox, tmp_path: Path
) -> None:
    cases = library.test_set("outbreak-zh")
    parts = library.split_test_set(cases, share=0.3)
    assert len(parts.development) + len(parts.holdout) == len(cases)
    library.export_test_set(cases, tmp_path / "cases.csv")
    assert library.import_test_set(tmp_path / "cases.csv") == cases
    assert all(doubt.sentence for doubt in library.check_test_set(cases[:2]))


def test_what_the_command_line_does_with_runs_the_library_does_too(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "results" / "runs", tmp_path / "runs")
    library = Sandbox(tmp_path)
    assert len(library.history()) == 6
    assert library.label(["latest"]).counts.labelled == 48
    row = library.trust(["latest"]).metric("agrees_with_reference")
    assert row is not None
    assert row.is_trusted
    assert len(library.compare(["latest"]).pairs) == 5
    baseline = tmp_path / "baseline.json"
    library.save_baseline("latest", baseline, config="ctx_k9")
    assert library.check("latest", baseline, config="ctx_k9").passed
    run = library.run("latest", config="ctx_k9")
    library.rename_run(run.run.id, "the best so far")
    assert "the best so far" in [past.about.name for past in library.history()]
    library.export_run(run.run.id, tmp_path / "run.zip")
    library.delete_run(run.run.id, confirmation=run.run.id)
    assert len(library.history()) == 5
    assert library.import_run(tmp_path / "run.zip").run.id == run.run.id
