"""The forms at the left of the Compare tab: a run's name, note and files, deleting it, reports."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import gradio as gr
from markupsafe import Markup

from sandbox.errors import SandboxError
from sandbox.evaluation.comparison.baseline import baseline_of, save_baseline
from sandbox.evaluation.runs.folder import RunFolder, find_runs, open_run
from sandbox.evaluation.runs.history import (
    delete_question,
    delete_run,
    export_run,
    import_run,
    note_run,
    rename_run,
)
from sandbox.library import Sandbox
from sandbox.report.writing import ReportForm, ReportOptions, save_report
from sandbox.ui.compare.events import CompareEvents
from sandbox.ui.compare.tab import LANGUAGES, CompareSession, CompareTab
from sandbox.ui.compare.view import CompareView
from sandbox.ui.parts.progress import sentence_html
from sandbox.ui.parts.wiring import (
    Updates,
    Values,
    at_once,
    compute,
    form_of,
    unchanged,
    widgets_of,
)

BASELINE = "baseline.json"


class RunEvents:
    """What is done with one run, and with files."""

    def __init__(self, sandbox: Sandbox, tab: CompareTab, view: CompareView) -> None:
        """Work on the widgets of `tab`."""
        self._sandbox = sandbox
        self._tab = tab
        self._view = view

    def wire(self, events: CompareEvents) -> None:
        """Connect the forms; a run that comes or goes may change the comparison of `events`."""
        tab, form, changed = self._tab, form_of(self._tab), widgets_of(self._tab)
        at_once([tab.keep.click], self.keep, form, changed)
        at_once([tab.export.click], self.export, tab.session, changed)
        compute(tab.baseline.click, self.save_as_baseline, tab.session, changed)
        at_once([tab.delete.click], self.ask_to_delete, tab.session, changed)
        dropped = at_once([tab.archive.upload], self.take_archive, form, changed)
        deleted = at_once([tab.delete_for_good.click], self.delete, form, changed)
        for listed in (dropped, deleted):
            compute(listed.then, events.compute, form, changed)
        compute(tab.report_html.click, self.report_html, form, changed)
        compute(tab.report_markdown.click, self.report_markdown, form, changed)

    def keep(self, values: Values) -> Updates:
        """Keep the name and the note that were written."""
        session: CompareSession = values[self._tab.session]
        try:
            folder = self._managed(session)
            rename_run(folder, values[self._tab.name] or "")
            note_run(folder, values[self._tab.note] or "")
        except SandboxError as error:
            return self._failed(error)
        return self._list_again(session, sentence_html("kept"))

    def export(self, session: CompareSession) -> Updates:
        """Offer the run as one zip file."""
        try:
            folder = self._managed(session)
            made = export_run(folder, _scratch() / f"{folder.run.id}.zip")
        except SandboxError as error:
            return self._failed(error)
        return {**self._offer(made), self._tab.run_status: sentence_html("its file stands below")}

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
        status = f"{target} holds it now; sandbox check compares with it ({deciding})"
        return {self._tab.run_status: sentence_html(status)}

    def ask_to_delete(self, session: CompareSession) -> Updates:
        """Say what would be lost, and ask for the run's id; or leave it."""
        session.is_deleting = not session.is_deleting
        try:
            question = delete_question(self._managed(session))
        except SandboxError as error:
            return self._failed(error)
        status = sentence_html(question, alarming=True) if session.is_deleting else ""
        unsaved = {self._tab.name: gr.update(), self._tab.note: gr.update()}
        return {**self._view.managed(session, status=status), **unsaved}

    def delete(self, values: Values) -> Updates:
        """Delete the run whose id was written."""
        session: CompareSession = values[self._tab.session]
        confirmation = values[self._tab.confirmation] or ""
        try:
            folder = self._managed(session)
            delete_run(self._sandbox.store, folder, confirmation=confirmation)
        except SandboxError as error:
            return self._failed(error)
        session.is_deleting, session.managed = False, ""
        return self._list_again(session)

    def take_archive(self, values: Values) -> Updates:
        """Take over a run from a dropped zip file."""
        session: CompareSession = values[self._tab.session]
        dropped = values[self._tab.archive]
        if not dropped:
            return unchanged()
        try:
            folder = import_run(self._sandbox.store, Path(dropped))
        except SandboxError as error:
            status = sentence_html(str(error), alarming=True)
            return {self._tab.files_status: status, self._tab.archive: None}
        status = sentence_html(f"{folder.run.id} is in the list above")
        listed = self._list_again(session)
        return {**listed, self._tab.files_status: status, self._tab.archive: None}

    def report_html(self, values: Values) -> Iterator[Updates]:
        """Write the chosen runs up as one HTML file."""
        yield from self._report(values, "html", "report.html")

    def report_markdown(self, values: Values) -> Iterator[Updates]:
        """Write the chosen runs up as Markdown."""
        yield from self._report(values, "markdown", "report.md")

    def _report(self, values: Values, form: ReportForm, name: str) -> Iterator[Updates]:
        session: CompareSession = values[self._tab.session]
        tab = self._tab
        if not session.chosen:
            yield {tab.files_status: sentence_html("choose at least one run above", alarming=True)}
            return
        yield {tab.files_status: sentence_html("writing the report")}
        options = ReportOptions(
            form=form,
            language="zh" if LANGUAGES.get(values[tab.language]) == "zh" else "en",
            question=(values[tab.report_question] or "").strip(),
            accept_suggestions=bool(values[tab.accepted]),
            file=name,
        )
        try:
            report = self._sandbox.report(session.chosen, options)
            file = _scratch() / name
            size = save_report(report, file)
        except SandboxError as error:
            yield {tab.files_status: sentence_html(str(error), alarming=True)}
            return
        status = sentence_html(f"{name}: {size // 1024 + 1:,} kB, {len(report.runs)} runs")
        notes = Markup("").join(sentence_html(warning) for warning in report.warnings)
        yield {**self._offer(file), tab.files_status: status + notes}

    def _managed(self, session: CompareSession) -> RunFolder:
        if not session.managed:
            raise SandboxError("no run is picked; click … beside one")
        return open_run(self._sandbox.store, session.managed)

    def _offer(self, file: Path) -> Updates:
        return {self._tab.made: gr.update(value=str(file), visible=True)}

    def _list_again(self, session: CompareSession, status: str = "") -> Updates:
        """The list as it is by now."""
        self._view.read_runs(session)
        return {**self._view.runs(session), **self._view.managed(session, status=status)}

    def _failed(self, error: SandboxError) -> Updates:
        return {self._tab.run_status: sentence_html(str(error), alarming=True)}


def _scratch() -> Path:
    """A folder of its own for a file that is offered under its name."""
    return Path(tempfile.mkdtemp(prefix="rag-sandbox-"))
