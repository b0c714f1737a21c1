"""Which text of a chart is rendered: templates, strings in values, and files that a template hands to `tpl`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from groundswell.check.actions import ACTION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from groundswell.source.located import Json

_TEMPLATE = re.compile(r"(?:charts/[^/]+/)*templates/")
_VALUES = re.compile(r"(?:charts/[^/]+/)*values\.yaml")
_SUBCHART = re.compile(r"(?:charts/[^/]+/)*")
_CRDS = re.compile(r"(?:charts/[^/]+/)*crds/")
_NOT_RENDERED = (".md", ".png", ".svg", ".tgz")
# What a template does with files, with the fixed beginning of their names; and actions that keep a file for later ones.
_READS = re.compile(rb"""\.Files\.\w+(?:\s*\(?\s*["`]([^"`*?\[{]*))?""")
_KEEPS = re.compile(rb"\{\{-?\s*(?:\$\w+\s*:?=|with\b|range\b)")


def is_values(name: str) -> bool:
    """Whether a file of a chart holds values, of which strings may be rendered."""
    return _VALUES.fullmatch(name) is not None


def is_rendered(name: str, handed: tuple[str, ...] = ()) -> bool:
    """Whether the text of a file is a template; `handed` is what `handed_to_tpl` found in the chart."""
    if name.endswith(_NOT_RENDERED) or is_verbatim(name):
        return False
    return _TEMPLATE.match(name) is not None or name.startswith(handed)


def is_verbatim(name: str) -> bool:
    """Whether a file holds definitions that Helm prints as they are."""
    return _CRDS.match(name) is not None


def handed_to_tpl(files: Iterable[tuple[str, bytes]]) -> tuple[str, ...]:
    """How the names of those files of a chart begin that templates read and render with `tpl`."""
    found: dict[str, None] = {}
    for name, data in files:
        if b"tpl" not in data or b".Files." not in data or not is_rendered(name):
            continue
        for action in ACTION.findall(data):
            if b"tpl" in action or _KEEPS.match(action):
                read = (match[1] or b"" for match in _READS.finditer(action))
                found |= dict.fromkeys(chart_of(name) + part.decode(errors="replace") for part in read)
    return tuple(found)


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
    return values if changed == data else json.dumps(changed, ensure_ascii=False).encode()


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
