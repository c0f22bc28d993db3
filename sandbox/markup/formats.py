"""Numbers as people read them, and text without what no browser takes."""


def readable(text: str) -> str:
    """The text without what no UTF-8 file or browser takes: NUL, halves of characters."""
    return (
        text.replace("\x00", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode("utf-8")
    )


def number(value: float | None) -> str:
    """A score, a mean or a bound.

    >>> [number(value) for value in (0.8449, 41.26, None)]
    ['0.84', '41.3', '–']
    """
    if value is None:
        return "–"
    return f"{value:.{1 if abs(value) >= 10 else 2}f}"


def signed(value: float | None) -> str:
    """A difference.

    >>> signed(0.5), signed(-0.125), signed(None)
    ('+0.50', '−0.12', '–')
    """
    return "–" if value is None else f"{value:+.2f}".replace("-", "−")


def percent(value: float | None) -> str:
    """A share.

    >>> percent(0.625), percent(None)
    ('62 %', '–')
    """
    return "–" if value is None else f"{100 * value:.0f} %"


def span(low: float | None, high: float | None) -> str:
    """An interval of shares, empty where there is none.

    >>> span(0.405, 0.9)
    '40–90 %'
    """
    return "" if low is None or high is None else f"{100 * low:.0f}–{100 * high:.0f} %"


def count(number: int, noun: str) -> str:
    """A number with its noun, in the plural where it is one.

    >>> count(1, "page"), count(1200, "page")
    ('1 page', '1,200 pages')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
