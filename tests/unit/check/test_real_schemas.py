"""Objects against the published schemas of Kubernetes themselves, at both ends of what there is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import schema_samples as samples
from groundswell.check.schema.kubernetes import builtin, oldest
from groundswell.check.schema.validate import Rules, violations
from groundswell.check.schema.violation import Effect
from groundswell.check.target import Target
from unit.check.kit import found_by, messages, rendering, written

if TYPE_CHECKING:
    from groundswell.check.schema.kubernetes import Builtin

ENDS = [25, 35, 37]
REFUSED, DROPPED, TWICE = Effect.REFUSED, Effect.DROPPED, Effect.TWICE
EFFECTS: dict[str, list[tuple[str, Effect]]] = {
    "fine": [],
    "variable twice": [("spec.template.spec.containers[0].env", TWICE)],
    "variable without a name": [("spec.template.spec.containers[0].env[0]", REFUSED)],
    "port twice": [("spec.template.spec.containers[0].ports", TWICE)],
    "port of two protocols": [],
    "port with the default": [("spec.template.spec.containers[0].ports", TWICE)],
    "pull secret twice": [("spec.template.spec.imagePullSecrets", TWICE)],
    "toleration twice": [],
    "host alias twice": [("spec.template.spec.hostAliases", TWICE)],
    "argument twice": [],
    "unknown field": [("spec.template.spec.containers[0].envv", DROPPED)],
    "text for a number": [("spec.template.spec.containers[0].ports[0].containerPort", REFUSED)],
    "service": [],
    "misspelt selector": [("spec.selectr", DROPPED)],
    "finalizer twice": [("metadata.finalizers", TWICE)],
    "null in data": [],
    "number in data": [("data.a", REFUSED)],
    "number as a label": [("metadata.labels.a", REFUSED)],
    "secret of an account twice": [("secrets", TWICE)],
    "secret": [],
    "secret without base64": [("data.a", REFUSED)],
}


def schemas(minor: int) -> Builtin:
    """A failure here says that the package with the schemas is not installed, or that it has lost this version."""
    known = builtin(minor)
    assert known is not None, "install the schemas: `kubernetes-validate`"
    assert known.minor == minor
    return known


def found(item: dict[str, Any], known: Builtin) -> list[tuple[str, Effect]]:
    group, _, version = item["apiVersion"].rpartition("/")
    schema = known.definitions[known.kinds[group, version, item["kind"]]]
    return [(problem.where, problem.effect) for problem in violations(item, schema, Rules(known.definitions))]


@pytest.mark.parametrize("minor", ENDS)
def test_objects_are_held_against_the_schemas_of_each_version(minor: int) -> None:
    known = schemas(minor)
    assert {name: found(item, known) for name, item in samples.BUILT_IN.items()} == EFFECTS


def test_the_ends_are_those_of_the_data() -> None:
    assert oldest() == ENDS[0]
    later = builtin(ENDS[-1] + 10)
    assert later is not None
    assert later.minor == ENDS[-1]


def test_a_field_counts_from_the_version_on_that_has_it() -> None:
    item = samples.deployment(hostUsers=False, resources={"limits": {"cpu": "1"}})
    assert found(item, schemas(ENDS[-1])) == []
    assert found(item, schemas(ENDS[0])) == [("spec.template.spec.resources", DROPPED)]


SERVICE = written("v1", "Service", "s", "spec: {selectr: {a: b}, ports: [{port: 80}]}")


def test_the_rule_judges_a_bundle_for_its_deployers() -> None:
    def severities(text: str, *deployers: str, minor: int = 35) -> list[str]:
        sample = replace(rendering({"a": text}, target=Target(f"1.{minor}.0", "")), deployers=deployers)
        return [f"{item.diagnostic.code} {item.diagnostic.severity.value}" for item in found_by("schemas", sample)]

    ports = written("v1", "Pod", "p", "spec: {containers: [{name: c, env: [{name: A}, {name: A}]}]}")
    assert severities(SERVICE, "argocd", "helm") == severities(SERVICE, "argocd") == ["K202 error"]
    assert severities(SERVICE, "helm") == ["K202 warning"]
    assert severities(SERVICE, "argocd", minor=99) == ["K202 warning"]  # a field may have come since
    assert severities(ports, "argocd", "helm") == ["K206 error"]
    assert severities(ports, "helm") == ["K206 warning"]


def test_lists_are_opened_as_helm_opens_them() -> None:
    pod = "{containers: [{name: c, image: x, port: 1}]}"
    text = (
        "---\napiVersion: v1\nkind: List\nitems:\n"
        "- apiVersion: v1\n  kind: List\n  items:\n"
        f"  - {{apiVersion: v1, kind: Pod, metadata: {{name: p}}, spec: {pod}}}\n"
        f"---\napiVersion: v1\nkind: PodList\nitems:\n- {{metadata: {{name: q}}, spec: {pod}}}\n"
        "---\napiVersion: v1\nkind: ConfigMapList\nitems:\n"
    )
    sample = rendering({"a": text}, target=Target("1.35.0", ""))
    assert messages("schemas", sample) == [
        f"K202 `Pod a/{name}`: `spec.containers[0].port` is not a field of the schema; did you mean `ports`?"
        for name in ("p", "q")
    ]
    assert not messages("api-versions", sample)
