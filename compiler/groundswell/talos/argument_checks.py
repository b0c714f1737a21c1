"""What a host's own kernel arguments mean for its memory, its CPUs and its devices."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos as codes
from groundswell.diagnostics.diagnostic import Related
from groundswell.talos.cluster import Placed
from groundswell.talos.cpus import format_cpus, parse_cpus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Host

_SIZE = re.compile(r"(default_)?hugepagesz=([0-9]+)([KMG])", re.IGNORECASE)
_COUNT = re.compile(r"hugepages=([0-9:,]+)")
_KIB = {"K": 1, "M": 1024, "G": 1024 * 1024}
_KIB_PER_MIB = 1024
_DEFAULT_KIB = 2048

_ISOLATED = re.compile(r"isolcpus=(?:[a-z_]+,)*([0-9][0-9,-]*)")
_IOMMU_OFF = {"intel_iommu=off": "intel", "amd_iommu=off": "amd"}


def argument_pages(host: Host) -> Placed[int] | None:
    """The MiB of hugepages that the host's kernel arguments ask for; None where they ask for none."""
    kib = default = None
    found: Placed[int] | None = None
    for argument in host.prep.kernel_args:
        if size := _SIZE.fullmatch(argument.value):
            given = int(size[2]) * _KIB[size[3].upper()]
            kib, default = (kib, given) if size[1] else (given, default)
        elif count := _COUNT.fullmatch(argument.value):
            pages = sum(int(number) for part in count[1].split(",") if (number := part.rpartition(":")[2]))
            mib = pages * (kib or default or _DEFAULT_KIB) // _KIB_PER_MIB
            found = Placed((found.value if found else 0) + mib, argument.span)
    return found


def argument_findings(host: Host) -> Iterator[Diagnostic]:
    """Arguments that isolate housekeeping CPUs, and those that switch off what devices need."""
    for argument in host.prep.kernel_args:
        isolated = _ISOLATED.fullmatch(argument.value)
        cpus = (parse_cpus(isolated[1]) if isolated else None) or frozenset()
        for placed in host.prep.housekeeping_sets():
            if shared := placed.value & cpus:
                text = f"`{argument.value}` and the housekeeping CPUs share CPUs {format_cpus(shared)}"
                yield codes.CPU_OVERLAP(text, argument.span, related=[Related(placed.span, "the housekeeping CPUs")])
    yield from _iommu(host)


def _iommu(host: Host) -> Iterator[Diagnostic]:
    """The IOMMU switched off. The argument of another vendor does nothing; Intel's own contradicts `intel_iommu=on`."""
    devices = [device for device in host.prep.devices if device.driver == "vfio-pci"]
    vendor = host.cpu_vendor.value if host.cpu_vendor else None
    for argument in host.prep.kernel_args:
        of = _IOMMU_OFF.get(argument.value)
        if devices and of and (vendor is None or vendor == of == "amd"):
            text = f"`{argument.value}` switches off what `{devices[0].address.value}` needs"
            related = [Related(devices[0].address.span, "a device for user space")]
            yield codes.IOMMU_OFF(text, argument.span, related=related)
