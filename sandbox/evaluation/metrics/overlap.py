"""How much two texts have in common, counted in tokens; Chinese counts by character.

Pure functions. Citations such as [2] are no part of a text.
"""

import re
from collections import Counter

from rapidfuzz.distance import LCSseq

from sandbox.text.citation_marks import strip_citations
from sandbox.text.languages import CJK, HANGUL, KANA
from sandbox.text.tokenization import tokenize

_BIGRAM = re.compile(f"[{CJK}{KANA}{HANGUL}]{{2}}")


def terms(text: str) -> list[str]:
    """Stemmed words, numbers and single characters, in order.

    >>> terms("2019 年有 1,030 例 [1]")
    ['2019', '年', '有', '1030', '例']
    """
    return [term for term in tokenize(strip_citations(text)) if not _BIGRAM.fullmatch(term)]


def share_found(phrase: str, text: str) -> float | None:
    """Share of the distinct index terms (words, characters, bigrams) that also stand in the text.

    >>> share_found("twelve wards", "There are twelve of them")
    0.5

    Returns:
        A value in [0, 1], or ``None`` if `phrase` holds no term.
    """
    asked = set(tokenize(strip_citations(phrase)))
    return len(asked & set(tokenize(text))) / len(asked) if asked else None


def token_f1(answer: str, reference: str) -> float | None:
    """Harmonic mean of precision and recall of the answer's terms, repetitions counted.

    >>> token_f1("nine wards", "There are nine wards")
    0.6666666666666666

    Returns:
        A value in [0, 1], or ``None`` if the reference holds no term.

    Source:
        Rajpurkar et al. (2016), "SQuAD: 100,000+ Questions for Machine Comprehension of Text";
        stop words stay in, since that list is English.
    """
    given, expected = terms(answer), terms(reference)
    common = sum((Counter(given) & Counter(expected)).values())
    return _f1(common, len(given), len(expected))


def rouge_l(answer: str, reference: str) -> float | None:
    """F1 over the longest common subsequence of terms.

    >>> round(rouge_l("the gunman killed police", "police killed the gunman"), 3)
    0.5

    Returns:
        A value in [0, 1], or ``None`` if the reference holds no term.

    Source:
        Lin (2004), "ROUGE: A Package for Automatic Evaluation of Summaries", with precision and
        recall weighed alike as in the package rouge-score, which drops Chinese.
    """
    given, expected = terms(answer), terms(reference)
    return _f1(LCSseq.similarity(given, expected), len(given), len(expected))


def _f1(common: int, given: int, expected: int) -> float | None:
    return 2 * common / (given + expected) if expected else None
