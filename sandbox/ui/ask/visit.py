"""What happens when a browser opens the app: it is told which models and corpora there are."""

import gradio as gr

from sandbox.models.source import Models
from sandbox.ui.ask.corpus_events import CorpusEvents
from sandbox.ui.ask.tab import AskTab
from sandbox.ui.parts.status import models_html
from sandbox.ui.parts.wiring import Updates


class Visit:
    """The beginning of a visit."""

    def __init__(
        self, models: Models, tab: AskTab, corpus: CorpusEvents, models_line: gr.HTML
    ) -> None:
        """Describe `models` in `models_line`, and the corpora on the tab."""
        self._models = models
        self._tab = tab
        self._corpus = corpus
        self.models_line = models_line

    def greet(self) -> Updates:
        """Name the models with reasons, list what can be chosen, choose the first corpus."""
        corpora = self._corpus.choices()
        first = corpora[0][1] if corpora else None
        available = self._models.available()
        return {
            self.models_line: models_html(self._models.choices()),
            self._tab.corpus: gr.update(choices=corpora, value=first),
            **self._tab.panel.offer(available),
        }
