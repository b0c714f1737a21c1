"""The machines that pods will run on, as far as they are known."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from groundswell.check.objects import mapping, sequence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundswell.check.rendering import Rendering
    from groundswell.source.located import Json
    from groundswell.talos.machine import Software

ARCHITECTURE = "kubernetes.io/arch"
CONTROL_PLANE = "node-role.kubernetes.io/control-plane"


@dataclass(frozen=True, slots=True)
class Node:
    """One machine of a Cluster file; without one, a class of machines, of which only the software is known.

    `labels` are those that are known for all nodes: None stands for a label that this one lacks. `capacities` are the
    resources that are known; of one whose name begins with a text in `complete` there is no more than they say.
    `exclusive_cpus` is how many CPUs the static policy can give away: 0 without that policy, None when not known.
    """

    name: str
    software: Software
    control_plane: bool = False
    labels: Mapping[str, str | None] = field(default_factory=dict)
    capacities: Mapping[str, Fraction] = field(default_factory=dict)
    complete: tuple[str, ...] = ()
    exclusive_cpus: int | None = None

    def provides(self, resource: str) -> Fraction | None:
        """How much of a resource the machine has; None when nothing says so."""
        return self.capacities.get(resource, Fraction(0) if self.prepares(resource) else None)

    def prepares(self, resource: str) -> bool:
        """Whether a resource is one of those that a machine has because it was prepared so: hugepages and devices."""
        return resource.startswith(self.complete)

    def takes(self, spec: Mapping[str, Json], *, reserved: bool) -> bool:
        """Whether a pod may run here, as far as is known: unknown labels and taints do not speak against it.

        `reserved`: control planes are left to pods that tolerate them.
        """
        if reserved and self.control_plane and not _tolerates(spec):
            return False
        chosen = {key: [value] for key, value in mapping(spec.get("nodeSelector")).items()}
        if any(not self._fits(key, "In", values) for key, values in chosen.items()):
            return False
        affinity = mapping(mapping(spec.get("affinity")).get("nodeAffinity"))
        required = mapping(affinity.get("requiredDuringSchedulingIgnoredDuringExecution"))
        terms = [mapping(term) for term in sequence(required.get("nodeSelectorTerms"))]
        return not terms or any(self._meets(term) for term in terms)

    def _meets(self, term: Mapping[str, Json]) -> bool:
        expressions = map(mapping, sequence(term.get("matchExpressions")))
        return all(
            self._fits(str(item.get("key")), str(item.get("operator")), sequence(item.get("values")))
            for item in expressions
        )

    def _fits(self, key: str, operator: str, values: Iterable[Json]) -> bool:
        if key not in self.labels:
            return True
        value = self.labels[key]
        texts = [str(item) for item in values]
        return {
            "In": value is not None and value in texts,
            "NotIn": value is None or value not in texts,
            "Exists": value is not None,
            "DoesNotExist": value is None,
        }.get(operator, True)


@lru_cache(maxsize=1)
def nodes_of(rendering: Rendering) -> tuple[Node, ...]:
    """The hosts of the Cluster file, else the classes of machines of a plan for Talos; none where there is neither."""
    if rendering.plan.resolution.criteria.get("os") != "talos":
        return ()
    from groundswell.check.talos_nodes import class_nodes, host_nodes  # noqa: PLC0415  no other system needs them

    cluster = rendering.cluster
    return class_nodes(rendering.plan) if cluster is None else host_nodes(rendering.plan, cluster)


def candidates(rendering: Rendering, spec: Mapping[str, Json]) -> list[Node]:
    """The nodes that a pod may run on; control planes where it tolerates them or there is nothing else."""
    nodes = nodes_of(rendering)
    workers = any(not node.control_plane for node in nodes)
    return [node for node in nodes if node.takes(spec, reserved=workers)]


def _tolerates(spec: Mapping[str, Json]) -> bool:
    tolerations = map(mapping, sequence(spec.get("tolerations")))
    return any(item.get("key", "") in {"", CONTROL_PLANE} for item in tolerations)
