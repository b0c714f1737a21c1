"""What a machine's configuration holds beyond its definition, told apart by who put it there.

The record of the definition that was applied last says what came from it. Of all else nobody can know, so it is named
and left alone.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from groundswell.talos.kernel_settings import setting_path
from groundswell.talos.pools import DOMAIN
from groundswell.talos.record import RECORD, Area, recorded, stated
from groundswell.talos.wants import CNI, KUBE_PROXY
from groundswell.talos_client.held import items, kubelet_fields, record_of
from groundswell.talos_client.pod_security import plugin_of
from groundswell.talos_client.removal import united

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from groundswell.source.located import Json
    from groundswell.talos.documents import Document
    from groundswell.talos.machine import Machine
    from groundswell.talos.target import Form
    from groundswell.talos_client.held import Item

# Of /sys, what the pages of a host become; the configuration of nothing else has it.
_PAGES = "devices/system/node/node([0-9]+)/hugepages/hugepages-2048kB/nr_hugepages"
# Labels that `talosctl gen config` writes by itself.
_GENERATED = frozenset(
    ["node.kubernetes.io/exclude-from-external-load-balancers", "node-role.kubernetes.io/control-plane"]
)


class Beyond(NamedTuple):
    """What a configuration has and a definition does not state.

    `left` came from an earlier definition, `changed` are modules with other parameters than stated. `unknown` are
    things that hosts are prepared with, from somebody else or from before there were records; `others` is all other
    settings. `removals` take out the first two; those of `alone` are documents in which nothing else may stand.
    `restored` is what they take along although it is to stay. `record` takes out the record where nothing is stated any
    more.
    """

    left: tuple[Item, ...]
    changed: tuple[Item, ...]
    unknown: tuple[Item, ...]
    others: tuple[Item, ...]
    alone: tuple[Document, ...]
    removals: tuple[Document, ...]
    restored: tuple[Document, ...]
    record: tuple[Document, ...]


def beyond(machine: Machine, form: Form, configuration: Sequence[Json]) -> Beyond:
    """Compare a configuration with what is stated of a machine.

    What is there twice is ours as the record spells it, and of two that are spelled so in the form that we use.
    """
    found = record_of(configuration)
    last = recorded(found[0] if found else None)
    own = {area: Counter(_normal(area, text) for text in texts) for area, texts in last.items()}
    parts: dict[str, list[Item]] = {"left": [], "changed": [], "unknown": [], "others": []}
    held = items(configuration, form)
    wanted = {area: {_normal(area, text) for text in texts} for area, texts in stated(machine).items()}
    for item in sorted(held, key=lambda item: (item.text not in last[item.area], item.form is not form)):
        if part := _part(item, machine, wanted[item.area], own[item.area]):
            parts[part].append(item)
    taken = [*parts["left"], *parts["changed"]]
    return Beyond(
        **{part: tuple(listed) for part, listed in parts.items()},
        alone=united(_removals(taken, alone=True)),
        removals=united(_removals(taken, alone=False)),
        restored=_restored(machine, configuration, taken),
        record=(found[1],) if found and RECORD not in machine.annotations else (),
    )


def described(item: Item) -> str:
    """An item in words."""
    if item.area is Area.SYSFS and (pages := re.fullmatch(_PAGES, setting_path(item.key))):
        return f"the 2 MiB pages of NUMA node {pages[1]}"
    if item.area is Area.NETWORK:
        return _NETWORK[item.key]
    return _WORDS[item.area].format(item.key)


_WORDS = {
    Area.DEVICES: "the driver of `{}`",
    Area.MODULES: "the kernel module `{}`",
    Area.SYSCTLS: "the sysctl `{}`",
    Area.SYSFS: "the setting `{}` of /sys",
    Area.LABELS: "the node label `{}`",
    Area.KUBELET: "`{}` of the kubelet",
    Area.EXEMPTIONS: "the Pod Security exemption of namespace `{}`",
    Area.HOSTNAME: "the host name `{}`",
}


_NETWORK = {CNI: "`cni: none` of the cluster", KUBE_PROXY: "`kubeProxy: false` of the cluster"}


def _removals(taken: Iterable[Item], *, alone: bool) -> Iterator[Document]:
    """The patches that take items out. All exemptions go with the one plugin."""
    plugins = []
    for item in taken:
        if item.alone is alone and item.removal not in plugins:
            yield item.removal
            plugins += [item.removal] if item.area is Area.EXEMPTIONS else []


def _restored(machine: Machine, configuration: Sequence[Json], taken: Sequence[Item]) -> tuple[Document, ...]:
    """What somebody else set, or what is still stated, of things that can only be taken out as a whole."""
    gone = {item.key for item in taken if item.area is Area.KUBELET and item.alone}
    others = kubelet_fields(configuration) if gone else {}
    kept = {key: value for key, value in others.items() if key not in gone and key not in machine.kubelet}
    exempt = [item.key for item in taken if item.area is Area.EXEMPTIONS]
    plugins = [plugin for document in configuration if exempt and (plugin := plugin_of(document))]
    return (
        *([{"machine": {"kubelet": {"extraConfig": kept}}}] if kept else []),
        *(plugin.without(exempt) for plugin in plugins),
    )


def _part(item: Item, machine: Machine, wanted: set[str], own: Counter[str]) -> str:
    """Which part of `Beyond` an item belongs to, "" for what is stated. An item of the record is found once.

    `wanted` is what is stated in the item's area.
    """
    area, text = item.area, _normal(item.area, item.text)
    ours = own[text] > 0
    if area is Area.MODULES and (name := _normal(area, item.key)) in machine.software.modules:
        parameters, has = " ".join(machine.software.modules[name]), text.partition(" ")[2]
        return "changed" if parameters != has and (parameters or ours) else ""
    if text in wanted or (wanted and area is Area.HOSTNAME):  # another host name is overwritten
        return ""
    if ours:
        own[text] -= 1
        return "left"
    if area is Area.LABELS:
        return "left" if text.startswith(f"{DOMAIN}/") else "" if text in _GENERATED else "others"
    if area is Area.DEVICES or (area is Area.SYSFS and re.fullmatch(_PAGES, text)):
        return "unknown"
    return "others" if area in {Area.MODULES, Area.SYSCTLS, Area.SYSFS} else ""


def _normal(area: Area, text: str) -> str:
    """A text in the one spelling that stands for all that mean the same."""
    if area is Area.MODULES:
        name, blank, parameters = text.partition(" ")
        return name.replace("-", "_") + blank + parameters
    return setting_path(text) if area in {Area.SYSCTLS, Area.SYSFS} else text
