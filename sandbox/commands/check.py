"""`sandbox check`: whether a run still holds a baseline; exit status 1 where it does not."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from sandbox.commands.options import (
    RESULTS,
    JsonOption,
    ResultsOption,
    print_json,
    print_lines,
    say,
)


class RuleName(StrEnum):
    """How a metric is held to its baseline."""

    share = "share"
    significant = "significant"


def check(
    run: Annotated[str, typer.Argument(help='A run, the beginning of one, or "latest".')],
    *,
    config: Annotated[
        str, typer.Option(help="Of an evaluation's runs, the one of this configuration.")
    ] = "",
    baseline: Annotated[
        Path | None, typer.Option(help="What the run must hold, saved before.")
    ] = None,
    rule: Annotated[
        RuleName,
        typer.Option(help="share: of the baseline's mean; significant: not worse beyond chance."),
    ] = RuleName.share,
    share: Annotated[float, typer.Option(help="Share of the baseline that must be held.")] = 0.9,
    junit: Annotated[Path | None, typer.Option(help="Also write the outcome as JUnit XML.")] = None,
    save_to: Annotated[
        Path | None,
        typer.Option("--save-baseline", help="Save the run as baseline, if it passes."),
    ] = None,
    trust_from: Annotated[
        list[str] | None,
        typer.Option(help="When saving, runs whose labels also say what is trusted; repeatable."),
    ] = None,
    results: ResultsOption = RESULTS,
    as_json: JsonOption = False,
) -> None:
    """Hold a run to a baseline: trusted metrics and ranking metrics, case by case."""
    from sandbox.commands.output import gate
    from sandbox.library import Sandbox

    if baseline is None and save_to is None:
        raise typer.BadParameter("name a --baseline to hold, or save one with --save-baseline")
    sandbox = Sandbox(results)
    result = None
    if baseline is not None:
        result = sandbox.check(run, baseline, config=config, rule=rule.value, share=share)
        if as_json:
            print_json(gate.document(result))
        else:
            print_lines(gate.lines(result))
        if junit is not None:
            gate.write_junit(result, junit)
    if result is not None and not result.passed:
        raise typer.Exit(1)
    if save_to is not None:
        saved = sandbox.save_baseline(run, save_to, config=config, trust_from=trust_from or ())
        said = f"saved {saved.run} in {save_to}; it will hold {', '.join(saved.deciding)}"
        if not saved.deciding:
            said = (
                f"saved {saved.run} in {save_to}, but nothing in it may decide; label answers,"
                " or evaluate with --metrics ranking"
            )
        if as_json and result is None:
            print_json({"saved": str(save_to), "run": saved.run, "deciding": list(saved.deciding)})
        else:
            say([said])
