"""The configuration panel: presets first, every factor of a configuration folded below.

A changed factor marks the preset as changed. Which models exist is told from outside, by role.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import gradio as gr
from gradio.components import Component
from markupsafe import Markup

from sandbox.config import DEFAULT_PRESET, MAX_TOP_K, PRESETS, PROMPTS, Config, preset, with_changes
from sandbox.errors import ConfigError
from sandbox.markup.templates import render
from sandbox.models.defaults import Available
from sandbox.ui.parts.clicks import html_block
from sandbox.ui.parts.wiring import Updates, Values

Field = gr.Radio | gr.Dropdown | gr.Slider | gr.Number
TEMPLATES = "ui/ask/panel.html"
OWN_PROMPT = "own text"
MODEL_FIELDS: Mapping[str, tuple[str, ...]] = {
    "chat_model": ("auto",),
    "embedder": ("auto",),
    "captioner": (),
}
"""Fields that name a model, with what can be chosen besides. Choosing a preset leaves them as they
are: no preset is about a model."""


class Panel:
    """The widgets of a configuration."""

    def __init__(self) -> None:
        """Draw them, with their "changed" line in step; call inside the column they belong to."""
        self.preset = gr.Dropdown(
            list(PRESETS),
            value=DEFAULT_PRESET,
            label="configuration",
            elem_id="preset",
            filterable=False,
        )
        self.changed = html_block("changed")
        start = preset(DEFAULT_PRESET)
        self.fields: dict[str, Field] = {}
        """Widget by field of `Config`."""
        with gr.Accordion("details", open=False, elem_id="details"):
            self.fields |= _retrieval_fields(start)
            self.fields["prompt"] = gr.Radio(
                [*PROMPTS, OWN_PROMPT], value=start.prompt, label="prompt"
            )
            self.own_prompt = gr.Textbox(
                label="own prompt",
                lines=4,
                visible=False,
                placeholder="Said after the material, before the question.",
            )
            self.fields |= _chunk_and_model_fields(start)
        self._wire()

    @property
    def inputs(self) -> set[Component]:
        """Everything a configuration is read from."""
        return {self.preset, self.own_prompt, *self.fields.values()}

    def offer(self, available: Sequence[Available]) -> dict[Any, Any]:
        """Offer the models that are ready on this machine."""
        return {
            self.fields[role]: gr.update(
                choices=[
                    *first,
                    *(model.model for model in available if model.role == role and model.ready),
                ]
            )
            for role, first in MODEL_FIELDS.items()
        }

    def read(self, values: Mapping[Any, Any]) -> Config:
        """The configuration that the widgets describe.

        Raises:
            ConfigError: If a value is out of range.
        """
        changes = {name: values[widget] for name, widget in self.fields.items()}
        if changes["prompt"] == OWN_PROMPT:
            changes["prompt"] = values[self.own_prompt] or ""
        for name in ("candidates", "top_k", "chunk_characters", "overlap_characters"):
            changes[name] = _whole_number(name, changes[name])
        return with_changes(preset(values[self.preset]), changes)

    def _wire(self) -> None:
        unmodelled = [name for name in self.fields if name not in MODEL_FIELDS]
        self.preset.input(
            None,
            self.preset,
            [self.fields[name] for name in unmodelled],
            js=_preset_script(unmodelled),
        )
        gr.on(
            [widget.change for widget in (self.preset, *self.fields.values(), self.own_prompt)],
            self._mark_changes,
            self.inputs,
            [self.changed, self.own_prompt],
            show_progress="hidden",
            queue=False,
            trigger_mode="always_last",
            api_visibility="private",
        )

    def _mark_changes(self, values: Values) -> Updates:
        try:
            line = changed_html(self.read(values), values[self.preset])
        except ConfigError as error:
            line = render(f"{TEMPLATES}#trouble", text=str(error))
        is_own = values[self.fields["prompt"]] == OWN_PROMPT
        return {self.changed: line, self.own_prompt: gr.update(visible=is_own)}


def changed_html(config: Config, preset_name: str) -> Markup:
    """What differs from the preset, one line; empty if nothing does."""
    original = preset(preset_name).to_dict()
    differences = [
        f"{name.replace('_', ' ')} {_short(original[name])} → {_short(value)}"
        for name, value in config.to_dict().items()
        if name != "name" and value != original[name]
    ]
    if not differences:
        return Markup()
    return render(f"{TEMPLATES}#changed", differences=differences)


def _retrieval_fields(start: Config) -> dict[str, Field]:
    return {
        "index": gr.Radio(
            ["text", "caption", "context"],
            value=start.index,
            label="index",
            info="text only; with figure captions; captions joined with the text of their page",
        ),
        "retriever": gr.Radio(
            ["lexical", "dense", "hybrid"], value=start.retriever, label="retriever"
        ),
        "reranker": gr.Dropdown(
            ["none", "maxsim"],
            value=start.reranker,
            label="reranker",
            info="or st:NAME_OR_PATH of a CrossEncoder on disk",
            allow_custom_value=True,
        ),
        "top_k": gr.Slider(
            1,
            MAX_TOP_K,
            value=start.top_k,
            step=1,
            label="top_k",
            buttons=[],
            info="chunks sent to the model",
        ),
        "candidates": gr.Number(
            start.candidates,
            label="candidates",
            precision=0,
            info="per retriever, before reranking",
        ),
    }


def _chunk_and_model_fields(start: Config) -> dict[str, Field]:
    return {
        "chunk_characters": gr.Number(
            start.chunk_characters, label="chunk characters", precision=0
        ),
        "overlap_characters": gr.Number(
            start.overlap_characters, label="overlap characters", precision=0
        ),
        "chat_model": _model_dropdown("chat model", ["auto"], start.chat_model),
        "embedder": _model_dropdown("embedder", ["auto"], start.embedder),
        "captioner": _model_dropdown("captioner", ["ocr"], start.captioner),
    }


def _preset_script(names: Sequence[str]) -> str:
    """JavaScript from a preset's name to its fields: a question asked at once finds them set."""
    table = {name: [config.to_dict()[field] for field in names] for name, config in PRESETS.items()}
    return f"(name) => ({json.dumps(table)})[name]"


def _model_dropdown(label: str, names: list[str], value: str) -> gr.Dropdown:
    return gr.Dropdown(names, value=value, label=label, allow_custom_value=True)


def _whole_number(name: str, value: float | None) -> int:
    if value is None:
        raise ConfigError(f"{name.replace('_', ' ')} is empty; type a number")
    return int(value)


def _short(value: object) -> str:
    text = str(value)
    return f"{text[:24]}…" if len(text) > 25 else text
