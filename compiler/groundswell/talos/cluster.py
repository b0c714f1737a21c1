"""A cluster as its Cluster file describes it: hosts with all that defaults and groups gave them, each value placed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundswell.source.span import Span
    from groundswell.talos.cpus import CpuSet
    from groundswell.talos.device_kinds import DeviceKind
    from groundswell.talos.target import Target

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Placed(Generic[T]):
    """A value and where it was written."""

    value: T
    span: Span


@dataclass(frozen=True, slots=True)
class Device:
    """A PCI device that is handed to user space by a driver other than its own.

    Without its kind, or for most kinds without its IOMMU group, no pod can be given it.
    """

    address: Placed[str]
    driver: str
    kind: DeviceKind | None = None
    iommu_group: Placed[int] | None = None


@dataclass(frozen=True, slots=True)
class Instance:
    """One of the programs that a host is prepared for: a pod that gets CPUs of its own."""

    name: Placed[str]
    numa_node: Placed[int] | None = None
    cpus: Placed[CpuSet] | None = None
    housekeeping: Placed[CpuSet] | None = None


@dataclass(frozen=True, slots=True)
class Prep:
    """How a host is prepared. `hugepages_2mi` counts the pages of each NUMA node, from node 0."""

    hugepages_2mi: tuple[Placed[int], ...] = ()
    hugepages_1gi: Placed[int] | None = None
    isolated: Placed[CpuSet] | None = None
    housekeeping: Placed[CpuSet] | None = None
    devices: tuple[Device, ...] = ()
    extensions: tuple[Placed[str], ...] = ()
    modules: tuple[Placed[str], ...] = ()
    module_parameters: Mapping[str, Placed[tuple[str, ...]]] = field(default_factory=dict)
    kernel_args: tuple[Placed[str], ...] = ()
    sysctls: Mapping[str, Placed[str]] = field(default_factory=dict)
    instances: tuple[Instance, ...] = ()

    def isolated_sets(self) -> tuple[Placed[CpuSet], ...]:
        """The isolated CPUs: those stated, else those of the instances."""
        return (self.isolated,) if self.isolated else _given(instance.cpus for instance in self.instances)

    def housekeeping_sets(self) -> tuple[Placed[CpuSet], ...]:
        """The housekeeping CPUs of the host and of each instance."""
        return _given([self.housekeeping, *(instance.housekeeping for instance in self.instances)])


@dataclass(frozen=True, slots=True)
class Host:
    """One machine. What is None is not known, and the checks that need it are left out."""

    name: Placed[str]
    address: Placed[str] | None = None
    control_plane: bool = False
    accelerated: bool = False
    install_disk: Placed[str] | None = None
    install_disk_controller: Placed[str] | None = None
    management_nic: Placed[str] | None = None
    cpu_vendor: Placed[str] | None = None
    cpus: Placed[int] | None = None
    memory_gib: Placed[int] | None = None
    numa_nodes: Placed[int] | None = None
    labels: Mapping[str, Placed[str]] = field(default_factory=dict)
    prep: Prep = field(default_factory=Prep)

    @property
    def role(self) -> str:
        """`controlplane` or `worker`."""
        return "controlplane" if self.control_plane else "worker"

    @property
    def called(self) -> bool:
        """Whether pods are placed on this very host, so that its node must carry the host's name as a label."""
        return bool(self.prep.devices or self.prep.instances)

    @property
    def classes(self) -> frozenset[str]:
        """The classes that a component's `on` can name and that this host is in."""
        return frozenset(
            name
            for name, inside in (("all", True), ("workers", not self.control_plane), ("accelerated", self.accelerated))
            if inside
        )


@dataclass(frozen=True, slots=True)
class Cluster:
    """One cluster. `exemptions` are the namespaces that Pod Security does not apply to.

    `version_span` is the place of the Talos version.
    """

    name: str
    criteria: Mapping[str, str]
    target: Target
    version_span: Span
    endpoint: str
    hosts: tuple[Host, ...]
    exemptions: tuple[str, ...] = ()
    set_hostnames: bool = False


def union(sets: Iterable[Placed[CpuSet]]) -> CpuSet:
    """All CPUs of some sets."""
    return frozenset(cpu for item in sets for cpu in item.value)


def _given(items: Iterable[Placed[CpuSet] | None]) -> tuple[Placed[CpuSet], ...]:
    return tuple(item for item in items if item)
