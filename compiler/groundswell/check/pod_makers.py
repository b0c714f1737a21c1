"""Whether a component's programs may create pods that no rendered object shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.objects import mapping, sequence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundswell.check.objects import KubeObject
    from groundswell.source.located import Json

_GROUP = "rbac.authorization.k8s.io"
_ROLES = frozenset({"Role", "ClusterRole"})
_BINDINGS = frozenset({"RoleBinding", "ClusterRoleBinding"})
# The roles of every cluster that hold the right.
_BUILT_IN = frozenset({"cluster-admin", "admin", "edit"})
_GROUPS = frozenset({"", "apps", "batch", "*"})
_WORKLOADS = ("deployments", "daemonsets", "statefulsets", "replicasets", "replicationcontrollers", "jobs", "cronjobs")
_RESOURCES = frozenset({"pods", *_WORKLOADS, "*"})
_VERBS = frozenset({"create", "*"})


def may_make_pods(objects: Iterable[KubeObject]) -> bool:
    """Whether some right among the objects is to create pods, or what makes them."""
    for item in objects:
        if item.group != _GROUP:
            continue
        if item.kind in _BINDINGS and str(mapping(item.data.get("roleRef")).get("name")) in _BUILT_IN:
            return True
        if item.kind in _ROLES and any(_grants(mapping(rule)) for rule in sequence(item.data.get("rules"))):
            return True
    return False


def _grants(rule: Mapping[str, Json]) -> bool:
    wanted = (("apiGroups", _GROUPS), ("resources", _RESOURCES), ("verbs", _VERBS))
    return all(
        any(text in known for text in sequence(rule.get(field)) if isinstance(text, str)) for field, known in wanted
    )
