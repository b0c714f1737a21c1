"""Templates of a chart that print the same, whatever the functions without a fixed result do: told by the text alone.

A named template is taken for used wherever its name stands, a file wherever its base name does, and `tpl` for given all
that stands in values and in other files. What computes the name of the template that it includes may use every one.
Templates share their maps, and some functions change these (https://masterminds.github.io/sprig/dicts.html), so what
has such a function has a part in what comes after it.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.actions import ACTION, COMPUTES, DEFINED, inside
from groundswell.check.impure_functions import impure_functions
from groundswell.check.template_files import is_partial, is_rendered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.check.chart_facts import Facts

SAME = b"# groundswell: the same each time\n"
"""What is written in place of such a template. Helm prints it, and before it whose place it takes."""

_PRINTED = re.compile(rb"^# Source: (.*)\n" + SAME, re.MULTILINE)
# Comments first, so that nothing in them is taken for an action.
_ACTIONS = re.compile(rb"\{\{-?\s*/\*(?s:.*?)\*/\s*-?\}\}|" + ACTION.pattern)
_DEFINE = re.compile(rb"\{\{-?\s*define\b")
_WORD = re.compile(rb"[\w.-]+")
# `set` and `unset`, and `merge`, `mergeOverwrite`, `mustMerge`, …: the map comes first.
_CHANGES = (re.compile(rb"set(?:\s+[$.(]|\()"), re.compile(rb"erge(?:Overwrite)?(?:\s+[$.(]|\()"))
_PATHS = (b"BasePath", b"templates/")


class _Part(NamedTuple):
    """A template, or what of it begins with a definition; `names` are what stands where it is used."""

    file: str
    text: bytes
    names: frozenset[bytes]

    def has(self, *patterns: re.Pattern[bytes]) -> bool:
        """Whether one of the patterns is in its text."""
        return any(pattern.search(self.text) for pattern in patterns)


def printed_same(text: bytes) -> frozenset[str]:
    """The paths, as helm prints them, of the templates in whose place it was told that they print the same."""
    return frozenset(path.decode(errors="replace") for path in _PRINTED.findall(text))


def steady(files: Sequence[tuple[str, bytes]], given: Sequence[bytes], facts: Facts) -> frozenset[str]:
    """The templates of a chart that print the same whatever the functions in `facts` do, and have no part in others.

    `given` are the values that the chart gets. Where a template both uses such a function and changes what others may
    read, there are none.
    """
    templates = [part for name, data in files if is_rendered(name) for part in _parts(name, data)]
    others = (data for name, data in files if not is_rendered(name))
    handed = _Part("", b" ".join(inside(data) for data in (*others, *given) if b"{{" in data), frozenset({b"tpl"}))
    parts = [*templates, handed]
    computing = {part for part in parts if part.has(COMPUTES)}
    differing = _users(parts, {*_impure(templates, handed, facts), *computing})
    changing = _users(parts, {*computing, *(part for part in parts if part.has(*_CHANGES))})
    if any(name and not is_partial(name) for name in differing & changing):
        return frozenset()
    named = {word for part in parts if any(way in part.text for way in _PATHS) for word in _WORD.findall(part.text)}
    needed = differing | changing | {part.file for part in templates if part.has(DEFINED)}
    left = {part.file for part in templates} - needed
    return frozenset(name for name in left if _WORD.fullmatch(_base(name)) and _base(name) not in named)


def _base(name: str) -> bytes:
    return name.rpartition("/")[2].encode()


def _parts(name: str, data: bytes) -> Iterator[_Part]:
    """A file cut before each definition."""
    cuts = [match.start() for match in _ACTIONS.finditer(data) if _DEFINE.match(match[0])] if b"define" in data else []
    for start, end in pairwise([0, *cuts, len(data)]):
        text = data[start:end]
        yield _Part(name, text, frozenset({_base(name), *DEFINED.findall(text)}))


def _impure(templates: Sequence[_Part], handed: _Part, facts: Facts) -> Iterator[_Part]:
    """The parts that functions without a fixed result stand in."""
    known, late = {file for _, file in facts.impure}, {file for _, file in facts.assembled}
    for part in templates:
        if part.file in late or (part.file in known and any(impure_functions(part.text))):
            yield part
    if not known | late <= {part.file for part in templates}:
        yield handed


def _users(parts: Sequence[_Part], start: set[_Part]) -> set[str]:
    """The files of these parts and of those that use them, directly or not."""
    found, new = set(start), start
    known: set[bytes] = set()
    while new:
        names = {name for part in new for name in part.names} - known
        known |= names
        new = {part for part in parts if part not in found and any(name in part.text for name in names)}
        found |= new
    return {part.file for part in found}
