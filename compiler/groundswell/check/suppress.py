"""Findings that are accepted, each with a reason: the file of `--suppress`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundswell.diagnostics.codes import kubernetes as codes
from groundswell.diagnostics.diagnostic import Related, failed
from groundswell.diagnostics.suggest import suggestion
from groundswell.source.bounded import read_bounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from groundswell.check.rule import Found
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json, Located
    from groundswell.source.span import Span

_KIND = {"apiVersion": "groundswell.dev/v1alpha1", "kind": "Suppressions"}
_REQUIRED = ("code", "component", "reason")
_FIELDS = (*_REQUIRED, "object")


class Suppression(NamedTuple):
    """Findings of one code on one component are accepted, or only those on `item` (`Secret monitoring/grafana`)."""

    code: str
    component: str
    item: str
    reason: str
    place: Span

    def covers(self, found: Found) -> bool:
        """Whether a finding is one of those."""
        diagnostic = found.diagnostic
        same = diagnostic.code == self.code and found.component == self.component
        return same and (not self.item or found.subject == self.item)


def read_suppressions(path: Path | None) -> tuple[tuple[Suppression, ...], tuple[Diagnostic, ...]]:
    """The entries of a file and what is wrong with it; nothing where no file is named."""
    if path is None:
        return (), ()
    from groundswell.source.reader import read_one  # noqa: PLC0415  most runs have no such file

    try:
        data = read_bounded(path)
    except OSError as error:
        return (), (codes.SUPPRESSION_FAULTY(f"`{path}` cannot be read: {error.strerror}"),)
    document, findings = read_one(data, path.as_posix())
    if document is None or failed(findings):
        return (), findings
    nodes = _nodes(document)
    if nodes is None:
        advice = "write `kind: Suppressions` with a list under `spec.suppress`"
        return (), (*findings, codes.SUPPRESSION_FAULTY(f"`{path}` holds no suppressions", document.span, help=advice))
    results = [_entry(node) for node in nodes]
    entries = tuple(result for result in results if isinstance(result, Suppression))
    return entries, (*findings, *(result for result in results if not isinstance(result, Suppression)))


def apply(
    found: Iterable[Found], suppressions: Sequence[Suppression], unjudged: AbstractSet[str]
) -> tuple[tuple[Diagnostic, ...], int]:
    """Leave out what is suppressed, and report each suppression that nothing was found for.

    Of several for the same finding the one for all objects counts, or the first. Nothing can be said of one for a
    component in `unjudged`, whose folders could not all be rendered.

    Returns:
        The findings that remain, and how many were left out.
    """
    used: set[Suppression] = set()
    kept: list[Diagnostic] = []
    left_out = 0
    for item in found:
        covering = [suppression for suppression in suppressions if suppression.covers(item)]
        if covering:
            used.add(min(covering, key=lambda suppression: bool(suppression.item)))
            left_out += 1
        else:
            kept.append(item.diagnostic)
    idle = [each for each in suppressions if each not in used and each.component not in unjudged]
    return (*kept, *(_unused(suppression, used) for suppression in idle)), left_out


def _unused(suppression: Suppression, used: AbstractSet[Suppression]) -> Diagnostic:
    subject = f"`{suppression.code}` of `{suppression.component}`"
    same = [other for other in used if other[:2] == suppression[:2] and other.item in {"", suppression.item}]
    message = f"{subject} is suppressed already" if same else f"nothing is found that {subject} would suppress"
    related = [Related(other.place, "by this entry") for other in same]
    return codes.SUPPRESSION_UNUSED(message, suppression.place, related=related, help="remove the entry")


def _nodes(document: Located) -> list[Located] | None:
    data: Json = document.data
    try:
        fitting = {key: data[key] for key in _KIND} == _KIND and isinstance(data["spec"]["suppress"], list)
    except (KeyError, TypeError):
        return None
    return list(document["spec"]["suppress"].elements()) if fitting else None


def _entry(node: Located) -> Suppression | Diagnostic:
    data = node.data if isinstance(node.data, dict) else {}
    for name in _REQUIRED:
        if name not in data:
            return codes.SUPPRESSION_FAULTY(f"the entry has no `{name}`", node.span, help=f"add `{name}: …`")
    for name in data:
        if name not in _FIELDS:
            text = f"`{name}` is no field of a suppression"
            return codes.SUPPRESSION_FAULTY(text, node.key_span(name), help=suggestion(str(name), _FIELDS))
        if not isinstance(data[name], str) or not data[name].strip():
            return codes.SUPPRESSION_FAULTY(f"`{name}` must be a text that is not empty", node[name].span)
    if data["code"] not in (known := _codes()):
        listed = {code.code for code in codes.CODES}
        advice = "" if data["code"] in listed else suggestion(data["code"], known)
        text = f"`{data['code']}` is no code of a rule, whose findings alone can be accepted"
        return codes.SUPPRESSION_FAULTY(text, node["code"].span, help=advice)
    return Suppression(data["code"], data["component"], data.get("object", ""), data["reason"], node.span)


def _codes() -> frozenset[str]:
    """The codes of all rules: whatever else a check reports cannot be accepted."""
    from groundswell.check.rules import RULES  # noqa: PLC0415  most runs have no such file

    return frozenset(code.code for rule in RULES for code in rule.codes)
