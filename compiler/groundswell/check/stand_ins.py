"""The same chart at another time and in another order.

Two renderings in the same second print the same date, and every other time two keys come in the same order: comparing
them tells by chance. So the functions that depend on the time, on the order of a map or on luck are replaced in a copy
of the chart by functions whose result is known and another one. What still comes out the same does not depend on them.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from groundswell.check.actions import ACTION, prints_text, quoted, unquoted
from groundswell.check.template_files import is_values, with_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FORM = "5"
"""Changes with what stands in for what, and with what is left out."""

FILE = "templates/_groundswell-values.tpl"
TEMPLATE = b"""\
{{- define "groundswell.values" -}}
[{{ $comma := "" }}{{ range $map := . }}{{ range $map }}{{ $comma }}{{ toJson . }}{{ $comma = "," }}{{ end }}{{ end }}]
{{- end }}
{{- define "groundswell.date" -}}
{{ $known := has (typeOf (index . 2)) (list "time.Time" "*time.Time" "int" "int32" "int64") -}}
{{ dateInZone (index . 1) (ternary (index . 2) (first .) $known) (index (append . "Local") 3) }}
{{- end }}
{{- define "groundswell.random" -}}
{{ repeat (last .) (first .) }}
{{- end }}
{{- define "groundswell.randBytes" -}}
{{ repeat (last .) (first .) | b64enc }}
{{- end }}
{{- define "groundswell.durationRound" -}}
{{ durationRound (ternary (first .) (last .) (typeIs "time.Time" (last .))) }}
{{- end }}
"""
"""What stands in for `values`: those of maps by their keys' order, since `range` over a map has one. And what does for
functions that only take the time of day when they get no time, or only when they get one: `first` is taken instead."""

_VALUES = b"include `groundswell.values` | fromJsonArray"
_DATE = b"include `groundswell.date`"
_ROUND = b"include `groundswell.durationRound`"
_RANDOM = b"include `groundswell.random`"
_BYTES = b"include `groundswell.randBytes`"
_PART = re.compile(rb"""(?>"(?>\\.|[^"\\\n])*"|`[^`]*`|'(?>\\.|[^'\\\n])*'|[.$][\w.$]*|\w+|.)""", re.DOTALL)


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


_Replacements: TypeAlias = "dict[bytes, tuple[bytes, bytes]]"
"""By function: what is written for its name, and what is added to the end of its command."""


def _at(time: bytes, duration: bytes) -> _Replacements:
    """The functions that depend on the time."""
    now = b"(toDate `2006-01-02 15:04:05` `%b`)" % time
    date, day = b"list " + now, b"list " + now + b" `2006-01-02`"
    return {
        b"now": (now, b""),
        b"ago": (b"printf `%b %%v`" % duration, b""),
        b"date": (date, _DATE),
        b"dateInZone": (date, _DATE),
        b"date_in_zone": (date, _DATE),
        b"htmlDate": (day, _DATE),
        b"htmlDateInZone": (day, _DATE),
        b"durationRound": (b"list `%b`" % duration, _ROUND),
    }


def _texts(letter: bytes, mixed: bytes, digit: bytes, character: bytes) -> _Replacements:
    """Random texts, which are as long as they would be, and all of one character of their alphabet."""
    return {
        b"randAlpha": (b"list `%b`" % letter, _RANDOM),
        b"randAlphaNum": (b"list `%b`" % mixed, _RANDOM),
        b"randAscii": (b"list `%b`" % character, _RANDOM),
        b"randNumeric": (b"list `%b`" % digit, _RANDOM),
        b"randBytes": (b"list `%b`" % character, _BYTES),
    }


# Random numbers are the smallest and the largest that there may be, and of the same type.
_REPLACEMENTS: dict[Variant, _Replacements] = {
    Variant.EARLY: {
        **_at(b"2001-02-03 04:05:06", b"1h"),
        **_texts(b"a", b"a", b"1", b"a"),
        b"shuffle": (b"printf `1%v`", b""),
        b"randInt": (b"min", b"int"),
        b"keys": (b"keys", b"sortAlpha"),
        b"values": (b"list", _VALUES),
    },
    Variant.LATE: {
        **_at(b"2012-11-20 17:28:39", b"2h"),
        **_texts(b"Z", b"8", b"8", b"~"),
        b"shuffle": (b"printf `2%v`", b""),
        b"randInt": (b"max", b"add -1 | int"),
        b"keys": (b"keys", b"sortAlpha | reverse"),
        b"values": (b"list", _VALUES + b" | reverse"),
    },
}
REPLACED = frozenset(name.decode() for name in _REPLACEMENTS[Variant.EARLY])
"""The functions that are replaced."""

EITHER = frozenset({"keys", "values", *(name for name in REPLACED if name.startswith("rand"))})
"""Those whose result may be that of either variant: only the two variants can be compared with each other."""


def stand_in_files(
    files: Iterable[tuple[str, bytes]], variant: Variant, impure: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, bytes]]:
    """The files of a chart, or its values, with functions replaced where they stand (`Facts.impure`)."""
    named = {file for function, file in impure if function in REPLACED}
    for name, data in files:
        if name not in named:
            yield name, data
        elif is_values(name):
            yield name, with_texts(data, lambda text: stand_in(text, variant))
        else:
            yield name, stand_in(data, variant)


def stand_in(text: bytes, variant: Variant, *, raw: bool = False) -> bytes:
    """A template with functions replaced in every action; `raw` when it is part of a string in backquotes."""
    if b"{{" not in text or not variant.replaced:
        return text
    return ACTION.sub(lambda action: _replaced(action[0], variant, raw=raw), text)


def _nested(text: bytes, variant: Variant, *, raw: bool) -> bytes:
    """A string in an action, which may be a template for `tpl`."""
    plain = unquoted(text)
    if text[:1] == b"`":
        return b"`" + stand_in(plain, variant, raw=True) + b"`"
    changed = stand_in(plain, variant, raw=raw)
    return text if plain in {changed, text} else quoted(changed)


def _replaced(action: bytes, variant: Variant, *, raw: bool) -> bytes:
    """One action. What is added to a command goes before the next one, the parenthesis that closes it, or the end."""
    if not any(name in action for name in _REPLACEMENTS[variant]):
        return action
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
        if raw:
            name, suffix = name.replace(b"`", b'"'), suffix.replace(b"`", b'"')
        if part[:1] in {b'"', b"`"} and b"{{" in part and not prints_text(action):
            name = _nested(part, variant, raw=raw)
        added[-1] += [suffix] if suffix else []
        written.append(name)
    written += [b" | " + suffix + b" " for suffix in added[-1]]
    return b"".join(written) + action[end:]
