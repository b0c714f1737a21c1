"""Criteria from a snapshot. What is found only narrows a query; what the user states wins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.diagnostic import failed
from groundswell.resolve.coverage import describe
from groundswell.snapshot.accelerators import KNOWN, POOL_LABEL, PRODUCT_LABEL, accelerator_of
from groundswell.snapshot.snapshot import written

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from groundswell.catalog.entries import Catalog, Recipe
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.query import Query
    from groundswell.snapshot.snapshot import Snapshot, Subtype

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
# What is given up first when the catalog stands behind no combination with all that was found.
_EXPENDABLE = ("os", "accelerator", "service")


@dataclass(frozen=True, slots=True)
class Found:
    """Criteria that a snapshot shows, each with the reading that it comes from, and the number of nodes.

    `undecided` holds the criteria on which nodes differ, with what they show.
    """

    criteria: Mapping[str, str]
    sources: Mapping[str, str]
    undecided: Mapping[str, tuple[str, ...]]
    nodes: int | None


def derive(snapshot: Snapshot, accelerators: Iterable[str]) -> Found:
    """The criteria that a snapshot shows: service, accelerator, os; never intent or platform.

    `accelerators` are names beside the known ones that an accelerator's product may go by.
    """
    systems = {_SYSTEMS.get(value, value) for value in _values(snapshot.subtype("OS", "release"), "ID")}
    services = {_service(value) for value in _values(snapshot.subtype("K8s", "node"), "provider")}
    if systems == {"talos"}:
        # No managed service runs Talos: there the provider only lends the machines.
        services -= _MANAGED
    products, source = _products(snapshot)
    models = {accelerator_of(product, {*KNOWN, *accelerators}) or product.lower() for product in products}
    shown = {"service": services, "accelerator": models, "os": systems}
    sources = {"service": "K8s.node.provider", "accelerator": source, "os": "OS.release.ID"}
    summary = snapshot.subtype("NodeTopology", "summary")
    count = written(summary.data.get("node-count", "")) if summary else ""
    return Found(
        criteria={dimension: next(iter(values)) for dimension, values in shown.items() if len(values) == 1},
        sources=sources,
        undecided={dimension: tuple(sorted(values)) for dimension, values in shown.items() if len(values) > 1},
        nodes=int(count) if count.isdecimal() and int(count) else None,
    )


def narrow(catalog: Catalog, query: Query, found: Found) -> tuple[Query, tuple[Diagnostic, ...]]:
    """Add to a query what was found and not stated.

    What no recipe that applies carries is left out; so is, should the catalog stand behind no combination with
    everything, as little as possible (but never Talos, on whose nodes nothing made for another system runs).

    Returns:
        The narrowed query; one warning for each criterion that was left out, or on which the nodes differ.
    """
    nodes = found.nodes if query.nodes is None else query.nodes
    query = replace(query, criteria=catalog.semantics.meaning(query.criteria), nodes=nodes)
    findings = [_undecided(*item) for item in found.undecided.items() if item[0] not in query.criteria]
    added = {dimension: value for dimension, value in found.criteria.items() if dimension not in query.criteria}
    carried = {item for recipe in _applied(catalog, _with(query, added)) for item in recipe.effective.items()}
    kept = {dimension: value for dimension, value in added.items() if (dimension, value) in carried}
    for dimension, value in added.items():
        if dimension not in kept:
            findings.append(_left_out(dimension, value, "which no recipe that applies carries"))
    given_up = _given_up(catalog, query, kept)
    rest = _with(query, {dimension: value for dimension, value in kept.items() if dimension not in given_up})
    reason = f"and the catalog does not stand behind it together with {describe(rest.criteria)}"
    findings += [_left_out(dimension, kept[dimension], reason) for dimension in given_up]
    return rest, tuple(findings)


def _given_up(catalog: Catalog, query: Query, kept: Mapping[str, str]) -> tuple[str, ...]:
    """The fewest dimensions without which the query is covered; none when it is, or when nothing helps."""
    expendable = [item for item in _EXPENDABLE if item in kept and kept[item] != "talos"]
    for count in range(len(expendable) + 1):
        for left_out in combinations(expendable, count):
            rest = {dimension: value for dimension, value in kept.items() if dimension not in left_out}
            tried = _with(query, rest)
            if not failed(catalog.semantics.coverage(catalog, tried, _applied(catalog, tried))):
                return left_out
    return ()


def _undecided(dimension: str, values: Sequence[str]) -> Diagnostic:
    listed = ", ".join(f"`{value}`" for value in values)
    hint = f"state the one that counts with --{dimension}"
    return codes.UNDECIDED(f"the nodes have no {dimension} in common: {listed}", help=hint)


def _left_out(dimension: str, value: str, reason: str) -> Diagnostic:
    text = f"the snapshot shows {dimension} `{value}`, {reason}: it is left out"
    return codes.FOUND_LEFT_OUT(text, help=f"state `--{dimension} {value}` to insist on it")


def _with(query: Query, added: Mapping[str, str]) -> Query:
    return replace(query, criteria={**added, **query.criteria})


def _applied(catalog: Catalog, query: Query) -> list[Recipe]:
    return [recipe for recipe, _ in catalog.semantics.order(catalog.recipes, query)]


def _values(subtype: Subtype | None, key: str) -> set[str]:
    """All readings under a key, of all nodes together or of each."""
    if subtype is None:
        return set()
    readings = [subtype.data.get(key), *(item.data.get(key) for item in subtype.items)]
    return {written(reading).strip().lower() for reading in readings if reading not in {None, ""}}


def _service(provider: str) -> str:
    """The service for a provider, which older collectors write as they find it."""
    return "oke" if provider.startswith("ocid1.") else _SERVICES.get(provider, provider)


def _products(snapshot: Snapshot) -> tuple[set[str], str]:
    """Accelerators as the labels of all nodes tell them, else as a collector on one node has found them."""
    labels = snapshot.subtype("NodeTopology", "label")
    for key in (PRODUCT_LABEL, POOL_LABEL):
        if labels and (products := _label_values(labels, key)):
            return products, f"NodeTopology.label.{key}"
    return _values(snapshot.subtype("GPU", "hardware"), "model"), "GPU.hardware.model"


def _label_values(labels: Subtype, key: str) -> set[str]:
    if labels.items:
        return {item.context.get("value", "") for item in labels.items if item.context.get("key") == key} - {""}
    # Without items the value stands before the nodes, and several values of one label each have a key of their own.
    folded = [written(value) for name, value in labels.data.items() if name == key or name.startswith(f"{key}.")]
    return {value.partition("|")[0] for value in folded} - {""}
