"""Where the numbers come from: runs, digests, models, versions, and the commands to run it again.

Leaves out paths on this machine, other than what commands need.
"""

import shlex
from collections.abc import Mapping, Sequence

from sandbox.config import PRESETS
from sandbox.evaluation.runs.folder import CHATTED
from sandbox.evaluation.runs.records import Run
from sandbox.report.blocks import Block, Cell, Command, Row, Section, Table, Text
from sandbox.report.material import Material
from sandbox.report.phrases import Speaker

DIGEST_CHARACTERS = 12


def provenance(material: Material, say: Speaker) -> Section:
    """One row a fact; where runs differ, each says its own."""
    runs = [one.run for one in material.runs]
    facts = {material.names[run.id]: _facts(run, say) for run in runs}
    names = list(dict.fromkeys(name for one in facts.values() for name in one))
    rows = [
        Row(
            cells=[Cell(text=name, kind="strong"), Cell(text=_value(name, facts, say), kind="text")]
        )
        for name in names
    ]
    blocks: list[Block] = [Table(head=[say("what"), say("value")], rows=rows)]
    return Section(id="provenance", title=say("Versions and digests"), blocks=blocks)


def again(material: Material, say: Speaker) -> Section:
    """The commands that measure, and tell, the same again."""
    runs = [one.run for one in material.runs if one.run.evaluation != CHATTED]
    blocks: list[Block] = []
    if runs:
        blocks.append(Command(lines=list(dict.fromkeys(evaluation_commands(runs)))))
        note = say(
            "A document that does not come with rag-sandbox is named by its path instead. Settings"
            " that are auto stood for the models above."
        )
        blocks.append(Text(text=note, kind="note"))
    if len(runs) < len(material.runs):
        blocks.append(Text(text=say("Answers collected while chatting cannot be measured again.")))
    if any(run.rubric for run in runs):
        blocks.append(Text(text=say("The token judge was shown graded examples (--rubric FILE).")))
    ids = [one.run.id for one in material.runs]
    blocks += [
        Text(text=say("This report from the runs as they are:")),
        Command(lines=[shlex.join(["sandbox", "report", *ids, *material.options])]),
    ]
    return Section(id="again", title=say("Run it again"), blocks=blocks)


def evaluation_commands(runs: Sequence[Run]) -> list[str]:
    """`sandbox evaluate` for each group of runs that one command can make."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for run in runs:
        base, changes = _preset_and_changes(run)
        options = ["--limit", str(len(run.cases)), "--metrics", ",".join(run.metrics)]
        options += ["--judge", run.judge] if run.judge else []
        options += ["--judgements", str(run.judgements)] if run.judgements > 1 else []
        for name, value in changes.items():
            options += ["--set", f"{name}={value}"]
        groups.setdefault((run.corpus, run.test_set, *options), []).append(base)
    return [
        shlex.join(
            ["sandbox", "evaluate", "--corpus", corpus, "--testset", test_set]
            + ["--configs", ",".join(bases), *options]
        )
        for (corpus, test_set, *options), bases in groups.items()
    ]


def _preset_and_changes(run: Run) -> tuple[str, Mapping[str, object]]:
    """The preset that a configuration started from, and what was changed in it."""
    base = run.configuration.split("+")[0]
    start = PRESETS.get(base) or PRESETS["ctx_k9"]
    settings = start.to_dict()
    changes = {
        name: value
        for name, value in run.config.items()
        if name != "name" and name in settings and settings[name] != value
    }
    return start.name, changes


def _facts(run: Run, say: Speaker) -> dict[str, str]:
    return {
        say("run"): run.id,
        say("made"): run.created,
        say("corpus"): _with_digest(run.corpus, run.corpus_digest),
        say("test set"): _with_digest(run.test_set, run.test_set_digest),
        say("judge"): _with_digest(run.judge, run.judge_digest) if run.judge else say("none"),
        **{say.named(role): model for role, model in run.models.items()},
        **run.environment,
    }


def _with_digest(name: str, digest: str) -> str:
    return f"{name} ({digest[:DIGEST_CHARACTERS]})" if digest else name


def _value(name: str, facts: Mapping[str, Mapping[str, str]], say: Speaker) -> str:
    values = {run: one.get(name, "–") for run, one in facts.items()}
    if len(set(values.values())) == 1:
        return next(iter(values.values()))
    return "; ".join(f"{run}: {value}" for run, value in values.items())
