"""Components that bring the network of the cluster: they come before all others (docs/plan.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.catalog.value_path import format_path
from groundswell.deploy.places import value_place
from groundswell.diagnostics.codes import plan as codes
from groundswell.diagnostics.diagnostic import Related
from groundswell.resolve.leaves import value_at

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Component
    from groundswell.source.span import Span


def network_components(criteria: Mapping[str, str], components: Mapping[str, Component]) -> tuple[str, ...]:
    """The components that are the cluster's CNI or do the work of kube-proxy, sorted."""
    return tuple(sorted(name for name, item in components.items() if replaced(criteria, item)))


def replaced(criteria: Mapping[str, str], component: Component) -> tuple[str, ...]:
    """The parts that the cluster must come without because the component brings them: CNI, kube-proxy.

    Talos is told by the component. Elsewhere the cluster is made by other means, so the component's value decides on
    kube-proxy where it has one.
    """
    needs = component.cluster_needs
    if criteria.get("os") == "talos" or not needs.replacement:
        return needs.replaces
    without = _replaces_kube_proxy(component)
    return tuple(part for part, there in (("CNI", needs.cni == "none"), ("kube-proxy", without)) if there)


def needed_by(names: Iterable[str], edges: Mapping[str, Collection[str]]) -> frozenset[str]:
    """Some components and all that they wait for, near and far."""
    found: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += edges[name]
    return frozenset(found)


def wait_for_network(edges: Mapping[str, dict[str, Span | None]], network: Collection[str]) -> None:
    """Add an implied edge to each of `network` for every component that none of them needs."""
    before = needed_by(network, edges)
    for name, targets in edges.items():
        if name not in before:
            for other in network:
                targets.setdefault(other, None)


def network_findings(criteria: Mapping[str, str], components: Mapping[str, Component]) -> Iterator[Diagnostic]:
    """What cannot be the network of one cluster: two CNIs, and values that do not fit the kube-proxy that is there."""
    talos = criteria.get("os") == "talos"
    cnis = [item for _, item in sorted(components.items()) if item.cluster_needs.cni == "none"]
    for other in cnis[1:]:
        first, place = cnis[0], _said(other, "cni")
        related = [Related(span, f"`{first.name}` is, too")] if (span := _said(first, "cni")) else []
        text = f"`{other.name}` and `{first.name}` both are the CNI of the cluster"
        yield codes.TWO_CNIS(text, place, related=related, help="leave one of the two out")
    for _, item in sorted(components.items()):
        # Elsewhere nobody knows what is there but the one who says that it is needed.
        if item.cluster_needs.replacement and (talos or item.cluster_needs.kube_proxy):
            yield from _kube_proxy(item, "Talos installs" if talos else "it says that it needs")


def _kube_proxy(component: Component, cause: str) -> Iterator[Diagnostic]:
    """The value that replaces kube-proxy must be true exactly when the cluster comes without one."""
    needs = component.cluster_needs
    installed = needs.kube_proxy is not False
    if _replaces_kube_proxy(component) is not installed:
        return
    path = format_path(needs.replacement)
    other = str(not installed).lower()
    text = (
        f"`{component.name}` has `{path}: true`, and {cause} kube-proxy beside it"
        if installed
        else f"Talos installs no kube-proxy, and `{component.name}` does not have `{path}: true`"
    )
    place, said = value_place(component, needs.replacement), _said(component, "kubeProxy")
    related = [Related(said, f"what {cause}")] if place and said else []
    hint = f"set `{path}` to {other}, or patch the component with `cluster.kubeProxy: {other}`"
    yield codes.KUBE_PROXY(text, place or said, related=related, help=hint)


def _replaces_kube_proxy(component: Component) -> bool:
    value = value_at(component.values, component.cluster_needs.replacement)
    return value is True or value == "true"


def _said(component: Component, key: str) -> Span | None:
    return component.cluster_needs.places.get(key)
