"""Text as go-yaml's `Marshal` spells it: the bytes that the Image Factory hashes depend on every quote.

The factory marshals with gopkg.in/yaml.v3 up to 0.8 and with go.yaml.in/yaml/v4 from 0.9 on. Both agree on all that is
spelled here; text on which they differ, or whose spelling nobody needs, has no settled form.
"""

from __future__ import annotations

import re
from datetime import date

# YAML 1.1 booleans (v3 puts them in double quotes, v4 in single ones), and the merge key (plain in v3, quoted in v4).
_OLD_WORD = re.compile(r"y|n|yes|no|on|off|<<", re.IGNORECASE)
_BASE_60 = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_SIGN_AFTER_BASE = re.compile(r"[-+]?0[bo][-+].*", re.DOTALL)  # a number to v3 only
_SECONDS = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}[Tt ].*", re.DOTALL)
# Characters that are written as escapes: none is of use in a kernel argument, a name or a configuration.
_UNSETTLED_CHARACTER = re.compile("[^\n\x20-\x7e]")

_TYPED_WORDS = frozenset(
    ["", "~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE", ".nan", ".NaN", ".NAN"]
    + [sign + word for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")]
)
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INTEGER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)")
_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_DIGITS = 18  # what fits into 64 bits in any base, with its sign and prefix
_HUGE = re.compile(r"[0-9.][eE][-+]?[0-9_]{3}")

_NEVER_FIRST = frozenset("#,[]{}&*!|>'\"%@`")
_MARKER = re.compile(r"---|\.\.\.")


def unsettled(text: str) -> str:
    """Why the canonical form of a text is not settled, as the end of a sentence; "" when it is."""
    if any(form.fullmatch(text) for form in (_OLD_WORD, _BASE_60, _SIGN_AFTER_BASE)):
        return "is spelled differently by factories before and after version 0.9"
    if "\n" in text and (text[0] in " \n" or " \n" in text or text[-1] == " "):
        return "has blanks at the ends of lines, or starts with a blank or an empty line"
    if _is_number(text) and (len(text) > _DIGITS or _HUGE.search(text)):
        return "is a number beyond what all readers take as one"
    if _SECONDS.fullmatch(text):
        return "looks like a point in time"
    if _UNSETTLED_CHARACTER.search(text):
        return "holds characters other than printable ASCII"
    return ""


def spelled(text: str, indent: int) -> str:
    """A text as go-yaml writes it after `key: ` or `- `; the lines of a block are indented by `indent` blanks.

    Raises:
        ValueError: The form of the text is not settled (see `unsettled`).
    """
    if reason := unsettled(text):
        raise ValueError(f"{text!r} {reason}")
    if "\n" in text:
        return _literal(text, indent)
    if _typed(text):
        return f'"{text}"'
    if _plain_allowed(text):
        return text
    return "'" + text.replace("'", "''") + "'"


def _literal(text: str, indent: int) -> str:
    chomping = "-" if not text.endswith("\n") else "+" if text.endswith("\n\n") else ""
    lines = text.removesuffix("\n").split("\n")
    return f"|{chomping}\n" + "\n".join(" " * indent + line if line else "" for line in lines)


def _typed(text: str) -> bool:
    """Whether go-yaml would read the bare text as something else than text."""
    return text in _TYPED_WORDS or _is_number(text) or _is_date(text)


def _is_number(text: str) -> bool:
    """Whether go-yaml reads the bare text as a number: it drops `_` where a sign or digit comes first."""
    digits = text.replace("_", "") if text[:1] in "+-0123456789" else text
    return bool(_FLOAT.fullmatch(digits) or _INTEGER.fullmatch(digits))


def _is_date(text: str) -> bool:
    found = _DATE.fullmatch(text)
    if not found:
        return False
    try:
        # Go knows the year 0, which Python does not; it was a leap year like 2000.
        date(int(found[1]) or 2000, int(found[2]), int(found[3]))
    except ValueError:
        return False
    return True


def _plain_allowed(text: str) -> bool:
    if text != text.strip(" ") or text[0] in _NEVER_FIRST or _MARKER.match(text):
        return False
    if text[0] in "-?:" and (len(text) == 1 or text[1] == " "):
        return False
    return ": " not in text and " #" not in text and not text.endswith(":")
