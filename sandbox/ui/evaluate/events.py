"""What happens on the Evaluate tab: planning, evaluating, cancelling, resuming, looking."""

from collections.abc import Generator, Iterator
from typing import Literal

import gradio as gr

from sandbox.errors import CorpusError, SandboxError
from sandbox.evaluation.runs.read import Evaluation, evaluations
from sandbox.experiments.experiment import Experiment
from sandbox.library import Sandbox
from sandbox.markup.markup import count
from sandbox.progress import Progress
from sandbox.records import Corpus
from sandbox.ui.ask.corpus_events import CorpusEvents
from sandbox.ui.ask.tab import AskTab
from sandbox.ui.evaluate.detail import detail_html
from sandbox.ui.evaluate.form import EvaluateForm
from sandbox.ui.evaluate.offers import EvaluateOffers
from sandbox.ui.evaluate.plan import left_html, plan_html, warnings_html
from sandbox.ui.evaluate.run import Running
from sandbox.ui.evaluate.session import EvaluateSession
from sandbox.ui.evaluate.tab import EvaluateTab
from sandbox.ui.evaluate.tables import result_html
from sandbox.ui.evaluate.trust import has_both_classes, labels_of, untrusted
from sandbox.ui.parts.progress import follow, progress_html, sentence_html
from sandbox.ui.parts.wiring import Updates, Values

CANCELLED = "cancelled; what is done is kept, Resume goes on from there"


class EvaluateEvents:
    """What happens on the tab."""

    def __init__(
        self, sandbox: Sandbox, corpora: CorpusEvents, ask: AskTab, tab: EvaluateTab
    ) -> None:
        """Work on the widgets of `tab`; corpus and configuration of the Ask tab are on offer."""
        self._sandbox = sandbox
        self._corpora = corpora
        self._tab = tab
        self._form = EvaluateForm(tab, ask.panel, sandbox.store)
        self.offers = EvaluateOffers(corpora, ask, tab, self._form)

    def arrive(self, values: Values) -> Updates:
        """Offer what there is by now; follow the Ask tab's corpus; show the newest result."""
        session: EvaluateSession = values[self._tab.session]
        if session.work:
            return self._unchanged()
        found = evaluations(self._sandbox.store)
        shown = session.evaluation.id if session.evaluation else ""
        session.show(next((one for one in found if one.id == shown), found[0] if found else None))
        judges = [one.model for one in self._sandbox.models.available() if one.role == "judge"]
        said: Updates = {} if shown else {self._tab.progress: left_html(session.outcomes)}
        return {
            **self.offers.follow(session, values),
            self._tab.judge: gr.update(choices=["auto", *judges]),
            **said,
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
        session: EvaluateSession = values[self._tab.session]
        if not session.work:
            yield self._unchanged()
            return
        try:
            said = yield from self._work(session, values)
        except SandboxError as error:
            said = sentence_html(str(error), alarming=True)
        session.work = ""
        session.show(session.evaluation)
        yield {**self._settled(session), self._tab.progress: said}

    def cancel(self, session: EvaluateSession) -> Updates:
        """Stop after the answer or score that is being made."""
        session.stop_requested = True
        return self._buttons(session)

    def show(self, values: Values) -> Updates:
        """Show the result of another evaluation."""
        session: EvaluateSession = values[self._tab.session]
        wanted = values[self._tab.shown]
        found = evaluations(self._sandbox.store)
        session.show(next((one for one in found if one.id == wanted), None))
        said = left_html(session.outcomes)
        return {**self._result(session), self._tab.progress: said, self._tab.detail: ""}

    def consult(self, session: EvaluateSession) -> Updates:
        """Grey the means of metrics that the labels do not let decide."""
        labels = labels_of(session.outcomes)
        if labels == session.consulted_for or not has_both_classes(session.outcomes):
            return {self._tab.result: gr.update()}
        try:
            table = self._sandbox.trust([outcome.run.id for outcome in session.outcomes])
        except SandboxError:
            return {self._tab.result: gr.update()}  # the Trust tab says what is wrong
        session.doubts, session.consulted_for = untrusted(table), labels
        return {self._tab.result: result_html(session.outcomes, session.doubts)}

    def look(self, session: EvaluateSession, event: gr.EventData) -> Updates:
        """Open what a number or a mark stands for."""
        outcome = session.run(str(getattr(event, "run", "")))
        if outcome is None:
            return {self._tab.detail: ""}
        html = detail_html(
            outcome,
            show=str(getattr(event, "click", "")),
            metric=str(getattr(event, "metric", "")),
            case=str(getattr(event, "case", "")),
        )
        return {self._tab.detail: html}

    def _unchanged(self) -> Updates:
        """What leaves everything as it is; Gradio takes an empty answer for an error."""
        return {self._tab.progress: gr.update()}

    def _begin(
        self, session: EvaluateSession, work: Literal["plan", "evaluate", "resume"]
    ) -> Updates:
        if session.work:
            return self._unchanged()
        session.work, session.stop_requested = work, False
        return {
            **self._buttons(session),
            self._tab.progress: sentence_html("waiting until the models are free"),
            self._tab.detail: "",
        }

    def _work(self, session: EvaluateSession, values: Values) -> Generator[Updates, None, str]:
        """The work, and what is said at its end."""
        if session.work == "resume":
            return (yield from self._resume(session))
        corpus = yield from self._corpus(session, values[self._tab.corpus] or "")
        if corpus is None:
            return sentence_html("cancelled")
        experiment = self._form.experiment(values, corpus)
        if session.work == "plan":
            planning = self._sandbox.steps.plan(experiment)
            planned = yield from follow(planning, session, self._draw)
            return plan_html(planned) if planned else sentence_html("cancelled")
        return (yield from self._evaluate(session, experiment, resume=False))

    def _resume(self, session: EvaluateSession) -> Generator[Updates, None, str]:
        """Go on with the shown evaluation."""
        resumed = session.evaluation
        if resumed is None:
            return sentence_html("nothing to resume; press Evaluate", alarming=True)
        named = {label: value for label, value in self._corpora.choices()}
        name = resumed.runs[0].run.corpus
        if name not in named:
            raise CorpusError(f"the corpus {name} is gone; drop its PDFs on the Ask tab first")
        corpus = yield from self._corpus(session, named[name])
        if corpus is None:
            return sentence_html(CANCELLED)
        experiment = Experiment.from_runs([folder.run for folder in resumed.runs], corpus)
        said = yield from self._evaluate(session, experiment, resume=True)
        if session.evaluation and session.evaluation.id != resumed.id:
            return sentence_html("a model has changed since, so it was begun anew", alarming=True)
        return said

    def _evaluate(
        self, session: EvaluateSession, experiment: Experiment, *, resume: bool
    ) -> Generator[Updates, None, str]:
        warnings = warnings_html(self._sandbox.warnings(experiment))
        running = Running(self._sandbox.store, session, self._tab, self._settled, warnings)
        evaluating = self._sandbox.steps.evaluate(experiment, resume=resume)
        runs = yield from follow(evaluating, session, running.draw)
        running.find()
        sentence = sentence_html("finished" if runs else CANCELLED)
        return f"{sentence}{warnings}"

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

    def _draw(self, progress: Progress) -> Updates:
        return {self._tab.progress: progress_html(progress)}

    def _settled(self, session: EvaluateSession) -> Updates:
        choices = [(_label(one), one.id) for one in evaluations(self._sandbox.store)]
        shown = session.evaluation.id if session.evaluation else None
        return {
            self._tab.shown: gr.update(choices=choices, value=shown),
            **self._result(session),
        }

    def _result(self, session: EvaluateSession) -> Updates:
        result = result_html(session.outcomes, session.doubts)
        return {self._tab.result: result, **self._buttons(session)}

    def _buttons(self, session: EvaluateSession) -> Updates:
        busy = bool(session.work)
        unfinished = any(not outcome.summary.finished for outcome in session.outcomes)
        return {
            self._tab.plan: gr.update(interactive=not busy),
            self._tab.evaluate: gr.update(interactive=not busy),
            self._tab.resume: gr.update(visible=unfinished and not busy),
            self._tab.cancel: gr.update(
                value="Cancelling" if session.stop_requested else "Cancel",
                visible=busy,
                interactive=not session.stop_requested,
            ),
        }


def _label(evaluation: Evaluation) -> str:
    run = evaluation.runs[0].run
    size = count(len(evaluation.runs), "configuration")
    return f"{run.started} · {run.test_set} · {size}"
