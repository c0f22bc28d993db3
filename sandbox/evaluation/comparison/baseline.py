"""A baseline: the results of a run in one file that stands in a repository.

It holds means, the value of every case and which metrics were trusted, so that a check needs
neither labels nor the run itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean

from sandbox.errors import SandboxError
from sandbox.evaluation.comparison.differences import is_trusted, trust_of
from sandbox.evaluation.metrics.catalog import LOWER_IS_BETTER
from sandbox.evaluation.runs.folder import RunFolder, list_evaluation
from sandbox.evaluation.runs.read import read_run
from sandbox.evaluation.runs.records import JUDGED, Family
from sandbox.evaluation.trust.cells import collect_cells
from sandbox.evaluation.trust.table import build_trust_table
from sandbox.files.json_lines import cannot_write
from sandbox.files.storage import from_json, to_json, write_text

BASELINE_FORMAT = 1
LARGEST_FILE = 64 * 1024**2


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineMetric:
    """One metric of the run."""

    family: Family
    lower_is_better: bool
    trusted: bool
    trust: str
    """What the trust table says of the metric, with its reason."""

    mean: float
    n: int
    """Cases with a score."""

    values: Mapping[str, float]
    """By id of the case."""

    @property
    def decides(self) -> bool:
        """True if a run must hold it: it is trusted, or ranks pages, which needs no labels."""
        return self.trusted or self.family == "ranking"

    @property
    def is_judged(self) -> bool:
        """True if a judge scored it."""
        return self.family in JUDGED


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The results of a run, as a later run must hold them."""

    run: str
    configuration: str
    corpus: str
    corpus_digest: str
    test_set: str
    test_set_digest: str
    judge: str
    judge_digest: str
    models: Mapping[str, str]
    metrics: Mapping[str, BaselineMetric]
    created: str
    """When it was saved: ISO 8601, UTC."""

    format: int = BASELINE_FORMAT

    @property
    def deciding(self) -> Mapping[str, BaselineMetric]:
        """The metrics that a run must hold."""
        return {name: metric for name, metric in self.metrics.items() if metric.decides}


def baseline_of(folder: RunFolder, *, labelled: Sequence[RunFolder] = ()) -> Baseline:
    """The baseline that a finished run makes.

    Args:
        folder: The run.
        labelled: Further runs whose labels count for which metrics are trusted, besides those of
            the evaluation that the run belongs to.

    Raises:
        SandboxError: If the run is not finished.
    """
    require_finished(folder)
    folders = {run.folder.resolve(): run for run in (*list_evaluation(folder), *labelled)}
    views = {path: read_run(run) for path, run in folders.items()}
    table = build_trust_table(collect_cells(list(views.values())))
    run = views[folder.folder.resolve()]
    metrics = {}
    for name in run.metrics:
        values = run.values_of(name)
        if not values:
            continue
        row = trust_of(name, run, table)
        metrics[name] = BaselineMetric(
            family=next(iter(run.scores_of(name).values())).family,
            lower_is_better=name in LOWER_IS_BETTER,
            trusted=is_trusted(row, table),
            trust=f"{row.trust}: {row.reason}" if row else "not in the trust table",
            mean=fmean(values.values()),
            n=len(values),
            values=values,
        )
    return Baseline(
        run=folder.run.id,
        configuration=folder.run.configuration,
        corpus=folder.run.corpus,
        corpus_digest=folder.run.corpus_digest,
        test_set=folder.run.test_set,
        test_set_digest=folder.run.test_set_digest,
        judge=folder.run.judge,
        judge_digest=folder.run.judging.digest,
        models=dict(folder.run.models),
        metrics=metrics,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def require_finished(folder: RunFolder) -> None:
    """Refuse a run that still lacks answers or scores.

    Raises:
        SandboxError: If it does.
    """
    if not folder.is_finished():
        raise SandboxError(
            f"the run {folder.run.id} is not finished; go on with: sandbox evaluate --resume"
        )


def save_baseline(baseline: Baseline, path: Path) -> None:
    """Write it.

    Raises:
        SandboxError: If it cannot be written.
    """
    try:
        write_text(path, to_json(baseline) + "\n")
        path.chmod(0o644)
    except OSError as error:
        raise cannot_write(path, error) from error


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file.

    Raises:
        SandboxError: If there is none, or it is of a newer version.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise SandboxError(f"{path} is too large for a baseline")
        baseline = from_json(Baseline, path.read_bytes())
    except FileNotFoundError as error:
        raise SandboxError(
            f"there is no baseline at {path}; make one with: sandbox check RUN --save-baseline"
            f" {path}"
        ) from error
    except OSError as error:
        raise SandboxError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise SandboxError(f"{path} is no baseline that this version can read") from error
    if baseline.format > BASELINE_FORMAT:
        raise SandboxError(
            f"{path} has format {baseline.format}, this version reads up to {BASELINE_FORMAT};"
            " install a newer rag-sandbox"
        )
    return baseline
