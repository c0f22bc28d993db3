"""What happens on the Test set tab: opening, editing, saving, exporting and drafting."""

import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import gradio as gr
from markupsafe import Markup

from sandbox.errors import SandboxError
from sandbox.files.storage import Store
from sandbox.markup.templates import render
from sandbox.progress import Progress
from sandbox.rag.pipeline import Pipeline
from sandbox.records import Corpus
from sandbox.testsets.cases import TEST_SETS_FOLDER, TestCase, find_testset_files
from sandbox.testsets.check import check
from sandbox.testsets.drafts import Drafts, choose_pages, draft, parse_page_numbers
from sandbox.testsets.files import Names, export_cases, import_cases
from sandbox.testsets.holdout import require_shown
from sandbox.ui.ask.session import Session
from sandbox.ui.parts.progress import follow, progress_html, sentence_html
from sandbox.ui.parts.wiring import Updates, Values, at_once, work
from sandbox.ui.testset.tab import TestSetTab, to_cases, to_rows


def wire(
    app: gr.Blocks,
    place: gr.Tab,
    tab: TestSetTab,
    events: "TestSetEvents",
    ask_session: gr.State,
) -> None:
    """Connect everything on the tab; call inside the app."""
    form = {
        ask_session,
        tab.drafting,
        tab.chosen,
        tab.show_holdout,
        tab.file,
        tab.table,
        tab.name,
        tab.names,
        tab.pages,
    }
    at_once([app.load], events.greet, None, tab.widgets)
    at_once([place.select], events.greet, None, tab.widgets)
    at_once([tab.chosen.input], events.open_chosen, form, tab.widgets)
    at_once([tab.file.upload], events.open_dropped, form, tab.widgets)
    at_once([tab.table.input], events.edit, form, tab.widgets)
    at_once([tab.save.click], events.save, form, tab.widgets)
    at_once([tab.export_csv.click], events.export_csv, form, tab.widgets)
    at_once([tab.export_jsonl.click], events.export_jsonl, form, tab.widgets)
    at_once([tab.cancel.click], events.cancel, tab.drafting, tab.widgets)
    work(tab.draft.click, events.draft, form, tab.widgets, trigger_mode="once")


class TestSetEvents:
    """What happens on the tab."""

    __test__ = False

    def __init__(
        self, pipeline: Pipeline, store: Store, tab: TestSetTab, ask_session: gr.State
    ) -> None:
        """Work on the widgets of `tab`; pages come from the corpus that is open on the Ask tab."""
        self._pipeline = pipeline
        self._own = store.testsets
        self._tab = tab
        self._ask_session = ask_session

    def greet(self) -> Updates:
        """List the bundled test sets and those saved here."""
        return {self._tab.chosen: gr.update(choices=list(find_testset_files(self._own)))}

    def open_chosen(self, values: Values) -> Updates:
        """Show the chosen test set."""
        file = find_testset_files(self._own).get(values[self._tab.chosen] or "")
        if file is None:
            return self._refuse("choose a test set from the list")
        return self._open(file, values, name=file.name.removesuffix(".jsonl"))

    def open_dropped(self, values: Values) -> Updates:
        """Show the cases of a dropped file; nothing is kept before it is saved."""
        dropped = values[self._tab.file]
        if not dropped:
            return {self._tab.file: gr.update()}  # Gradio takes an empty answer for an error
        file = Path(dropped)
        name = file.name.removesuffix(file.suffix)
        return {**self._open(file, values, name=name), self._tab.file: None}

    def edit(self, values: Values) -> Updates:
        """Say what is wrong or doubtful after a cell was changed."""
        try:
            return self._check(to_cases(values[self._tab.table]), values)
        except SandboxError as error:
            return self._refuse(str(error))

    def save(self, values: Values) -> Updates:
        """Keep the test set under its name, among those of this results folder."""
        name = (values[self._tab.name] or "").strip()
        if not re.fullmatch(r"[\w.\- ]{1,80}", name) or name.startswith("."):
            return self._refuse("give it a name of letters, digits, dots, blanks and dashes")
        if (TEST_SETS_FOLDER / f"{name}.jsonl").is_file():
            return self._refuse(f"{name} is a bundled test set; save yours under another name")
        try:
            cases = to_cases(values[self._tab.table])
            if not cases:
                return self._refuse("there is no case to save yet")
            export_cases(cases, self._own / f"{name}.jsonl")
        except SandboxError as error:
            return self._refuse(str(error))
        sentence = f"saved {len(cases)} cases as {self._own / name}.jsonl"
        return {
            **self._check(cases, values),
            self._tab.status: sentence_html(sentence),
            self._tab.chosen: gr.update(choices=list(find_testset_files(self._own)), value=name),
        }

    def export_csv(self, values: Values) -> Updates:
        """Offer the table as CSV."""
        return self._export(values, ".csv")

    def export_jsonl(self, values: Values) -> Updates:
        """Offer the table as JSON Lines."""
        return self._export(values, ".jsonl")

    def draft(self, values: Values) -> Iterator[Updates]:
        """Add drafted questions, unverified, below the others."""
        session: Session = values[self._tab.drafting]
        session.stop_requested = False
        try:
            cases = to_cases(values[self._tab.table])
            corpus = self._open_corpus(values)
            if corpus is None:
                yield self._refuse("open a corpus on the Ask tab first")
                return
            pages = choose_pages(corpus, parse_page_numbers(values[self._tab.pages] or ""))
            yield {self._tab.cancel: gr.update(visible=True)}
            drafting = draft(self._pipeline.models.chat_model("auto"), pages, existing=cases)
            drafts = yield from follow(drafting, session, self._draw_progress)
        except SandboxError as error:
            yield self._refuse(str(error))
            return
        if drafts is None:
            yield self._refuse("drafting was cancelled; nothing was added")
            return
        yield self._add(drafts, cases, values)

    def cancel(self, session: Session) -> Updates:
        """Stop drafting after the page that is being read."""
        session.stop_requested = True
        return {self._tab.status: sentence_html("cancelling after this page")}

    def _open(self, file: Path, values: Values, *, name: str) -> Updates:
        try:
            require_shown(file, show_holdout=bool(values[self._tab.show_holdout]))
            cases = import_cases(file).cases
        except SandboxError as error:
            return self._refuse(str(error))
        return {
            **self._check(cases, values),
            self._tab.table: to_rows(cases),
            self._tab.name: name,
        }

    def _add(self, drafts: Drafts, cases: Sequence[TestCase], values: Values) -> Updates:
        reasons = [
            f"{item.question or f'page {item.page}'}: {item.reason}" for item in drafts.dropped
        ]
        sentence = (
            f"{len(drafts.cases)} drafted, {len(reasons)} dropped; compare each with its page and"
            " tick it: what is not verified enters no score"
        )
        both = (*cases, *drafts.cases)
        return {
            **self._check(both, values),
            self._tab.table: to_rows(both),
            self._tab.status: sentence_html(sentence) + _list("dropped drafts", reasons),
            self._tab.cancel: gr.update(visible=False),
        }

    def _draw_progress(self, progress: Progress) -> Updates:
        return {self._tab.status: progress_html(progress)}

    def _export(self, values: Values, suffix: str) -> Updates:
        names: Names = "ragas" if values[self._tab.names] == "ragas" else "sandbox"
        name = re.sub(r"[^\w.\-]+", "-", values[self._tab.name] or "test-set")
        target = Path(tempfile.mkdtemp(prefix="rag-sandbox-")) / f"{name}{suffix}"
        try:
            export_cases(to_cases(values[self._tab.table]), target, names=names)
        except SandboxError as error:
            return self._refuse(str(error))
        return {self._tab.exported: gr.update(value=str(target), visible=True)}

    def _check(self, cases: Sequence[TestCase], values: Values) -> Updates:
        """The counts, and what is doubtful; pages are checked if the open corpus is theirs."""
        corpus = self._open_corpus(values)
        open_names = {document.name for document in corpus.documents} if corpus else set()
        case_names = {case.document for case in cases if case.document}
        doubts = check(cases, corpus if case_names <= open_names else None) if cases else ()
        verified = sum(case.verified for case in cases)
        return {
            self._tab.status: sentence_html(f"{len(cases)} cases, {verified} verified"),
            self._tab.doubts: _list("doubts", [doubt.sentence for doubt in doubts]),
        }

    def _refuse(self, sentence: str) -> Updates:
        return {
            self._tab.status: sentence_html(sentence, alarming=True),
            self._tab.cancel: gr.update(visible=False),
        }

    def _open_corpus(self, values: Values) -> Corpus | None:
        session: Session = values[self._ask_session]
        return session.corpus


def _list(title: str, sentences: Sequence[str]) -> Markup:
    return render("ui/testset/sentences.html", title=title, sentences=sentences)
