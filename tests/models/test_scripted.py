from pathlib import Path

import pytest

from sandbox.errors import ModelUnavailable
from sandbox.models.base import ModelSource
from sandbox.models.chat import stream_reply
from sandbox.models.scripted import ScriptedEmbedder, ScriptedModels
from sandbox.records import Box, Figure, Line

BOX = Box(page=1, left=0, top=0, right=10, bottom=10)


def test_a_scripted_source_plays_every_role() -> None:
    source: ModelSource = ScriptedModels(lambda system, user: f"{system}|{user}")
    reply = stream_reply(
        source.chat_model("auto"), "be brief", "why?", temperature=0.0, seed=1, max_tokens=9
    )
    assert "".join(part.text for part in reply) == "be brief|why?"
    figure = Figure(box=BOX, kind="vector", image="a.png", words=(Line(text="2019", box=BOX),))
    assert source.captioner("ocr").caption(figure, Path("a.png")).text == "2019"
    assert source.cross_encoder("st:x").scores("cases 2019", ["2019", "none"]) == [0.5, 0.0]


def test_scripted_embedders_are_told_apart_by_name() -> None:
    first, second = ScriptedEmbedder(name="scripted:a"), ScriptedEmbedder(name="scripted:b")
    source = ScriptedModels(embedders=[first, second])
    assert source.embedder("auto") is first
    assert source.embedder("scripted:b") is second
    with pytest.raises(ModelUnavailable):
        source.embedder("scripted:c")
