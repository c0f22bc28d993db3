"""A report as Markdown that GitHub shows: tables, folds, no pictures and no plots.

Everything that a report says is escaped here, so that a pipe, a backtick or a tag in a document
stays what it is.
"""

import html
import re
from collections.abc import Callable, Sequence
from typing import Any

from sandbox.markup.formats import readable
from sandbox.report.blocks import (
    Block,
    Columns,
    Command,
    Folded,
    Pictures,
    Plot,
    Points,
    Row,
    Story,
    Table,
    TableCell,
    Text,
)

_SPECIAL = re.compile(r"[\\`*\[\]#|~$]|(?<!\w)_|_(?!\w)|:(?=[\w+-]+:)|^[-+=](?=[\s=-])")
_NUMBERED = re.compile(r"^(\d+)([.)])(?=\s|$)")
"""What would begin a numbered list."""


def write_markdown(story: Story) -> str:
    """The whole file."""
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
    shown = html.escape(readable(text), quote=False)
    return "<br>".join(_escaped(part.strip()) for part in shown.splitlines() if part.strip())


def _escaped(line: str) -> str:
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
    shown = [place for place, name in enumerate(block.head) if not _is_drawn(block, place)]
    head = "| " + " | ".join(_line(block.head[place]) or " " for place in shown) + " |"
    rule = "|" + "---|" * len(shown)
    return "\n".join([head, rule, *(_row(row, shown) for row in block.rows)])


def _is_drawn(block: Table, place: int) -> bool:
    """True for a column that holds nothing but plots."""
    cells = [row.cells[place] for row in block.rows]
    return not block.head[place] and all(not cell.text and not cell.note for cell in cells)


def _row(row: Row, shown: Sequence[int]) -> str:
    return "| " + " | ".join(_cell(row.cells[place]) or " " for place in shown) + " |"


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
    for one in block.columns:
        mark = f"{_cell(one.mark)} " if one.mark else ""
        parts += [f"**{mark}{_line(one.title)}**", *_blocks(one.blocks)]
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
