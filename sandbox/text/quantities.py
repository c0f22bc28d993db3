"""Numbers in running text, read the way a person reads them, in Chinese and English.

Full-width digits, thousands separators, Chinese numerals (cn2an), small English number words,
percentages, dates and years of the Republic of China (民國) all come to one form, so that
"四百零三例" and "403 例" can be compared.
"""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

from sandbox.text.languages import CJK, fold_for_search

MARK = "\ue000"
"""Stands for a number in a reading's shape; a private character that no document should hold."""

GROUPED = r"\d{1,3}(?:,\d{3})+(?!\d)"
"""Digits with thousands separators."""

_DIGITS = rf"(?:{GROUPED}|\d+)(?:\.\d+)?"

REPUBLIC_OFFSET = 1911
"""Year 1 of the Republic of China is 1912."""

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = "|".join(f"{name}|{name[:3]}" for name in _MONTHS)
_TO_NINETEEN = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WORDS = {word: number for number, word in enumerate(_TO_NINETEEN, start=2)} | {
    word: 10 * number for number, word in enumerate(_TENS, start=2)
}
_SCALES = {"thousand": 10**3, "million": 10**6, "mio": 10**6, "billion": 10**9, "bn": 10**9}
_CHINESE_SCALES = {"千": 10**3, "万": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8}
_UNITS = (
    (r"(?:per ?cent|pct\.?|個百分點|个百分点)", "%"),
    (r"(?:cubic (?:meters?|metres?)|立方公尺|立方米)", "m3"),
    (r"(?:kilometers?|kilometres?|公里)", "km"),
    (r"(?:meters?|metres?|公尺)(?![a-z])", "m"),
    (r"euros?(?![a-z])", "eur"),
)
_CHINESE = "零〇一二三四五六七八九十百千萬万億亿兩两壹貳贰參叁肆伍陸陆柒捌玖拾佰仟點点廿"
_CHINESE_NUMERAL = re.compile(rf"(?:\d+(?:\.\d+)?)?[{_CHINESE}]*[{_CHINESE[:-2]}廿]")
_NUMBER = re.compile(
    r"(?P<republic>民国\s*(?:前\s*)?)?(?P<sign>(?<![\w)%\]])[-−]|[负負])?"
    rf"(?P<digits>(?<![a-z0-9_.])(?<![a-z]-){_DIGITS})"
    rf"(?P<scale>\s*(?:{'|'.join(_SCALES)})\b|(?:百万|千万|万|亿|千)(?![克瓦米]))?"
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a text."""

    value: Decimal
    """With its scale: 3500000 for "3.5 million", 2018 for "民國107年"."""

    written: Decimal
    """Without its scale: 3.5 for "3.5 million", 107 for "民國107年"."""

    def is_meant_by(self, other: "Number") -> bool:
        """True if somebody who writes the other may mean this one.

        A number without its scale stands for the scaled one, but not the other way around.
        """
        return self.value == other.value or (
            other.value == other.written and other.value == self.written
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Digits:
    """A number written in digits."""

    start: int
    """Where it begins in its text."""

    text: str
    value: Decimal


@dataclass(frozen=True, slots=True)
class Reading:
    """A text in which every number is a mark."""

    shape: str
    """The folded text (lower case, one Chinese script) with `MARK` for each number."""

    numbers: tuple[Number, ...]
    """The numbers in the order of their marks."""


def find_digits(text: str) -> tuple[Digits, ...]:
    """The numbers that stand in a text in digits, in order, without sign, scale and unit.

    >>> [number.text for number in find_digits("1,030 of 12.5 million, 2019")]
    ['1,030', '12.5', '2019']
    """
    return tuple(
        Digits(start=match.start(), text=match[0], value=_value(match[0]))
        for match in re.finditer(_DIGITS, text)
    )


def read(text: str) -> Reading:
    """The numbers of a text, and the text around them in a form that can be compared.

    >>> read("民國107年：共一萬五千例").numbers
    (Number(value=Decimal('2018'), written=Decimal('107')), Number(value=Decimal('15000'), \
written=Decimal('15000')))
    >>> read("on August 2nd, 2024") == read("on 2024-08-02")
    True
    """
    folded = _fold(text.replace(MARK, " "))
    numbers: list[Number] = []

    def mark(match: re.Match[str]) -> str:
        numbers.append(_number(match))
        return MARK

    shape = _NUMBER.sub(mark, folded)
    shape = re.sub(rf"\s*{MARK}\s*", MARK, shape)
    shape = re.sub(rf"(?<={MARK})(?:[-–—~至到]|\s*to\s*)(?={MARK})", "-", shape)
    shape = re.sub(rf"{MARK}eur(?![a-z])", f"eur{MARK}", shape)
    shape = re.sub(rf"(?<=[{CJK}])\s+|\s+(?=[{CJK}])", "", shape)
    return Reading(shape=re.sub(r"\s+", " ", shape).strip(), numbers=tuple(numbers))


def _fold(text: str) -> str:
    text = re.sub(r"(?<=\d)[\u00a0\u202f\u2009'’](?=\d{3}(?!\d))", ",", text)
    # A wide comma between ordinary digits separates the items of a list, not thousands.
    text = re.sub(r"(?<=[0-9])，(?=[0-9])", "、", text)
    text = fold_for_search(_words_to_digits(unicodedata.normalize("NFKC", text)).lower())
    text = re.sub(r"民国元年", "民国1年", text)
    text = _dates(_numerals(text)).replace("公元", "").replace("西元", "")
    text = re.sub(r"百分之\s*(\d+(?:\.\d+)?)", r"\1%", text)
    text = re.sub(r"\b(eur|usd|gbp|ntd|twd|nt)(?=\d)", r"\1 ", text.replace("€", " eur "))
    for written, unit in _UNITS:
        text = re.sub(written, unit, text)
    return re.sub(r"(?<=[\d.])\s+(?=%)", "", text)


def _words_to_digits(text: str) -> str:
    """English number words; "one" is left alone, because it is more often a pronoun."""
    pattern = rf"(?<![\w-])({'|'.join(_WORDS)})(?![\w-])"
    return re.sub(pattern, lambda match: str(_WORDS[match[1].lower()]), text, flags=re.IGNORECASE)


def _numerals(text: str) -> str:
    return _CHINESE_NUMERAL.sub(lambda match: _from_chinese(match[0]), text)


def _from_chinese(numeral: str) -> str:
    """Digits of a Chinese numeral; what is none ("千", "百萬") stays as it is."""
    import cn2an

    prefix = re.match(r"\d+(?:\.\d+)?", numeral)
    if prefix and numeral[prefix.end() :] in _CHINESE_SCALES:
        return numeral  # read with its scale, so that "1.5萬" is also 1.5
    if re.fullmatch(r"[百千万亿点]+|[一二三四五六七八九两]{2}", numeral):
        return numeral  # no numeral, or an approximation: "千", "五六人", "萬一"
    try:
        return format(Decimal(str(cn2an.cn2an(numeral, "smart"))), "f")
    except ValueError:
        return numeral


def _dates(text: str) -> str:
    """English and ISO dates in the order year, month, day with 年, 月 and 日."""
    month, day, year = rf"(?P<m>{_MONTH})\.?", r"(?P<d>\d{1,2})(?:st|nd|rd|th)?", r"(?P<y>\d{4})"
    end = r"(?![\w])"
    for pattern in (
        rf"\b{day}(?: of)?[ -]{month}{end}(?:,?[ -]{year}\b)?",
        rf"\b{month} (?:the )?{day}{end}(?:,? {year}\b)?",
        rf"\b{month},? (?:of )?{year}\b",
        r"\b(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})\b",
    ):
        text = re.sub(pattern, _date, text)
    # "may" alone is more often a verb.
    alone = "|".join(name for name in _MONTHS if name != "may")
    return re.sub(rf"\b(?P<m>{alone})\b|(?<=\bin )(?P<may>may)\b", _date, text)


def _date(match: re.Match[str]) -> str:
    parts = {name: part for name, part in match.groupdict().items() if part}
    month = parts.get("m") or parts["may"]
    if not month.isdigit():
        month = str([name[:3] for name in _MONTHS].index(month[:3]) + 1)
    year = f"{parts['y']}年" if "y" in parts else ""
    day = f"{int(parts['d'])}日" if "d" in parts else ""
    return f"{year}{int(month)}月{day}"


def _value(digits: str) -> Decimal:
    return Decimal(digits.replace(",", ""))


def _number(match: re.Match[str]) -> Number:
    written = _value(match["digits"])
    if match["sign"]:
        written = -written
    if match["republic"]:
        before = "前" in match["republic"]
        offset = REPUBLIC_OFFSET
        return Number(offset + 1 - written if before else offset + written, written)
    scale = (match["scale"] or "").strip()
    factor = _SCALES.get(scale) or _CHINESE_SCALES.get(scale) or 1
    return Number(written * factor, written)
