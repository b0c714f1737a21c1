"""Objects have the names, the amounts and the combinations of fields that the API server's own code accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.rule import Found, Rule, about
from groundswell.check.schema.violation import Violation
from groundswell.diagnostics.codes import validation as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.rendering import Rendering


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each fault."""
    for rendered in rendering.folders.values():
        for item, own in zip(rendered.objects, rendered.alone, strict=True):
            for fault in own.faults:
                where = Violation(fault.path, "").where
                message = f"`{item.title}`: `{where}` {fault.message}"
                yield about(fault.code, rendered, message, item, path=fault.path)


RULE = Rule(
    "validation",
    str(__doc__),
    (codes.BAD_NAME, codes.BAD_QUANTITY, codes.NOT_VALID),
    "https://kubernetes.io/docs/concepts/overview/working-with-objects/names/",
    judge,
)
