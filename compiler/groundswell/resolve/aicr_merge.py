"""How the documents of an AICR catalog make one component."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from groundswell.resolve.layers import Kind, Layer
from groundswell.resolve.stack import Stack
from groundswell.resolve.tree import Node, Tree
from groundswell.source.located import Located

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.catalog.entries import ComponentEntry, ComponentRef
    from groundswell.resolve.layers import Write
    from groundswell.source.located import Json, Mark
    from groundswell.source.span import Span


def merged(entry: ComponentEntry, said: Sequence[tuple[ComponentRef, Layer]]) -> Stack:
    """One component from the registry's defaults, overlays and mixins.

    Plain fields: the last one stated wins. Dependencies and manifests unite. Values: the last values file on top of the
    component's own values.yaml, which without any values file is not read; then the overrides of all layers.
    `enabled: false` among the overrides disables the component and stays a value.
    """
    default = Layer(Kind.COMPONENT, entry.name, "it is the registry's default")
    stack = Stack(entry.name)
    values = stack.values = ValuesTree(stack.values.title)
    for ref, layer in ((entry.defaults, default), *said):
        stack.add(replace(ref, values_files=(), overrides=None), layer)
    files = [(file, layer) for ref, layer in said for file in ref.values_files]
    if files:
        file, layer = files[-1]
        own = Layer(Kind.COMPONENT, entry.name, f"{layer.label} names its values.yaml or another file on top")
        values.start_with(entry.defaults.values_files, own)
        if file.file not in {item.file for item in entry.defaults.values_files}:
            values.merge([(file, layer)])
    overrides = values.merge([(ref.overrides, layer) for ref, layer in said if ref.overrides])
    switch = overrides.children.get("enabled")
    if switch and switch.value is False:
        _state(stack, "enabled", False, switch.writes[-1])  # noqa: FBT003  the value of a field
    _complete(stack, default, entry)
    return stack


def _complete(stack: Stack, default: Layer, entry: ComponentEntry) -> None:
    """What that project's bundler makes of fields that nobody states."""
    fields = stack.fields.values()
    if "repository" in fields:
        missing = {"chart": stack.name}
    else:
        # A component of manifests alone may carry a version; it is nobody's.
        missing = {} if "chart" in fields else {"version": None}
    missing |= {"namespace": stack.name} if "namespace" not in fields else {}
    for name, value in missing.items():
        if (name in fields) == (value is None):
            _state(stack, name, value, Write_of(default, entry.span))


def _state(stack: Stack, name: str, value: Json, write: Write) -> None:
    mark: Mark = (*write.span[1:], None, None)
    stack.fields.overlay(Located({name: value}, (*mark[:5], {name: (mark, mark)}), write.span.file), write.layer)
