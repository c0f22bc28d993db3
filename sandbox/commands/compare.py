"""`sandbox compare`: what differs between runs, and whether it matters."""

from typing import Annotated

import typer

from sandbox.commands.options import RESULTS, JsonOption, ResultsOption, print_json, print_lines


def compare(
    runs: Annotated[
        list[str],
        typer.Argument(help='Two or more runs, the baseline first; or an evaluation, or "latest".'),
    ],
    *,
    trust_from: Annotated[
        list[str] | None,
        typer.Option(help="Runs whose labels also say which metrics are trusted; repeatable."),
    ] = None,
    accept_suggestions: Annotated[
        bool,
        typer.Option(
            "--accept-suggestions", help="Where nobody labelled, take what accepted answers say."
        ),
    ] = False,
    results: ResultsOption = RESULTS,
    as_json: JsonOption = False,
) -> None:
    """Compare runs: which factor, which layer, and whether the difference is more than chance."""
    from sandbox.evaluation.comparison.compare import compare_named
    from sandbox.report import comparison, comparison_json
    from sandbox.storage import Store

    found = compare_named(
        Store(results),
        runs,
        labelled=trust_from or (),
        accept_suggestions=accept_suggestions,
    )
    if as_json:
        print_json(comparison_json.document(found))
    else:
        print_lines(comparison.lines(found))
