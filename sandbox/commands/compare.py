"""`sandbox compare`: runs against each other, and the list of runs; `sandbox check`: a baseline.

`sandbox check` ends with exit status 1 where the run does not hold the baseline.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from sandbox.commands.options import (
    RESULTS,
    AcceptOption,
    JsonOption,
    ResultsOption,
    choose_one,
    print_json,
    print_lines,
    print_notes,
    show,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sandbox.evaluation.runs.folder import RunFolder
    from sandbox.evaluation.runs.history import PastRun
    from sandbox.library import Sandbox


RunsArgument = Annotated[
    list[str] | None,
    typer.Argument(help='Two or more runs, the baseline first; or an evaluation, or "latest".'),
]
TrustFromOption = Annotated[
    list[str] | None,
    typer.Option(help="Runs whose labels also say which metrics are trusted; repeatable."),
]
ListAllOption = Annotated[bool, typer.Option("--list", help="List all runs.")]
RenameOption = Annotated[str | None, typer.Option(metavar="NAME", help="Give a run a name.")]
NoteOption = Annotated[str | None, typer.Option(metavar="TEXT", help="Keep a note with a run.")]
DeleteOption = Annotated[
    bool, typer.Option("--delete", help="Delete a run and its labels; asks twice.")
]
ConfirmOption = Annotated[
    str | None, typer.Option(metavar="ID", help="With --delete: its id, instead of asking.")
]
ExportToOption = Annotated[
    Path | None, typer.Option("--export", metavar="ZIP", help="Write a run to one file.")
]
ImportFromOption = Annotated[
    Path | None, typer.Option("--import", metavar="ZIP", help="Take over a run from a file.")
]


def compare(
    runs: RunsArgument = None,
    *,
    trust_from: TrustFromOption = None,
    accept_suggestions: AcceptOption = False,
    list_all: ListAllOption = False,
    rename: RenameOption = None,
    note: NoteOption = None,
    delete: DeleteOption = False,
    confirm: ConfirmOption = None,
    export_to: ExportToOption = None,
    import_from: ImportFromOption = None,
    results: ResultsOption = RESULTS,
    as_json: JsonOption = False,
) -> None:
    """Compare runs: which factor, which layer, and whether the difference is more than chance."""
    from sandbox.commands.output.comparison import to_json, to_lines
    from sandbox.library import Sandbox

    chosen = choose_one(
        {
            "--list": list_all,
            "--rename": rename,
            "--note": note,
            "--delete": delete,
            "--export": export_to,
            "--import": import_from,
        }
    )
    sandbox = Sandbox(results)
    if chosen is None:
        comparison = sandbox.compare(
            runs or [], trust_from=trust_from or [], accept_suggestions=accept_suggestions
        )
        show(as_json, to_json, to_lines, comparison)
    elif list_all:
        _show_runs(sandbox.history(), as_json=as_json)
    elif import_from is not None:
        _show_run(sandbox.import_run(import_from), as_json=as_json)
    elif runs is None or len(runs) != 1:
        raise typer.BadParameter(f"{chosen} takes one run")
    elif delete:
        _delete(sandbox, runs[0], confirm, as_json=as_json)
    else:
        _change(sandbox, runs[0], rename, note, export_to)
        _show_run(sandbox.run(runs[0]), as_json=as_json)


def _show_run(folder: "RunFolder", *, as_json: bool) -> None:
    from sandbox.evaluation.runs.history import past_run

    _show_runs([past_run(folder)], as_json=as_json)


def _show_runs(runs: "Sequence[PastRun]", *, as_json: bool) -> None:
    from sandbox.commands.output.evaluations import history_to_json, history_to_lines

    show(as_json, history_to_json, history_to_lines, runs)


def _change(
    sandbox: "Sandbox", run: str, rename: str | None, note: str | None, export_to: Path | None
) -> None:
    if rename is not None:
        sandbox.rename_run(run, rename)
    elif note is not None:
        sandbox.note_run(run, note)
    elif export_to is not None:
        sandbox.export_run(run, export_to)


def _delete(sandbox: "Sandbox", run: str, confirm: str | None, *, as_json: bool) -> None:
    """Ask twice, whether to delete and for the run's id; --confirm answers both."""
    from sandbox.evaluation.runs.history import delete_question

    folder = sandbox.run(run)
    if confirm is None and sys.stdin.isatty():
        typer.confirm(f"{delete_question(folder)}; go on?", abort=True)
        confirm = typer.prompt("write its id to delete it")
    sandbox.delete_run(folder.run.id, confirmation=confirm or "")
    if as_json:
        print_json({"deleted": folder.run.id})
    else:
        print_lines([f"deleted {folder.run.id}"])


RunArgument = Annotated[str, typer.Argument(help='A run, the beginning of one, or "latest".')]
ConfigOption = Annotated[
    str, typer.Option(help="Of an evaluation's runs, the one of this configuration.")
]
BaselineOption = Annotated[Path | None, typer.Option(help="What the run must hold, saved before.")]
RuleOption = Annotated[
    Literal["share", "significant"],
    typer.Option(help="share: of the baseline's mean; significant: not worse beyond chance."),
]
ShareOption = Annotated[float, typer.Option(help="Share of the baseline that must be held.")]
JunitOption = Annotated[Path | None, typer.Option(help="Also write the outcome as JUnit XML.")]
SaveToOption = Annotated[
    Path | None, typer.Option("--save-baseline", help="Save the run as baseline, if it passes.")
]
CheckTrustFromOption = Annotated[
    list[str] | None,
    typer.Option(help="When saving, runs whose labels also say what is trusted; repeatable."),
]


def check(
    run: RunArgument,
    *,
    config: ConfigOption = "",
    baseline: BaselineOption = None,
    rule: RuleOption = "share",
    share: ShareOption = 0.9,
    junit: JunitOption = None,
    save_to: SaveToOption = None,
    trust_from: CheckTrustFromOption = None,
    results: ResultsOption = RESULTS,
    as_json: JsonOption = False,
) -> None:
    """Hold a run to a baseline: trusted metrics and ranking metrics, case by case."""
    from sandbox.commands.output import gate
    from sandbox.library import Sandbox

    if baseline is None and save_to is None:
        raise typer.BadParameter("name a --baseline to hold, or save one with --save-baseline")
    sandbox = Sandbox(results)
    if baseline is not None:
        result = sandbox.check(run, baseline, config=config, rule=rule, share=share)
        show(as_json, gate.to_json, gate.to_lines, result)
        if junit is not None:
            gate.write_junit(result, junit)
        if not result.passed:
            raise typer.Exit(1)
    if save_to is not None:
        saved = sandbox.save_baseline(run, save_to, config=config, trust_from=trust_from or ())
        if as_json and baseline is None:
            deciding = list(map(str, saved.deciding))
            print_json({"saved": str(save_to), "run": saved.run, "deciding": deciding})
        else:
            print_notes([gate.describe_saved(saved, save_to)])
