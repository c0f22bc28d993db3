"""How other programs write texts, lists of texts and numbers into JSON and CSV.

A list in a CSV cell may be JSON or Python, a missing number NaN, null or nothing.
"""

import ast
import io
import json
import math
import re
import tokenize
from collections.abc import Sequence

_MISSING = frozenset({"", "nan", "none", "null", "n/a", "na", "<na>", "-"})
_FLOAT = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_TEXT_KEYS = ("content", "text", "page_content", "chunk", "document")
_ROLE_KEYS = ("role", "type", "speaker")


def is_missing(value: object) -> bool:
    """True for nothing, and for how programs write that into a cell."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return True
    return isinstance(value, str) and value.strip().lower() in _MISSING


def number(value: object) -> float | None:
    """The finite number a value is or states; ``None`` if it does not.

    >>> number("0.5"), number(True), number("NaN"), number("1,5"), number([1])
    (0.5, 1.0, None, None, None)
    """
    if isinstance(value, str):
        written = value.strip()
        if written.lower() in ("true", "false"):
            return float(written.lower() == "true")
        return _finite(float(written)) if _FLOAT.fullmatch(written) else None
    if isinstance(value, bool | int | float):
        try:
            return _finite(float(value))
        except OverflowError:
            return None
    return None


def is_column_of_numbers(values: Sequence[object]) -> bool:
    """True if at least half of what stands there are numbers."""
    there = [value for value in values if not is_missing(value)]
    numbers = sum(number(value) is not None for value in there)
    return bool(numbers) and 2 * numbers >= len(there)


def text(value: object) -> str:
    """A value as text; nothing, and NaN, are empty, a list is its lines."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, list | tuple):
        return "\n".join(filter(None, map(text, value)))
    if isinstance(value, dict):
        return next((text(value[key]) for key in _TEXT_KEYS if key in value), json.dumps(value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def texts(value: object) -> tuple[str, ...]:
    """Contexts as texts: a list, a list written as JSON or Python, or one text.

    >>> texts('["a", "b"]'), texts("['a', 'b']"), texts("plain"), texts(None)
    (('a', 'b'), ('a', 'b'), ('plain',), ())
    """
    listed = _listed(value)
    if listed is None:
        return () if is_missing(value) else (text(value),)
    return tuple(filter(None, map(text, listed)))


def turns(value: object) -> str:
    """A question; earlier turns of a conversation stand before it, one a line."""
    listed = _listed(value)
    spoken = [turn for turn in listed or () if isinstance(turn, dict)]
    if not spoken or len(spoken) != len(listed or ()):
        return "" if is_missing(value) else text(value)
    if len(spoken) == 1:
        return text(spoken[0])
    lines = []
    for turn in spoken:
        role = next((str(turn[key]) for key in _ROLE_KEYS if key in turn), "")
        lines.append(f"{role}: {text(turn)}" if role else text(turn))
    return "\n".join(lines)


def _listed(value: object) -> list[object] | None:
    """The list that a value is or states; ``None`` if it is no list."""
    if isinstance(value, list | tuple):
        return list(value)
    if not isinstance(value, str) or not value.strip().startswith("["):
        return None
    for read in (json.loads, _numpy_strings, ast.literal_eval):
        try:
            listed = read(value.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError, tokenize.TokenError):
            continue
        return listed if isinstance(listed, list) else None
    return None


def _numpy_strings(written: str) -> list[object]:
    """An array of strings as numpy prints it: no commas, which Python would join into one string.

    Raises:
        ValueError: If it is anything else.
    """
    blank = (tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER)
    tokens = [
        token
        for token in tokenize.generate_tokens(io.StringIO(written).readline)
        if token.type not in blank
    ]
    strings = tokens[1:-1]
    if len(strings) < 2 or any(token.type != tokenize.STRING for token in strings):
        raise ValueError("not an array of strings")
    return [ast.literal_eval(token.string) for token in strings]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
