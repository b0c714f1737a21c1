"""What kernel arguments that somebody asks for mean for a host's CPUs and devices."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos as codes
from groundswell.diagnostics.diagnostic import Related
from groundswell.talos.cpus import format_cpus, kernel_cpus
from groundswell.talos.wants import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Host
    from groundswell.talos.wants import Want

_ISOLATED = re.compile(r"isolcpus=(?:[a-z_]+,)*([^ ]+)")
_IOMMU_OFF = {"intel_iommu=off": "intel", "amd_iommu=off": "amd"}


def argument_findings(host: Host, asked: Iterable[Want]) -> Iterator[Diagnostic]:
    """Arguments that isolate housekeeping CPUs, and those that switch off what devices need.

    `asked` is what components and the host itself ask for in so many words.
    """
    arguments = [want for want in asked if want.kind is Kind.KERNEL_ARG]
    for argument in arguments:
        isolated = _ISOLATED.fullmatch(argument.value)
        cpus = kernel_cpus(isolated[1], host.cpus.value if host.cpus else None) if isolated else frozenset()
        for placed in host.prep.housekeeping_sets():
            if shared := placed.value & cpus:
                text = f"`{argument.value}` and the housekeeping CPUs share CPUs {format_cpus(shared)}"
                yield codes.CPU_OVERLAP(
                    text, argument.span or placed.span, related=[Related(placed.span, "the housekeeping CPUs")]
                )
    yield from _iommu(host, arguments)


def _iommu(host: Host, arguments: Iterable[Want]) -> Iterator[Diagnostic]:
    """The IOMMU switched off. The argument of another vendor does nothing; Intel's own contradicts `intel_iommu=on`."""
    devices = [device for device in host.prep.devices if device.driver == "vfio-pci"]
    vendor = host.cpu_vendor.value if host.cpu_vendor else None
    for argument in arguments:
        of = _IOMMU_OFF.get(argument.value)
        if devices and of and (vendor is None or vendor == of == "amd"):
            text = f"`{argument.value}` switches off what `{devices[0].address.value}` needs"
            related = [Related(devices[0].address.span, "a device for user space")]
            yield codes.IOMMU_OFF(text, argument.span or related[0].span, related=related)
