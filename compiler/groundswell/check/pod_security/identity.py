"""Controls over the user that a container's processes run as."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.pod_security.control import Control, Revision, except_user_namespace
from groundswell.check.pod_security.levels import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.pod_security.pod import Finding, Pod

_KEYS = ("runAsNonRoot",)


def _run_as_non_root(pod: Pod) -> Iterator[Finding]:
    for part in pod.parts():
        if part.security(*_KEYS) is False:
            yield part.security_finding(_KEYS, "sets `runAsNonRoot: false`")
    if pod.spec.security(*_KEYS) is None:
        for container in pod.containers():
            if container.security(*_KEYS) is None:
                yield container.security_finding(_KEYS, "does not set `runAsNonRoot: true`, nor does the pod")


def _run_as_user(pod: Pod) -> Iterator[Finding]:
    for part in pod.parts():
        if part.security("runAsUser") == 0:
            yield part.security_finding(("runAsUser",), "sets `runAsUser: 0`")


CONTROLS = (
    Control(
        "runAsNonRoot",
        Level.RESTRICTED,
        "the pod or every container sets `runAsNonRoot: true`, and none sets it to false",
        (Revision(0, _run_as_non_root), Revision(35, except_user_namespace(_run_as_non_root))),
    ),
    Control(
        "runAsUser",
        Level.RESTRICTED,
        "neither the pod nor a container sets `runAsUser: 0`",
        (Revision(23, _run_as_user), Revision(35, except_user_namespace(_run_as_user))),
    ),
)
