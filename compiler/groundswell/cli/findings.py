"""Findings on their way to the user, and the exit code that they lead to."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import click

from groundswell.diagnostics.diagnostic import failed, ordered

if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.diagnostics.sources import Sources

_RENDERERS = {"text": "text", "json": "json_format", "sarif": "sarif", "github": "github"}
EXIT_FINDINGS = 1


def rendered(findings: Iterable[Diagnostic], sources: Sources, form: str, *, color: bool = False) -> str:
    """Findings as text, json, sarif or github."""
    renderer = import_module(f"groundswell.diagnostics.{_RENDERERS[form]}")
    items = ordered(findings)
    text = renderer.render(items, sources, color=color) if form == "text" else renderer.render(items, sources)
    return str(text)


def report(findings: Iterable[Diagnostic], sources: Sources, form: str) -> None:
    """Print findings to stderr; in text form nothing when there are none. Colour on terminals without NO_COLOR."""
    findings = tuple(findings)
    if findings or form in {"json", "sarif"}:
        color = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
        click.echo(rendered(findings, sources, form, color=color).rstrip("\n"), err=True)


def stop(findings: Iterable[Diagnostic], sources: Sources, form: str) -> NoReturn:
    """Report and exit with 1."""
    report(findings, sources, form)
    sys.exit(EXIT_FINDINGS)


def report_or_stop(findings: Iterable[Diagnostic], sources: Sources, form: str) -> None:
    """Report, and exit with 1 when a finding is an error."""
    findings = tuple(findings)
    if failed(findings):
        stop(findings, sources, form)
    if findings:
        report(findings, sources, form)
