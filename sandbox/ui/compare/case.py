"""HTML of what a click opens on the Compare tab: a case under two runs, the cases of a diagnosis.

Leaves out the sections that are clicked (pair.py, findings.py).
"""

from sandbox.evaluation.comparison.records import Comparison, PairComparison, PairedCase
from sandbox.markup.markup import escape
from sandbox.testsets.cases import TestCase
from sandbox.ui.compare.sides import answers_html, chunks_html, column_of
from sandbox.ui.evaluate.detail import CLOSE
from sandbox.ui.evaluate.parts import target


def case_html(comparison: Comparison, pair: PairComparison, id: str) -> str:
    """One case under both runs of a pair; empty where there is no such case."""
    case = next((one for one in pair.cases if one.case.id == id), None)
    if case is None:
        return ""
    title = f"<header><h3 dir='auto'>{escape(case.case.question)}</h3>{CLOSE}</header>"
    facts = f"{case.case.id} · {case.case.source} · {case.case.category}"
    columns = [
        column_of(case.a, 0, name_of(comparison, pair.a)),
        column_of(case.b, 1, name_of(comparison, pair.b)),
    ]
    return (
        f"{title}<p class='facts-line'>{escape(facts)}</p>"
        f"<p class='layer'>{escape(layer_sentence(case))}</p>{reference_html(case.case)}"
        f"{answers_html(columns)}{chunks_html(columns)}"
    )


def diagnosis_html(comparison: Comparison, run: str, kind: str) -> str:
    """The cases of one run with one diagnosis, each with its reason and what to try first."""
    finding = next((one for one in comparison.findings if one.run == run), None)
    found = [one for one in finding.diagnoses if one.kind == kind] if finding else []
    if finding is None or not found:
        return ""
    questions = {case.id: case.question for case in comparison.runs[0].cases}
    items = "".join(
        f"<li><button class='number' {target('case', run, case=one.case)}>{escape(one.case)}"
        f"</button> <span dir='auto'>{escape(questions.get(one.case, ''))}</span>"
        f"<span class='why'>{escape(_sentence(one.because, suggested=one.suggested))}</span>"
        f"{_lever(one.lever)}</li>"
        for one in found
    )
    return (
        f"<header><h3>{escape(name_of(comparison, run))}: {escape(kind)} ({len(found)})</h3>{CLOSE}"
        f"</header><ul class='diagnosed'>{items}</ul>"
    )


def layer_sentence(case: PairedCase) -> str:
    """What made the difference, as a sentence of its own."""
    said = case.attribution
    return f"{said[:1].upper()}{said[1:]}."


def reference_html(case: TestCase) -> str:
    """What a right answer says."""
    accepted = " | ".join(case.accepted_answers)
    rows = [("reference", case.reference), ("accepted", accepted)]
    shown = "".join(
        f"<dt>{name}</dt><dd class='said-text' dir='auto'>{escape(text)}</dd>"
        for name, text in rows
        if text
    )
    return f"<dl class='asked'>{shown}</dl>" if shown else ""


def name_of(comparison: Comparison, run: str) -> str:
    """The configuration of a compared run, with its time where another has the same."""
    found = next(one for one in comparison.runs if one.id == run)
    alike = sum(one.configuration == found.configuration for one in comparison.runs)
    if alike == 1:
        return found.configuration
    return f"{found.configuration} ({found.started})"


def _sentence(because: str, *, suggested: bool) -> str:
    return because + (" (suggested, nobody labelled it)" if suggested else "")


def _lever(lever: str) -> str:
    return f"<span class='lever'>try first: {escape(lever)}</span>" if lever else ""
