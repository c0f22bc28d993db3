import gradio as gr
import pytest

from sandbox.config import preset
from sandbox.errors import ConfigError
from sandbox.models.defaults import Available
from sandbox.ui.ask.tab import OWN_PROMPT, Panel, changed_html


@pytest.fixture
def panel() -> Panel:
    with gr.Blocks(analytics_enabled=False):
        return Panel()


def values_of(panel: Panel) -> dict[object, object]:
    return {widget: widget.value for widget in panel.inputs}


def test_the_panel_starts_with_a_preset_unchanged(panel: Panel) -> None:
    config = panel.read(values_of(panel))
    assert config == preset("ctx_k9")
    assert changed_html(config, "ctx_k9") == ""


def test_a_changed_detail_marks_the_preset(panel: Panel) -> None:
    config = panel.read(values_of(panel) | {panel.fields["top_k"]: 5})
    assert config.name == "ctx_k9+top_k=5"
    assert "top k 9 → 5" in changed_html(config, "ctx_k9")


def test_an_own_prompt_is_used_and_shown_literally(panel: Panel) -> None:
    changes = {panel.fields["prompt"]: OWN_PROMPT, panel.own_prompt: "<b>Be brief.</b>"}
    config = panel.read(values_of(panel) | changes)
    assert config.prompt == "<b>Be brief.</b>"
    assert "prompt default → &lt;b&gt;Be brief.&lt;/b&gt;" in changed_html(config, "ctx_k9")


def test_an_empty_number_says_so(panel: Panel) -> None:
    with pytest.raises(ConfigError, match="chunk characters is empty; type a number"):
        panel.read(values_of(panel) | {panel.fields["chunk_characters"]: None})


def test_only_models_that_are_ready_are_offered(panel: Panel) -> None:
    available = (
        Available(role="chat_model", model="ollama:a", source="ollama", ready=True),
        Available(role="chat_model", model="embedded:b", source="embedded", ready=False),
        Available(role="captioner", model="ocr", source="embedded", ready=True),
    )
    offered = panel.offer(available)
    assert offered[panel.fields["chat_model"]]["choices"] == ["auto", "ollama:a"]
    assert offered[panel.fields["captioner"]]["choices"] == ["ocr"]
