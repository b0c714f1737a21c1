"""Every object's namespace is made by the bundle or there in every cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.needs.namespaces import EVERY_CLUSTER_HAS, makers
from groundswell.check.rule import Found, Rule, about
from groundswell.deploy.scopes import Scope, scope
from groundswell.diagnostics.codes import kubernetes as codes
from groundswell.diagnostics.enumeration import first_few

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import Rendering


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding per folder and namespace. Namespaces of folders that were not rendered count as made."""
    made = {*makers(rendering), *EVERY_CLUSTER_HAS, *rendering.plan.namespaces_owned}
    made |= {folder.namespace for folder in rendering.plan.folders}
    for rendered in rendering.folders.values():
        strangers: dict[str, list[KubeObject]] = {}
        for item in rendered.objects:
            if item.namespace and item.namespace not in made and _in_a_namespace(item, rendering):
                strangers.setdefault(item.namespace, []).append(item)
        for namespace, items in strangers.items():
            subject = first_few([f"`{item.title}`" for item in items], 1)
            message = f"{subject} of `{rendered.folder.name}` needs the namespace `{namespace}`, which nothing makes"
            yield about(codes.NO_NAMESPACE, rendered, message, items[0], path=("metadata", "namespace"))


def _in_a_namespace(item: KubeObject, rendering: Rendering) -> bool:
    """Whether the kind is known to live in namespaces; an unknown kind with a namespace of its own does too."""
    if (item.group, item.kind) in rendering.crds or scope(item.group, item.kind) is Scope.NAMESPACED:
        return True
    return "namespace" in item.metadata


RULE = Rule(
    "namespaces",
    str(__doc__),
    (codes.NO_NAMESPACE,),
    "https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/",
    judge,
)
