"""What is wrong with objects by themselves, whatever else is in the bundle: found while helm renders other folders."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.crds import complete, is_crd
from groundswell.check.objects import mapping, sequence
from groundswell.check.schema.definition import faults as definition_faults
from groundswell.check.schema.kubernetes import builtin
from groundswell.check.schema.validate import Rules, violations
from groundswell.check.schema.violation import REFERENCE
from groundswell.check.validation.fault import Context
from groundswell.check.validation.shapes import Shapes
from groundswell.check.validation.table import faults, validated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from groundswell.check.objects import KubeObject
    from groundswell.check.schema.kubernetes import Builtin
    from groundswell.check.schema.violation import Schema, Violation
    from groundswell.check.validation.fault import Fault
    from groundswell.source.located import Json

_HOLDERS = frozenset({"jobTemplate", "spec", "template"})
"""The fields below which a `spec` stands."""


class Alone(NamedTuple):
    """What does not fit the built-in schema of an object's kind, and what the API server's own code refuses."""

    violations: tuple[Violation, ...] = ()
    faults: tuple[Fault, ...] = ()


def alone(objects: Sequence[KubeObject], minor: int, *, own: bool) -> tuple[Alone, ...]:
    """One for each object, held against what Kubernetes of a minor version demands.

    `own`: they come from manifests of the catalog. Of definitions that come from a chart, the schemas are passed over:
    megabytes that a generator wrote, and none of the bundle's doing.
    """
    return tuple(_alone(item, minor, own=own) if item.kind and item.version else Alone() for item in objects)


def _alone(item: KubeObject, minor: int, *, own: bool) -> Alone:
    known = builtin(minor)
    name = known.kinds.get((item.group, item.version, item.kind)) if known else None
    if known and name:
        item = item._replace(data=_with_spec(item.data, known.definitions[name], known.definitions))
    # Which values have which definition is told by the schemas, so they must be there.
    found = faults(item, name, shapes_of(minor), Context(minor, known.definitions)) if known else ()
    return Alone(tuple(_violations(item, name, known, own=own)), tuple(found))


def _violations(item: KubeObject, name: str | None, known: Builtin | None, *, own: bool) -> Iterator[Violation]:
    data = item.data
    if is_crd(item):
        read = not item.whole or own
        data = complete(item) if read else _without_schemas(data)
        yield from definition_faults(data, schemas=read) if item.version == "v1" else ()
    if known and name:
        yield from violations(data, known.definitions[name], Rules(known.definitions))


def _with_spec(data: Mapping[str, Json], schema: Schema, definitions: Mapping[str, Schema]) -> dict[str, Json]:
    """The object as the API server reads it: a `spec` that is not there, in it or in its templates, has no field."""
    properties = schema.get("properties", {})
    read = dict(data)
    if "spec" in properties and read.get("spec") is None:
        read["spec"] = {}
    for field in _HOLDERS & properties.keys():
        below = read.get(field)
        if isinstance(below, dict) and "$ref" in properties[field]:
            definition = definitions[str(properties[field]["$ref"]).removeprefix(REFERENCE)]
            read[field] = _with_spec(below, definition, definitions)
    return read


def _without_schemas(data: Mapping[str, Json]) -> Mapping[str, Json]:
    spec = mapping(data.get("spec"))
    versions = [{**mapping(version), "schema": {}} for version in sequence(spec.get("versions"))]
    return {**data, "spec": {**spec, "versions": versions}}


@lru_cache(maxsize=2)
def shapes_of(minor: int) -> Shapes:
    """The parts of the built-in definitions that validation is about: read once, as the definitions are."""
    known = builtin(minor)
    return Shapes(known.definitions if known else {}, validated())
