"""`sandbox models` and `sandbox doctor`: what can be chosen, and what is chosen and why."""

from sandbox.commands.options import RESULTS, JsonOption, OllamaOption, ResultsOption, show


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
