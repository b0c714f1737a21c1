"""Functions of Helm's templates whose result is another one each time, and where a template has them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.check.actions import ACTION, TEXT, prints_text, unquoted

if TYPE_CHECKING:
    from collections.abc import Iterator

# The arguments of a command, with groups in them, and what comes right after it.
_SORTED = rb"(?:[^|()]|\([^()]*\))*+\|\s*(?:uniq\s*\|\s*)?sortAlpha\b"
_IMPURE = re.compile(
    rb"(?<![\w.$])(rand(?:AlphaNum|Alpha|Ascii|Numeric|Bytes|Int)|gen(?:CA|SelfSignedCert|SignedCert)(?:WithKey)?"
    rb"|genPrivateKey|uuidv4|now|ago|shuffle|htpasswd|bcrypt|encryptAES|(?:keys|values)\b(?!%b)"
    rb"|date(?:InZone|_in_zone)?|htmlDate(?:InZone)?|durationRound)\b" % _SORTED
)
"""`keys` and `values` give theirs in no fixed order, which does not matter where it is sorted next.

`date` and its like print the time of day for what is neither a time nor an integer, `.Values.day` say, and
`durationRound` counts from a time until now: https://github.com/Masterminds/sprig/blob/v3.3.0/date.go
"""

WORDS = (
    *(b"rand", b"genCA", b"genS", b"genP", b"uuidv4", b"now", b"ago", b"shuffle", b"htpasswd", b"bcrypt"),
    *(b"encryptAES", b"keys", b"values", b"date", b"htmlDate", b"durationRound"),
)
"""Most actions hold none of these, and need not be looked at any closer."""

_PRINTING = ("date", "htmlDate")


def impure_functions(template: bytes) -> Iterator[str]:
    """The functions in a template whose result may differ, and those in templates that stand in its strings."""
    for action in ACTION.findall(template):
        yield from impure_in(action)


def impure_in(action: bytes) -> Iterator[str]:
    """The same for one action."""
    yield from impure_names(TEXT.sub(b'""', action))
    for text in () if prints_text(action) else TEXT.findall(action):
        if b"{{" in text:
            yield from impure_functions(unquoted(text))


def impure_names(text: bytes) -> Iterator[str]:
    """Those whose names stand in a text. What prints `now` there is no use of its own."""
    found = [function[1].decode() for function in _IMPURE.finditer(text)]
    yield from (name for name in found if "now" not in found or not name.startswith(_PRINTING))
