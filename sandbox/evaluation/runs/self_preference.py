"""Whether a judge judges its own answers, which it may prefer, and who else could judge.

Leaves out which models there are.
"""

import re
from collections.abc import Iterable, Sequence


def self_preference(judge: str, answering: Iterable[str], available: Sequence[str]) -> str:
    """A warning, with the judges to choose instead; empty where the judge is another model.

    >>> self_preference("ollama:a-judge", ["ollama:a"], ["ollama:b"]).partition("; ")[2]
    'choose another judge, such as ollama:b'
    >>> self_preference("ollama:b", ["ollama:a"], ["ollama:a", "ollama:b"])
    ''

    Args:
        judge: The judging model.
        answering: The models that answer.
        available: Models on this machine that can judge.
    """
    own = {weights(name) for name in answering}
    if weights(judge) not in own:
        return ""
    others = [name for name in available if weights(name) not in own]
    there = f"such as {', '.join(others)}" if others else "but no other is on this machine"
    return f"{judge} judges its own answers, which it may prefer; choose another judge, {there}"


def weights(name: str) -> str:
    """What tells the weights of a model: a judge made from it has them too.

    >>> weights("ollama:llama3.1-judge:latest"), weights("ollama:llama3.1")
    ('ollama:llama3.1', 'ollama:llama3.1')
    """
    return re.sub("-judge(?=:|$)", "", name).removesuffix(":latest")
