"""`sandbox check`: whether a run still holds a baseline; exit status 1 where it does not."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from sandbox.commands.options import (
    RESULTS,
    JsonOption,
    ResultsOption,
    print_json,
    print_notes,
    show,
)


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
        Literal["share", "significant"],
        typer.Option(help="share: of the baseline's mean; significant: not worse beyond chance."),
    ] = "share",
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
    if baseline is not None:
        result = sandbox.check(run, baseline, config=config, rule=rule, share=share)
        show(as_json, gate.to_json, gate.to_lines, result)
        if junit is not None:
            gate.write_junit(result, junit)
        if not result.passed:
            raise typer.Exit(1)
    if save_to is not None:
        saved = sandbox.save_baseline(run, save_to, config=config, trust_from=trust_from or ())
        if as_json and baseline is None:
            deciding = list(map(str, saved.deciding))
            print_json({"saved": str(save_to), "run": saved.run, "deciding": deciding})
        else:
            print_notes([gate.saved_line(saved, save_to)])
