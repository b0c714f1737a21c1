"""Places in the catalog for findings about what components say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.resolve.resolution import Component, Origin
    from groundswell.source.located import PathKey


def field_place(component: Component, field: str) -> Span | None:
    """Where a field of a component was decided; None for the command line and when nobody knows."""
    return _last(component.field_origins.get(field, ()))


def component_place(component: Component) -> Span | None:
    """Where a component was first spoken of."""
    places = (_last(origins[:1]) for origins in component.field_origins.values())
    return next((place for place in places if place), None)


def value_place(component: Component, path: Sequence[PathKey]) -> Span | None:
    """Where the value at a path was decided. A list has one origin for all that is in it."""
    keys = tuple(str(key) for key in path)
    for length in range(len(keys), 0, -1):
        if found := component.origins.get(keys[:length]):
            return _last(found)
    return None


def largest_value_place(component: Component) -> Span | None:
    """Where the largest of a component's top-level values was decided; None without values or origins."""
    largest = max(component.values, key=lambda key: len(str(component.values[key])), default=None)
    path = next((path for path in component.origins if path[0] == largest), ())
    return value_place(component, path)


def _last(origins: Sequence[Origin]) -> Span | None:
    if not origins or not origins[-1].file:
        return None
    winner = origins[-1]
    return Span(winner.file, winner.line, winner.column, winner.line, winner.column)
