"""What one document says twice on one place of a component's values, where only one of the two could count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.catalog.value_path import format_path
from groundswell.diagnostics.codes import model as codes
from groundswell.diagnostics.diagnostic import Related
from groundswell.resolve.leaves import Leaf, leaves, within

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.catalog.entries import ComponentRef, PlacedPath
    from groundswell.diagnostics.diagnostic import Diagnostic


def contradictions(ref: ComponentRef) -> Iterator[Diagnostic]:
    """Errors for `unset` against values of the same entry, for `enforce` against both, and for an empty `enforce`."""
    if not (ref.unset or ref.enforce is not None):
        return
    said = _said(ref)
    for item in ref.unset:
        for leaf in said:
            if leaf.value is not None and _removes(item, leaf):
                text = f"this entry sets `{_path(ref, leaf)}` and unsets `{ref.name}.{format_path(item.path)}`"
                hint = "take one of them out; `unset` alone also drops what lower layers said"
                yield codes.CONTRADICTION(text, item.span, related=[Related(leaf.span, "set here")], help=hint)
    for enforced in leaves(ref.enforce) if ref.enforce is not None else ():
        yield from _against(ref, enforced, said)


def _against(ref: ComponentRef, enforced: Leaf, said: tuple[Leaf, ...]) -> Iterator[Diagnostic]:
    """What the entry itself says against a value that it enforces."""
    title = _path(ref, enforced)
    if enforced.empty_map:
        text = f"an empty map enforces nothing at `{title}`"
        hint = "enforce what must stand in it, or leave it out"
        yield codes.BAD_VALUE(text, enforced.span, help=hint)
        return
    hint = "take it out of one of them"
    for leaf in said:
        cleared = leaf.value is None and len(leaf.path) < len(enforced.path)
        if enforced.differs(leaf) and not cleared:
            text = f"this entry enforces `{title}` and says otherwise on `{_path(ref, leaf)}`"
            yield codes.CONTRADICTION(text, leaf.span, related=[Related(enforced.span, "enforced here")], help=hint)
    for item in ref.unset:
        if within(item.path, enforced.path) or within(enforced.path, item.path):
            text = f"this entry enforces `{title}` and unsets `{ref.name}.{format_path(item.path)}`"
            yield codes.CONTRADICTION(text, item.span, related=[Related(enforced.span, "enforced here")], help=hint)


def _said(ref: ComponentRef) -> tuple[Leaf, ...]:
    """What the values files and the overrides of an entry say together, later ones having the last word."""
    found: dict[tuple[str, ...], Leaf] = {}
    for values in ref.values:
        for leaf in leaves(values):
            if leaf.value is None:
                found = {path: earlier for path, earlier in found.items() if not within(path, leaf.path)}
            found[leaf.path] = leaf
    return tuple(found.values())


def _removes(item: PlacedPath, leaf: Leaf) -> bool:
    """Whether null for Helm at a path and a leaf cannot both stand: one above the other."""
    return within(leaf.path, item.path) or (within(item.path, leaf.path) and not leaf.empty_map)


def _path(ref: ComponentRef, leaf: Leaf) -> str:
    return f"{ref.name}.{format_path(leaf.path)}" if leaf.path else ref.name
