from pathlib import Path

import gradio as gr

from sandbox.files.storage import Store
from sandbox.models.scripted import ScriptedModels
from sandbox.rag.pipeline import Pipeline
from sandbox.ui.ask.corpus_events import CorpusEvents, dropped_files, unique_names
from sandbox.ui.ask.session import Session
from sandbox.ui.ask.tab import AskTab, View
from tests.conftest import MakePdf


def build_events(store: Store, models: ScriptedModels) -> tuple[CorpusEvents, AskTab]:
    with gr.Blocks(analytics_enabled=False):
        tab = AskTab()
    pipeline = Pipeline(store, models)
    return CorpusEvents(pipeline, store, tab, View(pipeline, tab)), tab


def form(tab: AskTab, session: Session, **values: object) -> dict[object, object]:
    widgets = {widget: widget.value for widget in (*tab.panel.inputs, tab.corpus, tab.files)}
    named = {getattr(tab, name): value for name, value in values.items()}
    return widgets | {tab.session: session} | named


def test_a_browser_cannot_open_files_of_this_machine(store: Store, make_pdf: MakePdf) -> None:
    events, tab = build_events(store, ScriptedModels())
    session = Session()
    list(events.open_chosen(form(tab, session, corpus=str(make_pdf("Secret.")))))
    assert session.corpus is None
    assert session.trouble.endswith("choose one from the list")


def test_dropped_files_can_be_chosen_again(store: Store, make_pdf: MakePdf) -> None:
    events, tab = build_events(store, ScriptedModels())
    session = Session()
    files = [{"path": str(make_pdf("The ferry leaves at nine.")), "orig_name": "ferry #1.pdf"}]
    list(events.open_dropped(form(tab, session, files=files)))
    assert session.index is not None

    label, chosen = events.choices()[-1]
    again = Session()
    list(events.open_chosen(form(tab, again, corpus=chosen)))

    assert label == "ferry #1.pdf"
    assert again.corpus == session.corpus


def test_cancelling_stops_between_two_steps(store: Store, make_pdf: MakePdf) -> None:
    events, tab = build_events(store, ScriptedModels())
    session = Session()
    files = [{"path": str(make_pdf("One.", "Two.", "Three.")), "orig_name": "long.pdf"}]
    opening = events.open_dropped(form(tab, session, files=files))
    next(opening)
    events.cancel(session)
    list(opening)
    assert session.corpus is None
    assert session.trouble == "cancelled; choose a corpus or drop PDFs to go on"
    assert not session.stop_requested


def test_dropped_files_keep_the_names_the_user_chose() -> None:
    dropped = dropped_files(
        [
            {"path": "/tmp/x/最終版.pdf", "orig_name": "【最終版】.pdf"},
            {"path": "/tmp/y/a1.pdf", "orig_name": "a#1%.pdf"},
        ]
    )
    assert dropped.name == "【最終版】.pdf + 1 more"
    assert dropped.files == (Path("/tmp/x/最終版.pdf"), Path("/tmp/y/a1.pdf"))
    assert dropped.names == ("【最終版】.pdf", "a#1%.pdf")


def test_files_of_one_name_are_told_apart() -> None:
    assert unique_names(["a.pdf", "a.pdf", "b.pdf", "a.pdf"]) == [
        "a.pdf",
        "a.pdf (2)",
        "b.pdf",
        "a.pdf (3)",
    ]
