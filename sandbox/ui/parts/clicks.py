"""Clicks on elements that the app itself drew: what was clicked, and who answers.

An element that can be clicked carries `data-click='KIND'` and what else its answer needs, such as
`data-turn='2'`; `clicks.js` sends all its `data-*` attributes. A tab has one table of its kinds:

    self._clicks = {"citation": self._show_cited, "label": self._keep_label}

    def click(self, session: Session, event: gr.EventData) -> Updates:
        return dispatch(self._clicks, session, event)
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import gradio as gr

CLICKS = Path(__file__).parent.with_name("clicks.js").read_text(encoding="utf-8")
KEYS = Path(__file__).parent.with_name("keys.js").read_text(encoding="utf-8")

logger = logging.getLogger(__name__)

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Click:
    """What was clicked."""

    kind: str
    values: Mapping[str, str]
    """The other `data-*` attributes of the element, by name without `data-`."""

    @classmethod
    def from_event(cls, event: gr.EventData) -> "Click":
        """The click that a browser sent.

        >>> Click.from_event(gr.EventData(None, {"click": "citation", "turn": "2"}))
        Click(kind='citation', values={'turn': '2'})
        """
        values = {name: str(value) for name, value in event._data.items()}
        return cls(kind=values.pop("click", ""), values=values)

    def text(self, name: str) -> str:
        """A value; empty where the element has none of that name."""
        return self.values.get(name, "")

    def number(self, name: str) -> int:
        """A value that is a whole number.

        Raises:
            ValueError: If it is none.
        """
        return int(self.text(name))


Handler = Callable[[State, Click], dict[Any, Any]]


def dispatch(
    handlers: Mapping[str, Handler[State]], state: State, event: gr.EventData
) -> dict[Any, Any]:
    """What the tab's handler for this kind of click returns; an unknown kind changes nothing."""
    click = Click.from_event(event)
    if click.kind not in handlers:
        logger.error("nothing answers a click of kind %r", click.kind)
        return dict(gr.skip())
    return handlers[click.kind](state, click)


def html_block(elem_id: str, value: str = "", *, keys: bool = False) -> gr.HTML:
    """A widget for HTML whose marked elements can be clicked; with `keys`, `data-key` names one."""
    script = CLICKS + KEYS if keys else CLICKS
    return gr.HTML(value, apply_default_css=False, elem_id=elem_id, js_on_load=script)
