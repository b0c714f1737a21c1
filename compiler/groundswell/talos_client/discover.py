"""Two passes over a machine: the resources that Talos has of it, then the kernel's files about what those found."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos_client as codes
from groundswell.talos.cpus import format_cpus
from groundswell.talos_client import answers
from groundswell.talos_client.facts import Disk, Facts, Link, Missing, PciDevice, Processors, System
from groundswell.talos_client.kernel_facts import with_kernel_facts
from groundswell.talos_client.question import VERSION, Question, get

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos_client.answers import Resource
    from groundswell.talos_client.question import Ask

_PCI = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[01][0-9a-f]\.[0-7]")
_SCHEMATIC = "schematic"

_VLANS = frozenset(["vlan", "macvlan", "ipvlan"])

# What may be absent without anything being wrong: cores are told from Talos 1.14 on, the others once there is a
# configuration.
_OPTIONAL = frozenset(["cpucores", "hostname", "machinetype", "extensions"])


def discover(ask: Ask, node: str, *, maintenance: bool) -> tuple[Facts | None, tuple[Diagnostic, ...]]:
    """Everything that one machine tells.

    Returns:
        The facts, None when it does not answer at all, and a warning where they are incomplete.
    """
    version = ask(node, Question(VERSION), insecure=maintenance)
    asker = _Asker(ask, node, maintenance=maintenance)
    disks = asker.resources("disks")
    if version.problem and asker.missing:
        return None, (codes.NO_ANSWER(f"`{node}` does not answer: {version.problem}", help=_advice(maintenance)),)
    facts = _first_pass(asker, disks, answers.version(version.text))
    if maintenance:
        text = f"`{node}` is asked in maintenance mode, where it does not tell NUMA nodes, hugepages and IOMMU groups"
        return replace(facts, missing=tuple(asker.missing)), (codes.MAINTENANCE(text), *_missing(node, asker.missing))
    facts, missing = with_kernel_facts(ask, facts)
    missing = (*asker.missing, *missing)
    return replace(facts, missing=missing), _missing(node, missing)


def _advice(maintenance: bool) -> str:
    if maintenance:
        return "check the address, and that the machine was started from an image and has no configuration"
    return "check the address and the talosconfig; a machine without a configuration is asked with `--insecure`"


def _missing(node: str, missing: Iterable[Missing]) -> tuple[Diagnostic, ...]:
    return tuple(codes.INCOMPLETE_FACTS(f"`{node}` does not tell its {item.what}: {item.why}") for item in missing)


class _Asker:
    """Asks one machine for resources, and remembers what it did not tell."""

    def __init__(self, ask: Ask, node: str, *, maintenance: bool) -> None:
        self.node = node
        self.maintenance = maintenance
        self.missing: list[Missing] = []
        self._ask = ask

    def resources(self, kind: str) -> tuple[Resource, ...]:
        """The resources of a type, none when they are not told."""
        answer = self._ask(self.node, get(kind), insecure=self.maintenance)
        found = answers.resources(answer.text) if not answer.problem else ()
        problem = answer.problem or ("" if found is not None else "the answer is not JSON")
        if problem and kind not in _OPTIONAL:
            self.missing.append(Missing(kind, problem))
        return found or ()

    def one(self, kind: str) -> Resource:
        """The only resource of a type."""
        return next(iter(self.resources(kind)), answers.Resource("", {}))


def _first_pass(asker: _Asker, disks: Iterable[Resource], version: str) -> Facts:
    system = asker.one("systeminformation")
    role = asker.one("machinetype").spec
    extensions = (item.spec.get("metadata") for item in asker.resources("extensions") if isinstance(item.spec, dict))
    names = {str(item.get("name")): str(item.get("version")) for item in extensions if isinstance(item, dict)}
    return Facts(
        node=asker.node,
        maintenance=asker.maintenance,
        version=version,
        hostname=asker.one("hostname").text("hostname"),
        role=role if isinstance(role, str) else "",
        schematic=names.get(_SCHEMATIC, ""),
        secureboot=asker.one("securitystate").flag("secureBoot"),
        memory_mib=sum(item.number("sizeMiB") for item in asker.resources("memorymodules")),
        system=System(
            system.text("manufacturer"), system.text("productName"), system.text("serialnumber"), system.text("uuid")
        ),
        processors=_processors(asker.resources("processors"), asker.resources("cpucores")),
        disks=tuple(_disk(item) for item in disks if not item.flag("cdrom")),
        devices=tuple(_device(item) for item in asker.resources("pcidevices")),
        links=_links(asker.resources("links"), asker.resources("addresses")),
    )


def _processors(sockets: Iterable[Resource], cores: Iterable[Resource]) -> Processors:
    filled = [item for item in sockets if item.number("coreCount")]
    first = filled[0] if filled else answers.Resource("", {})
    siblings = sorted(
        sorted(cpu for cpu in item.listed("logicalCPUs") if isinstance(cpu, int) and cpu >= 0) for item in cores
    )
    told = sum(item.number("threadCount") for item in filled)
    return Processors(
        vendor=first.text("manufacturer"),
        model=first.text("productName"),
        sockets=len(filled),
        cpus=sum(len(cpus) for cpus in siblings) or told,
        siblings=tuple(format_cpus(cpus) for cpus in siblings),
    )


def _disk(item: Resource) -> Disk:
    return Disk(
        path=item.text("dev_path"),
        size=item.number("size"),
        model=item.text("model"),
        serial=item.text("serial"),
        transport=item.text("transport"),
        address=_address_in(item.text("bus_path")),
        links=tuple(link for link in item.listed("symlinks") if isinstance(link, str)),
        writable=not item.flag("readonly"),
    )


def _device(item: Resource) -> PciDevice:
    vendor, product = item.text("vendor"), item.text("product")
    return PciDevice(
        address=item.id,
        class_id=item.text("class_id"),
        subclass_id=item.text("subclass_id"),
        vendor_id=item.text("vendor_id"),
        product_id=item.text("product_id"),
        name=f"{vendor} {product}".strip() or item.text("subclass") or item.text("class"),
        driver=item.text("driver"),
    )


def _links(links: Sequence[Resource], addresses: Iterable[Resource]) -> tuple[Link, ...]:
    """The links of hardware, each with the addresses that it carries: its own, and those of what is made of it."""
    carried: dict[str, list[str]] = {}
    for item in addresses:
        carried.setdefault(item.text("linkName"), []).append(item.text("address"))
    return tuple(
        Link(
            item.id,
            address,
            item.text("hardwareAddr"),
            tuple(own for name in _above(item, links) for own in carried.get(name, ())),
        )
        for item in links
        if (address := _address_in(item.text("busPath")))
    )


def _above(link: Resource, links: Sequence[Resource]) -> list[str]:
    """A link and all that is made of it: the bond or bridge that it is part of, VLANs on it, and so on upwards."""
    above = [link]
    for lower in above:
        above += [item for item in links if item not in above and _stands_on(item, lower)]
    return [item.id for item in above]


def _stands_on(link: Resource, lower: Resource) -> bool:
    if link.number("index") and link.number("index") == lower.number("masterIndex"):
        return True
    # Of other kinds, `linkIndex` is not one of this machine's links: with veth it is one inside of a pod.
    return link.text("kind") in _VLANS and link.number("linkIndex") == lower.number("index")


def _address_in(path: str) -> str:
    """The PCI address nearest to the end of a path: the device itself, behind the bridges before it."""
    found = _PCI.findall(path)
    return found[-1] if found else ""
