"""The Pod Security level that each namespace will have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import Rendering

_ENFORCE = "pod-security.kubernetes.io/enforce"
_EXEMPT = "kube-system"
# What the API server enforces where a Namespace has no label. Kubernetes itself enforces nothing.
_DEFAULTS = {"talos": "baseline"}


@dataclass(frozen=True, slots=True)
class Admission:
    """What is enforced on the pods of a namespace, in which version, and the Namespace that says so.

    `namespace` is None where the cluster's default counts. An exempt namespace has the level `privileged`.
    """

    level: str
    version: str
    namespace: KubeObject | None


def admissions(rendering: Rendering) -> Mapping[str, Admission]:
    """By namespace, for every one in which the bundle has objects."""
    system = rendering.plan.resolution.criteria.get("os", "")
    default = _DEFAULTS.get(system, "privileged")
    made = {item.name: item for item in rendering.objects if item.kind == "Namespace" and not item.group}
    found = {}
    for name in sorted({item.namespace for item in rendering.objects} - {""}):
        labelled = made.get(name)
        level = str(labelled.labels.get(_ENFORCE, "")) if labelled else ""
        version = str(labelled.labels.get(f"{_ENFORCE}-version", "latest")) if labelled else "latest"
        if name == _EXEMPT and system in _DEFAULTS:
            found[name] = Admission("privileged", "latest", None)
        elif level:
            found[name] = Admission(level, version, labelled)
        else:
            found[name] = Admission(default, "latest", None)
    return found
