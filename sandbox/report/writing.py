"""Runs written up for stakeholders: as one HTML file that loads nothing, or as Markdown."""

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from markupsafe import Markup

from sandbox.errors import ConfigError, SandboxError
from sandbox.evaluation.runs.folder import RunFolder
from sandbox.files.storage import Store, write_text
from sandbox.markup.formats import readable
from sandbox.markup.templates import render
from sandbox.report.blocks import (
    Block,
    Columns,
    Command,
    Folded,
    Pictures,
    Plot,
    Points,
    Row,
    Section,
    Story,
    Table,
    TableCell,
    Text,
)
from sandbox.report.evidence import Album, describe_questions
from sandbox.report.findings import describe_costs, describe_diagnosis, describe_slices
from sandbox.report.material import Material, gather
from sandbox.report.matrix import describe_right_and_wrong
from sandbox.report.opening import choose_question, conclude, describe_missing, list_missing
from sandbox.report.pairs import describe_comparison
from sandbox.report.provenance import describe_configurations, describe_provenance, describe_rerun
from sandbox.report.translator import Language, Translator
from sandbox.report.trust import describe_means, describe_trust

ReportForm = Literal["html", "markdown"]
ENDINGS: dict[str, ReportForm] = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """How a report is written."""

    form: ReportForm = "html"
    language: Language = "en"
    question: str = ""
    """What the reader wants to know; made from what differs where it is empty."""

    accept_suggestions: bool = False
    """Count what accepted answers suggest where nobody labelled."""

    file: str = ""
    """Where it will be written, for the command that writes it again."""

    def __post_init__(self) -> None:
        """Check the language.

        Raises:
            ConfigError: If it is neither.
        """
        if self.language not in ("en", "zh"):
            raise ConfigError(f"a report is written in en or zh, not {self.language!r}")


USUAL = ReportOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report, ready to be shown or saved."""

    text: str
    """HTML or Markdown."""

    runs: tuple[str, ...]
    """Ids of the runs it tells of."""

    warnings: tuple[str, ...]
    """What it lacks, in sentences of its language."""

    @property
    def content(self) -> bytes:
        """As it stands in a file."""
        return self.text.encode("utf-8")


def write_report(
    store: Store, folders: Sequence[RunFolder], options: ReportOptions = USUAL
) -> Report:
    """Write up runs, the one to compare with first.

    Raises:
        SandboxError: If a run cannot be read.
    """
    say = Translator(options.language)
    material = gather(
        folders,
        store,
        question=options.question,
        accept_suggestions=options.accept_suggestions,
        options=_command_options(options, store),
    )
    album = Album(store=store, say=say, is_enabled=options.form == "html")
    story = outline(material, album, say)
    return Report(
        text=write_html(story) if options.form == "html" else write_markdown(story),
        runs=tuple(folder.run.id for folder in folders),
        warnings=(*list_missing(material, say), *story.warnings),
    )


def choose_form(path: Path) -> ReportForm:
    """HTML or Markdown, by the ending of a file's name.

    Raises:
        ConfigError: If it has another ending.
    """
    form = ENDINGS.get(path.suffix.lower())
    if form is None:
        raise ConfigError(f"{path} must end in .html or .md, so that it is clear what to write")
    return form


def check_target(path: Path) -> None:
    """Refuse a place where no file can be written.

    Raises:
        SandboxError: If it is a folder.
    """
    if path.is_dir():
        raise SandboxError(f"{path} is a folder; name a file, such as {path / 'report.html'}")


def save_report(report: Report, path: Path) -> int:
    """Write it, whole or not at all; a file that is there is replaced.

    Returns:
        Its size in bytes.

    Raises:
        SandboxError: If it cannot be written.
    """
    check_target(path)
    try:
        write_text(path, report.text)
        path.chmod(0o644)
    except OSError as error:
        raise SandboxError(
            f"{path} cannot be written: {error.strerror or error}; choose another place with --out"
        ) from error
    return len(report.content)


def _command_options(options: ReportOptions, store: Store) -> list[str]:
    ending = ".html" if options.form == "html" else ".md"
    words = ["--out", options.file or f"report{ending}"]
    if options.language != "en":
        words += ["--language", options.language]
    if options.question:
        words += ["--question", options.question]
    if options.accept_suggestions:
        words.append("--accept-suggestions")
    if str(store.results) != "results":
        words += ["--results", str(store.results)]
    return words


def outline(material: Material, album: Album, say: Translator) -> Story:
    """The report from its question to the command that runs everything again."""
    sections: list[Section | None] = [
        describe_missing(material, say),
        describe_configurations(material, say),
        describe_right_and_wrong(material, say),
        describe_comparison(material, say),
        describe_trust(material, say),
        describe_means(material, say),
        describe_diagnosis(material, say),
        describe_slices(material, say),
        describe_costs(material, say),
        describe_questions(material, album, say),
        describe_provenance(material, say),
        describe_rerun(material, say),
    ]
    runs = [run.record for run in material.runs]
    corpora = say.join(list(dict.fromkeys(run.corpus for run in runs)))
    return Story(
        language=say.html_language,
        title=say("Evaluation of RAG on {0}", corpora),
        question=choose_question(material, say),
        verdict=conclude(material, say),
        facts=_facts(material, say),
        sections=[section for section in sections if section is not None],
        contents=say("Contents"),
        footer=say(
            "Made with rag-sandbox on {0}. Nothing here is loaded from elsewhere.", _made(material)
        ),
        warnings=album.warnings(),
    )


def _facts(material: Material, say: Translator) -> list[str]:
    runs = [run.record for run in material.runs]
    judges = list(dict.fromkeys(run.judge for run in runs if run.judge))
    models = list(
        dict.fromkeys(run.models["chat_model"] for run in runs if "chat_model" in run.models)
    )
    people = {
        label.labeller
        for run in material.runs
        for cell in run.view.cells.values()
        for label in cell.labels
        if label.source == "person"
    }
    return [
        say("{0} configurations", len(runs)) if len(runs) > 1 else runs[0].configuration,
        say.plural("{0} question", "{0} questions", len(material.cases)),
        say("test set {0}", say.join(list(dict.fromkeys(run.test_set for run in runs)))),
        *([say("answered by {0}", say.join(models))] if models else []),
        say("judged by {0}", say.join(judges)) if judges else say("no judge"),
        say("labelled by {0}", say.join(sorted(people))) if people else say("no person's label"),
    ]


def _made(material: Material) -> str:
    return material.made.replace("T", " ")[:16]


def write_html(story: Story) -> str:
    """Write a whole report as HTML."""
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    return render("report/page.html", story=story, style=Markup(style), breakable=_breakable)


def _breakable(text: str) -> Markup:
    """Long names of configurations and metrics may break where their parts join."""
    return Markup("<wbr>").join(re.split("(?<=[+_])", readable(text)))


_SPECIAL = re.compile(r"[\\`*\[\]#|~$]|(?<!\w)_|_(?!\w)|:(?=[\w+-]+:)|^[-+=](?=[\s=-])")
_NUMBERED = re.compile(r"^(\d+)([.)])(?=\s|$)")
"""What would begin a numbered list."""


def write_markdown(story: Story) -> str:
    """Write a whole report as Markdown."""
    parts = [
        f"# {_line(story.question)}",
        f"*{_line(story.title)}*",
        *(f"**{_line(sentence)}**" for sentence in story.verdict),
        _line(" · ".join(story.facts)),
        *(f"> {_line(warning)}" for warning in story.warnings),
    ]
    for section in story.sections:
        parts += [f"## {_line(section.title)}", *_blocks(section.blocks)]
    return "\n\n".join([*parts, "---", _line(story.footer)]) + "\n"


def escape_markdown(text: str) -> str:
    r"""The text so that Markdown shows it literally, on one line.

    >>> escape_markdown("a|b `c`\n<d>")
    'a\\|b \\`c\\`<br>&lt;d&gt;'
    """
    lines = html.escape(readable(text), quote=False).splitlines()
    return "<br>".join(_escape_line(line.strip()) for line in lines if line.strip())


def _escape_line(line: str) -> str:
    return _NUMBERED.sub(r"\1\\\2", _SPECIAL.sub(lambda match: f"\\{match[0]}", line))


_line = escape_markdown


def _blocks(blocks: Sequence[Block]) -> list[str]:
    return [written for block in blocks if (written := _WRITERS[type(block)](block))]


def _text(block: Text) -> str:
    line = _line(block.text)
    return {
        "heading": f"### {line}",
        "lead": f"**{line}**",
        "note": f"<sub>{line}</sub>",
        "warning": f"> {line}",
        "quote": f"> {line}",
    }.get(block.kind, line)


def _points(block: Points) -> str:
    return "\n".join(f"- {_line(point)}" for point in block.points)


def _table(block: Table) -> str:
    places = [place for place, name in enumerate(block.head) if not _is_drawn(block, place)]
    head = "| " + " | ".join(_line(block.head[place]) or " " for place in places) + " |"
    rule = "|" + "---|" * len(places)
    return "\n".join([head, rule, *(_row(row, places) for row in block.rows)])


def _is_drawn(block: Table, place: int) -> bool:
    """True for a column that holds nothing but plots."""
    cells = [row.cells[place] for row in block.rows]
    return not block.head[place] and all(not cell.text and not cell.note for cell in cells)


def _row(row: Row, places: Sequence[int]) -> str:
    return "| " + " | ".join(_cell(row.cells[place]) or " " for place in places) + " |"


def _cell(cell: TableCell) -> str:
    text = _line(cell.text)
    if cell.suggested and text:
        text = f"({text})"
    note = f"<sub>{_line(cell.note)}</sub>" if cell.note else ""
    return "<br>".join(filter(None, [text, note]))


def _nothing(block: Plot | Pictures) -> str:
    return ""


def _command(block: Command) -> str:
    """Fenced by more backticks than any line holds."""
    text = readable("\n".join(block.lines))
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}bash\n{text}\n{fence}"


def _folded(block: Folded) -> str:
    if block.drawn:
        return ""
    marks = " ".join(f"({mark.text})" if mark.suggested else mark.text for mark in block.marks)
    summary = html.escape(readable(" ".join(filter(None, [block.label, block.summary, marks]))))
    inside = "\n\n".join(_blocks(block.blocks))
    one_line = " ".join(summary.split())
    return f"<details><summary>{one_line}</summary>\n\n{inside}\n\n</details>"


def _columns(block: Columns) -> str:
    """Below each other: answers are too long for the columns of a table."""
    parts = []
    for column in block.columns:
        mark = f"{_cell(column.mark)} " if column.mark else ""
        parts += [f"**{mark}{_line(column.title)}**", *_blocks(column.blocks)]
    return "\n\n".join(parts)


_WRITERS: dict[type, Callable[[Any], str]] = {
    Text: _text,
    Points: _points,
    Table: _table,
    Plot: _nothing,
    Pictures: _nothing,
    Command: _command,
    Folded: _folded,
    Columns: _columns,
}
