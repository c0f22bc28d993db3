"""Connects widgets to functions: at once, when the models are free, or in line for statistics.

Work that uses models waits in one queue, because one local model serves one request at a time;
clicks and typing do not wait in it.

An element that the app itself drew can be clicked if it carries `data-click='KIND'` and what else
its answer needs, such as `data-turn='2'`; `clicks.js` sends all its `data-*` attributes. A tab has
one table of its kinds:

    self._clicks = {"citation": self._show_cited, "label": self._keep_label}

    def click(self, session: Session, event: gr.EventData) -> Updates:
        return dispatch(self._clicks, session, event)
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

import gradio as gr
from gradio.blocks import Block
from gradio.components.base import Component, FormComponent

logger = logging.getLogger(__name__)

CLICKS = Path(__file__).parent.with_name("clicks.js").read_text(encoding="utf-8")
KEYS = Path(__file__).parent.with_name("keys.js").read_text(encoding="utf-8")

State = TypeVar("State")

Values = Mapping[Any, Any]
"""Value by widget, as the browser sent it."""

Updates = dict[Any, Any]
"""New value by widget."""

Trigger = Callable[..., Any]
Function = Callable[..., Any]


def widgets_of(tab: object) -> list[Block]:
    """The widgets among a tab's attributes: what its events may change. States change in place."""
    return [widget for widget in _blocks(tab) if not isinstance(widget, gr.State)]


def form_of(tab: object) -> set[Component]:
    """Its state and all that a person fills in, not the files that it offers: what events read."""
    return {
        widget
        for widget in _blocks(tab)
        if isinstance(widget, FormComponent | gr.State)
        or (isinstance(widget, gr.File) and widget.interactive is not False)
    }


def unchanged() -> Updates:
    """What leaves every widget as it is; Gradio takes an empty answer for an error."""
    return dict(gr.skip())


def at_once(triggers: list[Trigger], function: Function, inputs: Any, outputs: Any) -> Any:
    """Run a quick function without waiting for the models."""
    return gr.on(
        triggers,
        function,
        inputs,
        outputs,
        queue=False,
        trigger_mode="multiple",
        show_progress="hidden",
        api_visibility="private",
    )


def work(
    trigger: Trigger,
    function: Function,
    inputs: Any,
    outputs: Any,
    *,
    preprocess: bool = True,
    trigger_mode: Literal["once", "multiple"] = "multiple",
) -> Any:
    """Run a long generator when the models are free.

    Args:
        trigger: The event.
        function: Yields updates.
        inputs: What the function is given.
        outputs: What it may change.
        preprocess: Without it, values come as the browser sent them.
        trigger_mode: "once" ignores the event while the function still runs.
    """
    return trigger(
        function,
        inputs,
        outputs,
        preprocess=preprocess,
        concurrency_id="work",
        concurrency_limit=1,
        trigger_mode=trigger_mode,
        show_progress="hidden",
        api_visibility="private",
    )


def compute(trigger: Trigger, function: Function, inputs: Any, outputs: Any) -> None:
    """Run statistics, which need no model, in a line of their own."""
    trigger(
        function,
        inputs,
        outputs,
        concurrency_id="statistics",
        concurrency_limit=1,
        trigger_mode="multiple",
        show_progress="hidden",
        api_visibility="private",
    )


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


def _blocks(tab: object) -> Iterator[Block]:
    for value in vars(tab).values():
        for widget in value.values() if isinstance(value, Mapping) else [value]:
            if isinstance(widget, Block):
                yield widget
