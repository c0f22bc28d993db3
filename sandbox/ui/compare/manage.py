"""What is done with a run on the Compare tab: its name, its note, files in and out, deleting it."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import gradio as gr

from sandbox.errors import SandboxError
from sandbox.evaluation.gate.baseline import baseline_of, save_baseline
from sandbox.evaluation.runs.archives import export_run, import_run
from sandbox.evaluation.runs.folder import RunFolder, find_runs, open_run
from sandbox.evaluation.runs.history import delete_question, delete_run, note_run, rename_run
from sandbox.library import Sandbox
from sandbox.report.writing import ReportForm, ReportOptions, save_report
from sandbox.ui.compare.panels import LANGUAGES
from sandbox.ui.compare.session import CompareSession
from sandbox.ui.compare.tab import CompareTab
from sandbox.ui.compare.view import CompareView
from sandbox.ui.parts.progress import sentence_html
from sandbox.ui.parts.wiring import Updates, Values

BASELINE = "baseline.json"


class KeepingEvents:
    """What happens in the forms at the left."""

    def __init__(self, sandbox: Sandbox, tab: CompareTab, view: CompareView) -> None:
        """Work on the widgets of `tab`."""
        self._sandbox = sandbox
        self._tab = tab
        self._view = view

    def keep(self, values: Values) -> Updates:
        """Keep the name and the note that were written."""
        session: CompareSession = values[self._tab.session]
        panel = self._tab.keeping
        try:
            folder = self._managed(session)
            rename_run(folder, values[panel.name] or "")
            note_run(folder, values[panel.note] or "")
        except SandboxError as error:
            return {panel.said: sentence_html(str(error), alarming=True)}
        return self._again(session, "kept")

    def export(self, session: CompareSession) -> Updates:
        """Offer the run as one zip file."""
        try:
            folder = self._managed(session)
            made = export_run(folder, _scratch() / f"{folder.run.id}.zip")
        except SandboxError as error:
            return self._failed(error)
        said = "its file stands below"
        return {**self._made(made), self._tab.keeping.said: sentence_html(said)}

    def save_as_baseline(self, session: CompareSession) -> Updates:
        """Keep what the run came to, for `sandbox check` to hold later runs against."""
        target = self._sandbox.store.results / BASELINE
        try:
            folders = find_runs(self._sandbox.store, session.chosen) if session.chosen else ()
            baseline = baseline_of(self._managed(session), labelled=folders)
            save_baseline(baseline, target)
        except SandboxError as error:
            return self._failed(error)
        deciding = ", ".join(baseline.deciding) or "no metric yet: nothing is trusted"
        said = f"{target} holds it now; sandbox check compares with it ({deciding})"
        return {self._tab.keeping.said: sentence_html(said)}

    def ask_to_delete(self, session: CompareSession) -> Updates:
        """Say what would be lost, and ask for the run's id; or leave it."""
        session.is_deleting = not session.is_deleting
        try:
            question = delete_question(self._managed(session))
        except SandboxError as error:
            return self._failed(error)
        said = sentence_html(question, alarming=True) if session.is_deleting else ""
        panel = self._tab.keeping
        unsaved = {panel.name: gr.update(), panel.note: gr.update()}
        return {**self._view.keeping(session, said=said), **unsaved}

    def delete(self, values: Values) -> Updates:
        """Delete the run whose id was written."""
        session: CompareSession = values[self._tab.session]
        confirmation = values[self._tab.keeping.confirmation] or ""
        try:
            folder = self._managed(session)
            delete_run(self._sandbox.store, folder, confirmation=confirmation)
        except SandboxError as error:
            return self._failed(error)
        session.is_deleting, session.managed = False, ""
        return self._again(session, "")

    def take_archive(self, values: Values) -> Updates:
        """Take over a run from a dropped zip file."""
        session: CompareSession = values[self._tab.session]
        dropped = values[self._tab.files.archive]
        if not dropped:
            return self._view.unchanged()
        try:
            found = import_run(self._sandbox.store, Path(dropped))
        except SandboxError as error:
            said = sentence_html(str(error), alarming=True)
            return {self._tab.files.said: said, self._tab.files.archive: None}
        said = sentence_html(f"{found.run.id} is in the list above")
        again = self._again(session, "")
        return {**again, self._tab.files.said: said, self._tab.files.archive: None}

    def report_html(self, values: Values) -> Iterator[Updates]:
        """Write the chosen runs up as one HTML file."""
        yield from self._report(values, "html", "report.html")

    def report_markdown(self, values: Values) -> Iterator[Updates]:
        """Write the chosen runs up as Markdown."""
        yield from self._report(values, "markdown", "report.md")

    def _report(self, values: Values, form: ReportForm, name: str) -> Iterator[Updates]:
        session: CompareSession = values[self._tab.session]
        files = self._tab.files
        if not session.chosen:
            yield {files.said: sentence_html("choose at least one run above", alarming=True)}
            return
        yield {files.said: sentence_html("writing the report")}
        options = ReportOptions(
            form=form,
            language="zh" if LANGUAGES.get(values[files.language]) == "zh" else "en",
            question=(values[files.question] or "").strip(),
            accept_suggestions=bool(values[self._tab.accepted]),
            file=name,
        )
        try:
            written = self._sandbox.report(session.chosen, options)
            target = _scratch() / name
            size = save_report(written, target)
        except SandboxError as error:
            yield {files.said: sentence_html(str(error), alarming=True)}
            return
        said = f"{name}: {size // 1024 + 1:,} kB, {len(written.runs)} runs"
        notes = "".join(sentence_html(warning) for warning in written.warnings)
        yield {**self._made(target), files.said: f"{sentence_html(said)}{notes}"}

    def _managed(self, session: CompareSession) -> RunFolder:
        if not session.managed:
            raise SandboxError("no run is picked; click … beside one")
        return open_run(self._sandbox.store, session.managed)

    def _made(self, file: Path) -> Updates:
        return {self._tab.files.made: gr.update(value=str(file), visible=True)}

    def _again(self, session: CompareSession, said: str) -> Updates:
        """The list as it is by now."""
        self._view.read_runs(session)
        keeping = self._view.keeping(session, said=sentence_html(said) if said else "")
        return {**self._view.runs(session), **keeping}

    def _failed(self, error: SandboxError) -> Updates:
        return {self._tab.keeping.said: sentence_html(str(error), alarming=True)}


def _scratch() -> Path:
    """A folder of its own for a file that is offered under its name."""
    return Path(tempfile.mkdtemp(prefix="rag-sandbox-"))
