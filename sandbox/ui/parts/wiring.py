"""Connects widgets to functions: at once, when the models are free, or in line for statistics.

Work that uses models waits in one queue, because one local model serves one request at a time;
clicks and typing do not wait in it.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

import gradio as gr
from gradio.blocks import Block
from gradio.components.base import Component, FormComponent

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


def _blocks(tab: object) -> Iterator[Block]:
    for value in vars(tab).values():
        for widget in value.values() if isinstance(value, Mapping) else [value]:
            if isinstance(widget, Block):
                yield widget
