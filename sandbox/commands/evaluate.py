"""`sandbox evaluate`: configurations on a test set, measured."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandbox.commands.options import (
    RESULTS,
    HoldoutOption,
    JsonOption,
    JudgeOption,
    OllamaOption,
    ResultsOption,
    SetOption,
    print_notes,
    read_config,
    show,
    split_names,
)
from sandbox.config import PRESETS
from sandbox.errors import SandboxError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sandbox.evaluation.runs.read import RunSummary
    from sandbox.experiments.experiment import Experiment
    from sandbox.library import Sandbox

ALL_PRESETS = ",".join(PRESETS)

CorpusOption = Annotated[str, typer.Option(help="Bundled corpus, folder or PDF.")]
TestsetOption = Annotated[
    str, typer.Option(help="Test set file, or a bundled one; the corpus's own if left out.")
]
ConfigsOption = Annotated[str, typer.Option(help="Configurations, with commas between them.")]
MetricsOption = Annotated[
    str, typer.Option(help="Families (ranking, no-judge, token-judge, ragas) and names of metrics.")
]
JudgementsOption = Annotated[
    int, typer.Option(help="Judge so often, by sampling; the median counts, the spread stays.")
]
RubricOption = Annotated[
    Path | None,
    typer.Option(help="Graded examples (.jsonl or .csv) that the token judge sees first."),
]
LimitOption = Annotated[int | None, typer.Option(help="Take so many cases, the first ones.")]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Go on with the newest unfinished run of this plan.")
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Say what it would cost, and answer nothing.")
]


def evaluate(
    *,
    corpus: CorpusOption,
    testset: TestsetOption = "",
    configs: ConfigsOption = ALL_PRESETS,
    changes: SetOption = None,
    metrics: MetricsOption = "ranking,no-judge",
    judge: JudgeOption = "auto",
    judgements: JudgementsOption = 1,
    rubric: RubricOption = None,
    limit: LimitOption = None,
    resume: ResumeOption = False,
    dry_run: DryRunOption = False,
    show_holdout: HoldoutOption = False,
    results: ResultsOption = RESULTS,
    ollama: OllamaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a test set under several configurations and score every answer."""
    from sandbox.commands.output import evaluations, terminal
    from sandbox.evaluation.labelling.files import read_rubric
    from sandbox.evaluation.runs.records import Judging
    from sandbox.experiments.experiment import Experiment
    from sandbox.library import Sandbox

    chosen = tuple(read_config(name, changes) for name in split_names(configs))
    examples = read_rubric(rubric) if rubric else ()
    with Sandbox(results, ollama_url=ollama) as sandbox:
        cases = sandbox.test_set(testset or corpus, show_holdout=show_holdout)
        report = terminal.watch(sandbox.steps.read(corpus))
        print_notes(f"refused: {refused.reason}" for refused in report.refused)
        experiment = Experiment(
            corpus=report.as_corpus(corpus),
            test_set=testset or corpus,
            cases=cases,
            configs=chosen,
            metrics=split_names(metrics),
            judging=Judging(model=judge, judgements=judgements, rubric=examples),
            limit=limit,
        )
        if dry_run:
            plan = terminal.watch(sandbox.steps.plan(experiment, resume=resume))
            show(as_json, evaluations.plan_to_json, evaluations.plan_to_lines, plan)
            return
        summaries = _measure(sandbox, experiment, resume=resume)
    show(as_json, evaluations.runs_to_json, evaluations.runs_to_lines, summaries)


def _measure(
    sandbox: "Sandbox", experiment: "Experiment", *, resume: bool
) -> "Sequence[RunSummary]":
    from sandbox.commands.output import terminal
    from sandbox.evaluation.runs.read import read_runs

    try:
        runs = terminal.watch(sandbox.steps.evaluate(experiment, resume=resume))
    except (SandboxError, KeyboardInterrupt):
        print_notes(["stopped; what is done is kept, the same command with --resume goes on"])
        raise
    return [view.summary for view in read_runs(runs)]
