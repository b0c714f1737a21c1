"""APIs that a chart asks the cluster for, and that the bundle may bring only after the chart is rendered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from groundswell.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from groundswell.check.rendering import RenderedFolder, Rendering

_Work: TypeAlias = "tuple[str, tuple[str, ...]]"
"""A folder, and the APIs to render it with."""


def bringing(rendering: Rendering) -> dict[str, set[str]]:
    """The folders that bring each API of the bundle's own definitions."""
    found: dict[str, set[str]] = {}
    for crds in rendering.crds.values():
        for crd in crds:
            for api in crd.apis:
                found.setdefault(api, set()).add(crd.definition.folder)
    return found


def asked_early(rendering: Rendering) -> dict[str, tuple[str, ...]]:
    """For each folder the APIs that its text names and that no folder brings which is always installed before."""
    brought = bringing(rendering)
    found = {}
    for name, rendered in rendering.folders.items():
        asked = dict.fromkeys(api for api, _ in rendered.facts.apis)
        early = tuple(api for api in asked if _early(rendering, name, brought.get(api, set())))
        if early:
            found[name] = early
    return found


def with_late_apis(
    rendering: Rendering,
    seen: Mapping[str, tuple[str, ...]],
    render: Callable[[Sequence[_Work]], Iterable[bytes | Diagnostic]],
) -> Rendering:
    """The same rendering, the folders that come out otherwise with such an API or without it marked.

    `seen` are the APIs that each folder was rendered with, `render` renders folders with others.
    """
    early = asked_early(rendering)
    works = [(name, tuple(sorted(apis))) for name in early for apis in _others(seen.get(name, ()), early[name])]
    differing = {
        name
        for (name, _), result in zip(works, render(works), strict=True)
        if _differs(rendering.folders[name], result)
    }
    folders = {name: replace(rendering.folders[name], late_apis=early[name]) for name in early if name in differing}
    return replace(rendering, folders={**rendering.folders, **folders})


def _others(seen: tuple[str, ...], early: tuple[str, ...]) -> set[frozenset[str]]:
    """The APIs that there may be instead of those that were seen: with all that may come early, and with none."""
    known = frozenset(seen)
    return {known | set(early), known - set(early)} - {known}


def _early(rendering: Rendering, name: str, folders: set[str]) -> bool:
    return bool(folders) and name not in folders and not any(rendering.before(other, name) for other in folders)


def _differs(rendered: RenderedFolder, result: bytes | Diagnostic) -> bool:
    return isinstance(result, Diagnostic) or result != rendered.text
