"""From runs to cells: labels, scores and answers brought together.

Where several people labelled one answer, the majority counts, and a tie is "unsure". Leaves out
statistics, and answers from other systems (imports.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sandbox.evaluation.runs.folder import RunFolder
from sandbox.evaluation.runs.labels import majority
from sandbox.evaluation.runs.outcome import standing
from sandbox.evaluation.runs.records import Cell, Label, MetricKey, Right, Score
from sandbox.evaluation.runs.samples import sample_of
from sandbox.evaluation.runs.self_preference import weights
from sandbox.evaluation.trust.records import CellSet, TrustCell
from sandbox.testsets.cases import TestCase

JUDGED = ("ragas", "token judge")


def cells_of_runs(folders: Sequence[RunFolder], *, accept_suggestions: bool = False) -> CellSet:
    """The cells of some runs, each answer once.

    Runs whose answers are equal and whose judges differ become one set of cells with the scores of
    both, so that the judges are compared on the same labels.

    Args:
        folders: The runs.
        accept_suggestions: Take what the accepted answers suggest where nobody labelled.
    """
    parts: dict[tuple[str, str], list[list[TrustCell]]] = {}
    judges = dict.fromkeys(folder.run.judge for folder in folders if folder.run.judge)
    for folder in folders:
        cells = _cells_of_run(folder, accept_suggestions=accept_suggestions)
        key = (folder.run.test_set, folder.run.configuration)
        judge = folder.run.judge if len(judges) > 1 else ""
        known = parts.get(key, [])
        parts[key] = _joined_with(known, [_named_by_judge(cell, judge) for cell in cells])
    found = [cell for versions in parts.values() for cells in versions for cell in cells]
    said = [warning for folder in folders for warning in _warnings(folder)]
    said += _self_judged(folders)
    suggested = sum(cell.suggested for cell in found)
    if suggested:
        decided = sum(cell.verdict in ("right", "wrong") for cell in found)
        said.append(
            f"{suggested} of {decided} labels are accepted suggestions, which nobody"
            " confirmed; metrics that compare words with the reference rest on the same words"
        )
    return CellSet(cells=tuple(found), warnings=tuple(dict.fromkeys(said)), judges=tuple(judges))


def _cells_of_run(folder: RunFolder, *, accept_suggestions: bool) -> list[TrustCell]:
    answered, labels = folder.cells(), _by_case(folder.labels())
    by_case: dict[str, dict[MetricKey, Score]] = {}
    for (metric, id), score in folder.scores().items():
        by_case.setdefault(id, {})[MetricKey(metric)] = score
    found = []
    for case in folder.run.cases:
        cell = _cell(folder, case, answered.get(case.id), by_case.get(case.id, {}))
        verdict, suggested = _verdict(
            case, answered.get(case.id), labels.get(case.id, []), accept=accept_suggestions
        )
        found.append(replace(cell, verdict=verdict, suggested=suggested))
    return found


def _warnings(folder: RunFolder) -> Iterator[str]:
    run = folder.run
    if not folder.cells():
        yield f"the run {run.id} has no answers yet"
    several = [said for said in _by_case(folder.labels()).values() if len(said) > 1]
    if several:
        ties = sum(_is_tie(said) for said in several)
        yield (
            f"{len(several)} answers of {run.id} have labels of several people; the majority"
            f" counts, and {ties} ties count as unsure"
        )


def _self_judged(folders: Sequence[RunFolder]) -> Iterator[str]:
    """A warning for each judge that judges its own answers."""
    runs: dict[str, list[str]] = {}
    for run in (folder.run for folder in folders):
        if run.judge and weights(run.judge) in map(weights, run.models.values()):
            runs.setdefault(run.judge, []).append(run.id)
    for judge, ids in runs.items():
        where = ids[0] if len(ids) == 1 else f"{len(ids)} runs"
        yield (
            f"{judge} judges its own answers in {where}, which it may prefer"
            " (self-preference); evaluate with another --judge before you trust its scores"
        )


def _is_tie(labels: Sequence[Label]) -> bool:
    said = {label.verdict for label in labels}
    return majority(labels) == "unsure" and {"right", "wrong"} <= said


def _cell(
    folder: RunFolder, case: TestCase, cell: Cell | None, scores: Mapping[MetricKey, Score]
) -> TrustCell:
    run = folder.run
    answer = cell.answer if cell else None
    top_k = run.config.get("top_k")
    id = f"{run.id}/{case.id}"
    return TrustCell(
        run=run.id,
        configuration=run.configuration,
        case=case.id,
        verdict=None,
        scores=scores,
        sample=None if answer is None else sample_of(case, answer, id=id),
        test_set=run.test_set,
        retrieved=tuple(item.chunk.id for item in answer.retrieved) if answer else (),
        top_k=top_k if isinstance(top_k, int) else None,
    )


def _verdict(
    case: TestCase, cell: Cell | None, labels: Sequence[Label], *, accept: bool
) -> tuple[Right | None, bool]:
    """The verdict, and whether it is only suggested; suggestions give way to people's labels."""
    people = [label for label in labels if label.source == "person"]
    if people or labels:
        return majority(people or labels), not people
    if not accept:
        return None, False
    suggestion = standing(case, cell, ()).verdict
    return (suggestion, True) if suggestion in ("right", "wrong") else (None, False)


def _by_case(labels: Sequence[Label]) -> dict[str, list[Label]]:
    found: dict[str, list[Label]] = {}
    for label in labels:
        found.setdefault(label.case, []).append(label)
    return found


def _named_by_judge(cell: TrustCell, judge: str) -> TrustCell:
    if not judge:
        return cell
    scores = {
        MetricKey(metric.name, judge) if score.family in JUDGED else metric: score
        for metric, score in cell.scores.items()
    }
    return replace(cell, scores=scores)


def _joined_with(
    versions: Sequence[list[TrustCell]], cells: list[TrustCell]
) -> list[list[TrustCell]]:
    """The scores joined with those of equal answers; answers that differ stand beside them."""
    answers = [_answer(cell) for cell in cells]
    equal = [[_answer(cell) for cell in known] == answers for known in versions]
    if not any(equal):
        return [*versions, cells]
    place = equal.index(True)
    joined = [_joined(*pair) for pair in zip(versions[place], cells, strict=True)]
    return [*versions[:place], joined, *versions[place + 1 :]]


def _answer(cell: TrustCell) -> tuple[str, str | None]:
    return cell.case, None if cell.sample is None else cell.sample.response


def _joined(cell: TrustCell, other: TrustCell) -> TrustCell:
    scores = {**cell.scores, **other.scores}
    if cell.verdict is None or (cell.suggested and other.verdict and not other.suggested):
        return replace(cell, scores=scores, verdict=other.verdict, suggested=other.suggested)
    agree = other.verdict in (None, cell.verdict) or (other.suggested and not cell.suggested)
    return replace(cell, scores=scores, verdict=cell.verdict if agree else "unsure")
