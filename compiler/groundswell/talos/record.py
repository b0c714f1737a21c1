"""The record of a definition: what a host's patch states, item by item, as an annotation of its node.

A patch only adds, so what leaves a definition stays on the machine. The record tells it from what others set there.
"""

from __future__ import annotations

import json
from enum import Enum
from typing import TYPE_CHECKING

from groundswell.talos.pools import DOMAIN
from groundswell.talos.wants import CNI, KUBE_PROXY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundswell.talos.machine import Machine

RECORD = f"{DOMAIN}/definition"
"""The annotation's key."""


class Area(Enum):
    """Parts of a machine configuration that patches write, as a record calls them."""

    DEVICES = "devices"
    MODULES = "modules"
    SYSCTLS = "sysctls"
    SYSFS = "sysfs"
    LABELS = "labels"
    KUBELET = "kubelet"
    EXEMPTIONS = "exemptions"
    HOSTNAME = "hostname"
    NETWORK = "network"


def stated(machine: Machine) -> dict[Area, list[str]]:
    """What is stated of a machine, by area."""
    software = machine.software
    return {
        Area.DEVICES: [*machine.rebinds],
        Area.MODULES: [module_item(name, parameters) for name, parameters in software.modules.items()],
        Area.SYSCTLS: [*software.sysctls],
        Area.SYSFS: [*machine.sysfs],
        Area.LABELS: [*machine.labels],
        Area.KUBELET: [*machine.kubelet],
        Area.EXEMPTIONS: [*machine.exemptions],
        Area.HOSTNAME: [machine.hostname] if machine.hostname else [],
        Area.NETWORK: [*([] if software.cni else [CNI]), *([] if software.kube_proxy else [KUBE_PROXY])],
    }


def record_annotations(machine: Machine) -> dict[str, str]:
    """The node annotations of a machine: its record, none where it states nothing that could be left behind."""
    made = {area.value: sorted(items) for area, items in stated(machine).items() if items}
    return {RECORD: json.dumps(made, separators=(",", ":"))} if made else {}


def recorded(text: object) -> Mapping[Area, frozenset[str]]:
    """The items of a record by area; none of what is no record."""
    try:
        made = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        made = None
    found = made if isinstance(made, dict) else {}
    lists = {area: found.get(area.value) for area in Area}
    return {
        area: frozenset(item for item in items if isinstance(item, str)) if isinstance(items, list) else frozenset()
        for area, items in lists.items()
    }


def module_item(name: str, parameters: Sequence[str]) -> str:
    """A kernel module with its parameters, as one text."""
    return " ".join((name, *parameters))
