"""Labels and taints of all nodes, each with the nodes that carry it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from groundswell.snapshot.snapshot import Item, Measurement, Subtype

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.snapshot.nodes import Node


def topology(nodes: Sequence[Node]) -> Measurement:
    """The NodeTopology measurement of nodes that are sorted by name.

    Labels and taints are told twice, as other readers of the form expect: as `items`, and folded into `data`, where a
    label with several values has a key for each (`KEY.VALUE`), and a taint with several entries one for each effect.
    """
    labels: dict[tuple[str, str], list[str]] = {}
    taints: dict[tuple[str, str, str], list[str]] = {}
    for node in nodes:
        for pair in node.labels.items():
            labels.setdefault(pair, []).append(node.name)
        for taint in node.taints:
            taints.setdefault((taint.key, taint.effect, taint.value), []).append(node.name)
    counts = {"node-count": len(nodes), "taint-count": len(taints), "label-count": len(labels)}
    return Measurement("NodeTopology", (Subtype("summary", counts), _taints(taints), _labels(labels)))


def _labels(found: dict[tuple[str, str], list[str]]) -> Subtype:
    keys = Counter(key for key, _ in found)
    folded = {
        key if keys[key] == 1 else f"{key}.{value}": f"{value}|{','.join(nodes)}"
        for (key, value), nodes in sorted(found.items())
    }
    items = tuple(_item({"key": key, "value": value}, nodes) for (key, value), nodes in sorted(found.items()))
    return Subtype("label", folded, items)


def _taints(found: dict[tuple[str, str, str], list[str]]) -> Subtype:
    keys = Counter(key for key, _, _ in found)
    folded = {}
    for (key, effect, value), nodes in sorted(found.items()):
        if keys[key] == 1:
            folded[key] = f"{effect}|{value}|{','.join(nodes)}"
        else:
            folded[f"{key}.{effect}"] = f"{value}|{','.join(nodes)}"
    items = tuple(
        _item({"key": key, "value": value, "effect": effect}, nodes)
        for (key, effect, value), nodes in sorted(found.items())
    )
    return Subtype("taint", folded, items)


def _item(context: dict[str, str], nodes: list[str]) -> Item:
    return Item(context, {"node-count": len(nodes), "node-list": ",".join(nodes), "truncated": False})
