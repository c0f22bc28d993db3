"""Templates of a folder made for the test, and those of the package."""

import re

import jinja2
import pytest
from markupsafe import Markup

from sandbox.markup.templates import PACKAGE, environment, render

TEMPLATES = sorted(str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.html"))


def drawn(source: str, **values: object) -> str:
    return environment().from_string(source).render(values)


def test_text_is_shown_literally_in_elements_and_attributes() -> None:
    assert drawn("<b title='{{ text }}'>{{ text }}</b>", text="a'\"<&") == (
        "<b title='a&#39;&#34;&lt;&amp;'>a&#39;&#34;&lt;&amp;</b>"
    )


def test_markup_of_another_template_stays_markup() -> None:
    assert drawn("<p>{{ inner }}</p>", inner=Markup("<b>7</b>")) == "<p><b>7</b></p>"


def test_what_no_browser_takes_is_replaced() -> None:
    assert drawn("{{ text }}", text="a\x00b\ud800") == "a\N{REPLACEMENT CHARACTER}b?"


def test_a_value_that_was_not_given_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError):
        drawn("{{ text }}")


def test_a_value_that_a_macro_does_not_take_is_an_error() -> None:
    with pytest.raises(TypeError):
        render("ui/parts/progress.html#sentence", text="a", loud=True)


def test_line_breaks_beside_tags_and_expressions_leave_nothing_behind() -> None:
    source = "<p>\n  {{ text }}\n  {% if text %}\n    <b>x</b>\n  {% endif %}\n</p>\n"
    assert drawn(source, text="a") == "<p>a<b>x</b></p>"


def test_line_breaks_between_words_and_attributes_are_one_space() -> None:
    assert drawn("<p class='a'\n   id='b'>two\n  words</p>") == "<p class='a' id='b'>two words</p>"


def test_space_on_a_line_and_line_breaks_of_values_stay() -> None:
    assert drawn("<p>a <b>{{ text }}</b> c</p>", text="1\n 2") == "<p>a <b>1\n 2</b> c</p>"


@pytest.mark.parametrize("name", TEMPLATES)
def test_no_template_switches_escaping_off(name: str) -> None:
    source = (PACKAGE / name).read_text(encoding="utf-8")
    environment().parse(source)
    assert re.findall(r"\|\s*safe\b|autoescape", source) == []
