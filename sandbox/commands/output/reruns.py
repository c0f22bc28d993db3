"""The command that evaluates a configuration on the cases of a run.

Leaves out the models on this machine: what "auto" stands for is theirs.
"""

import shlex

from sandbox.config import PRESETS, Config
from sandbox.evaluation.comparison.factors import SETTINGS, config_of
from sandbox.evaluation.runs.records import Run


def evaluate_command(run: Run, config: Config | None = None) -> str:
    """The command that evaluates a configuration as a run was; its own configuration for ``None``.

    Empty if this version cannot make the run's configuration. A corpus that is no bundled one is
    named as it was shown: its path is not kept.
    """
    wanted = config or config_of(run)
    if wanted is None:
        return ""
    name, changes = min(
        ((preset.name, _changes(preset, wanted)) for preset in PRESETS.values()),
        key=lambda found: len(found[1]),
    )
    words = ["sandbox", "evaluate", "--corpus", run.corpus, "--testset", run.test_set]
    words += ["--configs", name]
    for change in changes:
        words += ["--set", change]
    words += ["--metrics", ",".join(run.metrics)] if run.metrics else []
    words += ["--judge", run.judge] if run.judge else []
    words += ["--judgements", str(run.judgements)] if run.judgements > 1 else []
    return shlex.join(words)


def _changes(preset: Config, wanted: Config) -> list[str]:
    return [
        f"{name}={getattr(wanted, name)}"
        for name in SETTINGS
        if getattr(wanted, name) != getattr(preset, name)
    ]
