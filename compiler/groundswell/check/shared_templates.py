"""Which charts of an archive use templates that a subchart defines: their names are global, whatever it prints itself.

https://helm.sh/docs/chart_template_guide/named_templates/

A chart is taken for a user of another one where a string in its files is the name of a template that the other defines,
and of what these use in turn. What computes the name of the template that it includes may use every one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from groundswell.check.actions import COMPUTES, DEFINED
from groundswell.check.template_files import chart_of, is_rendered, is_values, is_verbatim

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

Users: TypeAlias = "tuple[tuple[str, str], ...]"
"""Files of subcharts, each with the folder of a chart that may use what it defines or changes."""

ANY = ""
"""In place of a file: the chart may use every one."""

# A string, or what of it comes before an escaped quote.
_STRING = re.compile(rb"""["`]([^"`\\\n]+)""")
# What changes a map (https://masterminds.github.io/sprig/dicts.html) that is neither a new one nor a copy.
_CHANGES = re.compile(rb"(?:\b(?:un)?set|erge(?:Overwrite)?)(?:\s+[$.]|\s*\((?!\s*(?:dict|(?:mustD|d)eepCopy)\b))")
_CALL = re.compile(rb"\{\{[^}]*\b(?:include|template)\b")


def users(files: Collection[tuple[str, bytes]], telling: Iterable[str]) -> Users:
    """The charts that may use these files, as far as they belong to subcharts.

    Maps are shared with the chart around, so that one uses what changes them. Values that are given to a chart which is
    not among the files may name every template.
    """
    texts = dict(files)
    if "Chart.yaml" not in texts:
        return ((ANY, ""),) if any(is_values(name) and _CALL.search(data) for name, data in files) else ()
    inner = {file for file in telling if chart_of(file) and is_rendered(file)}
    found = {(file, "") for file in inner if _CHANGES.search(texts[file])}
    if defining := {file for file in inner if DEFINED.search(texts[file])}:
        using = _using(files)
        found |= {(file, user) for file in defining for user in _reaching(chart_of(file), using)}
    return tuple(sorted(found))


def _using(files: Collection[tuple[str, bytes]]) -> dict[str, set[str]]:
    """By the folder of a chart, the others that have the name of one of its templates."""
    defined = defaultdict[bytes, set[str]](set)
    strings = defaultdict[str, set[bytes]](set)
    computing = set()
    for name, data in files:
        if is_verbatim(name) or b"{{" not in data:
            continue
        chart = chart_of(name)
        if is_rendered(name):
            for template in DEFINED.findall(data):
                defined[template].add(chart)
            if COMPUTES.search(data):
                computing.add(chart)
        strings[chart].update(_STRING.findall(data))
    using = defaultdict[str, set[str]](set)
    for user, named in strings.items():
        for template in defined if user in computing else named & defined.keys():
            for chart in defined[template] - {user}:
                using[chart].add(user)
    return using


def _reaching(chart: str, using: dict[str, set[str]]) -> Iterator[str]:
    """The users of a chart, and theirs in turn."""
    known, new = {chart}, {chart}
    while new:
        new = set().union(*(using.get(one, ()) for one in new)) - known
        known |= new
        yield from new
