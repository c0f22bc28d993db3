"""`sandbox report`: runs written up for stakeholders, in one file."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from sandbox.commands.options import (
    RESULTS,
    AcceptOption,
    JsonOption,
    OllamaOption,
    ResultsOption,
    print_json,
    print_lines,
)

RunsArgument = Annotated[
    list[str],
    typer.Argument(
        help='Runs or evaluations by id or its beginning, or "latest"; the first is baseline.'
    ),
]
OutOption = Annotated[Path, typer.Option(help="File to write: .html or .md.")]
LanguageOption = Annotated[
    Literal["en", "zh"], typer.Option(help="Language of the report's own sentences.")
]
QuestionOption = Annotated[
    str, typer.Option(help="The question that the report answers; made from what differs.")
]


def report(
    *,
    runs: RunsArgument,
    out: OutOption,
    language: LanguageOption = "en",
    question: QuestionOption = "",
    accept_suggestions: AcceptOption = False,
    results: ResultsOption = RESULTS,
    ollama: OllamaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write runs up in one self-contained HTML file, or in Markdown."""
    from sandbox.library import Sandbox
    from sandbox.report.writing import ReportOptions, check_target, choose_form, save_report

    check_target(out)
    options = ReportOptions(
        form=choose_form(out),
        language=language,
        question=question,
        accept_suggestions=accept_suggestions,
        file=str(out),
    )
    with Sandbox(results, ollama_url=ollama) as sandbox:
        written = sandbox.report(runs, options)
    size = save_report(written, out)
    warnings = list(written.warnings)
    if as_json:
        document = {"file": str(out), "bytes": size, "runs": list(written.runs)}
        print_json({**document, "warnings": warnings})
    else:
        print_lines([f"{out}: {size:,} bytes, {len(written.runs)} runs"])
        print_lines(f"note: {warning}" for warning in warnings)
