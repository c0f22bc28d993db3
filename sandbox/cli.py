"""The command line: `sandbox COMMAND`, each command in a module of sandbox/commands.

Results go to standard output (one JSON document with --json), progress and notes to standard
error. Exit status: 0 done, 1 refused or failed with one sentence, 2 wrong usage.
"""

import logging
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from sandbox.commands.app import app, doctor, models
from sandbox.commands.ask import ask, ingest
from sandbox.commands.compare import check, compare
from sandbox.commands.evaluate import evaluate
from sandbox.commands.label import label
from sandbox.commands.report import report
from sandbox.commands.testset import testset
from sandbox.commands.trust import trust
from sandbox.errors import SandboxError
from sandbox.models.offline import switch_off_connections

command_line = typer.Typer(
    name="sandbox",
    help="Set up RAG on your own PDFs, offline, with every retrieved chunk visible.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

EXAMPLES: dict[Callable[..., None], str] = {
    app: "sandbox app --port 7861",
    ingest: "sandbox ingest report.pdf scans/ --json",
    ask: 'sandbox ask outbreak-zh "民國103年至112年之間，哪一年的麻疹確定病例最多？"',
    evaluate: "sandbox evaluate --corpus outbreak-zh --configs text_k4,ctx_k9 --limit 8",
    label: "sandbox label latest --next 5 --json",
    trust: "sandbox trust latest --json",
    report: "sandbox report latest --out report.html --language zh",
    compare: "sandbox compare 20300101-120000-ab12-text_k4 20300101-120000-ab12-ctx_k9 --json",
    check: "sandbox check latest --config ctx_k9 --baseline results/baseline.json",
    models: "sandbox models --json",
    doctor: "sandbox doctor --json",
}
for command, example in EXAMPLES.items():
    command_line.command(epilog=f"Example: {example}")(command)
command_line.add_typer(testset)


@command_line.callback()
def _common(
    verbose: Annotated[bool, typer.Option("--verbose", help="Log each stage to stderr.")] = False,
) -> None:
    level = logging.INFO if verbose else logging.WARNING
    logging.basicConfig(level=level, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")
    for chatty in ("httpx", "RapidOCR", "faiss", "sentence_transformers"):
        logging.getLogger(chatty).setLevel(logging.ERROR)


def main() -> None:
    """Run a command; an error that a user can mend is one sentence and exit status 1."""
    switch_off_connections()
    try:
        command_line()
    except SandboxError as error:
        typer.echo(f"sandbox: {error}", err=True)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
