"""On Talos pods leave kernel modules to the node layer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.check.nodes import candidates
from groundswell.check.objects import mapping, sequence
from groundswell.check.pod_requests import containers_at
from groundswell.check.rule import Found, Rule, about
from groundswell.check.template_values import values_read
from groundswell.diagnostics.codes import pods as codes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.pod_requests import Path
    from groundswell.check.pods import PodTemplate
    from groundswell.check.rendering import Rendering
    from groundswell.source.located import Json

_WITHHELD = frozenset({"SYS_MODULE", "SYS_BOOT"})
_LOADED = re.compile(r"\bmodprobe((?:[ \t]+(?:-[\w-]+|[a-z][a-z0-9_-]*))+)")
_TELLING = re.compile(r"capabilit|security", re.IGNORECASE)
_SHOWN = 2


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each capability that no container gets, and for each module that nobody loads."""
    if rendering.plan.resolution.criteria.get("os") != "talos":
        return
    for template in rendering.pods:
        for path, container in containers_at(template.spec):
            yield from _capabilities(rendering, template, path, container)
            yield from _modules(rendering, template, path, container)


def _capabilities(
    rendering: Rendering, template: PodTemplate, path: Path, container: Mapping[str, Json]
) -> Iterator[Found]:
    security = mapping(container.get("securityContext"))
    for index, name in enumerate(sequence(mapping(security.get("capabilities")).get("add"))):
        if str(name).removeprefix("CAP_") in _WITHHELD:
            rendered = rendering.folders[template.owner.folder]
            message = f"{_subject(rendering, template, container)} adds the capability `{name}`, so it does not start"
            values = [f"`{value}`" for value in values_read(rendered, template.owner, _TELLING)]
            advice = f"look at the values that its template reads: {', '.join(values[:_SHOWN])}" if values else ""
            place = (*template.path, *path, "securityContext", "capabilities", "add", index)
            yield about(codes.CAPABILITY_WITHHELD, rendered, message, template.owner, path=place, advice=advice)


def _modules(rendering: Rendering, template: PodTemplate, path: Path, container: Mapping[str, Json]) -> Iterator[Found]:
    nodes = candidates(rendering, template.spec)
    for module in modules_loaded(container):
        if nodes and not any(module in node.software.modules for node in nodes):
            rendered = rendering.folders[template.owner.folder]
            message = f"{_subject(rendering, template, container)} loads the kernel module `{module}`, which no pod can"
            advice = f"say in the component's `talos` block: `kernelModules: [{module}]`"
            place = (*template.path, *path, "command")
            yield about(codes.MODULE_NOT_LOADED, rendered, message, template.owner, path=place, advice=advice)


def modules_loaded(container: Mapping[str, Json]) -> list[str]:
    """The modules that a container's command hands to `modprobe`, as the kernel spells them."""
    words = [*sequence(container.get("command")), *sequence(container.get("args"))]
    text = " ".join(word for word in words if isinstance(word, str))
    names = [name for found in _LOADED.findall(text) for name in found.split() if not name.startswith("-")]
    return list(dict.fromkeys(name.replace("-", "_") for name in names))


def _subject(rendering: Rendering, template: PodTemplate, container: Mapping[str, Json]) -> str:
    folder = rendering.folders[template.owner.folder].folder.name
    return f"container `{container.get('name')}` of `{template.owner.title}` in `{folder}`"


RULE = Rule(
    "kernel-modules",
    str(__doc__),
    (codes.CAPABILITY_WITHHELD, codes.MODULE_NOT_LOADED),
    "https://www.talos.dev/latest/learn-more/process-capabilities/",
    judge,
)
