"""Controls over the kernel's interfaces: sysctls and the masks over `/proc`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from groundswell.check.pod_security.control import Control, Revision, except_user_namespace
from groundswell.check.pod_security.levels import Level
from groundswell.check.pod_security.pod import mapping, sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.pod_security.pod import Finding, Pod

_SYSCTLS = (
    "kernel.shm_rmid_forced",
    "net.ipv4.ip_local_port_range",
    "net.ipv4.tcp_syncookies",
    "net.ipv4.ping_group_range",
    "net.ipv4.ip_unprivileged_port_start",
)
_SYSCTLS_27 = (*_SYSCTLS, "net.ipv4.ip_local_reserved_ports")
_SYSCTLS_29 = (
    *_SYSCTLS_27,
    "net.ipv4.tcp_keepalive_time",
    "net.ipv4.tcp_fin_timeout",
    "net.ipv4.tcp_keepalive_intvl",
    "net.ipv4.tcp_keepalive_probes",
)
_SYSCTLS_32 = (*_SYSCTLS_29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem")
_SYSCTLS_37 = (*_SYSCTLS_32, "net.ipv4.tcp_slow_start_after_idle", "net.ipv4.tcp_notsent_lowat")


def _sysctls(pod: Pod, safe: tuple[str, ...]) -> Iterator[Finding]:
    for index, sysctl in enumerate(sequence(pod.spec.security("sysctls"))):
        name = mapping(sysctl).get("name")
        if name not in safe:
            yield pod.spec.security_finding(("sysctls", index, "name"), f"sets the sysctl `{name}`")


def _proc_mount(pod: Pod) -> Iterator[Finding]:
    for container in pod.containers():
        mount = container.security("procMount")
        if mount not in (None, "Default"):
            yield container.security_finding(("procMount",), f"sets `procMount: {mount}`")


CONTROLS = (
    Control(
        "sysctls",
        Level.BASELINE,
        "only sysctls are set that Kubernetes calls safe",
        (
            Revision(0, partial(_sysctls, safe=_SYSCTLS)),
            Revision(27, partial(_sysctls, safe=_SYSCTLS_27)),
            Revision(29, partial(_sysctls, safe=_SYSCTLS_29)),
            Revision(32, partial(_sysctls, safe=_SYSCTLS_32)),
            Revision(37, partial(_sysctls, safe=_SYSCTLS_37)),
        ),
    ),
    Control(
        "procMount",
        Level.BASELINE,
        "the masks over `/proc` stay, except in a user namespace",
        (Revision(0, _proc_mount), Revision(35, except_user_namespace(_proc_mount))),
    ),
    Control(
        "procMount_restricted",
        Level.RESTRICTED,
        "the masks over `/proc` stay",
        (Revision(35, _proc_mount),),
        overrides="procMount",
    ),
)
