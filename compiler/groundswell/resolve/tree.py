"""Merging: a tree in which every node remembers the layers that wrote it (design: resolution, merge).

Maps recurse, scalars and lists replace, an explicit null deletes what lower layers said. The same tree serves Helm
values and the plain fields of a ref.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.diagnostic import Diagnostic, Related
from groundswell.resolve.layers import Kind, Layer, Write
from groundswell.resolve.resolution import Origin, Path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from groundswell.source.located import Json, Located
    from groundswell.source.span import Span


class Node:
    """A place in the tree: a map when `children` is not None, else a scalar or list. Absent ones keep their writes."""

    __slots__ = ("children", "present", "value", "writes")

    def __init__(self) -> None:
        """An absent node."""
        self.children: dict[str, Node] | None = None
        self.present = False
        self.value: Json = None
        self.writes: list[Write] = []

    @property
    def type_name(self) -> str:
        """The type of what stands here, for messages: they never show the value, which may be a secret."""
        if self.children is not None:
            return "a map"
        return type_name(self.value)


def type_name(value: Json) -> str:
    """The type of a value in the words of YAML."""
    names = {dict: "a map", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


class Tree:
    """What the layers wrote so far, for one component. `title` makes a path readable in messages."""

    def __init__(self, title: Callable[[Path], str]) -> None:
        """An empty tree."""
        self.root = Node()
        self.root.children = {}
        self.root.present = True
        self.findings: list[Diagnostic] = []
        self.title = title
        self._count = 0

    def overlay(self, values: Located, layer: Layer, replaced: frozenset[Path] = frozenset()) -> None:
        """Merge a layer's map on top. Paths in `replaced` are replaced whole, whatever their types."""
        self._overlay(self.root, values, layer, (), replaced)

    def unset(self, path: Path, layer: Layer, span: Span) -> None:
        """Remove the default that the chart itself has at a path: Helm gets null there."""
        node = self.root
        for key in path:
            if node.children is None:
                if node.present and node.value is not None:
                    self._clash(path, node, "a map", layer, span)
                node.children = {}
            node.present = True
            node = node.children.setdefault(key, Node())
        _forget(node)
        node.children, node.value, node.present = None, None, True
        self._write(node, layer, "unset", None, span)

    def _overlay(self, node: Node, values: Located, layer: Layer, path: Path, replaced: frozenset[Path]) -> None:
        children = node.children
        assert children is not None
        for key, child in values.items():
            place = (*path, key)
            target = children.get(key)
            if target is None:
                target = children[key] = Node()
            if child.data is None:
                _forget(target)
                self._write(target, layer, "delete", None, child.span)
            elif isinstance(child.data, dict):
                self._map(target, child, layer, place, replaced)
            else:
                was_map = target.present and target.children is not None
                # An option's text is no list: it would reach the cluster as a bare string.
                was_list = layer.kind >= Kind.FLAG and isinstance(target.value, list) and not isinstance(child.data, list)
                if (was_map and place not in replaced) or was_list:
                    self._clash(place, target, type_name(child.data), layer, child.span)
                _forget(target)
                target.children, target.value, target.present = None, child.data, True
                self._write(target, layer, "set", child.data, child.span)

    def _map(self, target: Node, child: Located, layer: Layer, place: Path, replaced: frozenset[Path]) -> None:
        if place in replaced:
            _forget(target)
            self._write(target, layer, "delete", None, child.span)
        elif target.present and target.children is None and target.value is not None:
            self._clash(place, target, "a map", layer, child.span)
        if target.children is None:
            target.children, target.value = {}, None
        if not child.data and not target.present:
            self._write(target, layer, "set", {}, child.span)
        target.present = True
        self._overlay(target, child, layer, place, replaced)

    def _write(self, node: Node, layer: Layer, action: str, value: Json, span: Span) -> None:
        self._count += 1
        node.writes.append(Write(self._count, layer, action, value, span))

    def _clash(self, path: Path, node: Node, new: str, layer: Layer, span: Span) -> None:
        before = _latest(node)
        related = []
        if before is not None:
            related.append(Related(before.span, f"{node.type_name} in {before.layer.label}"))
        text = f"`{self.title(path)}` is {node.type_name}, and {layer.label} makes it {new}"
        if layer.kind >= Kind.FLAG:
            hint = "use --set-json or --set-file for lists and maps"
            self.findings.append(codes.TYPE_CONFLICT(text, related=related, help=hint))
        else:
            self.findings.append(
                codes.TYPE_CONFLICT(text, span, related=related, help="name the path in `replace:` if that is meant")
            )

    def values(self) -> dict[str, Json]:
        """The merged map."""
        result = _values(self.root)
        assert isinstance(result, dict)
        return result

    def histories(self) -> Iterator[tuple[Path, tuple[Write, ...], bool]]:
        """For each path that a layer wrote whole: the writes that bear on it, oldest first, and whether it is present."""
        yield from _histories(self.root, (), ())

    def origins(self) -> dict[Path, tuple[Origin, ...]]:
        """The writes of each path as origins, the winner last."""
        return {path: tuple(map(_origin, writes)) for path, writes, _ in self.histories()}


def _forget(node: Node) -> None:
    """Make a node and all below it absent; what was written stays remembered."""
    node.present = False
    for child in (node.children or {}).values():
        _forget(child)


def _latest(node: Node) -> Write | None:
    """The last write to a node or below it."""
    writes = [*node.writes]
    for child in (node.children or {}).values():
        latest = _latest(child)
        if latest is not None:
            writes.append(latest)
    return max(writes, key=lambda write: write.number, default=None)


def _values(node: Node) -> Json:
    if node.children is None:
        return node.value
    return {key: _values(child) for key, child in node.children.items() if child.present}


def _histories(node: Node, path: Path, above: tuple[Write, ...]) -> Iterator[tuple[Path, tuple[Write, ...], bool]]:
    writes = tuple(sorted((*above, *node.writes))) if above else tuple(node.writes)
    if node.writes and (node.children is None or not node.present or not node.children):
        yield path, writes, node.present
    below = tuple(write for write in writes if not isinstance(write.value, dict))
    for key, child in (node.children or {}).items():
        yield from _histories(child, (*path, key), below)


def _origin(write: Write) -> Origin:
    span, layer = write.span, write.layer
    return Origin(layer.label, span.file, span.line, span.column, layer.reason, write.action, write.value)
