"""Which creations a webhook is asked about, by the rule on edges and by the API server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from e2e.cluster_objects import eventually
from groundswell.check.needs import needs_of
from groundswell.check.target import Target
from unit.check.kit import rendering

if TYPE_CHECKING:
    from collections.abc import Mapping

    from e2e.control_plane import ControlPlane

pytestmark = pytest.mark.e2e

NAMESPACE = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "user", "labels": {"tier": "one"}}}
POD = {"spec": {"containers": [{"name": "c", "image": "i"}]}}
WORKLOAD = {"spec": {"selector": {"matchLabels": {"a": "b"}}, "template": {"metadata": {"labels": {"a": "b"}}, **POD}}}
METRICS = {"spec": {"scaleTargetRef": {"kind": "Deployment", "name": "o", "apiVersion": "apps/v1"}, "maxReplicas": 2}}
CREATED: dict[str, tuple[str, str, str, Mapping[str, Any]]] = {
    "pod": ("v1", "Pod", "pods", POD),
    "deployment": ("apps/v1", "Deployment", "deployments", WORKLOAD),
    "autoscaler": ("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", METRICS),
    "namespace": ("v1", "Namespace", "namespaces", {}),
    "widget": ("test.dev/v1", "Widget", "widgets", {}),
    "class": ("scheduling.k8s.io/v1", "PriorityClass", "priorityclasses", {"value": 1}),
    "policy": (
        *("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "validatingadmissionpolicies"),
        {
            "spec": {
                "validations": [{"expression": "true"}],
                "matchConstraints": {
                    "resourceRules": [
                        {
                            "apiGroups": [""],
                            "apiVersions": ["v1"],
                            "operations": ["CREATE"],
                            "resources": ["configmaps"],
                        }
                    ]
                },
            }
        },
    ),
}
DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.test.dev"},
    "spec": {
        "group": "test.dev",
        "scope": "Namespaced",
        "names": {"kind": "Widget", "plural": "widgets"},
        "versions": [
            {
                "name": name,
                "served": name != "v1alpha1",
                "storage": name == "v1",
                "schema": {"openAPIV3Schema": {"type": "object"}},
            }
            for name in ("v1", "v1beta1", "v1alpha1")
        ],
    },
}
CLUSTERWIDE = {"namespace", "class", "policy"}


def rule(group: str, resource: str, versions: str = "v1", **more: Any) -> dict[str, Any]:
    return {"apiGroups": [group], "apiVersions": versions.split(), "resources": [resource], **more}


def asked(rules: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"rules": [{"operations": ["CREATE"], **rules}], **more}


WEBHOOKS: dict[str, dict[str, Any]] = {
    "pods": asked(rule("", "pods")),
    "everything": asked(rule("*", "*", "*")),
    "everything and its parts": asked(rule("*", "*/*", "*")),
    "parts of pods": asked(rule("", "pods/*")),
    "one part of pods": asked(rule("", "pods/status")),
    "updates": asked(rule("", "pods", operations=["UPDATE"])),
    "version that is gone": asked(rule("apps", "deployments", "v1beta1")),
    "version that is not served": asked(rule("scheduling.k8s.io", "priorityclasses", "v1alpha1")),
    "another stable version": asked(rule("autoscaling", "horizontalpodautoscalers")),
    "exact version": asked(rule("autoscaling", "horizontalpodautoscalers"), matchPolicy="Exact"),
    "exactly that version": asked(rule("autoscaling", "horizontalpodautoscalers", "v2"), matchPolicy="Exact"),
    "another version of a definition": asked(rule("test.dev", "widgets", "v1beta1")),
    "version that a definition does not serve": asked(rule("test.dev", "widgets", "v1alpha1")),
    "exactly another version of a definition": asked(rule("test.dev", "widgets", "v1beta1"), matchPolicy="Exact"),
    "in namespaces": asked(rule("*", "*", "*", scope="Namespaced")),
    "of the cluster": asked(rule("*", "*", "*", scope="Cluster")),
    "namespace label": asked(rule("*", "*", "*"), namespaceSelector={"matchLabels": {"tier": "one"}}),
    "another namespace label": asked(rule("*", "*", "*"), namespaceSelector={"matchLabels": {"tier": "two"}}),
    "namespace name": asked(
        rule("*", "*", "*"),
        namespaceSelector={
            "matchExpressions": [
                {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-system", "o"]}
            ]
        },
    ),
    "object label": asked(rule("*", "*", "*"), objectSelector={"matchLabels": {"guarded": "yes"}}),
    "object without label": asked(
        rule("*", "*", "*"), objectSelector={"matchExpressions": [{"key": "guarded", "operator": "DoesNotExist"}]}
    ),
    "ignored": asked(rule("*", "*", "*"), failurePolicy="Ignore"),
}
CANARY = "groundswell.canary"


def written(name: str, namespace: str, labels: Mapping[str, str]) -> dict[str, Any]:
    version, kind, _, rest = CREATED[name]
    place = {} if name in CLUSTERWIDE else {"namespace": namespace}
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "o", "labels": labels, **place}, **rest}


def configuration(webhook: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration whose webhook nobody serves; the second one tells when the API server knows of it."""
    common = {
        "clientConfig": {"url": "https://127.0.0.1:1/"},
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
        "timeoutSeconds": 1,
    }
    canary = asked(rule("coordination.k8s.io", "leases"))
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "guard"},
        "webhooks": [
            {"name": "webhook.test.dev", **common, **webhook},
            {"name": "canary.test.dev", **common, **canary},
        ],
    }


def predicted(webhook: Mapping[str, Any], item: Mapping[str, Any], minor: int) -> bool:
    defined = f"{json.dumps(NAMESPACE)}\n---\n{json.dumps(DEFINITION)}"
    texts = {"guard": json.dumps(configuration(webhook)), "made": defined, "user": json.dumps(item)}
    sample = rendering(texts, target=Target(f"1.{minor}.0", "the server's"))
    # What is made of an object is created by controllers, and there are none here.
    return any(
        need.user.folder.endswith("user") and need.what == "the webhook webhook.test.dev of guard"
        for need in needs_of(sample)
    )


def create(cluster: ControlPlane, name: str, item: Mapping[str, Any]) -> httpx.Response:
    version, _, plural, _ = CREATED[name]
    namespace = item["metadata"].get("namespace")
    root = f"/{'apis' if '/' in version else 'api'}/{version}"
    place = f"/namespaces/{namespace}" if namespace else ""
    return cluster.api.post(f"{root}{place}/{plural}", params={"dryRun": "All"}, json=item)


def was_asked(answer: httpx.Response) -> bool:
    text = answer.json().get("message", "")
    assert answer.status_code == httpx.codes.CREATED or "failed calling webhook" in text, text
    return answer.status_code != httpx.codes.CREATED


@pytest.fixture(scope="module")
def site(cluster: ControlPlane) -> ControlPlane:
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}}
    cluster.api.post("/api/v1/namespaces", json=NAMESPACE)
    cluster.api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", json=DEFINITION)
    eventually(lambda: cluster.api.get("/apis/test.dev/v1/widgets").status_code == httpx.codes.OK)
    for namespace in ("user", "kube-system"):
        cluster.api.post(f"/api/v1/namespaces/{namespace}/serviceaccounts", json=account)
    return cluster


def lease_refused(cluster: ControlPlane) -> bool:
    body = {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "canary"}}
    path = "/apis/coordination.k8s.io/v1/namespaces/user/leases"
    answer = cluster.api.post(path, params={"dryRun": "All"}, json=body)
    return "canary.test.dev" in answer.text and answer.status_code != httpx.codes.CREATED


@pytest.mark.parametrize("webhook", WEBHOOKS.values(), ids=WEBHOOKS)
def test_the_rule_and_the_api_server_ask_the_webhook_about_the_same(
    site: ControlPlane, webhook: dict[str, Any]
) -> None:
    path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
    assert site.api.post(path, json=configuration(webhook)).status_code == httpx.codes.CREATED
    try:
        eventually(lambda: lease_refused(site))
        differing = {}
        for name in CREATED:
            for namespace in ("user", "kube-system"):
                for labels in ({}, {"guarded": "yes"}):
                    item = written(name, namespace, labels)
                    ours, theirs = predicted(webhook, item, site.minor), was_asked(create(site, name, item))
                    if webhook.get("failurePolicy") == "Ignore":
                        assert not ours
                    elif ours != theirs:
                        differing[name, namespace, str(labels)] = (ours, theirs)
        assert differing == {}
    finally:
        site.api.delete(f"{path}/guard")
        eventually(lambda: not lease_refused(site))
