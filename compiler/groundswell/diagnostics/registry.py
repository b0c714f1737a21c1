"""Every code that a finding can carry, and what a person can read about it."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.diagnostics.diagnostic import Code

_FAMILIES = {
    "S": "Source: reading YAML",
    "M": "Model: what recipes, mixins, components and support lists say",
    "R": "Resolve: merging the recipes that apply to a query",
    "P": "Plan: putting components in order",
    "T": "Talos: the node layer",
    "K": "Kubernetes: checks of rendered objects",
    "D": "Deployers: what Helm and Argo CD make of a bundle",
    "I": "Input and output: writing and verifying bundles",
}

_INTRODUCTION = """\
# Codes

Every finding carries one of these codes. A code keeps its meaning; `groundswell explain CODE` prints its entry.
This page is generated from the source: `make docs` writes it.
"""


@cache
def all_codes() -> Mapping[str, Code]:
    """All kinds of findings by their code, sorted by family and number.

    Raises:
        ValueError: Two kinds share one code, which is a mistake in the families' modules.
    """
    # Only `explain`, the generated page and two formats need them all; no other command must pay for that.
    from groundswell.diagnostics.codes import (  # noqa: PLC0415  see above
        aicr,
        deployer,
        files,
        kubernetes,
        manifests,
        model,
        plan,
        pods,
        resolve,
        source,
        talos,
        talos_client,
        talos_schematic,
        talos_validation,
        validation,
    )

    families = (
        *(source, model, aicr, resolve, plan, talos, talos_schematic, talos_client, talos_validation),
        *(deployer, manifests, kubernetes, validation, pods, files),
    )
    listed = [code for family in families for code in family.CODES]
    by_code = {code.code: code for code in listed}
    if len(by_code) != len(listed):
        names = [code.code for code in listed]
        raise ValueError(f"codes used twice: {sorted({name for name in names if names.count(name) > 1})}")
    order = "".join(_FAMILIES)
    return MappingProxyType(dict(sorted(by_code.items(), key=lambda item: (order.index(item[0][0]), item[0]))))


def explain(code: str) -> str | None:
    """What a code means, why it is reported and how to mend it, as plain text; None when there is no such code."""
    kind = all_codes().get(code.upper())
    if kind is None:
        return None
    return f"{kind.code} ({kind.severity.value}): {kind.title}\n\nWhy: {kind.why}\n\nFix: {kind.fix}\n"


def codes_markdown() -> str:
    """The page `docs/codes.md`: every family that has codes, and every code in it."""
    parts = [_INTRODUCTION]
    family = ""
    for code in all_codes().values():
        if code.code[0] != family:
            family = code.code[0]
            parts.append(f"## {_FAMILIES[family]}\n")
        parts.append(f"### {code.code}\n\n**{code.title}** ({code.severity.value})\n\n{code.why}\n\nFix: {code.fix}\n")
    return "\n".join(parts)
