"""Every rendering gives the same objects, whatever the time and the order of keys."""

from __future__ import annotations

import re
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from groundswell.check.rule import Found, Rule, about
from groundswell.check.tables import table_lines
from groundswell.check.template_values import subcharts, values_read
from groundswell.diagnostics.codes import kubernetes as codes
from groundswell.diagnostics.enumeration import first_few

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import RenderedFolder, Rendering
    from groundswell.source.located import Json

Path = tuple[str, ...]

_TELLING = re.compile(r"existing|secret|cert|\bca\b|tls|password|token", re.IGNORECASE)
_SHOWN = 3


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each object that differs, unless the component's `ignoreDifferences` cover all that does."""
    for rendered in rendering.folders.values():
        told: set[str] = set()
        for item, paths in _differing(rendered):
            if not item.lasting and item.title in told:
                continue
            told.add(item.title)
            kept = [path for path in paths if not _ignored(rendered, item, path)]
            if kept:
                shown = first_few([f"`{'.'.join(path) or item.kind}`" for path in kept], _SHOWN)
                message = f"`{item.title}` of `{rendered.folder.name}` can differ each time it is rendered: {shown}"
                yield about(codes.IMPURE, rendered, message, item, advice=_advice(rendered, item))
        uses = rendered.undecided or (() if told else rendered.facts.seen_in(rendered.text).assembled)
        if uses:
            yield _undecided(rendered, uses)


def _undecided(rendered: RenderedFolder, uses: Sequence[tuple[str, str]]) -> Found:
    """That nothing but its text can tell whether a folder comes out the same."""
    message = (
        f"whether `{rendered.folder.name}` comes out the same each time could not be decided: it uses {_listed(uses)}"
    )
    return about(codes.UNDECIDED, rendered, message)


def _differing(rendered: RenderedFolder) -> Iterator[tuple[KubeObject, list[Path]]]:
    """The objects that are not the same the second time, with the places that differ."""
    if rendered.compared is None:
        return
    first, again = rendered.compared
    second = {item.identity: item for item in again}
    for item in first:
        other = second.get(item.identity)
        paths: list[Path] = [()] if other is None else list(_differences(item.data, other.data))
        if paths:
            yield item, paths
    known = {item.identity for item in first}
    for item in again if known <= second.keys() else ():
        if item.identity not in known:
            yield item, [()]


def _differences(one: Json, other: Json, path: Path = ()) -> Iterator[Path]:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys([*one, *other]):
            yield from _differences(one.get(key), other.get(key), (*path, str(key)))
    elif isinstance(one, list) and isinstance(other, list):
        for index, (left, right) in enumerate(zip_longest(one, other)):
            yield from _differences(left, right, (*path, str(index)))
    elif one != other:
        yield path


def _ignored(rendered: RenderedFolder, item: KubeObject, path: Path) -> bool:
    """Whether Argo CD is told to look past the difference."""
    for entry in rendered.component.ignore_differences:
        wanted = {"group": item.group, "kind": item.kind, "name": item.name, "namespace": item.namespace}
        if any(entry.get(key, "*" if key == "group" else value) not in {value, "*"} for key, value in wanted.items()):
            continue
        pointers = [tuple(_unescaped(pointer)) for pointer in entry.get("jsonPointers", ())]
        pointers += [_query(query) for query in entry.get("jqPathExpressions", ())]
        if any(pointer and path[: len(pointer)] == pointer for pointer in pointers):
            return True
    return False


def _unescaped(pointer: str) -> Iterator[str]:
    for part in pointer.strip("/").split("/"):
        yield part.replace("~1", "/").replace("~0", "~")


def _query(query: str) -> Path:
    """The path of a jq expression that is nothing more than one: `.data.tls`; () for any other."""
    return tuple(query[1:].split(".")) if re.fullmatch(r"(\.[\w-]+)+", query) else ()


def _advice(rendered: RenderedFolder, item: KubeObject) -> str:
    """The value that is known to make the object stable, else values of its template that look like it."""
    inside = subcharts(item)
    name = inside[-1] if inside else item.source.partition("/")[0]
    if known := stable_values().get(name):
        prefix = "".join(f"{subchart}." for subchart in inside)
        return f"set `{prefix}{known[0]}`: {known[1]}"
    candidates = [f"`{value}`" for value in values_read(rendered, item, _TELLING)]
    if candidates:
        return f"look at the values that its template reads: {', '.join(candidates[:_SHOWN])}"
    own = item.source.partition("/")[2]
    found = sorted(rendered.facts.seen_in(rendered.text).impure, key=lambda use: use[1] != own)
    return f"the chart uses {_listed(found)}"


def _listed(uses: Sequence[tuple[str, str]]) -> str:
    """Functions with the files that use them, the first few."""
    return first_few([f"`{function}` in `{file}`" for function, file in uses], _SHOWN)


@cache
def stable_values() -> Mapping[str, tuple[str, str]]:
    """By a chart's name: the value that makes it stable, and what to set it to."""
    lines = (line.split("\t") for line in table_lines("stable-values.tsv"))
    return {name: (value, text) for name, value, text in lines}


RULE = Rule(
    "purity",
    str(__doc__),
    (codes.IMPURE, codes.UNDECIDED),
    "https://argo-cd.readthedocs.io/en/stable/user-guide/helm/#random-data",
    judge,
)
