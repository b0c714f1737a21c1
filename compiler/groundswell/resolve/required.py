"""Values that no default can know, and that nobody has stated (`requiredValues` of a component)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.catalog.value_path import format_path
from groundswell.diagnostics.codes import resolve as codes
from groundswell.resolve.layers import Kind
from groundswell.resolve.leaves import within

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.catalog.entries import Catalog
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.stack import Stack


def unstated(catalog: Catalog, present: Mapping[str, Stack]) -> Iterator[Diagnostic]:
    """An error for each required value of the plan's components on which no layer above their defaults has its say.

    To delete it is a say, too, as is to set all of a map in which it stands.
    """
    for name, stack in present.items():
        required = catalog.components[name].required
        stated = [path for path, writes, _ in stack.values.histories() if writes[-1].layer.kind is not Kind.COMPONENT]
        for item in required:
            if not any(within(path, item.path) or within(item.path, path) for path in stated):
                path = format_path(item.path)
                hint = f"say `--set '{name}:{path}=…'`, or state it in a recipe of your own"
                yield codes.UNSTATED(f"nothing states {name}.{path}: {item.what}", item.span, help=hint)
