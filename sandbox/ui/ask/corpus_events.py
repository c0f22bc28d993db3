"""The beginning of a visit; opening a corpus and reading dropped PDFs, with a way to cancel."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import gradio as gr

from sandbox.config import DEFAULT_PRESET, Config, preset
from sandbox.documents import corpora
from sandbox.documents.corpora import CorpusFiles
from sandbox.errors import ConfigError, CorpusError, SandboxError
from sandbox.files.storage import Store
from sandbox.models.source import Models
from sandbox.progress import Progress, finish
from sandbox.rag.pipeline import Pipeline
from sandbox.records import Corpus
from sandbox.ui.ask.session import Session
from sandbox.ui.ask.tab import AskTab, View
from sandbox.ui.ask.view import models_html
from sandbox.ui.parts.progress import follow, progress_html, sentence_html
from sandbox.ui.parts.wiring import Updates, Values

QUESTIONS_READ_AHEAD = 2
"""Example questions whose prompts are read before anybody asks; other work waits meanwhile."""


class CorpusEvents:
    """What happens at the top left of the Ask tab."""

    def __init__(self, pipeline: Pipeline, store: Store, tab: AskTab, view: View) -> None:
        """Work on the widgets of `tab`."""
        self._pipeline = pipeline
        self._store = store
        self._tab = tab
        self._view = view

    def choices(self) -> list[tuple[str, str]]:
        """Label and value of each corpus: the bundled ones, then those a person uploaded."""
        bundled = [(corpus.name, corpus.name) for corpus in corpora.bundled()]
        saved = corpora.saved_corpora(self._store)
        labels = unique_names([corpus.name for corpus in saved])
        return bundled + [(label, corpus.id) for label, corpus in zip(labels, saved, strict=True)]

    def files(self, chosen: str) -> CorpusFiles:
        """The documents of a corpus chosen from the list.

        Raises:
            CorpusError: If there is no such corpus.
        """
        for saved in corpora.saved_corpora(self._store):
            if saved.id == chosen:
                files = tuple(Path(file) for file in saved.files)
                return CorpusFiles(name=saved.name, files=files, names=saved.names)
        if chosen not in {corpus.name for corpus in corpora.bundled()}:
            # `find` also takes paths, and what a browser sends is not to choose files here.
            raise CorpusError(f"no corpus is called {chosen!r}; choose one from the list")
        return corpora.find(chosen)

    def read_named(self, name: str) -> Corpus:
        """The corpus of that name on the list, whose documents were read before and so at once.

        Raises:
            CorpusError: If it is not on the list any more.
        """
        chosen = dict(self.choices()).get(name)
        if chosen is None:
            raise CorpusError(
                f"the corpus {name} is gone, so its pages cannot be shown; drop its PDFs on the Ask"
                " tab"
            )
        files = self.files(chosen)
        return finish(self._pipeline.read(files.files, names=files.names)).as_corpus(files.name)

    def open_chosen(self, values: Values) -> Iterator[Updates]:
        """Read and index the corpus chosen in the list; quick where that was done before."""
        session: Session = values[self._tab.session]
        chosen = values[self._tab.corpus]
        if chosen:
            try:
                yield from self._open(session, self.files(chosen), _examples(chosen), values)
            except SandboxError as error:
                session.trouble = str(error)
        yield self._settled(session)
        yield from self._warm_up(session, values)

    def open_dropped(self, values: Values) -> Iterator[Updates]:
        """Make one corpus of the dropped files; a file that cannot be read stops no other."""
        session: Session = values[self._tab.session]
        dropped = dropped_files(values[self._tab.files] or [])
        chosen = None
        if dropped.files:
            yield from self._open(session, dropped, (), values)
        if session.corpus and session.index:
            folders = self._pipeline.folders(session.corpus)
            chosen = corpora.save(session.corpus, self._store, reader_folders=folders).id
        yield {
            **self._settled(session),
            self._tab.files: None,
            self._tab.corpus: gr.update(choices=self.choices(), value=chosen),
        }
        yield from self._warm_up(session, values)

    def cancel(self, session: Session) -> Updates:
        """Stop after the step that is running."""
        session.stop_requested = True
        return {self._tab.cancel: gr.update(value="Cancelling", interactive=False)}

    def _open(
        self, session: Session, files: CorpusFiles, examples: Sequence[str], values: Values
    ) -> Iterator[Updates]:
        session.open(files.name, examples)
        yield {
            **self._view.draw(session),
            self._tab.corpus_status: sentence_html("opening"),
            self._tab.cancel: gr.update(value="Cancel", visible=True, interactive=True),
        }
        try:
            yield from self._read(session, files)
            yield from self._prepare(session, self._config(values))
        except SandboxError as error:
            session.trouble = str(error)

    def _read(self, session: Session, files: CorpusFiles) -> Iterator[Updates]:
        reading = self._pipeline.read(files.files, names=files.names)
        report = yield from follow(reading, session, self._draw)
        if report is None:
            session.trouble = "cancelled; choose a corpus or drop PDFs to go on"
            return
        session.refused = report.refused
        if report.documents:
            session.corpus = Corpus(name=files.name, documents=report.documents)

    def _prepare(self, session: Session, config: Config) -> Iterator[Updates]:
        if session.corpus is None:
            return
        preparing = self._pipeline.prepare(session.corpus, config)
        session.index = yield from follow(preparing, session, self._draw)
        if session.index is None:
            session.trouble = "indexing was cancelled; it goes on with the next question"

    def _warm_up(self, session: Session, values: Values) -> Iterator[Updates]:
        """Start the chat model and read ahead while the person thinks of a question."""
        index = session.index
        if session.corpus is None:
            return
        try:
            likely = session.examples[:QUESTIONS_READ_AHEAD]
            for _ in self._pipeline.warm_up(self._config(values), index, likely):
                if session.is_busy or session.stop_requested or session.index is not index:
                    break
        except SandboxError as error:
            session.trouble = str(error)
            yield self._view.draw_corpus(session)

    def _draw(self, progress: Progress) -> Updates:
        return {self._tab.corpus_status: progress_html(progress)}

    def _settled(self, session: Session) -> Updates:
        session.stop_requested = False
        return {
            **self._view.draw_corpus(session),
            **self._view.draw_chat(session),
            self._tab.cancel: gr.update(visible=False),
        }

    def _config(self, values: Values) -> Config:
        try:
            return self._tab.panel.read(values)
        except ConfigError:
            return preset(DEFAULT_PRESET)  # the panel itself says what is out of range


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """The beginning of a visit: a browser has opened the app."""

    models: Models
    models_line: gr.HTML
    corpus: CorpusEvents
    tab: AskTab

    def greet(self) -> Updates:
        """Name the models with reasons, list what can be chosen, choose the first corpus."""
        corpora = self.corpus.choices()
        first = corpora[0][1] if corpora else None
        available = self.models.available()
        return {
            self.models_line: models_html(self.models.choices()),
            self.tab.corpus: gr.update(choices=corpora, value=first),
            **self.tab.panel.offer(available),
        }


def dropped_files(uploads: Sequence[Mapping[str, str]]) -> CorpusFiles:
    """The corpus that dropped files make, under the names the user chose.

    Gradio rewrites the names of its copies; `orig_name` is the name before.
    """
    names = [upload.get("orig_name") or Path(upload["path"]).name for upload in uploads]
    more = f" + {len(names) - 1} more" if len(names) > 1 else ""
    return CorpusFiles(
        name=f"{names[0]}{more}" if names else "",
        files=tuple(Path(upload["path"]) for upload in uploads),
        names=tuple(unique_names(names)),
    )


def unique_names(names: Sequence[str]) -> list[str]:
    """The names, with a number behind those that came before.

    >>> unique_names(["a.pdf", "b.pdf", "a.pdf"])
    ['a.pdf', 'b.pdf', 'a.pdf (2)']
    """
    seen: Counter[str] = Counter()
    unique = []
    for name in names:
        seen[name] += 1
        unique.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return unique


def _examples(chosen: str) -> tuple[str, ...]:
    return next((corpus.examples for corpus in corpora.bundled() if corpus.name == chosen), ())
