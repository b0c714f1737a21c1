"""Flags and settings of the command line onto the components of a plan; none is lost without a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.catalog.value_path import format_path
from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.suggest import did_you_mean, nearest
from groundswell.resolve.layers import Kind, Layer, inside
from groundswell.resolve.leaves import leaves
from groundswell.resolve.placement import placed
from groundswell.resolve.settings import overlapping

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterator, Mapping, Sequence

    from groundswell.catalog.entries import Catalog
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.query import Query, Setting
    from groundswell.resolve.resolution import Path
    from groundswell.resolve.stack import Stack
    from groundswell.resolve.tree import Tree
    from groundswell.source.located import Json, Located

Enforced = dict[str, list[tuple["Located", Layer]]]
"""What mixins enforce, by component."""

REASON = "it was given on the command line"


def apply_options(
    catalog: Catalog, query: Query, present: Mapping[str, Stack], enforced: Enforced, doubtful: Container[str] = ()
) -> list[Diagnostic]:
    """Write flags, then settings into the values of the plan's components.

    An option that is refused for a reason of its own takes no part, so that nothing else is said about it. Neither does
    one for a component that is not there but in `doubtful`, as one that would be there without an error.

    Returns:
        Findings for components that are not there, overlaps, enforced values, and options that change nothing.
    """
    aliases = catalog.aliases
    flags, findings = placed(query, {name: catalog.components[name] for name in present})
    settings, overlaps = overlapping(query.settings, flags, aliases)
    findings += overlaps
    for kind, options in ((Kind.FLAG, flags), (Kind.SETTING, settings)):
        for option in options:
            name = aliases.get(option.component, option.component)
            if name not in present and name in doubtful:
                continue
            if name not in present:
                findings.append(unknown(f"`{option.option}`", option.component, catalog, present))
            elif refused := _against_enforced(option, present[name].values, enforced.get(name, ())):
                findings.append(refused)
            else:
                findings += _set(option, present[name].values, Layer(kind, option.option, REASON))
    return findings


def unresolved(catalog: Catalog, query: Query) -> Iterator[Diagnostic]:
    """What is wrong with the options whatever the plan: components that no layer has, and settings that overlap."""
    named = [(f"`{item.option}`", item.component) for item in query.settings]
    for option, name in (*named, *((f"`--without {name}`", name) for name in query.without)):
        if catalog.aliases.get(name, name) not in catalog.components:
            yield unknown(option, name, catalog, catalog.components)
    yield from overlapping(query.settings, (), catalog.aliases)[1]


def meant(name: str, catalog: Catalog, present: Collection[str]) -> str | None:
    """The component of the plan, or the alias of one, that an option probably means by a name which the plan lacks."""
    guess = nearest(name, present)
    return guess or nearest(name, [alias for alias, component in catalog.aliases.items() if component in present])


def unknown(option: str, name: str, catalog: Catalog, present: Collection[str]) -> Diagnostic:
    """The error for an option that names a component which the plan lacks."""
    known = catalog.aliases.get(name) in catalog.components
    text = f"{option} names a component that is {'not in this plan' if known else 'unknown'}"
    return codes.UNKNOWN_COMPONENT(text, help=did_you_mean(meant(name, catalog, present)))


def _against_enforced(option: Setting, tree: Tree, enforced: Sequence[tuple[Located, Layer]]) -> Diagnostic | None:
    """The error for an option that would change what a mixin enforces."""
    stated = tuple(leaves(inside(option.path, option.value)))
    for values, layer in enforced:
        for kept in leaves(values):
            if any(leaf.differs(kept) for leaf in stated):
                text = f"{option.option} changes {tree.title(kept.path)}, which {layer.label} enforces"
                return codes.ENFORCED(text, kept.span, help="leave the option out")
    return None


def _set(setting: Setting, tree: Tree, layer: Layer) -> list[Diagnostic]:
    """Write one option into a component's values, unless it changes nothing at all."""
    idle = list(_idle(setting.value.data, setting.path, tree))
    findings = [_without_effect(setting, path, value) for path, value in idle]
    if len(idle) == sum(1 for _ in leaves(setting.value)):
        return findings
    whole = setting.explicit and not isinstance(setting.value.data, dict)
    replaced = frozenset({setting.path}) if whole else frozenset()
    tree.overlay(inside(setting.path, setting.value), layer, replaced)
    return findings


def _idle(value: Json, path: Path, tree: Tree) -> Iterator[tuple[Path, Json]]:
    """The nulls of a value that delete nothing, and its empty maps where a map stands already."""
    if isinstance(value, dict):
        for key, child in value.items():
            yield from _idle(child, (*path, key), tree)
    if (value is None and not tree.holds(path)) or (value == {} and tree.holds_map(path)):
        yield path, value


def _without_effect(setting: Setting, path: Path, value: Json) -> Diagnostic:
    below = "" if path == setting.path else f" at `{format_path(path)}`"
    if value is None:
        text = f"`{setting.option}` deletes a value that no layer sets{below}"
        hint = "a default of the chart itself is removed with `unset:` in a recipe"
    else:
        text = f"`{setting.option}` says an empty map where a map stands already{below}, and maps merge"
        hint = "delete the map with `null`, or leave the option out"
    return codes.NO_EFFECT(text, help=hint)
