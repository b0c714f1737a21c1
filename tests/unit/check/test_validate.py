"""The validator for Kubernetes' schemas: what a server refuses, what it drops, and agreement with a general one."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundswell.check.schema.validate import Rules, violations

PLAIN = Rules({})
CRD = Rules({}, structural=True)


def texts(value: Any, schema: Any, rules: Rules = PLAIN) -> list[str]:
    return [f"{found.where}: {found.message}" for found in violations(value, schema, rules)]


def test_places_are_written_as_people_do() -> None:
    schema = {"properties": {"a": {"items": {"properties": {"b": {"type": "string"}}}}}}
    assert texts({"a": [{}, {"b": 1}]}, schema) == ["a[1].b: must be text, not the number 1"]
    assert texts([], {"type": "object"}) == ["the object: must be a map, not a list"]


@pytest.mark.parametrize(
    ("value", "schema", "message"),
    [
        ("x", {"type": "integer"}, "must be a whole number, not the text `x`"),
        (True, {"type": "integer"}, "must be a whole number, not true"),
        (1.5, {"type": "integer"}, "must be a whole number, not the number 1.5"),
        (2**31, {"type": "integer", "format": "int32"}, "2147483648 does not fit 32 bits"),
        (0, {"minimum": 1}, "must be at least 1, not 0"),
        (1, {"minimum": 1, "exclusiveMinimum": True}, "must be at least 1, not 1"),
        (9, {"maximum": 8}, "must be at most 8, not 9"),
        ("c", {"enum": ["a", "b", None]}, "must be one of `a`, `b`, not the text `c`"),
        ("A", {"pattern": "^[a-z]+$"}, "the text `A` does not match `^[a-z]+$`"),
        ("", {"minLength": 1}, "has 0 characters, at least 1 are needed"),
        ([1, 2], {"maxItems": 1}, "has 2 items, at most 1 are allowed"),
        ({}, {"required": ["a"]}, "`a` is missing"),
        (
            "x",
            {"anyOf": [{"type": "integer"}, {"type": "boolean"}]},
            "the text `x` fits none of the forms that are allowed",
        ),
        (
            1,
            {"oneOf": [{"minimum": 0}, {"maximum": 2}]},
            "the number 1 fits more than one of the forms that exclude each other",
        ),
        (1, {"not": {"minimum": 0}}, "the number 1 has a form that is not allowed"),
        ({"a": None}, {"required": ["a"]}, "`a` is missing"),
    ],
)
def test_what_is_refused(value: Any, schema: Any, message: str) -> None:
    assert texts(value, schema) == [f"the object: {message}"]


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        (2.0, {"type": "integer"}),
        ("5%", {"x-kubernetes-int-or-string": True}),
        ("5%", {"oneOf": [{"type": ["string", "null"]}, {"type": ["integer", "null"]}]}),
        (None, {"type": ["string", "null"]}),
        ("a\n", {"pattern": r"(?<=("}),
    ],
)
def test_what_is_accepted(value: Any, schema: Any) -> None:
    assert not texts(value, schema)


def test_references_lead_to_definitions_even_in_circles() -> None:
    schema = {"$ref": "#/$defs/node"}
    rules = Rules({"node": {"properties": {"next": {"$ref": "#/$defs/node"}, "size": {"type": "integer"}}}})
    assert texts({"next": {"next": {"size": "x"}}}, schema, rules) == [
        "next.next.size: must be a whole number, not the text `x`"
    ]


STRUCTURE = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "required": ["kept"],
            "properties": {
                "kept": {"type": "string", "default": "x"},
                "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                "map": {"type": "object", "additionalProperties": {"type": "string"}},
                "volume": {"type": "object", "nullable": True},
                "pod": {"type": "object", "x-kubernetes-embedded-resource": True},
            },
        }
    },
}


def test_a_structural_schema_drops_what_it_does_not_list() -> None:
    value = {"apiVersion": "a/v1", "kind": "X", "metadata": {"labels": {}}, "spec": {"keep": "y"}, "spek": {}}
    found = list(violations(value, STRUCTURE, CRD))
    assert [(item.where, item.unknown) for item in found] == [("spec.keep", True), ("spek", True)]
    assert "did you mean `kept`?" in found[0].message


def test_a_structural_schema_keeps_what_it_says_it_keeps() -> None:
    spec = {"free": {"any": {"thing": 1}}, "map": {"a": "b"}, "volume": None, "pod": {"metadata": {"name": "x"}}}
    assert not texts({"spec": spec}, STRUCTURE, CRD)


def test_null_is_refused_where_a_definition_does_not_allow_it() -> None:
    assert texts({"spec": {"map": None}}, STRUCTURE, CRD) == ["spec.map: must not be null"]
    assert not texts({"spec": {"kept": None}}, STRUCTURE, CRD)


def test_logical_parts_do_not_say_which_fields_there_are() -> None:
    schema = {"type": "object", "properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"], "type": "object"}]}
    assert not texts({"a": 1, "b": 2}, schema, CRD)


SCALARS = st.one_of(st.booleans(), st.integers(-3, 3), st.sampled_from(["", "a", "ab", "B"]))
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
)
TYPES = st.sampled_from(["object", "array", "string", "integer", "number", "boolean"])
LEAVES = st.fixed_dictionaries(
    {},
    optional={
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=2, unique=True),
        "enum": st.lists(SCALARS.filter(lambda item: isinstance(item, str)), min_size=1, max_size=2),
        "minimum": st.integers(-2, 2),
        "maximum": st.integers(-2, 2),
        "minLength": st.integers(0, 2),
        "maxItems": st.integers(0, 2),
        "minProperties": st.integers(0, 2),
        "pattern": st.sampled_from(["^a", "b$", "[A-Z]"]),
        "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
        "additionalProperties": st.just(value=False),
    },
)
SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
            "additionalProperties": inner,
            "items": inner,
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "oneOf": st.lists(inner, min_size=1, max_size=2),
            "not": inner,
        },
    ),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(value=VALUES, schema=SCHEMAS)
def test_it_agrees_with_a_general_validator(value: Any, schema: Any) -> None:
    expected = jsonschema.Draft202012Validator(schema).is_valid(value)
    assert (not texts(value, schema)) is expected
