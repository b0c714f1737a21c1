"""Controls over what a pod shares with its host: namespaces, paths, ports, and addresses that the kubelet calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.pod_security.control import Control, Revision
from groundswell.check.pod_security.levels import Level
from groundswell.check.pod_security.pod import mapping, sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.pod_security.pod import Finding, Pod

_NAMESPACES = ("hostNetwork", "hostPID", "hostIPC")
_PROBES = (("livenessProbe",), ("readinessProbe",), ("startupProbe",))
_LIFECYCLE = (("lifecycle", "postStart"), ("lifecycle", "preStop"))


def _host_namespaces(pod: Pod) -> Iterator[Finding]:
    for field in _NAMESPACES:
        if pod.spec.get(field) is True:
            yield pod.spec.finding((field,), f"sets `{field}: true`")


def _host_path_volumes(pod: Pod) -> Iterator[Finding]:
    for index, volume in enumerate(sequence(pod.spec.get("volumes"))):
        fields = mapping(volume)
        if fields.get("hostPath") is not None:
            name, path = fields.get("name", index), mapping(fields["hostPath"]).get("path", "")
            yield pod.spec.finding(("volumes", index, "hostPath"), f"mounts the host's `{path}` as volume `{name}`")


def _host_ports(pod: Pod) -> Iterator[Finding]:
    for container in pod.containers():
        for index, port in enumerate(sequence(container.get("ports"))):
            number = mapping(port).get("hostPort")
            if number not in (None, 0):
                yield container.finding(("ports", index, "hostPort"), f"takes port {number} of the host")


def _hosts_called(pod: Pod) -> Iterator[Finding]:
    for container in pod.containers():
        for hook in _PROBES + _LIFECYCLE:
            for action in ("httpGet", "tcpSocket"):
                keys = (*hook, action, "host")
                if host := container.get(*keys):
                    yield container.finding(keys, f"has the kubelet call host `{host}` in `{'.'.join(keys)}`")


CONTROLS = (
    Control(
        "hostNamespaces",
        Level.BASELINE,
        "the host's network, process and IPC namespaces are not shared",
        (Revision(0, _host_namespaces),),
    ),
    Control(
        "hostPathVolumes",
        Level.BASELINE,
        "no volume is a `hostPath`",
        (Revision(0, _host_path_volumes),),
    ),
    Control(
        "hostPorts",
        Level.BASELINE,
        "no container takes a port of the host",
        (Revision(0, _host_ports),),
    ),
    Control(
        "hostProbesAndHostLifecycle",
        Level.BASELINE,
        "probes and lifecycle hooks name no `host`",
        (Revision(34, _hosts_called),),
    ),
)
