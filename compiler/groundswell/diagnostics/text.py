"""Findings for people at a terminal: the message, the line it is about with a mark under the place, and what to do."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from groundswell.diagnostics.diagnostic import Severity
from groundswell.diagnostics.excerpt import excerpt
from groundswell.diagnostics.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.diagnostics.sources import Sources
    from groundswell.source.span import Span

_COLOR = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.HINT: "1;36"}
_BOLD = "1"
_FAINT = "34"
_GUTTER = 5  # columns for the line number; five digits and more push the bar to the right


class _Paint(NamedTuple):
    """Wraps text in ANSI colours, or leaves it alone."""

    on: bool

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self.on and text else text


def render(findings: Sequence[Diagnostic], sources: Sources, *, color: bool = False, limit: int | None = None) -> str:
    """All findings in the given order and a closing line that counts them; "" when there are none.

    At most `limit` findings are shown in full, the others are only counted. Nothing but the colours asked for by
    `color` can act on a terminal: control characters in messages, names and source lines are shown as escapes.
    """
    if not findings:
        return ""
    paint = _Paint(color)
    shown = findings if limit is None else findings[:limit]
    blocks = ["\n".join(_block(finding, sources, paint)) for finding in shown]
    if len(shown) < len(findings):
        blocks.append(f"and {len(findings) - len(shown)} more")
    blocks.append(paint(_BOLD, summary(findings)))
    return "\n\n".join(blocks) + "\n"


def summary(findings: Sequence[Diagnostic]) -> str:
    """How many findings there are of each severity: `3 errors, 1 warning`."""
    counts = Counter(finding.severity for finding in findings)
    return ", ".join(
        f"{counts[severity]} {severity.value}{'s' if counts[severity] > 1 else ''}"
        for severity in Severity
        if counts[severity]
    )


def _block(finding: Diagnostic, sources: Sources, paint: _Paint) -> Iterator[str]:
    style = _COLOR[finding.severity]
    head = paint(style, f"{finding.severity.value}[{finding.code}]")
    yield f"{head}{paint(_BOLD, f': {visible(finding.message)}')}"
    if finding.span is not None:
        yield f"{paint(_FAINT, '  -->')} {_place(finding.span, sources)}"
        yield from _source_line(finding.span, sources, paint, style)
    for related in finding.related:
        yield f"{paint(_FAINT, '  :::')} {_place(related.span, sources)}: {visible(related.label)}"
    mark = paint(_FAINT, "  =")
    command = f"groundswell explain {finding.code}"
    yield f"{mark} help: {visible(finding.help)}            ({command})" if finding.help else f"{mark} help: {command}"


def _source_line(span: Span, sources: Sources, paint: _Paint, style: str) -> Iterator[str]:
    line = sources.line(span.file, span.line)
    if line is None:
        return
    end_column = span.end_column if span.end_line == span.line else None
    text, indent, length = excerpt(line, span.column, end_column)
    number = f"{span.line:>{_GUTTER}} |"
    yield f"{paint(_FAINT, number)} {text}".rstrip()
    yield f"{paint(_FAINT, '|'.rjust(len(number)))} {' ' * indent}{paint(style, '^' * length)}"


def _place(span: Span, sources: Sources) -> str:
    return f"{visible(sources.display(span.file))}:{span.line}:{span.column}"
