"""A report for stakeholders: what it tells, in both languages, and what it never lets through."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from sandbox.errors import ConfigError, SandboxError
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.history import note_run, rename_run
from sandbox.evaluation.runs.records import Cell
from sandbox.files.storage import Store
from sandbox.records import Chunk
from sandbox.report.evidence import Album
from sandbox.report.translator import Language, Translator
from sandbox.report.writing import (
    Report,
    ReportForm,
    ReportOptions,
    choose_form,
    save_report,
    write_report,
)
from tests.conftest import MakePdf
from tests.evaluation.scripted_runs import case, chunk, make_run
from tests.report.stakeholder_runs import HOSTILE, keep_document, make_answer, make_reported

SECTIONS = [
    "missing",
    "configurations",
    "right-wrong",
    "comparison",
    "trust",
    "means",
    "diagnosis",
    "slices",
    "costs",
    "evidence",
    "provenance",
    "again",
]


@pytest.fixture
def runs(store: Store) -> tuple[RunFolder, ...]:
    return (
        make_reported(store, "text_k4", right=1),
        make_reported(store, "ctx_k9", right=7),
    )


def report(
    store: Store,
    runs: tuple[RunFolder, ...],
    *,
    form: ReportForm = "html",
    language: Language = "en",
    accept_suggestions: bool = False,
) -> Report:
    options = ReportOptions(form=form, language=language, accept_suggestions=accept_suggestions)
    return write_report(store, runs, options)


def words(html: str) -> str:
    body = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def test_it_tells_the_story_from_the_question_to_the_command(
    store: Store, runs: tuple[RunFolder, ...]
) -> None:
    html = report(store, runs).text
    assert re.findall(r"<section id='([^']+)'", html) == SECTIONS


def test_the_verdict_is_told_from_the_labels(store: Store, runs: tuple[RunFolder, ...]) -> None:
    html = report(store, runs).text
    verdict = re.findall(r"<div class='verdict'>(.*?)</div>", html)[0]
    assert words(verdict).startswith(
        "ctx_k9 answers most right: 7 of 8 labelled questions (88 %; 53–98 %);"
        " text_k4 fewest: 1 of 8 (12 %)."
    )
    assert "Case by case, ctx_k9 is better than text_k4 beyond chance." in verdict


def test_every_case_leads_to_its_answers_side_by_side(
    store: Store, runs: tuple[RunFolder, ...]
) -> None:
    html = report(store, runs).text
    (target,) = set(re.findall(r"<a href='#([^']+)'>case-3</a>", html))
    evidence = html.split(f"<details id='{target}'")[1].split("</details></section>")[0]
    assert "It has 99 beds." in evidence
    assert "It has 3 beds." in evidence
    assert "Ada says right" in evidence
    assert "Reference: Ward 3 has 3 beds." in evidence


def test_what_is_not_trusted_is_greyed_with_the_reason(store: Store) -> None:
    few = (make_reported(store, "text_k4", right=8), make_reported(store, "ctx_k9", right=8))
    html = report(store, few).text
    rows = re.findall(r"<tr class='untrusted'><th[^>]*>faithfulness.*?</tr>", html)
    assert [len(re.findall("not enough labels", row)) for row in rows] == [1, 1]
    assert "no: not enough labels" in rows[1]


def test_the_commands_run_it_again(store: Store, runs: tuple[RunFolder, ...]) -> None:
    html = report(store, runs).text
    assert "sandbox evaluate --corpus wards --testset wards.jsonl --configs text_k4" in html
    assert "sandbox report first-text_k4 first-ctx_k9 --out report.html" in html


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_is_loaded_from_elsewhere(
    store: Store, runs: tuple[RunFolder, ...], language: Language
) -> None:
    html = report(store, runs, language=language).text
    assert re.findall(r"(?:src|href)=['\"](?!data:|#)", html) == []
    assert re.findall(r"<(?:script|link|iframe|object)|url\(|@import", html) == []


def test_a_hostile_document_stays_text(store: Store) -> None:
    hostile = (
        make_reported(store, "text_k4", right=1, hostile=HOSTILE),
        make_reported(store, "ctx_k9", right=7, hostile=HOSTILE),
    )
    html = report(store, hostile).text
    assert "<script" not in html
    assert "<img src=http" not in html
    assert html.count("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;") > 20


def test_markdown_tells_the_same_and_escapes(store: Store) -> None:
    hostile = (
        make_reported(store, "text_k4", right=1, hostile=HOSTILE),
        make_reported(store, "ctx_k9", right=7, hostile=HOSTILE),
    )
    text = report(store, hostile, form="markdown").text
    assert len(re.findall("^## ", text, re.MULTILINE)) == len(SECTIONS)
    assert "<script" not in text
    assert r"\`\|\` \[a\](b)" in text
    assert "<img" not in text
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        columns = {len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}
        assert len(columns) == 1


def test_markdown_of_ordinary_names_stays_readable(
    store: Store, runs: tuple[RunFolder, ...]
) -> None:
    text = report(store, runs, form="markdown").text
    assert "| case-1<br><sub>How many beds has ward 1?</sub> | ✓ | ✓ |" in text
    assert "### text_k4 → ctx_k9" in text


def test_chinese_says_its_own_sentences(store: Store, runs: tuple[RunFolder, ...]) -> None:
    html = report(store, runs, language="zh").text
    assert "<html lang='zh-Hant'>" in html
    assert "ctx_k9 答對最多：已標記的 8 題中 7 題（88 %；53–98 %）" in html
    assert "詳細理由由統計模組以英文寫成，保留原文。" in html
    heads = " ".join(re.findall(r"<(?:h2|th scope='col')[^>]*>(.*?)</", html))
    assert re.findall(r"\b(?:[a-z]+ ){2,}[a-z]+\b", words(heads)) == []


def test_without_labels_it_says_what_is_suggested_and_what_is_missing(store: Store) -> None:
    unlabelled = (
        make_reported(store, "text_k4", right=1, labelled=False),
        make_reported(store, "ctx_k9", right=7, labelled=False),
    )
    told = report(store, unlabelled)
    text = words(told.text)
    assert (
        "Nobody has labelled these answers yet; the accepted answers suggest so many right:" in text
    )
    assert "This needs labels of both kinds: 0 answers are labelled right and 0 wrong." in text
    assert told.warnings[0] == (
        "16 of 16 answers have no label. Label them in the Trust tab, or with: sandbox label"
    )


def test_accepted_suggestions_count_and_are_said_to(store: Store) -> None:
    unlabelled = (
        make_reported(store, "text_k4", right=1, labelled=False),
        make_reported(store, "ctx_k9", right=7, labelled=False),
    )
    text = words(report(store, unlabelled, accept_suggestions=True).text)
    assert "labels are only what the accepted answers suggest; nobody confirmed them." in text


def test_one_run_is_told_by_itself(store: Store, runs: tuple[RunFolder, ...]) -> None:
    told = report(store, runs[:1])
    assert "How well does this configuration answer?" in told.text
    assert "text_k4 answers 1 of 8 labelled questions right" in told.text
    assert re.findall(r"<section id='([^']+)'", told.text) == [
        name for name in SECTIONS if name != "comparison"
    ]
    assert told.warnings[0].startswith("Only one run is reported; name a second one")


def test_a_run_that_has_nothing_yet_is_told_to_be_unfinished(store: Store) -> None:
    told = report(store, (make_run(store, "text_k4"),))
    assert "text_k4 is not finished: 0 of 3 questions are answered." in told.warnings


def test_runs_of_different_test_sets_are_told_side_by_side(store: Store) -> None:
    other = make_run(store, "text_k9", cases=(case(1, question="How high is the tower?"),))
    told = report(store, (make_reported(store, "text_k4", right=4), other))
    assert any(warning.startswith("The runs could not be compared:") for warning in told.warnings)


def test_an_answer_that_failed_says_why(store: Store) -> None:
    folder = make_run(store, "text_k4", cases=1)
    folder.add_cell(
        Cell(configuration="text_k4", case="case-1", answer=None, failure="the model is gone")
    )
    assert "No answer: the model is gone" in report(store, (folder,)).text


def test_the_page_of_the_evidence_is_shown(store: Store, make_pdf: MakePdf) -> None:
    document = keep_document(store, make_pdf("Ward 1 has 1 beds."))
    folder = make_run(store, "text_k4", cases=(case(1),))
    given = make_answer(case(1), "It has 1 bed.", document_id=document)
    folder.add_cell(Cell(configuration="text_k4", case="case-1", answer=given))
    html = report(store, (folder,)).text
    assert len(re.findall(r"<img src='data:image/webp;base64,[A-Za-z0-9+/=]{500,}'", html)) == 1
    assert "wards.pdf, page 1, chunk highlighted" in html


def test_a_document_that_is_gone_is_said_to_be(store: Store, runs: tuple[RunFolder, ...]) -> None:
    told = report(store, runs)
    assert told.warnings[-1] == (
        "The document wards.pdf is no longer in the cache, so its pages are not shown; read it"
        " again with: sandbox ingest"
    )


def test_what_a_person_calls_a_run_is_what_the_report_calls_it(
    store: Store, runs: tuple[RunFolder, ...]
) -> None:
    rename_run(runs[1], "with captions")
    note_run(runs[1], "after the second proof")
    html = report(store, runs).text
    assert "<h3>text_k4 → with captions</h3>" in html
    assert "Note on with captions: after the second proof" in html


def test_a_picture_outside_of_the_store_is_never_taken(store: Store, tmp_path: Path) -> None:
    outside = tmp_path / "private.png"
    Image.new("RGB", (40, 40), "red").save(outside)
    album = Album(store=store, say=Translator("en"))
    assert album.figure(figure("../../private.png")) == []
    assert album.figure(figure(str(outside))) == []


def test_pictures_beyond_the_limit_are_counted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandbox.report.evidence.PICTURES", 2)
    inside = store.cache / "documents" / "figure.png"
    inside.parent.mkdir(parents=True)
    Image.new("RGB", (40, 40), "red").save(inside)
    album = Album(store=store, say=Translator("en"))
    shown = [album.figure(figure("documents/figure.png")) for _ in range(5)]
    assert [len(some) for some in shown] == [1, 1, 0, 0, 0]
    assert album.warnings() == [
        "3 pictures were left out to keep the file small (2 are shown, those of questions with"
        " different or wrong answers first)."
    ]


def test_a_picture_that_is_none_is_left_out(store: Store) -> None:
    inside = store.cache / "broken.png"
    inside.parent.mkdir(parents=True)
    inside.write_bytes(b"no picture")
    assert Album(store=store, say=Translator("en")).figure(figure("broken.png")) == []


def figure(image: str) -> Chunk:
    return replace(chunk(1, "A chart."), kind="figure", image=image)


@pytest.mark.parametrize(("name", "form"), [("a.HTML", "html"), ("a.md", "markdown")])
def test_the_ending_says_what_is_written(name: str, form: ReportForm) -> None:
    assert choose_form(Path(name)) == form


def test_another_ending_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"report.pdf must end in .html or .md"):
        choose_form(Path("report.pdf"))


def test_a_folder_is_refused_and_a_file_is_replaced(
    store: Store, runs: tuple[RunFolder, ...], tmp_path: Path
) -> None:
    told = report(store, runs[:1])
    with pytest.raises(SandboxError, match="is a folder; name a file, such as"):
        save_report(told, tmp_path)
    target = tmp_path / "report.html"
    target.write_text("old", encoding="utf-8")
    assert save_report(told, target) == len(target.read_bytes())
    assert target.read_text(encoding="utf-8").startswith("<!doctype html>")
