"""The Kubernetes version that a bundle is rendered for and judged against."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from groundswell.deploy.kube_version import SERVER_VERSION, kube_version
from groundswell.resolve.constraints import conditions
from groundswell.resolve.versions import holds, parse_version, places
from groundswell.talos.kubernetes import kubernetes_minors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundswell.resolve.resolution import Constraint
    from groundswell.talos.version import TalosVersion

DEFAULT = "1.35.0"
"""The oldest minor that still gets patches; judged against where neither the user nor a constraint says anything."""

_BOUNDS = re.compile(r"(?:>=(?P<lower>[\d.]+)-0)?(?:, )?(?:<(?P<upper>[\d.]+)-0)?")


class Target(NamedTuple):
    """A version with three numbers, why it was chosen, and the newest minor that it may come to; None without a bound.

    Talos and the constraints set that bound.
    """

    version: str
    reason: str
    last_minor: int | None = None

    @property
    def minor(self) -> int:
        """The second number, by which Kubernetes adds and removes APIs."""
        return int(self.version.split(".")[1])


def target_version(
    asked: str | None, constraints: Iterable[Constraint], talos: TalosVersion | None = None, *, hosts: bool = False
) -> Target | None:
    """What the user asked for, else what the Talos of `hosts` runs, else the lowest version allowed, else `DEFAULT`.

    `talos` is the version that the node layer is for, with `hosts` that of a Cluster file: of the versions that it can
    run, the newest that the constraints allow is what counts.

    Returns:
        None when what was asked for is no version of Kubernetes: those have a 1 and a second number.
    """
    bounds = _BOUNDS.fullmatch(kube_version(constraints))
    lower, upper = (bounds["lower"] or "", bounds["upper"] or "") if bounds else ("", "")
    minors = kubernetes_minors(talos) if talos is not None else None
    last = min((minor for minor in (_newest(upper), minors[1] if minors else None) if minor is not None), default=None)
    if asked is not None:
        version = parse_version(asked)
        readable = version is not None and version[0] == 1 and places(asked) > 1
        return Target(_text(version), "asked for", last) if version and readable else None
    if hosts and minors:
        return Target(f"1.{last}.0", f"the newest that Talos {talos} runs and the constraints allow", last)
    if lower:
        return Target(lower, "the lowest that the constraints allow", last)
    most = parse_version(upper)
    if most is not None and most <= (parse_version(DEFAULT) or most):
        return Target(f"{most[0]}.{_newest(upper)}.0", "the newest that the constraints allow", last)
    return Target(DEFAULT, "no constraint says which", last)


def excluded_by(target: Target, constraints: Iterable[Constraint]) -> str:
    """The constraint that does not allow the target, as it is written; "" when all do."""
    asked = [constraint for constraint in constraints if constraint.name == SERVER_VERSION]
    broken = (
        item.value for item in asked if any(holds(each, target.version) is False for each in conditions(item) or ())
    )
    return next(broken, "")


def _newest(below: str) -> int | None:
    """The newest minor below a version; None without one."""
    found = parse_version(below)
    return None if found is None else found[1] if found[2] else found[1] - 1


def _text(version: tuple[int, int, int]) -> str:
    return ".".join(map(str, version))
