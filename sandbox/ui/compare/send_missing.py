"""Configurations in between two runs, sent to the Evaluate tab as they were measured."""

from dataclasses import dataclass
from pathlib import Path

import gradio as gr

from sandbox.errors import SandboxError
from sandbox.evaluation.metrics.catalog import METRIC_NAMES
from sandbox.evaluation.runs.records import Run
from sandbox.files.storage import Store
from sandbox.testsets.cases import find_testset_files, load
from sandbox.ui.ask.corpus_events import CorpusEvents
from sandbox.ui.ask.tab import AskTab
from sandbox.ui.compare.case import name_of
from sandbox.ui.compare.session import CompareSession
from sandbox.ui.compare.tab import CompareTab
from sandbox.ui.evaluate.detail import CLOSE
from sandbox.ui.evaluate.events import EvaluateEvents
from sandbox.ui.evaluate.session import EvaluateSession
from sandbox.ui.evaluate.tab import EvaluateTab
from sandbox.ui.parts.progress import sentence_html
from sandbox.ui.parts.wiring import Updates, Values

PLACE = "evaluate-tab"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where configurations are sent to."""

    tabs: gr.Tabs
    tab: EvaluateTab
    events: EvaluateEvents


class Sending:
    """Fills the Evaluate tab's form with what is missing, and nothing else."""

    def __init__(
        self,
        store: Store,
        corpora: CorpusEvents,
        ask: AskTab,
        compare: CompareTab,
        *,
        target: Target,
    ) -> None:
        """Test sets come from `store`, corpora from the Ask tab's list."""
        self._store = store
        self._corpora = corpora
        self._ask = ask
        self._tab = compare
        self._target = target

    @property
    def form(self) -> set[gr.components.Component]:
        """What has to be known."""
        panel = self._ask.panel.inputs
        return {self._tab.session, *self._target.tab.form, *panel, self._ask.corpus}

    @property
    def outputs(self) -> list[gr.blocks.Block]:
        """What is filled in."""
        evaluate = self._target.tab
        return [
            self._target.tabs,
            *evaluate.widgets,
            evaluate.cases,
            evaluate.presets,
            evaluate.sent,
            evaluate.alternatives,
            evaluate.own_alternatives,
            *evaluate.metrics.values(),
            evaluate.judgements,
            self._tab.detail,
        ]

    def send(self, values: Values, event: gr.EventData) -> Updates:
        """Send the missing configurations of the shown pair and go to the Evaluate tab."""
        compared: CompareSession = values[self._tab.session]
        comparison, pair = compared.comparison, compared.pair
        wanted = getattr(event, "click", "") == "send"
        if not wanted or comparison is None or pair is None or not pair.difference.missing:
            return {self._tab.detail: gr.update()}
        evaluate = self._target.tab
        session: EvaluateSession = values[evaluate.session]
        try:
            if session.work:
                raise SandboxError("an evaluation is running; wait for its end, or cancel it")
            filled = self._fields(comparison.runs[0], evaluate)
        except SandboxError as error:
            return {self._tab.detail: _trouble(str(error))}
        names = [config.name for config in pair.difference.missing]
        session.sent = {config.name: config for config in pair.difference.missing}
        compared.awaited = frozenset(names)
        session.followed_corpus = values[self._ask.corpus] or ""
        form = {**values, **filled, evaluate.sent: names}
        between = f"in between {name_of(comparison, pair.a)} and {name_of(comparison, pair.b)}"
        return {
            **self._target.events.arrive(form),
            **filled,
            **self._target.events.offers.read_form(form),
            evaluate.corpus: gr.update(
                choices=self._corpora.choices(), value=filled[evaluate.corpus]
            ),
            evaluate.test_set: gr.update(
                choices=list(self._test_sets()), value=filled[evaluate.test_set]
            ),
            evaluate.sent: gr.update(choices=names, value=names, info=between, visible=True),
            self._target.tabs: gr.update(selected=PLACE),
        }

    def _fields(self, run: Run, evaluate: EvaluateTab) -> Updates:
        """The form as the run was made.

        Raises:
            SandboxError: If its corpus or test set is gone.
        """
        corpora = {label: value for label, value in self._corpora.choices()}
        if run.corpus not in corpora:
            raise SandboxError(f"the corpus {run.corpus} is gone; drop its PDFs on the Ask tab")
        files = self._test_sets()
        if run.test_set not in files:
            raise SandboxError(
                f"the test set {run.test_set} is gone; import it on the Test set tab"
            )
        verified = [case.id for case in load(files[run.test_set]) if case.verified]
        size = len(run.cases)
        begins = [case.id for case in run.cases] == verified[:size]
        return {
            evaluate.corpus: corpora[run.corpus],
            evaluate.test_set: run.test_set,
            evaluate.cases: size if begins and size < len(verified) else 0,
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

    def _test_sets(self) -> dict[str, Path]:
        return find_testset_files(self._store.testsets)


def _trouble(sentence: str) -> str:
    return f"<header>{sentence_html(sentence, alarming=True)}{CLOSE}</header>"
