"""Merging: a tree in which every node remembers the layers that wrote it (docs/resolution.md).

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


_COVER = "cover"
"""The action of a scalar or list as it bears on what lies below its path."""


class Node:
    """A place in the tree: a map, or a scalar or list.

    Absent nodes, and the children of what is no map any more, still know what was written to them.
    """

    __slots__ = ("children", "is_map", "present", "value", "writes")

    def __init__(self) -> None:
        """An absent node."""
        self.children: dict[str, Node] = {}
        self.is_map = False
        self.present = False
        self.value: Json = None
        self.writes: list[Write] = []

    @property
    def type_name(self) -> str:
        """The type of what stands here, for messages: they never show the value, which may be a secret."""
        return "a map" if self.is_map else type_name(self.value)

    @property
    def blocks_map(self) -> bool:
        """Whether a scalar or list stands here, which no map may cover unless that is said."""
        return self.present and not self.is_map and self.value is not None

    def make_map(self) -> None:
        """Become a map that is present; children that were there stay."""
        self.is_map, self.value, self.present = True, None, True

    def make_value(self, value: Json) -> None:
        """Become a scalar or list, or null for Helm."""
        self.forget()
        self.is_map, self.value, self.present = False, value, True

    def forget(self) -> None:
        """Become absent with all that is below; what was written stays remembered."""
        self.present = False
        for child in self.children.values():
            child.forget()


def type_name(value: Json) -> str:
    """The type of a value in the words of YAML."""
    names = {dict: "a map", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


class Tree:
    """What the layers wrote so far, for one component. `title` makes a path readable in messages.

    What a layer says against the type of what lower layers put there is refused and takes no part, so that nothing else
    is said about it; `refused` are the paths of that. Rivals of different types are a matter for `resolve.conflicts`.
    """

    def __init__(self, title: Callable[[Path], str]) -> None:
        """An empty tree."""
        self.root = Node()
        self.root.make_map()
        self.findings: list[Diagnostic] = []
        self.refused: list[Path] = []
        self.title = title
        self._count = 0

    def overlay(self, values: Located, layer: Layer, replaced: frozenset[Path] = frozenset()) -> None:
        """Merge a layer's map on top. Paths in `replaced` are replaced whole, whatever their types."""
        self._overlay(self.root, values, layer, (), replaced)

    def unset(self, path: Path, layer: Layer, span: Span) -> None:
        """Remove the default that the chart itself has at a path: Helm gets null there."""
        node = self.root
        for key in path:
            if node.blocks_map and self._clashes(path, node, "a map", layer, span):
                return
            if node is not self.root:
                self._write(node, layer, "set", {}, span)
            node.make_map()
            node = node.children.setdefault(key, Node())
        node.make_value(None)
        self._write(node, layer, "unset", None, span)

    def _overlay(self, node: Node, values: Located, layer: Layer, path: Path, replaced: frozenset[Path]) -> None:
        for key, child in values.items():
            place = (*path, key)
            target = node.children.setdefault(key, Node())
            if child.data is None:
                target.forget()
                self._write(target, layer, "delete", None, child.span)
            elif isinstance(child.data, dict):
                if place in replaced:
                    target.forget()
                    self._write(target, layer, "delete", None, values.key_span(key))
                elif target.blocks_map and self._clashes(place, target, "a map", layer, values.key_span(key)):
                    continue
                self._write(target, layer, "set", {}, values.key_span(key))
                target.make_map()
                self._overlay(target, child, layer, place, replaced)
            else:
                # An option's text is no list: it would reach the cluster as a bare string.
                was_list = layer.is_option and isinstance(target.value, list) and not isinstance(child.data, list)
                other_type = target.present and (target.is_map or was_list) and place not in replaced
                if other_type and self._clashes(place, target, type_name(child.data), layer, child.span):
                    continue
                target.make_value(child.data)
                self._write(target, layer, "set", child.data, child.span)

    def _write(self, node: Node, layer: Layer, action: str, value: Json, span: Span) -> None:
        self._count += 1
        node.writes.append(Write(self._count, layer, action, value, span))

    def _clashes(self, path: Path, node: Node, new: str, layer: Layer, span: Span) -> bool:
        """Whether what stands there is of another type because of a lower layer, which is an error."""
        lower = [write for write in node.writes if not write.layer.rivals(layer)]
        of_rivals = len(lower) < len(node.writes)
        if of_rivals and not (lower and lower[-1].action == "set" and isinstance(lower[-1].value, dict) is node.is_map):
            return False
        self._clash(path, node, new, layer, span)
        return True

    def _clash(self, path: Path, node: Node, new: str, layer: Layer, span: Span) -> None:
        self.refused.append(path)
        before = _latest(node)
        related = []
        if before is not None and not before.layer.is_option:
            related.append(Related(before.span, f"{node.type_name} in {before.layer.label}"))
        text = f"`{self.title(path)}` is {node.type_name}, and {layer.label} makes it {new}"
        if layer.is_option:
            hint = "use --set-json or --set-file for lists and maps"
            self.findings.append(codes.TYPE_CONFLICT(text, related=related, help=hint))
        else:
            hint = "" if layer.kind is Kind.ENFORCED else "name the path in `replace:` if that is meant"
            self.findings.append(codes.TYPE_CONFLICT(text, span, related=related, help=hint))

    def holds(self, path: Path) -> bool:
        """Whether anything stands at a path."""
        return self._at(path) is not None

    def holds_map(self, path: Path) -> bool:
        """Whether a map stands at a path."""
        node = self._at(path)
        return node is not None and node.is_map

    def says(self, key: str) -> int:
        """How many times something was written to a key."""
        return len(self.root.children[key].writes) if key in self.root.children else 0

    def _at(self, path: Path) -> Node | None:
        """The node at a path, if something stands there."""
        node: Node | None = self.root
        for key in path:
            node = node.children.get(key) if node else None
            if node is None or not node.present:
                return None
        return node

    def values(self) -> dict[str, Json]:
        """The merged map."""
        result = _values(self.root)
        assert isinstance(result, dict)
        return result

    def histories(self) -> Iterator[tuple[Path, tuple[Write, ...], bool]]:
        """Each path but those of filled maps: the writes that bear on it, oldest first, and whether it is present."""
        yield from _histories(self.root, (), ())

    def origins(self) -> dict[Path, tuple[Origin, ...]]:
        """The writes of each path as origins, the winner last. Paths that a value above them covers are left out."""
        return {
            path: tuple(map(_origin, writes))
            for path, writes, present in self.histories()
            if present or writes[-1].action != _COVER
        }


def _latest(node: Node) -> Write | None:
    """The last write to a node or below it."""
    writes = [*node.writes]
    for child in node.children.values():
        latest = _latest(child)
        if latest is not None:
            writes.append(latest)
    return max(writes, key=lambda write: write.number, default=None)


def _values(node: Node) -> Json:
    if not node.is_map:
        return node.value
    return {key: _values(child) for key, child in node.children.items() if child.present}


def _histories(node: Node, path: Path, above: tuple[Write, ...]) -> Iterator[tuple[Path, tuple[Write, ...], bool]]:
    writes = tuple(sorted((*above, *node.writes))) if above else tuple(node.writes)
    filled = node.present and node.is_map and any(child.present for child in node.children.values())
    if node.writes and not filled:
        yield path, writes, node.present
    below = tuple(_from_below(write) for write in writes if not isinstance(write.value, dict))
    for key, child in node.children.items():
        yield from _histories(child, (*path, key), below)


def _from_below(write: Write) -> Write:
    """A write as it bears on what lies below its path: gone is gone, for Helm's null too; a value covers it."""
    return write._replace(action=_COVER if write.action == "set" else "delete", value=None)


def _origin(write: Write) -> Origin:
    span, layer = write.span, write.layer
    action = "delete" if write.action == _COVER else write.action
    return Origin(layer.label, span.file, span.line, span.column, layer.reason, action, write.value)
