"""The JSON Schemas that editors get: valid, described, and never stricter than the loader."""

from __future__ import annotations

import copy
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from command import ROOT, groundswell
from groundswell.model import authored
from groundswell.model.parse import validate
from groundswell.model.refs import MixinRef
from groundswell.model.schema import DIALECT, KINDS, field_texts, json_schema
from groundswell.source.emitter import emit
from groundswell.source.reader import read_one

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from groundswell.model.fields import Authored

SCHEMAS = ROOT / "docs" / "schemas"
MODELS: dict[str, type[Authored]] = {
    "recipe": authored.RecipeDocument,
    "mixin": authored.MixinDocument,
    "component": authored.ComponentDocument,
    "support": authored.SupportDocument,
}


def documents(root: Path) -> list[Path]:
    """The documents of a catalog, all kinds of them."""
    return sorted(
        [*root.glob("recipes/*.yaml"), *root.glob("mixins/*.yaml"), *root.glob("components/*/component.yaml")]
    )


def kind_of(path: Path) -> str:
    if path.name == "support.yaml":
        return "support"
    return "component" if path.name == "component.yaml" else path.parent.name.removesuffix("s")


def errors(kind: str, data: Any) -> list[str]:
    return [error.message for error in Draft202012Validator(json_schema(kind)).iter_errors(data)]


@pytest.mark.parametrize("kind", KINDS)
def test_each_schema_is_valid_in_its_dialect(kind: str) -> None:
    schema = json_schema(kind)
    assert schema["$schema"] == DIALECT
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("kind", KINDS)
def test_the_committed_schemas_are_up_to_date(kind: str) -> None:
    printed = groundswell("catalog", "schema", kind)
    assert printed.code == 0
    assert (SCHEMAS / f"{kind}.json").read_text(encoding="utf-8") == printed.out, "run `make docs`"


@pytest.mark.parametrize("path", documents(ROOT), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_shipped_file_is_valid_and_leads_editors_to_its_schema(path: Path) -> None:
    document, findings = read_one(path.read_bytes(), path.name)
    assert document is not None
    assert not findings
    assert errors(kind_of(path), document.data) == []
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    found = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
    assert found, first
    assert (path.parent / found[1]).resolve() == SCHEMAS / f"{kind_of(path)}.json"


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from nodes(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from nodes(value)


@pytest.mark.parametrize("kind", MODELS)
def test_every_key_has_a_description_and_every_map_is_closed(kind: str) -> None:
    for name, definition in json_schema(kind)["$defs"].items():
        assert definition["description"], name
        assert definition["additionalProperties"] is False, name
        for key, value in definition["properties"].items():
            assert re.fullmatch(r"\S.*[.…]", value["description"]), (name, key)


def test_null_is_offered_for_criteria_only() -> None:
    for kind in MODELS:
        definitions = json_schema(kind)["$defs"]
        nulls = {name for name, item in definitions.items() for node in nodes(item) if node.get("type") == "null"}
        assert nulls == ({"Criteria"} if kind == "recipe" else set())


def test_the_texts_of_inherited_fields_are_found() -> None:
    texts = field_texts(MixinRef)
    assert texts.keys() == MixinRef.model_fields.keys()
    assert texts["values_files"] == "Values files from the catalog's root, merged in this order."


SHIPPED = [
    (kind_of(path), document.data)
    for path in documents(ROOT)
    if (document := read_one(path.read_bytes(), path.name)[0]) is not None
]
ODD: tuple[Any, ...] = (None, True, 5, 1.5, "text", "two words", "UPPER", "", [], ["text"], [5], {}, {"text": "text"})


def places(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of all nodes below the root, outside of values, where anything may stand."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        if key not in {"overrides", "enforce"}:
            yield (*path, key)
            yield from places(value, (*path, key))


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, Any]:
    """A shipped document with one node taken out, replaced, or given another key."""
    kind, original = draw(st.sampled_from(SHIPPED))
    data = copy.deepcopy(original)
    path = draw(st.sampled_from(list(places(data))))
    parent = data
    for key in path[:-1]:
        parent = parent[key]
    match draw(st.sampled_from(["remove", "replace", "add"])):
        case "remove":
            del parent[path[-1]]
        case "add" if isinstance(parent, dict):
            parent[draw(st.sampled_from(["replace", "patch", "version", "unheardOf"]))] = draw(st.sampled_from(ODD))
        case _:
            parent[path[-1]] = draw(st.sampled_from(ODD))
    return kind, data


@settings(deadline=None, max_examples=300)
@given(mutated())
def test_a_schema_refuses_nothing_that_the_loader_takes_and_overlooks_forms_only(mutation: tuple[str, Any]) -> None:
    kind, data = mutation
    document, _ = read_one(emit(data).encode(), "file.yaml")
    assert document is not None
    metadata = data.get("metadata")
    patch = kind == "component" and isinstance(metadata, dict) and metadata.get("patch") is True
    model = authored.ComponentPatchDocument if patch else MODELS[kind]
    accepted, findings, _ = validate(model, document)
    refused = errors(kind, document.data)
    if accepted is not None:
        assert refused == []
    elif not refused:
        # What has no form in a schema: paths of files, and patterns of text that was written as a number.
        assert {finding.code for finding in findings} == {"M104"}


def test_schemas_are_written_into_a_directory(tmp_path: Path) -> None:
    done = groundswell("catalog", "schema", "-o", tmp_path / "new" / "schemas")
    assert done.out.splitlines() == [f"wrote {tmp_path}/new/schemas/{kind}.json" for kind in KINDS]
    assert {path.name for path in (tmp_path / "new" / "schemas").iterdir()} == {f"{kind}.json" for kind in KINDS}
    one = groundswell("catalog", "schema", "mixin", "-o", tmp_path / "one")
    assert one.code == 0
    assert json.loads((tmp_path / "one" / "mixin.json").read_text())["title"] == "groundswell mixin"


def test_what_cannot_be_written_and_what_is_not_said_are_errors(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    failed = groundswell("catalog", "schema", "-o", tmp_path / "file")
    assert failed.code == 1
    assert "cannot be written" in failed.err
    assert groundswell("catalog", "schema").code == 2
    assert groundswell("catalog", "schema", "overlay").code == 2
