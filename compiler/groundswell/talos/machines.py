"""Hosts and classes of hosts become machines: what components ask for, merged with what each host is prepared for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos as codes
from groundswell.talos import prepare_host
from groundswell.talos.argument_checks import argument_findings
from groundswell.talos.host_checks import host_findings
from groundswell.talos.machine import Machine
from groundswell.talos.memory_checks import memory_findings
from groundswell.talos.merge import merge
from groundswell.talos.pools import HOST_LABEL
from groundswell.talos.record import record_annotations
from groundswell.talos.schematic import customized, schematic
from groundswell.talos.target import Form
from groundswell.talos.wants import CONTROL_PLANES, component_wants

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Component
    from groundswell.talos.cluster import Cluster, Host
    from groundswell.talos.machine import Software
    from groundswell.talos.schematic import Schematic
    from groundswell.talos.target import Target

# Each class with all that its machines belong to.
_CLASSES = {
    CONTROL_PLANES: frozenset(["all", CONTROL_PLANES]),
    "all": frozenset(["all"]),
    "workers": frozenset(["all", "workers"]),
    "accelerated": frozenset(["all", "workers", "accelerated"]),
}


def class_machines(
    components: Sequence[Component], target: Target
) -> tuple[tuple[Machine, ...], tuple[Diagnostic, ...]]:
    """One machine per class that some component asks something of, and one for all others.

    Control planes are a class of their own only where a component changes what they set up.

    A class's machine is complete: one with accelerators has what workers have, and what all have.
    """
    asked = {needs.on for component in components for needs in component.node_needs}
    if any(component.cluster_needs.replaces for component in components):
        asked.add(CONTROL_PLANES)
    machines: list[Machine] = []
    findings: list[Diagnostic] = []
    for name, classes in _CLASSES.items():
        if name != "all" and name not in asked:
            continue
        wants = [want for component in components for want in component_wants(component, classes)]
        software, found = merge(wants, target)
        built = _schematic(software)
        findings += found
        if built:
            machines.append(Machine(name, built, software, control_plane=name == CONTROL_PLANES))
    return tuple(machines), tuple(findings)


def host_machines(
    cluster: Cluster, components: Sequence[Component]
) -> tuple[tuple[Machine, ...], tuple[Diagnostic, ...]]:
    """One machine per host, with what is wrong with each and what contradicts itself between hosts and components."""
    machines: list[Machine] = []
    findings: list[Diagnostic] = []
    for host in cluster.hosts:
        findings += host_findings(host)
        if not host.install_disk and cluster.target.form is Form.DOCUMENTS:
            text = f"host `{host.name.value}` has no install disk, which Talos {cluster.target.version} needs"
            findings.append(codes.NO_INSTALL_DISK(text, host.name.span))
        asked = [want for component in components for want in component_wants(component, host.classes)]
        asked += prepare_host.own_wants(host)
        wants = [*prepare_host.derived_wants(host), *asked]
        findings += (*argument_findings(host, asked), *memory_findings(host, wants))
        software, found = merge(wants, cluster.target, host.prep.hugepages_2mi)
        built = _schematic(software)
        findings += found
        if built:
            machines.append(_machine(host, cluster, software, built))
    return tuple(machines), tuple(findings)


def _machine(host: Host, cluster: Cluster, software: Software, built: Schematic) -> Machine:
    machine = Machine(
        name=host.name.value,
        schematic=built,
        software=software,
        control_plane=host.control_plane,
        hostname=host.name.value if cluster.set_hostnames else None,
        install_disk=host.install_disk.value if host.install_disk else None,
        sysfs=prepare_host.sysfs(host),
        rebinds={device.address.value: device.driver for device in host.prep.devices},
        kubelet=prepare_host.kubelet(host),
        labels={label: placed.value for label, placed in host.labels.items()} | _own_label(host),
        exemptions=cluster.exemptions if host.control_plane else (),
    )
    return machine._replace(annotations=record_annotations(machine))


def _own_label(host: Host) -> dict[str, str]:
    """The label by which pods find the node of this host, whatever the node is called."""
    return {HOST_LABEL: host.name.value} if host.called else {}


def _schematic(software: Software) -> Schematic | None:
    """The schematic; None where a text has no settled form, which is reported where it was asked for."""
    return schematic(customized(software.extensions, software.kernel_args))
