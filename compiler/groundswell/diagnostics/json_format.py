"""Findings as JSON, for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.diagnostics.sources import Sources
    from groundswell.source.span import Span

_NOWHERE = dict.fromkeys(("file", "line", "column", "endLine", "endColumn"))


def render(findings: Sequence[Diagnostic], sources: Sources) -> str:
    """A list with one object per finding, in the given order.

    Keys: `code`, `severity`, `message`, `file`, `line`, `column`, `endLine`, `endColumn` (the five are null where a
    finding has no place), `related` (a list of objects with the same five and `label`) and `help`.
    """
    listed = [
        {
            "code": finding.code,
            "severity": finding.severity.value,
            "message": finding.message,
            **_place(finding.span, sources),
            "related": [{**_place(other.span, sources), "label": other.label} for other in finding.related],
            "help": finding.help,
        }
        for finding in findings
    ]
    return dumps(listed)


def dumps(value: Any) -> str:  # noqa: ANN401  any JSON value
    """JSON in ASCII without control characters, so that it is safe on a terminal and in any encoding."""
    return json.dumps(value, indent=2).replace("\x7f", "\\u007f") + "\n"


def _place(span: Span | None, sources: Sources) -> dict[str, Any]:
    if span is None:
        return dict(_NOWHERE)
    return {
        "file": sources.display(span.file),
        "line": span.line,
        "column": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
