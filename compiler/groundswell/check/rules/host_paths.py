"""On Talos host paths are there, or can be made."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from groundswell.check.nodes import candidates
from groundswell.check.objects import mapping, sequence
from groundswell.check.rule import Found, Rule, about
from groundswell.check.talos_paths import bringers, cannot_be_made
from groundswell.diagnostics.codes import pods as codes
from groundswell.talos.version import OLDEST, parse_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.pods import PodTemplate
    from groundswell.check.rendering import Rendering


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each path of a template that nothing brings or that cannot be made.

    A path that does not begin at the root is passed over: it is one of another system, or the runtime refuses it.
    """
    if rendering.plan.resolution.criteria.get("os") != "talos":
        return
    for template in rendering.pods:
        for index, volume in enumerate(() if template.for_windows else sequence(template.spec.get("volumes"))):
            path = mapping(mapping(volume).get("hostPath")).get("path")
            if isinstance(path, str) and path.startswith("/"):
                yield from _volume(rendering, template, index)


def _volume(rendering: Rendering, template: PodTemplate, index: int) -> Iterator[Found]:
    rendered = rendering.folders[template.owner.folder]
    volume = mapping(sequence(template.spec.get("volumes"))[index]["hostPath"])
    place = (*template.path, "volumes", index, "hostPath", "path")
    path = posixpath.normpath(f"/{volume['path'].lstrip('/')}")
    subject = f"`{template.owner.title}` in `{rendered.folder.name}` mounts the host's `{path}`,"
    if cannot_be_made(path, str(volume.get("type") or ""), _release(rendering)):
        message = f"{subject} which Talos does not have and cannot make"
        yield about(codes.READ_ONLY_PATH, rendered, message, template.owner, path=place)
    nodes = candidates(rendering, template.spec)
    for bringer in bringers() if nodes else ():
        if bringer.covers(path) and not any(bringer.within(node.software) for node in nodes):
            message = f"{subject} which only the {bringer.kind} `{bringer.names[0]}` brings"
            advice = f"say in the component's `talos` block that it needs `{bringer.names[0]}`"
            yield about(codes.PATH_WITHOUT_EXTENSION, rendered, message, template.owner, path=place, advice=advice)


def _release(rendering: Rendering) -> tuple[int, int]:
    """The release of the Cluster file, else that of the recipe; the oldest, which has most, where none is stated."""
    if rendering.cluster is not None:
        return rendering.cluster.target.version.release
    version, _ = parse_version(rendering.plan.resolution.talos_version)
    return version.release if version else OLDEST


RULE = Rule(
    "host-paths",
    str(__doc__),
    (codes.READ_ONLY_PATH, codes.PATH_WITHOUT_EXTENSION),
    "https://www.talos.dev/latest/learn-more/architecture/",
    judge,
)
