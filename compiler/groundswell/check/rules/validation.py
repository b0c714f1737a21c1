"""Objects have the names, the amounts and the combinations of fields that the API server's own code accepts."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from groundswell.check.rule import Found, Rule, about
from groundswell.check.rules.schemas import schemas_for
from groundswell.check.schema.violation import Violation
from groundswell.check.validation.fault import Context
from groundswell.check.validation.shapes import Shapes
from groundswell.check.validation.table import faults, validated
from groundswell.diagnostics.codes import validation as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.rendering import Rendering


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each fault. Which values have which definition is told by the schemas, so they must be there."""
    minor = rendering.target.minor
    known = schemas_for(minor)
    shapes = _shapes(minor)
    if known is None or shapes is None:
        return
    context = Context(minor, known.definitions)
    for rendered in rendering.folders.values():
        for item in rendered.objects:
            if not item.kind or not item.version:
                continue
            definition = known.kinds.get((item.group, item.version, item.kind))
            for fault in faults(item, definition, shapes, context):
                where = Violation(fault.path, "").where
                message = f"`{item.title}`: `{where}` {fault.message}"
                yield about(fault.code, rendered, message, item, path=fault.path)


@lru_cache(maxsize=2)
def _shapes(minor: int) -> Shapes | None:
    """The parts of the built-in definitions that matter here: read once, as the definitions are."""
    known = schemas_for(minor)
    return None if known is None else Shapes(known.definitions, validated())


RULE = Rule(
    "validation",
    str(__doc__),
    (codes.BAD_NAME, codes.BAD_QUANTITY, codes.NOT_VALID),
    "https://kubernetes.io/docs/concepts/overview/working-with-objects/names/",
    judge,
)
