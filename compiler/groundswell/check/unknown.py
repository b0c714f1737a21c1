"""What the rules over both layers could not judge, since neither the objects nor the Cluster file say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.nodes import names_a_host, nodes_of
from groundswell.check.pod_requests import containers, pod_requests
from groundswell.check.rules.architectures import architecture

if TYPE_CHECKING:
    from groundswell.check.rendering import Rendering


def unknowns(rendering: Rendering) -> tuple[str, ...]:
    """One phrase for each thing that is not known; none without a Cluster file, since then nothing was judged."""
    if rendering.cluster is None:
        return ()
    images: set[str] = set()
    asked: set[str] = set()
    named = False
    for template in rendering.pods:
        named = named or names_a_host(template.spec)
        images |= {str(container.get("image")) for container in containers(template.spec)}
        asked |= pod_requests(template.spec).keys()
    unnamed = sum(architecture(image) is None for image in images)
    found = [f"the architectures of {unnamed} of {len(images)} images, whose names do not say"] if unnamed else []
    nodes = nodes_of(rendering)
    if named and not rendering.cluster.set_hostnames:
        found.append("whether nodes are called as their hosts, by which pods select them, without `setHostnames`")
    for resource in sorted(asked):
        hosts = [f"`{node.name}`" for node in nodes if node.provides(resource) is None]
        if hosts and resource != "ephemeral-storage":
            found.append(f"how much `{resource}` there is on {', '.join(hosts)}")
    return tuple(found)
