"""What the API server makes of a custom resource before it validates it: defaults go in, and nulls go out.

https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting-and-nullable
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.schema.violation import Effect, Violation

if TYPE_CHECKING:
    from groundswell.check.schema.violation import Path, Schema
    from groundswell.source.located import Json


def filled(value: Json, schema: Schema, nulls: list[Violation], path: Path = ()) -> Json:
    """The value as it is validated; nothing in `value` is changed.

    A null goes where the schema neither allows it nor has a default to put there; `nulls` is told of each. Those in
    lists stay, since an entry cannot go.
    """
    if isinstance(value, list):
        items = schema.get("items")
        if not isinstance(items, dict):
            return value
        return [filled(item, items, nulls, (*path, str(index))) for index, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    properties = schema.get("properties", {})
    other = schema.get("additionalProperties")
    result: dict[str, Json] = {}
    for name, child in value.items():
        part = properties.get(name, other if isinstance(other, dict) else None)
        if part is None or (child is None and _takes_null(part)):
            result[name] = child
        elif child is not None:
            result[name] = filled(child, part, nulls, (*path, name))
        elif "default" not in part:
            nulls.append(Violation((*path, name), "must not be null", Effect.NULL))
    for name, part in properties.items():
        if name not in result and isinstance(part, dict) and part.get("default") is not None:
            result[name] = filled(part["default"], part, nulls, (*path, name))
    return result


def _takes_null(schema: Schema) -> bool:
    """Whether null is a value of its own: the schema says so, or says nothing of the type."""
    return schema.get("nullable") is True or not (schema.get("type") or schema.get("x-kubernetes-int-or-string"))
