"""Definitions read without their schemas, which come back whole when a resource needs them."""

from __future__ import annotations

import pytest

from groundswell.check.crds import crds_of
from groundswell.check.definition_text import shortened
from groundswell.check.objects import objects_of
from groundswell.source.reader import Dialect, read

HEAD = """\
---
# Source: x/crds/a.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: as.test.dev
spec:
  group: test.dev
  scope: Namespaced
  names: {kind: A, plural: as}
  versions:
"""
SCHEMA = """\
openAPIV3Schema:
  description: |-
    What it is.

    schema: this is text
  type: object
  properties:
    description:
      description: a property of that name
      type: string
    spec:
      description: one line that
        goes on here
      type: object
      required: [size]
      properties:
        size: {type: integer, description: how many}
"""


def schema(indent: int) -> str:
    return "".join(f"{' ' * indent}{line}".rstrip() + "\n" for line in SCHEMA.splitlines())


GENERATED = HEAD + "  - name: v1\n    schema:\n" + schema(6) + "    served: true\n    storage: true\n"
FIRST = HEAD + "  - schema:\n" + schema(6) + "    name: v1\n    served: true\n    storage: true\n"
INDENTED = HEAD + "    - name: v1\n      schema:\n" + schema(8) + "      served: true\n      storage: true\n"
FLOW = (
    HEAD
    + "  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {"
    + "description: {type: string}, spec: {type: object, required: [size], properties: {size: {type: integer}}}}}}}\n"
)
BRACES = GENERATED.replace(
    """\
        description:
          description: a property of that name
          type: string
""",
    """\
        description: {type: string}
""",
)
NAMES = frozenset({"description", "spec", "size"})
AFTER = "---\n# Source: x/templates/b.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n"


def without_descriptions(value: object) -> object:
    if isinstance(value, dict):
        return {k: without_descriptions(v) for k, v in value.items() if k != "description" or isinstance(v, dict)}
    return [without_descriptions(item) for item in value] if isinstance(value, list) else value


SAMPLES = {"generated": GENERATED, "first": FIRST, "indented": INDENTED, "flow": FLOW, "braces": BRACES}


@pytest.mark.parametrize("text", SAMPLES.values(), ids=SAMPLES)
def test_the_schema_is_the_same_when_it_is_needed(text: str) -> None:
    objects, findings = objects_of((AFTER + text + AFTER).encode(), "f", "n")
    assert not findings
    assert [item.source for item in objects] == ["x/templates/b.yaml", "x/crds/a.yaml", "x/templates/b.yaml"]
    assert bool(objects[1].whole) is (text is not FLOW)
    (crd,) = crds_of(objects)
    assert "description" in (crd.schema("v1", NAMES) or {})["properties"]
    whole = read(text.encode(), "f", Dialect.GO)[0][0].data["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    assert without_descriptions(crd.schema("v1", NAMES)) == without_descriptions(whole)
    assert crd.schema("v2", NAMES) is None
    assert (crd.kind, crd.versions, crd.namespaced) == ("A", ("v1",), True)


def test_text_without_definitions_is_left_alone() -> None:
    text = AFTER.encode() + b"data:\n  schema:\n    a: b\n"
    assert shortened(text) == (text, ())


def test_several_versions_and_definitions() -> None:
    second = (
        "  - name: v2\n    schema:\n"
        + schema(6).replace("integer", "string")
        + "    served: true\n    storage: false\n"
    )
    other = GENERATED.replace("kind: A", "kind: B")
    objects, _ = objects_of((GENERATED + second + other).encode(), "f", "n")
    one, two = crds_of(objects)
    sizes = [
        found["properties"]["spec"]["properties"]["size"]["type"]
        for v in one.versions
        if (found := one.schema(v, NAMES))
    ]
    assert (one.versions, sizes) == (("v1", "v2"), ["integer", "string"])
    assert (two.kind, two.versions) == ("B", ("v1",))
