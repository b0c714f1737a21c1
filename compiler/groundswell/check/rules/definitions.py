"""No release brings a definition as a template and a resource of that kind beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.rule import Found, Rule, about
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.rendering import Rendering


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each resource; hooks are created later than the rest, so they are fine."""
    for rendered in rendering.folders.values():
        for item in rendered.objects:
            crds = rendering.crds.get((item.group, item.kind), ())
            beside = [crd for crd in crds if crd.definition.folder == rendered.folder.name]
            if beside and not item.hook and not any(crd.ahead for crd in beside):
                definition = beside[0].definition.name
                message = f"`{item.title}` is in the same release as the template of its definition, `{definition}`"
                yield about(codes.DEFINED_BESIDE, rendered, message, item)


RULE = Rule(
    "definitions",
    str(__doc__),
    (codes.DEFINED_BESIDE,),
    "https://helm.sh/docs/chart_best_practices/custom_resource_definitions/",
    judge,
)
