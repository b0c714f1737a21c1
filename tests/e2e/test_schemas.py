"""The validator against the API server: each sample is created, and applied on the server's side, with a dry run."""

from __future__ import annotations

import json
import time
from itertools import count
from typing import TYPE_CHECKING, Any

import httpx
import pytest

import schema_samples as samples
from e2e.cluster_objects import path_of
from groundswell.check.schema.definition import faults
from groundswell.check.schema.kubernetes import builtin
from groundswell.check.schema.sound import sound
from groundswell.check.schema.validate import Rules, custom_violations, violations
from groundswell.check.schema.violation import Effect, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from e2e.control_plane import ControlPlane

pytestmark = pytest.mark.e2e

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
DRY = {"dryRun": "All"}
APPLY = {**DRY, "fieldManager": "test", "force": "true"}
GROUPS = count(1)

Verdict = tuple[bool, bool]
"""Whether it can be created, and whether it can be applied on the server's side."""


def expected(found: Iterable[Violation]) -> Verdict:
    effects = {item.effect for item in found}
    return Effect.REFUSED not in effects, not effects


def actual(cluster: ControlPlane, base: str, item: Mapping[str, Any]) -> Verdict:
    created = cluster.api.post(base, params=DRY, json=item)
    applied = cluster.api.patch(
        f"{base}/{item['metadata']['name']}",
        params=APPLY,
        headers={"Content-Type": "application/apply-patch+yaml"},
        content=json.dumps(item, ensure_ascii=False).encode(),
    )
    return created.is_success, applied.is_success


def definition(group: str, schemas: Mapping[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": dict(schemas)}}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"kind": "Foo", "plural": "foos"}
    spec = {"group": group, "scope": "Namespaced", "names": names, "versions": [version]}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"foos.{group}"},
        "spec": spec,
    }


def served(cluster: ControlPlane, schemas: Mapping[str, Any]) -> tuple[str, str]:
    """Define a kind whose spec has these fields; the group, and where the API serves it as soon as it does."""
    group = f"group{next(GROUPS)}.test.dev"
    answer = cluster.api.post(CRDS, json=definition(group, schemas))
    assert answer.status_code == httpx.codes.CREATED, answer.text
    base = f"/apis/{group}/v1/namespaces/default/foos"
    deadline = time.monotonic() + 30
    while cluster.api.get(base).status_code != httpx.codes.OK:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return group, base


def differing(cluster: ControlPlane, cases: Iterable[tuple[Mapping[str, Any], Iterable[Any]]]) -> dict[str, Any]:
    """The samples on which the two differ, each with the validator's verdict and the server's."""
    listed = {f"f{index}": case for index, case in enumerate(cases)}
    schemas = {name: schema for name, (schema, _) in listed.items()}
    group, base = served(cluster, schemas)
    whole = sound({"type": "object", "properties": {"spec": {"type": "object", "properties": schemas}}})
    found = {}
    for name, (schema, values) in listed.items():
        for value in values:
            item = {"apiVersion": f"{group}/v1", "kind": "Foo", "metadata": {"name": "x"}, "spec": {name: value}}
            ours, theirs = expected(custom_violations(item, whole)), actual(cluster, base, item)
            if ours != theirs:
                found[f"{schema} {value!r}"] = (ours, theirs)
    return found


def test_custom_resources_are_refused_where_the_api_server_refuses_them(cluster: ControlPlane) -> None:
    assert differing(cluster, samples.CUSTOM) == {}


def test_formats_are_those_of_the_api_server(cluster: ControlPlane) -> None:
    cases = [({"type": "string", "format": name}, values) for name, values in samples.FORMATS.items()]
    assert differing(cluster, cases) == {}


def test_patterns_mean_what_they_mean_to_the_api_server(cluster: ControlPlane) -> None:
    """All lines under one pattern at once, each in a field of its own."""
    fields = {f"line{index}": line for index, line in enumerate(samples.LINES)}
    schemas = {
        f"p{index}": {"type": "object", "properties": {key: {"type": "string", "pattern": pattern} for key in fields}}
        for index, pattern in enumerate(samples.PATTERNS)
    }
    group, base = served(cluster, schemas)
    for index, pattern in enumerate(samples.PATTERNS):
        name = f"p{index}"
        item = {"apiVersion": f"{group}/v1", "kind": "Foo", "metadata": {"name": "x"}, "spec": {name: fields}}
        answer = cluster.api.post(base, params=DRY, json=item).json()
        refused = {cause["field"].rpartition(".")[2] for cause in answer.get("details", {}).get("causes", ())}
        ours = {found.path[-1] for found in custom_violations(fields, schemas[name])}
        assert {fields[key] for key in ours} == {fields[key] for key in refused}, pattern


def test_built_in_kinds_are_refused_where_the_api_server_refuses_them(cluster: ControlPlane) -> None:
    known = builtin(cluster.minor)
    assert known is not None, "install the schemas: `kubernetes-validate`"
    assert known.minor == cluster.minor
    found = {}
    for name, item in samples.BUILT_IN.items():
        group, _, version = item["apiVersion"].rpartition("/")
        schema = known.definitions[known.kinds[group, version, item["kind"]]]
        ours = expected(violations(item, schema, Rules(known.definitions)))
        theirs = actual(cluster, path_of(cluster.api, item, "default").rpartition("/")[0], item)
        if ours != theirs:
            found[name] = (ours, theirs)
    assert found == {}


FAULTY = {
    "fine": {"type": "string"},
    "no type": {"description": "x"},
    "free": {"x-kubernetes-preserve-unknown-fields": True},
    "mixed": {"x-kubernetes-int-or-string": True},
    "unknown type": {"type": "text"},
    "no items": {"type": "array"},
    "items without type": {"type": "array", "items": {}},
    "both": {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "string"}},
    "default": {"type": "integer", "default": 1},
    "wrong default": {"type": "integer", "default": "x"},
    "default that lacks": {"type": "object", "default": {}, "required": ["a"], "properties": {"a": {"type": "string"}}},
}


@pytest.mark.parametrize("name", FAULTY)
def test_faulty_definitions_are_refused_where_the_api_server_refuses_them(cluster: ControlPlane, name: str) -> None:
    data = definition("faulty.test.dev", {"a": FAULTY[name]})
    accepted = cluster.api.post(CRDS, params=DRY, json=data).is_success
    assert (not list(faults(data, schemas=True))) is accepted


def test_what_a_definition_is_called_and_stores_is_judged_as_the_api_server_does(cluster: ControlPlane) -> None:
    for change in ("name", "storage", "schema", "preserve"):
        data = definition("faulty.test.dev", {})
        assert not list(faults(data, schemas=True))
        version = data["spec"]["versions"][0]
        if change == "name":
            data["metadata"]["name"] = "foo.faulty.test.dev"
        elif change == "storage":
            data["spec"]["versions"].append({**version, "name": "v2"})
        elif change == "schema":
            del version["schema"]
        else:
            data["spec"]["preserveUnknownFields"] = True
        assert not cluster.api.post(CRDS, params=DRY, json=data).is_success, change
        assert list(faults(data, schemas=True)), change
