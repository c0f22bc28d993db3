"""`sandbox label`: right, wrong or unsure, answer by answer."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from sandbox.commands.options import (
    RESULTS,
    JsonOption,
    ResultsOption,
    print_json,
    print_lines,
    say,
)

if TYPE_CHECKING:
    from sandbox.evaluation.labelling.session import Labelling
    from sandbox.evaluation.runs.records import Right


def label(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN... [right|wrong|unsure]",
            help="Runs, evaluations, the beginning of one, latest, or chat (answers judged while"
            " chatting); with --case, the label last.",
        ),
    ],
    *,
    case: Annotated[str | None, typer.Option(help="Label the answer to this case.")] = None,
    next_count: Annotated[
        int | None,
        typer.Option("--next", metavar="N", min=1, help="Say which N answers to label next."),
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Take back your last label.")] = False,
    accept: Annotated[
        bool,
        typer.Option(
            "--accept-suggestions", help="Take suggestions for labels, marked as such ever after."
        ),
    ] = False,
    import_from: Annotated[
        Path | None, typer.Option("--import", help="Take over labels from a .jsonl or .csv.")
    ] = None,
    export_to: Annotated[
        Path | None, typer.Option("--export", help="Write all labels to a .jsonl or .csv.")
    ] = None,
    agreement: Annotated[
        bool, typer.Option("--agreement", help="Compare labellers with Cohen's kappa.")
    ] = False,
    by: Annotated[str, typer.Option(help="Who labels, as they call themselves.")] = "me",
    second: Annotated[
        bool, typer.Option("--second", help="Propose only what another person labelled.")
    ] = False,
    results: ResultsOption = RESULTS,
    as_json: JsonOption = False,
) -> None:
    """Label answers right, wrong or unsure; in a terminal, one after the other by single keys."""
    wanted = {
        "--case": case is not None,
        "--next": next_count is not None,
        "--undo": undo,
        "--accept-suggestions": accept,
        "--import": import_from is not None,
        "--export": export_to is not None,
        "--agreement": agreement,
    }
    chosen = [name for name, is_wanted in wanted.items() if is_wanted]
    if len(chosen) > 1:
        raise typer.BadParameter(f"choose one of {' and '.join(chosen)}")
    names, verdict = _split(runs, case)
    desk = _open(results, names, by=by, second=second)
    if case is not None and verdict is not None:
        _label(desk, case, verdict, as_json=as_json)
    elif next_count is not None:
        _next(desk, next_count, as_json=as_json)
    elif import_from or export_to:
        _files(desk, import_from, export_to, as_json=as_json)
    elif undo or accept:
        _change(desk, undo=undo, as_json=as_json)
    elif agreement:
        _agreement(desk, as_json=as_json)
    elif as_json or not sys.stdin.isatty():
        _say_counts(desk, [], {}, as_json=as_json)
    else:
        _one_by_one(desk)


def _open(results: Path, names: list[str], *, by: str, second: bool) -> "Labelling":
    from sandbox.library import Sandbox

    return Sandbox(results).label(names, labeller=by, second_opinion=second)


def _split(runs: list[str], case: str | None) -> tuple[list[str], "Right | None"]:
    """The runs, and with --case the label behind them."""
    from sandbox.evaluation.runs.records import Right

    verdicts: dict[str, Right] = {name: name for name in get_args(Right)}
    if case is None:
        return runs, None
    if runs[-1] not in verdicts:
        raise typer.BadParameter("with --case, the last word is right, wrong or unsure")
    if len(runs) == 1:
        raise typer.BadParameter("name the run before the label")
    return runs[:-1], verdicts[runs[-1]]


def _label(desk: "Labelling", case: str, verdict: "Right", *, as_json: bool) -> None:
    from sandbox.commands.output import labels
    from sandbox.evaluation.labelling.cells import find_cell

    cell = find_cell(desk.cells, case)
    given = desk.label(cell.key, verdict)
    if as_json:
        print_json(labels.labelled_document(cell.run, given, desk.counts))
    else:
        print_lines([f"{cell.run} · {case}: {verdict}", labels.counts_line(desk.counts)])


def _next(desk: "Labelling", count: int, *, as_json: bool) -> None:
    from sandbox.commands.output import labels

    proposals = desk.next(count)
    if as_json:
        print_json(labels.next_document(proposals, desk.counts))
    else:
        print_lines(labels.next_lines(proposals, desk.counts))


def _change(desk: "Labelling", *, undo: bool, as_json: bool) -> None:
    if undo:
        taken = desk.undo()
        undone = {"run": taken[0], "case": taken[1]} if taken else None
        said = f"took back {' · '.join(taken)}" if taken else f"{desk.labeller} has no label here"
        _say_counts(desk, [said], {"undone": undone}, as_json=as_json)
    else:
        accepted = desk.accept_suggestions()
        said = f"{accepted} suggestions accepted; the trust table says so wherever they count"
        _say_counts(desk, [said], {"accepted_now": accepted}, as_json=as_json)


def _files(desk: "Labelling", source: Path | None, target: Path | None, *, as_json: bool) -> None:
    if source:
        taken = desk.import_file(source)
        _say_counts(desk, [f"{taken} labels from {source}"], {"imported": taken}, as_json=as_json)
    elif target:
        written = desk.export_file(target)
        document = {"file": str(target), "exported": written}
        _say_counts(desk, [f"{written} labels in {target}"], document, as_json=as_json)


def _agreement(desk: "Labelling", *, as_json: bool) -> None:
    from sandbox.commands.output import labels

    found = desk.agreements()
    if as_json:
        print_json(labels.agreements_document(found))
    else:
        print_lines(labels.agreements_lines(found))


def _say_counts(
    desk: "Labelling", lines: list[str], document: dict[str, object], *, as_json: bool
) -> None:
    from sandbox.commands.output import labels

    if as_json:
        print_json({**document, **labels.counts_document(desk.counts)})
    else:
        print_lines([*lines, labels.counts_line(desk.counts)])


def _one_by_one(desk: "Labelling") -> None:
    """Show an answer, wait for a key, show the next."""
    import click

    from sandbox.commands.output import labels

    verdicts: dict[str, Right] = {"r": "right", "w": "wrong", "u": "unsure"}
    shown = None
    while proposals := desk.next():
        cell = proposals[0].cell
        if cell.key != shown:
            print_lines(["", *labels.cell_lines(cell), f"  because   {proposals[0].reason}"])
            shown = cell.key
        say([f"{labels.counts_line(desk.counts)}   {labels.KEYS}"])
        try:
            key = click.getchar().lower()
        except EOFError:  # Ctrl-D
            return
        if key == "q":
            return
        if key in verdicts:
            desk.label(cell.key, verdicts[key])
            say([f"→ {verdicts[key]}"])
        elif key == "s":
            desk.skip(cell.key)
        elif key == "c":
            print_lines(labels.chunk_lines(cell))
        elif key == "z":
            taken = desk.undo()
            say([f"took back {' · '.join(taken)}" if taken else "nothing to take back"])
    print_lines([f"nothing is left to label; {labels.counts_line(desk.counts)}"])
