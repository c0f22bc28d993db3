import json
import re
import subprocess
import sys
from pathlib import Path

import pymupdf
import pytest

from sandbox.testsets.cases import TestCase, load

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("outbreak-zh", "annual-en")


@pytest.fixture(scope="module")
def made_twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folders = (tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second"))
    for folder in folders:
        command = [sys.executable, str(ROOT / "corpora" / "build.py"), "--output", str(folder)]
        subprocess.run(command, check=True)
    return folders


def pdf_path(name: str, root: Path = ROOT) -> Path:
    return root / "corpora" / name / f"{name}.pdf"


def page_texts(pdf: Path) -> list[str]:
    with pymupdf.open(pdf) as document:
        return [page.get_text() for page in document]


def cases_of(name: str) -> tuple[TestCase, ...]:
    return load(ROOT / "testsets" / f"{name}.jsonl")


def holds(text: str, part: str) -> bool:
    """Whether a page holds a part, wherever its lines break, not inside a longer number."""
    letters = r"\s*".join(re.escape(letter) for letter in re.sub(r"\s", "", part))
    before = r"(?<!\d)(?<!\d[.,])" if part[0].isdigit() else ""
    after = r"(?!\d|[.,]\d)" if part[-1].isdigit() else ""
    return re.search(before + letters + after, text) is not None


@pytest.mark.parametrize("name", NAMES)
def test_the_committed_files_are_what_the_script_makes(
    made_twice: tuple[Path, Path], name: str
) -> None:
    made = made_twice[0]
    assert page_texts(pdf_path(name)) == page_texts(pdf_path(name, made))
    for file in (f"corpora/{name}/corpus.json", f"testsets/{name}.jsonl"):
        assert (ROOT / file).read_text("utf-8") == (made / file).read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_second_run_writes_the_same_bytes(made_twice: tuple[Path, Path], name: str) -> None:
    first, second = (pdf_path(name, folder).read_bytes() for folder in made_twice)
    assert first == second


@pytest.mark.parametrize("name", NAMES)
def test_a_corpus_describes_itself(name: str) -> None:
    folder = ROOT / "corpora" / name
    description = json.loads((folder / "corpus.json").read_text("utf-8"))
    assert description["name"] == name
    assert sorted(path.name for path in folder.glob("*.pdf")) == description["files"]
    assert set(description["examples"]) <= {case.question for case in cases_of(name)}
    assert (folder / "SOURCES.md").is_file()


@pytest.mark.parametrize("name", NAMES)
def test_a_pdf_is_smaller_than_two_megabytes(name: str) -> None:
    assert pdf_path(name).stat().st_size < 2_000_000


def test_outbreak_zh_has_four_pages_and_annual_en_eighteen_one_of_them_a_scan() -> None:
    assert [len(page_texts(pdf_path(name))) for name in NAMES] == [4, 18]
    blank = [number for number, text in enumerate(page_texts(pdf_path("annual-en")), 1) if not text]
    assert blank == [13]


@pytest.mark.parametrize("name", NAMES)
def test_cases_ask_about_pages_that_exist_and_are_marked_as_verified(name: str) -> None:
    count = len(page_texts(pdf_path(name)))
    cases = cases_of(name)
    assert {case.document for case in cases} == {f"{name}.pdf"}
    assert {page for case in cases for page in case.relevant_pages} <= set(range(1, count + 1))
    assert all(case.verified for case in cases)
    assert all(case.accepted_answers and case.relevant_pages for case in cases if case.answerable)


@pytest.mark.parametrize("name", NAMES)
def test_a_set_has_fifty_cases_or_more_and_six_without_an_answer(name: str) -> None:
    cases = cases_of(name)
    assert len(cases) >= 50
    assert sum(not case.answerable for case in cases) >= 6


@pytest.mark.parametrize("name", NAMES)
def test_what_the_text_answers_stands_on_the_relevant_page(name: str) -> None:
    pages = page_texts(pdf_path(name))
    astray = [
        case.id
        for case in cases_of(name)
        if case.source == "text" or case.quotes
        for part in case.quotes or case.accepted_answers[:1]
        if not any(holds(pages[page - 1], part) for page in case.relevant_pages)
    ]
    assert astray == []


@pytest.mark.parametrize("name", NAMES)
def test_what_only_a_picture_answers_stands_in_no_text(name: str) -> None:
    text = "\n".join(page_texts(pdf_path(name)))
    pictured = [case for case in cases_of(name) if case.source == "image" and not case.quotes]
    assert len(pictured) >= 10
    answers = [(case.id, answer) for case in pictured for answer in case.accepted_answers]
    assert [pair for pair in answers if holds(text, pair[1])] == []


def test_the_first_eight_outbreak_cases_are_the_experiments_kinds() -> None:
    assert [(case.category, case.source) for case in cases_of("outbreak-zh")[:8]] == [
        ("top district", "both"),
        ("peak year", "image"),
        ("sex", "text"),
        ("age", "text"),
        ("month", "both"),
        ("country of import", "text"),
        ("clusters", "text"),
        ("total", "text"),
    ]


def test_the_peak_year_stands_nowhere_in_the_text() -> None:
    peak = cases_of("outbreak-zh")[1]
    text = "".join(page_texts(pdf_path("outbreak-zh")))
    assert [peak.accepted_answers, "107" in text, "2018" in text] == [
        ("107年", "107", "2018"),
        False,
        False,
    ]
