"""Objects fit the schema of their kind: that of the target version, or that of a definition in the bundle."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from groundswell.check.crds import is_crd
from groundswell.check.objects import mapping, sequence
from groundswell.check.rule import Found, Rule, about
from groundswell.check.schema.kubernetes import METADATA, Builtin, builtin
from groundswell.check.schema.validate import Rules, Violation, violations
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import RenderedFolder, Rendering
    from groundswell.source.located import Json


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each value that does not fit, and one for the unknown fields of an object together."""
    known = schemas_for(rendering.target.minor)
    for rendered in rendering.folders.values():
        for item in rendered.objects:
            problems = list(_violations(item, rendering, known))
            for problem in problems:
                if not problem.unknown:
                    yield about(codes.UNFIT, rendered, f"`{item.title}`: `{problem.where}` {problem.message}", item)
            yield from _unknown(rendered, item, [problem for problem in problems if problem.unknown])


@lru_cache(maxsize=2)
def schemas_for(minor: int) -> Builtin | None:
    """The built-in schemas, read once: they do not change during a run."""
    return builtin(minor)


def _violations(item: KubeObject, rendering: Rendering, known: Builtin | None) -> Iterator[Violation]:
    for crd in rendering.crds.get((item.group, item.kind), ()):
        schema = crd.schema(item.version)
        if schema is not None:
            yield from violations(item.data, schema, Rules({}, structural=True))
            if known is not None:
                rules = Rules(known.definitions)
                yield from violations(item.metadata, known.definitions[METADATA], rules, ("metadata",))
        return
    if known is not None:
        name = known.kinds.get((item.group, item.version, item.kind))
        if name is not None:
            data = _without_schemas(item.data) if is_crd(item) and not item.whole else item.data
            yield from violations(data, known.definitions[name], Rules(known.definitions))


def _without_schemas(data: Mapping[str, Json]) -> Mapping[str, Json]:
    """A definition without the schemas inside: megabytes that a generator wrote, and none of the bundle's doing."""
    spec = mapping(data.get("spec"))
    versions = [{**mapping(version), "schema": {}} for version in sequence(spec.get("versions"))]
    return {**data, "spec": {**spec, "versions": versions}}


def _unknown(rendered: RenderedFolder, item: KubeObject, problems: list[Violation]) -> Iterator[Found]:
    if problems:
        first, *more = problems
        others = f" (and {len(more)} more)" if more else ""
        yield about(codes.UNKNOWN_FIELD, rendered, f"`{item.title}`: `{first.where}` {first.message}{others}", item)


RULE = Rule(
    "schemas",
    str(__doc__),
    (codes.UNFIT, codes.UNKNOWN_FIELD),
    "https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation",
    judge,
)
