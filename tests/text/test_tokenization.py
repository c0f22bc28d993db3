from sandbox.text.tokenization import estimate_embedding_tokens, tokenize


def test_latin_words_numbers_and_codes_stay_whole() -> None:
    terms = tokenize("CDC reported PM2.5 of 65 at 10.7.0.9 under code BLUE-HERON-4471")
    for whole in ("cdc", "pm2.5", "65", "10.7.0.9", "blue-heron-4471"):
        assert whole in terms


def test_chinese_is_cut_into_characters_and_bigrams() -> None:
    assert tokenize("罰鍰") == ["罚", "锾", "罚锾"]


def test_a_number_is_the_same_with_and_without_thousands_separators() -> None:
    assert tokenize("1,030 例") == tokenize("1030 例") == ["1030", "例"]


def test_full_width_forms_are_folded() -> None:
    assert tokenize("ＰＭ２．５") == tokenize("PM2.5")


def test_traditional_and_simplified_text_meet_in_one_form() -> None:
    assert tokenize("印表機的硬碟") == tokenize("打印机的硬盘")


def test_english_words_meet_in_their_stem() -> None:
    assert tokenize("vaccines stored") == tokenize("vaccine storing")


def test_a_hyphenated_word_is_found_by_its_parts() -> None:
    assert set(tokenize("freeze dried")) < set(tokenize("freeze-dried"))


def test_latin_beside_chinese_is_separated() -> None:
    assert tokenize("e抗原")[:2] == ["e", "抗"]


def test_text_without_letters_or_digits_has_no_terms() -> None:
    assert tokenize("。、！ -- \n") == []


def test_a_chinese_character_counts_as_one_model_token() -> None:
    assert estimate_embedding_tokens("病例 12") == 3
