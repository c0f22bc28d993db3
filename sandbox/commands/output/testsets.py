"""Test sets as JSON documents and as lines: doubts and drafts."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from sandbox.testsets.cases import TestCase
from sandbox.testsets.check import Doubt
from sandbox.testsets.drafts import Drafts


def check_to_json(cases: Sequence[TestCase], doubts: Sequence[Doubt]) -> dict[str, Any]:
    """What `sandbox testset check` found."""
    return {
        "cases": len(cases),
        "verified": sum(case.verified for case in cases),
        "unanswerable": sum(not case.answerable for case in cases),
        "doubts": [asdict(doubt) for doubt in doubts],
        "warnings": [doubt.sentence for doubt in doubts],
    }


def check_to_lines(cases: Sequence[TestCase], doubts: Sequence[Doubt]) -> Iterator[str]:
    """The same for a person."""
    verified = sum(case.verified for case in cases)
    silent = sum(not case.answerable for case in cases)
    yield f"{len(cases)} cases, {verified} verified, {silent} unanswerable"
    yield from (f"- {doubt.sentence}" for doubt in doubts)
    if not doubts:
        yield "nothing doubtful"


def drafts_to_json(drafts: Drafts) -> dict[str, Any]:
    """What `sandbox testset draft` kept and dropped."""
    return {
        "drafted": [asdict(case) for case in drafts.cases],
        "dropped": [asdict(draft) for draft in drafts.dropped],
    }


def drafts_to_lines(drafts: Drafts) -> Iterator[str]:
    """The same for a person."""
    for case in drafts.cases:
        yield f"p. {case.relevant_pages[0]}: {case.question} {case.reference}"
    yield (
        f"{len(drafts.cases)} kept, {len(drafts.dropped)} dropped; none counts before you have"
        " compared it with its page and set verified to true"
    )
    for draft in drafts.dropped:
        yield f"dropped (p. {draft.page}): {draft.question or 'the page'}: {draft.reason}"
