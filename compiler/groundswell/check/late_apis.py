"""APIs that a chart asks the cluster for, and that the bundle may bring only after the chart is rendered."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from groundswell.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from groundswell.check.rendering import RenderedFolder, Rendering

_HEADS = re.compile(rb"^(?:# Source|apiVersion|kind):.*$", re.MULTILINE)
"""Which objects there are in what helm prints, by their templates and kinds."""

_Work: TypeAlias = "tuple[str, tuple[str, ...]]"
"""A folder, and the APIs to render it with."""

_Groups: TypeAlias = "tuple[tuple[str, ...], ...]"
"""APIs that may come after a folder: those that its text names, then the others by the first folder that brings one."""


def bringing(rendering: Rendering) -> dict[str, set[str]]:
    """The folders that bring each API of the bundle's own definitions."""
    found: dict[str, set[str]] = {}
    for crds in rendering.crds.values():
        for crd in crds:
            for api in crd.apis:
                found.setdefault(api, set()).add(crd.definition.folder)
    return found


def asked_early(rendering: Rendering) -> dict[str, _Groups]:
    """For each folder the APIs that it may ask for and that no folder brings which is always installed before.

    These are the APIs that its text names, and all others too where it looks at them in another way as well.
    """
    brought = bringing(rendering)
    found = {}
    for name, rendered in rendering.folders.items():
        named = dict.fromkeys(api for api, _ in rendered.facts.apis)
        groups: dict[str, list[str]] = {}
        for api in (*named, *(sorted(brought.keys() - named) if rendered.facts.asks_unnamed else ())):
            if _early(rendering, name, brought.get(api, set())):
                groups.setdefault("" if api in named else min(brought[api]), []).append(api)
        if groups:
            found[name] = tuple(map(tuple, groups.values()))
    return found


def with_late_apis(
    rendering: Rendering,
    seen: Mapping[str, tuple[str, ...]],
    render: Callable[[Sequence[_Work]], Iterable[bytes | Diagnostic]],
) -> Rendering:
    """The same rendering, the folders that come out otherwise with such an API or without it marked.

    `seen` are the APIs that each folder was rendered with, `render` renders folders with others. Where some of them are
    not named, those are found on which it depends; all count where only several of them together make a difference.
    """

    def differing(tried: Sequence[_Work]) -> set[_Work]:
        """The folders that come out otherwise when they are shown these APIs besides what they saw, or none of them."""
        works = [(item, (item[0], apis)) for item in tried for apis in _others(seen.get(item[0], ()), item[1])]
        results = render([work for _, work in works])
        return {
            item for (item, _), text in zip(works, results, strict=True) if _differs(rendering.folders[item[0]], text)
        }

    early = asked_early(rendering)
    marked = differing([(name, sum(groups, ())) for name, groups in early.items()])
    parts = [(name, group) for name, _ in sorted(marked) for group in early[name] if len(early[name]) > 1]
    apart = differing(parts) if parts else set()
    folders = {}
    for name, every in marked:
        late = sum((group for group in early[name] if (name, group) in apart), ()) or every
        folders[name] = replace(rendering.folders[name], late_apis=late)
    return replace(rendering, folders={**rendering.folders, **folders})


def _others(seen: tuple[str, ...], early: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The APIs that there may be instead of those that were seen: with all that may come early, and with none."""
    known = frozenset(seen)
    return [tuple(sorted(apis)) for apis in (known | set(early), known - set(early)) if apis != known]


def _early(rendering: Rendering, name: str, folders: set[str]) -> bool:
    return bool(folders) and name not in folders and not any(rendering.before(other, name) for other in folders)


def _differs(rendered: RenderedFolder, result: bytes | Diagnostic) -> bool:
    """Whether it comes out otherwise. Where the text is another one each time, the objects that are there tell."""
    if isinstance(result, Diagnostic) or result == rendered.text:
        return isinstance(result, Diagnostic)
    pure = not rendered.facts.seen_in(rendered.text).impure
    return pure or _HEADS.findall(result) != _HEADS.findall(rendered.text)
