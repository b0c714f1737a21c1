"""What a machine's facts suggest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.model.fields import NAME_LENGTH, NAME_PATTERN
from groundswell.talos_client.iommu import group_problem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from groundswell.talos_client.facts import Disk, Facts, PciDevice

_SMALLEST_DISK = 10 * 10**9
_REMOVABLE = frozenset(["usb", "mmc"])
_BY_ID = "/dev/disk/by-id/"
# Names by what the disk itself says it is, the surest first.
_SURE_IDS = ("nvme-eui.", "nvme-uuid.", "wwn-")

_NVIDIA, _AMD = "0x10de", "0x1002"
_DISPLAY, _ACCELERATOR = "0x03", "0x12"
_DISPLAY_3D = "0x02"  # a display controller without a display: what data centre GPUs are
_STORAGE, _NVME = "0x01", "0x08"


def accelerated(machine: Facts) -> bool:
    """Whether the machine has a data centre GPU or another processing accelerator."""
    return any(_accelerates(device) for device in machine.devices)


def _accelerates(device: PciDevice) -> bool:
    if device.class_id == _ACCELERATOR:
        return True
    return device.class_id == _DISPLAY and device.subclass_id == _DISPLAY_3D and device.vendor_id in {_NVIDIA, _AMD}


def install_disks(machine: Facts) -> list[Disk]:
    """Disks that Talos can be installed to, the best first: the smallest, since the large ones are for data."""
    fit = [disk for disk in machine.disks if disk.writable and disk.size >= _SMALLEST_DISK and disk.path]
    return sorted((disk for disk in fit if disk.transport not in _REMOVABLE), key=lambda disk: (disk.size, disk.path))


def disk_name(disk: Disk) -> str:
    """A name that stays the disk's own when others come and go, else its device."""
    links = sorted(link for link in disk.links if link.startswith(_BY_ID))
    sure = [link for start in _SURE_IDS for link in links if link.startswith(_BY_ID + start)]
    return next(iter((*sure, *links)), disk.path)


def management_nics(machine: Facts) -> list[str]:
    """The PCI addresses of the cards that carry the machine's address: several under a bond, none where not known."""
    return [
        link.address
        for link in machine.links
        if machine.node in {address.partition("/")[0] for address in link.addresses}
    ]


def controllers(disk: Disk | None, nics: Iterable[str]) -> frozenset[str]:
    """The PCI addresses that the machine itself needs."""
    return frozenset(address for address in (disk.address if disk else "", *nics) if address)


def nvme_controllers(machine: Facts, used: Collection[str]) -> list[str]:
    """The NVMe controllers that can go to user space: nothing of the machine itself is on them or beside them."""
    every = [item for item in machine.devices if (item.class_id, item.subclass_id) == (_STORAGE, _NVME)]
    chosen = [device.address for device in every if device.address not in used]
    # One that cannot go may hold back the others of its group.
    while wrong := {address for address in chosen if group_problem(machine, address, chosen, used)}:
        chosen = [address for address in chosen if address not in wrong]
    return chosen


def cpu_vendor(machine: Facts) -> str:
    """`intel` or `amd`, as microcode is chosen by; "" for others."""
    vendor = machine.processors.vendor.lower()
    if "intel" in vendor:
        return "intel"
    return "amd" if "amd" in vendor or "advanced micro" in vendor else ""


def is_name(text: str) -> bool:
    """Whether a host or a cluster can be called this."""
    return bool(re.fullmatch(NAME_PATTERN, text)) and len(text) <= NAME_LENGTH


def host_name(machine: Facts, role: str, has_accelerators: bool, taken: Collection[str]) -> str:
    """The machine's own name, unless Talos made it up; else the first free one of its kind."""
    own = machine.hostname.partition(".")[0].lower()
    if is_name(own) and not own.startswith("talos-") and own not in taken:
        return own
    kind = "cp" if role == "controlplane" else "gpu" if has_accelerators else "worker"
    number = 1
    while f"{kind}-{number}" in taken:
        number += 1
    return f"{kind}-{number}"
