"""Findings that are accepted, each with a reason: the file of `--suppress`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import kubernetes as codes
from groundswell.diagnostics.diagnostic import failed
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
_CODE = re.compile(r"K\d{3}")
_REQUIRED = ("code", "component", "reason")
_OPTIONAL = ("object",)


@dataclass(frozen=True, slots=True)
class Suppression:
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

    Nothing can be said of one for a component in `unjudged`, whose folders could not all be rendered.

    Returns:
        The findings that remain, and how many were left out.
    """
    used: set[Suppression] = set()
    kept: list[Diagnostic] = []
    left_out = 0
    for item in found:
        covering = [suppression for suppression in suppressions if suppression.covers(item)]
        used.update(covering)
        if covering:
            left_out += 1
        else:
            kept.append(item.diagnostic)
    for suppression in suppressions:
        if suppression not in used and suppression.component not in unjudged:
            message = f"nothing is found that `{suppression.code}` of `{suppression.component}` would suppress"
            kept.append(codes.SUPPRESSION_UNUSED(message, suppression.place, help="remove the entry"))
    return tuple(kept), left_out


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
        if not isinstance(data.get(name), str) or not data[name].strip():
            return codes.SUPPRESSION_FAULTY(f"the entry has no `{name}`", node.span, help=f"add `{name}: …`")
    unknown = [key for key in data if key not in {*_REQUIRED, *_OPTIONAL}]
    if unknown:
        return codes.SUPPRESSION_FAULTY(f"`{unknown[0]}` is no field of a suppression", node.key_span(unknown[0]))
    if not _CODE.fullmatch(data["code"]):
        return codes.SUPPRESSION_FAULTY(f"`{data['code']}` is no code of the checks", node["code"].span)
    return Suppression(data["code"], data["component"], str(data.get("object", "")), data["reason"], node.span)
