"""The machines that pods will run on, as the node layer prepares them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from groundswell.check.objects import mapping, sequence
from groundswell.talos.cluster import union
from groundswell.talos.machines import class_machines, host_machines
from groundswell.talos.pools import DOMAIN, HOST_LABEL, pools
from groundswell.talos.target import Target
from groundswell.talos.version import parse_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundswell.check.rendering import Rendering
    from groundswell.source.located import Json
    from groundswell.talos.cluster import Host
    from groundswell.talos.machine import Machine

ARCHITECTURE = "kubernetes.io/arch"

_CONTROL_PLANE = "node-role.kubernetes.io/control-plane"
_SIZES = {"2Mi": 2 * 1024**2, "1Gi": 1024**3}
_GIB = 1024**3


@dataclass(frozen=True, slots=True)
class Node:
    """One machine of a Cluster file; without one, a class of machines, of which `host` is None.

    `labels` are those that are known for all nodes: None stands for a label that this one lacks.
    """

    machine: Machine
    host: Host | None
    labels: Mapping[str, str | None]

    @property
    def exclusive_cpus(self) -> int | None:
        """How many CPUs the static policy can give away; 0 without that policy, None when that is not known."""
        if self.machine.kubelet.get("cpuManagerPolicy") != "static":
            return 0
        if self.host is None or self.host.cpus is None:
            return None
        return self.host.cpus.value - len(union(self.host.prep.housekeeping_sets()))

    def provides(self, resource: str) -> Fraction | None:
        """How much of a resource the machine has; None when nothing says so."""
        if self.host is None:
            return None
        if resource.startswith("hugepages-"):
            return Fraction(_hugepages(self.machine, resource.removeprefix("hugepages-")))
        if resource.startswith(f"{DOMAIN}/"):
            shares, _ = pools(self.host)
            return Fraction(sum(pool.size for pool in shares if pool.resource == resource))
        if resource == "cpu" and self.host.cpus:
            return Fraction(self.host.cpus.value - len(union(self.host.prep.housekeeping_sets())))
        if resource == "memory" and self.host.memory_gib:
            return Fraction(self.host.memory_gib.value * _GIB - sum(_hugepages(self.machine, size) for size in _SIZES))
        return None

    def takes(self, spec: Mapping[str, Json], *, reserved: bool) -> bool:
        """Whether a pod may run here, as far as is known: unknown labels and taints do not speak against it.

        `reserved`: control planes are left to pods that tolerate them.
        """
        if reserved and self.host and self.host.control_plane and not _tolerates(spec):
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
    plan = rendering.plan
    if plan.resolution.criteria.get("os") != "talos":
        return ()
    components = [plan.components[name] for name in sorted(plan.components)]
    if rendering.cluster is None:
        version, _ = parse_version(plan.resolution.talos_version)
        machines, _ = class_machines(components, Target(version)) if version else ((), ())
        return tuple(Node(machine, None, {}) for machine in machines)
    machines, _ = host_machines(rendering.cluster, components)
    by_name = {machine.name: machine for machine in machines}
    everywhere = {HOST_LABEL: None, **{label: None for machine in machines for label in machine.labels}}
    return tuple(
        Node(machine, host, {**everywhere, **_labels(host), **machine.labels})
        for host in rendering.cluster.hosts
        if (machine := by_name.get(host.name.value))
    )


def candidates(rendering: Rendering, spec: Mapping[str, Json]) -> list[Node]:
    """The nodes that a pod may run on; control planes where it tolerates them or there is nothing else."""
    nodes = nodes_of(rendering)
    workers = any(node.host and not node.host.control_plane for node in nodes)
    return [node for node in nodes if node.takes(spec, reserved=workers)]


def _labels(host: Host) -> dict[str, str | None]:
    known: dict[str, str | None] = {"kubernetes.io/os": "linux", _CONTROL_PLANE: "" if host.control_plane else None}
    if host.cpu_vendor:
        known[ARCHITECTURE] = "amd64"
    return known


def _tolerates(spec: Mapping[str, Json]) -> bool:
    tolerations = map(mapping, sequence(spec.get("tolerations")))
    return any(item.get("key", "") in {"", _CONTROL_PLANE} for item in tolerations)


def _hugepages(machine: Machine, size: str) -> int:
    """Bytes in pages of a size: those of the kernel's arguments, of sysfs and of the sysctl."""
    wanted = _SIZES.get(size)
    default = current = _SIZES["2Mi"]
    total = 0
    for argument in machine.software.kernel_args:
        key, _, value = argument.partition("=")
        if key in {"hugepagesz", "default_hugepagesz"}:
            current = _SIZES.get(f"{value}i", 0)
            default = current if key.startswith("default") else default
        elif key == "hugepages" and value.isdigit():
            total += int(value) * current if current == wanted else 0
    if wanted == _SIZES["2Mi"]:
        total += sum(int(count) * wanted for path, count in machine.sysfs.items() if "hugepages-2048kB" in path)
    count = machine.software.sysctls.get("vm.nr_hugepages", "")
    return total + (int(count) * default if count.isdigit() and default == wanted else 0)
