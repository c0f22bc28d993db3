import pytest

from sandbox.text.languages import convert_to_script, detect_language, fold_for_search


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("哪一年病例最多？", "zh-Hant"),
        ("打印机的硬盘报废前要消磁几次？", "zh-Hans"),
        ("Which year had the most cases?", "en"),
        ("What does 圖二 show in the annual report?", "en"),
        ("", "en"),
    ],
)
def test_the_language_of_a_question_is_recognized(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_a_simplified_answer_is_put_in_traditional_script_with_the_words_used_there() -> None:
    assert convert_to_script("服务器在周五更新", "zh-Hant") == "伺服器在週五更新"


def test_a_traditional_answer_is_left_as_it_is() -> None:
    assert (
        convert_to_script("他在這裡只有一里路，皇后之後", "zh-Hant")
        == "他在這裡只有一里路，皇后之後"
    )


def test_a_single_simplified_character_in_a_traditional_answer_is_put_right() -> None:
    assert convert_to_script("鹿鳴区位於雲汀市，皇后里", "zh-Hant") == "鹿鳴區位於雲汀市，皇后里"


def test_english_is_never_converted() -> None:
    assert convert_to_script("38 cases [1]", "zh-Hans") == "38 cases [1]"


def test_both_scripts_share_one_search_form() -> None:
    assert fold_for_search("伺服器軟體") == fold_for_search("服务器软件")
