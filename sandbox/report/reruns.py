"""Commands that measure the same again.

A corpus that is not bundled is named as it was shown, since its path is not kept; "auto" stands for
the models of the machine that runs the command.
"""

import shlex
from collections.abc import Mapping, Sequence

from sandbox.config import PRESETS, Config
from sandbox.evaluation.runs.records import Run


def rerun_commands(runs: Sequence[Run]) -> list[str]:
    """`sandbox evaluate` for each group of runs that one command can make."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for run in runs:
        name, changes = _nearest_preset(run.configuration, run.config)
        options = ["--limit", str(len(run.cases)), *_options(run), *changes]
        groups.setdefault((run.corpus, run.test_set, *options), []).append(name)
    return [
        _command(corpus, test_set, names, options)
        for (corpus, test_set, *options), names in groups.items()
    ]


def evaluate_command(run: Run, config: Config) -> str:
    """`sandbox evaluate` for another configuration on the corpus, test set and metrics of a run."""
    name, changes = _nearest_preset(config.name, config.to_dict())
    return _command(run.corpus, run.test_set, [name], [*changes, *_options(run)])


def _command(corpus: str, test_set: str, names: Sequence[str], options: Sequence[str]) -> str:
    words = ["sandbox", "evaluate", "--corpus", corpus, "--testset", test_set]
    return shlex.join([*words, "--configs", ",".join(names), *options])


def _options(run: Run) -> list[str]:
    options = ["--metrics", ",".join(run.metrics)] if run.metrics else []
    return [*options, *run.judging.options]


def _nearest_preset(name: str, settings: Mapping[str, object]) -> tuple[str, list[str]]:
    """The preset a configuration is named after, else the nearest, and options for what differs.

    Settings that this version does not know are left out.
    """
    base = PRESETS.get(name.split("+")[0])
    changes = {}
    for preset in [base] if base else PRESETS.values():
        preset_settings = preset.to_dict()
        changes[preset.name] = [
            word
            for name, value in settings.items()
            if name != "name" and name in preset_settings and preset_settings[name] != value
            for word in ("--set", f"{name}={value}")
        ]
    return min(changes.items(), key=lambda item: len(item[1]))
