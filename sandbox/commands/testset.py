"""`sandbox testset ...`: check, export, import, draft, split and compare test sets."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import typer

from sandbox.commands.options import (
    RESULTS,
    CorpusArgument,
    HoldoutOption,
    JsonOption,
    OllamaOption,
    ResultsOption,
    print_json,
    print_lines,
    print_notes,
    show,
)

TestSetArgument = Annotated[str, typer.Argument(help="Bundled test set or .jsonl file.")]
CorpusOption = Annotated[
    str | None, typer.Option("--corpus", help="Bundled corpus, folder or PDF to check pages in.")
]


def check(
    test_set: TestSetArgument,
    *,
    corpus: CorpusOption = None,
    show_holdout: HoldoutOption = False,
    results: ResultsOption = RESULTS,
    as_json: JsonOption = False,
) -> None:
    """Say what is doubtful about a test set, and what to do about it."""
    from sandbox.commands.output import terminal, testsets
    from sandbox.library import Sandbox
    from sandbox.testsets.check import check as find_doubts

    with Sandbox(results) as sandbox:
        cases = sandbox.test_set(test_set, show_holdout=show_holdout)
        report = terminal.watch(sandbox.steps.read(corpus)) if corpus else None
    opened = report.as_corpus(corpus) if corpus and report else None
    doubts = find_doubts(cases, opened)
    show(as_json, testsets.check_to_json, testsets.check_to_lines, cases, doubts)


def export(
    test_set: TestSetArgument,
    target: Annotated[Path, typer.Argument(help="File to write; its ending is .jsonl or .csv.")],
    *,
    names: Annotated[
        Literal["sandbox", "ragas"], typer.Option(help="Whose field names to write.")
    ] = "sandbox",
    show_holdout: HoldoutOption = False,
    as_json: JsonOption = False,
) -> None:
    """Write a test set as JSON Lines or as CSV for a spreadsheet."""
    from sandbox.library import Sandbox
    from sandbox.testsets.files import export_cases

    with Sandbox() as sandbox:
        cases = sandbox.test_set(test_set, show_holdout=show_holdout)
    export_cases(cases, target, names=names)
    _show_written(target, len(cases), as_json=as_json)


def import_(
    source: Annotated[Path, typer.Argument(help=".jsonl or .csv, with RAGAS's names or ours.")],
    target: Annotated[Path, typer.Argument(help="Test set to write, ending in .jsonl.")],
    *,
    as_json: JsonOption = False,
) -> None:
    """Make a test set of a file of another program; what it does not say stays unverified."""
    from sandbox.testsets.files import export_cases, import_cases

    imported = import_cases(source)
    export_cases(imported.cases, target)
    if imported.ignored:
        print_notes([f"not used: {', '.join(imported.ignored)}"])
    _show_written(target, len(imported.cases), as_json=as_json, ignored=imported.ignored)


def draft(
    corpus: CorpusArgument,
    target: Annotated[Path, typer.Argument(help="Test set to make or to add to (.jsonl).")],
    *,
    pages: Annotated[str, typer.Option(help="Pages to draft from, as in 2,5-7.")] = "",
    document: Annotated[str, typer.Option(help="Only this document of the corpus.")] = "",
    per_page: Annotated[int, typer.Option(min=1, max=20, help="Questions to ask for.")] = 3,
    chat_model: Annotated[str, typer.Option("--chat-model", help="Which model drafts.")] = "auto",
    results: ResultsOption = RESULTS,
    ollama: OllamaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draft questions from pages; they stay unverified until you have confirmed each."""
    from sandbox.commands.output import terminal, testsets
    from sandbox.library import Sandbox
    from sandbox.testsets.drafts import choose_pages, parse_page_numbers
    from sandbox.testsets.drafts import draft as draft_cases
    from sandbox.testsets.files import export_cases
    from sandbox.testsets.holdout import require_shown

    require_shown(target, show_holdout=False)
    numbers = parse_page_numbers(pages)
    with Sandbox(results, ollama_url=ollama) as sandbox:
        existing = sandbox.test_set(str(target)) if target.exists() else ()
        opened = terminal.watch(sandbox.steps.read(corpus)).as_corpus(corpus)
        chosen = choose_pages(opened, numbers, document=document)
        model = sandbox.models.chat_model(chat_model)
        drafts = terminal.watch(draft_cases(model, chosen, per_page=per_page, existing=existing))
    if drafts.cases:
        export_cases([*existing, *drafts.cases], target)
    show(as_json, testsets.drafts_to_json, testsets.drafts_to_lines, drafts)


def split(
    test_set: TestSetArgument,
    *,
    share: Annotated[float, typer.Option(help="Expected share of the hold-out.")] = 0.3,
    seed: Annotated[int, typer.Option(help="Another seed gives another split.")] = 42,
    into: Annotated[Path, typer.Option("--into", help="Folder for both files.")] = Path(),
    as_json: JsonOption = False,
) -> None:
    """Put a part of a test set aside as a hold-out; by case id, so that adding cases moves none."""
    from sandbox.library import Sandbox
    from sandbox.testsets.holdout import split as split_cases
    from sandbox.testsets.holdout import write_split

    with Sandbox() as sandbox:
        cases = sandbox.test_set(test_set, show_holdout=True)  # splitting shows nothing
    parts = split_cases(cases, share=share, seed=seed)
    development, holdout = write_split(parts, Path(test_set), into)
    document = {
        "development": {"file": str(development), "cases": len(parts.development)},
        "holdout": {"file": str(holdout), "cases": len(parts.holdout)},
    }
    if as_json:
        print_json(document)
    else:
        print_lines(
            f"{name}: {part['cases']} cases in {part['file']}" for name, part in document.items()
        )


def agree(
    first: Annotated[Path, typer.Argument(help="Labels or test set of one person.")],
    second: Annotated[Path, typer.Argument(help="Labels or test set of another.")],
    *,
    as_json: JsonOption = False,
) -> None:
    """Compare two people's labels or references with Cohen's kappa."""
    from sandbox.commands.output.labels import agreements_to_json, agreements_to_lines
    from sandbox.evaluation.labelling.files import compare_files

    show(as_json, agreements_to_json, agreements_to_lines, compare_files(first, second))


def _show_written(
    target: Path, cases: int, *, as_json: bool, ignored: tuple[str, ...] = ()
) -> None:
    if as_json:
        print_json({"file": str(target), "cases": cases, "ignored": list(ignored)})
    else:
        print_lines([f"{cases} cases in {target}"])


testset = typer.Typer(
    name="testset",
    help="Check, export, import, draft, split and compare test sets.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

EXAMPLES: dict[str, tuple[Callable[..., None], str]] = {
    "check": (check, "sandbox testset check outbreak-zh --corpus outbreak-zh"),
    "export": (export, "sandbox testset export outbreak-zh cases.csv --names ragas"),
    "import": (import_, "sandbox testset import cases.csv mine.jsonl"),
    "draft": (draft, "sandbox testset draft report.pdf mine.jsonl --pages 2,5-7"),
    "split": (split, "sandbox testset split outbreak-zh --share 0.3 --into parts"),
    "agree": (agree, "sandbox testset agree labels-first.csv labels-second.csv"),
}
for name, (command, example) in EXAMPLES.items():
    testset.command(name, epilog=f"Example: {example}")(command)
