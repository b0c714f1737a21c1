"""Objects fit the schema of their kind: that of the target version, or that of a definition in the bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.crds import keys_of
from groundswell.check.rule import Found, Rule, about
from groundswell.check.schema.kubernetes import METADATA, builtin
from groundswell.check.schema.sound import sound
from groundswell.check.schema.validate import Rules, custom_violations, violations
from groundswell.check.schema.violation import Effect, Violation
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import RenderedFolder, Rendering
    from groundswell.check.schema.kubernetes import Builtin, Kind
    from groundswell.check.schema.violation import Schema

_OTHERWISE = {
    Effect.DROPPED: "the API server drops the field",
    Effect.NULL: "the API server drops the null",
    Effect.TWICE: "the API server may keep both entries, and the program takes one of them",
}
"""What comes of it where objects are written in another way than with server-side apply."""


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each value that does not fit, and one for the unknown fields of an object together."""
    known = builtin(rendering.target.minor)
    custom: dict[Kind, tuple[Schema, ...]] = {}
    for rendered in rendering.folders.values():
        for item, own in zip(rendered.objects, rendered.alone, strict=True):
            absent = next((name for name in ("apiVersion", "kind") if not item.data.get(name)), None)
            if absent:
                message = f"`{rendered.folder.name}` has an object without `{absent}`: `{item.title}`"
                yield about(codes.UNFIT, rendered, message, item)
                continue
            kind = (item.group, item.version, item.kind)
            if kind not in custom:
                custom[kind] = tuple(map(sound, _served(kind, rendering)))
            problems = list(_custom(item, custom[kind], known)) if custom[kind] else own.violations
            for problem in problems:
                if problem.effect is not Effect.DROPPED:
                    yield from _told(problem, rendered, item, rendering)
            dropped = [problem for problem in problems if problem.effect is Effect.DROPPED]
            sure = item.custom or (known is not None and known.minor == rendering.target.minor)
            yield from _unknown(rendered, item, dropped, rendering, sure=sure)


def _served(kind: Kind, rendering: Rendering) -> Iterator[Schema]:
    """The schemas that definitions in the bundle have for a kind, in the version in which they serve it."""
    group, version, name = kind
    crds = rendering.crds.get((group, name), ())
    names = (
        keys_of(item for item in rendering.objects if item.kind == name and item.group == group)
        if crds
        else frozenset()
    )
    schemas = (crd.schema(version, names) for crd in crds)
    return (schema for schema in schemas if schema is not None)


def _custom(item: KubeObject, schemas: tuple[Schema, ...], known: Builtin | None) -> Iterator[Violation]:
    """What does not fit the schemas that definitions in the bundle have for an object."""
    for schema in schemas:
        yield from custom_violations(item.data, schema)
        if known is not None:
            rules = Rules(known.definitions)
            yield from violations(item.metadata, known.definitions[METADATA], rules, ("metadata",))


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
    rendered: RenderedFolder, item: KubeObject, problems: Sequence[Violation], rendering: Rendering, *, sure: bool
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
