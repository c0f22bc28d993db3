from dataclasses import replace

import pytest

from sandbox.config import preset
from sandbox.documents.worker_process import Limits
from sandbox.models.defaults import Choice
from sandbox.progress import Progress, RefusedFile
from sandbox.records import Answer, Box, Corpus, Document, FailedPage, Figure, Page
from sandbox.ui.app import STYLE
from sandbox.ui.ask.session import Turn
from sandbox.ui.ask.view import (
    conversation_html,
    corpus_html,
    cost_line,
    examples_html,
    models_html,
    ranges,
)
from sandbox.ui.parts.progress import progress_html

CONFIG = preset("ctx_k9")
ANSWER = Answer(
    question="When?",
    text="In 2019 [1].",
    refused=False,
    retrieved=(),
    citations=(1,),
    sent=(1, 2),
    seconds={"retrieve": 0.31, "first_token": 0.4, "answer": 2.06},
    tokens={"prompt": 1234, "answer": 12},
)


def answer_html(text: str, cited: tuple[int, ...], turn: int) -> str:
    """What stands in the reply of the last of some turns."""
    answer = replace(ANSWER, text=text, citations=cited)
    last = Turn(question="?", config=CONFIG, state="done", text=text, answer=answer)
    html = conversation_html([last] * (turn + 1), shown=turn, corpus="c")
    return html.split("<div class='reply' dir='auto'>")[-1].partition("</div>")[0]


def button(turn: int, rank: int) -> str:
    return (
        "<button class='citation' data-click='citation' "
        f"data-turn='{turn}' data-rank='{rank}'>{rank}</button>"
    )


def test_a_citation_of_a_chunk_that_was_sent_is_a_button() -> None:
    assert answer_html("In 2019 [1].", (1,), 4) == f"In 2019 [{button(4, 1)}]."


def test_a_citation_of_nothing_stays_text() -> None:
    assert answer_html("In 2019 [7].", (1,), 0) == "In 2019 [7]."


def test_citations_in_one_bracket_are_checked_one_by_one() -> None:
    assert answer_html("【1，7】", (1,), 0) == f"【{button(0, 1)}，7】"


@pytest.mark.parametrize("bracket", ["[2]", "【2】", "［2］", "[1; 2]", "[1、2]", "[1,2]", "[1—2]"])
def test_a_citation_in_every_form_is_a_button(bracket: str) -> None:
    assert answer_html(bracket, (2,), 0) == bracket.replace("2", button(0, 2))


def test_a_year_in_brackets_is_no_citation() -> None:
    assert answer_html("in [2019]", (2019,), 0) == "in [2019]"


def test_both_ends_of_a_range_are_buttons() -> None:
    html = answer_html("[3-4]", (3, 4), 0)
    assert html.count("<button class='citation'") == 2


def test_sources_found_by_words_are_named_below_an_answer_without_citations() -> None:
    answer = replace(ANSWER, text="In 2019.", citations=(2,), matched=(2,))
    turn = Turn(question="?", config=CONFIG, state="done", text=answer.text, answer=answer)
    html = conversation_html([turn], shown=0, corpus="c")
    assert (
        "cites nothing; shares its words with "
        "[<button class='citation' data-click='citation' data-turn='0' data-rank='2'>2</button>]"
        in html
    )


def test_markup_in_an_answer_is_shown_literally() -> None:
    assert answer_html("<a href='x'>$5</a> [1](http://a.b)", (), 0) == (
        "&lt;a href=&#39;x&#39;&gt;$5&lt;/a&gt; [1](http://a.b)"
    )


def test_markup_in_a_question_is_shown_literally() -> None:
    html = conversation_html([Turn(question="<i>why</i>?", config=CONFIG)], shown=-1, corpus="c")
    assert "&lt;i&gt;why&lt;/i&gt;?" in html


def test_seconds_and_tokens_stand_in_one_line() -> None:
    assert cost_line(ANSWER) == (
        "0.3 s retrieve · 0.4 s first word · 2.1 s answer · 1,234 prompt tokens · 12 answer tokens"
    )


def test_tokens_that_were_not_counted_are_left_out() -> None:
    answer = Answer(question="", text="", refused=True, retrieved=(), seconds={"answer": 1.0})
    assert cost_line(answer) == "1.0 s answer"


def test_a_refusal_is_marked() -> None:
    refusal = replace(ANSWER, refused=True)
    turn = Turn(question="?", config=CONFIG, state="done", text=refusal.text, answer=refusal)
    assert "<span class='badge refused'>refused</span>" in conversation_html(
        [turn], shown=0, corpus="c"
    )


def test_a_failure_is_one_sentence_in_place_of_the_answer() -> None:
    turn = Turn(question="?", config=CONFIG, state="failed", note="port <5> is closed; open it")
    html = conversation_html([turn], shown=0, corpus="c")
    assert "role='alert'>port &lt;5&gt; is closed; open it</div>" in html


def test_a_question_stopped_before_its_answer_says_so() -> None:
    turn = Turn(question="?", config=CONFIG, state="stopped", note="preparing")
    html = conversation_html([turn], shown=0, corpus="c")
    assert "<div class='reply'>stopped</div>" in html


def test_warnings_of_the_answer_are_shown() -> None:
    answer = replace(ANSWER, warnings=("only the first 3 of 9 chunks fit",))
    turn = Turn(question="?", config=CONFIG, state="done", text=answer.text, answer=answer)
    assert "only the first 3 of 9 chunks fit</div>" in conversation_html(
        [turn], shown=0, corpus="c"
    )


def test_an_empty_conversation_says_what_to_do() -> None:
    assert "Choose a corpus or drop a PDF" in conversation_html([], shown=-1, corpus="")
    assert "click an example" in conversation_html([], shown=-1, corpus="outbreak-zh")


def test_example_questions_fold_once_something_was_asked() -> None:
    assert "<details class='examples' open>" in examples_html(["a?"], asked=False)
    assert "<details class='examples'>" in examples_html(["a?"], asked=True)
    assert examples_html([], asked=False) == ""


BOX = Box(page=1, left=0, top=0, right=1, bottom=1)
FIGURE = Figure(box=BOX, kind="raster", image="a.png")


DOCUMENT = Document(
    digest="d",
    name="a<b>.pdf",
    page_count=3,
    pages=(
        Page(number=1, width=1, height=1, source="text layer", figures=(FIGURE,)),
        Page(number=2, width=1, height=1, source="ocr"),
        Page(number=3, width=1, height=1, source="ocr"),
    ),
)


def test_a_document_says_what_was_read_from_it() -> None:
    html = corpus_html(Corpus(name="c", documents=(DOCUMENT,)), (), chunks=1)
    assert "a&lt;b&gt;.pdf" in html
    assert "3 pages · 1 figure" in html
    assert "1 chunk indexed" in html


def test_pages_that_failed_are_named_together_with_their_reason() -> None:
    reason = "too many drawings"
    failed = (FailedPage(page=2, reason=reason), FailedPage(page=3, reason=reason))
    corpus = Corpus(name="c", documents=(replace(DOCUMENT, failed_pages=failed),))
    assert "p. 2-3: too many drawings" in corpus_html(corpus, (), chunks=None)


def test_refused_files_stand_before_the_documents_and_are_counted() -> None:
    refused = RefusedFile(file="z.pdf", reason="is empty")
    html = corpus_html(Corpus(name="c", documents=(DOCUMENT,)), (refused,), chunks=7)
    assert html.index("z.pdf") < html.index("a&lt;b&gt;.pdf")
    assert "7 chunks indexed, 1 file refused" in html


def test_a_refused_file_keeps_its_name_and_gets_one_sentence() -> None:
    refused = RefusedFile(file="【最終版】.pdf", reason="needs a password; save a copy without one")
    html = corpus_html(None, (refused,), chunks=None)
    assert "<bdi>【最終版】.pdf</bdi>" in html
    assert "role='alert'>needs a password; save a copy without one</span>" in html


def test_an_empty_corpus_says_what_to_do() -> None:
    assert "drop PDFs below" in corpus_html(None, (), chunks=None)


def test_progress_has_a_length_once_the_total_is_known() -> None:
    html = progress_html(Progress(stage="read", done=1, total=4, message="page 1 of 4"))
    assert "aria-valuenow='25'" in html
    assert "page 1 of 4" in html
    unknown = progress_html(Progress(stage="models", done=0, total=0, message=""))
    assert "aria-valuenow" not in unknown
    assert "loading models" in unknown


def test_the_models_line_names_sources_and_unfolds_to_the_reasons() -> None:
    chat = Choice(
        role="chat_model",
        model="ollama:llama3.1",
        source="ollama",
        reason="it is there",
        ready=True,
    )
    embedder = Choice(
        role="embedder",
        model="embedded:e5-small",
        source="embedded",
        reason="no embedder in Ollama",
        ready=False,
        fix="pip install x",
    )
    html = models_html((chat, embedder))
    assert "models: ollama + embedded" in html
    assert "something is missing" in html
    assert "<b>ollama:llama3.1</b><br>it is there</dd>" in html
    assert "<code>pip install x</code>" in html


def test_page_numbers_are_joined_into_ranges() -> None:
    assert ranges([4, 1, 2, 3, 9]) == "1-4, 9"
    assert ranges([]) == ""


def test_the_drop_zone_states_the_real_limits_before_a_file_is_dropped() -> None:
    limits = Limits()
    stated = f"At most {limits.file_megabytes} MB and {limits.pages:,} pages each."
    assert stated in STYLE.read_text(encoding="utf-8")
