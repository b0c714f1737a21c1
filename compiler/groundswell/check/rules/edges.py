"""What the objects of one folder need of another is installed before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.needs import needs_of
from groundswell.check.rule import Found, Rule, about
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.needs.need import Need
    from groundswell.check.rendering import RenderedFolder, Rendering

_SHOWN = 2


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each pair of folders whose order matters and is not fixed.

    Hooks of a deletion need nothing yet; a dependency because of what they need is none without a reason, though.
    """
    missing: dict[tuple[str, str], list[Need]] = {}
    for need in needs_of(rendering):
        if not need.user.installed:
            continue
        user = need.user.folder
        if any(rendering.before(provider, user) for provider in need.providers):
            continue
        if need.either and any(rendering.before(user, provider) for provider in need.providers):
            continue
        missing.setdefault((user, need.providers[0]), []).append(need)
    for (user, provider), needs in missing.items():
        yield _found(rendering, rendering.folders[user], rendering.folders[provider], needs)


def _found(rendering: Rendering, user: RenderedFolder, provider: RenderedFolder, needs: list[Need]) -> Found:
    shown = list(dict.fromkeys(f"`{need.user.title}` needs {need.what}" for need in needs))
    others = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    message = f"{'; '.join(shown[:_SHOWN])}{others}, from `{provider.folder.name}`"
    first, path = needs[0].user, needs[0].path
    if user.component.name == provider.component.name:
        advice = "list the manifest under `manifestFiles`, which come after the chart"
        return about(codes.PHASE_TOO_EARLY, user, message, first, path=path, advice=advice)
    advice = f"add to `{user.component.name}`: `dependencyRefs: [{provider.component.name}]`"
    if user.component.name in rendering.waits_for(provider.component.name):
        edge = f"`{provider.component.name}` waits for `{user.component.name}`"
        advice = f"{edge}: turn that dependency around, or move the object"
    return about(codes.EDGE_MISSING, user, message, first, path=path, advice=advice)


RULE = Rule(
    "edges",
    str(__doc__),
    (codes.EDGE_MISSING, codes.PHASE_TOO_EARLY),
    "https://helm.sh/docs/chart_best_practices/custom_resource_definitions/",
    judge,
)
