"""The app in the browser: `build` draws it, `launch` serves it on this machine alone.

Nothing is loaded before the page is up: models and corpora come with the first visit.
"""

import socket
import webbrowser
from collections.abc import Callable
from pathlib import Path

import gradio as gr

from sandbox.errors import SandboxError
from sandbox.files.storage import Store
from sandbox.library import Sandbox
from sandbox.models.source import Models
from sandbox.rag.pipeline import Pipeline
from sandbox.ui.ask.corpus_events import CorpusEvents, Visit
from sandbox.ui.ask.events import AskEvents
from sandbox.ui.ask.events import wire as wire_ask
from sandbox.ui.ask.tab import AskTab, View
from sandbox.ui.ask.view import models_html
from sandbox.ui.compare.asking import AskingEvents
from sandbox.ui.compare.events import CompareEvents, MissingEvents
from sandbox.ui.compare.manage import RunEvents
from sandbox.ui.compare.tab import CompareTab
from sandbox.ui.compare.view import CompareView
from sandbox.ui.evaluate.events import EvaluateEvents
from sandbox.ui.evaluate.tab import EvaluateTab
from sandbox.ui.testset.events import TestSetEvents
from sandbox.ui.testset.events import wire as wire_testset
from sandbox.ui.testset.tab import TestSetTab
from sandbox.ui.trust.events import TrustEvents
from sandbox.ui.trust.labelling import LabelEvents
from sandbox.ui.trust.tab import TrustTab
from sandbox.ui.trust.view import TrustView

STYLE = Path(__file__).with_name("style.css")
HOST = "127.0.0.1"
PORT = 7860
UPLOADS_KEPT_SECONDS = 24 * 60 * 60
"""Gradio's copies of dropped files are deleted after this time, and when the app ends."""


def build(pipeline: Pipeline, store: Store, models: Models) -> gr.Blocks:
    """The whole app; nothing is read or loaded until a browser opens it."""
    app: gr.Blocks = gr.Blocks(
        title="RAG Sandbox",
        analytics_enabled=False,
        fill_width=True,
        delete_cache=(UPLOADS_KEPT_SECONDS, UPLOADS_KEPT_SECONDS),
    )
    with app:
        with gr.Row(elem_id="top"):
            gr.HTML("<h1>RAG Sandbox</h1>", apply_default_css=False, elem_id="title")
            models_line = gr.HTML(models_html(()), apply_default_css=False, elem_id="models")
        with gr.Tabs(elem_id="tabs") as tabs:
            with gr.Tab("Ask", id="ask-tab"):
                ask = AskTab()
            with gr.Tab("Test set", id="testset-tab") as place:
                testset = TestSetTab()
            testset_events = TestSetEvents(pipeline, store, testset, ask.session)
            wire_testset(app, place, testset, testset_events, ask.session)
            view = View(pipeline, ask)
            corpus = CorpusEvents(pipeline, store, ask, view)
            visit = Visit(models=models, models_line=models_line, corpus=corpus, tab=ask)
            wire_ask(app, ask, visit=visit, corpus=corpus, ask=AskEvents(pipeline, ask, view))
            sandbox = Sandbox(store.results, models=models, pipeline=pipeline)
            with gr.Tab("Evaluate", id="evaluate-tab") as place:
                evaluate = EvaluateEvents(sandbox, corpus, ask, EvaluateTab())
            evaluate.wire(place)
            _add_trust(sandbox, corpus)
            _add_compare(sandbox, ask, corpus, evaluate, tabs)
    return app


def start(app: gr.Blocks, *, host: str = HOST, port: int = PORT) -> str:
    """Serve the app in the background and return its address.

    Raises:
        SandboxError: If the port is taken or not allowed.
    """
    _require_free(host, port)
    _, url, _ = app.queue().launch(
        server_name=host,
        server_port=port,
        share=False,
        quiet=True,
        prevent_thread_lock=True,
        ssr_mode=False,
        run_history=False,
        footer_links=[],
        enable_monitoring=False,
        theme=theme(),
        css_paths=STYLE,
    )
    return str(url)


def launch(
    pipeline: Pipeline,
    store: Store,
    models: Models,
    *,
    host: str = HOST,
    port: int = PORT,
    open_browser: bool = False,
    announce: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve the app until it is interrupted.

    Args:
        pipeline: Reads, indexes and answers.
        store: Where corpora are kept.
        models: Described in the app's first line.
        host: Address to listen on; only this machine can reach the default.
        port: Port to listen on.
        open_browser: Open the app in the default browser.
        announce: Told the app's address once it is served.

    Raises:
        SandboxError: If the port is taken or not allowed.
    """
    app = build(pipeline, store, models)
    address = start(app, host=host, port=port)
    announce(address)
    if open_browser:
        webbrowser.open(address)
    app.block_thread()


def theme() -> gr.themes.Base:
    """Calm, with the system's own fonts: nothing is fetched, not even from this machine."""
    sans, mono = gr.themes.Font("sans-serif"), gr.themes.Font("monospace")
    plain = gr.themes.Base(
        primary_hue="teal",
        neutral_hue="gray",
        font=[sans],
        font_mono=[mono],
        radius_size="sm",
        spacing_size="sm",
        text_size="sm",
    )
    accent = "*primary_700"
    return plain.set(
        block_info_text_color="*neutral_500",
        block_info_text_color_dark="*neutral_400",
        button_primary_background_fill=accent,
        button_primary_background_fill_dark=accent,
        button_primary_background_fill_hover="*primary_800",
        button_primary_background_fill_hover_dark="*primary_600",
        checkbox_background_color_selected=accent,
        checkbox_background_color_selected_dark=accent,
        checkbox_border_color_selected=accent,
        checkbox_border_color_selected_dark=accent,
        input_placeholder_color="*neutral_500",
        input_placeholder_color_dark="*neutral_400",
        slider_color=accent,
        slider_color_dark="*primary_500",
    )


def _add_trust(sandbox: Sandbox, corpus: CorpusEvents) -> None:
    with gr.Tab("Trust", id="trust-tab") as place:
        tab = TrustTab()
    view = TrustView(sandbox.store, tab)
    labels = LabelEvents(sandbox, corpus, tab, view)
    TrustEvents(sandbox, tab, view, labels).wire(place)


def _add_compare(
    sandbox: Sandbox, ask: AskTab, corpus: CorpusEvents, evaluate: EvaluateEvents, tabs: gr.Tabs
) -> None:
    with gr.Tab("Compare", id="compare-tab") as place:
        tab = CompareTab()
    view = CompareView(sandbox, corpus, tab)
    events = CompareEvents(sandbox.store, tab, view, MissingEvents(tab, evaluate, tabs))
    events.wire(place)
    RunEvents(sandbox, tab, view).wire(events)
    AskingEvents(sandbox.pipeline, ask, tab, view).wire()


def _require_free(host: str, port: int) -> None:
    try:
        with socket.create_server((host, port)):
            return
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SandboxError(
            f"cannot serve on {host}:{port} ({reason});"
            f" choose another port: sandbox app --port {port + 1}"
        ) from error
