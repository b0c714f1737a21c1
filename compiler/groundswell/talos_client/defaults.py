"""What a machine's facts suggest."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

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


def management_nic(machine: Facts) -> str:
    """The PCI address of the card that carries the machine's address, "" where that is not known."""
    for link in machine.links:
        if machine.node in {address.partition("/")[0] for address in link.addresses}:
            return link.address
    return ""


def controllers(disk: Disk | None, nic: str) -> frozenset[str]:
    """The PCI addresses that the machine itself needs."""
    return frozenset(address for address in (disk.address if disk else "", nic) if address)


def nvme_controllers(machine: Facts, used: Collection[str]) -> list[str]:
    """The NVMe controllers that nothing of the machine itself is on."""
    found = (item for item in machine.devices if (item.class_id, item.subclass_id) == (_STORAGE, _NVME))
    return [device.address for device in found if device.address not in used]


def cpu_vendor(machine: Facts) -> str:
    """`intel` or `amd`, as microcode is chosen by; "" for others."""
    vendor = machine.processors.vendor.lower()
    if "intel" in vendor:
        return "intel"
    return "amd" if "amd" in vendor or "advanced micro" in vendor else ""


def host_name(machine: Facts, role: str, has_accelerators: bool, taken: Collection[str]) -> str:
    """The machine's own name, unless Talos made it up; else the first free one of its kind."""
    own = machine.hostname.partition(".")[0]
    if own and not own.startswith("talos-") and own not in taken:
        return own
    kind = "cp" if role == "controlplane" else "gpu" if has_accelerators else "worker"
    number = 1
    while f"{kind}-{number}" in taken:
        number += 1
    return f"{kind}-{number}"
