"""What is known about one machine."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class System:
    """What the firmware says about the machine, "" where it says nothing."""

    manufacturer: str = ""
    product: str = ""
    serial: str = ""
    uuid: str = ""


@dataclass(frozen=True, slots=True)
class Processors:
    """The sockets together. `cpus` counts logical CPUs; `siblings` lists those of each core (`0,64`), if known."""

    vendor: str = ""
    model: str = ""
    sockets: int = 0
    cpus: int = 0
    siblings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Disk:
    """A block device. `address` is the PCI address of its controller, "" where it has none."""

    path: str
    size: int
    model: str = ""
    serial: str = ""
    transport: str = ""
    address: str = ""
    links: tuple[str, ...] = ()
    writable: bool = True


@dataclass(frozen=True, slots=True)
class PciDevice:
    """A PCI device. `driver` is "" when it has none; NUMA node and IOMMU group are None where not known."""

    address: str
    class_id: str
    subclass_id: str
    vendor_id: str
    product_id: str
    name: str
    driver: str = ""
    numa_node: int | None = None
    iommu_group: int | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A network interface of hardware, with the addresses it carries."""

    name: str
    address: str
    hardware_address: str
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NumaNode:
    """A NUMA node with its CPUs as the kernel lists them, its memory and its hugepages; None where not known."""

    id: int
    cpus: str
    memory_mib: int
    pages_2mi: int | None = None
    pages_1gi: int | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """A fact that was not told, and why."""

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class Facts:
    """One machine. In maintenance mode it tells nothing of NUMA nodes and IOMMU groups, so `complete` is false."""

    node: str
    maintenance: bool
    version: str = ""
    hostname: str = ""
    role: str = ""
    schematic: str = ""
    secureboot: bool = False
    memory_mib: int = 0
    system: System = field(default_factory=System)
    processors: Processors = field(default_factory=Processors)
    disks: tuple[Disk, ...] = ()
    devices: tuple[PciDevice, ...] = ()
    links: tuple[Link, ...] = ()
    numa_nodes: tuple[NumaNode, ...] = ()
    missing: tuple[Missing, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the machine told everything that can be known."""
        return not self.maintenance and not self.missing
