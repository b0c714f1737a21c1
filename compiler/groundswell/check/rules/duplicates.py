"""Every object belongs to one folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.rule import Found, Rule, about
from groundswell.diagnostics.codes import kubernetes as codes
from groundswell.diagnostics.diagnostic import Related

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.objects import Identity, KubeObject
    from groundswell.check.rendering import Rendering


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each further owner of an object, and one for an object that a folder holds twice."""
    owners: dict[Identity, KubeObject] = {}
    for name, rendered in rendering.folders.items():
        for item in rendered.objects:
            if not item.name:
                continue
            first = owners.setdefault(item.identity, item)
            if first is item or (first.folder == name and (first.hook or item.hook)):
                continue
            where = "twice in" if first.folder == name else f"in `{first.folder}` and in"
            place = rendering.folders[first.folder].place
            related = [Related(place, "the first one comes from here")] if place and first.folder != name else []
            yield about(codes.OWNED_TWICE, rendered, f"`{item.title}` is {where} `{name}`", item, related=related)


RULE = Rule(
    "duplicates",
    str(__doc__),
    (codes.OWNED_TWICE,),
    "https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#fail-the-sync-if-a-shared-resource-is-found",
    judge,
)
