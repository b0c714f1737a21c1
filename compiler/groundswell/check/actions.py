"""Actions in templates, `{{ … }}`, and the templates that stand in strings inside of them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

ACTION = re.compile(rb"""\{\{(?!-?\s*/\*)(?>[^"`'}]+|"(?>\\.|[^"\\\n])*"|`[^`]*`|'(?>\\.|[^'\\\n])*'|\}(?!\}))*+\}\}""")
"""An action, comments left out. `}}` inside a string, a raw string or a character does not end it."""

TEXT = re.compile(rb"""(?>"(?>\\.|[^"\\\n])*"|`[^`]*`)""")
"""A string inside an action."""

_PRINTED = re.compile(rb"""\{\{-?\s*["`]""")


def in_actions(names: Iterable[bytes], text: bytes) -> bool:
    """Whether one of the names stands in what may be an action: told without a look at strings, and so in no time.

    Wherever actions end, all of them is between a `{{` and the last `}}` before the next one.
    """
    within = b" ".join([part[: part.rfind(b"}}") + 1] for part in text.split(b"{{")[1:]])
    return any(name in within for name in names)


def prints_text(action: bytes) -> bool:
    """Whether an action only prints a string, so that an action in it is text: how charts write braces."""
    return _PRINTED.match(action) is not None and b"tpl" not in action


def unquoted(text: bytes) -> bytes:
    """What a string inside an action stands for; the string as it is where it has escapes that JSON lacks."""
    if text[:1] == b"`":
        return text[1:-1]
    try:
        return str(json.loads(text, strict=False)).encode()
    except ValueError:
        return text


def quoted(text: bytes) -> bytes:
    """A string for an action."""
    return json.dumps(text.decode(), ensure_ascii=False).encode()
