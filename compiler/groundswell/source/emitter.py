"""The one YAML emitter. What it writes has the same reading under YAML 1.1, YAML 1.2, go-yaml, and Helm 3 and 4."""

from __future__ import annotations

import json
import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.source.located import Json, PathKey

_Notes: TypeAlias = "dict[PathKey | None, Any]"
"""Comments in the shape of the data: under each key those below it, under None the one of the node itself."""


class Quoted(str):
    """Text that is always written in double quotes."""

    __slots__ = ()


# Text whose form alone makes it a plain scalar everywhere: it starts like a word, a path or an option, and holds no
# `: `, no ` #` and no blank at its end. Words and number-like text are sorted out by the two tests below.
_PLAIN = re.compile(
    r"(?:[\w/]|\.(?=[A-Za-z])|-{1,2}(?=[A-Za-z]))"
    r"(?:[\w/.+~@%^&*=()<>?!$;|'\"`\\{}\[\],#-]|:(?![ ]|\Z)|[ ](?![ #]|\Z))*"
)
# A superset of all forms of integers (any base, `_`, base 60), floats and dates in YAML 1.1, YAML 1.2 and Go.
_NUMBER_LIKE = re.compile(r"[-+.]*[0-9][0-9A-Fa-fOoXxTtZz_.:+ -]*")
_WORDS = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null", ".inf", ".nan"])

# Line ends to some readers only, and characters that nobody sees: they are written as escapes.
_INVISIBLE = "\x7f-\xa0\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff"
_ESCAPED = re.compile(f"[{_INVISIBLE}]")
_SURROGATE = re.compile("[\ud800-\udfff]")
# A literal block cannot hold these, or loses them in some reader: a first line that starts with a blank or is empty,
# control characters other than the line end, blanks at line ends, several line ends at the end (Helm < 4.2 cuts them).
_NOT_LITERAL = re.compile(rf"\A[ \n]|[\x00-\x09\x0b-\x1f\ud800-\udfff{_INVISIBLE}]|[ ](?:\n|\Z)|\n\n\Z")

_SHORT = 100
_LONGEST_SIMPLE_KEY = 250  # readers stop at 1024 bytes or characters; a character takes at most four bytes


def emit(data: Json, comments: Mapping[tuple[PathKey, ...], str] | None = None) -> str:
    """Write one document in block style: keys in the order given, two blanks of indentation, no folding, no aliases.

    `comments` are put after the scalars (or empty collections) at their paths.

    Raises:
        ValueError: `data` holds what JSON cannot (NaN, infinity, other types, lone surrogates), or a comment has no
            place or more than one line. All are mistakes of the caller.
    """
    writer = _Writer()
    writer.document(data, _noted(data, comments) if comments else {})
    return "".join(writer.lines)


class _Writer:
    """Collects the lines of one document."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def document(self, data: Json, notes: _Notes) -> None:
        if isinstance(data, dict) and data:
            self._mapping(data, "", "", notes)
        elif isinstance(data, list) and data:
            self._sequence(data, "", "", notes)
        else:
            self.lines.append(self._scalar(data, "", notes).removeprefix(" "))

    def _mapping(self, data: dict[str, Json], lead: str, pad: str, notes: _Notes) -> None:
        """`lead` stands before the first key (it may hold the dashes of lists around), `pad` before the others."""
        append = self.lines.append
        for key, value in data.items():
            head = lead + self._key(key, pad)
            below = notes.get(key, {}) if notes else notes
            if isinstance(value, dict) and value:
                append(head + "\n")
                self._mapping(value, pad + "  ", pad + "  ", below)
            elif isinstance(value, list) and value:
                append(head + "\n")
                self._sequence(value, pad + "  ", pad + "  ", below)
            else:
                append(head + self._scalar(value, pad, below))
            lead = pad

    def _sequence(self, data: list[Json], lead: str, pad: str, notes: _Notes) -> None:
        for index, value in enumerate(data):
            below = notes.get(index, {}) if notes else notes
            if isinstance(value, dict) and value:
                self._mapping(value, lead + "- ", pad + "  ", below)
            elif isinstance(value, list) and value:
                self._sequence(value, lead + "- ", pad + "  ", below)
            else:
                self.lines.append(lead + "-" + self._scalar(value, pad, below))
            lead = pad

    def _key(self, key: Json, pad: str) -> str:
        if not isinstance(key, str):
            raise ValueError(f"a key must be text, not {key!r}")  # noqa: TRY004  one error for all that JSON cannot hold
        spelled = _text(key)
        if len(spelled) > _LONGEST_SIMPLE_KEY:
            return f"? {spelled}\n{pad}:"
        return spelled + ":"

    def _scalar(self, value: Json, pad: str, notes: _Notes) -> str:
        """The rest of the line after a key's colon or a dash; for text of several lines those too."""
        note = f"  # {notes[None]}\n" if notes else "\n"
        if isinstance(value, str):
            if "\n" in value and not isinstance(value, Quoted) and not _NOT_LITERAL.search(value):
                return _literal(value, pad + "  ", note)
            return f" {_text(value)}{note}"
        return f" {_spelling(value)}{note}"


def _text(text: str) -> str:
    if isinstance(text, Quoted):
        return _quoted(text)
    return _short(text) if len(text) < _SHORT else _judged(text)


def _judged(text: str) -> str:
    return text if _is_plain(text) else _quoted(text)


# Short texts recur a lot, keys above all: each is judged once.
_short = lru_cache(4096)(_judged)


def _is_plain(text: str) -> bool:
    """Whether every reader takes the bare text as this text."""
    return bool(_PLAIN.fullmatch(text)) and text.lower() not in _WORDS and not _NUMBER_LIKE.fullmatch(text)


def _quoted(text: str) -> str:
    """Text in double quotes. The escapes of JSON are escapes of YAML too."""
    if _SURROGATE.search(text):
        raise ValueError(f"text with a lone surrogate has no UTF-8: {text!r}")
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def _literal(text: str, pad: str, note: str) -> str:
    """A literal block, the text's lines as they are."""
    ended = text.endswith("\n")
    lines = (text[:-1] if ended else text).split("\n")
    body = "".join(f"{pad}{line}\n" if line else "\n" for line in lines)
    return f" {'|' if ended else '|-'}{note}{body}"


def _spelling(value: Json) -> str:
    """Numbers, booleans, null and empty collections."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} has no form in JSON")
        text = repr(value)
        # Without a dot, YAML 1.1 takes `1e+20` as text.
        return text if "." in text else text.replace("e", ".0e")
    if isinstance(value, dict):
        return "{}"
    if isinstance(value, list):
        return "[]"
    raise ValueError(f"{type(value).__name__} is no JSON type")


def _noted(data: Json, comments: Mapping[tuple[PathKey, ...], str]) -> _Notes:
    """The comments in the shape of the data, after a look whether each has its place."""
    notes: _Notes = {}
    for path, text in comments.items():
        value, node = data, notes
        try:
            for key in path:
                value, node = value[key], node.setdefault(key, {})
        except (KeyError, IndexError, TypeError):
            raise ValueError(f"nothing stands at {path} that could be commented") from None
        if isinstance(value, dict | list) and value:
            raise ValueError(f"the comment at {path} has no scalar to follow")
        if not text.isprintable():
            raise ValueError(f"the comment at {path} is not one printable line: {text!r}")
        node[None] = text
    return notes
