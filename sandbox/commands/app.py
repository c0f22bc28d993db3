"""`sandbox app`: the app in the browser."""

from typing import Annotated

import typer

from sandbox.commands.options import RESULTS, OllamaOption, ResultsOption


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
