"""Labelling as JSON documents and as lines for a terminal."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from sandbox.evaluation.labelling.agreement import Agreement, describe_agreement
from sandbox.evaluation.labelling.next_labels import Proposal
from sandbox.evaluation.labelling.session import LabelCounts, TwoLabellers
from sandbox.evaluation.runs.cells import CellView
from sandbox.evaluation.runs.records import Label

KEYS = "r right · w wrong · u unsure · s skip · c chunks · z undo · q quit"


def counts_to_json(counts: LabelCounts) -> dict[str, Any]:
    """How far labelling has come."""
    return {
        "labels": {"right": counts.right, "wrong": counts.wrong, "unsure": counts.unsure},
        "labelled": counts.labelled,
        "cells": counts.cells,
        "accepted_suggestions": counts.accepted,
    }


def describe_counts(counts: LabelCounts) -> str:
    """The same for a person."""
    accepted = f", {counts.accepted} of them accepted suggestions" if counts.accepted else ""
    return (
        f"{counts.labelled} of {counts.cells} answers labelled: {counts.right} right,"
        f" {counts.wrong} wrong, {counts.unsure} unsure{accepted}"
    )


def next_to_json(proposals: Sequence[Proposal], counts: LabelCounts) -> dict[str, Any]:
    """What to label next."""
    return {"next": [_proposal(proposal) for proposal in proposals], **counts_to_json(counts)}


def next_to_lines(proposals: Sequence[Proposal], counts: LabelCounts) -> Iterator[str]:
    """The same for a person."""
    for proposal in proposals:
        yield from describe_cell(proposal.cell)
        yield f"  because   {proposal.reason}"
    if not proposals:
        yield "nothing is left to label"
    yield describe_counts(counts)


def describe_cell(cell: CellView) -> Iterator[str]:
    """An answer with what helps to label it."""
    yield f"{cell.run} · {cell.case.id}"
    yield f"  question  {_indented(cell.case.question)}"
    yield f"  answer    {_indented(cell.text)}"
    yield f"  reference {_indented(cell.case.reference)}"
    if cell.case.accepted_answers:
        yield f"  accepted  {' | '.join(cell.case.accepted_answers)}"
    yield f"  suggested {cell.suggestion.value}: {cell.suggestion.reason}"


def describe_chunks(cell: CellView) -> Iterator[str]:
    """The chunks that the answer was made from."""
    for item in cell.retrieved:
        chunk = item.chunk
        yield f"  [{item.rank}] {chunk.document} p. {chunk.page} {chunk.kind}"
        yield f"            {_indented(chunk.text)}"


def label_to_json(run: str, label: Label) -> dict[str, Any]:
    """A label that was given."""
    return {
        "labelled_now": {
            "run": run,
            "configuration": label.configuration,
            "case": label.case,
            "label": label.value,
            "labeller": label.labeller,
            "source": label.source,
        }
    }


def labellers_to_json(pairs: Sequence[TwoLabellers]) -> dict[str, Any]:
    """How far each two labellers agree."""
    document = agreements_to_json([pair.agreement for pair in pairs])
    for entry, pair in zip(document["agreements"], pairs, strict=True):
        entry["labellers"] = [pair.first, pair.second]
    return document


def labellers_to_lines(pairs: Sequence[TwoLabellers]) -> Iterator[str]:
    """The same for a person."""
    if not pairs:
        yield "only one person has labelled; let a second one label with --second --by NAME"
    for pair in pairs:
        sentence, *details = agreements_to_lines([pair.agreement])
        yield f"{pair.first} and {pair.second}, {sentence}"
        yield from details


def agreements_to_json(agreements: Sequence[Agreement]) -> dict[str, Any]:
    """How far two files agree, an entry for each thing compared."""
    return {
        "agreements": [
            {**asdict(agreement), "warning": agreement.warning} for agreement in agreements
        ],
        "warnings": [agreement.warning for agreement in agreements if agreement.warning],
    }


def agreements_to_lines(agreements: Sequence[Agreement]) -> Iterator[str]:
    """The same for a person."""
    for agreement in agreements:
        yield describe_agreement(agreement)
        if agreement.disagreements:
            yield f"  differ on: {', '.join(agreement.disagreements[:20])}"
        if agreement.warning:
            yield f"  {agreement.warning}"


def _proposal(proposal: Proposal) -> dict[str, Any]:
    cell = proposal.cell
    return {
        "run": cell.run,
        "configuration": cell.configuration,
        "case": cell.case.id,
        "question": cell.case.question,
        "answer": cell.text,
        "refused": cell.answer is not None and cell.answer.refused,
        "reference": cell.case.reference,
        "accepted_answers": list(cell.case.accepted_answers),
        "suggestion": cell.suggestion.value,
        "suggestion_reason": cell.suggestion.reason,
        "reason": proposal.reason,
        "chunks": [
            {
                "rank": item.rank,
                "document": item.chunk.document,
                "page": item.chunk.page,
                "kind": item.chunk.kind,
                "text": item.chunk.text,
            }
            for item in cell.retrieved
        ],
    }


def _indented(text: str) -> str:
    return text.strip().replace("\n", "\n            ")
