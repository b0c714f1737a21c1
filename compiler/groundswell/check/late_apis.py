"""APIs that a chart asks the cluster for, and that the bundle may bring only after the chart is rendered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from groundswell.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from groundswell.check.rendering import RenderedFolder, Rendering


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
    render: Callable[[str, tuple[str, ...]], bytes | Diagnostic],
) -> Rendering:
    """The same rendering, the folders that come out otherwise with such an API or without it marked.

    `seen` are the APIs that each folder was rendered with, `render` renders one with others.
    """
    folders = dict(rendering.folders)
    for name, early in asked_early(rendering).items():
        known = frozenset(seen.get(name, ()))
        others = {known | set(early), known - set(early)} - {known}
        if any(_differs(folders[name], render(name, tuple(sorted(apis)))) for apis in others):
            folders[name] = replace(folders[name], late_apis=early)
    return replace(rendering, folders=folders)


def _early(rendering: Rendering, name: str, folders: set[str]) -> bool:
    return bool(folders) and name not in folders and not any(rendering.before(other, name) for other in folders)


def _differs(rendered: RenderedFolder, result: bytes | Diagnostic) -> bool:
    return isinstance(result, Diagnostic) or result.decode(errors="replace") != rendered.text
