"""What happens on the Evaluate tab: planning, evaluating, cancelling, resuming, looking closer."""

import time
from collections.abc import Generator, Iterator

import gradio as gr
from markupsafe import Markup

from sandbox.errors import CorpusError, SandboxError
from sandbox.evaluation.runs.read import Evaluation, evaluations
from sandbox.experiments.experiment import Experiment
from sandbox.files.storage import Store
from sandbox.library import Sandbox
from sandbox.markup.formats import count
from sandbox.progress import Progress
from sandbox.records import Corpus
from sandbox.ui.ask.corpus_events import CorpusEvents
from sandbox.ui.ask.tab import AskTab
from sandbox.ui.evaluate.form import EvaluateForm
from sandbox.ui.evaluate.tab import EvaluateSession, EvaluateTab, Work
from sandbox.ui.evaluate.view import (
    detail_html,
    plan_html,
    result_html,
    unfinished_html,
    warnings_html,
)
from sandbox.ui.parts.progress import follow, progress_html, sentence_html
from sandbox.ui.parts.wiring import (
    Click,
    Updates,
    Values,
    at_once,
    compute,
    dispatch,
    form_of,
    unchanged,
    widgets_of,
    work,
)

CANCELLED = "cancelled; what is done is kept, Resume goes on from there"
KEEP_OPEN = "keep this page open; if it is closed, Resume goes on from there"
REDRAW_SECONDS = 2.0
"""The result so far is read and drawn at most this often, and in a twentieth of the time."""


class EvaluateEvents:
    """What happens on the tab."""

    def __init__(
        self, sandbox: Sandbox, corpora: CorpusEvents, ask: AskTab, tab: EvaluateTab
    ) -> None:
        """Work on the widgets of `tab`; corpus and configuration of the Ask tab are on offer."""
        self._sandbox = sandbox
        self._corpora = corpora
        self._ask = ask
        self.tab = tab
        self.form = EvaluateForm(tab, ask, corpora, sandbox.store)
        self._clicks = {
            "metric": self._open,
            "cell": self._open,
            "score": self._open,
            "nothing": self._close,
        }

    @property
    def inputs(self) -> set[gr.components.Component]:
        """Everything an experiment is read from."""
        return {*form_of(self.tab), *self._ask.panel.inputs, self._ask.corpus}

    def wire(self, place: gr.Tab) -> None:
        """Connect everything on the tab; call inside the app."""
        tab, form, changed = self.tab, self.inputs, widgets_of(self.tab)
        arrived = at_once([place.select], self.arrive, form, changed)
        at_once([tab.corpus.input], self.form.choose_corpus, form, changed)
        at_once(
            [
                tab.test_set.input,
                tab.holdout.input,
                tab.presets.input,
                tab.start.input,
                tab.alternatives.input,
                tab.own_alternatives.input,
                *(box.input for box in tab.metrics.values()),
            ],
            self.form.describe,
            form,
            changed,
        )
        for button, begin in (
            (tab.plan, self.begin_plan),
            (tab.evaluate, self.begin_evaluation),
            (tab.resume, self.begin_again),
        ):
            begun = at_once([button.click], begin, tab.session, changed)
            done = work(begun.then, self.work, form, changed)
            compute(done.then, self.consult, tab.session, changed)
        at_once([tab.cancel.click], self.cancel, tab.session, changed)
        shown = at_once([tab.shown.input], self.show, {tab.session, tab.shown}, changed)
        for drawn in (arrived, shown):
            compute(drawn.then, self.consult, tab.session, changed)
        at_once([tab.result.click, tab.detail.click], self.click, tab.session, changed)

    def arrive(self, values: Values) -> Updates:
        """Offer what there is by now; follow the Ask tab's corpus; show the newest result."""
        session: EvaluateSession = values[self.tab.session]
        if session.work:
            return unchanged()
        shown = session.evaluation.id if session.evaluation else ""
        by_id = self._evaluations()
        session.show(by_id.get(shown) or next(iter(by_id.values()), None))
        judges = [
            model.model for model in self._sandbox.models.available() if model.role == "judge"
        ]
        progress: Updates = {} if shown else {self.tab.progress: unfinished_html(session.views)}
        return {
            **self.form.follow(session, values),
            self.tab.judge: gr.update(choices=["auto", *judges]),
            **progress,
            **self._settled(session),
        }

    def begin_plan(self, session: EvaluateSession) -> Updates:
        """Put a plan in line."""
        return self._begin(session, "plan")

    def begin_evaluation(self, session: EvaluateSession) -> Updates:
        """Put a new evaluation in line."""
        return self._begin(session, "evaluate")

    def begin_again(self, session: EvaluateSession) -> Updates:
        """Put the shown evaluation, which is unfinished, in line."""
        return self._begin(session, "resume")

    def work(self, values: Values) -> Iterator[Updates]:
        """Do what was put in line."""
        session: EvaluateSession = values[self.tab.session]
        if not session.work:
            yield unchanged()
            return
        try:
            conclusion = yield from self._work(session, values)
        except SandboxError as error:
            conclusion = sentence_html(str(error), alarming=True)
        session.work = ""
        session.show(session.evaluation)
        yield {**self._settled(session), self.tab.progress: conclusion}

    def cancel(self, session: EvaluateSession) -> Updates:
        """Stop after the answer or score that is being made."""
        session.stop_requested = True
        return self._buttons(session)

    def show(self, values: Values) -> Updates:
        """Show the result of another evaluation."""
        session: EvaluateSession = values[self.tab.session]
        session.show(self._evaluations().get(values[self.tab.shown]))
        progress = unfinished_html(session.views)
        return {**self._result(session), self.tab.progress: progress, self.tab.detail: ""}

    def consult(self, session: EvaluateSession) -> Updates:
        """Grey the means of metrics that the labels do not let decide."""
        if session.labels == session.doubts_rest_on or not session.has_both_classes:
            return unchanged()
        try:
            table = self._sandbox.trust([view.run.id for view in session.views])
        except SandboxError:
            return unchanged()  # the Trust tab says what is wrong
        session.doubt(table)
        return {self.tab.result: result_html(session.views, session.doubts)}

    def click(self, session: EvaluateSession, event: gr.EventData) -> Updates:
        """Open what a number or a mark stands for, or close it."""
        return dispatch(self._clicks, session, event)

    def _open(self, session: EvaluateSession, click: Click) -> Updates:
        run = click.text("run")
        view = next((view for view in session.views if view.run.id == run), None)
        if view is None:
            return {self.tab.detail: ""}
        metric, case = click.text("metric"), click.text("case")
        return {self.tab.detail: detail_html(view, show=click.kind, metric=metric, case=case)}

    def _close(self, _session: EvaluateSession, _click: Click) -> Updates:
        return {self.tab.detail: ""}

    def _begin(self, session: EvaluateSession, work: Work) -> Updates:
        if session.work:
            return unchanged()
        session.work, session.stop_requested = work, False
        return {
            **self._buttons(session),
            self.tab.progress: sentence_html("waiting until the models are free"),
            self.tab.detail: "",
        }

    def _work(self, session: EvaluateSession, values: Values) -> Generator[Updates, None, Markup]:
        """Do it, and return the sentence that concludes it."""
        if session.work == "resume":
            return (yield from self._resume(session))
        corpus = yield from self._corpus(session, values[self.tab.corpus] or "")
        if corpus is None:
            return sentence_html("cancelled")
        experiment = self.form.experiment(values, corpus)
        if session.work == "plan":
            planning = self._sandbox.steps.plan(experiment)
            planned = yield from follow(planning, session, self._draw)
            return plan_html(planned) if planned else sentence_html("cancelled")
        return (yield from self._evaluate(session, experiment, resume=False))

    def _resume(self, session: EvaluateSession) -> Generator[Updates, None, Markup]:
        """Go on with the shown evaluation."""
        resumed = session.evaluation
        if resumed is None:
            return sentence_html("nothing to resume; press Evaluate", alarming=True)
        named = dict(self._corpora.choices())
        name = resumed.runs[0].run.corpus
        if name not in named:
            raise CorpusError(f"the corpus {name} is gone; drop its PDFs on the Ask tab first")
        corpus = yield from self._corpus(session, named[name])
        if corpus is None:
            return sentence_html(CANCELLED)
        experiment = Experiment.from_runs([folder.run for folder in resumed.runs], corpus)
        conclusion = yield from self._evaluate(session, experiment, resume=True)
        if session.evaluation and session.evaluation.id != resumed.id:
            return sentence_html("a model has changed since, so it was begun anew", alarming=True)
        return conclusion

    def _evaluate(
        self, session: EvaluateSession, experiment: Experiment, *, resume: bool
    ) -> Generator[Updates, None, Markup]:
        warnings = warnings_html(self._sandbox.warnings(experiment))
        running = _Running(self._sandbox.store, session)

        def draw(progress: Progress) -> Updates:
            line = progress_html(progress) + warnings + sentence_html(KEEP_OPEN)
            so_far = self._settled(session) if running.is_due(progress) else {}
            return {self.tab.progress: line, **so_far}

        evaluating = self._sandbox.steps.evaluate(experiment, resume=resume)
        runs = yield from follow(evaluating, session, draw)
        running.read()
        return sentence_html("finished" if runs else CANCELLED) + warnings

    def _corpus(
        self, session: EvaluateSession, chosen: str
    ) -> Generator[Updates, None, Corpus | None]:
        """The chosen documents; read before as a rule, so at once. None if it was cancelled."""
        if not chosen:
            raise CorpusError("no corpus is chosen; choose one, or drop PDFs on the Ask tab")
        files = self._corpora.files(chosen)
        reading = self._sandbox.pipeline.read(files.files, names=files.names)
        report = yield from follow(reading, session, self._draw)
        return report.as_corpus(files.name) if report else None

    def _evaluations(self) -> dict[str, Evaluation]:
        """By id, the newest first."""
        return {evaluation.id: evaluation for evaluation in evaluations(self._sandbox.store)}

    def _draw(self, progress: Progress) -> Updates:
        return {self.tab.progress: progress_html(progress)}

    def _settled(self, session: EvaluateSession) -> Updates:
        choices = [(_name(evaluation), id) for id, evaluation in self._evaluations().items()]
        shown = session.evaluation.id if session.evaluation else None
        return {
            self.tab.shown: gr.update(choices=choices, value=shown),
            **self._result(session),
        }

    def _result(self, session: EvaluateSession) -> Updates:
        result = result_html(session.views, session.doubts)
        return {self.tab.result: result, **self._buttons(session)}

    def _buttons(self, session: EvaluateSession) -> Updates:
        busy = bool(session.work)
        unfinished = any(not view.summary.finished for view in session.views)
        return {
            self.tab.plan: gr.update(interactive=not busy),
            self.tab.evaluate: gr.update(interactive=not busy),
            self.tab.resume: gr.update(visible=unfinished and not busy),
            self.tab.cancel: gr.update(
                value="Cancelling" if session.stop_requested else "Cancel",
                visible=busy,
                interactive=not session.stop_requested,
            ),
        }


class _Running:
    """An evaluation under way: its result so far, read again where that is due."""

    def __init__(self, store: Store, session: EvaluateSession) -> None:
        """Watch for the evaluation that is begun from now on."""
        self._store = store
        self._session = session
        self._earlier = {evaluation.id for evaluation in evaluations(store)}
        self._is_shown = False
        self._due = time.monotonic() + REDRAW_SECONDS

    def is_due(self, progress: Progress) -> bool:
        """True once in a while, after the result so far was read."""
        started = time.monotonic()
        if progress.stage not in ("answer", "score") or started < self._due:
            return False
        self.read()
        taken = time.monotonic() - started
        self._due = started + max(REDRAW_SECONDS, 20 * taken)
        return True

    def read(self) -> None:
        """Show the evaluation that was begun; later what a person chose meanwhile stays."""
        if not self._is_shown:
            stored = evaluations(self._store)
            begun = [evaluation for evaluation in stored if evaluation.id not in self._earlier]
            if begun:
                self._is_shown = True
                self._session.show(begun[0])
                return
        self._session.show(self._session.evaluation)


def _name(evaluation: Evaluation) -> str:
    run = evaluation.runs[0].run
    size = count(len(evaluation.runs), "configuration")
    return f"{run.started} · {run.test_set} · {size}"
