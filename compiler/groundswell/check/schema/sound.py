"""A schema of a definition as far as it is well-formed: what has another type than it should says nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.objects import mapping

if TYPE_CHECKING:
    from groundswell.check.schema.violation import Schema
    from groundswell.source.located import Json

_TEXTS = frozenset({"type", "pattern", "format", "x-kubernetes-list-type"})
_LISTS_OF_TEXTS = frozenset({"required", "x-kubernetes-list-map-keys"})
_NUMBERS = frozenset({"minimum", "maximum", "multipleOf"})
_SIZES = frozenset({"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"})
_FLAGS = frozenset(
    {
        "nullable",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "x-kubernetes-embedded-resource",
        "x-kubernetes-int-or-string",
        "x-kubernetes-preserve-unknown-fields",
    }
)
_PARTS = frozenset({"items", "not"})
_LISTS_OF_PARTS = frozenset({"allOf", "anyOf", "oneOf"})


def sound(schema: Schema) -> Schema:
    """The schema with the words that are known and have the type that they must have, down to every part of it."""
    return {word: part for word, value in mapping(schema).items() if (part := _part(word, value)) is not None}


def _part(word: str, value: Json) -> Json:
    """The value of a word, its own parts sound; None when it says nothing."""
    if word == "properties" and isinstance(value, dict):
        return {name: sound(child) for name, child in value.items()}
    if word == "additionalProperties":
        return sound(value) if isinstance(value, dict) else value if isinstance(value, bool) else None
    if word in _PARTS and isinstance(value, dict):
        return sound(value)
    if word in _LISTS_OF_PARTS and isinstance(value, list):
        return [sound(child) for child in value]
    return value if _plain(word, value) else None


def _plain(word: str, value: Json) -> bool:
    """Whether a value without parts has the type that its word asks for."""
    if isinstance(value, bool):
        return word in _FLAGS or word == "default"
    if isinstance(value, list):
        texts = word in _LISTS_OF_TEXTS and all(isinstance(item, str) for item in value)
        return texts or word in {"enum", "default"}
    if isinstance(value, str):
        return word in _TEXTS or word == "default"
    return (
        word == "default"
        or (word in _NUMBERS and isinstance(value, int | float))
        or (word in _SIZES and isinstance(value, int))
    )
