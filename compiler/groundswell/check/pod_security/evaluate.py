"""A pod against a level of the Pod Security Standards.

The controls, their revisions and which one takes another's place are those of k8s.io/pod-security-admission v0.37; the
tests of `tests/e2e` hold them against a real API server.
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.pod_security import (
    confinement,
    host_access,
    identity,
    kernel,
    privileges,
    volumes,
    windows,
)

if TYPE_CHECKING:
    from groundswell.check.pod_security.control import Control, Judge
    from groundswell.check.pod_security.levels import Level, Policy
    from groundswell.check.pod_security.pod import Path, Pod

_GROUPS = (host_access, privileges, volumes, kernel, confinement, identity, windows)

CONTROLS: tuple[Control, ...] = tuple(chain.from_iterable(group.CONTROLS for group in _GROUPS))
"""Every control of baseline and restricted."""


REVISED: tuple[int, ...] = tuple(sorted({revision.since for control in CONTROLS for revision in control.revisions}))
"""The minors that brought other rules than the one before."""


class Violation(NamedTuple):
    """What keeps a pod out: the control, the place as a path from the pod template's root, and what stands there.

    The place of something that is missing is the path at which it ought to be.
    """

    control: Control
    path: Path
    message: str


def violations(pod: Pod, policy: Policy, server: int) -> tuple[Violation, ...]:
    """All that `policy` forbids in `pod`, in the order of the controls; empty where the pod is admitted.

    `server` is the minor of the API server's version (1.`server`): what `latest` means, and the newest rules that it
    knows. A namespace pinned to a later version is judged by the server's own.
    """
    minor = server if policy.minor is None else min(policy.minor, server)
    return tuple(
        Violation(control, finding.path, finding.message)
        for control, judge in _judges(policy.level, minor)
        for finding in judge(pod)
    )


@cache
def _judges(level: Level, minor: int) -> tuple[tuple[Control, Judge], ...]:
    """The controls in force, without those that a stricter one takes the place of."""
    current = [
        (control, revision.judge)
        for control in CONTROLS
        if control.level <= level and (revision := control.at(minor)) is not None
    ]
    overridden = {control.overrides for control, _ in current}
    return tuple((control, judge) for control, judge in current if control.id not in overridden)
