"""Every kind is one of Kubernetes' own or defined in the bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.rule import Found, Rule, about
from groundswell.check.served_apis import built_in
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import Rendering


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding per folder and kind, with the number of objects.

    None as long as a folder could not be rendered: that may be the one that defines the kind.
    """
    if not rendering.whole:
        return
    for rendered in rendering.folders.values():
        strangers: dict[tuple[str, str], list[KubeObject]] = {}
        for item in rendered.objects:
            if item.kind and not _known(item, rendering):
                strangers.setdefault((str(item.data.get("apiVersion")), item.kind), []).append(item)
        for (version, kind), items in strangers.items():
            count = f"{len(items)} objects" if len(items) > 1 else f"`{items[0].title}`"
            subject = f"`{rendered.folder.name}` has {count} of kind `{kind}` ({version})"
            message = f"{subject}, which nothing in the bundle defines"
            yield about(codes.UNDEFINED_KIND, rendered, message, items[0] if len(items) == 1 else None)


def _known(item: KubeObject, rendering: Rendering) -> bool:
    return built_in(item.group, item.kind) or (item.group, item.kind) in rendering.crds


RULE = Rule(
    "undefined-kinds",
    str(__doc__),
    (codes.UNDEFINED_KIND,),
    "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/",
    judge,
)
