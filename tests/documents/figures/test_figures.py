"""Figures are found, cut out whole, and nothing else is taken for one."""

from pathlib import Path
from typing import Any

import pymupdf
import pytest

from sandbox.documents.figures.extract import FiguresOnPage, drop_repeated, extract_figures
from sandbox.records import Box, Figure, Page
from tests.documents.chart_pages import (
    PROSE,
    add_level_bars,
    add_prose,
    add_upright_bars,
    new_page,
    picture,
    place_plot,
    reopened,
)


def extracted(page: pymupdf.Page, folder: Path, number: int = 1) -> FiguresOnPage:
    return extract_figures(reopened(page), number, folder)


def words(figure: Figure) -> list[str]:
    return [word.text for word in figure.words]


def test_bars_without_an_axis_are_one_figure_with_their_labels(tmp_path: Path) -> None:
    page = new_page()
    end = add_prose(page, 72)
    page.insert_text((72, end + 24), "圖一 各區病例數", fontname="china-t", fontsize=11)
    add_level_bars(page, end + 40, {"東區": 29, "西區": 14, "南區": 51})
    add_prose(page, end + 130)
    (figure,) = extracted(page, tmp_path).figures
    assert figure.kind == "vector"
    assert figure.caption == "圖一 各區病例數"
    assert words(figure) == ["東區", "29", "西區", "14", "南區", "51"]


def test_the_crop_ends_between_the_paragraphs_around_the_chart(tmp_path: Path) -> None:
    page = new_page()
    end = add_prose(page, 72)
    add_upright_bars(page, 90, end + 120, {"一月": 12, "二月": 25, "三月": 9})
    after = end + 150
    add_prose(page, after)
    (figure,) = extracted(page, tmp_path).figures
    assert end <= figure.box.top < end + 45
    assert end + 132 <= figure.box.bottom <= after
    assert words(figure) == ["一月", "12", "二月", "25", "三月", "9"]


def test_text_beside_a_chart_in_the_other_column_stays_out(tmp_path: Path) -> None:
    page = new_page()
    add_prose(page, 72, left=72, right=285)
    add_upright_bars(page, 72, 350, {"Jan": 12, "Feb": 18, "Mar": 25, "Apr": 9})
    add_prose(page, 72, left=300, right=523)
    add_prose(page, 270, left=300, right=523)
    (figure,) = extracted(page, tmp_path).figures
    assert words(figure) == ["Jan", "12", "Feb", "18", "Mar", "25", "Apr", "9"]


def test_a_plotted_chart_keeps_its_title_scale_and_axis_name(tmp_path: Path) -> None:
    def draw(axes: Any) -> None:
        axes.plot([1, 2, 3, 4], [3, 1, 4, 2])
        axes.set_title("Weekly visits")
        axes.set_ylabel("visits")
        axes.set_xlabel("week")

    page = new_page()
    place_plot(page, (90, 100, 490, 340), draw)
    (figure,) = extracted(page, tmp_path).figures
    assert {"Weekly visits", "visits", "week", "4.0"} <= set(words(figure))


@pytest.mark.parametrize("kind", ["box plot", "scatter", "pie", "histogram"])
def test_other_kinds_of_plots_are_figures(kind: str, tmp_path: Path) -> None:
    def draw(axes: Any) -> None:
        if kind == "box plot":
            axes.boxplot([[1, 2, 3, 4, 9], [2, 3, 4, 5, 6]])
        elif kind == "scatter":
            axes.scatter([1, 5, 2, 8, 6, 3, 7], [3, 6, 1, 2, 8, 5, 7], s=9)
        elif kind == "pie":
            axes.pie([40, 30, 30], labels=["North", "South", "East"], autopct="%d%%")
        else:
            axes.hist([1, 1, 2, 2, 2, 3, 3, 4], bins=4)

    page = new_page()
    end = add_prose(page, 72)
    place_plot(page, (90, end + 10, 490, end + 250), draw)
    add_prose(page, end + 270)
    assert [figure.kind for figure in extracted(page, tmp_path).figures] == ["vector"]


def test_a_flow_diagram_is_a_figure(tmp_path: Path) -> None:
    page = new_page()
    for index, step in enumerate(("Report received", "Check by officer", "Publish")):
        left = 80 + 150 * index
        page.draw_rect((left, 200, left + 110, 240))
        page.insert_text((left + 10, 223), step, fontsize=10)
        if index < 2:
            page.draw_line((left + 110, 220), (left + 150, 220))
    (figure,) = extracted(page, tmp_path).figures
    assert words(figure) == ["Report received", "Check by officer", "Publish"]


def test_tables_boxes_bullets_and_frames_are_no_figures(tmp_path: Path) -> None:
    page = new_page()
    page.draw_rect((30, 30, 565, 812))
    page.draw_line((72, 60), (523, 60))
    for row in range(6):
        top = 80 + 18 * row
        shade = (0.85, 0.9, 0.95) if row % 2 == 0 else None
        page.draw_rect((72, top, 523, top + 18), color=None, fill=shade)
        for column, text in enumerate((f"District {row}", f"{37 * row}", f"{3.7 * row:.1f}")):
            page.insert_text((76 + 150 * column, top + 12), text, fontsize=9)
    for row in range(4):
        for column in range(4):
            left, top = 72 + 100 * column, 210 + 18 * row
            page.draw_rect((left, top, left + 100, top + 18), fill=(0.8, 0.9, 0.8))
            page.insert_text((left + 5, top + 12), str(row * column), fontsize=9)
    page.draw_rect((72, 300, 523, 380), color=None, fill=(0.93, 0.93, 0.85))
    page.draw_rect((72, 300, 76, 380), color=None, fill=(0.7, 0.3, 0.2))
    page.insert_textbox((84, 306, 515, 378), PROSE[:150], fontsize=12)
    page.draw_rect((72, 400, 523, 480), radius=0.1)
    page.insert_textbox((84, 408, 515, 476), PROSE[:200], fontsize=10)
    for row in range(6):
        page.draw_circle((80, 504 + 16 * row), 2.5, fill=(0, 0, 0))
        page.insert_text((90, 508 + 16 * row), "A point of the meeting", fontsize=10)
        page.draw_polyline([(300, 504 + 16 * row), (303, 508 + 16 * row), (310, 499 + 16 * row)])
        page.insert_text((316, 508 + 16 * row), "A task that was done", fontsize=10)
    assert extracted(page, tmp_path).figures == ()


def test_a_rule_beside_numbered_lines_is_no_figure(tmp_path: Path) -> None:
    page = new_page()
    page.draw_line((96, 100), (96, 440))
    for number in range(1, 18):
        page.insert_text((78, 90 + 20 * number), str(number), fontsize=10)
        page.insert_text((110, 90 + 20 * number), "Q. And then you left the bridge?", fontsize=10)
    assert extracted(page, tmp_path).figures == ()


def test_an_ornament_without_text_is_no_figure(tmp_path: Path) -> None:
    page = new_page()
    page.draw_circle((300, 300), 60, color=None, fill=(1, 0.8, 0.2))
    page.insert_text((72, 600), "Annual report", fontsize=30)
    assert extracted(page, tmp_path).figures == ()


def test_two_charts_side_by_side_keep_their_own_captions(tmp_path: Path) -> None:
    page = new_page()
    end = add_prose(page, 72)
    for index in range(2):
        left = 72 + 230 * index
        place_plot(
            page, (left, end, left + 220, end + 160), lambda axes: axes.bar("abc", [1, 3, 2])
        )
        page.insert_text((left + 8, end + 172), f"Figure {index + 1}. Panel {index}", fontsize=9)
    assert [figure.caption for figure in extracted(page, tmp_path).figures] == [
        "Figure 1. Panel 0",
        "Figure 2. Panel 1",
    ]


def test_panels_over_one_caption_are_one_figure(tmp_path: Path) -> None:
    page = new_page()
    for index in range(2):
        left = 72 + 230 * index
        place_plot(page, (left, 100, left + 220, 260), lambda axes: axes.bar("abc", [1, 3, 2]))
    page.insert_text((80, 272), "Figure 1. Two panels", fontsize=9)
    (figure,) = extracted(page, tmp_path).figures
    assert figure.caption == "Figure 1. Two panels"


def test_a_page_of_very_many_paths_is_read_quickly(tmp_path: Path) -> None:
    page = new_page()
    shape = page.new_shape()
    for index in range(25_000):
        x, y = 100 + (index % 250) * 1.5, 200 + (index // 250) * 2.0
        shape.draw_line((x, y), (x + 1, y + 1.5))
        shape.finish()
    shape.commit()
    add_prose(page, 72)
    (figure,) = extracted(page, tmp_path).figures
    assert figure.box.top == pytest.approx(195, abs=10)
    assert figure.words == ()


def logo_page(number: int, folder: Path, color: tuple[int, int, int]) -> Page:
    made = picture(color).tobytes("png")
    (folder / f"{number}.png").write_bytes(made)
    box = Box(page=number, left=300, top=100, right=400, bottom=160)
    figure = Figure(box=box, kind="raster", image=f"{number}.png")
    return Page(number=number, width=595, height=842, source="text layer", figures=(figure,))


def test_a_logo_on_every_page_is_dropped_with_its_file(tmp_path: Path) -> None:
    pages = [logo_page(number, tmp_path, (0, 0, 200)) for number in (1, 2, 3, 4)]
    kept = drop_repeated(pages, tmp_path)
    assert [page.figures for page in kept] == [(), (), (), ()]
    assert list(tmp_path.iterdir()) == []


def test_different_pictures_at_one_place_are_kept(tmp_path: Path) -> None:
    pages = [logo_page(number, tmp_path, (0, 0, 40 * number)) for number in (1, 2, 3, 4)]
    assert drop_repeated(pages, tmp_path) == tuple(pages)
