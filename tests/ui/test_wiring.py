import gradio as gr
import pytest

from sandbox.ui.parts.wiring import Click, Updates, dispatch


def clicked(**values: str) -> gr.EventData:
    return gr.EventData(None, values)


def test_a_click_is_answered_by_the_handler_of_its_kind() -> None:
    def show(state: str, click: Click) -> Updates:
        return {"chunk": (state, click.number("rank"), click.text("run"))}

    event = clicked(click="chunk", rank="3")
    assert dispatch({"chunk": show}, "session", event) == {"chunk": ("session", 3, "")}


def test_a_click_that_no_handler_knows_changes_nothing_and_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert dispatch({}, "session", clicked(click="delete")) == gr.skip()
    assert caplog.messages == ["nothing answers a click of kind 'delete'"]
    caplog.clear()  # which the other tests may not have


def test_a_number_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="first"):
        Click.from_event(clicked(click="chunk", rank="first")).number("rank")
