"""`sandbox models` and `sandbox doctor`: what can be chosen, and what is chosen and why."""

from sandbox.commands.options import (
    RESULTS,
    JsonOption,
    OllamaOption,
    ResultsOption,
    print_json,
    print_lines,
)


def models(
    *, ollama: OllamaOption = None, results: ResultsOption = RESULTS, as_json: JsonOption = False
) -> None:
    """List the models that can be named in a configuration, by role."""
    from sandbox.commands.output import machine, terminal
    from sandbox.library import Sandbox

    with Sandbox(results, ollama_url=ollama) as sandbox:
        available = sandbox.models.available()
    if as_json:
        print_json(machine.available(available))
    else:
        print_lines(terminal.available(available))


def doctor(
    *, ollama: OllamaOption = None, results: ResultsOption = RESULTS, as_json: JsonOption = False
) -> None:
    """Say which model plays which role and why, what is missing and how to get it."""
    from sandbox.commands.output import machine, terminal
    from sandbox.library import Sandbox

    with Sandbox(results, ollama_url=ollama) as sandbox:
        facts, choices = sandbox.models.facts(), sandbox.models.choices()
    if as_json:
        print_json(machine.health(facts, choices))
    else:
        print_lines(terminal.health(facts, choices))
