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
_FLAGS = "([imsU]*)(?:-([imsU]+))?"
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
        found = self._sequence()
        if self._at < len(self._text):
            raise _UnknownError
        return found

    def _sequence(self) -> str:
        """What stands up to the end of a group, or of the whole.

        Flags without a colon hold to that end, and so does the group that stands for them; only another alternative
        after some that began in the middle cannot be said in that way.
        """
        parts: list[str] = []
        flags, middle = 0, False
        while self._at < len(self._text) and self._text[self._at] != ")":
            if found := self._take(rf"\(\?{_FLAGS}\)"):
                middle |= len(parts) > flags
                flags += 1
                parts.append(self._switch(found))
            elif middle and self._text[self._at] == "|":
                raise _UnknownError
            else:
                parts.append(self._part())
        return "".join(parts) + ")" * flags

    def _take(self, expression: str) -> re.Match[str] | None:
        """What begins here and matches, which is then behind."""
        found = re.compile(expression).match(self._text, self._at)
        if found:
            self._at = found.end()
        return found

    def _part(self) -> str:
        """The next atom or operator."""
        if self._take(r"\["):
            return self._brackets()
        if self._take(r"\("):
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
        """What stands behind `(`, to the end of the group."""
        if found := self._take(r"\?P?<([A-Za-z_]\w*)>"):
            head = f"(?P<{found[1]}>"
        elif found := self._take(rf"\?{_FLAGS}:"):
            head = self._switch(found)
        elif self._take(r"\?"):
            raise _UnknownError
        else:
            head = "("
        body = self._sequence()
        if not self._take(r"\)"):
            raise _UnknownError
        return f"{head}{body})"

    def _switch(self, flags: re.Match[str]) -> str:
        """The beginning of a group with flags. Lines count from the very beginning, or not at all."""
        on, off = flags[1], flags[2] or ""
        if "m" in off or ("m" in on and flags.start() > 0):
            raise _UnknownError
        self._lines |= "m" in on
        on, off = on.replace("U", ""), off.replace("U", "")
        return f"(?{on}{'-' if off else ''}{off}:"

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
