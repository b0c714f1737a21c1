"""The control over containers that are processes of a Windows host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.pod_security.control import Control, Revision
from groundswell.check.pod_security.levels import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.pod_security.pod import Finding, Pod

_KEYS = ("windowsOptions", "hostProcess")


def _host_process(pod: Pod) -> Iterator[Finding]:
    for part in pod.parts():
        if part.security(*_KEYS) is True:
            yield part.security_finding(_KEYS, "sets `windowsOptions.hostProcess: true`")


CONTROLS = (
    Control(
        "windowsHostProcess",
        Level.BASELINE,
        "neither the pod nor a container is a process of the Windows host",
        (Revision(0, _host_process),),
    ),
)
