"""Holding a value against a schema, in the part of JSON Schema and OpenAPI that Kubernetes uses.

A general validator takes a hundred times as long and cannot say which fields an API server would drop. Rules in CEL
(`x-kubernetes-validations`) are not evaluated.
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from groundswell.diagnostics.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.source.located import Json

Schema = Any
Path = tuple[str, ...]

_REFERENCE = "#/$defs/"
_EMBEDDED = frozenset({"apiVersion", "kind", "metadata"})
"""Fields of every resource: whatever a structural schema says of them, the API server knows better."""
_INT32 = 2**31


@dataclass(frozen=True, slots=True)
class Violation:
    """What is wrong at a path of an object. `unknown`: the field is not in the schema, and the server drops it."""

    path: Path
    message: str
    unknown: bool = False

    @property
    def where(self) -> str:
        """The path as people write it: `spec.ports[0].name`."""
        text = "".join(f"[{key}]" if key.isdigit() else f".{key}" for key in self.path)
        return text.lstrip(".") or "the object"


@dataclass(frozen=True, slots=True)
class Rules:
    """How schemas are read: the definitions that they refer to, and whether they are structural (those of a CRD)."""

    definitions: Mapping[str, Schema]
    structural: bool = False


def violations(value: Json, schema: Schema, rules: Rules, path: Path = ()) -> Iterator[Violation]:
    """Everything in a value that does not fit a schema."""
    while "$ref" in schema:
        schema = rules.definitions.get(str(schema["$ref"]).removeprefix(_REFERENCE), {})
    if value is None:
        if not _nullable(schema, rules):
            yield Violation(path, "must not be null")
        return
    if not _typed(value, schema):
        yield Violation(path, f"must be {_wanted(schema)}, not {_shown(value)}")
        return
    yield from _bounds(value, schema, path)
    yield from _combined(value, schema, rules, path)
    if isinstance(value, dict):
        yield from _fields(value, schema, rules, path)
    elif isinstance(value, list) and isinstance(items := schema.get("items"), dict):
        for index, item in enumerate(value):
            yield from violations(item, items, rules, (*path, str(index)))


def _nullable(schema: Schema, rules: Rules) -> bool:
    """Built-in kinds take null for a field that is left out. A CRD says so itself, or gives the field a default."""
    return not rules.structural or schema.get("nullable") is True or "default" in schema or not _types(schema)


def _types(schema: Schema) -> tuple[str, ...]:
    if schema.get("x-kubernetes-int-or-string"):
        return ("integer", "string")
    listed = schema.get("type", ())
    return (listed,) if isinstance(listed, str) else tuple(kind for kind in listed if kind != "null")


def _typed(value: Json, schema: Schema) -> bool:
    types = _types(schema)
    return not types or any(_is(value, kind) for kind in types)


def _is(value: Json, kind: str) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return {
        "object": isinstance(value, dict),
        "array": isinstance(value, list),
        "string": isinstance(value, str),
        "boolean": isinstance(value, bool),
        "number": number,
        "integer": number and (isinstance(value, int) or value.is_integer()),
    }.get(kind, True)


def _wanted(schema: Schema) -> str:
    article = {"object": "a map", "array": "a list", "string": "text", "boolean": "true or false", "number": "a number"}
    return " or ".join(article.get(kind, "a whole number") for kind in _types(schema))


def _shown(value: Json) -> str:
    if isinstance(value, dict | list):
        return "a map" if isinstance(value, dict) else "a list"
    if isinstance(value, bool):
        return str(value).lower()
    return f"the text `{value}`" if isinstance(value, str) else f"the number {value}"


def _bounds(value: Json, schema: Schema, path: Path) -> Iterator[Violation]:
    if "enum" in schema and value not in schema["enum"]:
        allowed = ", ".join(f"`{item}`" for item in schema["enum"] if item is not None)
        yield Violation(path, f"must be one of {allowed}, not {_shown(value)}")
    if isinstance(value, str):
        yield from _length(len(value), schema, ("minLength", "maxLength", "characters"), path)
        if "pattern" in schema and not _matches(schema["pattern"], value):
            yield Violation(path, f"{_shown(value)} does not match `{schema['pattern']}`")
    elif isinstance(value, list):
        yield from _length(len(value), schema, ("minItems", "maxItems", "items"), path)
    elif isinstance(value, dict):
        yield from _length(len(value), schema, ("minProperties", "maxProperties", "fields"), path)
    elif not isinstance(value, bool):
        yield from _range(value, schema, path)


def _length(size: int, schema: Schema, names: tuple[str, str, str], path: Path) -> Iterator[Violation]:
    least, most, unit = names
    if size < schema.get(least, 0):
        yield Violation(path, f"has {size} {unit}, at least {schema[least]} are needed")
    if size > schema.get(most, size):
        yield Violation(path, f"has {size} {unit}, at most {schema[most]} are allowed")


def _range(value: float, schema: Schema, path: Path) -> Iterator[Violation]:
    least, most = schema.get("minimum", value), schema.get("maximum", value)
    if value < least or (value == least and schema.get("exclusiveMinimum") is True):
        yield Violation(path, f"must be at least {least}, not {value}")
    if value > most or (value == most and schema.get("exclusiveMaximum") is True):
        yield Violation(path, f"must be at most {most}, not {value}")
    if schema.get("format") == "int32" and not -_INT32 <= value < _INT32:
        yield Violation(path, f"{value} does not fit 32 bits")


def _matches(pattern: str, value: str) -> bool:
    """Go's and Python's expressions are alike where schemas use them; one that Python cannot read is passed over."""
    try:
        return re.search(pattern.replace(r"\z", r"\Z"), value) is not None
    except re.error:
        return True


def _combined(value: Json, schema: Schema, rules: Rules, path: Path) -> Iterator[Violation]:
    """`allOf`, `anyOf`, `oneOf` and `not`, which never say which fields there are, only what values they may have."""
    logical = Rules(rules.definitions)
    for part in schema.get("allOf", ()):
        yield from violations(value, part, logical, path)
    for word in ("anyOf", "oneOf"):
        parts = schema.get(word, ())
        fitting = sum(next(violations(value, part, logical, path), None) is None for part in parts)
        if parts and not fitting:
            yield Violation(path, f"{_shown(value)} fits none of the forms that are allowed")
        elif word == "oneOf" and fitting > 1:
            yield Violation(path, f"{_shown(value)} fits more than one of the forms that exclude each other")
    if "not" in schema and next(violations(value, schema["not"], logical, path), None) is None:
        yield Violation(path, f"{_shown(value)} has a form that is not allowed")


def _fields(value: Mapping[str, Json], schema: Schema, rules: Rules, path: Path) -> Iterator[Violation]:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if value.get(name) is None and not _may_lack(properties.get(name, {}), rules, given=name in value):
            yield Violation(path, f"`{name}` is missing")
    other = schema.get("additionalProperties")
    closed = other is False or (rules.structural and _closed(schema))
    free = _EMBEDDED if rules.structural and (not path or schema.get("x-kubernetes-embedded-resource")) else frozenset()
    for name, child in value.items():
        if name in free:
            continue
        if name in properties:
            yield from violations(child, properties[name], rules, (*path, name))
        elif isinstance(other, dict):
            yield from violations(child, other, rules, (*path, name))
        elif closed:
            guess = nearest(name, properties)
            hint = f"; did you mean `{guess}`?" if guess else ""
            yield Violation((*path, name), f"is not a field of the schema{hint}", unknown=True)


def _may_lack(schema: Schema, rules: Rules, *, given: bool) -> bool:
    """Whether a required field of a CRD gets its default, or may be null when it is given."""
    return rules.structural and ("default" in schema or (given and schema.get("nullable") is True))


def _closed(schema: Schema) -> bool:
    """Whether a structural schema lists all fields: what it does not list is pruned."""
    known = "additionalProperties" in schema or schema.get("x-kubernetes-preserve-unknown-fields") is True
    return schema.get("type") == "object" and not known
