"""A run against its baseline: as JSON, as lines for a terminal, and as JUnit XML for a server."""

import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from sandbox.commands.output.terminal import wrap
from sandbox.evaluation.comparison.baseline import Baseline
from sandbox.evaluation.comparison.gate import GateResult
from sandbox.files.json_lines import cannot_write
from sandbox.files.storage import write_text

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_json(result: GateResult) -> dict[str, Any]:
    """What `sandbox check --json` prints."""
    return {
        "passed": result.passed,
        "reasons": list(result.reasons),
        "run": result.run,
        "config": result.configuration,
        "baseline": result.baseline_run,
        "rule": result.rule,
        "share": result.share,
        "checks": [asdict(check) for check in result.checks],
        "notes": list(result.notes),
    }


def to_lines(result: GateResult) -> Iterator[str]:
    """A line for each metric, then the outcome."""
    for check in result.checks:
        mark = "ok    " if check.passed else "FAILED"
        yield from wrap(f"{mark}  {check.reason}", hanging=8)
    for note in result.notes:
        yield from wrap(f"note: {note}", hanging=2)
    failed = len(result.reasons)
    outcome = "holds" if result.passed else f"does not hold ({failed} of {len(result.checks)})"
    yield f"{result.run} {outcome} the baseline {result.baseline_run}"


def describe_saved(baseline: Baseline, path: Path) -> str:
    """What a baseline that was saved will hold."""
    if not baseline.deciding:
        return (
            f"saved {baseline.run} in {path}, but nothing in it may decide; label answers, or"
            " evaluate with --metrics ranking"
        )
    return f"saved {baseline.run} in {path}; it will hold {', '.join(baseline.deciding)}"


def build_junit(result: GateResult) -> str:
    """One test case for each metric, as JUnit XML."""
    suite = ElementTree.Element(
        "testsuite",
        name="sandbox check",
        tests=str(len(result.checks)),
        failures=str(len(result.reasons)),
        errors="0",
        skipped="0",
    )
    for check in result.checks:
        place = _xml(f"{result.corpus}.{result.configuration}")
        case = ElementTree.SubElement(suite, "testcase", classname=place, name=_xml(check.metric))
        if check.passed:
            ElementTree.SubElement(case, "system-out").text = _xml(check.reason)
        else:
            failure = ElementTree.SubElement(case, "failure", message=_xml(check.reason))
            failure.text = _xml(f"run {result.run}, baseline {result.baseline_run}")
    root = ElementTree.Element("testsuites")
    root.append(suite)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def write_junit(result: GateResult, path: Path) -> None:
    """Write the JUnit XML.

    Raises:
        SandboxError: If it cannot be written.
    """
    try:
        write_text(path, build_junit(result))
        path.chmod(0o644)
    except OSError as error:
        raise cannot_write(path, error) from error


def _xml(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return _NOT_IN_XML.sub("?", text)
