"""HTML from Jinja2 templates: whatever a value holds, the browser shows it literally.

A template is a file beside the code that fills it, named by its path in the package. A file that
draws one thing is rendered whole; a file that draws several holds a macro for each, named behind a
`#`:

    render("ui/parts/page.html", picture=picture, page=3)
    render("ui/parts/progress.html#sentence", text="no documents yet", alarming=False)

What `render` returns is `Markup`, which another template takes as it is; every other string is
escaped. So build HTML only in templates, and join pieces there or with `Markup("").join(pieces)`:
`"<p>" + markup` would escape the `<p>`. A name that no value was given for is an error, and so is
a value that a macro does not take.

In templates, `number`, `signed`, `percent`, `span` and `count` (`sandbox.markup.formats`) filter:
`{{ score | number }}`, `{{ chunks | length | count("chunk") }}`. Macros of another file are
imported by its path, as in `{% from "ui/parts/progress.html" import sentence %}`. A macro in a file
that is rendered whole sees all its values, one in a file of macros only those it takes. Indent and
break lines as you like: a line break leaves nothing behind beside a tag or an expression, and one
space between words. Attributes stand in single quotes, which leaves the double ones to expressions.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from markupsafe import Markup

from sandbox.markup.formats import count, number, percent, readable, signed, span

PACKAGE = Path(__file__).parent.parent


def render(name: str, **values: Any) -> Markup:
    """Fill in a template.

    >>> render("ui/parts/progress.html#sentence", text="a < b", alarming=False)
    Markup("<p class='status' dir='auto'>a &lt; b</p>")

    Args:
        name: Path of the file in the package, and behind `#` the macro in it if not the whole.
        values: What the template shows, by name.

    Raises:
        jinja2.TemplateError: If there is no such template, or a value is missing in it.
    """
    file, _, macro = name.partition("#")
    template = environment().get_template(file)
    if not macro:
        return Markup(template.render(values))
    markup: Markup = getattr(template.module, macro)(**values)
    return markup


class _LineBreaks(Extension):
    """Takes the layout of a template out of what it draws, where `pre-wrap` would show it."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Change nothing but the text between Jinja's tags."""
        for token in stream:
            if token.type == "data":
                text = re.sub(r"(^|(?<=>))\s*\n\s*|\s*\n\s*($|(?=<))", "", token.value)
                token = Token(token.lineno, "data", re.sub(r"\s*\n\s*", " ", text))
            yield token


@cache
def environment() -> Environment:
    """What every template of the package is filled in by."""
    environment = Environment(
        loader=FileSystemLoader(PACKAGE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_readable,
        extensions=[_LineBreaks],
    )
    filters = {"number": number, "signed": signed, "percent": percent, "span": span, "count": count}
    environment.filters |= filters
    environment.filters["pixels"] = "{:.1f}".format
    return environment


def _readable(value: Any) -> Any:
    """Text without characters that no browser takes; everything else as it is."""
    return readable(value) if type(value) is str else value
