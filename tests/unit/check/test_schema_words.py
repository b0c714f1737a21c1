"""Formats, patterns and definitions; `tests/e2e/test_schemas.py` holds the same words against an API server."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import schema_samples as samples
from groundswell.check.schema.definition import faults
from groundswell.check.schema.formats import fits
from groundswell.check.schema.patterns import translated
from groundswell.check.schema.sound import sound
from groundswell.check.schema.validate import custom_violations

FITTING: dict[str, int | tuple[str, ...]] = {
    "bsonobjectid": 1,
    "byte": ("YQ==", "YWJj"),
    "cidr": ("10.0.0.0/8", "10.0.0.1/8", "::/0", "010.0.0.0/08"),
    "date": ("2020-01-01", "2020-02-29", "0000-01-01"),
    "date-time": 3,
    "dateTime": 1,
    "duration": 11,
    "email": 2,
    "hexcolor": 2,
    "hostname": ("a", "a.bc", "m-host", "my-host.example.com", "é.example", "$a", "x--y.com", "a-", "a" * 63),
    "int32": 1,
    "ipv4": 3,
    "ipv6": 2,
    "mac": 3,
    "password": 2,
    "quantity": 1,
    "rgbcolor": 2,
    "ssn": 1,
    "uri": 6,
    "uuid": 2,
    "uuid3": 1,
    "uuid4": 1,
    "uuid5": 1,
}
"""What an API server takes of the samples: these, or as many from the front."""


@pytest.mark.parametrize("name", samples.FORMATS)
def test_the_texts_that_have_a_format(name: str) -> None:
    texts, wanted = samples.FORMATS[name], FITTING[name]
    fitting = texts[:wanted] if isinstance(wanted, int) else wanted
    assert [text for text in texts if fits(name, text)] == list(fitting)


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        (r"^[[:alpha:]]+$", "abc", True),
        (r"^[^[:space:]]+$", "abs", True),
        (r"^[^[:space:]]+$", "a b", False),
        (r"^\d+$", "\u0661", False),
        (r"^a$", "a\n", False),
        (r"(?m)^a$", "a\nb", True),
        (r"^\s$", "\v", False),
        (r"(?i)^ABC$", "abc", True),
        (r"^[[a]$", "[", True),
        (r"^[a-z&&b]+$", "a&b", True),
        (r"^a{,3}$", "a{,3}", True),
        (r"^[\w-.]+$", "a-.", True),
        (r"^\Qa.b\E$", "axb", False),
        (r"^\x{41}$", "A", True),
        (r"^(?<n>a)\z", "a", True),
        (r"^(?i)(abort|warn)?$", "ABORT", True),
        (r"^((?i)ab|c)$", "C", True),
        (r"^(a(?i)b)C*$", "aBc", False),
    ],
)
def test_patterns_are_read_as_go_reads_them(pattern: str, text: str, matches: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expression = translated(pattern)
    assert expression is not None
    assert (expression.search(text) is not None) is matches


@pytest.mark.parametrize("pattern", [r"\p{L}", r"a(?i)b|c", r"[[:^alpha:]]", "(?=a)", "[", "(", r"\1", "a**", "\\"])
def test_what_python_cannot_say_is_passed_over(pattern: str) -> None:
    assert translated(pattern) is None
    assert not list(custom_violations("x", {"type": "string", "pattern": pattern}))


def definition(schema: Any, **spec: Any) -> dict[str, Any]:
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"kind": "Foo", "plural": "foos"}
    return {"metadata": {"name": "foos.a.b"}, "spec": {"group": "a.b", "names": names, "versions": [version], **spec}}


def wrong(schema: Any, **spec: Any) -> list[str]:
    found = faults(definition(schema, **spec), schemas=True)
    return [f"{item.where.removeprefix('spec.versions[0].schema.openAPIV3Schema')}: {item.message}" for item in found]


OBJECT: dict[str, Any] = {"type": "object"}


def test_faulty_definitions_are_told() -> None:
    assert wrong({**OBJECT, "properties": {"a": {"type": "string"}}}) == []
    assert wrong({"x-kubernetes-preserve-unknown-fields": True}) == []
    assert wrong({**OBJECT, "properties": {"a": {}}}) == [".properties.a: has no `type`"]
    assert wrong({**OBJECT, "properties": {"a": {"type": "text"}}}) == [".properties.a.type: must not be `text`"]
    assert wrong({**OBJECT, "properties": {"a": {"type": "array"}}}) == [".properties.a: has no `items`"]
    lacking = {**OBJECT, "default": {}, "required": ["x"], "properties": {"x": {"type": "string"}}}
    assert wrong({**OBJECT, "properties": {"a": lacking}}) == [".properties.a.default: `x` is missing"]
    assert wrong({"type": "string"}) == [".type: must be `object` at the root"]
    assert wrong(None) == [": is missing"]
    assert wrong(OBJECT, group="other") == [
        "metadata.name: must be `foos.other`, the plural and the group of what it defines"
    ]
    assert wrong(OBJECT, preserveUnknownFields=True) == [
        "spec.preserveUnknownFields: must be false; the schema says where fields are kept"
    ]
    twice = definition(OBJECT)["spec"]["versions"] * 2
    assert wrong(OBJECT, versions=twice) == ["spec.versions: has 2 versions with `storage`, and needs one"]


WORDS = [
    *("type", "properties", "items", "required", "enum", "pattern", "format", "minimum", "multipleOf", "minLength"),
    *("maxItems", "additionalProperties", "allOf", "anyOf", "not", "nullable", "default", "x-kubernetes-list-type"),
    *("x-kubernetes-list-map-keys", "x-kubernetes-embedded-resource", "x-kubernetes-int-or-string", "$ref", "a", "b"),
]
SCALARS = (
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "object", "array", "map", "set", "("])
)
JUNK = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=10,
)


@settings(max_examples=200, deadline=None)
@given(schema=st.dictionaries(st.sampled_from(WORDS), JUNK, max_size=6), value=JUNK)
def test_no_schema_is_too_odd_to_be_judged(schema: Any, value: Any) -> None:
    list(custom_violations(value, sound(schema)))
    list(faults(definition(schema), schemas=True))


@pytest.mark.parametrize(("pattern", "told"), [(r"^(a+)+$", False), (r"^(a|a)+$", False), (r"^(\.b*)*$", True)])
def test_what_takes_python_exponential_time_is_passed_over_for_long_texts(pattern: str, *, told: bool) -> None:
    schema = {"type": "string", "pattern": pattern}
    assert bool(list(custom_violations("a" * 40 + "!", schema))) is told
    assert list(custom_violations("a!", schema))


def test_a_definition_without_names_is_not_told_what_to_be_called() -> None:
    assert wrong(OBJECT, names=[]) == []


def test_entries_without_their_key_are_told_so() -> None:
    schema = {
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name", "on"],
        "items": {"type": "object", "properties": {"name": {"type": "string"}, "on": {"type": "boolean"}}},
    }
    (found,) = custom_violations([{"on": True}, {"on": True}], schema)
    assert found.message == "has more than one entry with `on` `true` and without `name`"
