"""A cluster as its Cluster file describes it: hosts with all that defaults and groups gave them, each value placed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from groundswell.talos.wants import CONTROL_PLANES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundswell.source.span import Span
    from groundswell.talos.cpus import CpuSet
    from groundswell.talos.device_kinds import DeviceKind
    from groundswell.talos.target import Target

CONTROL_PLANE, WORKER = "controlplane", "worker"
"""The roles of machines, as Talos calls them."""

T = TypeVar("T")


class Placed(NamedTuple, Generic[T]):
    """A value and where it was written."""

    value: T
    span: Span


class Device(NamedTuple):
    """A PCI device that is handed to user space by a driver other than its own.

    Without its kind, or for most kinds without its IOMMU group, no pod can be given it.
    """

    address: Placed[str]
    driver: str
    kind: DeviceKind | None = None
    iommu_group: Placed[int] | None = None


class Instance(NamedTuple):
    """One of the programs that a host is prepared for: a pod that gets CPUs of its own."""

    name: Placed[str]
    numa_node: Placed[int] | None = None
    cpus: Placed[CpuSet] | None = None
    housekeeping: Placed[CpuSet] | None = None


class Prep(NamedTuple):
    """How a host is prepared. `hugepages_2mi` counts the pages of each NUMA node, from node 0."""

    hugepages_2mi: tuple[Placed[int], ...] = ()
    hugepages_1gi: Placed[int] | None = None
    isolated: Placed[CpuSet] | None = None
    housekeeping: Placed[CpuSet] | None = None
    devices: tuple[Device, ...] = ()
    extensions: tuple[Placed[str], ...] = ()
    modules: tuple[Placed[str], ...] = ()
    module_parameters: Mapping[str, Placed[tuple[str, ...]]] = {}
    kernel_args: tuple[Placed[str], ...] = ()
    sysctls: Mapping[str, Placed[str]] = {}
    instances: tuple[Instance, ...] = ()

    def isolated_sets(self) -> tuple[Placed[CpuSet], ...]:
        """The isolated CPUs: those stated, else those of the instances."""
        return (self.isolated,) if self.isolated else _given(instance.cpus for instance in self.instances)

    def housekeeping_sets(self) -> tuple[Placed[CpuSet], ...]:
        """The housekeeping CPUs of the host and of each instance."""
        return _given([self.housekeeping, *(instance.housekeeping for instance in self.instances)])


class Host(NamedTuple):
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
    labels: Mapping[str, Placed[str]] = {}
    prep: Prep = Prep()

    @property
    def role(self) -> str:
        """`controlplane` or `worker`."""
        return CONTROL_PLANE if self.control_plane else WORKER

    @property
    def called(self) -> bool:
        """Whether pods are placed on this very host, so that its node must carry the host's name as a label."""
        return bool(self.prep.devices or self.prep.instances)

    @property
    def classes(self) -> frozenset[str]:
        """The classes of machines that this host is in."""
        inside = {
            "all": True,
            CONTROL_PLANES: self.control_plane,
            "workers": not self.control_plane,
            "accelerated": self.accelerated,
        }
        return frozenset(name for name, member in inside.items() if member)


class Cluster(NamedTuple):
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
