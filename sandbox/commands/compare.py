"""`sandbox compare`: what differs between runs, and whether it matters; and the runs there are."""

from pathlib import Path
from typing import Annotated

import typer

from sandbox.commands.options import (
    RESULTS,
    AcceptOption,
    JsonOption,
    ResultsOption,
    print_json,
    print_lines,
)


def compare(
    runs: Annotated[
        list[str] | None,
        typer.Argument(help='Two or more runs, the baseline first; or an evaluation, or "latest".'),
    ] = None,
    *,
    trust_from: Annotated[
        list[str] | None,
        typer.Option(help="Runs whose labels also say which metrics are trusted; repeatable."),
    ] = None,
    accept_suggestions: AcceptOption = False,
    list_all: Annotated[bool, typer.Option("--list", help="List all runs.")] = False,
    rename: Annotated[str | None, typer.Option(metavar="NAME", help="Give a run a name.")] = None,
    note: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Keep a note with a run.")
    ] = None,
    delete: Annotated[
        bool, typer.Option("--delete", help="Delete a run and its labels; asks twice.")
    ] = False,
    confirm: Annotated[
        str | None, typer.Option(metavar="ID", help="With --delete: its id, instead of asking.")
    ] = None,
    export_to: Annotated[
        Path | None, typer.Option("--export", metavar="ZIP", help="Write a run to one file.")
    ] = None,
    import_from: Annotated[
        Path | None, typer.Option("--import", metavar="ZIP", help="Take over a run from a file.")
    ] = None,
    results: ResultsOption = RESULTS,
    as_json: JsonOption = False,
) -> None:
    """Compare runs: which factor, which layer, and whether the difference is more than chance."""
    from sandbox.commands.history import Wanted, keep
    from sandbox.files.storage import Store

    wanted = Wanted(
        list_all=list_all,
        rename=rename,
        note=note,
        delete=delete,
        confirm=confirm,
        export_to=export_to,
        import_from=import_from,
    )
    store = Store(results)
    if wanted.chosen:
        keep(store, runs or [], wanted, as_json=as_json)
        return
    from sandbox.commands.output import comparison, comparison_json
    from sandbox.library import Sandbox

    found = Sandbox(results).compare(
        runs or (), trust_from=trust_from or (), accept_suggestions=accept_suggestions
    )
    if as_json:
        print_json(comparison_json.document(found))
    else:
        print_lines(comparison.lines(found))
