"""Which values in an object have which definition, as far as something validates them."""

from __future__ import annotations

from collections import defaultdict
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.schema.violation import REFERENCE

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from groundswell.check.schema.violation import Schema
    from groundswell.check.validation.fault import Path
    from groundswell.source.located import Json


class _Many(Enum):
    """How many values of a definition stand in a field."""

    ONE = "the value itself"
    ENTRIES = "each entry of a list"
    VALUES = "each value of a map"


class Part(NamedTuple):
    """A field of a definition whose value, or whose entries, have a definition of their own."""

    field: str
    many: _Many
    definition: str


class Shapes:
    """The parts of definitions that lead to values which something validates; all others are passed over."""

    def __init__(self, definitions: Mapping[str, Schema], wanted: Container[str]) -> None:
        """Read from the definitions which lead to one of those that are `wanted`."""
        parts = {name: tuple(_parts(schema)) for name, schema in definitions.items()}
        holders = defaultdict(list)
        for name, found in parts.items():
            for part in found:
                holders[part.definition].append(name)
        pending = [name for name in definitions if name in wanted]
        leading = set(pending)
        while pending:
            more = [name for name in holders[pending.pop()] if name not in leading]
            leading.update(more)
            pending += more
        self._parts = {name: tuple(part for part in parts[name] if part.definition in leading) for name in leading}

    def values(self, value: Json, definition: str, path: Path = ()) -> Iterator[tuple[str, Json, Path]]:
        """The value and all below it that matter, each with its definition and its path."""
        if value is None or definition not in self._parts:
            return
        yield definition, value, path
        if not isinstance(value, dict):
            return
        for field, many, below in self._parts[definition]:
            given = value.get(field)
            if given is None:
                continue
            if many is _Many.ONE:
                yield from self.values(given, below, (*path, field))
            elif many is _Many.ENTRIES and isinstance(given, list):
                for index, item in enumerate(given):
                    entry = {} if item is None else item  # as the API server reads it
                    yield from self.values(entry, below, (*path, field, str(index)))
            elif many is _Many.VALUES and isinstance(given, dict):
                for key, item in given.items():
                    yield from self.values(item, below, (*path, field, key))


def _parts(schema: Schema) -> Iterator[Part]:
    for field, below in schema.get("properties", {}).items():
        for many, holder in (
            (_Many.ONE, below),
            (_Many.ENTRIES, below.get("items")),
            (_Many.VALUES, below.get("additionalProperties")),
        ):
            reference = holder.get("$ref") if isinstance(holder, dict) else None
            if reference:
                yield Part(field, many, str(reference).removeprefix(REFERENCE))
