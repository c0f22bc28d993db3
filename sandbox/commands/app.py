"""`sandbox app`, and `sandbox models` and `sandbox doctor` for the models that it runs on."""

from typing import Annotated

import typer

from sandbox.commands.options import RESULTS, JsonOption, OllamaOption, ResultsOption, show


def app(
    *,
    port: Annotated[int, typer.Option(help="Port on this machine.")] = 7860,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    browser: Annotated[bool, typer.Option("--browser", help="Open the browser.")] = False,
    results: ResultsOption = RESULTS,
    ollama: OllamaOption = None,
) -> None:
    """Open the app, with a bundled corpus already chosen."""
    from sandbox.library import Sandbox
    from sandbox.ui.app import launch

    with Sandbox(results, ollama_url=ollama) as sandbox:
        launch(
            sandbox.pipeline,
            sandbox.store,
            sandbox.models,
            host=host,
            port=port,
            open_browser=browser,
            announce=lambda address: typer.echo(f"rag-sandbox is at {address}", err=True),
        )


def models(
    *, ollama: OllamaOption = None, results: ResultsOption = RESULTS, as_json: JsonOption = False
) -> None:
    """List the models that can be named in a configuration, by role."""
    from sandbox.commands.output.models import available_to_json, available_to_lines
    from sandbox.library import Sandbox

    with Sandbox(results, ollama_url=ollama) as sandbox:
        available = sandbox.models.available()
    show(as_json, available_to_json, available_to_lines, available)


def doctor(
    *, ollama: OllamaOption = None, results: ResultsOption = RESULTS, as_json: JsonOption = False
) -> None:
    """Say which model plays which role and why, what is missing and how to get it."""
    from sandbox.commands.output.models import health_to_json, health_to_lines
    from sandbox.library import Sandbox

    with Sandbox(results, ollama_url=ollama) as sandbox:
        facts, choices = sandbox.models.facts(), sandbox.models.choices()
    show(as_json, health_to_json, health_to_lines, facts, choices)
