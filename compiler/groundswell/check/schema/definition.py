"""What the API server refuses in a CustomResourceDefinition itself, beyond the types of its fields.

https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from groundswell.check.objects import mapping, sequence
from groundswell.check.schema.sound import sound
from groundswell.check.schema.validate import custom_violations
from groundswell.check.schema.violation import Effect, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.schema.violation import Path
    from groundswell.source.located import Json

_TYPES = frozenset({"array", "boolean", "integer", "number", "object", "string"})


def faults(data: Mapping[str, Json], *, schemas: bool) -> Iterator[Violation]:
    """What is wrong in a definition; `schemas` says whether those in it are to be judged, too."""
    spec = mapping(data.get("spec"))
    names = mapping(spec.get("names"))
    plural, group = names.get("plural"), spec.get("group")
    wanted = f"{plural}.{group}"
    told = isinstance(plural, str) and isinstance(group, str)  # anything else is a fault of the field itself
    if told and mapping(data.get("metadata")).get("name") != wanted:
        yield Violation(("metadata", "name"), f"must be `{wanted}`, the plural and the group of what it defines")
    versions = [mapping(version) for version in sequence(spec.get("versions"))]
    stored = sum(version.get("storage") is True for version in versions)
    if stored != 1:
        yield Violation(("spec", "versions"), f"has {stored} versions with `storage`, and needs one")
    if spec.get("preserveUnknownFields") is True:
        yield Violation(("spec", "preserveUnknownFields"), "must be false; the schema says where fields are kept")
    for index, version in enumerate(versions if schemas else ()):
        path = ("spec", "versions", str(index), "schema", "openAPIV3Schema")
        schema = mapping(version.get("schema")).get("openAPIV3Schema")
        if isinstance(schema, dict):
            yield from _root(schema, path)
        else:
            yield Violation(path, "is missing")


def _root(schema: Mapping[str, Any], path: Path) -> Iterator[Violation]:
    if "type" in schema and schema["type"] != "object":
        yield Violation((*path, "type"), "must be `object` at the root")
    if "additionalProperties" in schema:
        yield Violation((*path, "additionalProperties"), "must not stand at the root")
    yield from _faults(schema, path)


def _faults(schema: Mapping[str, Any], path: Path) -> Iterator[Violation]:
    """What keeps a schema and those below it from being structural: each says its type, lists say that of entries."""
    kind = str(schema.get("type") or "")
    free = (
        schema.get("x-kubernetes-int-or-string") is True or schema.get("x-kubernetes-preserve-unknown-fields") is True
    )
    if not kind and not free:
        yield Violation(path, "has no `type`")
    elif kind and kind not in _TYPES:
        yield Violation((*path, "type"), f"must not be `{kind}`")
    if kind == "array" and not isinstance(schema.get("items"), dict):
        yield Violation(path, "has no `items`")
    properties, other = mapping(schema.get("properties")), schema.get("additionalProperties")
    if properties and other:
        yield Violation(path, "has both `properties` and `additionalProperties`")
    if schema.get("default") is not None:
        for found in custom_violations(schema["default"], sound(schema)):
            if found.effect is Effect.REFUSED:
                yield found._replace(path=(*path, "default", *found.path))
    below: dict[Path, Json] = {("properties", name): child for name, child in properties.items()}
    below |= {("items",): schema.get("items"), ("additionalProperties",): other}
    for key, child in below.items():
        if isinstance(child, dict):
            yield from _faults(child, (*path, *key))
