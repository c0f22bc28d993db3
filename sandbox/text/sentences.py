"""Where sentences end, in Chinese and English."""

import re

STOPS = "。！？；!?;…"
"""End a sentence wherever they stand; a full stop does so only before a space."""

CLOSERS = "」』”’）)》"
"""Stay with the sentence that they close."""

_ABBREVIATIONS = ("Dr", "Mr", "Mrs", "Ms", "Prof", "St", "Fig", "Figs", "vs", "cf", "e.g", "i.e")
"""What a full stop shortens and hardly ever ends a sentence."""

_NOT_SHORT = "".join(rf"(?<!\b{re.escape(word)}[.]\s)" for word in _ABBREVIATIONS)
_NOT_NUMBERED = r"(?<!\bNo[.]\s(?=\d))"

SENTENCE_END = re.compile(
    rf"(?<=[{STOPS}])(?![{STOPS}{CLOSERS}])"
    rf"|(?<=[{STOPS}][{CLOSERS}])(?![{CLOSERS}])"
    rf"|(?<=[.]\s){_NOT_SHORT}{_NOT_NUMBERED}"
    r"|\n"
)
"""Where one sentence ends and the next begins."""

_ENDING = re.compile(rf"[{STOPS}.:：]['\"\]{CLOSERS}]*$")


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, in English or Chinese; a line break ends one as well.

    >>> split_sentences("他說：「好。」走了。 It cost 3.5 million. Then 4.")
    ['他說：「好。」', '走了。', 'It cost 3.5 million.', 'Then 4.']
    >>> split_sentences("Dr. Li (see Fig. 2) agreed. No. 7 did not.")
    ['Dr. Li (see Fig. 2) agreed.', 'No. 7 did not.']
    """
    return [piece.strip() for piece in SENTENCE_END.split(text) if piece.strip()]


def ends_sentence(line: str) -> bool:
    """True if a line ends as a sentence does, or with the colon before a list.

    >>> ends_sentence("共 403 例。」"), ends_sentence("Cases by year")
    (True, False)
    """
    return bool(_ENDING.search(line))
