"""Components that bring the network of a Talos cluster: they come before all others (docs/plan.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.deploy.places import value_place
from groundswell.diagnostics.codes import plan as codes
from groundswell.diagnostics.diagnostic import Related

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Component
    from groundswell.source.located import Json
    from groundswell.source.span import Span


def network_components(criteria: Mapping[str, str], components: Mapping[str, Component]) -> tuple[str, ...]:
    """The enabled components in whose place Talos installs no CNI or no kube-proxy, sorted; none on other systems."""
    if criteria.get("os") != "talos":
        return ()
    return tuple(sorted(name for name, item in components.items() if item.cluster_needs.replaces))


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
    """What cannot be the network of one cluster: two CNIs, and values that do not fit what Talos installs."""
    if criteria.get("os") != "talos":
        return
    cnis = [item for _, item in sorted(components.items()) if item.cluster_needs.cni == "none"]
    for other in cnis[1:]:
        first, place = cnis[0], _said(other, "cni")
        related = [Related(span, f"`{first.name}` is, too")] if (span := _said(first, "cni")) else []
        text = f"`{other.name}` and `{first.name}` both are the CNI of the cluster"
        yield codes.TWO_CNIS(text, place, related=related, help="leave one of the two out")
    for _, item in sorted(components.items()):
        if item.cluster_needs.replacement:
            yield from _kube_proxy(item)


def _kube_proxy(component: Component) -> Iterator[Diagnostic]:
    """The value that replaces kube-proxy must be true exactly when Talos installs none."""
    needs = component.cluster_needs
    installed = needs.kube_proxy is not False
    value = _at(component.values, needs.replacement)
    if (value is True or value == "true") is not installed:
        return
    path = ".".join(needs.replacement)
    other = str(not installed).lower()
    text = (
        f"`{component.name}` has `{path}: true`, and Talos installs kube-proxy beside it"
        if installed
        else f"Talos installs no kube-proxy, and `{component.name}` does not have `{path}: true`"
    )
    place, cause = value_place(component, needs.replacement), _said(component, "kubeProxy")
    related = [Related(cause, "what Talos installs")] if place and cause else []
    hint = f"set `{path}` to {other}, or patch the component with `talos.cluster.kubeProxy: {other}`"
    yield codes.KUBE_PROXY(text, place or cause, related=related, help=hint)


def _said(component: Component, key: str) -> Span | None:
    return component.cluster_needs.places.get(key)


def _at(values: Json, path: Iterable[str]) -> Json:
    for key in path:
        values = values.get(key) if isinstance(values, dict) else None
    return values
