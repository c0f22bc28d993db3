"""Where the numbers come from: configurations, digests, models, versions, and commands to rerun.

Paths on this machine appear in the commands only.
"""

import shlex
from collections.abc import Mapping, Sequence

from sandbox.config import PRESETS, Config
from sandbox.evaluation.comparison.factors import settings_of
from sandbox.evaluation.runs.folder import CHATTED
from sandbox.evaluation.runs.records import Run
from sandbox.report.blocks import Block, Command, Points, Row, Section, Table, TableCell, Text
from sandbox.report.material import Material
from sandbox.report.translator import Translator

DIGEST_CHARACTERS = 12


def describe_provenance(material: Material, say: Translator) -> Section:
    """One row a fact; where runs differ, each says its own."""
    runs = [run.record for run in material.runs]
    facts = {material.names[run.id]: _facts(run, say) for run in runs}
    names = list(dict.fromkeys(name for row in facts.values() for name in row))
    rows = [
        Row([TableCell(name, kind="strong"), TableCell(_value(name, facts, say), kind="text")])
        for name in names
    ]
    blocks: list[Block] = [Table(head=[say("what"), say("value")], rows=rows)]
    return Section(id="provenance", title=say("Versions and digests"), blocks=blocks)


def describe_rerun(material: Material, say: Translator) -> Section:
    """The commands that measure, and tell, the same again."""
    runs = [run.record for run in material.runs if run.record.evaluation != CHATTED]
    blocks: list[Block] = []
    if runs:
        blocks.append(Command(list(dict.fromkeys(rerun_commands(runs)))))
        note = say(
            "A document that does not come with rag-sandbox is named by its path instead. Settings"
            " that are auto stood for the models above."
        )
        blocks.append(Text(note, kind="note"))
    if len(runs) < len(material.runs):
        blocks.append(Text(say("Answers collected while chatting cannot be measured again.")))
    if any(run.judging.rubric for run in runs):
        blocks.append(Text(say("The token judge was shown graded examples (--rubric FILE).")))
    ids = [run.record.id for run in material.runs]
    blocks += [
        Text(say("This report from the runs as they are:")),
        Command([shlex.join(["sandbox", "report", *ids, *material.options])]),
    ]
    return Section(id="again", title=say("Run it again"), blocks=blocks)


def _facts(run: Run, say: Translator) -> dict[str, str]:
    return {
        say("run"): run.id,
        say("made"): run.created,
        say("corpus"): _with_digest(run.corpus, run.corpus_digest),
        say("test set"): _with_digest(run.test_set, run.test_set_digest),
        say("judge"): _with_digest(run.judge, run.judging.digest) if run.judge else say("none"),
        **{say.name(role): model for role, model in run.models.items()},
        **run.environment,
    }


def _with_digest(name: str, digest: str) -> str:
    return f"{name} ({digest[:DIGEST_CHARACTERS]})" if digest else name


def _value(name: str, facts: Mapping[str, Mapping[str, str]], say: Translator) -> str:
    values = {run: row.get(name, "–") for run, row in facts.items()}
    if len(set(values.values())) == 1:
        return next(iter(values.values()))
    return "; ".join(f"{run}: {value}" for run, value in values.items())


SHOWN_CHARACTERS = 200
"""A prompt of one's own may be long; the run keeps all of it."""


def describe_configurations(material: Material, say: Translator) -> Section:
    """The factor table, then the settings that are the same everywhere."""
    settings = {run.name: settings_of(run.record) for run in material.runs}
    first, *further = settings.values()
    different = [
        name for name in first if any(str(row[name]) != str(first[name]) for row in further)
    ]
    blocks: list[Block] = []
    if different:
        rows = [
            Row([TableCell(name), *(TableCell(_short(row[name])) for row in settings.values())])
            for name in different
        ]
        blocks.append(Table(head=[say("setting"), *settings], rows=rows))
    elif further:
        blocks.append(Text(say("No setting differs between these runs.")))
    same = [f"{name} = {_short(first[name])}" for name in first if name not in different]
    if same:
        listed = say.join(same)
        sentence = (
            say("The same in all: {0}.", listed) if further else say("Settings: {0}.", listed)
        )
        blocks.append(Text(sentence, kind="note"))
    blocks += _list_notes(material, say)
    return Section(id="configurations", title=say("Configurations"), blocks=blocks)


def _list_notes(material: Material, say: Translator) -> list[Block]:
    notes = [
        say("Note on {0}: {1}", run.name, run.about.note) for run in material.runs if run.about.note
    ]
    return [Points(notes)] if notes else []


def _short(value: object) -> str:
    text = "–" if value in (None, "") else str(value)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[: SHOWN_CHARACTERS - 1]}…"


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
