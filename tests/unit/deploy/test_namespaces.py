from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from groundswell.deploy.manifests import inspect
from groundswell.deploy.namespaces import namespace_file
from plan_factory import manifest

SIX = {
    f"pod-security.kubernetes.io/{mode}{suffix}": value
    for mode in ("enforce", "audit", "warn")
    for suffix, value in (("", "privileged"), ("-version", "latest"))
}


def emitted(metadata: str, *, talos: bool = True, rest: str = "") -> tuple[dict[str, Any], list[str]]:
    text = f"apiVersion: v1\nkind: Namespace\nmetadata: {metadata}\n{rest}"
    (declared,) = inspect(manifest(text), beside_namespace=False)[0].namespaces
    result, findings = namespace_file(declared, "gpu-operator", talos=talos)
    assert re.fullmatch(r"# \{\{- define .* \}\}\n[^{}]*\n# \{\{- end \}\}\{\{ include .* \}\}\n", result)
    return yaml.safe_load(result), [finding.code for finding in findings]


def test_on_talos_it_admits_privileged_pods_and_can_be_selected() -> None:
    namespace, findings = emitted("{name: one}")
    assert findings == []
    assert namespace["metadata"] == {
        "name": "one",
        "labels": {
            **SIX,
            "app.kubernetes.io/managed-by": "groundswell",
            "app.kubernetes.io/component": "gpu-operator",
            "groundswell.dev/os": "talos",
            "groundswell.dev/managed": "true",
        },
        "annotations": {
            "helm.sh/resource-policy": "keep",
            "argocd.argoproj.io/sync-options": "Prune=false,Delete=false",
            "argocd.argoproj.io/compare-options": "IgnoreExtraneous",
        },
    }


def test_elsewhere_it_is_kept_but_not_labelled() -> None:
    namespace, findings = emitted("{name: one}", talos=False)
    assert findings == []
    assert "labels" not in namespace["metadata"]
    assert namespace["metadata"]["annotations"]["helm.sh/resource-policy"] == "keep"


def test_what_the_author_wrote_stays() -> None:
    labels = "{team: ml, pod-security.kubernetes.io/enforce: privileged, app.kubernetes.io/managed-by: other}"
    annotations = "{note: 'yes', argocd.argoproj.io/sync-options: 'Delete=false, ServerSideApply=true'}"
    namespace, findings = emitted(
        f"{{name: one, labels: {labels}, annotations: {annotations}}}", rest="spec: {finalizers: [kubernetes]}\n"
    )
    assert findings == []
    assert namespace["spec"] == {"finalizers": ["kubernetes"]}
    assert namespace["metadata"]["labels"]["team"] == "ml"
    assert namespace["metadata"]["labels"]["app.kubernetes.io/managed-by"] == "groundswell"
    assert namespace["metadata"]["annotations"]["note"] == "yes"
    options = namespace["metadata"]["annotations"]["argocd.argoproj.io/sync-options"]
    assert options == "Delete=false,ServerSideApply=true,Prune=false"


@pytest.mark.parametrize(
    "metadata",
    [
        "{name: one, labels: {pod-security.kubernetes.io/enforce: baseline}}",
        "{name: one, labels: {pod-security.kubernetes.io/warn-version: v1.33}}",
        "{name: one, labels: {app.kubernetes.io/component: other}}",
        "{name: one, annotations: {helm.sh/resource-policy: delete}}",
        "{name: one, annotations: {argocd.argoproj.io/sync-options: Prune=confirm}}",
        "{name: one, annotations: {argocd.argoproj.io/sync-options: Delete=true}}",
    ],
)
def test_a_contradiction_is_an_error(metadata: str) -> None:
    assert emitted(metadata)[1] == ["D103"]


def test_labels_of_pod_security_are_the_authors_choice_off_talos() -> None:
    namespace, findings = emitted("{name: one, labels: {pod-security.kubernetes.io/enforce: restricted}}", talos=False)
    assert findings == []
    assert namespace["metadata"]["labels"] == {"pod-security.kubernetes.io/enforce": "restricted"}


@pytest.mark.parametrize(
    "metadata",
    [
        "{}",
        "[]",
        "{name: one, labels: [a]}",
        "{name: [one]}",
        "{name: Upper}",
        f"{{name: {'a' * 64}}}",
        "{name: a.b}",
        "{name: one, labels: {n: 1}}",
    ],
)
def test_what_a_cluster_refuses_is_an_error(metadata: str) -> None:
    assert emitted(metadata)[1] == ["D102"]


@pytest.mark.parametrize("name", ["kube-system", "default", "kube-public", "groundswell"])
def test_nobody_owns_the_clusters_namespaces(name: str) -> None:
    assert emitted(f"{{name: {name}}}")[1] == ["D106"]
