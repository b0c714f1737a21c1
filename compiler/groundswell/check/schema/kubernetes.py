"""The schemas of built-in kinds, from the data of the optional package `kubernetes-validate`."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.tables import table_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.source.located import Json

_PACKAGE = "kubernetes_validate"
_PREFIXES = {"apiextensions": "io.k8s.apiextensions-apiserver.pkg.apis."}
"""What stands before the names of definitions that are not in `io.k8s.api`."""
_VERSION = re.compile(r"v1\.(\d+)\.0-local-strict")
METADATA = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
"""The definition that the metadata of every object fits."""

Kind = tuple[str, str, str]
"""Group, version and kind."""


class Builtin(NamedTuple):
    """All definitions of one minor version, and the name of each creatable kind's one."""

    minor: int
    definitions: Mapping[str, Json]
    kinds: Mapping[Kind, str]


@lru_cache(maxsize=2)
def builtin(minor: int) -> Builtin | None:
    """The schemas of a minor version, or of the nearest older one there is; None when the package is missing.

    Read once: they do not change during a run.
    """
    folders = _folders()
    fitting = max((number for number in folders if number <= minor), default=None)
    if fitting is None:
        return None
    definitions = json.loads((folders[fitting] / "_definitions.json").read_bytes())["$defs"]
    _relieve(definitions)
    kinds = {
        (kind["group"], kind["version"], kind["kind"]): name
        for name, schema in definitions.items()
        for kind in schema.get("x-kubernetes-group-version-kind", ())
        if "properties" in schema and "metadata" in schema["properties"]
    }
    return Builtin(fitting, definitions, kinds)


def not_required() -> tuple[tuple[str, str], ...]:
    """Fields of definitions, each by its full name, that schemas call required and the API server does not."""
    lines = (line.split("\t") for line in table_lines("not-required.tsv"))
    return tuple((f"{_PREFIXES.get(short.split('.')[0], 'io.k8s.api.')}{short}", field) for short, field, _ in lines)


def _relieve(definitions: Mapping[str, Json]) -> None:
    for name, field in not_required():
        schema = definitions.get(name)
        required = schema.get("required") if isinstance(schema, dict) else None
        if isinstance(required, list) and field in required:
            required.remove(field)


def oldest() -> int | None:
    """The first minor version that there are schemas of; None when the package is missing."""
    return min(_folders(), default=None)


def _folders() -> dict[int, Path]:
    """The folder of each minor version. The package itself is not imported: only its files are wanted."""
    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        return {}
    root = Path(spec.origin).parent / "kubernetes-json-schema"
    matches = [(_VERSION.fullmatch(path.name), path) for path in root.glob("v1.*-local-strict")]
    return {int(match[1]): path for match, path in matches if match}
