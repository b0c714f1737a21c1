"""A catalog document held against its model: what it says, or as much of that as is left, and all that is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from groundswell.diagnostics.codes.source import LOSSY_FLOAT, TWO_READINGS
from groundswell.diagnostics.diagnostic import Code, Diagnostic, Severity
from groundswell.model.fields import Authored
from groundswell.model.parse import field_keys, validate
from groundswell.model.salvage import Salvaged, salvaged

if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundswell.source.located import Located
    from groundswell.source.span import Span

M = TypeVar("M", bound=Authored)


def examined(model: type[M], document: Located, findings: list[Diagnostic]) -> tuple[Salvaged[M] | None, bool]:
    """Hold a document against a model.

    `findings` has what the reader found; what the model leaves no doubt about is taken back, and what it refuses added.

    Returns:
        The document, or what can be judged of it, None when nothing can; and whether it is valid as a whole.
    """
    validated, refused, kept = validate(model, document)
    take_back(LOSSY_FLOAT, kept, findings)
    take_back(TWO_READINGS, field_keys(model, document), findings)
    if validated is not None:
        return Salvaged(validated, document, named=True), True
    known = {finding.span for finding in findings if finding.severity is Severity.ERROR}
    findings.extend(finding for finding in refused if finding.span not in known)
    return salvaged(model, document), False


def take_back(code: Code, places: Iterable[Span], findings: list[Diagnostic]) -> None:
    """Forget doubts of the reader about places where the model leaves none."""
    if any(finding.code == code.code for finding in findings):
        certain = set(places)
        findings[:] = [f for f in findings if not (f.code == code.code and f.span in certain)]
