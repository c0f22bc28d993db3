"""A report as one HTML file that needs nothing else: no script, no font, no request."""

import re
from pathlib import Path

from markupsafe import Markup

from sandbox.markup.markup import readable
from sandbox.markup.templates import render
from sandbox.report.blocks import Story


def html_page(story: Story) -> str:
    """Write a whole report as HTML."""
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    return render("report/page.html", story=story, style=Markup(style), breakable=_breakable)


def _breakable(text: str) -> Markup:
    """Long names of configurations and metrics may break where their parts join."""
    return Markup("<wbr>").join(re.split("(?<=[+_])", readable(text)))
