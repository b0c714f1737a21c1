"""Actions in templates, `{{ … }}`, and the templates that stand in strings inside of them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_STRING = rb"""(?:`[^`]*+`|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+")"""
_CHARACTER = rb"""'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'"""
_PLAIN = rb"""[^"`'}]*+"""

ACTION = re.compile(
    rb"\{\{(?!(?:-\s)?/\*)%b(?:%b%b|%b%b|\}(?!\})%b)*+\}\}" % (_PLAIN, _STRING, _PLAIN, _CHARACTER, _PLAIN, _PLAIN)
)
"""An action, comments left out. `}}` inside a string, a raw string or a character does not end it.

A comment begins right after the braces, or after `- `: https://go.dev/src/text/template/parse/lex.go
"""

TEXT = re.compile(_STRING)
"""A string inside an action."""

_PRINTED = re.compile(rb"""\{\{-?\s*["`]""")
_ALL_PRINTED = re.compile(rb"\{\{-?\s*+%b\s*+-?\}\}" % _STRING)


DEFINED = re.compile(rb"""\{\{-?\s*(?:define|block)\s*["`]([^"`]*)["`]""")
"""An action that defines a template, with its name."""

COMPUTES = re.compile(
    rb"""include(?!\s*\(\s*print\s+[\w.$]*\.Template\.BasePath\s+(?:"[\w./-]+"|`[\w./-]+`)\s*\))(?:\s+[$.(%]|\()"""
)
"""`include` with another name than a plain string or `(print $.Template.BasePath "/file.yaml")`."""


def in_actions(names: Iterable[bytes], text: bytes) -> bool:
    """Whether one of the names stands in what may be an action: told without a look at strings, and so in no time."""
    within = inside(text)
    return any(name in within for name in names)


def inside(text: bytes) -> bytes:
    """What of a text may be in actions, whatever strings they have.

    Wherever one ends, all of it is between a `{{` and the last `}}` before the next one, or all up to that one, which
    stands in a string of it.
    """
    parts = text.split(b"{{")[1:]
    return b" ".join([part[: part.rindex(b"}}")] if b"}}" in part else part for part in parts])


def prints_text(action: bytes) -> bool:
    """Whether an action only prints a string, so that an action in it is text: how charts write braces."""
    return _PRINTED.match(action) is not None and b"tpl" not in action


def is_text(action: bytes) -> bool:
    """Whether an action is nothing but a string: text that may be long, such as parts of a dashboard."""
    return _ALL_PRINTED.match(action) is not None


def unquoted(text: bytes) -> bytes:
    """What a string inside an action stands for; the string as it is where it has escapes that JSON lacks."""
    if text[:1] == b"`" or b"\\" not in text:
        return text[1:-1]
    try:
        return str(json.loads(text, strict=False)).encode()
    except ValueError:
        return text


def quoted(text: bytes) -> bytes:
    """A string for an action."""
    return json.dumps(text.decode(), ensure_ascii=False).encode()
