"""A chart that asks the cluster for an API is rendered after the folder that brings it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.late_apis import bringing
from groundswell.check.needs import needs_of
from groundswell.check.rule import Found, Rule, about
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.rendering import Rendering


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each component that a chart should wait for, unless objects of it need that one anyway.

    A chart whose values switch off what would ask comes out the same with the API and without it.
    """
    needed = {(need.user.folder, provider) for need in needs_of(rendering) for provider in need.providers}
    brought = bringing(rendering)
    for name, rendered in rendering.folders.items():
        named = {api for api, _ in rendered.facts.apis}
        own = rendered.component.name
        late: dict[str, list[str]] = {}
        for api in rendered.late_apis:
            if not any((name, other) in needed for other in brought[api]):
                late.setdefault(rendering.folders[min(brought[api])].component.name, []).append(api)
        for component, apis in late.items():
            if own in rendering.waits_for(component):
                continue
            message = f"`{name}` leaves objects out unless the cluster has `{apis[0]}`, which `{component}` brings"
            if apis[0] not in named:
                message = f"`{name}` comes out otherwise when the cluster has the APIs that `{component}` brings"
            advice = f"add to `{own}`: `dependencyRefs: [{component}]`"
            if own == component:
                advice = "move what brings the API to `preManifestFiles`, or what asks for it to `manifestFiles`"
            yield about(codes.API_TOO_LATE, rendered, message, advice=advice)


RULE = Rule(
    "capabilities",
    str(__doc__),
    (codes.API_TOO_LATE,),
    "https://helm.sh/docs/chart_template_guide/builtin_objects/",
    judge,
)
