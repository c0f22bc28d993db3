"""What captioners say about a figure: read from its labels, or described and checked."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from sandbox.documents.figures.extract import extract_figures
from sandbox.errors import ModelReplyError
from sandbox.models.captioners import OcrCaptioner, VisionCaptioner, find_unprinted
from sandbox.models.langchain_adapters import LangChainChat
from sandbox.records import Caption, Figure
from tests.documents.chart_pages import add_level_bars, new_page, place_plot, reopened

YEARS = {"104": 29, "105": 14, "106": 37, "107": 141, "108": 90}


def figure_of(page: pymupdf.Page, folder: Path) -> Figure:
    (figure,) = extract_figures(reopened(page), 1, folder).figures
    return figure


def read(page: pymupdf.Page, folder: Path) -> Caption:
    figure = figure_of(page, folder)
    return OcrCaptioner().caption(figure, folder / figure.image)


def draw_years(axes: Any) -> None:
    axes.bar_label(axes.bar(list(YEARS), list(YEARS.values())))
    axes.set_ylim(0, 160)


def draw_bars(axes: Any, values: list[int]) -> None:
    axes.bar_label(axes.bar(["a", "b", "c"], values))


def draw_sexes(axes: Any) -> None:
    for shift, (name, values) in enumerate({"Men": [29, 31, 40], "Women": [35, 28, 44]}.items()):
        places = [index + 0.4 * shift - 0.2 for index in range(3)]
        axes.bar_label(axes.bar(places, values, 0.4, label=name))
    axes.set_xticks(range(3), ["North", "South", "East"])
    axes.set_title("Cases by district and sex")
    axes.legend()


def test_a_drawn_chart_is_read_from_its_text_layer(tmp_path: Path) -> None:
    page = new_page()
    page.insert_text((72, 84), "圖一 各區病例數", fontname="china-t", fontsize=11)
    add_level_bars(page, 100, {"東區": 29, "西區": 14, "南區": 51})
    assert read(page, tmp_path) == Caption(
        text="東區: 29; 西區: 14; 南區: 51\n"
        "最多的是南區，有51；最少的是西區，有14。（依圖中印出的數值計算）"
    )


def test_series_are_named_by_the_colors_of_the_legend(tmp_path: Path) -> None:
    page = new_page()
    place_plot(page, (90, 100, 490, 340), draw_sexes)
    assert read(page, tmp_path).text.splitlines() == [
        "Cases by district and sex",
        "Men: North: 29; South: 31; East: 40",
        "Men: The highest is East, with 40; the lowest is North, with 29. "
        "(Computed from the printed values.)",
        "Women: North: 35; South: 28; East: 44",
        "Women: The highest is East, with 44; the lowest is South, with 28. "
        "(Computed from the printed values.)",
    ]


def test_a_chart_without_printed_values_gives_its_words_only(tmp_path: Path) -> None:
    page = new_page()
    place_plot(page, (90, 100, 490, 340), lambda axes: axes.plot([0, 10, 20], [3, 1, 2]))
    text = read(page, tmp_path).text
    assert text == "0.0 2.5 5.0 7.5 10.0 12.5 15.0 17.5 20.0"


def test_panels_side_by_side_are_read_one_by_one(tmp_path: Path) -> None:
    page = new_page()
    place_plot(page, (72, 100, 292, 260), lambda axes: draw_bars(axes, [1, 3, 2]))
    place_plot(page, (302, 100, 522, 260), lambda axes: draw_bars(axes, [4, 6, 9]))
    page.insert_text((80, 272), "Figure 1. Two panels", fontsize=9)
    text = read(page, tmp_path).text
    assert "a: 1; b: 3; c: 2" in text
    assert "a: 4; b: 6; c: 9" in text


@pytest.mark.model
def test_a_chart_in_a_picture_is_read_by_ocr(tmp_path: Path) -> None:
    pytest.importorskip("rapidocr", reason="run: pip install 'rag-sandbox[embedded]'")
    page = new_page()
    place_plot(page, (90, 100, 490, 340), draw_years, kind="png")
    assert read(page, tmp_path).text.splitlines()[:2] == [
        "104: 29; 105: 14; 106: 37; 107: 141; 108: 90",
        "The highest is 107, with 141; the lowest is 105, with 14. "
        "(Computed from the printed values.)",
    ]


class Describer(BaseChatModel):
    """A vision model whose words come from a function of the message it was sent."""

    reply: Callable[[BaseMessage], str]

    @property
    def _llm_type(self) -> str:
        return "describer"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        message = AIMessage(self.reply(messages[0]))
        return ChatResult(generations=[ChatGeneration(message=message)])


def described(reply: Callable[[BaseMessage], str], folder: Path) -> Caption:
    page = new_page()
    page.insert_text((72, 84), "圖一 各區病例數", fontname="china-t", fontsize=11)
    add_level_bars(page, 100, {"東區": 29, "西區": 14, "南區": 51})
    figure = figure_of(page, folder)
    model = LangChainChat(Describer(reply=reply), name="scripted:vision", context_tokens=4096)
    return VisionCaptioner(model).caption(figure, folder / figure.image)


def test_a_description_is_marked_and_its_unprinted_words_flagged(tmp_path: Path) -> None:
    caption = described(lambda _: "長條圖顯示各區病例數，南區最多（51），人口密度為 77。", tmp_path)
    assert caption == Caption(
        text="長條圖顯示各區病例數，南區最多（51），人口密度為 77。",
        model_written=True,
        flagged=("人口密度", "77"),
    )


def test_the_model_gets_the_picture_and_the_caption_in_its_language(tmp_path: Path) -> None:
    sent: list[BaseMessage] = []

    def reply(message: BaseMessage) -> str:
        sent.append(message)
        return "南區最多。"

    described(reply, tmp_path)
    content: Any = sent[0].content
    assert content[0]["text"].startswith("請為看不到這張圖的讀者描述它")
    assert "<<<圖一 各區病例數>>>" in content[0]["text"]
    assert content[1]["image_url"]["url"].startswith("data:image/png;base64,iVBOR")


def test_an_empty_description_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ModelReplyError, match="scripted:vision said nothing about a figure"):
        described(lambda _: " ", tmp_path)


def test_a_broken_model_is_told_as_one(tmp_path: Path) -> None:
    def reply(_: BaseMessage) -> str:
        raise ValueError("no such picture format")

    with pytest.raises(ModelReplyError, match="scripted:vision"):
        described(reply, tmp_path)


def test_captioners_have_different_digests() -> None:
    model = LangChainChat(Describer(reply=str), name="scripted:vision", context_tokens=4096)
    assert OcrCaptioner().digest != VisionCaptioner(model).digest


@pytest.mark.parametrize(
    ("description", "printed", "flagged"),
    [
        ("The map shows population density.", "Cases per 100,000", ("population", "density")),
        ("A bar chart: 1,204 cases in the North.", "North 1204 Cases", ()),
        ("Values rise from 12.5 to 13.", "12.5 and 14", ("13",)),
        ("1. North: 29\n2. South: 14", "North 29 South 14", ()),
        ("这张图显示東區最多。", "東區 29", ()),
        ("颜色表示人口密度。", "每十萬人口病例數", ("密度",)),
        ("", "North 29", ()),
    ],
)
def test_words_that_are_not_in_the_figure_are_found(
    description: str, printed: str, flagged: tuple[str, ...]
) -> None:
    assert find_unprinted(description, printed) == flagged
