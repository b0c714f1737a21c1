"""Nulls and empty maps that change nothing, because nothing lies below a null and maps merge (`catalog check`).

A place counts when all its uses change nothing: a values file may serve several documents.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from groundswell.catalog.files import Layout
from groundswell.catalog.value_path import format_path
from groundswell.diagnostics.codes import model as codes
from groundswell.resolve.leaves import Leaf, leaves, within

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from groundswell.catalog.entries import Catalog, ComponentRef, Recipe
    from groundswell.catalog.files import CatalogFiles
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Path
    from groundswell.source.span import Span


class _Say(NamedTuple):
    """One document's entry on a component; `recipe` is None for a component's defaults and for mixins."""

    label: str
    ref: ComponentRef
    recipe: Recipe | None = None


def idle(catalog: Catalog, files: CatalogFiles) -> tuple[Diagnostic, ...]:
    """Warnings for values that change nothing; with catalogs of the user's, only for those in them."""
    if files.layout is not Layout.OWN:
        return ()
    uses: defaultdict[tuple[Path, Span], list[tuple[_Say, Leaf, bool]]] = defaultdict(list)
    for layers in _says(catalog):
        for say, leaf, changes in _verdicts(layers):
            uses[leaf.path, leaf.span].append((say, leaf, changes))
    return tuple(
        _finding(*found[0][:2])
        for (_, span), found in uses.items()
        if not any(changes for *_, changes in found) and files.judges(span.file)
    )


def _finding(say: _Say, leaf: Leaf) -> Diagnostic:
    title = f"`{say.ref.name}.{format_path(leaf.path)}`"
    if leaf.empty_map:
        text = f"the empty map of {say.label} at {title} changes nothing: a map stands there, and maps merge"
        hint = "name the path in `replace:` to clear what lower layers said"
    else:
        text = f"the null of {say.label} at {title} changes nothing: no lower layer sets anything there"
        hint = "a default of the chart itself is removed with `unset:`"
    return codes.IDLE_VALUE(text, leaf.span, help=hint)


def _says(catalog: Catalog) -> Iterator[tuple[list[_Say], ...]]:
    """For each component its defaults, what recipes say in the order of their ranks, and what mixins say."""
    recipes: defaultdict[str, list[_Say]] = defaultdict(list)
    mixins: defaultdict[str, list[_Say]] = defaultdict(list)
    ordered = sorted(catalog.recipes.values(), key=lambda item: (len(item.effective), len(item.chain), item.name))
    for recipe in ordered:
        for part in (recipe, *recipe.patches):
            for ref in part.refs:
                recipes[ref.name].append(_Say(f"recipe `{recipe.name}`", ref, recipe))
    for mixin in catalog.mixins.values():
        for piece in (mixin, *mixin.patches):
            for ref in piece.refs:
                mixins[ref.name].append(_Say(f"mixin `{mixin.name}`", ref))
    for name, entry in catalog.components.items():
        defaults = [_Say(f"component `{name}`", ref) for ref in (entry.defaults, *entry.patches)]
        yield defaults, recipes[name], mixins[name]


def _verdicts(layers: tuple[list[_Say], ...]) -> Iterator[tuple[_Say, Leaf, bool]]:
    """Each null and each empty map of one component's layers, and whether it can change anything."""
    defaults, recipes, mixins = layers
    for index, say in enumerate(defaults):
        yield from _judged(say, defaults[:index], defaults[:index])
    for index, say in enumerate(recipes):
        lower = [(other, other.recipe) for other in recipes[:index] if other.recipe]
        possible = [other for other, recipe in lower if say.recipe and recipe.meets(say.recipe)]
        certain = [other for other, recipe in lower if say.recipe and recipe.name in say.recipe.chain]
        yield from _judged(say, [*defaults, *possible], [*defaults, *certain])
    for say in mixins:
        others = [other for other in mixins if other is not say]
        yield from _judged(say, [*defaults, *recipes, *others], defaults)


def _judged(say: _Say, possible: Iterable[_Say], certain: Iterable[_Say]) -> Iterator[tuple[_Say, Leaf, bool]]:
    """The entry's own nulls and empty maps, against what can lie below it and what always does."""
    own = [leaf for values in say.ref.values for leaf in leaves(values) if leaf.path]
    if not any(_says_nothing(leaf) for leaf in own):
        return
    replaced = {item.path for item in say.ref.replace}
    maybe, surely = _paths(possible), _paths(certain)
    for index, leaf in enumerate(own):
        earlier = {item.path for item in own[:index] if item.value is not None}
        below = (maybe if leaf.value is None else surely) | earlier
        if _says_nothing(leaf):
            there = any(within(path, leaf.path) for path in below)
            cleared = any(within(leaf.path, path) for path in replaced)
            yield say, leaf, cleared or there is (leaf.value is None)


def _says_nothing(leaf: Leaf) -> bool:
    return leaf.value is None or leaf.empty_map


def _paths(says: Iterable[_Say]) -> set[Path]:
    """Where entries set something, nulls for Helm included."""
    maps = [values for say in says for values in say.ref.values]
    found = {leaf.path for values in maps for leaf in leaves(values) if leaf.value is not None}
    return found | {item.path for say in says for item in say.ref.unset}
