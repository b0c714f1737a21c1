"""The machines that pods will run on, as far as they are known."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.objects import mapping, sequence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundswell.check.rendering import Rendering
    from groundswell.source.located import Json
    from groundswell.talos.machine import Software

ARCHITECTURE = "kubernetes.io/arch"
CONTROL_PLANE = "node-role.kubernetes.io/control-plane"
HOSTNAME = "kubernetes.io/hostname"


class Node(NamedTuple):
    """One machine of a Cluster file; without one, a class of machines, of which only the software is known.

    `labels` are those that are known for all nodes: None stands for a label that this one lacks. `capacities` are the
    resources that are known; of one whose name begins with a text in `complete` there is no more than they say.
    `exclusive_cpus` is how many CPUs the static policy can give away: 0 without that policy, None when not known.
    `supposed` are the names of all hosts where it is not certain that their nodes are called so: another name may be
    that of any of them.
    """

    name: str
    software: Software
    control_plane: bool = False
    labels: Mapping[str, str | None] = {}
    capacities: Mapping[str, Fraction] = {}
    complete: tuple[str, ...] = ()
    exclusive_cpus: int | None = None
    supposed: frozenset[str] = frozenset()

    def provides(self, resource: str) -> Fraction | None:
        """How much of a resource the machine has; None when nothing says so."""
        return self.capacities.get(resource, Fraction(0) if self.prepares(resource) else None)

    def prepares(self, resource: str) -> bool:
        """Whether a resource is one of those that a machine has because it was prepared so: hugepages and devices."""
        return resource.startswith(self.complete)

    def takes(self, spec: Mapping[str, Json], *, reserved: bool, unknown: bool = True) -> bool:
        """Whether a pod may run here, as far as is known: `unknown` is what counts for labels that are not.

        `reserved`: control planes are left to pods that tolerate them. Other taints are not known.
        """
        if reserved and self.control_plane and not _tolerates(spec):
            return False
        chosen = {key: [value] for key, value in mapping(spec.get("nodeSelector")).items()}
        if any(not self._fits(key, "In", values, unknown=unknown) for key, values in chosen.items()):
            return False
        terms = _terms(spec)
        return not terms or any(self._meets(term, unknown=unknown) for term in terms)

    def _meets(self, term: Mapping[str, Json], *, unknown: bool) -> bool:
        expressions = [(str(item.get("key")), item) for item in map(mapping, sequence(term.get("matchExpressions")))]
        # The one field that can be selected is the node's name.
        expressions += [(HOSTNAME, item) for item in map(mapping, sequence(term.get("matchFields")))]
        return all(
            self._fits(key, str(item.get("operator")), sequence(item.get("values")), unknown=unknown)
            for key, item in expressions
        )

    def _fits(self, key: str, operator: str, values: Iterable[Json], *, unknown: bool) -> bool:
        texts = [str(item) for item in values]
        if key not in self.labels or (key == HOSTNAME and self.supposed and self.supposed.isdisjoint(texts)):
            return unknown
        value = self.labels[key]
        return {
            "In": value is not None and value in texts,
            "NotIn": value is None or value not in texts,
            "Exists": value is not None,
            "DoesNotExist": value is None,
        }.get(operator, unknown)


@lru_cache(maxsize=1)
def nodes_of(rendering: Rendering) -> tuple[Node, ...]:
    """The hosts of the Cluster file, else the classes of machines of a plan for Talos; none where there is neither."""
    if rendering.plan.resolution.criteria.get("os") != "talos":
        return ()
    from groundswell.check.talos_nodes import class_nodes, host_nodes  # noqa: PLC0415  no other system needs them

    cluster = rendering.cluster
    return class_nodes(rendering.plan) if cluster is None else host_nodes(rendering.plan, cluster)


def candidates(rendering: Rendering, spec: Mapping[str, Json], *, certain: bool = False) -> list[Node]:
    """The nodes that a pod may run on; control planes where it tolerates them or there is nothing else.

    `certain` leaves out those that have the labels that it selects only perhaps.
    """
    nodes = nodes_of(rendering)
    workers = any(not node.control_plane for node in nodes)
    return [node for node in nodes if node.takes(spec, reserved=workers, unknown=not certain)]


def names_a_host(spec: Mapping[str, Json]) -> bool:
    """Whether a pod selects nodes by their names."""
    terms = _terms(spec)
    keys = [item.get("key") for term in terms for item in map(mapping, sequence(term.get("matchExpressions")))]
    return HOSTNAME in (*mapping(spec.get("nodeSelector")), *keys) or any(term.get("matchFields") for term in terms)


def _terms(spec: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    """What the node of a pod has to meet, any one of them."""
    affinity = mapping(mapping(spec.get("affinity")).get("nodeAffinity"))
    required = mapping(affinity.get("requiredDuringSchedulingIgnoredDuringExecution"))
    return [mapping(term) for term in sequence(required.get("nodeSelectorTerms"))]


def _tolerates(spec: Mapping[str, Json]) -> bool:
    tolerations = map(mapping, sequence(spec.get("tolerations")))
    return any(item.get("key", "") in {"", CONTROL_PLANE} for item in tolerations)
