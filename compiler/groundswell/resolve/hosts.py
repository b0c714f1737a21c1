"""What the hosts of a Cluster file say, as a layer of its own: above mixins, below the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.catalog.value_path import format_path
from groundswell.resolve.layers import HOSTS_LABEL, Kind, Layer, inside
from groundswell.resolve.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.catalog.entries import ComponentEntry
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.query import HostValues
    from groundswell.resolve.resolution import Origin, Path, Resolution
    from groundswell.resolve.stack import Stack
    from groundswell.source.located import Json, Located
    from groundswell.source.span import Span


def mixins_for(hosts: HostValues) -> dict[str, str]:
    """The mixins that bring what the hosts need, each with the reason."""
    return dict.fromkeys(hosts.plugins, f"cluster {hosts.cluster} has VFIO devices for it")


def missing_plugins(hosts: HostValues, stacks: Mapping[str, Stack]) -> Iterator[Diagnostic]:
    """Device plugins that no mixin of the catalog brings."""
    from groundswell.diagnostics.codes.talos import NO_DEVICE_PLUGIN  # noqa: PLC0415  only a Cluster file needs it

    for name, values in hosts.plugins.items():
        if name not in stacks:
            yield NO_DEVICE_PLUGIN(f"the catalog has no mixin that brings `{name}`", values.span)


def place_hosts(hosts: HostValues, components: Mapping[str, ComponentEntry], trees: Mapping[str, Tree]) -> None:
    """Write what the hosts say into the values of the plan's components."""
    for name, tree in trees.items():
        paths = components[name].instances
        for values in _values(hosts, name, paths):
            tree.overlay(values, _layer(hosts))


def other_hosts(hosts: HostValues, resolution: Resolution, span: Span) -> Iterator[Diagnostic]:
    """Whether a resolution was made for other hosts than these: what they wrote into it tells.

    `span` is the place of the resolution's components.
    """
    from groundswell.diagnostics.codes.talos import OTHER_HOSTS  # noqa: PLC0415  only a Cluster file needs it

    before = {component.name: _written(component.origins) for component in resolution.components if component.enabled}
    left_out = {component.name for component in resolution.components if not component.enabled}
    plugins = {name: _leaves(values) for name, values in hosts.plugins.items() if name not in left_out}
    pods = _leaves(hosts.instances) if hosts.instances is not None else {}
    for name in sorted(before.keys() | plugins.keys()):
        written = before.get(name, {})
        given = plugins.get(name, {})
        if written != given and (given or not _holds(written, pods)):
            text = f"what the recipe gives `{name}` is not what the hosts of cluster `{hosts.cluster}` give it"
            yield OTHER_HOSTS(text, span)


def _written(origins: Mapping[Path, tuple[Origin, ...]]) -> dict[Path, Json]:
    """What the hosts of any cluster wrote, by path."""
    return {
        path: origin.value
        for path, writes in origins.items()
        for origin in writes
        if origin.layer.startswith(f"{HOSTS_LABEL} ")
    }


def _leaves(values: Located) -> dict[Path, Json]:
    tree = Tree(format_path)
    tree.overlay(values, Layer(Kind.HOSTS, "", ""))
    return {path: writes[-1].value for path, writes in tree.origins().items()}


def _holds(written: Mapping[Path, Json], pods: Mapping[Path, Json]) -> bool:
    """Whether the leaves of instances, and nothing else, were written below some path."""
    ends = {path[at:]: value for path, value in written.items() for at in range(len(path))}
    ours = all(pods.keys() & {path[at:] for at in range(len(path))} for path in written)
    return ours and all(path in ends and ends[path] == value for path, value in pods.items())


def _values(hosts: HostValues, name: str, paths: tuple[Path, ...]) -> Iterator[Located]:
    if name in hosts.plugins:
        yield hosts.plugins[name]
    if hosts.instances is not None:
        yield from (inside(path, hosts.instances) for path in paths)


def _layer(hosts: HostValues) -> Layer:
    return Layer(Kind.HOSTS, hosts.cluster, "its hosts are prepared for it")
