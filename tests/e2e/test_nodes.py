"""The harness itself: workloads become ready where they are admitted, as they would on machines."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from e2e.control_plane import ControlPlane, control_plane
from e2e.nodes import nodes
from e2e.programs import API_SERVER, CONTROLLERS, missing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.e2e

CONTAINER = {"name": "c", "image": "example.com/x:1"}
PRIVILEGED = {**CONTAINER, "securityContext": {"privileged": True}}


@pytest.fixture(scope="module")
def working(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    if absent := missing((*API_SERVER, *CONTROLLERS)):
        pytest.skip(f"{' and '.join(absent)} not found; `make e2e` builds what is missing")
    with control_plane(tmp_path_factory.mktemp("cluster")) as cluster, nodes(cluster):
        yield cluster


def _workload(kind: str, container: dict[str, Any], **spec: Any) -> dict[str, Any]:
    group = "batch/v1" if kind == "Job" else "apps/v1"
    labels = {"app": "x"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container], **spec}}
    selector = {} if kind == "Job" else {"selector": {"matchLabels": labels}}
    return {"apiVersion": group, "kind": kind, "metadata": {"name": "x"}, "spec": {**selector, "template": template}}


def _eventually(probe: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not probe():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def _status(cluster: ControlPlane, path: str) -> dict[str, Any]:
    status: dict[str, Any] = cluster.api.get(path).json().get("status", {})
    return status


def test_workloads_become_ready_and_privileged_ones_never_get_a_pod(working: ControlPlane) -> None:
    for path, body in (
        ("/apis/apps/v1/namespaces/default/deployments", _workload("Deployment", CONTAINER)),
        ("/apis/batch/v1/namespaces/default/jobs", _workload("Job", CONTAINER, restartPolicy="Never")),
        ("/apis/apps/v1/namespaces/default/daemonsets", _workload("DaemonSet", PRIVILEGED)),
        ("/apis/apps/v1/namespaces/kube-system/daemonsets", _workload("DaemonSet", PRIVILEGED)),
    ):
        answer = working.api.post(path, json=body)
        assert answer.status_code == httpx.codes.CREATED, answer.text
    apps, batch = "/apis/apps/v1/namespaces", "/apis/batch/v1/namespaces"
    _eventually(lambda: _status(working, f"{apps}/default/deployments/x").get("readyReplicas") == 1)
    _eventually(lambda: _status(working, f"{batch}/default/jobs/x").get("succeeded") == 1)
    _eventually(lambda: _status(working, f"{apps}/kube-system/daemonsets/x").get("numberReady") == 2)
    _eventually(lambda: any("violates PodSecurity" in event for event in _events(working, "default")))
    assert _status(working, f"{apps}/default/daemonsets/x").get("currentNumberScheduled") == 0


def _events(cluster: ControlPlane, namespace: str) -> list[str]:
    items = cluster.api.get(f"/api/v1/namespaces/{namespace}/events").json()["items"]
    return [str(item.get("message")) for item in items]
