"""Criteria that a snapshot shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundswell.snapshot.accelerators import KNOWN, POOL_LABEL, PRODUCT_LABEL, accelerator_of
from groundswell.snapshot.snapshot import written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from groundswell.snapshot.snapshot import Item, Snapshot, Subtype

# Names that /etc/os-release and older collectors use, by the name in criteria.
_SYSTEMS = {
    "al2": "amazonlinux",
    "al2023": "amazonlinux",
    "amazon": "amazonlinux",
    "amzn": "amazonlinux",
    "redhat": "rhel",
    "redhatenterpriselinux": "rhel",
}
_SERVICES = {"aws": "eks", "gce": "gke", "azure": "aks", "oci": "oke", "linode": "lke"}
_MANAGED = frozenset(_SERVICES.values())


@dataclass(frozen=True, slots=True)
class Found:
    """Criteria that a snapshot shows, each with the reading that it comes from, and the number of nodes.

    `undecided` holds the criteria on which nodes differ: what they show, and for each reading the nodes that show it
    (none where the snapshot does not tell). A criterion in neither could not be read.
    """

    criteria: Mapping[str, str]
    sources: Mapping[str, str]
    undecided: Mapping[str, Mapping[str, tuple[str, ...]]]
    nodes: int | None


def derive(snapshot: Snapshot, accelerators: Iterable[str]) -> Found:
    """The criteria that a snapshot shows: service, accelerator, os; never intent or platform.

    `accelerators` are names beside the known ones that an accelerator's product may go by.
    """
    identifiers = _by_value(snapshot.subtype("OS", "release"), "ID", gaps=True)
    systems = _renamed(identifiers, lambda name: _SYSTEMS.get(name, name))
    services = _renamed(_by_value(snapshot.subtype("K8s", "node"), "provider"), _service)
    if systems.keys() == {"talos"}:
        # No managed service runs Talos: there the provider only lends the machines.
        services = {name: nodes for name, nodes in services.items() if name not in _MANAGED}
    products, source = _products(snapshot)
    known = {*KNOWN, *accelerators}
    models = _renamed(products, lambda product: accelerator_of(product, known) or product.lower())
    shown = {"service": services, "accelerator": models, "os": systems}
    sources = {"service": "K8s.node.provider", "accelerator": source, "os": "OS.release.ID"}
    summary = snapshot.subtype("NodeTopology", "summary")
    count = written(summary.data.get("node-count", "")) if summary else ""
    return Found(
        criteria={dimension: next(iter(values)) for dimension, values in shown.items() if len(values) == 1},
        sources=sources,
        undecided={dimension: values for dimension, values in shown.items() if len(values) > 1},
        nodes=int(count) if count.isdecimal() and int(count) else None,
    )


def _by_value(subtype: Subtype | None, key: str, *, gaps: bool = False) -> dict[str, tuple[str, ...]]:
    """The nodes by what they show under a key; with `gaps`, those that show nothing where others do are under `""`."""
    if subtype is None:
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for readings, nodes in ((subtype.data, ()), *((item.data, _node_of(item)) for item in subtype.items)):
        value = written(readings.get(key, "")).strip().lower()
        found[value] = (*found.get(value, ()), *nodes)
    silent = found.pop("", ())
    return found | ({"": silent} if gaps and found and silent and key not in subtype.data else {})


def _node_of(item: Item) -> tuple[str, ...]:
    return (item.context["node"],) if "node" in item.context else ()


def _renamed(found: Mapping[str, tuple[str, ...]], name: Callable[[str], str]) -> dict[str, tuple[str, ...]]:
    """The same nodes under other names of what they show, sorted by these; several may come to one."""
    merged: dict[str, tuple[str, ...]] = {}
    for value, nodes in found.items():
        merged[name(value)] = (*merged.get(name(value), ()), *nodes)
    return {value: tuple(sorted(merged[value])) for value in sorted(merged)}


def _service(provider: str) -> str:
    """The service for a provider, which older collectors write as they find it."""
    return "oke" if provider.startswith("ocid1.") else _SERVICES.get(provider, provider)


def _products(snapshot: Snapshot) -> tuple[dict[str, tuple[str, ...]], str]:
    """Accelerators as the labels of all nodes tell them, else as a collector on one node has found them."""
    labels = snapshot.subtype("NodeTopology", "label")
    for key in (PRODUCT_LABEL, POOL_LABEL):
        if labels and (products := _label_values(labels, key)):
            return products, f"NodeTopology.label.{key}"
    return _by_value(snapshot.subtype("GPU", "hardware"), "model"), "GPU.hardware.model"


def _label_values(labels: Subtype, key: str) -> dict[str, tuple[str, ...]]:
    """The nodes by the value of a label."""
    if labels.items:
        pairs = [
            (item.context.get("value", ""), written(item.data.get("node-list", "")))
            for item in labels.items
            if item.context.get("key") == key
        ]
    else:
        # The value stands before the nodes, and several values of one label each have a key of their own.
        folded = [written(value) for name, value in labels.data.items() if name == key or name.startswith(f"{key}.")]
        pairs = [(value.partition("|")[0], value.partition("|")[2]) for value in folded]
    return {value: tuple(node for node in nodes.split(",") if node) for value, nodes in pairs if value}
