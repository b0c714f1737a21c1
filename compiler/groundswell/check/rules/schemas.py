"""Objects fit the schema of their kind: that of the target version, or that of a definition in the bundle."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from groundswell.check.crds import complete, is_crd
from groundswell.check.objects import mapping, sequence
from groundswell.check.rule import Found, Rule, about
from groundswell.check.schema.definition import faults
from groundswell.check.schema.kubernetes import METADATA, Builtin, builtin
from groundswell.check.schema.sound import sound
from groundswell.check.schema.validate import Rules, custom_violations, violations
from groundswell.check.schema.violation import Effect, Violation
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import RenderedFolder, Rendering
    from groundswell.check.schema.kubernetes import Kind
    from groundswell.check.schema.violation import Schema
    from groundswell.source.located import Json

_OTHERWISE = {
    Effect.DROPPED: "the API server drops the field",
    Effect.NULL: "the API server drops the null",
    Effect.TWICE: "the API server may keep both entries, and the program takes one of them",
}
"""What comes of it where objects are written in another way than with server-side apply."""


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each value that does not fit, and one for the unknown fields of an object together."""
    known = schemas_for(rendering.target.minor)
    custom: dict[Kind, tuple[Schema, ...]] = {}
    for rendered in rendering.folders.values():
        for item in rendered.objects:
            absent = next((name for name in ("apiVersion", "kind") if not item.data.get(name)), None)
            if absent:
                message = f"`{rendered.folder.name}` has an object without `{absent}`: `{item.title}`"
                yield about(codes.UNFIT, rendered, message, item)
                continue
            kind = (item.group, item.version, item.kind)
            if kind not in custom:
                custom[kind] = tuple(map(sound, _served(kind, rendering)))
            problems = list(_violations(item, rendered, custom[kind], known))
            for problem in problems:
                if problem.effect is not Effect.DROPPED:
                    yield from _told(problem, rendered, item, rendering)
            dropped = [problem for problem in problems if problem.effect is Effect.DROPPED]
            sure = item.custom or (known is not None and known.minor == rendering.target.minor)
            yield from _unknown(rendered, item, dropped, rendering, sure=sure)


@lru_cache(maxsize=2)
def schemas_for(minor: int) -> Builtin | None:
    """The built-in schemas, read once: they do not change during a run."""
    return builtin(minor)


def _served(kind: Kind, rendering: Rendering) -> Iterator[Schema]:
    """The schemas that definitions in the bundle have for a kind, in the version in which they serve it."""
    group, version, name = kind
    schemas = (crd.schema(version) for crd in rendering.crds.get((group, name), ()))
    return (schema for schema in schemas if schema is not None)


def _violations(
    item: KubeObject, rendered: RenderedFolder, custom: tuple[Schema, ...], known: Builtin | None
) -> Iterator[Violation]:
    for schema in custom:
        yield from custom_violations(item.data, schema)
        if known is not None:
            rules = Rules(known.definitions)
            yield from violations(item.metadata, known.definitions[METADATA], rules, ("metadata",))
    if custom:
        return
    data = item.data
    if is_crd(item):
        read = not item.whole or rendered.chart is None
        data = complete(item) if read else _without_schemas(data)
        yield from faults(data, schemas=read) if item.version == "v1" else ()
    name = known.kinds.get((item.group, item.version, item.kind)) if known else None
    if known and name:
        yield from violations(data, known.definitions[name], Rules(known.definitions))


def _without_schemas(data: Mapping[str, Json]) -> Mapping[str, Json]:
    """A definition without the schemas inside: megabytes that a generator wrote, and none of the bundle's doing."""
    spec = mapping(data.get("spec"))
    versions = [{**mapping(version), "schema": {}} for version in sequence(spec.get("versions"))]
    return {**data, "spec": {**spec, "versions": versions}}


def _told(problem: Violation, rendered: RenderedFolder, item: KubeObject, rendering: Rendering) -> Iterator[Found]:
    """One thing that the API server refuses, if only in the way in which some of the deployers write."""
    message = f"`{item.title}`: `{problem.where}` {problem.message}"
    if problem.effect is Effect.REFUSED:
        yield about(codes.UNFIT, rendered, message, item, path=problem.path)
        return
    advice = _consequence(rendering, _OTHERWISE[problem.effect])
    if problem.effect is Effect.TWICE:
        found = about(codes.TWICE_IN_LIST, rendered, message, item, path=problem.path, advice=advice)
        yield found if _strict(rendering) else found.as_warning()
    elif _strict(rendering):
        yield about(codes.UNFIT, rendered, message, item, path=problem.path, advice=advice)


def _unknown(
    rendered: RenderedFolder, item: KubeObject, problems: list[Violation], rendering: Rendering, *, sure: bool
) -> Iterator[Found]:
    """One finding for all; no error when the schema is that of an older Kubernetes, which knows less."""
    if problems:
        first, *more = problems
        others = f" (and {len(more)} more)" if more else ""
        message = f"`{item.title}`: `{first.where}` {first.message}{others}"
        advice = _consequence(rendering, _OTHERWISE[first.effect])
        found = about(codes.UNKNOWN_FIELD, rendered, message, item, path=first.path, advice=advice)
        strict = sure and _strict(rendering)
        yield found if strict else found.as_warning()


def _strict(rendering: Rendering) -> bool:
    """Whether objects are written with server-side apply: every Application says so, and `install.sh` never does."""
    return "argocd" in rendering.deployers


def _consequence(rendering: Rendering, otherwise: str) -> str:
    """What comes of it, for each of the deployers."""
    if not _strict(rendering):
        return otherwise
    refused = "Argo CD cannot apply the object, since it does so on the server's side"
    return f"{refused}; with Helm {otherwise}" if len(rendering.deployers) > 1 else refused


RULE = Rule(
    "schemas",
    str(__doc__),
    (codes.UNFIT, codes.UNKNOWN_FIELD, codes.TWICE_IN_LIST),
    "https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation",
    judge,
)
