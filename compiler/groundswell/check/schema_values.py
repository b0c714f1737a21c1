"""The values that a chart's schema names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from groundswell.check.objects import mapping, sequence
from groundswell.check.value_reads import ANY, Use

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.value_reads import Path, Reads
    from groundswell.source.located import Json

_DEEPEST = 12
_TOGETHER = ("allOf", "anyOf", "oneOf")
_BRANCHES = ("if", "then", "else", "items")


def add_schema(reads: Reads, data: bytes) -> None:
    """Add the properties of a `values.schema.json`; text that is no JSON, which Helm refuses, has none.

    Below a definition of another file everything counts as named.
    """
    try:
        root = json.loads(data) if data else {}
    except ValueError:
        return
    pending: list[tuple[Path, Json]] = [((), root)]
    while pending:
        path, schema = pending.pop()
        if len(path) > _DEEPEST:
            reads.add(path, Use.PRINTED)
            continue
        for node in _parts(root, schema):
            if node is None:
                reads.add(path, Use.PRINTED)
                continue
            for name, below in _properties(node):
                reads.add((*path, name))
                pending.append(((*path, name), below))


def _properties(node: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    yield from mapping(node.get("properties")).items()
    yield from ((ANY, below) for below in mapping(node.get("patternProperties")).values())
    if isinstance(node.get("additionalProperties"), dict):
        yield ANY, node["additionalProperties"]


def _parts(root: Json, schema: Json) -> Iterator[Mapping[str, Json] | None]:
    """A schema and those that it is put together from; None for one that is not in this file."""
    pending: list[Json] = [schema]
    seen: list[Mapping[str, Json]] = []
    while pending:
        node = mapping(pending.pop())
        if any(node is other for other in seen):
            continue
        seen.append(node)
        yield node
        reference = node.get("$ref")
        if isinstance(reference, str):
            if not reference.startswith("#/"):
                yield None
                continue
            target: Json = root
            for key in reference.removeprefix("#/").split("/"):
                target = mapping(target).get(key.replace("~1", "/").replace("~0", "~"))
            pending.append(target)
        pending += [part for key in _TOGETHER for part in sequence(node.get(key))]
        pending += [node[key] for key in _BRANCHES if isinstance(node.get(key), dict)]
