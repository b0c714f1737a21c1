"""Text from files and users made safe to show: nothing in it can move the cursor, add colours or hide itself."""

from __future__ import annotations

import unicodedata

_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

# Control and format characters (bidirectional overrides, zero-width joiners, byte order marks), surrogates, and the
# separators of lines and paragraphs.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def visible(text: str) -> str:
    r"""The text with every character that does not print replaced by its escape, such as `\x1b` or `\u202e`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(char) if unicodedata.category(char) in _HIDDEN else char for char in text)


def width(char: str) -> int:
    """How many columns of a terminal one visible character takes: 0 for combining marks, 2 for wide ones, else 1."""
    if char.isascii():
        return 1
    if unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def _escape(char: str) -> str:
    if char in _NAMED:
        return _NAMED[char]
    number = ord(char)
    if number <= 0xFF:  # noqa: PLR2004  two hex digits suffice up to here
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"  # noqa: PLR2004  as above with four
