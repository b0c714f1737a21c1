"""What an IOMMU group means for handing its devices to user space: all of them go, or none.

The kernel opens a group for user space only when no device in it has another driver than those below; Talos binds a
device to VFIO all the same, and what needs the other devices of the group loses them or the program does not start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from groundswell.talos_client.facts import Facts

# Drivers that do not keep a group from user space (vfio_dev_viable in drivers/vfio/group.c), and VFIO's own.
_NO_HINDRANCE = frozenset(["", "pcieport", "pci-stub", "vfio-pci"])


def group_problem(machine: Facts, address: str, chosen: Collection[str], used: Collection[str]) -> str:
    """Why the group of a device keeps it from user space, "" when it does not or the group is not known.

    `chosen` are all devices that are to go, `used` those that the machine itself needs.
    """
    groups = {device.address: device.iommu_group for device in machine.devices}
    group = groups.get(address)
    if group is None:
        return ""
    for other in machine.devices:
        if other.iommu_group != group or other.address == address:
            continue
        beside = f"{address} is in IOMMU group {group} with {other.address}"
        if other.address in used:
            return f"{beside}, which is the install disk's controller or a management card"
        if other.address not in chosen and other.driver not in _NO_HINDRANCE:
            return f"{beside} ({other.driver}), which would have to go, too"
    return ""
