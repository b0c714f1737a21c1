"""What a plain scalar (a bare word or number) means to the readers of YAML, and whether they agree."""

from __future__ import annotations

import math
import re
import sys
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from groundswell.diagnostics.codes import source as codes
from groundswell.source.emitter import Quoted, emit

if TYPE_CHECKING:
    from groundswell.diagnostics.diagnostic import Code

Scalar: TypeAlias = "str | int | float | bool | None"


class Dialect(Enum):
    """Whose reading of plain scalars counts where readers differ."""

    STRICT = "strict"
    """YAML 1.2 core; where others differ, or a value is left empty, is an error. For files written for this project."""
    GO = "go"
    """As Helm and kubectl read (sigs.k8s.io/yaml, that is go-yaml v2): `no` is false, `0644` is 420. Else a warning."""
    GO_V3 = "go-v3"
    """As programs on go-yaml v3 read untyped values: like GO, but `no`, `on`, `y` and the like are text."""


class Indicator(Enum):
    """Plain scalars to which YAML 1.1 gives types of their own."""

    DEFAULT = "the default-value indicator"
    MERGE = "the merge indicator"


class Doubt(NamedTuple):
    """A finding about a scalar that lacks only its place."""

    code: Code
    message: str
    help: str


class Plain(NamedTuple):
    """The reading of a plain scalar: its value, its text when that value is no string, and what is doubtful in it."""

    value: Scalar
    text: str | None
    doubt: Doubt | None


_WORDS_12: dict[str, bool | None] = {
    **dict.fromkeys(["", "~", "null", "Null", "NULL"]),
    **dict.fromkeys(["true", "True", "TRUE"], True),
    **dict.fromkeys(["false", "False", "FALSE"], False),
}
_WORDS_GO = {
    **_WORDS_12,
    **dict.fromkeys(["y", "Y", "yes", "Yes", "YES", "on", "On", "ON"], True),
    **dict.fromkeys(["n", "N", "no", "No", "NO", "off", "Off", "OFF"], False),
}
_WORDS_11 = {**_WORDS_GO, "=": Indicator.DEFAULT, "<<": Indicator.MERGE}
# A superset of what any reader takes for a number, and integers that all of them read alike.
_NUMBER_LIKE = re.compile(r"[-+.0-9][-+.:0-9A-Fa-fIiNnOoXx_]*")
_SIMPLE_INTEGER = re.compile(r"-?[1-9][0-9]{0,17}|0")
_FIRST_OF_NUMBERS = frozenset("0123456789+-")
_INFINITY = re.compile(r"([-+]?)\.(?:inf|Inf|INF)")
_NAN = frozenset((".nan", ".NaN", ".NAN"))

# YAML 1.2, 10.3.2: tag resolution of the core schema.
_INTEGER_12 = re.compile(r"([-+]?)(?:(0o)([0-7]+)|(0x)([0-9a-fA-F]+)|()([0-9]+))")
_FLOAT_12 = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")

# yaml.org/type/int.html and float.html. The float there also matches `1.2.3`, which no reader follows.
_INTEGER_11 = re.compile(r"([-+]?)(?:(0b)([01_]+)|(0x)([0-9a-fA-F_]+)|(0)([0-7_]+)|()(0|[1-9][0-9_]*))")
_FLOAT_11 = re.compile(r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+][0-9]+)?")
_BASE_60 = re.compile(r"([-+]?)((?:[1-9][0-9_]*(?::[0-5]?[0-9])+)|(?:[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*))")

# go-yaml, resolve.go: strconv.ParseInt with base 0 after removal of `_`, then its own pattern of floats.
_INTEGER_GO = re.compile(r"([-+]?)(?:(0[bB])([01]+)|(0[xX])([0-9a-fA-F]+)|(0[oO]?)([0-7]+)|()(0|[1-9][0-9]*))")
_DOT_FLOAT_GO = re.compile(r"\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?")

_BASES = {"0b": 2, "0o": 8, "0": 8, "0x": 16, "": 10}
_DIGITS_OF_A_FLOAT = 309
_WHOLE_UP_TO = 2**53
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]+")
_DECIMAL = re.compile(r"[-+]?[0-9]+\.[0-9]*")


_EMPTY = Doubt(
    codes.EMPTY_VALUE,
    "the value is left empty",
    'write `null` to delete what lower layers say, or `{}`, `[]` or `""`',
)


def plain(text: str, dialect: Dialect) -> Plain:
    """Read a plain scalar.

    Where readers differ, the value is the dialect's and the doubt is an error (a warning in the Go dialects).
    """
    if text not in _WORDS_11 and not _NUMBER_LIKE.fullmatch(text):
        return Plain(text, None, None)
    if _SIMPLE_INTEGER.fullmatch(text):
        return Plain(int(text), text, None)
    if not text:
        return Plain(None, text, _EMPTY if dialect is Dialect.STRICT else None)
    core, old, helm = core_reading(text), yaml11_reading(text), go_reading(text)
    value = {Dialect.STRICT: core, Dialect.GO: helm, Dialect.GO_V3: go_v3_reading(text)}[dialect]
    return Plain(value, None if isinstance(value, str) else text, _doubt(text, core, old, helm))


def core_reading(text: str) -> Scalar:
    """The reading under YAML 1.2, core schema."""
    if text in _WORDS_12:
        return _WORDS_12[text]
    if found := _INTEGER_12.fullmatch(text):
        # Only decimal integers take a sign.
        return text if found[1] and not found[7] else _integer(found)
    if _FLOAT_12.fullmatch(text):
        return float(text)
    return _special(text)


def yaml11_reading(text: str) -> Scalar | Indicator:
    """The reading under YAML 1.1 with the types of yaml.org/type; dates are left as text."""
    if text in _WORDS_11:
        return _WORDS_11[text]
    if found := _INTEGER_11.fullmatch(text):
        return _integer(found)
    if _FLOAT_11.fullmatch(text):
        return float(text.replace("_", ""))
    if found := _BASE_60.fullmatch(text):
        return _base_60(found)
    return _special(text)


def go_reading(text: str) -> Scalar:
    """The reading of go-yaml v2, that of Helm and kubectl. Integers keep their digits here; Go rounds large ones."""
    return _WORDS_GO[text] if text in _WORDS_GO else go_v3_reading(text)


def go_v3_reading(text: str) -> Scalar:
    """The reading of go-yaml v3 into an untyped value."""
    if text in _WORDS_12:
        return _WORDS_12[text]
    if text.startswith("."):
        return float(text) if _DOT_FLOAT_GO.fullmatch(text) else _special(text)
    if text[0] not in _FIRST_OF_NUMBERS:
        return text
    digits = text.replace("_", "")
    if (found := _INTEGER_GO.fullmatch(digits)) and (found[9] or -(2**63) <= _integer(found) < 2**64):
        return _integer(found)
    if _FLOAT_12.fullmatch(digits) and math.isfinite(float(digits)):
        return float(digits)
    return _special(text)


def _integer(found: re.Match[str]) -> int | float:
    """The number in a match whose groups are the sign and pairs of prefix and digits; infinity beyond all floats."""
    sign, *pairs = found.groups()
    prefix, digits = next((p, d) for p, d in zip(pairs[::2], pairs[1::2], strict=True) if d is not None)
    digits = digits.replace("_", "").lstrip("0") or "0"
    if len(digits) > _DIGITS_OF_A_FLOAT:
        return math.inf
    number = int(digits, _BASES[prefix.lower()])
    return math.inf if number > sys.float_info.max else -number if sign == "-" else number


def _base_60(found: re.Match[str]) -> int | float:
    number: int | float = 0
    for part in found[2].replace("_", "").split(":"):
        number = number * 60 + (float(part) if "." in part else int(part))
    return -number if found[1] == "-" else number


def _special(text: str) -> str | float:
    if found := _INFINITY.fullmatch(text):
        return -math.inf if found[1] == "-" else math.inf
    return math.nan if text in _NAN else text


def _doubt(text: str, core: Scalar, old: Scalar | Indicator, helm: Scalar) -> Doubt | None:
    if any(isinstance(reading, float) and not math.isfinite(reading) for reading in (core, old)):
        return Doubt(
            codes.OUT_OF_RANGE, f"`{text}` is a number that JSON cannot hold", f"write `{_spelled(text)}` if it is text"
        )
    if _LEADING_ZERO.fullmatch(text) and _same(core, old):
        both = f"the octal {old} under YAML 1.1 and the decimal {core} under YAML 1.2"
        return Doubt(codes.TWO_READINGS, f"`{text}` is {both}", _spellings(text, core))
    if not _same(core, old):
        both = f"{_described(old)} under YAML 1.1 and {_described(core)} under YAML 1.2"
        return Doubt(codes.TWO_READINGS, f"`{text}` is {both}", _spellings(text, old, core))
    if not _same(core, helm):
        both = f"{_described(helm)} to Helm and {_described(core)} under YAML 1.2"
        return Doubt(codes.TWO_READINGS, f"`{text}` is {both}", _spellings(text, helm, core))
    if isinstance(core, float) and _DECIMAL.fullmatch(text) and text != (short := repr(core).removesuffix(".0")):
        return Doubt(
            codes.LOSSY_FLOAT,
            f"`{text}` is read as the number {short}",
            f"write `{_spelled(text)}` if the text matters",
        )
    return None


def _same(one: Scalar | Indicator, other: Scalar | Indicator) -> bool:
    """Whether two readings agree; integers and floats of one value do, since Helm makes floats of both."""
    numbers = isinstance(one, int | float) and isinstance(other, int | float)
    if numbers and not isinstance(one, bool) and not isinstance(other, bool):
        return one == other
    return type(one) is type(other) and one == other


def _described(reading: Scalar | Indicator) -> str:
    if isinstance(reading, Indicator):
        return reading.value
    return "text" if isinstance(reading, str) else _number_or_word(reading)


def _spellings(text: str, *readings: Scalar | Indicator) -> str:
    """The ways to write what was meant so that no reader is in doubt."""
    typed = [_number_or_word(reading) for reading in readings if not isinstance(reading, str | Indicator)]
    return "write " + " or ".join(f"`{spelling}`" for spelling in dict.fromkeys([*typed, _spelled(text)]))


def _number_or_word(value: float | bool | None) -> str:
    whole = isinstance(value, float) and value.is_integer() and abs(value) < _WHOLE_UP_TO
    return emit(int(value) if whole and value is not None else value).strip()


def _spelled(text: str) -> str:
    return emit(Quoted(text)).strip()
