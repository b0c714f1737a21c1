"""The kinds of PCI devices that pods are given, told by the PCI class (https://pci-ids.ucw.cz/read/PD)."""

from __future__ import annotations

from enum import Enum

_NVME = ("0x01", "0x08")


class DeviceKind(Enum):
    """What a device is for. Each kind has a resource of its own."""

    NETWORK = "network"
    ACCELERATOR = "accelerator"
    NVME = "nvme"
    STORAGE = "storage"
    GPU = "gpu"
    OTHER = "other"

    @property
    def sriov_type(self) -> str | None:
        """The name that the SR-IOV network device plugin has for the kind; None for kinds that it does not look at."""
        return {DeviceKind.NETWORK: "netDevice", DeviceKind.ACCELERATOR: "accelerator"}.get(self)


_CLASSES = {
    "0x01": DeviceKind.STORAGE,
    "0x02": DeviceKind.NETWORK,
    "0x03": DeviceKind.GPU,
    "0x12": DeviceKind.ACCELERATOR,
}


def kind_of(class_id: str, subclass_id: str) -> DeviceKind:
    """The kind of a device of a PCI class and subclass, both as Talos writes them (`0x01`)."""
    return DeviceKind.NVME if (class_id, subclass_id) == _NVME else _CLASSES.get(class_id, DeviceKind.OTHER)
