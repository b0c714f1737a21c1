"""A dependency between components has a reason in their objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.needs import needs_of
from groundswell.check.rule import Found, Rule, about
from groundswell.deploy.places import field_place
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """Whether the text of one asks for an API of the other, or calls a service of it by its name and namespace."""
    users, providers = _of(rendering, name), _of(rendering, other)
    texts = [rendered.text for rendered in users]
    asked = {api for rendered in users for api in rendered.facts.apis}
    brought = {
        api
        for crds in rendering.crds.values()
        for crd in crds
        if crd.definition.folder in {rendered.folder.name for rendered in providers}
        for api in crd.apis
    }
    services = [
        f"{item.name}.{item.namespace}"
        for rendered in providers
        for item in rendered.objects
        if item.kind == "Service" and not item.group
    ]
    return bool(asked & brought) or any(service in text for service in services for text in texts)


RULE = Rule(
    "unused-edges",
    str(__doc__),
    (codes.EDGE_UNUSED,), "", judge)
