"""`sandbox label`: right, wrong or unsure, answer by answer."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from sandbox.commands.options import (
    RESULTS,
    JsonOption,
    ResultsOption,
    choose_one,
    print_json,
    print_lines,
    print_notes,
    show,
)

if TYPE_CHECKING:
    from sandbox.evaluation.labelling.session import Labelling
    from sandbox.evaluation.runs.records import Right


RunsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN... [right|wrong|unsure]",
        help="Runs, evaluations, the beginning of one, latest, or chat (answers judged while"
        " chatting); with --case, the label last.",
    ),
]
CaseOption = Annotated[str | None, typer.Option(help="Label the answer to this case.")]
NextCountOption = Annotated[
    int | None,
    typer.Option("--next", metavar="N", min=1, help="Say which N answers to label next."),
]
UndoOption = Annotated[bool, typer.Option("--undo", help="Take back your last label.")]
AcceptAllOption = Annotated[
    bool,
    typer.Option(
        "--accept-suggestions", help="Take suggestions for labels, marked as such ever after."
    ),
]
ImportFromOption = Annotated[
    Path | None, typer.Option("--import", help="Take over labels from a .jsonl or .csv.")
]
ExportToOption = Annotated[
    Path | None, typer.Option("--export", help="Write all labels to a .jsonl or .csv.")
]
AgreementOption = Annotated[
    bool, typer.Option("--agreement", help="Compare labellers with Cohen's kappa.")
]
ByOption = Annotated[str, typer.Option(help="Who labels, as they call themselves.")]
SecondOption = Annotated[
    bool, typer.Option("--second", help="Propose only what another person labelled.")
]


def label(
    runs: RunsArgument,
    *,
    case: CaseOption = None,
    next_count: NextCountOption = None,
    undo: UndoOption = False,
    accept: AcceptAllOption = False,
    import_from: ImportFromOption = None,
    export_to: ExportToOption = None,
    agreement: AgreementOption = False,
    by: ByOption = "me",
    second: SecondOption = False,
    results: ResultsOption = RESULTS,
    as_json: JsonOption = False,
) -> None:
    """Label answers right, wrong or unsure; in a terminal, one after the other by single keys."""
    from sandbox.library import Sandbox

    choose_one(
        {
            "--case": case,
            "--next": next_count,
            "--undo": undo,
            "--accept-suggestions": accept,
            "--import": import_from,
            "--export": export_to,
            "--agreement": agreement,
        }
    )
    names, given = _split(runs, case)
    labelling = Sandbox(results).label(names, labeller=by, second_opinion=second)
    if case is not None and given is not None:
        _label(labelling, case, given, as_json=as_json)
    elif next_count is not None:
        _propose(labelling, next_count, as_json=as_json)
    elif import_from or export_to:
        _exchange(labelling, import_from, export_to, as_json=as_json)
    elif undo or accept:
        _change(labelling, undo=undo, as_json=as_json)
    elif agreement:
        _show_agreement(labelling, as_json=as_json)
    elif as_json or not sys.stdin.isatty():
        _show_counts(labelling, [], {}, as_json=as_json)
    else:
        _label_by_keys(labelling)


def _split(words: list[str], case: str | None) -> tuple[list[str], "Right | None"]:
    """The runs, and with --case the label behind them."""
    from sandbox.evaluation.runs.records import Right

    labels: dict[str, Right] = {name: name for name in get_args(Right)}
    if case is None:
        return words, None
    if words[-1] not in labels:
        raise typer.BadParameter("with --case, the last word is right, wrong or unsure")
    if len(words) == 1:
        raise typer.BadParameter("name the run before the label")
    return words[:-1], labels[words[-1]]


def _label(labelling: "Labelling", case: str, label: "Right", *, as_json: bool) -> None:
    from sandbox.commands.output import labels
    from sandbox.evaluation.labelling.session import find_cell

    cell = find_cell(labelling.cells, case)
    given = labelling.label(cell.key, label)
    document = labels.label_to_json(cell.run, given)
    _show_counts(labelling, [f"{cell.run} · {case}: {label}"], document, as_json=as_json)


def _propose(labelling: "Labelling", count: int, *, as_json: bool) -> None:
    from sandbox.commands.output import labels

    proposals = labelling.next(count)
    show(as_json, labels.next_to_json, labels.next_to_lines, proposals, labelling.counts)


def _change(labelling: "Labelling", *, undo: bool, as_json: bool) -> None:
    document: dict[str, object]
    if undo:
        undone = labelling.undo()
        document = {"undone": {"run": undone[0], "case": undone[1]} if undone else None}
        nothing = f"{labelling.labeller} has no label here"
        line = f"took back {' · '.join(undone)}" if undone else nothing
    else:
        accepted = labelling.accept_suggestions()
        document = {"accepted_now": accepted}
        line = f"{accepted} suggestions accepted; the trust table says so wherever they count"
    _show_counts(labelling, [line], document, as_json=as_json)


def _exchange(
    labelling: "Labelling", source: Path | None, target: Path | None, *, as_json: bool
) -> None:
    document: dict[str, object]
    if source:
        count = labelling.import_file(source)
        line, document = f"{count} labels from {source}", {"imported": count}
    elif target:
        count = labelling.export_file(target)
        line, document = f"{count} labels in {target}", {"file": str(target), "exported": count}
    _show_counts(labelling, [line], document, as_json=as_json)


def _show_agreement(labelling: "Labelling", *, as_json: bool) -> None:
    from sandbox.commands.output import labels

    agreements = labelling.agreements()
    show(as_json, labels.labellers_to_json, labels.labellers_to_lines, agreements)


def _show_counts(
    labelling: "Labelling", lines: list[str], document: dict[str, object], *, as_json: bool
) -> None:
    from sandbox.commands.output import labels

    if as_json:
        print_json({**document, **labels.counts_to_json(labelling.counts)})
    else:
        print_lines([*lines, labels.describe_counts(labelling.counts)])


def _label_by_keys(labelling: "Labelling") -> None:
    """Show an answer, wait for a key, show the next."""
    import click

    from sandbox.commands.output import labels

    label_of_key: dict[str, Right] = {"r": "right", "w": "wrong", "u": "unsure"}
    printed = None
    while proposals := labelling.next():
        cell = proposals[0].cell
        if cell.key != printed:
            print_lines(["", *labels.describe_cell(cell), f"  because   {proposals[0].reason}"])
            printed = cell.key
        print_notes([f"{labels.describe_counts(labelling.counts)}   {labels.KEYS}"])
        try:
            key = click.getchar().lower()
        except EOFError:  # Ctrl-D
            return
        if key == "q":
            return
        if key in label_of_key:
            labelling.label(cell.key, label_of_key[key])
            print_notes([f"→ {label_of_key[key]}"])
        elif key == "s":
            labelling.skip(cell.key)
        elif key == "c":
            print_lines(labels.describe_chunks(cell))
        elif key == "z":
            undone = labelling.undo()
            print_notes([f"took back {' · '.join(undone)}" if undone else "nothing to take back"])
    print_lines([f"nothing is left to label; {labels.describe_counts(labelling.counts)}"])
