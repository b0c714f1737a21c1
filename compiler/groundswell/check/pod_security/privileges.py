"""Controls over the power of a container's processes: privileged mode, capabilities, escalation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.pod_security.control import Control, Revision, except_windows
from groundswell.check.pod_security.levels import Level
from groundswell.check.pod_security.pod import sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.pod_security.pod import Finding, Part, Pod

# What container runtimes give by default, except NET_RAW.
_DEFAULT_CAPABILITIES = (
    "AUDIT_WRITE",
    "CHOWN",
    "DAC_OVERRIDE",
    "FOWNER",
    "FSETID",
    "KILL",
    "MKNOD",
    "NET_BIND_SERVICE",
    "SETFCAP",
    "SETGID",
    "SETPCAP",
    "SETUID",
    "SYS_CHROOT",
)


def _privileged(pod: Pod) -> Iterator[Finding]:
    for container in pod.containers():
        if container.security("privileged") is True:
            yield container.security_finding(("privileged",), "sets `privileged: true`")


def _added(container: Part, allowed: tuple[str, ...]) -> Iterator[Finding]:
    for index, capability in enumerate(sequence(container.security("capabilities", "add"))):
        if capability not in allowed:
            yield container.security_finding(("capabilities", "add", index), f"adds the capability `{capability}`")


def _capabilities_baseline(pod: Pod) -> Iterator[Finding]:
    for container in pod.containers():
        yield from _added(container, _DEFAULT_CAPABILITIES)


def _capabilities_restricted(pod: Pod) -> Iterator[Finding]:
    for container in pod.containers():
        if "ALL" not in sequence(container.security("capabilities", "drop")):
            yield container.security_finding(("capabilities", "drop"), "does not set `capabilities.drop: [ALL]`")
        yield from _added(container, ("NET_BIND_SERVICE",))


def _allow_privilege_escalation(pod: Pod) -> Iterator[Finding]:
    for container in pod.containers():
        if container.security("allowPrivilegeEscalation") is not False:
            keys = ("allowPrivilegeEscalation",)
            yield container.security_finding(keys, "does not set `allowPrivilegeEscalation: false`")


CONTROLS = (
    Control(
        "privileged",
        Level.BASELINE,
        "no container is privileged",
        (Revision(0, _privileged),),
    ),
    Control(
        "capabilities_baseline",
        Level.BASELINE,
        "containers add no capability beyond the default set",
        (Revision(0, _capabilities_baseline),),
    ),
    Control(
        "capabilities_restricted",
        Level.RESTRICTED,
        "every container drops `ALL` capabilities and adds none but `NET_BIND_SERVICE`",
        (Revision(22, _capabilities_restricted), Revision(25, except_windows(_capabilities_restricted))),
        overrides="capabilities_baseline",
    ),
    Control(
        "allowPrivilegeEscalation",
        Level.RESTRICTED,
        "every container sets `allowPrivilegeEscalation: false`",
        (Revision(8, _allow_privilege_escalation), Revision(25, except_windows(_allow_privilege_escalation))),
    ),
)
