r"""Go's regular expressions, which definitions are written in, as Python reads them.

What differs: `$`, `\s`, classes such as `[[:alpha:]]`, and what a bracket means among others; ASCII is all that `\d`,
`\w` and `\b` know. https://github.com/google/re2/wiki/Syntax
"""

from __future__ import annotations

import re
from functools import lru_cache

_POSIX = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": r"\x00-\x7f",
    "blank": r"\t ",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t\n\v\f\r ",
    "upper": "A-Z",
    "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}
_SPACE = r"\t\n\f\r "
_CLASSES = frozenset({_SPACE, r"\d", r"\D", r"\w", r"\W"})


class _UnknownError(ValueError):
    """The expression has something in it that has no counterpart, or that is none of Go's."""


@lru_cache(maxsize=512)
def translated(pattern: str) -> re.Pattern[str] | None:
    """The same expression for Python, to be searched for; None for one that cannot be had."""
    try:
        return re.compile(_Reader(pattern).whole(), re.ASCII)
    except (_UnknownError, re.error, OverflowError, RecursionError):
        return None


class _Reader:
    """Reads an expression from left to right; what it returns is Python's."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._lines = False

    def whole(self) -> str:
        """All of it."""
        parts = []
        while self._at < len(self._text):
            parts.append(self._part())
        return "".join(parts)

    def _take(self, expression: str) -> re.Match[str] | None:
        """What begins here and matches, which is then behind."""
        found = re.compile(expression).match(self._text, self._at)
        if found:
            self._at = found.end()
        return found

    def _part(self) -> str:
        """The next atom, operator or group's end."""
        if self._take(r"\["):
            return self._brackets()
        if self._take(r"\(\?"):
            return self._group()
        if found := self._take(r"\\Q(.*?)(?:\\E|\Z)"):
            return re.escape(found[1])
        if self._take(r"\\"):
            return self._escape(inside=False)
        if found := self._take(r"\{\d+(,\d*)?\}"):
            return found[0]
        plain = self._next()
        return {"{": r"\{", "$": "$" if self._lines else r"\Z"}.get(plain, plain)

    def _next(self) -> str:
        found = self._text[self._at : self._at + 1]
        if not found:
            raise _UnknownError
        self._at += 1
        return found

    def _group(self) -> str:
        """What stands behind `(?`: a name, or flags for the whole expression or for the group."""
        if found := self._take(r"P?<([A-Za-z_]\w*)>"):
            return f"(?P<{found[1]}>"
        found = self._take(r"([imsU]*)(?:-([imsU]+))?([:)])")
        # Flags that begin in the middle hold to the end of the group they stand in, which Python cannot say.
        if found is None or (found[3] == ")" and found.start() != len("(?")) or "m" in (found[2] or ""):
            raise _UnknownError
        self._lines |= "m" in found[1]
        if "m" in found[1] and found[3] == ":":
            raise _UnknownError
        switched = found[1].replace("U", ""), (found[2] or "").replace("U", "")
        flags = switched[0] + (f"-{switched[1]}" if switched[1] else "")
        if found[3] == ":":
            return f"(?{flags}:"
        return f"(?{switched[0]})" if switched[0] else ""

    def _escape(self, *, inside: bool) -> str:
        """What stands behind a backslash, `inside` brackets or not."""
        if found := self._take(r"x\{([0-9A-Fa-f]+)\}"):
            return re.escape(chr(int(found[1], 16)))
        if found := self._take(r"x[0-9A-Fa-f]{2}|[0-7]{3}|[afntrvdDwW]|[^\w\s]|_"):
            return f"\\{found[0]}"
        if self._take("s"):
            return _SPACE if inside else f"[{_SPACE}]"
        if not inside and (found := self._take(r"[Abz]|B|S")):
            return {"z": r"\Z", "S": f"[^{_SPACE}]"}.get(found[0], f"\\{found[0]}")
        raise _UnknownError

    def _brackets(self) -> str:
        """What stands behind `[`, to its end."""
        parts = ["[^" if self._take(r"\^") else "["]
        first = True
        while first or not self._take(r"\]"):
            parts.append(self._member())
            first = False
        return "".join(parts) + "]"

    def _member(self) -> str:
        """A class, a character, or two with a dash between."""
        if found := self._take(r"\[:(\w+):\]"):
            if found[1] not in _POSIX:
                raise _UnknownError
            return _POSIX[found[1]]
        if self._text.startswith("[:^", self._at):
            raise _UnknownError
        low = self._single()
        if low in _CLASSES or not self._take(r"-(?=[^\]])"):
            return low
        return f"{low}-{self._single()}"

    def _single(self) -> str:
        """A character inside of brackets, or what stands for several."""
        return self._escape(inside=True) if self._take(r"\\") else re.escape(self._next())
