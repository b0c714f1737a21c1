"""The values of the catalog that a field of a rendered object came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from groundswell.check.template_values import reads_of_template, subcharts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import RenderedFolder
    from groundswell.source.located import Json

Path: TypeAlias = "tuple[str, ...]"

_DISTINCTIVE = 4
"""How many letters a text has that is hardly there twice by chance."""

_BEGINNING = 6
"""How long a common beginning makes two keys alike: `replicas` and `replicaCount`."""


def values_behind(rendered: RenderedFolder, item: KubeObject, field: Sequence[str | int]) -> tuple[Path, ...]:
    """The paths of the values that a field of an object, or what holds it, may have come from; more than one in doubt.

    Nobody can tell for certain but by rendering again. A value counts that is the same as the field's, that the
    object's template reads, and whose key is like the field's; one like no other counts whatever its key.
    """
    nodes = list(_nodes(item.data, field))
    if not nodes:
        return ()
    known = dict.fromkeys(leaf[:end] for leaf in rendered.component.origins for end in range(1, len(leaf) + 1))
    values = [(path, value) for path in known if (value := _at(rendered, path)) is not None]
    for keys, node in reversed(nodes):
        same = [path for path, value in values if _same(node, value)]
        named = [path for path in same if _alike(path[-1], keys[-1])]
        for paths in (named, same if _tells(node) else []):
            if paths and (read := _read(rendered, item, paths)):
                return tuple(_closest(read, keys))
    return ()


def _at(rendered: RenderedFolder, path: Path) -> Json:
    node: Json = rendered.component.values
    for key in path:
        node = node.get(key) if isinstance(node, dict) else None
    return node


def _nodes(data: Json, field: Sequence[str | int]) -> Iterator[tuple[tuple[str, ...], Json]]:
    """What stands at each step of a field's path, with the keys that lead there, indices left out."""
    keys: tuple[str, ...] = ()
    node = data
    for key in field:
        if isinstance(node, list) and str(key).isdigit() and int(key) < len(node):
            node = node[int(key)]
        elif isinstance(node, dict) and key in node:
            node = node[key]
            keys = (*keys, str(key))
        else:
            return
        yield keys, node


def _same(node: Json, value: Json) -> bool:
    """Whether a template can have printed a value as this node, or among its entries."""
    if isinstance(node, dict | list):
        return bool(node) and (node == value or (isinstance(value, list) and node in value))
    return not isinstance(value, dict | list) and _text(node) == _text(value)


def _text(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _tells(node: Json) -> bool:
    """Whether it is hardly by chance that something else is the same."""
    if isinstance(node, str):
        return len(node) >= _DISTINCTIVE and node.lower() not in {"true", "false", "none", "null"}
    return isinstance(node, dict | list) and bool(node)


def _alike(key: str, other: str) -> bool:
    one, two = sorted((key.lower(), other.lower()), key=len)
    return one == two or (len(one) >= _DISTINCTIVE and one in two) or one[:_BEGINNING] == two[:_BEGINNING] != one


def _closest(paths: Sequence[Path], keys: Sequence[str]) -> list[Path]:
    """Those whose last keys are the field's for the longest."""
    shared = {path: _shared(path, keys) for path in paths}
    return [path for path in paths if shared[path] == max(shared.values())]


def _shared(path: Path, keys: Sequence[str]) -> int:
    pairs = zip(reversed(path), reversed(keys), strict=False)
    count = 0
    for key, other in pairs:
        if key.lower() != other.lower():
            break
        count += 1
    return count


def _read(rendered: RenderedFolder, item: KubeObject, paths: Sequence[Path]) -> list[Path]:
    """Those that reach the object's template. A subchart gets what stands under its name, and what is global."""
    above = tuple(subcharts(item))
    inside = {
        path: path if path[0] == "global" else path[len(above) :]
        for path in paths
        if path[: len(above)] == above or path[0] == "global"
    }
    reads = reads_of_template(rendered, item)
    return [path for path, within in inside.items() if reads is None or reads.at(within).reached]
