"""Each run of a comparison by itself: rate of right answers, cost, diagnoses and slices.

Where nobody labelled an answer, the trust table predicts whether it is right. The table holds equal
answers of two runs once, so a cell is found by its answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from sandbox.evaluation.comparison.diagnosis import diagnose, sum_up
from sandbox.evaluation.comparison.differences import is_trusted
from sandbox.evaluation.comparison.records import RIGHT, Diagnosis, PassRate, RunCost, RunFinding
from sandbox.evaluation.comparison.slices import mean_score, slices_of
from sandbox.evaluation.comparison.symptoms import symptoms_of
from sandbox.evaluation.runs.read import RunView
from sandbox.evaluation.stats.rates import LEAST_LABELLED, CorrectedRate, correct_rate, wilson
from sandbox.evaluation.trust.combination import COMBINED
from sandbox.evaluation.trust.records import MetricTrust, TrustTable
from sandbox.records import Answer


def each_run(
    runs: Sequence[RunView],
    cases: Sequence[str],
    table: TrustTable,
    deciding: Sequence[str],
    quality: str,
) -> tuple[RunFinding, ...]:
    """What is found about each run on the cases that all have in common.

    Args:
        runs: The runs.
        cases: Ids of those cases.
        table: Which metrics are trusted.
        deciding: Metrics that may decide.
        quality: One of them, or "right".
    """
    predictor = predictor_of(runs, table)
    diagnoses = _diagnoses(runs, cases, table)
    findings = []
    for position, run in enumerate(runs):
        rate = pass_rate(run, cases, predictor)
        findings.append(
            RunFinding(
                run=run.run.id,
                configuration=run.run.configuration,
                pass_rate=rate,
                cost=cost_of(run, cases),
                quality=rate.rate if quality == RIGHT else mean_score(run, quality, cases),
                on_front=False,
                diagnoses=diagnoses[position],
                sums=sum_up(diagnoses[position]),
                slices=slices_of(run, cases, deciding, quality=quality),
            )
        )
    front = on_front([(finding.quality, finding.cost.seconds) for finding in findings])
    return tuple(
        replace(finding, on_front=is_there)
        for finding, is_there in zip(findings, front, strict=True)
    )


def quality_of(runs: Sequence[RunView], cases: Sequence[str], deciding: Sequence[str]) -> str:
    """The share right where every run has labels, else the first metric that may decide."""
    labelled = all(any(run.cells[case].label is not None for case in cases) for run in runs)
    return RIGHT if labelled or not deciding else deciding[0]


def _diagnoses(
    runs: Sequence[RunView], cases: Sequence[str], table: TrustTable
) -> list[tuple[Diagnosis, ...]]:
    """By run."""
    by_case = [symptoms_of(runs[0].case(id), runs, table) for id in cases]
    return [
        tuple(diagnose(symptoms[position]) for symptoms in by_case) for position in range(len(runs))
    ]


def cells_of(run: RunView, table: TrustTable) -> dict[str, int]:
    """Positions in the table by id of the case, for the cases that were answered."""
    by_answer = {
        (cell.test_set, cell.configuration, cell.case, cell.sample.response): position
        for position, cell in enumerate(table.cells)
        if cell.sample is not None
    }
    asked = run.run.test_set, run.run.configuration
    return {
        case: by_answer[key]
        for case, side in run.cells.items()
        if side.answer is not None and (key := (*asked, case, side.answer.text)) in by_answer
    }


def with_free_scores(run: RunView, table: TrustTable) -> RunView:
    """The run with the scores of trusted baselines that it lacks, such as word overlap."""
    free = [row.metric for row in table.metrics if row.is_baseline and is_trusted(row, table)]
    cells = dict(run.cells)
    for case, position in cells_of(run, table).items():
        scores, own = table.cells[position].scores, cells[case].scores
        lacking = {
            metric.name: replace(scores[metric], seconds=0.0)  # it took no time of the run
            for metric in free
            if metric in scores and metric.name not in own
        }
        cells[case] = replace(cells[case], scores={**own, **lacking})
    return replace(run, cells=cells)


def probabilities_of(run: RunView, table: TrustTable) -> Mapping[str, float]:
    """Of being right by all metrics, by id of the case; empty where they are not combined."""
    if table.combination is None:
        return {}
    probabilities = table.combination.probabilities
    return {
        case: value
        for case, position in cells_of(run, table).items()
        if (value := probabilities[position]) is not None
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictor:
    """What tells right from wrong where nobody labelled, or why there is nothing."""

    name: str = ""
    values: Mapping[tuple[str, str], float] | None = None
    """By run and id of the case; more is better."""

    lack: str = ""

    def of_run(self, run: str) -> dict[str, float]:
        """By id of the case, where that run's answer has a value."""
        return {case: value for (id, case), value in (self.values or {}).items() if id == run}


def predictor_of(runs: Sequence[RunView], table: TrustTable) -> Predictor:
    """The combined probability if it is trusted, else the trusted metric that tells most."""
    rows = [row for row in table.metrics if is_trusted(row, table)]
    if not rows:
        return Predictor(lack="no metric is trusted here, so none may stand in for labels")
    if table.combination is not None and any(row.metric == COMBINED for row in rows):
        values = {
            (run.run.id, case): value
            for run in runs
            for case, value in probabilities_of(run, table).items()
        }
        return Predictor(name=str(COMBINED), values=values)
    best = max(rows, key=lambda row: row.auc or 0.0)
    return Predictor(name=str(best.metric), values=_oriented_scores(best, runs))


def _oriented_scores(row: MetricTrust, runs: Sequence[RunView]) -> dict[tuple[str, str], float]:
    """The metric's scores by run and case, turned so that more is better."""
    sign = -1.0 if row.lower_is_better else 1.0
    return {
        (run.run.id, case): sign * score.value
        for run in runs
        if row.metric.is_of(run.run.judge)
        for (metric, case), score in run.scores.items()
        if metric == row.metric.name and score.value is not None
    }


def pass_rate(run: RunView, cases: Sequence[str], predictor: Predictor) -> PassRate:
    """The share of right answers, from labels and, where only part is labelled, a prediction."""
    cells = [run.cells[case] for case in cases]
    verdicts = [cell.label for cell in cells]
    right, wrong = verdicts.count("right"), verdicts.count("wrong")
    bounds = wilson(right, right + wrong) if right + wrong else None
    corrected, lack = _corrected(run, cases, verdicts, predictor)
    return PassRate(
        right=right,
        wrong=wrong,
        unsure=verdicts.count("unsure"),
        unlabelled=verdicts.count(None),
        suggested=sum(cell.is_suggested and cell.label in ("right", "wrong") for cell in cells),
        rate=right / (right + wrong) if right + wrong else None,
        low=bounds[0] if bounds else None,
        high=bounds[1] if bounds else None,
        corrected=corrected,
        no_correction=lack,
    )


def cost_of(run: RunView, cases: Sequence[str]) -> RunCost:
    """Means over the answers."""
    answers = [answer for case in cases if (answer := run.cells[case].answer) is not None]
    stages = list(dict.fromkeys(stage for answer in answers for stage in answer.seconds))
    timed = [
        answer.seconds.get("retrieve", 0.0) + answer.seconds["answer"]
        for answer in answers
        if "answer" in answer.seconds
    ]
    return RunCost(
        seconds=_mean(timed),
        seconds_by_stage={
            stage: fmean(answer.seconds[stage] for answer in answers if stage in answer.seconds)
            for stage in stages
        },
        prompt_tokens=_mean_tokens(answers, "prompt"),
        answer_tokens=_mean_tokens(answers, "answer"),
        index_seconds=run.run.index_seconds,
    )


def on_front(points: Sequence[tuple[float | None, float | None]]) -> list[bool]:
    """Which points (quality, seconds) no other beats in one without losing in the other.

    >>> on_front([(0.8, 2.0), (0.7, 3.0), (0.6, 1.0), (None, 1.0)])
    [True, False, True, False]
    """
    return [
        quality is not None
        and seconds is not None
        and not any(
            other_quality is not None
            and other_seconds is not None
            and other_quality >= quality
            and other_seconds <= seconds
            and (other_quality, other_seconds) != (quality, seconds)
            for other_quality, other_seconds in points
        )
        for quality, seconds in points
    ]


def _corrected(
    run: RunView, cases: Sequence[str], verdicts: Sequence[str | None], predictor: Predictor
) -> tuple[CorrectedRate | None, str]:
    is_right = {
        case: verdict == "right"
        for case, verdict in zip(cases, verdicts, strict=True)
        if verdict in ("right", "wrong")
    }
    answered = [case for case in cases if run.cells[case].answer is not None]
    rest = [case for case in answered if case not in is_right]
    if lack := _lack(list(is_right), answered, rest, predictor):
        return None, lack
    values = predictor.of_run(run.run.id)
    learned = [values[case] for case in is_right if case in values]
    if not learned or not any(case in values for case in rest):
        return (
            None,
            f"{predictor.name} scored none of the answers to predict, or none to learn from",
        )
    # Any prediction is allowed, so an answer without a score gets the mean of the labelled ones.
    usual = fmean(learned)
    return correct_rate(
        list(is_right.values()),
        [values.get(case, usual) for case in is_right],
        [values.get(case, usual) for case in rest],
        by=predictor.name,
    ), ""


def _lack(
    labelled: Sequence[str], answered: Sequence[str], rest: Sequence[str], predictor: Predictor
) -> str:
    """Why the rate cannot be corrected; empty if nothing is in the way so far."""
    if not answered:
        return "there is no answer yet"
    if not rest:
        return "every answer is labelled, so nothing has to be predicted"
    if predictor.values is None:
        return predictor.lack
    if len(labelled) < LEAST_LABELLED:
        return f"it needs {LEAST_LABELLED} labelled answers of this run; there are {len(labelled)}"
    return ""


def _mean_tokens(answers: Sequence[Answer], kind: str) -> float | None:
    return _mean([answer.tokens[kind] for answer in answers if kind in answer.tokens])


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None
