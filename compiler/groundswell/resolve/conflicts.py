"""Paths that two layers set differently although neither stands above the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.diagnostic import Diagnostic, Related
from groundswell.resolve.layers import Kind, Layer, Write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from groundswell.resolve.layers import Applied
    from groundswell.resolve.resolution import Path
    from groundswell.resolve.stack import Stack
    from groundswell.resolve.tree import Tree

_Finding: TypeAlias = "Callable[[str, Write, Write], Diagnostic]"


def all_conflicts(_applied: Applied, stacks: Mapping[str, Stack]) -> Iterator[Diagnostic]:
    """The conflicts in everything that the layers say on all components."""
    for stack in stacks.values():
        for tree in (stack.values, stack.fields, stack.entries):
            yield from (finding for _, finding in disputes(tree))


def disputes(tree: Tree) -> Iterator[tuple[Path, Diagnostic]]:
    """Ties between recipes, mixins against recipes or mixins, and hosts against enforced values, of one tree, by path.

    Where a layer deletes a map that another fills, the map tells, and its entries need not.
    """
    told: set[tuple[Layer, int]] = set()
    for path, history, _ in tree.histories():
        # What a layer says in the end counts: its overrides come after its values files.
        writes = sorted({write.layer: write for write in history}.values())
        for finding, other, winner in _rivals(writes) if len(writes) > 1 else ():
            if other.differs(winner):
                pairs = {(other.layer, winner.number), (winner.layer, other.number)}
                if not pairs & told:
                    yield path, finding(tree.title(path), other, winner)
                told |= pairs


def _rivals(writes: Sequence[Write]) -> Iterator[tuple[_Finding, Write, Write]]:
    """Pairs of writes to one path that must not differ, the winner last, each with what to say if they do."""
    by_kind = {kind: [write for write in writes if write.layer.kind is kind] for kind in Kind}
    recipes, mixins, enforced = by_kind[Kind.RECIPE], by_kind[Kind.MIXIN], by_kind[Kind.ENFORCED]
    above = [*by_kind[Kind.HOSTS], *by_kind[Kind.FLAG], *by_kind[Kind.SETTING]]
    if enforced:
        yield from ((_mixin_conflict, other, enforced[-1]) for other in enforced[:-1])
        yield from ((_enforced, other, enforced[-1]) for other in by_kind[Kind.HOSTS])
        return
    if mixins:
        yield from ((_mixin_conflict, other, mixins[-1]) for other in (*recipes[-1:], *mixins[:-1]))
    if not above:
        for other in recipes[:-1]:
            if other.layer.rivals(recipes[-1].layer):
                yield _tie, other, recipes[-1]


def _tie(title: str, other: Write, winner: Write) -> Diagnostic:
    text = f"`{other.layer.name}` and `{winner.layer.name}` set {title} to two values at the same rank"
    related = [Related(winner.span, "also set here")]
    return codes.TIE(text, other.span, related=related, help="decide it in a recipe with the criteria of both")


def _mixin_conflict(title: str, other: Write, winner: Write) -> Diagnostic:
    text = f"{other.layer.label} and {winner.layer.label} set {title} to two values"
    hint = "take it out of one, or move it to `enforce:` of the mixin if it must win"
    return codes.MIXIN_CONFLICT(text, winner.span, related=[Related(other.span, "also set here")], help=hint)


def _enforced(title: str, other: Write, enforced: Write) -> Diagnostic:
    text = f"{other.layer.label} changes {title}, which {enforced.layer.label} enforces"
    return codes.ENFORCED(text, enforced.span, related=[Related(other.span, "changed here")])
