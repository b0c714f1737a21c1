"""Findings as SARIF 2.1.0, for code scanning services and editors.

The format: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from groundswell import __version__
from groundswell.diagnostics.diagnostic import Severity
from groundswell.diagnostics.json_format import dumps
from groundswell.diagnostics.registry import all_codes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.diagnostics.sources import Sources
    from groundswell.source.span import Span

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "note"}


def render(findings: Sequence[Diagnostic], sources: Sources) -> str:
    """A SARIF log with one run: the rules of the codes that occur, and one result per finding in the given order."""
    codes = sorted({finding.code for finding in findings})
    rule_index = {code: index for index, code in enumerate(codes)}
    run = {
        "tool": {"driver": {"name": "groundswell", "version": __version__, "rules": [_rule(code) for code in codes]}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, rule_index[finding.code], sources) for finding in findings],
    }
    return dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(code: str) -> dict[str, Any]:
    kind = all_codes().get(code)
    if kind is None:  # a third party's deployer has codes of its own
        return {"id": code}
    return {
        "id": code,
        "shortDescription": {"text": kind.title},
        "fullDescription": {"text": kind.why},
        "help": {"text": kind.fix},
        "defaultConfiguration": {"level": _LEVEL[kind.severity]},
    }


def _result(finding: Diagnostic, index: int, sources: Sources) -> dict[str, Any]:
    text = f"{finding.message}\nhelp: {finding.help}" if finding.help else finding.message
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVEL[finding.severity],
        "message": {"text": text},
    }
    if finding.span is not None:
        result["locations"] = [{"physicalLocation": _location(finding.span, sources)}]
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _location(other.span, sources), "message": {"text": other.label}}
            for number, other in enumerate(finding.related, 1)
        ]
    return result


def _location(span: Span, sources: Sources) -> dict[str, Any]:
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    return {"artifactLocation": {"uri": _uri(sources.display(span.file))}, "region": region}


def _uri(name: str) -> str:
    """A relative reference for a relative name, a `file:` URI for an absolute one."""
    path = PurePath(name)
    if path.is_absolute():
        return path.as_uri()
    return quote(path.as_posix(), errors="surrogateescape")
