"""The immutable diagnostic and the codes it carries."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundswell.source.span import Span


class Severity(Enum):
    """How much a finding weighs: errors stop a command, warnings and hints do not."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


class Related(NamedTuple):
    """A second place that belongs to a finding, with what stands there."""

    span: Span
    label: str


class Diagnostic(NamedTuple):
    """One finding: a stable code, what is wrong in one sentence, where, and what to do about it.

    `span` is None only for findings about the command line or the whole run, which have no file.
    """

    code: str
    severity: Severity
    message: str
    span: Span | None = None
    related: tuple[Related, ...] = ()
    help: str = ""

    def as_warning(self) -> Diagnostic:
        """The same finding, no longer an error."""
        return self._replace(severity=Severity.WARNING)


class Code(NamedTuple):
    """A kind of finding. Calling it makes a `Diagnostic`.

    `title` names the kind in a few words, `why` explains what goes wrong without the check, `fix` how to mend it;
    `docs/codes.md` and `groundswell explain CODE` are made from the three.
    """

    code: str
    severity: Severity
    title: str
    why: str
    fix: str

    def __call__(
        self,
        message: str,
        span: Span | None = None,
        *,
        related: Iterable[Related] = (),
        help: str = "",  # noqa: A002  the word that diagnostics use
    ) -> Diagnostic:
        """Make a finding of this kind at `span`."""
        return Diagnostic(self.code, self.severity, message, span, tuple(related), help)


# Stages in the order in which they run: a finding of an earlier stage is the likelier cause.
_STAGES = "SMRPTDKI"


def ordered(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """All findings once each: causes (earlier stages) before consequences, then by file and place."""

    def key(finding: Diagnostic) -> tuple[int, str, int, int, str, str]:
        stage = _STAGES.index(finding.code[0])
        if finding.span is None:
            return (stage, "", 0, 0, finding.code, finding.message)
        span = finding.span
        return (stage, span.file, span.line, span.column, finding.code, finding.message)

    return tuple(sorted(dict.fromkeys(findings), key=key))


def failed(findings: Iterable[Diagnostic]) -> bool:
    """Whether any finding is an error."""
    return any(finding.severity is Severity.ERROR for finding in findings)
