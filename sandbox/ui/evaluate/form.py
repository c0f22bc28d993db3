"""The form of the Evaluate tab: what it offers, and what a person chose in it."""

from collections.abc import Callable, Mapping
from pathlib import Path

import gradio as gr

from sandbox.config import Config, one_factor_at_a_time, preset
from sandbox.errors import ConfigError, InvalidTestSet, SandboxError
from sandbox.evaluation.labelling.files import read_rubric
from sandbox.evaluation.runs.records import Judging
from sandbox.experiments.experiment import Experiment
from sandbox.files.storage import Store
from sandbox.records import Corpus
from sandbox.testsets.cases import TestCase, find_testset_files, load
from sandbox.testsets.holdout import require_shown
from sandbox.ui.ask.corpus_events import CorpusEvents
from sandbox.ui.ask.tab import AskTab
from sandbox.ui.evaluate.tab import ASK_TAB, EvaluateSession, EvaluateTab
from sandbox.ui.evaluate.view import cases_html, choice_html
from sandbox.ui.parts.progress import sentence_html
from sandbox.ui.parts.wiring import Updates, Values


class EvaluateForm:
    """Fills and reads the widgets on the left of the tab."""

    def __init__(self, tab: EvaluateTab, ask: AskTab, corpora: CorpusEvents, store: Store) -> None:
        """Corpus and configuration of the Ask tab are on offer, test sets come from `store`."""
        self._tab = tab
        self._ask = ask
        self._corpora = corpora
        self._store = store

    def choose_corpus(self, values: Values) -> Updates:
        """Choose the corpus's own test set, if there is one."""
        return self._offer_test_sets(values, values[self._tab.corpus] or "")

    def describe(self, values: Values) -> Updates:
        """Say how many cases count and which configurations are chosen, or what is wrong."""
        return {
            self._tab.cases_line: _or_error(lambda: cases_html(self.cases(values))),
            self._tab.configurations: _or_error(
                lambda: choice_html(self.configs(values), self.metrics(values))
            ),
        }

    def follow(self, session: EvaluateSession, values: Values) -> Updates:
        """Offer the Ask tab's corpus, unless another was chosen here."""
        asked, chosen = self.asked_corpus(values), values[self._tab.corpus] or ""
        corpus = asked if chosen in ("", session.followed_corpus) else chosen
        session.followed_corpus = asked
        offered = gr.update(choices=self.corpora(), value=corpus or None)
        if corpus == chosen:
            test_sets: Updates = {self._tab.test_set: gr.update(choices=list(self.test_sets()))}
        else:
            test_sets = self._offer_test_sets(values, corpus)
        return {self._tab.corpus: offered, **test_sets}

    def experiment(self, values: Values, corpus: Corpus) -> Experiment:
        """What is to be measured.

        Raises:
            ConfigError: If a setting is out of range, or nothing is ticked.
            InvalidTestSet: If the test set or the graded examples cannot be read, or no test set
                is chosen.
        """
        limit, rubric = values[self._tab.cases], values[self._tab.rubric]
        return Experiment(
            corpus=corpus,
            test_set=values[self._tab.test_set] or "",
            cases=self.cases(values),
            configs=self.configs(values),
            metrics=self.metrics(values),
            judging=Judging(
                model=values[self._tab.judge] or "auto",
                judgements=int(values[self._tab.judgements] or 1),
                rubric=read_rubric(Path(rubric)) if rubric else (),
            ),
            limit=int(limit) if limit else None,
        )

    def configs(self, values: Values) -> tuple[Config, ...]:
        """What is ticked, sent from Compare, or in "one factor at a time"; each once.

        Raises:
            ConfigError: If a setting is unknown or out of range.
        """
        ticked = [self._config(name, values) for name in values[self._tab.presets]]
        sent: Mapping[str, Config] = values[self._tab.session].sent
        ticked += [sent[name] for name in values[self._tab.sent] or () if name in sent]
        own = (values[self._tab.own_alternatives] or "").split(",")
        alternatives = [*values[self._tab.alternatives], *(text.strip() for text in own)]
        if changes := [text for text in alternatives if text]:
            start = self._config(values[self._tab.start], values)
            ticked += one_factor_at_a_time(start, changes)
        return tuple({config.name: config for config in ticked}.values())

    def metrics(self, values: Values) -> tuple[str, ...]:
        """The ticked metrics by name, cheapest family first.

        Raises:
            ConfigError: If none is ticked.
        """
        names = tuple(name for box in self._tab.metrics.values() for name in values[box] or ())
        if not names:
            raise ConfigError("no metric is ticked; tick at least one on the left")
        return names

    def cases(self, values: Values) -> tuple[TestCase, ...]:
        """The cases of the chosen test set.

        Raises:
            InvalidTestSet: If none is chosen, or it cannot be read or is a hold-out.
        """
        file = self.test_sets().get(values[self._tab.test_set] or "")
        if file is None:
            raise InvalidTestSet(
                "no test set is chosen; choose one, or make one for this corpus on the Test set tab"
            )
        require_shown(file, show_holdout=bool(values[self._tab.holdout]))
        return load(file)

    def asked_corpus(self, values: Values) -> str:
        """The corpus that is chosen on the Ask tab; empty for none."""
        return values[self._ask.corpus] or ""

    def corpora(self) -> list[tuple[str, str]]:
        """The name of each corpus on offer, and its value."""
        return self._corpora.choices()

    def test_sets(self) -> dict[str, Path]:
        """Test set file by name: the bundled ones, then those saved on the Test set tab."""
        return find_testset_files(self._store.testsets)

    def _config(self, name: str, values: Values) -> Config:
        return self._ask.panel.read(values) if name == ASK_TAB else preset(name)

    def _offer_test_sets(self, values: Values, corpus: str) -> Updates:
        names = list(self.test_sets())
        chosen = corpus if corpus in names else None
        return {
            self._tab.test_set: gr.update(choices=names, value=chosen),
            **self.describe({**values, self._tab.test_set: chosen}),
        }


def _or_error(draw: Callable[[], str]) -> str:
    """The line, or what is wrong with the choice it describes."""
    try:
        return draw()
    except SandboxError as error:
        return sentence_html(str(error), alarming=True)
