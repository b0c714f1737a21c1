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
from groundswell.catalog.files import CatalogFiles
from groundswell.catalog.load import load
from groundswell.diagnostics.diagnostic import failed
from groundswell.model import authored
from groundswell.model.cluster import ClusterDocument
from groundswell.model.cluster_document import read_cluster
from groundswell.model.parse import _nested_model, validate
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
    _, findings, _ = validate(model, document)
    refused = errors(kind, document.data)
    if not (findings or loaded_errors(kind, data)):
        assert refused == []
    elif findings and not refused:
        # What has no form in a schema: patterns of text that was written as a number, and Lua.
        assert {finding.code for finding in findings} == {"M104"}


def loaded_errors(kind: str, data: Any) -> list[str]:
    """What the loader has against a document's form, over a lower layer with one of its name if it is to change that.

    Alone in its catalog, it may name what is not there.
    """
    name, metadata = name_of(data), data.get("metadata")
    paths = {"support": "recipes/support.yaml", "component": f"components/{name}/component.yaml"}
    path = paths.get(kind, f"{kind}s/one.yaml")
    content = {f"upper/{path}": emit(data).encode()}
    if isinstance(metadata, dict) and True in {metadata.get("patch"), metadata.get("replace")}:
        content[f"lower/{path}"] = emit({**SOUND[kind], "metadata": {"name": name}}).encode()
    found = load(CatalogFiles(("lower", "upper"), content)).findings
    return [finding.code for finding in found if finding.span and finding.code not in {"M202", "M203", "M207"}]


def name_of(data: Any) -> str:
    metadata = data.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return name if isinstance(name, str) and name and "/" not in name else "unnamed"


def changed(kind: str, *changes: tuple[tuple[str | int, ...], Any]) -> tuple[str, dict[str, Any]]:
    """A small sound document with a value put in at each of some paths."""
    data = copy.deepcopy(SOUND[kind])
    for path, value in changes:
        node: Any = data
        for key in path[:-1]:
            node = node[key] if isinstance(key, int) else node.setdefault(key, {})
        node[path[-1]] = value
    return kind, data


def sound(kind: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": "groundswell.dev/v1alpha1",
        "kind": kind.title(),
        "metadata": {"name": "one"},
        "spec": spec,
    }


SOUND: dict[str, dict[str, Any]] = {
    "recipe": sound("recipe", {"componentRefs": [{"name": "a"}]}),
    "mixin": sound("mixin", {"componentRefs": [{"name": "a"}]}),
    "component": sound("component", {"description": "One", "namespace": "one"}),
    "support": sound("support", {"combinations": [{"service": ["eks"], "level": "resolves"}]}),
    "cluster": sound(
        "cluster",
        {
            "talos": {"version": "v1.12.0", "endpoint": "https://10.0.0.1:6443"},
            "hosts": [{"name": "a", "address": "10.0.0.2"}],
        },
    ),
}
REF = ("spec", "componentRefs", 0)
CONSTRAINT = {"name": "K8s.server.version", "value": ">= 1.30"}
REFUSED = {
    "a replaced constraint without a reason": changed(
        "recipe", (("spec", "constraints"), [CONSTRAINT | {"replace": True}])
    ),
    "the same in a mixin": changed("mixin", (("spec", "constraints"), [CONSTRAINT | {"replace": True}])),
    "the same in a component": changed("component", (("spec", "constraints"), [CONSTRAINT | {"replace": True}])),
    "patch and replace": changed("mixin", (("metadata", "patch"), True), (("metadata", "replace"), True)),
    "criteria of a patch": changed("recipe", (("metadata", "patch"), True), (("spec", "criteria"), {})),
    "the base of a patch": changed("recipe", (("metadata", "patch"), True), (("spec", "base"), "x")),
    "criteria of the root": changed("recipe", (("metadata", "name"), "base"), (("spec", "criteria"), {})),
    "the base of the root": changed("recipe", (("metadata", "name"), "base"), (("spec", "base"), "x")),
    "a line of the support list that states nothing": changed(
        "support", (("spec", "combinations"), [{"level": "renders"}])
    ),
    "any on the support list": changed("support", (("spec", "combinations", 0, "service"), ["eks", "any"])),
    "nothing on the support list": changed("support", (("spec", "combinations", 0, "service"), [""])),
    "differences in no field": changed("component", (("spec", "ignoreDifferences"), [{"kind": "Service"}])),
    "differences in empty lists": changed(
        "component", (("spec", "ignoreDifferences"), [{"kind": "Service", "jsonPointers": []}])
    ),
    "a health rule for no kind": changed("component", (("spec", "argocdHealth"), {"nvidia.com/X": "return {}"})),
    "a health rule for Applications": changed(
        "component", (("spec", "argocdHealth"), {"argoproj.io_Application": "return {}"})
    ),
    "a health rule that returns nothing": changed("component", (("spec", "argocdHealth"), {"a.b_C": "x = 1"})),
    "nothing enforced": changed("mixin", ((*REF, "enforce"), {})),
    "an absolute path": changed("recipe", ((*REF, "valuesFiles"), ["/etc/values.yaml"])),
    "a path out of the catalog": changed("recipe", ((*REF, "valuesFiles"), ["components/../../x.yaml"])),
    "a path with an empty part": changed("recipe", ((*REF, "manifestFiles"), ["components//x.yaml"])),
    "a path that ends in a slash": changed("recipe", ((*REF, "preManifestFiles"), ["components/"])),
    "another system than Talos": changed("cluster", (("spec", "criteria"), {"os": "ubuntu"})),
    "a factory with a path": changed("cluster", (("spec", "talos", "factoryURL"), "https://factory.test/x")),
    "an endpoint without TLS": changed("cluster", (("spec", "talos", "endpoint"), "http://10.0.0.1")),
    "a platform of several words": changed("cluster", (("spec", "talos", "platform"), "bare metal")),
    "kube-system as an exemption": changed("cluster", (("spec", "talos", "podSecurityExemptions"), ["kube-system"])),
    "no cpus": changed("cluster", (("spec", "hosts", 0, "cpus"), 0)),
    "a negative number of pages": changed("cluster", (("spec", "defaults"), {"prep": {"hugepages": {"2Mi": [-1]}}})),
    "a module of several words": changed("cluster", (("spec", "defaults"), {"prep": {"kernelModules": ["a b"]}})),
    "parameters of a module of several words": changed(
        "cluster", (("spec", "defaults"), {"prep": {"kernelModuleParameters": {"a b": ["x=1"]}}})
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_loader_refuses_for_how_keys_and_values_go_together_the_schema_refuses_too(name: str) -> None:
    kind, data = REFUSED[name]
    assert errors(kind, SOUND[kind]) == []
    assert errors(kind, data)
    if kind == "cluster":
        assert failed(read_cluster(emit(data).encode(), "cluster.yaml")[1])
        assert not failed(read_cluster(emit(SOUND[kind]).encode(), "cluster.yaml")[1])
    else:
        assert loaded_errors(kind, data)
        assert loaded_errors(kind, SOUND[kind]) == []


def test_every_rule_of_a_model_is_in_its_schema() -> None:
    """A validator says nothing to JSON Schema: where there is one, something must say the same."""
    models = {item for kind in MODELS.values() for item in models_of(kind)} | models_of(ClusterDocument)
    judged = {model for model in models if model.__pydantic_decorators__.model_validators}
    silent = [model.__name__ for model in judged if "json_schema_extra" not in model.model_config]
    assert judged
    assert silent == []


def models_of(model: type[Authored]) -> set[type[Authored]]:
    """A model with all that it is made of."""
    found = {model}
    for field in model.model_fields.values():
        nested = _nested_model(field.annotation)
        if nested and nested not in found:
            found |= models_of(nested)
    return found


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
