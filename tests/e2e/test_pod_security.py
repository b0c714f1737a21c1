"""The evaluator against the API server: each pod is created with `dry-run=server` under each policy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from e2e.cases import cases, ephemeral_containers
from e2e.control_plane import ControlPlane, control_plane
from e2e.pods import pod
from groundswell.check.pod_security.evaluate import CONTROLS, violations
from groundswell.check.pod_security.levels import ENFORCE, ENFORCE_VERSION, Level, Policy, enforced
from groundswell.check.pod_security.pod import Pod

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

pytestmark = pytest.mark.e2e

TALOS = Policy(Level.BASELINE)
# Around every revision that a control has had, the newest rules, and a version that no server knows yet.
VERSIONS = (*(f"v1.{minor}" for minor in (0, 7, 8, *range(18, 38), 99)), "latest")
POLICIES: tuple[dict[str, str], ...] = (
    {},
    {ENFORCE_VERSION: "v1.25"},
    {ENFORCE: "restricted"},
    {ENFORCE: "privileged", ENFORCE_VERSION: "v1.30"},
    *({ENFORCE: level, ENFORCE_VERSION: each} for level in ("baseline", "restricted") for each in VERSIONS),
)
# How the API server's message calls what a control found.
REASONS = {
    "allowPrivilegeEscalation": "allowPrivilegeEscalation != false",
    "appArmorProfile": "forbidden AppArmor profile",
    "capabilities_baseline": "non-default capabilities",
    "capabilities_restricted": "unrestricted capabilities",
    "hostNamespaces": "host namespaces",
    "hostPathVolumes": "hostPath volumes",
    "hostPorts": "hostPort",
    "hostProbesAndHostLifecycle": "probe or lifecycle host",
    "privileged": "privileged",
    "procMount": "procMount",
    "procMount_restricted": "procMount",
    "restrictedVolumes": "restricted volume types",
    "runAsNonRoot": "runAsNonRoot != true",
    "runAsUser": "runAsUser=0",
    "seLinuxOptions": "seLinuxOptions",
    "seccompProfile_baseline": "seccompProfile",
    "seccompProfile_restricted": "seccompProfile",
    "sysctls": "forbidden sysctls",
    "windowsHostProcess": "hostProcess",
}
_VIOLATES = re.compile(r'violates PodSecurity "[^"]+": (.*)', re.DOTALL)
_REASON = re.compile(r"(?:^|, )([^()]+?) \((?:[^()\"]|\"[^\"]*\")*\)")


def _namespace(cluster: ControlPlane, labels: Mapping[str, str]) -> str:
    """A namespace with these labels, and the account that the API server gives to pods, which no controller makes."""
    body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"generateName": "psa-", "labels": labels}}
    name: str = _created(cluster.api.post("/api/v1/namespaces", json=body))["metadata"]["name"]
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}}
    _created(cluster.api.post(f"/api/v1/namespaces/{name}/serviceaccounts", json=account))
    return name


def _created(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code == httpx.codes.CREATED, answer.text
    created: dict[str, Any] = answer.json()
    return created


def _reasons(answer: httpx.Response) -> list[str]:
    """Why the API server refuses a pod, in its words, one for each control; empty where it takes it."""
    if answer.status_code in (httpx.codes.CREATED, httpx.codes.OK):
        return []
    message = answer.json()["message"]
    found = _VIOLATES.search(message)
    assert answer.status_code == httpx.codes.FORBIDDEN, message
    assert found, message
    return sorted(reason.replace("profiles", "profile") for reason in _REASON.findall(found[1]))


def _create(cluster: ControlPlane, namespace: str, template: Mapping[str, Any]) -> httpx.Response:
    body = {"apiVersion": "v1", "kind": "Pod", **template}
    body["metadata"] = {**body.get("metadata", {}), "name": "p"}
    return cluster.api.post(f"/api/v1/namespaces/{namespace}/pods", params={"dryRun": "All"}, json=body)


def _expected(template: Mapping[str, Any], policy: Policy, server: int) -> list[str]:
    broken = {violation.control.id for violation in violations(Pod.of(template), policy, server)}
    return sorted(REASONS[control] for control in broken)


@pytest.mark.parametrize("labels", POLICIES, ids=lambda labels: "-".join(labels.values()) or "unlabelled")
def test_the_evaluator_gives_the_api_servers_reasons_for_every_pod(
    cluster: ControlPlane, labels: dict[str, str]
) -> None:
    namespace = _namespace(cluster, labels)
    policy = enforced(labels, TALOS)
    differing = {
        name: (expected, actual)
        for name, template in cases().items()
        if (expected := _expected(template, policy, cluster.minor))
        != (actual := _reasons(_create(cluster, namespace, template)))
    }
    assert differing == {}


def test_latest_means_the_rules_of_an_older_server(cluster: ControlPlane, tmp_path: Path) -> None:
    older = cluster.minor - 3  # the oldest that an API server emulates
    with control_plane(tmp_path, [f"--emulated-version=1.{older}"]) as emulating:
        for labels in ({ENFORCE: "baseline"}, {ENFORCE: "restricted", ENFORCE_VERSION: f"v1.{cluster.minor}"}):
            namespace = _namespace(emulating, labels)
            for name, template in cases().items():
                answer = _create(emulating, namespace, template)
                if answer.status_code != httpx.codes.UNPROCESSABLE_ENTITY:  # fields that were not there yet
                    assert _reasons(answer) == _expected(template, enforced(labels, TALOS), older), name


@pytest.mark.parametrize("level", ["baseline", "restricted"])
def test_the_evaluator_judges_containers_that_are_added_to_a_running_pod(cluster: ControlPlane, level: str) -> None:
    labels = {ENFORCE: level}
    namespace = _namespace(cluster, labels)
    policy = enforced(labels, TALOS)
    created = {**pod(), "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}
    _created(cluster.api.post(f"/api/v1/namespaces/{namespace}/pods", json=created))
    for name, container in ephemeral_containers().items():
        spec = {"ephemeralContainers": [container]}
        answer = cluster.api.patch(
            f"/api/v1/namespaces/{namespace}/pods/p/ephemeralcontainers",
            params={"dryRun": "All"},
            headers={"Content-Type": "application/strategic-merge-patch+json"},
            json={"spec": spec},
        )
        template = {"spec": {**created["spec"], **spec}}
        assert _reasons(answer) == _expected(template, policy, cluster.minor), name


def test_the_cases_are_many_and_break_and_keep_each_control() -> None:
    templates = [Pod.of(template) for template in cases().values()]
    assert len(templates) >= 150
    for control in CONTROLS:
        for revision in control.revisions:
            found = [any(revision.judge(template)) for template in templates]
            # From 1.35 on, whoever breaks this control at the baseline has a pod that is not even valid.
            assert any(found) or (control.id, revision.since) == ("procMount", 35)
            assert not all(found)


def test_kube_system_is_exempt_as_on_talos(cluster: ControlPlane) -> None:
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}}
    cluster.api.post("/api/v1/namespaces/kube-system/serviceaccounts", json=account)
    assert _reasons(_create(cluster, "kube-system", cases()["everything"])) == []


def test_a_host_network_makes_host_ports_of_all_ports_which_the_evaluator_leaves_unsaid(cluster: ControlPlane) -> None:
    template = pod({**cases()["container port"]["spec"]["containers"][0]}, hostNetwork=True)
    namespace = _namespace(cluster, {})
    assert _reasons(_create(cluster, namespace, template)) == ["host namespaces", "hostPort"]
    assert _expected(template, TALOS, cluster.minor) == ["host namespaces"]


@pytest.mark.parametrize("labels", [{ENFORCE: "strict"}, {ENFORCE_VERSION: "1.30"}, {ENFORCE_VERSION: "v1.030"}])
def test_the_api_server_takes_no_label_that_the_evaluator_cannot_read(
    cluster: ControlPlane, labels: dict[str, str]
) -> None:
    body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"generateName": "psa-", "labels": labels}}
    assert cluster.api.post("/api/v1/namespaces", json=body).status_code == httpx.codes.UNPROCESSABLE_ENTITY
