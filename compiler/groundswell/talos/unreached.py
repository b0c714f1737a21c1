"""Components that ask something of machines that a cluster does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos as codes
from groundswell.talos.wants import CONTROL_PLANES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Component
    from groundswell.talos.cluster import Cluster

_ACCELERATED = "accelerated"


def unreached(cluster: Cluster, components: Iterable[Component], criteria: Mapping[str, str]) -> Iterator[Diagnostic]:
    """A finding for each component that asks something of classes of machines that are not there.

    That a cluster has no accelerators is no news where the query (`criteria`) states none.
    """
    present = frozenset[str]().union(*(host.classes for host in cluster.hosts))
    expected = present if "accelerator" in criteria else present | {_ACCELERATED}
    for component in components:
        missing = [needs for needs in component.node_needs if needs.on not in expected]
        if missing:
            classes = ", ".join(f"`on: {name}`" for name in dict.fromkeys(needs.on for needs in missing))
            text = f"`{component.name}` asks something of machines ({classes}) that the cluster does not have"
            yield codes.NO_MACHINE(text, missing[0].span)
        if component.cluster_needs.replaces and CONTROL_PLANES not in present:
            text = f"`{component.name}` asks something of control planes, and the cluster describes none"
            place = next(iter(component.cluster_needs.places.values()), None)
            yield codes.NO_MACHINE(text, place, help="describe the control planes, too, or configure them by hand")
