"""Helm values as an AICR catalog composes them, with its three ways of reading an explicit null.

* In a component's values.yaml, a null is a value and reaches Helm.
* Between the overrides of several overlays, a null is a value: it covers what lower overrides say, and is covered.
* Where a values file or the merged overrides meet the values below them, a null deletes the key if there is a map to
  delete it from. In a map that meets none, it is a value again: it removes a default of the chart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.resolve.tree import Node, Tree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundswell.resolve.layers import Layer, Write
    from groundswell.source.located import Located


class ValuesTree(Tree):
    """A tree that values files and overrides are merged onto; options are laid over it like over any other."""

    def start_with(self, values: Located, layer: Layer) -> None:
        """Lay the lowest map of all into the tree, nulls included."""
        self._lay(self.root, values, layer)

    def merge(self, maps: Iterable[tuple[Located, Layer]]) -> Node:
        """Lay maps over each other, then merge what they say together onto the tree.

        Returns:
            What they say together.
        """
        together = Node()
        together.make_map()
        for values, layer in maps:
            self._lay(together, values, layer)
        _merge(self.root, together, fresh=False)
        return together

    def _lay(self, node: Node, values: Located, layer: Layer) -> None:
        """Maps recurse, all else replaces; null is a value like any other."""
        for key, child in values.items():
            target = node.children.setdefault(key, Node())
            if isinstance(child.data, dict):
                if not target.is_map:
                    target.forget()
                if not child.data:
                    self._write(target, layer, "set", {}, child.span)
                target.make_map()
                self._lay(target, child, layer)
            else:
                target.make_value(child.data)
                action = "unset" if child.data is None else "set"
                self._write(target, layer, action, child.data, child.span)


def _merge(below: Node, above: Node, *, fresh: bool) -> None:
    """Merge one map onto another. `fresh` says that nothing stood where the map below is now."""
    for key, node in above.children.items():
        if not node.present:
            continue
        target = below.children.setdefault(key, Node())
        if node.is_map:
            met = target.present and target.is_map
            if not met:
                target.forget()
            # A scalar that a later layer's map covers never bore on the map that the two meet here.
            target.writes += (write for write in node.writes if not met or isinstance(write.value, dict))
            target.make_map()
            _merge(target, node, fresh=not met)
        elif node.value is None and not fresh:
            target.writes += map(_deletion, node.writes)
            target.forget()
        else:
            target.writes += node.writes
            target.make_value(node.value)


def _deletion(write: Write) -> Write:
    return write._replace(action="delete") if write.action == "unset" else write
