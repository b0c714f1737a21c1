"""What documents of an AICR catalog must not say together, and components that nobody can deploy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import aicr as model_codes
from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.diagnostic import Diagnostic, Related
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.catalog.entries import ComponentRef
    from groundswell.resolve.layers import Applied
    from groundswell.resolve.stack import Stack

_ALLOWED = frozenset({"namespace"})
"""The plain fields that a mixin may set on a component that is there; beside them it may add manifests."""


def refused(applied: Applied, stacks: Mapping[str, Stack]) -> Iterator[Diagnostic]:
    """Collisions of mixins with what comes before them, then every enabled component that cannot be deployed."""
    yield from _constraints(applied)
    yield from _components(applied)
    for _, stack in sorted(stacks.items()):
        if stack.enabled:
            yield from _undeployable(stack)


def _constraints(applied: Applied) -> Iterator[Diagnostic]:
    """A mixin cannot state a constraint that is stated already, not even the same one."""
    stated = {entry.name: entry for recipe, _ in applied.recipes for entry in recipe.constraints}
    for mixin, layer in applied.mixins:
        for entry in mixin.constraints:
            if entry.name in stated:
                text = f"{layer.label} states the constraint `{entry.name}` again"
                related = [Related(stated[entry.name].span, "stated here first")]
                hint = "take it out of one of them; a mixin cannot repeat a constraint, even with the same value"
                yield codes.MIXIN_CONFLICT(text, entry.span, related=related, help=hint)
        stated |= {entry.name: entry for entry in mixin.constraints}


def _components(applied: Applied) -> Iterator[Diagnostic]:
    """To a component that is there, a mixin can only give a namespace and manifests."""
    there = {ref.name: ref for recipe, _ in applied.recipes for ref in recipe.refs}
    for mixin, layer in applied.mixins:
        for ref in mixin.refs:
            field = _further(ref)
            if ref.name in there and field:
                text = f"{layer.label} sets {field} of `{ref.name}`, which is there already"
                related = [Related(there[ref.name].span, "named here first")]
                hint = "a mixin can only add namespace, manifestFiles and preManifestFiles; say the rest in an overlay"
                yield codes.MIXIN_CONFLICT(text, ref.span, related=related, help=hint)
        there |= {ref.name: ref for ref in mixin.refs}


def _further(ref: ComponentRef) -> str:
    """What a ref says beyond a namespace and manifests, or ""."""
    names = {"repository": "source"}
    found = [names.get(name, name) for name in ref.fields.data if name not in _ALLOWED]
    found += ["overrides"] if ref.overrides else []
    found += ["dependencyRefs"] if ref.dependencies else []
    return ", ".join(f"`{name}`" for name in found)


def _undeployable(stack: Stack) -> Iterator[Diagnostic]:
    fields, origins = stack.fields.values(), stack.fields.origins()
    kind = fields.get("type", "Helm")
    reasons = {}
    if kind != "Helm":
        reasons["type"] = f"`{stack.name}` is made by {kind}, and only charts and manifests of Helm can be deployed"
    else:
        for name in ("tag", "path"):
            reasons[name] = f"`{stack.name}` states `{name}`, which only Kustomize has a use for"
    reasons["patches"] = f"`{stack.name}` states patches, which nothing applies"
    for name, text in reasons.items():
        for origin in origins.get((name,), ())[-1:]:
            place = Span(origin.file, origin.line, origin.column, origin.line, origin.column + 1)
            yield model_codes.UNDEPLOYABLE_REF(text, place, help=f"or leave it out: --without {stack.name}")
