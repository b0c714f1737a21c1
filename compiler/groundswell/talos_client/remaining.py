"""What of a patch a configuration does not hold yet.

Talos appends to lists, so a patch is applied only as far as it would change something: applying it twice must not
double what is in its lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.source.located import Json
    from groundswell.talos.documents import Document

_Path: TypeAlias = "tuple[str, ...]"

_IDENTITY = ("apiVersion", "kind", "name")
# Lists whose items Talos merges by a key; to all others it appends.
_MERGED: dict[_Path, str] = {("cluster", "apiServer", "admissionControl"): "name"}
MODULES: _Path = ("machine", "kernel", "modules")
# Kinds of which a patch must say everything: in these Talos also takes over what the patch leaves empty. Without a disk
# selector (cel.Expression.Merge) a patch deletes the configuration's.
_WHOLE = frozenset(["UnattendedInstallConfig"])


def remaining(patch: Sequence[Document], configuration: Sequence[Json]) -> tuple[Document, ...]:
    """The documents of a patch without what the configuration has already; none when it has everything."""
    left = []
    for document in patch:
        held = next((item for item in configuration if _identity(item) == _identity(document)), None)
        if held is None:
            left.append(document)
            continue
        identity = {key: document[key] for key in _IDENTITY if key in document and "kind" in document}
        content = {key: value for key, value in document.items() if key not in identity}
        if rest := _map(content, held, ()):
            left.append(document if document.get("kind") in _WHOLE else {**identity, **rest})
    return tuple(left)


def doubled_modules(patch: Sequence[Document], configuration: Sequence[Json]) -> tuple[str, ...]:
    """Modules that what remains of a patch lists although the configuration has them with other parameters."""
    wanted, held = (
        {str(item.get("name")) for document in documents for item in _at(document, MODULES) if isinstance(item, dict)}
        for documents in (patch, configuration)
    )
    return tuple(sorted(wanted & held))


def _identity(document: Json) -> tuple[str, str, str]:
    """What Talos merges documents by; the document of all other settings has no kind."""
    if "kind" not in document:
        return ("", "", "")
    kind, name = document.get("kind"), document.get("name", "")
    return (str(document.get("apiVersion", "")), str(kind), str(name))


def _map(wanted: dict[str, Json], held: Json, path: _Path) -> dict[str, Json]:
    if not isinstance(held, dict):
        return wanted
    rest = {}
    for key, value in wanted.items():
        if key not in held:
            rest[key] = value
        elif isinstance(value, dict):
            if below := _map(value, held[key], (*path, key)):
                rest[key] = below
        elif isinstance(value, list):
            if items := _list(value, held[key], (*path, key)):
                rest[key] = items
        elif not _same(value, held[key]):
            rest[key] = value
    return rest


def _list(wanted: list[Json], held: Json, path: _Path) -> list[Json]:
    if not isinstance(held, list):
        return wanted
    key = _MERGED.get(path)
    if key is None:
        return [item for item in wanted if not any(_same(item, other) for other in held)]
    rest = []
    for item in wanted:
        other = next((other for other in held if isinstance(other, dict) and other.get(key) == item[key]), {})
        if below := _map({name: value for name, value in item.items() if name != key}, other, path):
            rest.append({key: item[key], **below})
    return rest


def _same(wanted: Json, held: Json) -> bool:
    """Whether two values are the same to Talos, which takes `1` where it wants text."""
    if isinstance(wanted, str) and isinstance(held, int | float) and not isinstance(held, bool):
        return wanted == str(held)
    return bool(wanted == held) and isinstance(wanted, bool) is isinstance(held, bool)


def _at(document: Json, path: _Path) -> list[Json]:
    for key in path:
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, list) else []
