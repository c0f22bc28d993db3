"""Questions with their answers in what a language model replied.

Small models put words around the JSON, nest it, or are cut off in it; every whole object is used.
"""

import json
from collections.abc import Iterator
from typing import Any


def read_pairs(reply: str) -> Iterator[tuple[str, str]]:
    """Each question with its answer, whatever stands around the JSON or is cut off.

    >>> list(read_pairs('Sure: [{"question": "Who?", "answer": "Ann"}, {"ques'))
    [('Who?', 'Ann')]
    """
    decoder = json.JSONDecoder(strict=False)
    place = reply.find("{")
    while place >= 0:
        try:
            value, end = decoder.raw_decode(reply, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            yield from _pairs(value)
        place = reply.find("{", end)


def _pairs(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        for item in value:
            yield from _pairs(item)
    elif isinstance(value, dict):
        question = value.get("question", value.get("問題", value.get("问题")))
        answer = value.get("answer", value.get("reference", value.get("答案")))
        if isinstance(question, str) and isinstance(answer, str | int | float):
            yield question.strip(), str(answer).strip()
        else:
            for item in value.values():
                yield from _pairs(item)
