"""Pods that reach for the host, for privileges, for kinds of volumes, for the kernel, or do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from e2e.pods import container, pod

if TYPE_CHECKING:
    from collections.abc import Mapping

    from e2e.pods import Cases, Json

_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_CAPABILITIES = (
    "ALL",
    "AUDIT_CONTROL",
    "AUDIT_READ",
    "AUDIT_WRITE",
    "BPF",
    "CHOWN",
    "DAC_OVERRIDE",
    "DAC_READ_SEARCH",
    "FOWNER",
    "FSETID",
    "IPC_LOCK",
    "KILL",
    "MKNOD",
    "NET_ADMIN",
    "NET_BIND_SERVICE",
    "NET_RAW",
    "PERFMON",
    "SETFCAP",
    "SETGID",
    "SETPCAP",
    "SETUID",
    "SYS_CHROOT",
    "SYS_NICE",
    "SYS_PTRACE",
    "SYS_TIME",
    "SYSLOG",
    "CAP_CHOWN",
    "net_bind_service",
)
_SYSCTLS = (
    "kernel.shm_rmid_forced",
    "kernel.msgmax",
    "kernel.sem",
    "net.core.somaxconn",
    "net.ipv4.ip_local_port_range",
    "net.ipv4.tcp_syncookies",
    "net.ipv4.ping_group_range",
    "net.ipv4.ip_unprivileged_port_start",
    "net.ipv4.ip_local_reserved_ports",
    "net.ipv4.tcp_keepalive_time",
    "net.ipv4.tcp_fin_timeout",
    "net.ipv4.tcp_keepalive_intvl",
    "net.ipv4.tcp_keepalive_probes",
    "net.ipv4.tcp_rmem",
    "net.ipv4.tcp_wmem",
    "net.ipv4.tcp_slow_start_after_idle",
    "net.ipv4.tcp_notsent_lowat",
    "net/ipv4/tcp_syncookies",
)
_CLAIM = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
_VOLUMES: Mapping[str, Json] = {
    "configMap": {"name": "x"},
    "csi": {"driver": "csi.example.com"},
    "downwardAPI": {"items": []},
    "emptyDir": {},
    "ephemeral": {"volumeClaimTemplate": {"spec": _CLAIM}},
    "image": {"reference": "example.com/data:1"},
    "persistentVolumeClaim": {"claimName": "x"},
    "projected": {"sources": [{"configMap": {"name": "x"}}]},
    "secret": {"secretName": "x"},
    "hostPath": {"path": "/dev"},
    "gcePersistentDisk": {"pdName": "x"},
    "awsElasticBlockStore": {"volumeID": "x"},
    "nfs": {"server": "x", "path": "/"},
    "iscsi": {"targetPortal": "10.0.0.1:3260", "iqn": "iqn.2001-04.com.example:storage.disk1", "lun": 0},
    "glusterfs": {"endpoints": "x", "path": "x"},
    "rbd": {"monitors": ["x"], "image": "x"},
    "flexVolume": {"driver": "example.com/x"},
    "cinder": {"volumeID": "x"},
    "cephfs": {"monitors": ["x"]},
    "flocker": {"datasetName": "x"},
    "fc": {"targetWWNs": ["x"], "lun": 0},
    "azureFile": {"secretName": "x", "shareName": "x"},
    "azureDisk": {"diskName": "x", "diskURI": "https://example.com/x"},
    "vsphereVolume": {"volumePath": "x"},
    "quobyte": {"registry": "x:1", "volume": "x"},
    "portworxVolume": {"volumeID": "x"},
    "photonPersistentDisk": {"pdID": "x"},
    "scaleIO": {"gateway": "x", "system": "x", "secretRef": {"name": "x"}, "volumeName": "x"},
    "storageos": {"volumeName": "x"},
    "gitRepo": {"repository": "https://example.com/x.git"},
}


def host() -> Cases:
    for field in ("hostNetwork", "hostPID", "hostIPC"):
        yield f"{field} true", pod(**{field: True})
        yield f"{field} false", pod(**{field: False})
    yield "all host namespaces", pod(hostNetwork=True, hostPID=True, hostIPC=True)
    yield (
        "two host ports",
        pod(container(ports=[{"containerPort": 80, "hostPort": 80}, {"containerPort": 81, "hostPort": 81}])),
    )
    yield "host port 0", pod(container(ports=[{"containerPort": 80, "hostPort": 0}]))
    yield "container port", pod(container(ports=[{"containerPort": 80}]))
    for probe in _PROBES:
        for action in ({"httpGet": {"port": 80}}, {"tcpSocket": {"port": 80}}):
            ((kind, target),) = action.items()
            yield f"{probe} {kind}", pod(container(**{probe: action}))
            yield f"{probe} {kind} host", pod(container(**{probe: {kind: {**target, "host": "127.0.0.1"}}}))
            yield f"{probe} {kind} no host", pod(container(**{probe: {kind: {**target, "host": ""}}}))
    yield "probe exec", pod(container(livenessProbe={"exec": {"command": ["true"]}}))
    yield "probe grpc", pod(container(livenessProbe={"grpc": {"port": 80}}))
    for hook in ("postStart", "preStop"):
        for kind in ("httpGet", "tcpSocket"):
            yield f"{hook} {kind}", pod(container(lifecycle={hook: {kind: {"port": 80}}}))
            yield f"{hook} {kind} host", pod(container(lifecycle={hook: {kind: {"port": 80, "host": "example.com"}}}))


def privileges() -> Cases:
    yield "privileged", pod(container(security={"privileged": True, "allowPrivilegeEscalation": None}))
    yield "privileged false", pod(container(security={"privileged": False}))
    for capability in _CAPABILITIES:
        yield f"adds {capability}", pod(container(security={"capabilities": {"drop": ["ALL"], "add": [capability]}}))
    yield "adds two", pod(container(security={"capabilities": {"drop": ["ALL"], "add": ["SYS_TIME", "KILL"]}}))
    yield "drops nothing", pod(container(security={"capabilities": {}}))
    yield "drops some", pod(container(security={"capabilities": {"drop": ["NET_RAW", "KILL"]}}))
    yield "drops ALL among others", pod(container(security={"capabilities": {"drop": ["NET_RAW", "ALL"]}}))
    yield "drops all in lower case", pod(container(security={"capabilities": {"drop": ["all"]}}))
    yield "no capabilities", pod(container(security={"capabilities": None}))
    yield "escalation unset", pod(container(security={"allowPrivilegeEscalation": None}))
    yield "escalation allowed", pod(container(security={"allowPrivilegeEscalation": True}))


def volumes() -> Cases:
    for kind, source in _VOLUMES.items():
        yield f"volume {kind}", pod(volumes=[{"name": "v", kind: source}])
    yield "volume without source", pod(volumes=[{"name": "v"}])
    yield "volume with null source", pod(volumes=[{"name": "v", "hostPath": None}])
    yield (
        "volumes of three kinds",
        pod(
            volumes=[
                {"name": "a", "hostPath": {"path": "/sys"}},
                {"name": "b", "emptyDir": {}},
                {"name": "c", "nfs": {"server": "x", "path": "/"}},
            ]
        ),
    )


def kernel() -> Cases:
    for name in _SYSCTLS:
        yield f"sysctl {name}", pod(security={"sysctls": [{"name": name, "value": "1"}]})
    yield "two sysctls", pod(security={"sysctls": [{"name": name, "value": "1"} for name in _SYSCTLS[:2]]})
    yield "no sysctls", pod(security={"sysctls": []})
    yield "procMount Default", pod(container(security={"procMount": "Default"}))
    yield "procMount Unmasked", pod(container(security={"procMount": "Unmasked"}), hostUsers=False)
    yield (
        "procMount Unmasked in one of two",
        pod(container(), container("d", security={"procMount": "Unmasked"}), hostUsers=False),
    )
