"""The validator for Kubernetes' schemas: what a server refuses, what it drops, and agreement with a general one."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundswell.check.schema.validate import Rules, custom_violations, violations
from groundswell.check.schema.violation import Effect

PLAIN = Rules({})


def texts(value: Any, schema: Any, rules: Rules = PLAIN) -> list[str]:
    return [f"{found.where}: {found.message}" for found in violations(value, schema, rules)]


def custom(value: Any, schema: Any) -> list[str]:
    """What is wrong with the spec of a custom resource, whose schema is given."""
    whole = {"type": "object", "properties": {"spec": schema}}
    return [
        f"{found.where}: {found.message} ({found.effect.name})" for found in custom_violations({"spec": value}, whole)
    ]


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
        (2**31, {"type": "integer", "format": "int32"}, "2147483648 does not fit `int32`"),
        (0, {"minimum": 1}, "must be at least 1, not 0"),
        (1, {"minimum": 1, "exclusiveMinimum": True}, "must be at least 1, not 1"),
        (9, {"maximum": 8}, "must be at most 8, not 9"),
        (7, {"multipleOf": 5}, "must be a multiple of 5, not 7"),
        (2**63, {"format": "int64"}, "9223372036854775808 does not fit `int64`"),
        (True, {"enum": [1]}, "must be one of `1`, not true"),
        ("a\n", {"pattern": "^a$"}, "the text `a\\n` does not match `^a$`"),
        ("!", {"type": "string", "format": "byte"}, "is no text in base64"),
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
        (0.3, {"multipleOf": 0.1}),
        (1.0, {"enum": [1]}),
        ("YWJj\nYQ==", {"format": "byte"}),
        ("", {"format": "byte"}),
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
    found = list(custom_violations(value, STRUCTURE))
    assert [(item.where, item.effect) for item in found] == [("spec.keep", Effect.DROPPED), ("spek", Effect.DROPPED)]
    assert "did you mean `kept`?" in found[0].message


def test_a_structural_schema_keeps_what_it_says_it_keeps() -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}}
    spec = {"free": {"any": {"thing": 1}}, "map": {"a": "b"}, "volume": None, "pod": pod}
    assert not list(custom_violations({"spec": spec}, STRUCTURE))


TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("value", "schema", "found"),
    [
        (None, TEXT, ["spec: must not be null (NULL)"]),
        ({"a": None}, {"type": "object", "additionalProperties": TEXT}, ["spec.a: must not be null (NULL)"]),
        ([None], {"type": "array", "items": TEXT}, ["spec[0]: must not be null (REFUSED)"]),
        (None, {**TEXT, "default": "x"}, []),
        (None, {**TEXT, "nullable": True}, []),
        ({"a": None}, {"type": "object", "x-kubernetes-preserve-unknown-fields": True}, []),
        ({"a": None}, {"type": "object", "required": ["a"], "properties": {"a": {**TEXT, "nullable": True}}}, []),
        (
            {"a": None},
            {"type": "object", "required": ["a"], "properties": {"a": TEXT}},
            ["spec.a: must not be null (NULL)", "spec: `a` is missing (REFUSED)"],
        ),
        (
            {"a": None},
            {"type": "object", "not": {"required": ["a"]}, "properties": {"a": TEXT}},
            ["spec.a: must not be null (NULL)"],
        ),
    ],
)
def test_null_goes_where_a_definition_does_not_allow_it(value: Any, schema: Any, found: list[str]) -> None:
    assert custom(value, schema) == found


def test_defaults_count_for_what_is_required_of_the_whole() -> None:
    part = {"type": "object", "properties": {"a": {**TEXT, "default": "x"}, "b": TEXT}}
    assert not custom({}, {**part, "required": ["a"]})
    assert not custom({}, {**part, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]})
    assert custom({"b": "y"}, {**part, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]})


ENTRY = {"type": "object", "properties": {"n": TEXT, "p": {**TEXT, "default": "TCP"}, "v": TEXT}}
AS_MAP = {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n", "p"], "items": ENTRY}
AS_SET = {"type": "array", "x-kubernetes-list-type": "set", "items": TEXT}


def test_entries_that_stand_twice_in_a_custom_resource_are_refused() -> None:
    twice = [{"n": "a"}, {"n": "a", "p": "TCP", "v": "x"}, {"n": "a", "p": "UDP"}, {"n": "a"}]
    assert custom(twice, AS_MAP) == ["spec: has more than one entry with `n` `a` and `p` `TCP` (REFUSED)"]
    assert not custom([{"n": "a"}, {"n": "b"}, {"n": "a", "p": "UDP"}], AS_MAP)
    assert custom(["x", "y", "x"], AS_SET) == ["spec: has more than one entry `x` (REFUSED)"]
    assert not custom(["x", "x"], {"type": "array", "items": TEXT})


def test_server_side_apply_alone_refuses_them_in_built_in_kinds() -> None:
    def effects(value: Any, **words: Any) -> list[Effect]:
        return [found.effect for found in violations(value, {"type": "array", **words}, PLAIN)]

    named = {"x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name"}
    assert effects([{"name": "a"}, {"name": "a", "value": 1}], **named) == [Effect.TWICE]
    assert effects([{"name": "a"}, {"name": "b"}], **named) == []
    assert effects(["a", "a"], **{"x-kubernetes-patch-strategy": "merge"}) == [Effect.TWICE]
    assert effects(["a", "a"], **{"x-kubernetes-list-type": "atomic", **named}) == []
    ports = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["containerPort", "protocol"]}
    assert effects([{"containerPort": 1}, {"containerPort": 1, "protocol": "TCP"}], **ports) == [Effect.TWICE]
    assert effects([{"containerPort": 1}, {"containerPort": 1, "protocol": None}], **ports) == []


EMBEDDED = {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True}


def test_an_object_within_an_object_says_what_it_is() -> None:
    assert custom({"q": 1}, EMBEDDED) == [
        "spec: `apiVersion` is missing (REFUSED)",
        "spec: `kind` is missing (REFUSED)",
    ]
    assert custom({"apiVersion": "", "kind": 1}, EMBEDDED) == [
        "spec.apiVersion: must be text, not the text `` (REFUSED)",
        "spec.kind: must be text, not the number 1 (REFUSED)",
    ]
    assert not custom({"apiVersion": "v1", "kind": "Pod"}, EMBEDDED)


def test_a_definition_may_bound_the_name_of_its_resources() -> None:
    schema = {
        "type": "object",
        "properties": {"metadata": {"type": "object", "properties": {"name": {"maxLength": 1}}}},
    }
    value = {"metadata": {"name": "ab", "labels": {}}}
    assert [found.where for found in custom_violations(value, schema)] == ["metadata.name"]


def test_logical_parts_do_not_say_which_fields_there_are() -> None:
    schema = {"type": "object", "properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"], "type": "object"}]}
    assert not texts({"a": 1, "b": 2}, schema, Rules({}, structural=True))


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
