"""A machine becomes a strategic merge patch, in the form that its base configuration takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.source.emitter import emit
from groundswell.talos import documents
from groundswell.talos.target import Form

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from groundswell.talos.documents import Document
    from groundswell.talos.machine import Machine
    from groundswell.talos.target import Target


def patch(machine: Machine, target: Target) -> tuple[Document, ...]:
    """The documents of a machine's patch, one per kind and name.

    Kernel arguments and extensions are not among them: they come with the image. Modules stand before the devices that
    need them. Where install settings are a document and the disk is not known, the image is not among them either.
    """
    image = target.installer(machine.schematic)
    settings = _documents if target.form is Form.DOCUMENTS else _fields
    made = [*settings(machine, target, image)]
    if machine.hostname and target.hostname_form is Form.DOCUMENTS:
        made.append(documents.hostname(machine.hostname))
    made += [documents.rebind(address, driver) for address, driver in machine.rebinds.items()]
    return tuple(made)


def patch_text(made: Iterable[Document]) -> str:
    """The documents as one file."""
    return "---\n".join(emit(document) for document in made)


def _fields(machine: Machine, target: Target, image: str) -> Iterator[Document]:
    software = machine.software
    install = {"disk": machine.install_disk, "image": image} if machine.install_disk else {"image": image}
    hostname = machine.hostname if target.hostname_form is Form.FIELDS else None
    exempt = {"name": "PodSecurity", "configuration": documents.pod_security(machine.exemptions)}
    yield documents.v1alpha1(
        machine={
            "network": {"hostname": hostname} if hostname else {},
            "install": install,
            "kernel": {"modules": documents.modules(software.modules)} if software.modules else {},
            "sysctls": documents.quoted(software.sysctls),
            "sysfs": documents.quoted(machine.sysfs),
            "kubelet": {"extraConfig": dict(machine.kubelet)} if machine.kubelet else {},
            "nodeLabels": documents.quoted(machine.labels),
            "nodeAnnotations": documents.quoted(machine.annotations),
        },
        cluster=({"apiServer": {"admissionControl": [exempt]}} if machine.exemptions else {})
        | documents.cluster_network(cni=software.cni, kube_proxy=software.kube_proxy),
    )


def _documents(machine: Machine, target: Target, image: str) -> Iterator[Document]:  # noqa: ARG001  as `_fields`
    software = machine.software
    if machine.install_disk:
        yield documents.unattended_install(image, machine.install_disk)
    yield from (documents.kernel_module(name, values) for name, values in software.modules.items())
    if software.sysctls:
        yield documents.sysctls(software.sysctls)
    if machine.sysfs:
        yield documents.sysfs(machine.sysfs)
    if machine.kubelet:
        yield documents.kubelet(machine.kubelet)
    if machine.labels or machine.annotations:
        yield documents.node(machine.labels, machine.annotations)
    if machine.exemptions:
        yield documents.admission_control(machine.exemptions)
    if not software.cni:
        yield documents.no_flannel()
    if not software.kube_proxy:
        yield documents.no_kube_proxy()
