"""A dependency between components has a reason in their objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.needs import needs_of
from groundswell.check.rule import Found, Rule, about
from groundswell.deploy.places import field_place
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import RenderedFolder, Rendering


def judge(rendering: Rendering) -> Iterator[Found]:
    """One hint for each declared dependency between two components of which every folder was rendered."""
    component_of = {name: rendered.component.name for name, rendered in rendering.folders.items()}
    reasons = {
        (component_of[need.user.folder], component_of[provider])
        for need in needs_of(rendering)
        for provider in need.providers
    }
    whole = set(component_of.values()) - {
        folder.component for folder in rendering.plan.folders if folder.name not in rendering.folders
    }
    for name in sorted(whole):
        component = rendering.plan.components[name]
        for other in component.dependencies:
            if other in whole and (name, other) not in reasons and not _speaks_of(rendering, name, other):
                message = f"`{name}` waits for `{other}`, but none of its objects refers to what `{other}` brings"
                place = field_place(component, f"dependencyRefs.{other}")
                yield about(codes.EDGE_UNUSED, _of(rendering, name)[0], message, place=place)


def _of(rendering: Rendering, component: str) -> list[RenderedFolder]:
    return [rendered for rendered in rendering.folders.values() if rendered.component.name == component]


def _speaks_of(rendering: Rendering, name: str, other: str) -> bool:
    """Whether one component asks for an API of the other, names a group of it (such as in its rights), or a service."""
    users, providers = _of(rendering, name), _of(rendering, other)
    folders = {rendered.folder.name for rendered in providers}
    brought = [crd for crds in rendering.crds.values() for crd in crds if crd.definition.folder in folders]
    apis = {api for crd in brought for api in crd.apis}
    if any(api in apis for rendered in users for api in rendered.facts.apis):
        return True
    services = {
        f"{item.name}.{item.namespace}" for rendered in providers for item in rendered.objects if _service(item)
    }
    words = services | {crd.group for crd in brought}
    return any(word in rendered.text for rendered in users for word in words)


def _service(item: KubeObject) -> bool:
    return item.kind == "Service" and not item.group


RULE = Rule(
    "unused-edges",
    str(__doc__),
    (codes.EDGE_UNUSED,),
    "https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/",
    judge,
)
