"""The Ask tab: a corpus and a configuration, a conversation, the chunks on their pages.

Draws the widgets, the panel of a configuration among them, and a session into them; `events.py`
and `corpus_events.py` answer events.
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
from sandbox.rag.pipeline import Pipeline
from sandbox.records import Retrieved
from sandbox.ui.ask.session import Session
from sandbox.ui.ask.view import conversation_html, corpus_html, examples_html
from sandbox.ui.parts.chunks import EMPTY_PAGE, Marks, cards_html, chunk_on_page_html, crops_of
from sandbox.ui.parts.progress import sentence_html
from sandbox.ui.parts.wiring import Updates, Values, html_block, widgets_of


class AskTab:
    """The widgets of the tab."""

    def __init__(self) -> None:
        """Draw them; call inside `gr.Tab`."""
        self.session = gr.State(Session())
        with gr.Row(elem_id="ask-columns", equal_height=False):
            with gr.Column(elem_id="left", min_width=0):
                self._draw_corpus()
                self.panel = Panel()
            with gr.Column(elem_id="middle", min_width=0):
                self._draw_conversation()
            with gr.Column(elem_id="right", min_width=0):
                self.cards = html_block("cards", cards_html((), Marks()))
                self.page = html_block("page", EMPTY_PAGE)

    def _draw_corpus(self) -> None:
        self.corpus = gr.Dropdown([], label="corpus", elem_id="corpus", filterable=False)
        self.corpus_status = html_block("corpus-status", sentence_html("opening"))
        self.cancel = gr.Button("Cancel", size="sm", visible=False, elem_id="cancel")
        self.files = gr.File(
            file_count="multiple", label="drop PDFs here", elem_id="files", height=84
        )

    def _draw_conversation(self) -> None:
        self.chat = html_block("chat", conversation_html([], shown=-1, corpus=""))
        self.examples = html_block("examples")
        with gr.Row(elem_id="question-row", equal_height=True):
            self.question = gr.Textbox(
                placeholder="Ask the documents; Enter sends",
                show_label=False,
                label="question",
                container=False,
                max_lines=4,
                scale=1,
                elem_id="question",
                autofocus=True,
            )
            self.ask = gr.Button("Ask", variant="primary", scale=0, min_width=64, elem_id="ask")
            self.stop = gr.Button("Stop", scale=0, min_width=64, visible=False, elem_id="stop")

    @property
    def widgets(self) -> list[gr.blocks.Block]:
        """Everything an event may change."""
        return [*widgets_of(self), *self.panel.fields.values()]


class View:
    """Turns the state of a session into new values of the widgets."""

    def __init__(self, pipeline: Pipeline, tab: AskTab) -> None:
        """Draw into the widgets of `tab`."""
        self._pipeline = pipeline
        self._tab = tab

    def draw(self, session: Session) -> Updates:
        """All that a session shows."""
        return {
            **self.draw_corpus(session),
            **self.draw_chat(session),
            **self.draw_examples(session),
            **self.draw_chunks(session),
        }

    def draw_chat(self, session: Session) -> Updates:
        """The conversation."""
        turns, name = session.turns, session.corpus_name
        return {self._tab.chat: conversation_html(turns, shown=session.shown_turn, corpus=name)}

    def draw_examples(self, session: Session) -> Updates:
        """The example questions of the corpus."""
        return {self._tab.examples: examples_html(session.examples, asked=bool(session.turns))}

    def draw_chunks(self, session: Session) -> Updates:
        """The cards of the shown turn and the page of the chosen chunk."""
        turn = session.visible_turn
        if turn is None:
            return {self._tab.cards: cards_html((), Marks()), self._tab.page: EMPTY_PAGE}
        marks = Marks(
            selected=session.shown_rank,
            cited=turn.answer.citations if turn.answer else (),
            matched=turn.answer.matched if turn.answer else (),
            sent=turn.answer.sent if turn.answer else None,
            crops=turn.crops,
        )
        return {
            self._tab.cards: cards_html(turn.retrieved, marks),
            self._tab.page: self._page(session),
        }

    def draw_corpus(self, session: Session) -> Updates:
        """What was read and what was refused."""
        chunks = len(session.index.chunks) if session.index else None
        html = corpus_html(session.corpus, session.refused, chunks=chunks)
        trouble = sentence_html(session.trouble, alarming=True) if session.trouble else ""
        return {self._tab.corpus_status: html + trouble}

    def draw_crops(self, retrieved: Sequence[Retrieved]) -> dict[int, str]:
        """Pictures of the figures among retrieved chunks, by rank."""
        return crops_of(self._pipeline, retrieved)

    def draw_stop(self, session: Session) -> Updates:
        """The button, there while a question waits or is being answered."""
        return {self._tab.stop: gr.update(value="Stop", visible=session.is_busy)}

    def _page(self, session: Session) -> str:
        turn, item = session.visible_turn, session.visible_chunk
        if turn is None or item is None or turn.corpus is None:
            return EMPTY_PAGE
        return chunk_on_page_html(self._pipeline, turn.corpus, item.chunk, session.shown_page)


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
