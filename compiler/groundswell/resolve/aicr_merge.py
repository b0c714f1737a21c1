"""How the documents of an AICR catalog make one component."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.resolve.aicr_values import ValuesTree
from groundswell.resolve.layers import Kind, Layer
from groundswell.resolve.stack import Stack
from groundswell.source.located import Located

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.catalog.entries import ComponentEntry, ComponentRef
    from groundswell.source.located import Json, Mark
    from groundswell.source.span import Span


def merged(entry: ComponentEntry, said: Sequence[tuple[ComponentRef, Layer]]) -> Stack:
    """One component from the registry's defaults, overlays and mixins.

    Of plain fields the last one stated wins; dependencies and manifests unite. Values are the last values file on top
    of the component's own values.yaml, which is not read where no layer names a values file; then the overrides of all
    layers. `enabled: false` among the overrides disables the component, and stays a value.
    """
    default = Layer(Kind.COMPONENT, entry.name, "it is the registry's default")
    stack = Stack(entry.name)
    values = stack.values = ValuesTree(stack.values.title)
    for ref, layer in ((entry.defaults, default), *said):
        stack.add(ref._replace(values_files=(), overrides=None), layer)
    files = [(file, layer) for ref, layer in said for file in ref.values_files]
    if files:
        file, layer = files[-1]
        lowest = entry.defaults.values_files
        for own in lowest:
            values.start_with(own, Layer(Kind.COMPONENT, entry.name, "its values.yaml lies below every values file"))
        if file.file not in {own.file for own in lowest}:
            values.merge([(file, layer)])
    overrides = values.merge([(ref.overrides, layer) for ref, layer in said if ref.overrides])
    switch = overrides.children.get("enabled")
    if switch and switch.value is False:
        _state(stack, "enabled", False, switch.writes[-1].layer, switch.writes[-1].span)  # noqa: FBT003  the value
    _complete(stack, default, entry.span)
    return stack


def _complete(stack: Stack, layer: Layer, span: Span) -> None:
    """Fields that nobody states, as that project's bundler takes them, and a namespace, which every release needs."""
    fields = stack.fields.values()
    if "repository" in fields and "chart" not in fields:
        _state(stack, "chart", stack.name, layer, span)
    if not {"repository", "chart"} & fields.keys() and "version" in fields:
        # A component of manifests alone has no use for a version.
        _state(stack, "version", None, layer, span)
    if "namespace" not in fields:
        _state(stack, "namespace", stack.name, layer, span)


def _state(stack: Stack, name: str, value: Json, layer: Layer, span: Span) -> None:
    mark: Mark = (*span[1:], None, None)
    stack.fields.overlay(Located({name: value}, (*mark[:5], {name: (mark, mark)}), span.file), layer)
