"""The system extensions of the official Image Factory, by the minor version of Talos in which each appeared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos_schematic as codes
from groundswell.diagnostics.suggest import did_you_mean, nearest
from groundswell.talos.target import OFFICIAL_FACTORY
from groundswell.talos.version import NEWEST

if TYPE_CHECKING:
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.span import Span
    from groundswell.talos.target import Target

PREFIX = "siderolabs/"

MICROCODE = {"intel": f"{PREFIX}intel-ucode", "amd": f"{PREFIX}amd-ucode"}

# What releases v1.10 to v1.14.0 offer; none was taken out again in between. 1.15 is not released, so its list may grow.
_SINCE: dict[int, str] = {
    10: (
        "amazon-ena amd-ucode amdgpu binfmt-misc bnx2-bnx2x btrfs chelsio-drivers chelsio-firmware cloudflared crun "
        "ctr drbd dvb-cx23885 ecr-credential-provider fuse3 gasket-driver glibc gvisor gvisor-debug "
        "hello-world-service i915 intel-ice-firmware intel-ucode iscsi-tools kata-containers lldpd mdadm mei "
        "metal-agent nebula nfsd nonfree-kmod-nvidia-lts nonfree-kmod-nvidia-production nut-client "
        "nvidia-container-toolkit-lts nvidia-container-toolkit-production nvidia-fabricmanager-lts "
        "nvidia-fabricmanager-production nvidia-open-gpu-kernel-modules-lts "
        "nvidia-open-gpu-kernel-modules-production nvme-cli panfrost qemu-guest-agent qlogic-firmware "
        "realtek-firmware revpi-firmware spin stargz-snapshotter tailscale thunderbolt uinput usb-modem-drivers "
        "util-linux-tools v4l-uvc-drivers vc4 vmtoolsd-guest-agent wasmedge xdma-driver xen-guest-agent youki "
        "zerotier zfs"
    ),
    11: "dvb-m88ds3103 hailort newt nfsrahead tenstorrent",
    12: (
        "bird2 gpio-pinctrl mellanox-mstflint multipath-tools netbird nfs-utils nvidia-gdrdrv-device "
        "soci-snapshotter trident-iscsi-tools usb-audio-drivers xe"
    ),
    13: "intel-npu joydev px-fuse rockchip-rknn uhid",
    14: "harbor-credential-provider hyperv-guest-agent kata-containers-snp",
    15: "nfs-server",
}
_LISTED_UNTIL = max(minor for minor in _SINCE if (1, minor) < NEWEST)

_KNOWN = {f"{PREFIX}{name}": minor for minor, names in _SINCE.items() for name in names.split()}

_RENAMED = {
    f"{PREFIX}{old}": f"{PREFIX}{new}"
    for old, new in {
        "amdgpu-firmware": "amdgpu",
        "gasket": "gasket-driver",
        "i915-ucode": "i915",
        "nonfree-kmod-nvidia": "nonfree-kmod-nvidia-lts",
        "nvidia-container-toolkit": "nvidia-container-toolkit-lts",
        "nvidia-fabricmanager": "nvidia-fabricmanager-lts",
        "nvidia-open-gpu-kernel-modules": "nvidia-open-gpu-kernel-modules-lts",
        "talos-vmtoolsd": "vmtoolsd-guest-agent",
        "usb-modem": "usb-modem-drivers",
        "v4l-uvc": "v4l-uvc-drivers",
        "xe-guest-utilities": "xen-guest-agent",
    }.items()
}


def extension_finding(name: str, target: Target, at: Span | None) -> Diagnostic | None:
    """What is wrong with an extension's name for a target; None when the factory has it.

    A factory of one's own may hold more, and a version newer than the list too: there the finding is a warning.
    """
    if name in _RENAMED:
        return codes.RENAMED_EXTENSION(f"`{name}` is an old name", at, help=f"write `{_RENAMED[name]}`")
    since = _KNOWN.get(name)
    if since is not None and (1, since) <= target.version.release:
        return None
    if target.factory != OFFICIAL_FACTORY or target.version.release > (1, _LISTED_UNTIL):
        return codes.UNCHECKED_EXTENSION(f"the extension `{name}` is not known for Talos {target.version}", at)
    if since is not None:
        text = f"the extension `{name}` does not exist for Talos {target.version}"
        return codes.UNKNOWN_EXTENSION(text, at, help=f"it is available from Talos v1.{since} on")
    guess = nearest(name.removeprefix(PREFIX), [known.removeprefix(PREFIX) for known in _KNOWN])
    text = f"the Image Factory has no extension `{name}`"
    return codes.UNKNOWN_EXTENSION(text, at, help=did_you_mean(guess and PREFIX + guess))
