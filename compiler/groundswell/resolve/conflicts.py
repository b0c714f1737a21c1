"""Paths that two layers set differently although neither stands above the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.diagnostic import Diagnostic, Related
from groundswell.resolve.layers import Kind, Write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from groundswell.resolve.layers import Applied
    from groundswell.resolve.stack import Stack
    from groundswell.resolve.tree import Tree


def all_conflicts(_applied: Applied, stacks: Mapping[str, Stack]) -> Iterator[Diagnostic]:
    """The conflicts in everything that the layers say on all components."""
    for stack in stacks.values():
        for tree in (stack.values, stack.fields, stack.entries):
            yield from conflicts(tree)


def conflicts(tree: Tree) -> Iterator[Diagnostic]:
    """Ties between recipes, mixins against recipes or mixins, and settings against enforced values, of one tree."""
    for path, history, _ in tree.histories():
        # What a layer says in the end counts: its overrides come after its values files.
        writes = sorted({write.layer: write for write in history}.values())
        if len(writes) == 1:
            continue
        by_kind = {kind: [write for write in writes if write.layer.kind is kind] for kind in Kind}
        title = tree.title(path)
        options, enforced = [*by_kind[Kind.FLAG], *by_kind[Kind.SETTING]], by_kind[Kind.ENFORCED]
        if not (options or enforced):
            yield from _tie(title, by_kind[Kind.RECIPE])
        if enforced:
            yield from _mixins(title, enforced)
            yield from _enforced(title, options, enforced[-1])
        elif by_kind[Kind.MIXIN]:
            yield from _mixins(title, [*by_kind[Kind.RECIPE][-1:], *by_kind[Kind.MIXIN]])


def _tie(title: str, recipes: Sequence[Write]) -> Iterator[Diagnostic]:
    """Two recipes of the highest rank that writes the path, where nothing that comes after recipes decides it."""
    for other, winner in ((other, recipes[-1]) for other in recipes[:-1]):
        equal = other.layer.rank == winner.layer.rank and not other.layer.related(winner.layer)
        if equal and other.differs(winner):
            names = f"`{other.layer.name}` and `{winner.layer.name}`"
            text = f"{names} set {title} to two values at the same rank"
            related = [Related(winner.span, "also set here")]
            yield codes.TIE(text, other.span, related=related, help="decide it in a recipe with the criteria of both")


def _mixins(title: str, writes: Sequence[Write]) -> Iterator[Diagnostic]:
    """Mixins, and before them the recipe that would win without them."""
    winner = writes[-1]
    for other in writes[:-1]:
        if other.layer.label != winner.layer.label and other.differs(winner):
            text = f"{other.layer.label} and {winner.layer.label} set {title} to two values"
            hint = "take it out of one, or move it to `enforce:` of the mixin if it must win"
            yield codes.MIXIN_CONFLICT(text, winner.span, related=[Related(other.span, "also set here")], help=hint)


def _enforced(title: str, options: Sequence[Write], enforced: Write) -> Iterator[Diagnostic]:
    for option in options:
        if option.differs(enforced):
            text = f"{option.layer.label} changes {title}, which {enforced.layer.label} enforces"
            yield codes.ENFORCED(text, enforced.span, help="leave the option out")
