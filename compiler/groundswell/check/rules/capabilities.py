"""A chart that asks the cluster for an API is rendered after the folder that brings it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.needs import needs_of
from groundswell.check.rule import Found, Rule, about
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.rendering import Rendering


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each component that a chart should wait for, unless objects of it need that one anyway."""
    needed = {(need.user.folder, provider) for need in needs_of(rendering) for provider in need.providers}
    brought: dict[str, set[str]] = {}
    for crds in rendering.crds.values():
        for crd in crds:
            for api in crd.apis:
                brought.setdefault(api, set()).add(crd.definition.folder)
    for name, rendered in rendering.folders.items():
        late: dict[str, list[str]] = {}
        for api in dict.fromkeys(api for api, _ in rendered.facts.apis):
            folders = brought.get(api, set())
            if any((name, other) in needed for other in folders):
                continue
            if folders and name not in folders and not any(rendering.before(other, name) for other in folders):
                late.setdefault(rendering.folders[min(folders)].component.name, []).append(api)
        for component, apis in late.items():
            if name != component and rendered.component.name not in rendering.waits_for(component):
                message = f"`{name}` leaves objects out unless the cluster has `{apis[0]}`, which `{component}` brings"
                advice = f"add to `{rendered.component.name}`: `dependencyRefs: [{component}]`"
                yield about(codes.API_TOO_LATE, rendered, message, advice=advice)


RULE = Rule(
    "capabilities",
    str(__doc__),
    (codes.API_TOO_LATE,),
    "https://helm.sh/docs/chart_template_guide/builtin_objects/",
    judge,
)
