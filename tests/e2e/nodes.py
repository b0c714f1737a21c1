"""What makes an API server a cluster in which workloads become ready: controllers, the scheduler, and nodes of kwok.

The nodes run nothing: kwok writes the status that a kubelet would, pods soon ready and those of Jobs at once done.
"""

from __future__ import annotations

import json
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import httpx

from e2e.processes import free_ports

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from e2e.control_plane import ControlPlane

_CAPACITY = "{cpu: '64', memory: 256Gi, pods: '250'}"
_NODE_STATUS = f"""
conditions:
- {{type: Ready, status: "True", reason: KubeletReady, lastHeartbeatTime: {{{{ Now | Quote }}}}}}
capacity: {_CAPACITY}
allocatable: {_CAPACITY}
"""
_RUNNING = """
phase: Running
startTime: {{ Now | Quote }}
conditions:
- {type: Initialized, status: "True"}
- {type: ContainersReady, status: "True"}
- {type: Ready, status: "True"}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  ready: true
  state: {running: {startedAt: {{ Now | Quote }}}}
{{ end }}
"""
_DONE = """
phase: Succeeded
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  state: {terminated: {exitCode: 0, reason: Completed}}
{{ end }}
"""
_ALIVE = {"key": ".metadata.deletionTimestamp", "operator": "DoesNotExist"}


def _stage(
    name: str, kind: str, when: list[dict[str, Any]], then: dict[str, Any], more: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    return {
        "apiVersion": "kwok.x-k8s.io/v1alpha1",
        "kind": "Stage",
        "metadata": {"name": name},
        "spec": {
            "resourceRef": {"apiGroup": "v1", "kind": kind},
            "selector": {"matchExpressions": when},
            "next": then,
            **(more or {}),
        },
    }


_READY = '.status.conditions.[] | select( .type == "Ready" ) | .status'

# Long enough that whoever does not wait for pods is seen to go on before they are ready.
_START = {"delay": {"durationMilliseconds": 2000}}
_STAGES = (
    _stage(
        "node",
        "Node",
        [{"key": _READY, "operator": "NotIn", "values": ["True"]}],
        {"statusTemplate": _NODE_STATUS},
    ),
    _stage(
        "pod",
        "Pod",
        [_ALIVE, {"key": ".status.phase", "operator": "In", "values": ["Pending"]}],
        {"statusTemplate": _RUNNING},
        _START,
    ),
    _stage(
        "job",
        "Pod",
        [
            _ALIVE,
            {"key": ".status.phase", "operator": "In", "values": ["Running"]},
            {"key": ".metadata.ownerReferences.[].kind", "operator": "In", "values": ["Job"]},
        ],
        {"statusTemplate": _DONE},
    ),
    _stage("deletion", "Pod", [{**_ALIVE, "operator": "Exists"}], {"delete": True}),
)


@contextmanager
def nodes(cluster: ControlPlane, count: int = 2) -> Iterator[None]:
    """Let controllers, the scheduler and `count` nodes work on this API server until the context is left."""
    manager, scheduler, kwok = free_ports(3)
    stages = cluster.directory / "stages.yaml"
    stages.write_text("\n---\n".join(json.dumps(stage) for stage in _STAGES))
    with ExitStack() as stack:
        for name, arguments, health in (
            ("kube-controller-manager", _manager_arguments(cluster, manager), f"https://127.0.0.1:{manager}/healthz"),
            ("kube-scheduler", _serving_arguments(cluster, scheduler), f"https://127.0.0.1:{scheduler}/healthz"),
            (
                "kwok",
                [
                    f"--kubeconfig={cluster.kubeconfig}",
                    f"--config={stages}",
                    "--manage-all-nodes=true",
                    f"--server-address=127.0.0.1:{kwok}",
                ],
                f"http://127.0.0.1:{kwok}/healthz",
            ),
        ):
            stack.enter_context(cluster.program(name, arguments, health))
        for index in range(count):
            body = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"node-{index}"}}
            assert cluster.api.post("/api/v1/nodes", json=body).status_code == httpx.codes.CREATED
        yield


def _manager_arguments(cluster: ControlPlane, port: int) -> list[str]:
    return [
        *_serving_arguments(cluster, port),
        "--use-service-account-credentials=true",
        "--node-monitor-grace-period=24h",  # these nodes send no sign of life
        f"--service-account-private-key-file={cluster.directory / 'service-accounts.pem'}",
        f"--root-ca-file={cluster.directory / 'certificates' / 'apiserver.crt'}",
    ]


def _serving_arguments(cluster: ControlPlane, port: int) -> list[str]:
    return [
        f"--kubeconfig={cluster.kubeconfig}",
        f"--authentication-kubeconfig={cluster.kubeconfig}",
        f"--authorization-kubeconfig={cluster.kubeconfig}",
        "--bind-address=127.0.0.1",
        f"--secure-port={port}",
        "--leader-elect=false",
    ]
