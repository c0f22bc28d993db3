"""What `sandbox compare` does with past runs beside comparing: list, name, note, move, delete."""

import sys
from dataclasses import dataclass
from pathlib import Path

import typer

from sandbox.commands.options import print_json, print_lines
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.files.storage import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The options of `sandbox compare` that are about one run, or all."""

    list_all: bool
    rename: str | None
    note: str | None
    delete: bool
    confirm: str | None
    export_to: Path | None
    import_from: Path | None

    @property
    def chosen(self) -> list[str]:
        """Those that were given."""
        given = {
            "--list": self.list_all,
            "--rename": self.rename is not None,
            "--note": self.note is not None,
            "--delete": self.delete,
            "--export": self.export_to is not None,
            "--import": self.import_from is not None,
        }
        return [name for name, is_given in given.items() if is_given]


def keep(store: Store, runs: list[str], wanted: Wanted, *, as_json: bool) -> None:
    """Do the one thing that was asked of the past runs, and show the run as it is then."""
    from sandbox.evaluation.gate.baseline import find_one_run
    from sandbox.evaluation.runs.history import past_run

    if len(wanted.chosen) > 1:
        raise typer.BadParameter(f"choose one of {' and '.join(wanted.chosen)}")
    if wanted.list_all:
        _list(store, as_json=as_json)
        return
    if wanted.import_from is not None:
        from sandbox.evaluation.runs.archives import import_run

        folder = import_run(store, wanted.import_from)
    else:
        if len(runs) != 1:
            raise typer.BadParameter(f"{wanted.chosen[0]} takes one run")
        folder = find_one_run(store, runs[0])
        if wanted.delete:
            _delete(store, folder, wanted.confirm, as_json=as_json)
            return
        _change(folder, wanted)
    from sandbox.commands.output import history

    past = [past_run(folder)]
    if as_json:
        print_json(history.document(past))
    else:
        print_lines(history.lines(past))


def _list(store: Store, *, as_json: bool) -> None:
    from sandbox.commands.output import history
    from sandbox.evaluation.runs.history import history as all_runs

    past = all_runs(store)
    if as_json:
        print_json(history.document(past))
    else:
        print_lines(history.lines(past))


def _change(folder: RunFolder, wanted: Wanted) -> None:
    from sandbox.evaluation.runs.archives import export_run
    from sandbox.evaluation.runs.history import note_run, rename_run

    if wanted.rename is not None:
        rename_run(folder, wanted.rename)
    elif wanted.note is not None:
        note_run(folder, wanted.note)
    elif wanted.export_to is not None:
        export_run(folder, wanted.export_to)


def _delete(store: Store, folder: RunFolder, confirm: str | None, *, as_json: bool) -> None:
    """Asked twice: whether, and by the run's id; --confirm answers both."""
    from sandbox.evaluation.runs.history import delete_question, delete_run

    if confirm is None and sys.stdin.isatty():
        typer.confirm(f"{delete_question(folder)}; go on?", abort=True)
        confirm = typer.prompt("write its id to delete it")
    delete_run(store, folder, confirmation=confirm or "")
    if as_json:
        print_json({"deleted": folder.run.id})
    else:
        print_lines([f"deleted {folder.run.id}"])
