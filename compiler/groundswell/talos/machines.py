"""Hosts and classes of hosts become machines: what components ask for, merged with what each host is prepared for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos as codes
from groundswell.diagnostics.codes import talos_schematic as schematic_codes
from groundswell.talos import prepare_host
from groundswell.talos.host_checks import host_findings
from groundswell.talos.machine import Machine
from groundswell.talos.merge import merge
from groundswell.talos.pools import HOST_LABEL
from groundswell.talos.schematic import customized, schematic
from groundswell.talos.target import Form
from groundswell.talos.wants import component_wants

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Component
    from groundswell.talos.cluster import Cluster, Host
    from groundswell.talos.machine import Software
    from groundswell.talos.schematic import Schematic
    from groundswell.talos.target import Target

# Each class with all that its machines belong to.
_CLASSES = {
    "all": frozenset(["all"]),
    "workers": frozenset(["all", "workers"]),
    "accelerated": frozenset(["all", "workers", "accelerated"]),
}


def class_machines(
    components: Sequence[Component], target: Target
) -> tuple[tuple[Machine, ...], tuple[Diagnostic, ...]]:
    """One machine per class that some component asks something of, and one for all others.

    A class's machine is complete: one with accelerators has what workers have, and what all have.
    """
    asked = {needs.on for component in components for needs in component.node_needs}
    machines: list[Machine] = []
    findings: list[Diagnostic] = []
    for name, classes in _CLASSES.items():
        if name != "all" and name not in asked:
            continue
        wants = [want for component in components for want in component_wants(component, classes)]
        software, found = merge(wants, target)
        built, refused = _schematic(software)
        findings += (*found, *refused)
        if built:
            machines.append(Machine(name=name, schematic=built, software=software))
    return tuple(machines), tuple(findings)


def host_machines(
    cluster: Cluster, components: Sequence[Component]
) -> tuple[tuple[Machine, ...], tuple[Diagnostic, ...]]:
    """One machine per host, with what is wrong with each and what contradicts itself between hosts and components."""
    machines: list[Machine] = []
    findings = [*_unreached(cluster, components)]
    for host in cluster.hosts:
        findings += host_findings(host)
        if not host.install_disk and cluster.target.form is Form.DOCUMENTS:
            text = f"host `{host.name.value}` has no install disk, which Talos {cluster.target.version} needs"
            findings.append(codes.NO_INSTALL_DISK(text, host.name.span))
        by_components = [want for component in components for want in component_wants(component, host.classes)]
        wants = [*prepare_host.derived_wants(host), *by_components, *prepare_host.own_wants(host)]
        software, found = merge(wants, cluster.target, host.prep.hugepages_2mi)
        built, refused = _schematic(software)
        findings += (*found, *refused)
        if built:
            machines.append(_machine(host, cluster, software, built))
    return tuple(machines), tuple(findings)


def _machine(host: Host, cluster: Cluster, software: Software, built: Schematic) -> Machine:
    return Machine(
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


def _own_label(host: Host) -> dict[str, str]:
    """The label by which pods find the node of this host, whatever the node is called."""
    return {HOST_LABEL: host.name.value} if host.called else {}


def _schematic(software: Software) -> tuple[Schematic | None, tuple[Diagnostic, ...]]:
    """The schematic; texts without a settled form are reported where they were asked for, so not here again."""
    built, refused = schematic(customized(software.extensions, software.kernel_args))
    return built, tuple(finding for finding in refused if finding.code != schematic_codes.UNSETTLED_TEXT.code)


def _unreached(cluster: Cluster, components: Sequence[Component]) -> Iterator[Diagnostic]:
    """Components that ask something of a class of machines that has none."""
    present = frozenset[str]().union(*(host.classes for host in cluster.hosts))
    for component in components:
        for needs in component.node_needs:
            if needs.on not in present:
                text = (
                    f"`{component.name}` asks something of machines (`on: {needs.on}`) that the cluster does not have"
                )
                yield codes.NO_MACHINE(text, needs.span)
