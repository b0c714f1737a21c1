"""VFIO devices in pools: each is a resource that pods ask for, one per role of hosts and kind of device.

The SR-IOV network device plugin looks at network cards (PCI class 0x02) and accelerators (0x12) only and finds a device
by its driver and address. Everything else is the file of its IOMMU group, and the generic device plugin gives it out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundswell.diagnostics.codes import talos as codes
from groundswell.diagnostics.diagnostic import Related

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Device, Host, Placed

HOST_LABEL = "groundswell.dev/host"
"""The node label with a host's name. Nodes may be called otherwise, and groups differ from host to host."""

DOMAIN = "groundswell.dev"
"""What the names of the resources begin with."""

_VFIO = "vfio-pci"


class Pool(NamedTuple):
    """One host's share of a pool. `sriov_type` is the SR-IOV plugin's name for the kind, None for IOMMU groups."""

    name: str
    sriov_type: str | None
    devices: tuple[Device, ...]

    @property
    def resource(self) -> str:
        """The resource that pods ask for."""
        return f"{DOMAIN}/{self.name}"

    @property
    def groups(self) -> tuple[Placed[int], ...]:
        """The IOMMU groups of the devices, each once: devices of one group go to pods together."""
        placed = (device.iommu_group for device in self.devices)
        return tuple({item.value: item for item in placed if item}.values())

    @property
    def size(self) -> int:
        """How many times the resource can be asked for on the host."""
        return len(self.devices) if self.sriov_type else len(self.groups)


def pools(host: Host) -> tuple[tuple[Pool, ...], tuple[Diagnostic, ...]]:
    """The pools that a host has a share in, by name.

    Returns:
        The pools, and devices that are in none because their kind or IOMMU group is not known, or that cannot be told
        apart.
    """
    shares: dict[str, Pool] = {}
    findings: list[Diagnostic] = []
    for device in host.prep.devices:
        if device.driver != _VFIO:
            continue
        problem = _unknown(device, host)
        if problem or device.kind is None:
            findings += problem
            continue
        name = f"{host.role}-{device.kind.value}"
        before = shares.get(name)
        shares[name] = Pool(name, device.kind.sriov_type, (*(before.devices if before else ()), device))
    found = tuple(shares[name] for name in sorted(shares))
    return found, (*findings, *_inseparable(found))


def _unknown(device: Device, host: Host) -> list[Diagnostic]:
    """Why no plugin can find a device."""
    address, at = device.address.value, device.address.span
    if device.kind is None:
        text = f"no pod can be given `{address}` of host `{host.name.value}`, because its kind is not known"
        return [codes.UNKNOWN_DEVICE_KIND(text, at, help="state `kind`, such as nvme or network")]
    if device.kind.sriov_type is None and device.iommu_group is None:
        text = f"no pod can be given `{address}` of host `{host.name.value}`, because its IOMMU group is not known"
        hint = "state `iommuGroup`: `groundswell talos discover` shows it once the machine is configured"
        return [codes.UNKNOWN_IOMMU_GROUP(text, at, help=hint)]
    return []


def _inseparable(shares: Sequence[Pool]) -> Iterator[Diagnostic]:
    """Devices of one IOMMU group that could go to two pods: only one of them can open the group."""
    first: dict[int, tuple[Pool, Device]] = {}
    for pool in shares:
        for device in pool.devices:
            if device.iommu_group is None:
                continue
            group = device.iommu_group.value
            other_pool, other = first.setdefault(group, (pool, device))
            if other is not device and (pool.sriov_type or other_pool is not pool):
                text = f"`{other.address.value}` and `{device.address.value}` are both in IOMMU group {group}"
                related = [Related(other.iommu_group.span, "the other device")] if other.iommu_group else []
                yield codes.SHARED_IOMMU_GROUP(text, device.iommu_group.span, related=related)
