"""Configurations in between two runs, sent to the Evaluate tab with the settings of those runs."""

from collections.abc import Sequence

import gradio as gr

from sandbox.errors import SandboxError
from sandbox.evaluation.metrics.catalog import METRIC_NAMES
from sandbox.evaluation.runs.records import Run
from sandbox.markup.templates import render
from sandbox.testsets.cases import TestCase, load
from sandbox.ui.compare.result import names_of
from sandbox.ui.compare.session import CompareSession
from sandbox.ui.compare.tab import CompareTab
from sandbox.ui.evaluate.events import EvaluateEvents
from sandbox.ui.evaluate.session import EvaluateSession
from sandbox.ui.parts.wiring import Updates, Values, unchanged, widgets_of


class MissingEvents:
    """Fills the Evaluate tab's form with what is missing, and nothing else."""

    def __init__(self, tab: CompareTab, evaluate: EvaluateEvents, tabs: gr.Tabs) -> None:
        """Send from `tab` to the tab of `evaluate`, which is then chosen among `tabs`."""
        self._tab = tab
        self._evaluate = evaluate.tab
        self._events = evaluate
        self._tabs = tabs

    @property
    def inputs(self) -> set[gr.components.Component]:
        """The shown pair, and everything that the Evaluate tab is filled from."""
        return {self._tab.session, *self._events.inputs}

    @property
    def outputs(self) -> list[gr.blocks.Block]:
        """The Evaluate tab, and which tab is shown."""
        return [self._tabs, *widgets_of(self._evaluate)]

    def send(self, values: Values) -> Updates:
        """Send the missing configurations of the shown pair and go to the Evaluate tab."""
        compared: CompareSession = values[self._tab.session]
        comparison, pair = compared.comparison, compared.pair
        if comparison is None or pair is None or not pair.difference.missing:
            return unchanged()
        evaluate, form = self._evaluate, self._events.form
        session: EvaluateSession = values[evaluate.session]
        try:
            if session.work:
                raise SandboxError("an evaluation is running; wait for its end, or cancel it")
            filled = self._fields(comparison.runs[0])
        except SandboxError as error:
            trouble = render("ui/compare/detail.html#trouble", text=str(error))
            return {self._tab.detail: trouble}
        missing = {config.name: config for config in pair.difference.missing}
        session.sent, compared.awaited = missing, frozenset(missing)
        session.followed_corpus = form.asked_corpus(values)
        sent = {**values, **filled, evaluate.sent: list(missing)}
        names = names_of(comparison)
        between = f"in between {names[pair.a]} and {names[pair.b]}"
        return {
            **self._events.arrive(sent),
            **filled,
            **form.describe(sent),
            evaluate.corpus: gr.update(choices=form.corpora(), value=filled[evaluate.corpus]),
            evaluate.test_set: gr.update(
                choices=list(form.test_sets()), value=filled[evaluate.test_set]
            ),
            evaluate.sent: gr.update(
                choices=list(missing), value=list(missing), info=between, visible=True
            ),
            self._tabs: gr.update(selected="evaluate-tab"),
        }

    def _fields(self, run: Run) -> Updates:
        """The form as the run was made.

        Raises:
            SandboxError: If its corpus or test set is gone.
        """
        evaluate, form = self._evaluate, self._events.form
        corpora, files = dict(form.corpora()), form.test_sets()
        if run.corpus not in corpora:
            raise SandboxError(f"the corpus {run.corpus} is gone; drop its PDFs on the Ask tab")
        if run.test_set not in files:
            raise SandboxError(
                f"the test set {run.test_set} is gone; import it on the Test set tab"
            )
        return {
            evaluate.corpus: corpora[run.corpus],
            evaluate.test_set: run.test_set,
            evaluate.cases: _first_cases(run, load(files[run.test_set])),
            evaluate.presets: [],
            evaluate.alternatives: [],
            evaluate.own_alternatives: "",
            evaluate.judge: run.judge or "auto",
            evaluate.judgements: run.judging.judgements,
            **{
                box: [name for name in run.metrics if name in METRIC_NAMES[family]]
                for family, box in evaluate.metrics.items()
            },
        }


def _first_cases(run: Run, cases: Sequence[TestCase]) -> int:
    """How many of the first verified cases the run asked; 0 where it asked all, or others."""
    verified, size = [case.id for case in cases if case.verified], len(run.cases)
    asked_the_first = [case.id for case in run.cases] == verified[:size]
    return size if asked_the_first and size < len(verified) else 0
