"""Pods against the Pod Security level of their namespace, and namespaces against what their pods need."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import talos_kit
from groundswell.check.admission import needed_level, pod_of
from groundswell.check.pod_security.evaluate import violations
from groundswell.check.pod_security.levels import Level, Policy
from groundswell.check.pods import pod_templates
from groundswell.check.target import Target
from plan_factory import TALOS
from unit.check.kit import found_by, messages, rendering

PODS = {
    "privileged": "{hostNetwork: true, containers: [{name: c, image: i, securityContext: {privileged: true}}]}",
    "baseline": "{containers: [{name: c, image: i}]}",
    "restricted": """{securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}, containers: [
      {name: c, image: i, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]}""",
}
WORKLOAD = "---\napiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: d}\nspec: {template: {spec: %s}}\n"
JOB = "{spec: {template: {spec: %s}}}"
CRON = f"---\napiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: d}}\nspec: {{jobTemplate: {JOB}}}\n"
CUSTOM = "---\napiVersion: test.dev/v1\nkind: Widget\nmetadata: {name: d}\nspec: {template: {spec: %s}}\n"


def namespace(level: str, name: str = "a") -> str:
    labels = f", labels: {{pod-security.kubernetes.io/enforce: {level}}}" if level else ""
    return f"---\napiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}{labels}}}\n"


@pytest.mark.parametrize("need", ["privileged", "baseline", "restricted"])
@pytest.mark.parametrize("level", ["", "privileged", "baseline", "restricted"])
@pytest.mark.parametrize("system", ["talos", "ubuntu"])
def test_a_pod_is_refused_where_its_namespace_enforces_less_than_it_needs(need: str, level: str, system: str) -> None:
    sample = rendering({"a": namespace(level) + WORKLOAD % PODS[need]}, criteria={"os": system})
    enforced = level or ("baseline" if system == "talos" else "privileged")
    order = ["privileged", "baseline", "restricted"]
    assert bool(messages("pod-security", sample)) == (order.index(need) < order.index(enforced))


def test_the_finding_names_field_rule_folder_and_fix() -> None:
    (found,) = found_by("pod-security", rendering({"a": WORKLOAD % PODS["privileged"]}, criteria=TALOS))
    assert found.diagnostic.message == (
        "the namespace `a` enforces `baseline` (the default of Talos) and refuses the pods of `DaemonSet a/d` in"
        " `001-a`: the pod sets `hostNetwork: true` at `spec.template.spec.hostNetwork` (hostNamespaces);"
        " container `c` sets `privileged: true` at `spec.template.spec.containers[0].securityContext.privileged`"
        " (privileged). The rule: the host's network, process and IPC namespaces are not shared; no container is"
        " privileged"
    )
    assert "`preManifestFiles`" in found.diagnostic.help
    assert "talos: {privileged: true}" in found.diagnostic.help
    assert found.subject == "DaemonSet a/d"


def test_elsewhere_the_fix_is_the_label() -> None:
    labelled = rendering({"a": namespace("restricted") + WORKLOAD % PODS["baseline"]})
    (found,) = found_by("pod-security", labelled)
    assert found.diagnostic.help == "label the Namespace `a` with `pod-security.kubernetes.io/enforce: baseline`"


@pytest.mark.parametrize(
    ("text", "path"), [(CRON, "spec.jobTemplate.spec.template.spec"), (CUSTOM, "spec.template.spec")]
)
def test_jobs_of_cron_and_custom_resources_are_judged_too(text: str, path: str) -> None:
    (message,) = messages("pod-security", rendering({"a": text % PODS["privileged"]}, criteria=TALOS))
    assert f"`{path}.hostNetwork`" in message


JOB_SET = """---
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: d}
spec: {replicatedJobs: [{name: one, template: {spec: {template: {spec: %s}}}}]}
"""
WORKFLOW = """---
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: d}
spec: {hostNetwork: true, templates: [{name: one, container: {image: i}}]}
"""


def test_pods_of_custom_resources_are_judged_wherever_they_stand() -> None:
    (message,) = messages("pod-security", rendering({"a": JOB_SET % PODS["privileged"]}, criteria=TALOS))
    assert "`spec.replicatedJobs[0].template.spec.template.spec.hostNetwork`" in message
    (message,) = messages("pod-security", rendering({"a": WORKFLOW}, criteria=TALOS))
    assert "the pod sets `hostNetwork: true` at `spec.templates[0]`" in message


def test_exempt_namespaces_take_every_pod() -> None:
    pod = (WORKLOAD % PODS["privileged"]).replace("{name: d}", "{name: d, namespace: %s}")
    file = talos_kit.text("- {name: n1, role: worker}", talos="podSecurityExemptions: [b]")
    for name in ("kube-system", "b"):
        assert not messages("pod-security", rendering({"a": pod % name}, criteria=TALOS, cluster=file))
    assert messages("pod-security", rendering({"a": pod % "b"}, criteria=TALOS))
    restricted = rendering({"a": namespace("restricted", "kube-system") + pod % "kube-system"}, criteria=TALOS)
    assert not messages("pod-security", restricted)


def test_a_pinned_version_has_its_own_rules() -> None:
    pod = "{containers: [{name: c, image: i, livenessProbe: {httpGet: {host: example.test, port: 1}}}]}"
    texts = {"a": namespace("baseline, pod-security.kubernetes.io/enforce-version: v1.33") + WORKLOAD % pod}
    assert not messages("pod-security", rendering(texts))
    target = type(rendering(texts).target)("1.35.0", "for the test")
    assert not messages("pod-security", rendering(texts, target=target))
    assert messages("pod-security", rendering({"a": namespace("baseline") + WORKLOAD % pod}, target=target))


PROBE = "{containers: [{name: c, image: i, livenessProbe: {httpGet: {host: example.test, port: 1}}}]}"


@pytest.mark.parametrize(
    ("version", "last", "severity"),
    [("1.33.0", None, "warning"), ("1.33.0", 34, "warning"), ("1.33.0", 33, None), ("1.34.0", 34, "error")],
)
def test_what_a_later_kubernetes_that_is_allowed_refuses_is_a_warning(
    version: str, last: int | None, severity: str | None
) -> None:
    sample = rendering({"a": WORKLOAD % PROBE}, criteria=TALOS, target=Target(version, "", last))
    found = [item.diagnostic for item in found_by("pod-security", sample)]
    assert [item.severity.value for item in found] == ([severity] if severity else [])
    assert all(item.code == "K401" for item in found)
    since = "and, from Kubernetes 1.34 on, which the constraints allow, refuses the pods"
    assert all((since in item.message) == (severity == "warning") for item in found)


def test_a_level_that_a_later_kubernetes_refuses_is_not_recommended() -> None:
    texts = {"a": namespace("privileged") + WORKLOAD % PROBE}
    for last, quiet in ((33, False), (34, True), (None, True)):
        sample = rendering(texts, target=Target("1.33.0", "", last))
        assert (not messages("namespace-levels", sample)) is quiet


RIGHTS = """---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: r}
rules: [{apiGroups: [%s], resources: [%s], verbs: [%s]}]
"""
BINDING = """---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: r}
roleRef: {kind: ClusterRole, name: %s}
"""


def test_a_namespace_that_is_opened_wider_than_its_pods_need_is_a_warning() -> None:
    wide = namespace("privileged") + WORKLOAD % PODS["baseline"]
    assert messages("namespace-levels", rendering({"a": wide})) == [
        "K402 the Namespace `a` allows `privileged` pods, and `baseline` is enough for all of `a`"
    ]
    for need, pod in PODS.items():
        assert not messages("namespace-levels", rendering({"a": namespace(need) + WORKLOAD % pod}))
    assert not messages("namespace-levels", rendering({"a": wide + (WORKLOAD % PODS["privileged"])}))
    assert not messages("namespace-levels", rendering({"a": namespace("privileged")}))


@pytest.mark.parametrize(
    ("more", "quiet"),
    [
        (RIGHTS % ("apps", "daemonsets", "create"), True),
        (RIGHTS % ("'*'", "'*'", "'*'"), True),
        (RIGHTS % ("''", "pods", "get, list"), False),
        (RIGHTS % ("''", "configmaps", "create"), False),
        (BINDING % "cluster-admin", True),
        (BINDING % "view", False),
    ],
)
def test_what_an_operator_makes_later_is_not_known(more: str, quiet: bool) -> None:
    sample = rendering({"a": namespace("privileged") + WORKLOAD % PODS["baseline"] + more})
    assert bool(messages("namespace-levels", sample)) is not quiet


def test_nothing_is_said_of_namespaces_while_a_folder_is_missing() -> None:
    sample = rendering({"a": namespace("privileged") + WORKLOAD % PODS["baseline"], "b": ""})
    assert messages("namespace-levels", sample)
    partly = {name: folder for name, folder in sample.folders.items() if not name.endswith("b")}
    assert not messages("namespace-levels", type(sample)(sample.plan, sample.target, partly))


@given(need=st.sampled_from(sorted(PODS)), minor=st.integers(25, 37))
def test_the_needed_level_admits_and_the_next_one_does_not(need: str, minor: int) -> None:
    (template,) = pod_templates(rendering({"a": WORKLOAD % PODS[need]}).objects)
    level = needed_level(template, Policy(Level.PRIVILEGED), [minor])
    assert level.label == need
    assert not violations(pod_of(template), Policy(level), minor)
    if level is not Level.RESTRICTED:
        assert violations(pod_of(template), Policy(Level(level + 1)), minor)
