"""Findings as workflow commands, which GitHub Actions turns into annotations.

The format: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.diagnostic import Severity
from groundswell.diagnostics.registry import all_codes
from groundswell.diagnostics.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.diagnostics.sources import Sources

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "notice"}


def render(findings: Sequence[Diagnostic], sources: Sources) -> str:
    """One command per line and finding, in the given order. Related places and the help are lines of the message."""
    return "".join(f"{_command(finding, sources)}\n" for finding in findings)


def _command(finding: Diagnostic, sources: Sources) -> str:
    properties: dict[str, str | int] = {}
    if (span := finding.span) is not None:
        properties |= {"file": sources.display(span.file), "line": span.line}
        if span.end_line == span.line:
            properties |= {"col": span.column, "endColumn": span.end_column}
        else:  # columns are taken for columns of one line only
            properties["endLine"] = span.end_line
    kind = all_codes().get(finding.code)  # a third party's deployer has codes of its own
    properties["title"] = f"{finding.code}: {kind.title}" if kind else finding.code
    related = [
        f"{sources.display(other.span.file)}:{other.span.line}:{other.span.column}: {other.label}"
        for other in finding.related
    ]
    advice = [f"help: {finding.help}"] if finding.help else []
    written = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    message = "\n".join([finding.message, *related, *advice])
    return f"::{_COMMAND[finding.severity]} {written}::{_data(message)}"


def _data(text: str) -> str:
    return visible(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
