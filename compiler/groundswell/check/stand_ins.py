"""The same chart at another time and in another order.

Two renderings in the same second print the same date, and every other time two keys come in the same order: comparing
them tells by chance. So the functions that depend on the time, on the order of a map or on luck are replaced in a copy
of the chart by functions whose result is known and another one. What still comes out the same does not depend on them.
"""

from __future__ import annotations

import re
from enum import Enum

from groundswell.check.chart_facts import ACTION

FORM = "1"
"""Changes with what stands in for what."""

FILE = "templates/_groundswell-values.tpl"
TEMPLATE = b"""\
{{- define "groundswell.values" -}}
[{{ $comma := "" }}{{ range $map := . }}{{ range $map }}{{ $comma }}{{ toJson . }}{{ $comma = "," }}{{ end }}{{ end }}]
{{- end }}
"""
"""What stands in for `values`: those of maps by their keys' order, since `range` over a map has one."""

_VALUES = b"include `groundswell.values` | fromJsonArray"
_PART = re.compile(rb"""(?>"(?>\\.|[^"\\\n])*"|`[^`]*`|'(?>\\.|[^'\\\n])*'|[\w.$]+|.)""", re.DOTALL)


class Variant(Enum):
    """How a folder is rendered: as it is, the same once more, or with functions replaced by either of two results."""

    PLAIN = ""
    AGAIN = "again"
    EARLY = "early"
    LATE = "late"

    @property
    def replaced(self) -> bool:
        """Whether functions are replaced."""
        return self in _REPLACEMENTS


# By function: what is written for its name, and what is added to the end of its command. Backquotes, since values may
# hold templates in quotes. Random numbers are the smallest and the largest that there may be.
_REPLACEMENTS = {
    Variant.EARLY: {
        b"now": (b"(toDate `2006-01-02 15:04:05` `2001-02-03 04:05:06`)", b""),
        b"ago": (b"printf `1h %v`", b""),
        b"shuffle": (b"printf `1%v`", b""),
        b"randInt": (b"min", b""),
        b"keys": (b"keys", b"sortAlpha"),
        b"values": (b"list", _VALUES),
    },
    Variant.LATE: {
        b"now": (b"(toDate `2006-01-02 15:04:05` `2012-11-20 17:28:39`)", b""),
        b"ago": (b"printf `2h %v`", b""),
        b"shuffle": (b"printf `2%v`", b""),
        b"randInt": (b"max", b"add -1"),
        b"keys": (b"keys", b"sortAlpha | reverse"),
        b"values": (b"list", _VALUES + b" | reverse"),
    },
}
REPLACED = frozenset(name.decode() for name in _REPLACEMENTS[Variant.EARLY])
"""The functions that are replaced."""

EITHER = frozenset({"keys", "randInt", "values"})
"""Those whose result may be that of either variant: only the two variants can be compared with each other."""


def stand_in(text: bytes, variant: Variant) -> bytes:
    """A file of a chart, or values with templates in them, with functions replaced in every action."""
    if b"{{" not in text or not variant.replaced:
        return text
    return ACTION.sub(lambda action: _replaced(action[0], variant), text)


def _replaced(action: bytes, variant: Variant) -> bytes:
    """One action. What is added to a command goes before the next one, the parenthesis that closes it, or the end."""
    end = len(action) - (3 if action.endswith(b"-}}") else 2)
    written: list[bytes] = []
    added: list[list[bytes]] = [[]]
    for part in _PART.findall(action, 0, end):
        if part in {b"|", b")"}:
            written += [b" | " + suffix + b" " for suffix in added[-1]]
            added[-1] = []
        if part == b"(":
            added.append([])
        elif part == b")" and len(added) > 1:
            added.pop()
        name, suffix = _REPLACEMENTS[variant].get(part, (part, b""))
        if part[:1] == b'"':
            name = stand_in(part, variant)  # a template in a string, for `tpl`
        added[-1] += [suffix] if suffix else []
        written.append(name)
    written += [b" | " + suffix + b" " for suffix in added[-1]]
    return b"".join(written) + action[end:]
