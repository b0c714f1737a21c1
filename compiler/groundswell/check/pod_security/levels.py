"""Levels of the Pod Security Standards, and which one a namespace enforces.

Labels are read as the API server's admission plugin reads them (k8s.io/pod-security-admission, `PolicyToEvaluate`).
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.digits import whole

if TYPE_CHECKING:
    from collections.abc import Mapping

ENFORCE = "pod-security.kubernetes.io/enforce"
ENFORCE_VERSION = "pod-security.kubernetes.io/enforce-version"

_VERSION = re.compile(r"v1\.(0|[1-9][0-9]*)")


class Level(IntEnum):
    """The three levels; a higher one allows less."""

    PRIVILEGED = 0
    BASELINE = 1
    RESTRICTED = 2

    @property
    def label(self) -> str:
        """The level as labels spell it."""
        return self.name.lower()


class Policy(NamedTuple):
    """A level, and the Kubernetes minor (1.N) whose rules count; None is `latest`, the rules of the server itself."""

    level: Level
    minor: int | None = None

    def __str__(self) -> str:
        return f"{self.level.label}:{'latest' if self.minor is None else f'v1.{self.minor}'}"


def enforced(labels: Mapping[str, str], default: Policy) -> Policy:
    """The policy that a namespace with these labels enforces; `default` is the cluster's, for labels that are missing.

    What the API server cannot read it takes for `restricted` and `latest`, and so does this function.
    """
    level, minor = default.level, default.minor
    if ENFORCE in labels:
        level = next((each for each in Level if each.label == labels[ENFORCE]), Level.RESTRICTED)
    if ENFORCE_VERSION in labels:
        match = _VERSION.fullmatch(labels[ENFORCE_VERSION])
        minor = whole(match[1]) if match else None
    return Policy(level, minor)
