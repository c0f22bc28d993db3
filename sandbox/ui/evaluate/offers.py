"""What the Evaluate tab has on offer: corpora, test sets, and the lines that say what is chosen.

Leaves out planning and evaluating (events.py).
"""

import gradio as gr

from sandbox.errors import SandboxError
from sandbox.ui.ask.corpus_events import CorpusEvents
from sandbox.ui.ask.tab import AskTab
from sandbox.ui.evaluate.form import EvaluateForm
from sandbox.ui.evaluate.plan import cases_html, choice_html
from sandbox.ui.evaluate.session import EvaluateSession
from sandbox.ui.evaluate.tab import EvaluateTab
from sandbox.ui.parts.progress import sentence_html
from sandbox.ui.parts.wiring import Updates, Values


class EvaluateOffers:
    """Fills the lists of the tab."""

    def __init__(
        self, corpora: CorpusEvents, ask: AskTab, tab: EvaluateTab, form: EvaluateForm
    ) -> None:
        """Work on the widgets of `tab`; corpus and configuration of the Ask tab are on offer."""
        self._corpora = corpora
        self._ask = ask
        self._tab = tab
        self._form = form

    def choose_corpus(self, values: Values) -> Updates:
        """Choose the corpus's own test set, if there is one."""
        return self._test_sets(values, values[self._tab.corpus] or "")

    def read_form(self, values: Values) -> Updates:
        """Say how many cases count and which configurations are chosen, or what is wrong."""
        return {**self._cases_line(values), **self._configurations_line(values)}

    def follow(self, session: EvaluateSession, values: Values) -> Updates:
        """The Ask tab's corpus, unless another was chosen here."""
        choices = self._corpora.choices()
        asked, chosen = values[self._ask.corpus] or "", values[self._tab.corpus] or ""
        follows = chosen in ("", session.followed_corpus)
        corpus = asked if follows else chosen
        session.followed_corpus = asked
        updates: Updates = {self._tab.corpus: gr.update(choices=choices, value=corpus or None)}
        if corpus == chosen:
            names = list(self._form.test_sets())
            return {**updates, self._tab.test_set: gr.update(choices=names)}
        return {**updates, **self._test_sets(values, corpus)}

    def _test_sets(self, values: Values, corpus: str) -> Updates:
        names = list(self._form.test_sets())
        chosen = corpus if corpus in names else None
        return {
            self._tab.test_set: gr.update(choices=names, value=chosen),
            **self.read_form({**values, self._tab.test_set: chosen}),
        }

    def _cases_line(self, values: Values) -> Updates:
        try:
            line = cases_html(self._form.cases(values))
        except SandboxError as error:
            line = sentence_html(str(error), alarming=True)
        return {self._tab.cases_line: line}

    def _configurations_line(self, values: Values) -> Updates:
        try:
            line = choice_html(self._form.configs(values), self._form.metrics(values))
        except SandboxError as error:
            line = sentence_html(str(error), alarming=True)
        return {self._tab.configurations: line}
