"""Characters as PDFs hold them, made into the text a reader sees.

Joining lines and undoing hyphenation is the chunker's work.
"""

import re
import unicodedata

from sandbox.text.languages import WIDE

_DROPPED_CATEGORIES = frozenset({"Cc", "Cs", "Cn"})
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_COMPATIBLE = re.compile(
    "[\u2e9f\u2ef3\u2f00-\u2fd5\uf900-\ufaff\ufb00-\ufb06\U0002f800-\U0002fa1f]"
)
"""Radicals and compatibility ideographs that look like ordinary characters, and ligatures."""

_RADICALS = str.maketrans(
    "⺟⺠⺫⻁⻄⻅⻆⻉⻋⻌⻑⻓⻔⻘⻚⻛⻜⻝⻢⻣⻤⻥⻦⻧⻨⻩⻬⻮⻰⻳",
    "母民罒虎西见角贝车辶長长门青页风飞食马骨鬼鱼鸟卤麦黄齐齿龙龟",
)
"""Radicals of the CJK supplement, to which Unicode gives no decomposition."""

_SYMBOLS = str.maketrans(
    {
        **dict.fromkeys("\uf06c\uf06e\uf071\uf076\uf0a7\uf0a8\uf0b7\uf0d8", "•"),
        "\uf0fb": "✘",
        "\uf0fc": "✔",
    }
)
"""Signs of the fonts Symbol and Wingdings: those that begin list items, a cross and a tick."""

_SUPERSCRIPTS = str.maketrans("0123456789+-−()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁿ")
_CJK_CHARACTER = re.compile(f"[{WIDE}]")
_BLANK_IN_CJK = re.compile(f"(?<=[{WIDE}]) +(?=[{WIDE}])")
_LEADERS = re.compile(r"\s?(?:[.·…‥]\s?){5,}")
_SPACED_OUT_SHARE = 0.6  # of the gaps between Chinese characters that hold a blank
_SPACED_OUT_BLANKS = 3  # fewer blanks are an indent or a list
_SOFT_HYPHEN = "\u00ad"


def clean_text(text: str) -> str:
    r"""One line of text without invisible characters, its blanks single and ordinary.

    A soft hyphen at the end of the line becomes a hyphen, elsewhere it is dropped.

    >>> clean_text("ﬁnal\xa0 sta\xadtus\x00 of ⼈⼝ exam\xad")
    'final status of 人口 exam-'
    """
    if text.isascii() and text.isprintable():
        return _shorten_leaders(text)
    if text.rstrip().endswith(_SOFT_HYPHEN):
        text = text.rstrip()[:-1] + "-"
    text = _INVISIBLE.sub("", re.sub(r"\s", " ", text))
    text = _COMPATIBLE.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)
    text = text.translate(_RADICALS).translate(_SYMBOLS)
    text = "".join(c for c in text if unicodedata.category(c) not in _DROPPED_CATEGORIES)
    return _close_up(_shorten_leaders(text))


def superscript(text: str) -> str:
    """Digits and signs as raised characters, so that a footnote mark is no part of a number.

    >>> "1,204" + superscript("3")
    '1,204³'
    """
    raised = text.strip().translate(_SUPERSCRIPTS)
    return raised if all(c in "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ" for c in raised) else text


def count_garbage(text: str) -> int:
    """Count characters without a meaning: replacement, private, unassigned or control ones."""
    if text.isascii() and text.isprintable():
        return 0
    text = text.translate(_SYMBOLS)
    return sum(
        c == "\ufffd" or unicodedata.category(c) in ("Co", "Cn", "Cc")
        for c in text
        if c not in "\t\n"
    )


def is_cjk(character: str) -> bool:
    """Whether a character is Chinese or Japanese, punctuation included."""
    return bool(_CJK_CHARACTER.match(character))


def text_width(text: str) -> int:
    """Length in Latin characters: one Chinese character is as wide as two.

    >>> text_width("圖 2")
    4
    """
    return len(text) + len(_CJK_CHARACTER.findall(text))


def join(left: str, right: str, *, apart: bool) -> str:
    """Two pieces of one line; no blank between Chinese characters that stand close.

    >>> join("二、", "預算核定", apart=False), join("Table", "3", apart=True)
    ('二、預算核定', 'Table 3')
    """
    if not left or not right:
        return left or right
    return f"{left} {right}" if apart else left + right


def _shorten_leaders(text: str) -> str:
    """Single blanks, and the dots that lead to a page number shortened to one sign."""
    return _LEADERS.sub(" … ", " ".join(text.split())).strip()


def _close_up(text: str) -> str:
    """Drop the blanks of a Chinese line that is set with one after every character."""
    blanks = len(_BLANK_IN_CJK.findall(text))
    if blanks >= _SPACED_OUT_BLANKS and blanks > _SPACED_OUT_SHARE * (
        len(_CJK_CHARACTER.findall(text)) - 1
    ):
        return _BLANK_IN_CJK.sub("", text)
    return text
