"""From a file's bytes to text that the parser can take, with the places of what it cannot."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import source as codes
from groundswell.source.span import Span

if TYPE_CHECKING:
    from groundswell.diagnostics.diagnostic import Diagnostic

_LARGEST = 16 * 2**20
_MOST_FINDINGS = 20  # of one kind in one file; a binary file would give thousands
_LINE_END = re.compile(r"\r\n?|\n")
# YAML 1.2, 5.1: what is not printable. Surrogates cannot come out of UTF-8.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
# Line ends under YAML 1.1, which the parser follows, and ordinary characters under YAML 1.2.
_LINE_ENDS_OF_OLD = "\x85\u2028\u2029"
_PRIVATE_USE = range(0xE000, 0xF900)


@dataclass(frozen=True)
class SourceText:
    """A file's text. The parser is given `parsed`; `hidden` maps the stand-ins in it back to the characters meant."""

    file: str
    parsed: str
    hidden: dict[int, str]

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends, numbered as the parser does."""
        return _LINE_END.split(self.parsed)

    def place(self, line: int, column: int, width: int = 1) -> Span:
        """A stretch of one line; line and column count from 1."""
        return Span(self.file, line, column, line, column + width)


def decode(data: bytes, file: str) -> tuple[SourceText | None, tuple[Diagnostic, ...]]:
    """The text of a file without byte order mark. None when it is too large, not UTF-8, or has control characters."""
    start = Span(file, 1, 1, 1, 1)
    if len(data) > _LARGEST:
        limit = f"{_LARGEST // 2**20} MiB"
        return None, (
            codes.TOO_LARGE(f"the file has {len(data)} bytes, more than {limit}", start, help="split the file"),
        )
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        place = _place(file, data[: error.start].decode("utf-8").removeprefix("\ufeff"))
        message = f"the byte 0x{data[error.start]:02X} is not UTF-8"
        return None, (codes.NOT_UTF8(message, place, help="save the file as UTF-8"),)
    if controls := list(islice(_CONTROL.finditer(text), _MOST_FINDINGS)):
        return None, tuple(_control(file, text, found) for found in controls)
    return _hide(file, text), ()


def _control(file: str, text: str, found: re.Match[str]) -> Diagnostic:
    number = ord(found[0])
    escape = f"\\x{number:02x}" if number <= 0xFF else f"\\u{number:04x}"  # noqa: PLR2004  two hexadecimal digits
    help_ = f'delete it, or write `"{escape}"` in double quotes'
    return codes.CONTROL_CHARACTER(
        f"the control character U+{number:04X} is not allowed", _place(file, text[: found.start()]), help=help_
    )


def _place(file: str, before: str) -> Span:
    """The place of the character that follows `before`."""
    lines = _LINE_END.split(before)
    return Span(file, len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 2)


def _hide(file: str, text: str) -> SourceText:
    """Put characters that the text does not use in the place of those that the parser would take for line ends."""
    meant = [char for char in _LINE_ENDS_OF_OLD if char in text]
    used = set(text) if meant else frozenset()
    free = (number for number in _PRIVATE_USE if chr(number) not in used)
    hidden = dict(zip(free, meant, strict=False))
    parsed = text.translate({ord(char): number for number, char in hidden.items()}) if hidden else text
    return SourceText(file, parsed, hidden)
