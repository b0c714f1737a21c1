"""A dependency between components has a reason in their objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.needs import needs_of
from groundswell.check.objects import mapping
from groundswell.check.rule import Found, Rule, about
from groundswell.deploy.places import field_place
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import RenderedFolder, Rendering
    from groundswell.source.located import Json

_DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class"


def judge(rendering: Rendering) -> Iterator[Found]:
    """One hint for each declared dependency between two components of which every folder was rendered."""
    component_of = {name: rendered.component.name for name, rendered in rendering.folders.items()}
    reasons = set()
    for need in needs_of(rendering):
        user = component_of[need.user.folder]
        providers = {component_of[provider] for provider in need.providers}
        reasons |= {(user, provider) for provider in providers}
        if need.either:
            reasons |= {(provider, user) for provider in providers}
    whole = set(component_of.values()) - {
        folder.component for folder in rendering.plan.folders if folder.name not in rendering.folders
    }
    for name in sorted(whole):
        component = rendering.plan.components[name]
        for other in component.dependencies:
            if rendering.plan.components[other].cluster_needs.cni == "none":
                continue  # before the CNI runs, no pod outside of the hosts' network does
            if other in whole and (name, other) not in reasons and not _speaks_of(rendering, name, other):
                message = f"`{name}` waits for `{other}`, but none of its objects refers to what `{other}` brings"
                place = field_place(component, f"dependencyRefs.{other}")
                yield about(codes.EDGE_UNUSED, _of(rendering, name)[0], message, place=place)


def _of(rendering: Rendering, component: str) -> list[RenderedFolder]:
    return [rendered for rendered in rendering.folders.values() if rendered.component.name == component]


def _speaks_of(rendering: Rendering, name: str, other: str) -> bool:
    """Whether one component asks for an API of the other, or names a group of it (such as in its rights) or a service.

    Or has a claim without a class, while the other brings the class of such claims.
    """
    users, providers = _of(rendering, name), _of(rendering, other)
    folders = {rendered.folder.name for rendered in providers}
    brought = [crd for crds in rendering.crds.values() for crd in crds if crd.definition.folder in folders]
    apis = {api for crd in brought for api in crd.apis}
    if any(api in apis for rendered in users for api, _ in rendered.facts.apis):
        return True
    if any(map(_default_class, _objects(providers))) and any(_claims_default(item.data) for item in _objects(users)):
        return True
    services = {
        f"{item.name}.{item.namespace}" for rendered in providers for item in rendered.objects if _service(item)
    }
    words = services | {crd.group for crd in brought}
    return any(word.encode() in rendered.text for rendered in users for word in words)


def _objects(folders: Iterable[RenderedFolder]) -> Iterator[KubeObject]:
    return (item for rendered in folders for item in rendered.objects)


def _default_class(item: KubeObject) -> bool:
    """Whether it is the StorageClass that claims get which name none."""
    return item.kind == "StorageClass" and item.annotations.get(_DEFAULT_CLASS) == "true"


def _claims_default(node: Json) -> bool:
    """Whether a claim, or a template for claims anywhere in an object, names no class."""
    if isinstance(node, list):
        return any(map(_claims_default, node))
    if not isinstance(node, dict):
        return False
    asked = mapping(mapping(node.get("resources")).get("requests"))
    return ("storage" in asked and "storageClassName" not in node) or any(map(_claims_default, node.values()))


def _service(item: KubeObject) -> bool:
    return item.kind == "Service" and not item.group


RULE = Rule(
    "unused-edges",
    str(__doc__),
    (codes.EDGE_UNUSED,),
    "https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/",
    judge,
)
