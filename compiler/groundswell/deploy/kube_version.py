"""The range of Kubernetes versions that a plan allows, in the form that Helm reads from a Chart.yaml."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.resolve.constraints import conditions
from groundswell.resolve.versions import bounds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundswell.resolve.resolution import Constraint
    from groundswell.resolve.versions import Version

SERVER_VERSION = "K8s.server.version"


def kube_version(constraints: Iterable[Constraint]) -> str:
    """`>=1.32.0-0, <1.36.0-0` from the constraints on the server's version; "" when they set no bound.

    Each bound has three numbers and `-0`: without it Helm takes a provider's `v1.33.1-eks-5d632ec` for a pre-release,
    which no plain range admits. Helm's ranges cannot leave out a single version for every suffix, so `!=` is left to
    the preflight.
    """
    lower: list[Version] = []
    upper: list[Version] = []
    for constraint in constraints:
        if constraint.name != SERVER_VERSION:
            continue
        for least, end in map(bounds, conditions(constraint) or ()):
            lower += [least] if least else []
            upper += [end] if end else []
    texts = ([f">={_text(max(lower))}"] if lower else []) + ([f"<{_text(min(upper))}"] if upper else [])
    return ", ".join(texts)


def _text(version: Version) -> str:
    return ".".join(map(str, version)) + "-0"
