"""Every folder has objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.rule import Found, Rule, about
from groundswell.check.served_apis import served_names
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.rendering import Rendering


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each folder that helm prints no object for, unless the chart makes that depend on the cluster.

    What every cluster of the target version serves decides nothing.
    """
    always = set(served_names(rendering.target.minor))
    for rendered in rendering.folders.values():
        facts = rendered.facts
        depends = facts.asks_unnamed or any(api not in always for api, _ in facts.apis)
        if not rendered.objects and not depends:
            message = f"helm renders `{rendered.folder.name}` to no object at all"
            yield about(codes.NO_OBJECTS, rendered, message)


RULE = Rule(
    "empty-folders",
    str(__doc__),
    (codes.NO_OBJECTS,),
    "https://helm.sh/docs/helm/helm_template/",
    judge,
)
