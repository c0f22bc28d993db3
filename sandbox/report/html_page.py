"""A report as one HTML file that needs nothing else: no script, no font, no request.

Everything that a report says is escaped here; a policy in the page forbids scripts and requests, in
case a browser sees markup where this module saw none. Leaves out what is told.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sandbox.markup.markup import escape
from sandbox.report.blocks import (
    Block,
    Cell,
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
    Text,
)

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def html_page(story: Story) -> str:
    """The whole file."""
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    sections = "".join(map(_section, story.sections))
    links = "".join(
        f"<li><a href='#{section.id}'>{escape(section.title)}</a></li>"
        for section in story.sections
    )
    verdict = "".join(f"<p>{escape(sentence)}</p>" for sentence in story.verdict)
    return (
        f"<!doctype html>\n<html lang='{story.language}'>\n<head><meta charset='utf-8'>"
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        "<meta name='color-scheme' content='light dark'>"
        f"<title>{escape(story.title)}</title>\n<style>\n{style}</style></head>\n<body>\n"
        f"<header class='top'><p class='kind'>{escape(story.title)}</p>"
        f"<h1 dir='auto'>{escape(story.question)}</h1>"
        f"<div class='verdict'>{verdict}</div>"
        f"<p class='facts'>{escape(' · '.join(story.facts))}</p></header>\n"
        f"<nav aria-label='{escape(story.contents)}'><ul>{links}</ul></nav>\n"
        f"<main>{_warnings(story.warnings)}{sections}</main>\n"
        f"<footer>{escape(story.footer)}</footer>\n</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    title = f"<h2>{escape(section.title)}</h2>"
    return f"<section id='{section.id}'>{title}{_blocks(section.blocks)}</section>\n"


def _blocks(blocks: Sequence[Block]) -> str:
    return "".join(_WRITERS[type(block)](block) for block in blocks)


def _warnings(warnings: Sequence[str]) -> str:
    return "".join(f"<p class='warning'>{escape(warning)}</p>" for warning in warnings)


def _text(block: Text) -> str:
    if block.kind == "heading":
        return f"<h3>{escape(block.text)}</h3>"
    if block.kind == "quote":
        return f"<blockquote dir='auto'>{escape(block.text)}</blockquote>"
    kind = "" if block.kind == "text" else f" class='{block.kind}'"
    return f"<p{kind} dir='auto'>{escape(block.text)}</p>"


def _points(block: Points) -> str:
    items = "".join(f"<li dir='auto'>{escape(point)}</li>" for point in block.points)
    return f"<ul class='points {block.kind}'>{items}</ul>"


def _table(block: Table) -> str:
    head = "".join(f"<th scope='col'>{_breakable(name)}</th>" for name in block.head)
    rows = "".join(map(_row, block.rows))
    kind = f" class='{block.kind}'" if block.kind else ""
    return (
        f"<div class='scroll'><table{kind}><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def _row(row: Row) -> str:
    kind = f" class='{row.kind}'" if row.kind else ""
    first, *others = row.cells
    cells = "".join(f"<td{_kind(cell)}>{_content(cell)}</td>" for cell in others)
    return f"<tr{kind}><th scope='row'{_kind(first)}>{_content(first)}</th>{cells}</tr>"


def _kind(cell: Cell) -> str:
    return f" class='{cell.kind}'" if cell.kind else ""


def _content(cell: Cell) -> str:
    text = _mark(cell) if cell.kind in ("right", "wrong", "unsure", "none") else _shown(cell)
    if cell.link and text:
        text = f"<a href='#{escape(cell.link)}'>{text}</a>"
    note = f"<small dir='auto'>{escape(cell.note)}</small>" if cell.note else ""
    return f"{text}{cell.plot.svg if cell.plot else ''}{note}"


def _mark(cell: Cell) -> str:
    suggested = " suggested" if cell.suggested else ""
    return f"<i class='mark {cell.kind}{suggested}'>{escape(cell.text)}</i>"


def _shown(cell: Cell) -> str:
    return _breakable(cell.text) if cell.kind in ("", "strong") else escape(cell.text)


def _breakable(text: str) -> str:
    """Long names of configurations and metrics may break where their parts join."""
    return escape(text).replace("+", "+<wbr>").replace("_", "_<wbr>")


def _plot(block: Plot) -> str:
    return f"<figure class='plot'>{block.svg}</figure>"


def _pictures(block: Pictures) -> str:
    figures = "".join(
        f"<figure class='{picture.kind}'><img src='{escape(picture.url)}' "
        f"alt='{escape(picture.caption)}'><figcaption>{escape(picture.caption)}</figcaption></figure>"
        for picture in block.pictures
    )
    return f"<div class='pictures'>{figures}</div>"


def _command(block: Command) -> str:
    return f"<pre>{escape(chr(10).join(block.lines))}</pre>"


def _folded(block: Folded) -> str:
    label = f"<span class='label'>{escape(block.label)}</span>" if block.label else ""
    marks = "".join(map(_mark, block.marks))
    shown = f"<span class='marks'>{marks}</span>" if marks else ""
    kind = "" if block.printed else " class='screen'"
    opened = " open" if block.is_open else ""
    id = f" id='{escape(block.id)}'" if block.id else ""
    return (
        f"<details{kind}{id}{opened}><summary>{label}<span class='what' dir='auto'>"
        f"{escape(block.summary)}</span>{shown}</summary>"
        f"<div class='inside'>{_blocks(block.blocks)}</div></details>"
    )


def _columns(block: Columns) -> str:
    columns = "".join(
        f"<div class='column'><h4>{_mark(one.mark) if one.mark else ''}{_breakable(one.title)}</h4>"
        f"{_blocks(one.blocks)}</div>"
        for one in block.columns
    )
    return f"<div class='columns'>{columns}</div>"


_WRITERS: dict[type, Callable[[Any], str]] = {
    Text: _text,
    Points: _points,
    Table: _table,
    Plot: _plot,
    Pictures: _pictures,
    Command: _command,
    Folded: _folded,
    Columns: _columns,
}
