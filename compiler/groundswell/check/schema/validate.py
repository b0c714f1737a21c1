"""Holding a value against a schema, in the part of JSON Schema and OpenAPI that Kubernetes uses.

A general validator takes a hundred times as long and cannot say which fields an API server would drop. Rules in CEL
(`x-kubernetes-validations`) are not evaluated.
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.schema.backtracking import SAFE, may_explode
from groundswell.check.schema.defaults import filled
from groundswell.check.schema.formats import fits
from groundswell.check.schema.lists import repeated
from groundswell.check.schema.patterns import translated
from groundswell.check.schema.violation import REFERENCE, Effect, Violation
from groundswell.diagnostics.suggest import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.schema.violation import Path, Schema
    from groundswell.source.located import Json

_EMBEDDED = frozenset({"apiVersion", "kind", "metadata"})
"""Fields of every resource: whatever a structural schema says of them, the API server knows better."""
_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "number": (int, float),
    "integer": (int, float),
}
_NUMBERS = frozenset({"number", "integer"})
_PLAIN = frozenset({"object", "array", "string", "boolean"})
# Few schemas limit the values of their type, and a bundle has tens of thousands of values.
_LIMITING = frozenset(
    """allOf anyOf oneOf not enum format pattern minLength maxLength minItems maxItems minProperties maxProperties
    minimum maximum multipleOf""".split()  # noqa: SIM905  a list is three times as long
)
_LONGEST = 80
"""The characters of a text that a message shows."""
_TOLERANCE = 1e-9
"""How far a quotient of two floating-point numbers may be from a whole one, to be taken for one."""
_RANGES = {
    "int32": (-(2**31), 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "float": (-3.4028234663852886e38, 3.4028234663852886e38),
}


class Rules(NamedTuple):
    """How schemas are read: the definitions that they refer to, and whether they are structural (those of a CRD).

    `logical` parts, such as those of `anyOf`, only say which values there may be, never which fields.
    """

    definitions: Mapping[str, Schema]
    structural: bool = False
    logical: bool = False


def custom_violations(value: Json, schema: Schema) -> Iterator[Violation]:
    """Everything in a custom resource that does not fit the schema of its definition, which must be sound."""
    nulls: list[Violation] = []
    value = filled(value, schema, nulls)
    yield from nulls
    yield from violations(value, schema, Rules({}, structural=True))


def violations(value: Json, schema: Schema, rules: Rules, path: Path = ()) -> Iterator[Violation]:
    """Everything in a value that does not fit a schema."""
    while "$ref" in schema:
        schema = rules.definitions.get(str(schema["$ref"]).removeprefix(REFERENCE), {})
    if value is None:
        if not _nullable(schema, rules):
            yield Violation(path, "must not be null")
        return
    if not _typed(value, schema):
        yield Violation(path, f"must be {_wanted(schema)}, not {_shown(value)}")
        return
    if not _LIMITING.isdisjoint(schema):
        yield from _bounds(value, schema, rules, path)
        yield from _combined(value, schema, rules, path)
    if isinstance(value, dict):
        yield from _fields(value, schema, rules, path)
    elif isinstance(value, list):
        yield from repeated(value, schema, path, structural=rules.structural)
        if isinstance(items := schema.get("items"), dict):
            for index, item in enumerate(value):
                given = _decoded(item, items, rules)
                yield from violations(given, items, rules, (*path, str(index)))


def _decoded(item: Json, schema: Schema, rules: Rules) -> Json:
    """An entry of a list as the API server reads it: in a built-in kind, null is an object without any field."""
    if item is not None or rules.structural:
        return item
    while "$ref" in schema:
        schema = rules.definitions.get(str(schema["$ref"]).removeprefix(REFERENCE), {})
    return {} if "properties" in schema else None


def _nullable(schema: Schema, rules: Rules) -> bool:
    """Built-in kinds take null for a field that is left out. A CRD says so itself; its other nulls are gone by now."""
    return not rules.structural or rules.logical or schema.get("nullable") is True or not _types(schema)


def _types(schema: Schema) -> tuple[str, ...]:
    if schema.get("x-kubernetes-int-or-string"):
        return ("integer", "string")
    listed = schema.get("type", ())
    return (listed,) if isinstance(listed, str) else tuple(kind for kind in listed if kind != "null")


def _typed(value: Json, schema: Schema) -> bool:
    kind = schema.get("type")
    if isinstance(kind, list) and kind[1:] == ["null"]:
        kind = kind[0]  # as built-in kinds have it; the value is none
    if isinstance(kind, str) and kind in _PLAIN and "x-kubernetes-int-or-string" not in schema:
        return isinstance(value, _TYPES[kind])
    types = _types(schema)
    return not types or any(_is(value, kind) for kind in types)


def _is(value: Json, kind: str) -> bool:
    if kind not in _TYPES:
        return True
    return isinstance(value, _TYPES[kind]) and (
        kind not in _NUMBERS
        or not (isinstance(value, bool) or (kind == "integer" and isinstance(value, float) and not value.is_integer()))
    )


def _wanted(schema: Schema) -> str:
    article = {"object": "a map", "array": "a list", "string": "text", "boolean": "true or false", "number": "a number"}
    return " or ".join(article.get(kind, "a whole number") for kind in _types(schema))


def _shown(value: Json) -> str:
    if isinstance(value, dict | list):
        return "a map" if isinstance(value, dict) else "a list"
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return f"the number {value}"
    line = value.replace("\n", "\\n")
    return f"the text `{line if len(line) <= _LONGEST else line[:_LONGEST] + '…'}`"


def _bounds(value: Json, schema: Schema, rules: Rules, path: Path) -> Iterator[Violation]:
    if "enum" in schema and not any(_same(value, item) for item in schema["enum"]):
        allowed = ", ".join(f"`{item}`" for item in schema["enum"] if item is not None)
        yield Violation(path, f"must be one of {allowed}, not {_shown(value)}")
    if isinstance(value, str):
        yield from _length(len(value), schema, ("minLength", "maxLength", "characters"), path)
        yield from _text(value, schema, rules, path)
    elif isinstance(value, list):
        yield from _length(len(value), schema, ("minItems", "maxItems", "items"), path)
    elif isinstance(value, dict):
        yield from _length(len(value), schema, ("minProperties", "maxProperties", "fields"), path)
    elif not isinstance(value, bool):
        yield from _range(value, schema, path)


def _same(value: Json, other: Json) -> bool:
    """Equal, where true is not 1."""
    return value == other and isinstance(value, bool) == isinstance(other, bool)


def _text(value: str, schema: Schema, rules: Rules, path: Path) -> Iterator[Violation]:
    """What the form of a text is; one that cannot be held against it is passed over."""
    pattern, form = schema.get("pattern"), schema.get("format")
    if pattern and _speaks_against(pattern, value):
        yield Violation(path, f"{_shown(value)} does not match `{pattern}`")
    if not form:
        return
    if not rules.structural and form == "byte":
        # Built-in kinds decode it, which passes over line ends, and takes nothing for nothing.
        value = value.replace("\n", "").replace("\r", "") or "AAAA"
    elif not rules.structural or schema.get("type", "string") != "string":
        return
    if not fits(form, value):
        # What is written in base64 is long, or a secret.
        yield Violation(path, f"{_shown(value)} is no `{form}`" if form != "byte" else "is no text in base64")


def _speaks_against(pattern: str, value: str) -> bool:
    """Whether a text surely does not match: Go's engine takes linear time for any expression, Python's does not."""
    expression = translated(pattern)
    if expression is None or (len(value) > SAFE and may_explode(expression.pattern)):
        return False
    return expression.search(value) is None


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
    step = schema.get("multipleOf")
    if step and abs(value / step - round(value / step)) > _TOLERANCE:
        yield Violation(path, f"must be a multiple of {step}, not {value}")
    if not in_range(value, schema):
        yield Violation(path, f"{value} does not fit `{schema['format']}`")


def in_range(value: Json, schema: Schema) -> bool:
    """Whether a value is no number, or one that the format of its schema can have."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return True
    lowest, highest = _RANGES.get(str(schema.get("format")), (value, value))
    return lowest <= value <= highest


def _combined(value: Json, schema: Schema, rules: Rules, path: Path) -> Iterator[Violation]:
    """`allOf`, `anyOf`, `oneOf` and `not`, which never say which fields there are, only what values they may have."""
    logical = rules._replace(logical=True)
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
        if name not in value or (value[name] is None and not rules.structural):
            yield Violation(path, f"`{name}` is missing")
    other = schema.get("additionalProperties")
    closed = other is False or (rules.structural and not rules.logical and _closed(schema))
    embedded = rules.structural and schema.get("x-kubernetes-embedded-resource") is True
    free = _EMBEDDED if rules.structural and (not path or embedded) else frozenset()
    if embedded:
        yield from _embedded(value, path)
    for name, child in value.items():
        if name in properties:
            reading = rules._replace(logical=True) if name in free else rules
            yield from violations(child, properties[name], reading, (*path, name))
        elif isinstance(other, dict):
            yield from violations(child, other, rules, (*path, name))
        elif closed and name not in free:
            hint = suggestion(name, properties)
            message = f"is not a field of the schema{hint and f'; {hint}'}"
            yield Violation((*path, name), message, Effect.DROPPED)


def _embedded(value: Mapping[str, Json], path: Path) -> Iterator[Violation]:
    """An object within an object says what it is."""
    for name in ("apiVersion", "kind"):
        if name not in value:
            yield Violation(path, f"`{name}` is missing")
        elif not isinstance(value[name], str) or not value[name]:
            yield Violation((*path, name), f"must be text, not {_shown(value[name])}")


def _closed(schema: Schema) -> bool:
    """Whether a structural schema lists all fields: what it does not list is pruned."""
    known = "additionalProperties" in schema or schema.get("x-kubernetes-preserve-unknown-fields") is True
    return schema.get("type") == "object" and not known
