"""What objects need of other folders: by what they name, and by webhooks that are asked about what is made of them."""

from __future__ import annotations

import pytest

from unit.check.kit import crd, messages, rendering, resource, written

CLASS = written("scheduling.k8s.io/v1", "PriorityClass", "urgent", "value: 1")
CLUSTER_STORE = written("external-secrets.io/v1", "ClusterSecretStore", "vault")


def annotated(version: str, kind: str, annotations: str, rest: str = "") -> str:
    return written(version, kind, "o", rest).replace("{name: o}", f"{{name: o, annotations: {{{annotations}}}}}")


CLAIM = "spec: {volumeClaimTemplates: [{metadata: {annotations: {volume.beta.kubernetes.io/storage-class: fast}}}]}"
NAMED = {
    "ingress annotation": (
        written("networking.k8s.io/v1", "IngressClass", "web"),
        annotated("networking.k8s.io/v1", "Ingress", "kubernetes.io/ingress.class: web"),
        "the IngressClass web",
    ),
    "storage annotation": (
        written("storage.k8s.io/v1", "StorageClass", "fast"),
        annotated("v1", "PersistentVolumeClaim", "volume.beta.kubernetes.io/storage-class: fast"),
        "the StorageClass fast",
    ),
    "storage annotation of a template": (
        written("storage.k8s.io/v1", "StorageClass", "fast"),
        written("apps/v1", "StatefulSet", "s", CLAIM),
        "the StorageClass fast",
    ),
    "storage of a database": (
        written("storage.k8s.io/v1", "StorageClass", "fast"),
        written("postgresql.cnpg.io/v1", "Cluster", "c", "spec: {storage: {storageClass: fast}}"),
        "the StorageClass fast",
    ),
    "volume attributes": (
        written("storage.k8s.io/v1", "VolumeAttributesClass", "gold"),
        written("v1", "PersistentVolumeClaim", "p", "spec: {volumeAttributesClassName: gold}"),
        "the VolumeAttributesClass gold",
    ),
    "secrets of one entry": (
        CLUSTER_STORE,
        written(
            *("external-secrets.io/v1", "ExternalSecret", "e"),
            "spec: {dataFrom: [{sourceRef: {storeRef: {name: vault, kind: ClusterSecretStore}}}]}",
        ),
        "the ClusterSecretStore vault",
    ),
    "pushed secrets": (
        CLUSTER_STORE,
        written(
            *("external-secrets.io/v1alpha1", "PushSecret", "p"),
            "spec: {secretStoreRefs: [{name: other}, {name: vault, kind: ClusterSecretStore}]}",
        ),
        "the ClusterSecretStore vault",
    ),
    "secrets of many namespaces": (
        CLUSTER_STORE,
        written(
            *("external-secrets.io/v1", "ClusterExternalSecret", "e"),
            "spec: {externalSecretSpec: {secretStoreRef: {name: vault, kind: ClusterSecretStore}}}",
        ),
        "the ClusterSecretStore vault",
    ),
    "issuer of another group": (
        crd("StepIssuer", "certmanager.step.sm") + resource("StepIssuer", "ca", group="certmanager.step.sm"),
        annotated(
            *("networking.k8s.io/v1", "Ingress"),
            "cert-manager.io/issuer: ca, cert-manager.io/issuer-kind: StepIssuer, "
            "cert-manager.io/issuer-group: certmanager.step.sm",
        ).replace("{name: o,", "{name: o, namespace: maker,"),
        "the StepIssuer ca",
    ),
    "cluster issuer of another group": (
        crd("WideIssuer", "issuers.test", scope="Cluster") + resource("WideIssuer", "ca", group="issuers.test"),
        written(
            *("cert-manager.io/v1", "Certificate", "c"),
            "spec: {issuerRef: {name: ca, kind: WideIssuer, group: issuers.test}}",
        ),
        "the WideIssuer ca",
    ),
    "priority of a custom kind's pods": (
        CLASS,
        resource("Job", spec="{tasks: [{template: {spec: {priorityClassName: urgent}}}]}", group="batch.test"),
        "the PriorityClass urgent",
    ),
    "device class of a template": (
        written("resource.k8s.io/v1", "DeviceClass", "gpu"),
        written(
            *("resource.k8s.io/v1", "ResourceClaimTemplate", "t"),
            "spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}",
        ),
        "the DeviceClass gpu",
    ),
    "gateway": (
        written("gateway.networking.k8s.io/v1", "GatewayClass", "edge"),
        written("gateway.networking.k8s.io/v1", "Gateway", "g", "spec: {gatewayClassName: edge}"),
        "the GatewayClass edge",
    ),
    "snapshots": (
        written("snapshot.storage.k8s.io/v1", "VolumeSnapshotClass", "daily"),
        written("snapshot.storage.k8s.io/v1", "VolumeSnapshot", "s", "spec: {volumeSnapshotClassName: daily}"),
        "the VolumeSnapshotClass daily",
    ),
}


@pytest.mark.parametrize(("brought", "used", "what"), NAMED.values(), ids=NAMED)
def test_what_an_object_names_comes_before_it(brought: str, used: str, what: str) -> None:
    texts = {"maker": brought, "user": used}
    assert [message for message in messages("edges", rendering(texts)) if f"needs {what}" in message]
    assert not messages("edges", rendering(texts, waits={"user": ("maker",)}))


def test_an_object_of_another_namespace_is_not_the_one_that_is_named() -> None:
    store = written("external-secrets.io/v1", "SecretStore", "vault")
    used = written("external-secrets.io/v1", "ExternalSecret", "e", "spec: {secretStoreRef: {name: vault}}")
    assert not messages("edges", rendering({"maker": store, "user": used}))
    beside = used.replace("{name: e}", "{name: e, namespace: maker}")
    assert "the SecretStore vault" in messages("edges", rendering({"maker": store, "user": beside}))[0]


HOOKED = "{helm.sh/hook: %s}"


@pytest.mark.parametrize(
    ("events", "installed"),
    [
        ("pre-install", True),
        ("'post-delete,post-upgrade'", True),
        ("post-delete", False),
        ("pre-delete", False),
        ("'pre-delete, post-delete'", False),
        ("pre-rollback", False),
        ("test", False),
    ],
)
def test_hooks_of_a_deletion_neither_need_nor_bring_anything_yet(events: str, *, installed: bool) -> None:
    def hooked(text: str) -> str:
        return text.replace("{name:", f"{{annotations: {HOOKED % events}, name:")

    pod = written("v1", "Pod", "p", "spec: {priorityClassName: urgent, containers: []}")
    space = written("v1", "Namespace", "shared")
    inside = written("v1", "ConfigMap", "c").replace("{name: c}", "{name: c, namespace: shared}")
    for maker, user in (
        (CLASS, hooked(pod)),
        (hooked(CLASS), pod),
        (GUARD % "jobs", hooked(JOB)),
        (hooked(space), inside),
    ):
        assert bool(messages("edges", rendering({"maker": maker, "user": user}))) is installed, (maker, user)


def test_a_dependency_because_of_a_hook_of_a_deletion_has_a_reason() -> None:
    pod = "{annotations: {helm.sh/hook: pre-delete}, name: p}"
    used = written("v1", "Pod", "p", "spec: {priorityClassName: urgent}").replace("{name: p}", pod)
    texts = {"maker": CLASS, "user": used}
    assert not messages("unused-edges", rendering(texts, waits={"user": ("maker",)}))


GUARD = """\
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: guard}
webhooks:
  - name: guard.test.dev
    rules: [{apiGroups: ["*"], apiVersions: [v1], operations: [CREATE], resources: [%s]}]
"""
TEMPLATE = "template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}"
JOB = written("batch/v1", "Job", "j", f"spec: {{{TEMPLATE}}}")
MADE = {
    "DaemonSet": (written("apps/v1", "DaemonSet", "d", f"spec: {{{TEMPLATE}}}"), "pods", "its pods"),
    "Deployment": (written("apps/v1", "Deployment", "d", f"spec: {{{TEMPLATE}}}"), "replicasets", "its ReplicaSet"),
    "Job": (JOB, "pods", "its pods"),
    "CronJob": (
        written("batch/v1", "CronJob", "c", f"spec: {{jobTemplate: {{spec: {{{TEMPLATE}}}}}}}"),
        "pods",
        "its pods",
    ),
    "job of a CronJob": (
        written("batch/v1", "CronJob", "c", f"spec: {{jobTemplate: {{spec: {{{TEMPLATE}}}}}}}"),
        "jobs",
        "its Jobs",
    ),
    "custom kind": (resource(spec=f"{{parts: [{{{TEMPLATE}}}]}}"), "pods", "its pods"),
    "claims": (
        written("apps/v1", "StatefulSet", "s", "spec: {volumeClaimTemplates: [{metadata: {name: v}}]}"),
        "persistentvolumeclaims",
        "its claims",
    ),
}


@pytest.mark.parametrize(("used", "asked", "made"), MADE.values(), ids=MADE)
def test_a_webhook_is_asked_about_what_is_made_of_an_object(used: str, asked: str, made: str) -> None:
    texts = {"guard": GUARD % asked, "user": used}
    (message,) = messages("edges", rendering(texts))
    assert f"needs the webhook guard.test.dev of guard for {made}, from `001-guard`" in message
    assert not messages("edges", rendering(texts, waits={"user": ("guard",)}))
    assert not messages("edges", rendering(texts, waits={"guard": ("user",)}))


@pytest.mark.parametrize(
    ("more", "asks"),
    [
        ("", True),
        ("objectSelector: {matchLabels: {app: web}}", True),
        ("objectSelector: {matchLabels: {app: other}}", False),
        ("namespaceSelector: {matchLabels: {inject: 'yes'}}", False),
        ("namespaceSelector: {matchExpressions: [{key: tier, operator: In, values: [one]}]}", False),
        ("matchConditions: [{name: x, expression: 'false'}]", False),
        ("failurePolicy: Ignore", False),
        ("failurePolicy: null", True),
    ],
)
def test_selectors_see_the_labels_of_the_template_and_of_the_namespace(more: str, *, asks: bool) -> None:
    texts = {"guard": (GUARD % "pods") + (f"    {more}\n" if more else ""), "user": MADE["DaemonSet"][0]}
    assert bool(messages("edges", rendering(texts))) is asks


def test_kube_system_is_like_any_namespace_unless_a_selector_leaves_it_out() -> None:
    daemon = MADE["DaemonSet"][0].replace("{name: d}", "{name: d, namespace: kube-system}")
    expression = "{key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system]}"
    left_out = f"    namespaceSelector: {{matchExpressions: [{expression}]}}\n"
    assert messages("edges", rendering({"guard": GUARD % "pods", "user": daemon}))
    assert not messages("edges", rendering({"guard": (GUARD % "pods") + left_out, "user": daemon}))


def test_the_webhook_of_the_same_folder_is_no_edge() -> None:
    assert not messages("edges", rendering({"guard": (GUARD % "pods") + MADE["DaemonSet"][0]}))


def test_a_template_that_nobody_makes_pods_of_is_not_asked_about() -> None:
    text = written("v1", "PodTemplate", "t", TEMPLATE)
    assert not messages("edges", rendering({"guard": GUARD % "pods", "user": text}))
    wide = resource(spec=f"{{{TEMPLATE}}}")
    texts = {"guard": (GUARD % "pods") + crd(scope="Cluster"), "user": wide}
    assert not messages("edges", rendering(texts, waits={"user": ("guard",)}))


@pytest.mark.parametrize(
    ("versions", "policy", "asks"),
    [
        ("v1", "Equivalent", True),
        ("v2", "Exact", True),
        ("v1", "Exact", False),
        ("v2beta2", "Equivalent", False),
    ],
)
def test_a_rule_names_any_version_that_the_server_knows_unless_it_must_fit_exactly(
    versions: str, policy: str, *, asks: bool
) -> None:
    guard = (GUARD % "horizontalpodautoscalers").replace("[v1]", f"[{versions}]") + f"    matchPolicy: {policy}\n"
    used = written("autoscaling/v2", "HorizontalPodAutoscaler", "h", "spec: {maxReplicas: 2}")
    assert bool(messages("edges", rendering({"guard": guard, "user": used}))) is asks


@pytest.mark.parametrize("waits", [("guard", "user"), ("user", "guard")])
def test_a_webhook_is_a_reason_for_either_order(waits: tuple[str, str]) -> None:
    texts = {"guard": GUARD % "pods", "user": MADE["DaemonSet"][0]}
    assert not messages("unused-edges", rendering(texts, waits={waits[0]: (waits[1],)}))
