"""`sandbox evaluate`: configurations on a test set, measured."""

from pathlib import Path
from typing import Annotated

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


def evaluate(
    *,
    corpus: Annotated[str, typer.Option(help="Bundled corpus, folder or PDF.")],
    testset: Annotated[
        str, typer.Option(help="Test set file, or a bundled one; the corpus's own if left out.")
    ] = "",
    configs: Annotated[
        str, typer.Option(help="Configurations, with commas between them.")
    ] = ",".join(PRESETS),
    changes: SetOption = None,
    metrics: Annotated[
        str,
        typer.Option(help="Families (ranking, no-judge, token-judge, ragas) and names of metrics."),
    ] = "ranking,no-judge",
    judge: JudgeOption = "auto",
    judgements: Annotated[
        int, typer.Option(help="Judge so often, by sampling; the median counts, the spread stays.")
    ] = 1,
    rubric: Annotated[
        Path | None,
        typer.Option(help="Graded examples (.jsonl or .csv) that the token judge sees first."),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Take so many cases, the first ones.")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the newest unfinished run of this plan.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what it would cost, and answer nothing.")
    ] = False,
    show_holdout: HoldoutOption = False,
    results: ResultsOption = RESULTS,
    ollama: OllamaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a test set under several configurations and score every answer."""
    from sandbox.commands.output import evaluations, terminal
    from sandbox.evaluation.labelling.files import read_rubric
    from sandbox.evaluation.runs.read import read_runs
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
        try:
            runs = terminal.watch(sandbox.steps.evaluate(experiment, resume=resume))
        except (SandboxError, KeyboardInterrupt):
            print_notes(["stopped; what is done is kept, the same command with --resume goes on"])
            raise
        summaries = [view.summary for view in read_runs(runs)]
    show(as_json, evaluations.runs_to_json, evaluations.runs_to_lines, summaries)
