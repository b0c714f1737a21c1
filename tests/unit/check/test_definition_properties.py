"""A definition is read as far as a resource has its properties, and that makes no difference."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groundswell.check.crds import crds_of
from groundswell.check.definition_properties import keys_in, trimmed
from groundswell.check.objects import objects_of
from groundswell.check.schema.sound import sound
from groundswell.check.schema.validate import custom_violations
from groundswell.source.emitter import emit
from groundswell.source.reader import Dialect, read

# Names that are words of a schema as well, and such as must be quoted.
NAMES = st.sampled_from(["a", "b", "spec", "properties", "items", "default", "type", "description", "a: b", "#c", "y"])
SCALARS = st.sampled_from([0, 7, "text", "a: b", True])


def schemas(parts: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Structural ones, with defaults of every form."""
    properties = st.dictionaries(NAMES, parts, max_size=4)
    described = st.sampled_from([{}, {"description": "what\n\nit is: a\n- b\n"}])
    default = st.sampled_from([{}, {"default": {}}, {"default": {"a": {"b": 1}}}, {"default": None}])
    required = st.lists(NAMES, max_size=2).map(lambda names: {"required": names} if names else {})
    kept = st.sampled_from([{}, {}, {"x-kubernetes-preserve-unknown-fields": True}])
    maps = st.tuples(properties, described, default, required, kept).map(
        lambda drawn: {"type": "object", "properties": drawn[0], **drawn[1], **drawn[2], **drawn[3], **drawn[4]}
    )
    others = parts.map(lambda part: {"type": "object", "additionalProperties": part})
    lists = parts.map(lambda part: {"type": "array", "items": part, "default": [{"a": 1}]})
    return st.one_of(maps, maps, others, lists)


LIMITED = {"type": "object", "properties": {"b": {"type": "string"}}}
LEAVES = st.sampled_from(
    [
        {"type": "string", "description": "a: b"},
        {"type": "string", "default": "text", "enum": ["text", "other"]},
        {"type": "integer", "minimum": 3},
        {"type": "boolean", "default": True},
        {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]},
        {
            "type": "object",
            "properties": {"a": {"type": "string"}},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        },
    ]
)
SCHEMAS = st.recursive(LEAVES, schemas, max_leaves=12)
VALUES = st.recursive(
    st.one_of(SCALARS, st.none()),
    lambda parts: st.one_of(st.dictionaries(NAMES, parts, max_size=4), st.lists(parts, max_size=2)),
    max_leaves=8,
)


def definition(schema: dict[str, Any]) -> bytes:
    """The text of one with this schema, as a generator writes it."""
    version = {"name": "v1", "schema": {"openAPIV3Schema": schema}, "served": True, "storage": True}
    names = {"kind": "A", "plural": "as"}
    spec = {"group": "test.dev", "names": names, "scope": "Namespaced", "versions": [version]}
    about = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "a"}}
    return b"---\n" + emit({**about, "spec": spec}).encode()


@example({"type": "object", "default": {"a": {"b": 1}}, "properties": {"a": LIMITED}}, {})
@given(SCHEMAS, st.dictionaries(NAMES, VALUES, max_size=4))
def test_what_is_left_out_says_nothing_about_a_resource(below: dict[str, Any], value: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"spec": below, "a": below}}
    ((item,), findings) = objects_of(definition(schema), "f", "n")
    assert not findings
    assert item.whole
    (crd,) = crds_of([item])
    short = crd.schema("v1", frozenset(keys_in(value)))
    assert short is not None
    assert list(custom_violations(value, sound(short))) == list(custom_violations(value, sound(schema)))


FIELD = """\
            {name}:
              description: |-
                What it is.

                - default: none
              type: object
              properties:
                deep: {{type: string}}
"""
TEXT = (
    "  versions:\n    - name: v1\n      schema:\n"
    "        openAPIV3Schema:\n          type: object\n          properties:\n"
    + FIELD.format(name="one")
    + FIELD.format(name="two")
)


def test_properties_that_are_named_stay() -> None:
    short = TEXT.replace(FIELD.format(name="two"), "            two: {}\n")
    assert trimmed(TEXT.encode(), frozenset({"one"})).decode() == short


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace("            one:", "\t    one:"),
        TEXT.replace("one:\n", "one: # of two\n").replace("two:\n", "two: # of two\n"),
        TEXT.replace("            one:", "            ? one\n            :"),
    ],
    ids=["tab", "comment after a key", "complex key"],
)
def test_another_style_is_left_alone(text: str) -> None:
    assert trimmed(text.encode(), frozenset({"two", "deep"})).decode() == text


ODD = """\
---
# Source: x/crds/a.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: a}
spec:
  group: test.dev
  scope: Namespaced
  names: {kind: A, plural: as}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          required: [c]
          properties:
            a:
              type: string
              enum: ["x", "y"]
            c:
              type: string
"""


@pytest.mark.parametrize(
    ("old", "new", "value"),
    [
        ('["x", "y"]\n            c:\n', '[&one x, "y"]\n            c:\n              enum: [*one]\n', {"c": "x"}),
        (" a:\n", ' c:\n              "default": x\n', {}),
        (" a:\n", " c:\n              default : x\n", {}),
        (" a:\n", ' "\\x61":\n', {"a": "z", "c": ""}),
        (" a:\n", " n:\n", {"false": "z", "c": ""}),
        ("          type: object\n", "# beside\n          type: object\n", {"a": "z"}),
        ("          type: object\n", '          description: "what\n  it is"\n          type: object\n', {"a": "z"}),
    ],
    ids=["alias", "quoted default", "default with a space", "escape", "typed key", "comment", "text at the margin"],
)
def test_definitions_of_any_style_say_what_they_say(old: str, new: str, value: dict[str, Any]) -> None:
    text = ODD.replace("            c:\n              type: string\n", "") if new.startswith(" c:") else ODD
    assert old in text
    text = text.replace(old, new, 1)
    ((item,), findings) = objects_of(text.encode(), "f", "n")
    assert not findings
    (crd,) = crds_of([item])
    (whole,) = read(text.encode(), "f", Dialect.GO)[0]
    schema = whole.data["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    short = crd.schema("v1", frozenset(keys_in(value)))
    assert short is not None
    assert list(custom_violations(value, sound(short))) == list(custom_violations(value, sound(schema)))


def test_most_of_a_generated_definition_is_left_out() -> None:
    text = TEXT + "".join(FIELD.format(name=f"field{number}") for number in range(200))
    assert len(trimmed(text.encode(), frozenset({"one"}))) < len(text) / 6
