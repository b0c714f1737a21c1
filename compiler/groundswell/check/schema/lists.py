"""Lists that the API server treats as maps or sets: no two entries may have the same key, or be the same.

https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from groundswell.check.objects import mapping
from groundswell.check.schema.violation import Effect, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.check.schema.violation import Path, Schema
    from groundswell.source.located import Json

_DEFAULTS = {"protocol": "TCP"}
"""The keys of built-in kinds that may be left out; the published schemas lack their defaults."""
_CORE = "#/$defs/io.k8s.api.core.v1."
_UNIQUE = frozenset(
    {"Container", "EphemeralContainer", "PodResourceClaim", "ResourceClaim", "ServicePort", "TopologySpreadConstraint"}
    | {"Volume", "VolumeDevice", "VolumeMount"}
)
"""What the API server's own code wants to stand once, however it is written.

https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/validation/validation.go
"""


def repeated(value: Sequence[Json], schema: Schema, path: Path, *, structural: bool) -> Iterator[Violation]:
    """One violation for each entry whose key stands before; the schema is one of a definition when it is `structural`.

    The API server itself refuses them in custom resources and in some built-in kinds, and server-side apply everywhere.
    """
    found = _keys(schema, structural=structural) if len(value) > 1 else None
    if found is None:
        return
    refused = structural or str(mapping(schema.get("items")).get("$ref")).removeprefix(_CORE) in _UNIQUE
    effect = Effect.REFUSED if refused else Effect.TWICE
    seen: dict[str, int] = {}
    for item in value:
        identity = _identity(item, found, structural=structural)
        if identity is not None:
            key = json.dumps(identity, sort_keys=True)
            seen[key] = seen.get(key, 0) + 1
            if seen[key] == 2:  # noqa: PLR2004  the second of its kind; further ones add nothing
                yield Violation(path, f"has more than one entry {_named(identity, found)}", effect)


def _keys(schema: Schema, *, structural: bool) -> tuple[str, ...] | None:
    """The keys of a list's entries, none for a set; None for a list in which entries may be the same.

    Some lists of built-in kinds say it only with the words of the older strategic merge patch.
    """
    kind = schema.get("x-kubernetes-list-type")
    if kind == "map":
        return tuple(schema.get("x-kubernetes-list-map-keys", ()))
    if kind == "set":
        return ()
    if kind is None and not structural and str(schema.get("x-kubernetes-patch-strategy")).startswith("merge"):
        key = schema.get("x-kubernetes-patch-merge-key")
        return (key,) if key else ()
    return None


def _identity(item: Json, keys: tuple[str, ...], *, structural: bool) -> Json:
    """What tells an entry from the others; None when it has another type than it should, which is said elsewhere.

    The defaults of definitions are filled in already.
    """
    if not keys:
        return [item]
    if not isinstance(item, dict):
        return None
    defaults = {} if structural else _DEFAULTS
    return [item.get(key, defaults.get(key)) for key in keys]


def _named(identity: Json, keys: tuple[str, ...]) -> str:
    assert isinstance(identity, list)
    if not keys:
        return f"`{_text(identity[0])}`"
    pairs = list(zip(keys, identity, strict=True))
    there = " and ".join(f"`{key}` `{_text(value)}`" for key, value in pairs if value is not None)
    absent = " and ".join(f"`{key}`" for key, value in pairs if value is None)
    return " and ".join(f"{word} {listed}" for word, listed in (("with", there), ("without", absent)) if listed)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)
