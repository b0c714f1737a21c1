"""Which text of a chart is rendered: templates, strings in values, and files that a template hands to `tpl`."""

from __future__ import annotations

import re
from bisect import bisect
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

from groundswell.check.actions import ACTION, is_text
from groundswell.source.emitter import emit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from groundswell.source.located import Json

Actions: TypeAlias = "Sequence[tuple[str, set[bytes]]]"
"""Files of a chart, each with actions that stand in it."""

_TEMPLATE = re.compile(r"(?:charts/[^/]+/)*templates/")
_VALUES = re.compile(r"(?:charts/[^/]+/)*values\.yaml")
_SUBCHART = re.compile(r"(?:charts/[^/]+/)*")
_CRDS = re.compile(r"(?:charts/[^/]+/)*crds/")
# What stands beside the templates, and is not handed to `tpl` either.
_NOT_RENDERED = (".md", ".png", ".svg", ".tgz")
# What a template does with files, with the fixed beginning of their names; and actions that keep a file for later ones.
_READS = re.compile(rb"""\.Files\.\w+(?:\s*\(?\s*["`]([^"`*?\[{]*))?""")
_KEEPS = re.compile(rb"\{\{-?\s*(?:\$\w+\s*:?=|with\b|range\b)")


def is_values(name: str) -> bool:
    """Whether a file of a chart holds values, of which strings may be rendered."""
    return _VALUES.fullmatch(name) is not None


def is_rendered(name: str, handed: tuple[str, ...] = ()) -> bool:
    """Whether the text of a file is a template; `handed` is what `handed_to_tpl` found in the chart.

    Helm takes all below `templates/` for one: https://helm.sh/docs/chart_template_guide/builtin_objects/
    """
    if _TEMPLATE.match(name):
        return True
    return name.startswith(handed) and not name.endswith(_NOT_RENDERED) and not is_verbatim(name)


def is_partial(name: str) -> bool:
    """Whether a template is none of an object, and is there for what it defines."""
    return name.rpartition("/")[2].startswith("_")


def is_verbatim(name: str) -> bool:
    """Whether a file holds definitions that Helm prints as they are."""
    return _CRDS.match(name) is not None


def telling_actions(files: Iterable[tuple[str, bytes]], words: Sequence[bytes]) -> Actions:
    """The actions with one of the words or with more braces in them, of each file that may be rendered.

    Those that only print a string are left out but in partials, of which `include` may make something else. Charts
    repeat most of their actions: each is looked at once, however often it stands there.
    """
    actions = [(name, set(ACTION.findall(data))) for name, data in files if is_rendered(name, ("",)) and b"{{" in data]
    partial = set().union(*(found for name, found in actions if is_partial(name)))
    every = [
        action for action in set().union(*(found for _, found in actions)) if action in partial or not is_text(action)
    ]
    telling = {*_holding(every, words), *(action for action in every if action.find(b"{", 2) > 0)}
    return [(name, kept) for name, found in actions if (kept := found & telling)]


def _holding(actions: Sequence[bytes], words: Sequence[bytes]) -> Iterator[bytes]:
    """The actions that have one of the words: all are searched as one text, which is much faster than one by one."""
    joined = b"".join(actions)
    ends = list(accumulate(map(len, actions)))
    for word in words:
        at = joined.find(word)
        while at >= 0:
            index = bisect(ends, at)
            yield actions[index]
            at = joined.find(word, ends[index])


def handed_to_tpl(actions: Actions) -> tuple[str, ...]:
    """How the names of those files of a chart begin that templates read and render with `tpl`.

    The actions are those that have `tpl` or `.Files.`, at least.
    """
    found = set()
    for name, inside in actions:
        reading = [action for action in inside if b".Files." in action]
        if not reading or not is_rendered(name) or not any(b"tpl" in action for action in inside):
            continue
        for action in reading:
            if b"tpl" in action or _KEEPS.match(action):
                found |= {
                    chart_of(name) + (match[1] or b"").decode(errors="replace") for match in _READS.finditer(action)
                }
    return tuple(sorted(found))


def chart_of(file: str) -> str:
    """The folder of the subchart that a file belongs to, `charts/a/charts/b/`; "" for the chart itself."""
    found = _SUBCHART.match(file)
    return found[0] if found else ""


def texts(values: bytes) -> Iterator[bytes]:
    """The strings in values that have actions, keys included: how they are quoted in YAML is no part of them."""
    data = _read(values)
    if data is None:
        yield values
        return
    found: list[bytes] = []

    def note(text: bytes) -> bytes:
        found.append(text)
        return text

    _changed(data, note)
    yield from found


def with_texts(values: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """Values in which strings that have actions are replaced by what `change` makes of them."""
    data = _read(values)
    if data is None:
        return change(values)
    changed = _changed(data, change)
    return values if changed == data else emit(changed).encode()


def _read(values: bytes) -> Json:
    """The values; None where they cannot be read as Helm reads them."""
    from groundswell.diagnostics.diagnostic import failed  # noqa: PLC0415  few values hold actions
    from groundswell.source.reader import Dialect, read  # noqa: PLC0415  few values hold actions

    documents, findings = read(values, "values.yaml", Dialect.GO)
    return documents[0].data if len(documents) == 1 and not failed(findings) else None


def _changed(data: Json, change: Callable[[bytes], bytes]) -> Json:
    if isinstance(data, dict):
        return {str(_changed(key, change)): _changed(value, change) for key, value in data.items()}
    if isinstance(data, list):
        return [_changed(item, change) for item in data]
    return change(data.encode()).decode() if isinstance(data, str) and "{{" in data else data
