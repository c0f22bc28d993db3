"""Answers judged while chatting: they become labelled cells, and test cases if a person wants that.

A run for each corpus and configuration collects them; unlike other runs it grows with every answer.
It has no references, so only metrics that need none can be compared with its labels.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from sandbox.evaluation.runs.folder import CHATTED, RunFolder, create_run, write_run
from sandbox.evaluation.runs.labels import add_labels, new_label
from sandbox.evaluation.runs.records import Cell, Right, Run
from sandbox.files.storage import Store, digest_of
from sandbox.records import Answer
from sandbox.testsets.cases import EvidenceSource, TestCase, load
from sandbox.testsets.files import export_cases

TEST_SET = "from-chat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chatted:
    """An answer of a conversation, and what gave it."""

    corpus: str
    corpus_digest: str
    config: Mapping[str, object]
    """Every setting by name."""

    answer: Answer


def keep_label(store: Store, chatted: Chatted, value: Right, *, labeller: str) -> RunFolder:
    """Keep an answer with what a person says of it; asked again, the latest answer counts.

    Raises:
        SandboxError: If it cannot be written.
    """
    folder = _run_of(store, chatted)
    with folder.writing():
        folder = RunFolder(folder.folder)  # another program may have added cases meanwhile
        case = replace(case_of(chatted.answer), reference="", source="text", answerable=True)
        others = tuple(one for one in folder.run.cases if one.id != case.id)
        run = replace(folder.run, cases=(*others, case))
        write_run(folder.folder, run)
        name = folder.run.configuration
        folder.add_cell(Cell(configuration=name, case=case.id, answer=chatted.answer))
        add_labels(folder.folder, [new_label(name, case.id, value, labeller=labeller)])
    return RunFolder(folder.folder)


def case_of(answer: Answer, label: Right | None = None) -> TestCase:
    """The question as a test case that nobody verified yet; what was answered stands as reference.

    Args:
        answer: What was answered.
        label: What a person says of it; a wrong answer is marked for correction.
    """
    cited = [item.chunk for item in answer.retrieved if item.rank in answer.citations]
    document = cited[0].document if cited else ""
    text = answer.text.strip() or "(no answer)"
    pages = {chunk.page for chunk in cited if chunk.document == document}
    return TestCase(
        id=f"chat-{digest_of(answer.question)[:10]}",
        question=answer.question,
        reference=f"(to be corrected) {text}" if label == "wrong" else text,
        source="none" if answer.refused else _source(answer),
        category="chat",
        relevant_pages=() if answer.refused else tuple(sorted(pages)),
        answerable=not answer.refused,
        document=document,
    )


def add_case(folder: Path, case: TestCase) -> int:
    """Put a case into the test set of chatted questions, in place of one with the same question.

    Args:
        folder: Where own test sets lie.
        case: What to add.

    Returns:
        How many cases it holds by now.

    Raises:
        InvalidTestSet: If the file cannot be read or written.
    """
    file = folder / f"{TEST_SET}.jsonl"
    known = load(file) if file.is_file() else ()
    cases = [*(one for one in known if one.id != case.id), case]
    export_cases(cases, file)
    return len(cases)


def _source(answer: Answer) -> EvidenceSource:
    """Where the cited chunks stand."""
    cited = [item.chunk for item in answer.retrieved if item.rank in answer.citations]
    figures = [chunk for chunk in cited if chunk.kind == "figure"]
    if figures:
        return "image" if len(figures) == len(cited) else "both"
    return "text"


def _run_of(store: Store, chatted: Chatted) -> RunFolder:
    name = str(chatted.config["name"])
    settings = digest_of(chatted.corpus_digest, dict(chatted.config))[:8]
    id = f"{CHATTED}-{settings}"
    place = store.results / "runs" / id
    if (place / "run.json").is_file():
        return RunFolder(place)
    run = Run(
        id=id,
        evaluation=CHATTED,
        config={**chatted.config, "name": name},
        corpus=chatted.corpus,
        corpus_digest=chatted.corpus_digest,
        test_set=f"chat about {chatted.corpus}",
        test_set_digest="",
        cases=(),
        metrics=(),
        models=dict(chatted.answer.models),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    return create_run(store, run)
