from __future__ import annotations

import pytest

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


LISTS = b"""---
# Source: stack/templates/list.yaml
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Secret, metadata: {name: inner}}]}
  - {apiVersion: v1, kind: ConfigMapList, items: [{metadata: {name: bare}}]}
  - {apiVersion: v1, kind: ConfigMapList, items: }
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: last}}
---
metadata: {name: x}
"""


def test_lists_are_opened_down_to_the_last_one_and_tell_what_their_items_are() -> None:
    objects, findings = objects_of(LISTS, "001-stack", "home")
    assert not findings
    assert [(item.title, item.data.get("apiVersion")) for item in objects] == [
        ("Secret home/inner", "v1"),
        ("ConfigMap home/bare", "v1"),
        ("ConfigMap home/last", "v1"),
        ("object home/x", None),
    ]


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
    assert [(item.owner.kind, ".".join(map(str, item.path))) for item in found] == [
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


NESTED = {
    "jobset.x-k8s.io/v1alpha2 JobSet": f"{{replicatedJobs: [{{template: {{spec: {{template: {{spec: {POD}}}}}}}}}]}}",
    "leaderworkerset.x-k8s.io/v1 LeaderWorkerSet": (
        f"{{leaderWorkerTemplate: {{leaderTemplate: {{spec: {POD}}}, workerTemplate: {{spec: {POD}}}}}}}"
    ),
    "trainer.kubeflow.org/v1alpha1 TrainingRuntime": (
        f"{{template: {{spec: {{replicatedJobs: [{{template: {{spec: {{template: {{spec: {POD}}}}}}}}}]}}}}}}"
    ),
    "kubeflow.org/v1 PyTorchJob": f"{{pytorchReplicaSpecs: {{Master: {{template: {{spec: {POD}}}}}}}}}",
    "ray.io/v1 RayCluster": f"{{headGroupSpec: {{template: {{spec: {POD}}}}}}}",
    "argoproj.io/v1alpha1 AnalysisTemplate": (
        f"{{metrics: [{{provider: {{job: {{spec: {{template: {{spec: {POD}}}}}}}}}}}]}}"
    ),
}
NO_PODS = {
    "trainer.kubeflow.org/v1alpha1 TrainJob": "{podTemplateOverrides: [{spec: {containers: [{name: node}]}}]}",
    "monitoring.coreos.com/v1 Prometheus": POD,
    "kyverno.io/v1 ClusterPolicy": (
        "{rules: [{validate: {pattern: {spec: {containers: [{name: '*', image: '*:*'}]}}}},"
        " {mutate: {patchStrategicMerge: {spec: {containers: [{(name): '*', image: x}]}}}}]}"
    ),
    "resource.k8s.io/v1 ResourceClaim": f"{{x: {{spec: {POD}}}}}",
    "example.test/v1 Empty": "{x: {spec: {containers: []}}, y: {spec: {containers: [a]}}, z: {spec: {containers: 3}}}",
}


def test_pod_templates_are_found_wherever_they_stand_in_custom_resources() -> None:
    def found(samples: dict[str, str]) -> list[tuple[str, str]]:
        objects = [
            f"---\napiVersion: {version}\nkind: {kind}\nmetadata: {{name: x}}\nspec: {spec}\n"
            for (version, kind), spec in ((key.split(), spec) for key, spec in samples.items())
        ]
        templates = pod_templates(rendering({"a": "".join(objects)}).objects)
        return [(item.owner.kind, ".".join(map(str, item.path))) for item in templates]

    assert sorted(found(NESTED)) == [
        ("AnalysisTemplate", "spec.metrics.0.provider.job.spec.template.spec"),
        ("JobSet", "spec.replicatedJobs.0.template.spec.template.spec"),
        ("LeaderWorkerSet", "spec.leaderWorkerTemplate.leaderTemplate.spec"),
        ("LeaderWorkerSet", "spec.leaderWorkerTemplate.workerTemplate.spec"),
        ("PyTorchJob", "spec.pytorchReplicaSpecs.Master.template.spec"),
        ("RayCluster", "spec.headGroupSpec.template.spec"),
        ("TrainingRuntime", "spec.template.spec.replicatedJobs.0.template.spec.template.spec"),
    ]
    assert found(NO_PODS) == []


WORKFLOW = """\
---
apiVersion: argoproj.io/v1alpha1
kind: %s
metadata: {name: w}
spec:
  hostNetwork: true
  volumes: [{name: shared, emptyDir: {}}]
  templates:
  - {name: steps, steps: []}
  - {name: one, container: {image: i}, volumes: [{name: own, hostPath: {path: /x}}], hostNetwork: false}
  - {name: two, script: {image: j, source: echo}, sidecars: [{name: s, image: k}]}
  - {name: three, containerSet: {containers: [{name: a, image: l}, {name: b, image: m}]}}
"""


@pytest.mark.parametrize("kind", ["Workflow", "WorkflowTemplate", "CronWorkflow"])
def test_the_pods_of_workflows_are_put_together(kind: str) -> None:
    text = WORKFLOW % kind
    if kind == "CronWorkflow":
        text = (
            text.replace("spec:\n", "spec:\n  workflowSpec:\n")
            .replace("\n  ", "\n    ")
            .replace("    workflowSpec", "  workflowSpec")
        )
    one, two, three = pod_templates(rendering({"a": text}).objects)
    assert [one.path[-1], two.path[-1], three.path[-1]] == [1, 2, 3]
    assert [item["image"] for found in (one, two, three) for item in found.spec["containers"]] == [*"ijklm"]
    assert [len(found.spec["volumes"]) for found in (one, two, three)] == [2, 1, 1]
    assert [found.spec["hostNetwork"] for found in (one, two, three)] == [False, True, True]


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
