"""Values that no default can know, and that nobody has stated (`requiredValues` of a component)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.catalog.value_path import format_path
from groundswell.diagnostics.codes import resolve as codes
from groundswell.resolve.layers import Kind
from groundswell.resolve.leaves import leaves, within
from groundswell.resolve.merging import merged, taking_part
from groundswell.resolve.query import Query
from groundswell.resolve.stack import asked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.catalog.entries import Catalog, ComponentEntry, RequiredValue
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.draft import Doubts
    from groundswell.resolve.resolution import Path
    from groundswell.resolve.stack import Stack


def unstated(
    catalog: Catalog, present: Mapping[str, Stack], accelerator: str | None, doubts: Doubts | None = None
) -> Iterator[Diagnostic]:
    """An error for each required value of the plan's components on which nobody above the default has a say.

    To delete it is a say, too, as is to set all of a map in which it stands, and to try so in vain (`doubts`).
    """
    for name, stack in present.items():
        for item in missing(catalog.components[name], stack, accelerator):
            if doubts and doubts.concern(name, item.path):
                continue
            path = format_path(item.path)
            hint = f"say `--set '{name}:{path}=…'`, or state it in a recipe of your own"
            yield codes.UNSTATED(f"nothing states {name}.{path}: {item.what}", item.span, help=hint)


def site_values(catalog: Catalog, criteria: Mapping[str, str]) -> tuple[str, ...]:
    """What a query must state besides its criteria, as `--set` names it: `component:path`."""
    accelerator = criteria.get("accelerator")
    if not any(asked(entry.required, accelerator) for entry in catalog.components.values()):
        return ()
    query = Query(criteria)
    stacks = merged(catalog, taking_part(catalog, query, catalog.semantics.order(catalog.recipes, query)))
    return tuple(
        f"{name}:{format_path(item.path)}"
        for name, stack in sorted(stacks.items())
        if stack.enabled
        for item in missing(catalog.components[name], stack, accelerator)
    )


def missing(entry: ComponentEntry, stack: Stack, accelerator: str | None) -> Iterator[RequiredValue]:
    """The required values of a component that nobody has stated."""
    required = asked(entry.required, accelerator)
    if not required:
        return
    above = [path for path, writes, _ in stack.values.histories() if writes[-1].layer.kind is not Kind.COMPONENT]
    for item in required:
        said = (*above, *stack.values.refused, *_patched(entry, item))
        if not any(within(path, item.path) or within(item.path, path) for path in said):
            yield item


def _patched(entry: ComponentEntry, item: RequiredValue) -> Iterator[Path]:
    """What patches of the component set and unset that lie above the document which asks for the value."""
    defaults = (entry.defaults, *entry.patches)
    asking = next(number for number, ref in enumerate(defaults) if ref.span.file == item.span.file)
    for ref in defaults[asking + 1 :]:
        found = (leaf for values in ref.values for leaf in leaves(values))
        # An empty map above the place changes nothing there.
        yield from (leaf.path for leaf in found if not leaf.empty_map or within(leaf.path, item.path))
        yield from (placed.path for placed in ref.unset)
