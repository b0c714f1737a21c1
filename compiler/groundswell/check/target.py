"""The Kubernetes version that a bundle is rendered for and judged against."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundswell.deploy.kube_version import kube_version
from groundswell.resolve.versions import parse_version
from groundswell.talos.kubernetes import kubernetes_minors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundswell.resolve.resolution import Constraint
    from groundswell.talos.version import TalosVersion

DEFAULT = "1.35.0"
"""The oldest minor that still gets patches; judged against where neither the user nor a constraint says anything."""

_BOUNDS = re.compile(r"(?:>=(?P<lower>[\d.]+)-0)?(?:, )?(?:<(?P<upper>[\d.]+)-0)?")


@dataclass(frozen=True, slots=True)
class Target:
    """A version with three numbers, why it was chosen, and the first one that the constraints no longer allow ("")."""

    version: str
    reason: str
    below: str = ""

    @property
    def minor(self) -> int:
        """The second number, by which Kubernetes adds and removes APIs."""
        return int(self.version.split(".")[1])

    @property
    def last_minor(self) -> int | None:
        """The newest minor that the constraints allow; None when they set no bound."""
        return _newest(self.below)


def target_version(
    asked: str | None, constraints: Iterable[Constraint], talos: TalosVersion | None = None
) -> Target | None:
    """What the user asked for, else what a Cluster file's Talos runs, else the lowest version allowed, else `DEFAULT`.

    Of the versions that a Talos can run, the newest that the constraints allow is what counts.

    Returns:
        None when what was asked for is no version.
    """
    bounds = _BOUNDS.fullmatch(kube_version(constraints))
    lower, upper = (bounds["lower"] or "", bounds["upper"] or "") if bounds else ("", "")
    if asked is not None:
        version = parse_version(asked)
        return Target(_text(version), "asked for", upper) if version else None
    newest = _newest(upper)
    if talos is not None and (minors := kubernetes_minors(talos)):
        minor = min(minors[1], newest) if newest is not None else minors[1]
        return Target(f"1.{minor}.0", f"the newest that Talos {talos} runs and the constraints allow", upper)
    if lower:
        return Target(lower, "the lowest that the constraints allow", upper)
    most = parse_version(upper)
    if most is not None and most <= (parse_version(DEFAULT) or most):
        return Target(f"{most[0]}.{newest}.0", "the newest that the constraints allow", upper)
    return Target(DEFAULT, "no constraint says which", upper)


def _newest(below: str) -> int | None:
    """The newest minor below a version; None without one."""
    found = parse_version(below)
    return None if found is None else found[1] if found[2] else found[1] - 1


def _text(version: tuple[int, int, int]) -> str:
    return ".".join(map(str, version))
