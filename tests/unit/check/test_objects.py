from __future__ import annotations

from groundswell.check.admission import admissions
from groundswell.check.objects import objects_of
from groundswell.check.pod_security.levels import Level
from groundswell.check.pods import pod_templates
from unit.check.kit import crd, rendering, resource

PRINTED = b"""---
# Source: stack/crds/x.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: x}
---
# Source: stack/templates/list.yaml
apiVersion: v1
kind: ConfigMapList
items:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: other}}
---
# Source: stack/templates/empty.yaml
---
# Source: stack/templates/rbac.yaml
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: r, namespace: ignored}
"""


def test_objects_know_their_template_their_namespace_and_their_identity() -> None:
    objects, findings = objects_of(PRINTED, "001-stack", "home")
    assert not findings
    assert [(item.title, item.source) for item in objects] == [
        ("CustomResourceDefinition x", "stack/crds/x.yaml"),
        ("ConfigMap home/a", "stack/templates/list.yaml"),
        ("ConfigMap other/b", "stack/templates/list.yaml"),
        ("ClusterRole r", "stack/templates/rbac.yaml"),
    ]
    assert objects[1].identity == ("", "ConfigMap", "home", "a")


def test_text_is_read_as_kubectl_reads_it() -> None:
    objects, _ = objects_of(b"kind: ConfigMap\nmetadata: {name: a}\ndata: {a: yes, b: 0644}\n", "f", "n")
    assert objects[0].data["data"] == {"a": True, "b": 420}


def test_a_key_that_stands_twice_is_told() -> None:
    _, findings = objects_of(b"kind: ConfigMap\nmetadata: {labels: {a: b, a: c}}\n", "f", "n")
    assert [finding.code for finding in findings] == ["S107"]


def test_resources_of_a_cluster_wide_kind_have_no_namespace() -> None:
    sample = rendering({"a": crd(scope="Cluster"), "b": resource() + resource("Other")})
    assert [item.title for item in sample.objects if item.kind != "CustomResourceDefinition"] == [
        "Widget one",
        "Other b/one",
    ]


POD = "{containers: [{name: c, image: i}]}"
WORKLOADS = f"""\
---
apiVersion: v1
kind: Pod
metadata: {{name: p, labels: {{own: metadata}}}}
spec: {POD}
---
apiVersion: v1
kind: PodTemplate
metadata: {{name: t}}
template: {{spec: {POD}}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: d}}
spec: {{template: {{metadata: {{labels: {{a: b}}}}, spec: {POD}}}}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {{name: c}}
spec: {{jobTemplate: {{spec: {{template: {{spec: {POD}}}}}}}}}
---
apiVersion: test.dev/v1
kind: Custom
metadata: {{name: x}}
spec: {{template: {{spec: {POD}}}}}
---
apiVersion: test.dev/v1
kind: Scheduled
metadata: {{name: y}}
spec: {{jobTemplate: {{spec: {{template: {{spec: {POD}}}}}}}}}
---
apiVersion: test.dev/v1
kind: NoPod
metadata: {{name: z}}
spec: {{template: {{spec: {{size: 1}}}}}}
"""


def test_pod_templates_are_found_in_every_kind_of_workload() -> None:
    found = list(pod_templates(rendering({"a": WORKLOADS}).objects))
    assert [(item.owner.kind, ".".join(item.path)) for item in found] == [
        ("Pod", "spec"),
        ("PodTemplate", "template.spec"),
        ("DaemonSet", "spec.template.spec"),
        ("CronJob", "spec.jobTemplate.spec.template.spec"),
        ("Custom", "spec.template.spec"),
        ("Scheduled", "spec.jobTemplate.spec.template.spec"),
    ]
    assert all(item.spec["containers"] for item in found)
    assert [dict(item.metadata) for item in found[:3]] == [
        {"name": "p", "labels": {"own": "metadata"}},
        {},
        {"labels": {"a": "b"}},
    ]


NAMESPACE = """\
---
apiVersion: v1
kind: Namespace
metadata: {name: a, labels: {pod-security.kubernetes.io/enforce: privileged}}
"""
CONFIG = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: %s}\n"


def test_the_level_of_a_namespace_comes_from_its_label_else_from_the_cluster() -> None:
    texts = {"a": NAMESPACE + CONFIG % "a", "b": CONFIG % "b", "c": CONFIG % "kube-system"}
    on_talos = admissions(rendering(texts, criteria={"os": "talos"}))
    assert {name: item.policy.level.label for name, item in on_talos.items()} == {
        "a": "privileged",
        "b": "baseline",
        "kube-system": "privileged",
    }
    assert on_talos["a"].namespace is not None
    assert on_talos["a"].namespace.folder == "001-a"
    assert admissions(rendering(texts))["b"].policy.level is Level.PRIVILEGED
