"""The formats of text that the API server holds custom resources against; one that it does not know says nothing.

Left out are those of books, credit cards and `k8s-*-name`, which is known only from 1.34 on. An address of mail or of
the web is only told to be none where that is certain.
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.check.digits import whole

if TYPE_CHECKING:
    from collections.abc import Callable

_HEX = r"[0-9A-Fa-f]"
_BYTE = r"(25[0-5]|2[0-4]\d|1\d\d?|[1-9]\d?|0)"
_UUID = rf"{_HEX}{{8}}-?{_HEX}{{4}}-?%s-?%s-?{_HEX}{{12}}"
_ANY, _VARIANT = rf"{_HEX}{{4}}", rf"[89abAB]{_HEX}{{3}}"
_PATTERNS = {
    "bsonobjectid": rf"{_HEX}{{24}}",
    "byte": r"([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})",
    "email": r"(?s:.*[^\s@].*@.*[^\s@].*)",
    "hexcolor": rf"#?({_HEX}{{3}}|{_HEX}{{6}})",
    "mac": rf"{_HEX}{{2}}(?P<by>[:-])({_HEX}{{2}}(?P=by)){{4}}(({_HEX}{{2}}(?P=by)){{2}}(({_HEX}{{2}}(?P=by)){{12}})?)?"
    rf"{_HEX}{{2}}|{_HEX}{{4}}\.{_HEX}{{4}}\.{_HEX}{{4}}(\.{_HEX}{{4}}(\.{_HEX}{{4}}){{0,6}})?",
    "rgbcolor": rf"rgb\(\s*{_BYTE}\s*,\s*{_BYTE}\s*,\s*{_BYTE}\s*\)",
    "ssn": r"\d{3}[- ]\d{2}[- ]\d{4}",
    "uri": r"(?:[A-Za-z][A-Za-z0-9+.-]*:|/|\*\Z)[^\x00-\x1f\x7f]*",
    "uuid": _UUID % (_ANY, _ANY),
    "uuid3": _UUID % (rf"3{_HEX}{{3}}", _ANY),
    "uuid4": _UUID % (rf"4{_HEX}{{3}}", _VARIANT),
    "uuid5": _UUID % (rf"5{_HEX}{{3}}", _VARIANT),
}
_UNITS = r"(ns|nano\w*|us|µs|micro\w*|ms|milli\w*|s|sec\w*|m|min\w*|h|hr|hour\w*|d|day\w*|w|wk|week\w*)"
_DATE = r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)"
_TIME = r"([01]\d|2[0-3]):[0-5]\d:[0-5]\d(.\d+)?(z|[+-]\d\d:\d\d)"
_LABEL = r"[a-zA-Z0-9$+<=>^`|~]"
"""A character of a host's name, as far as it is ASCII; symbols and letters of all scripts are taken for good."""


def fits(name: str, text: str) -> bool:
    """Whether text has the format of that name."""
    name = name.replace("-", "")
    if name in _PATTERNS:
        return re.fullmatch(_PATTERNS[name], text, re.ASCII) is not None
    return name not in _FUNCTIONS or _FUNCTIONS[name](text)


def _date(text: str) -> bool:
    found = re.fullmatch(_DATE, text, re.ASCII)
    if found is None:
        return False
    year, month, day = (int(found[part]) for part in ("year", "month", "day"))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return 1 <= month <= len(days) and 1 <= day <= days[month - 1]


def _datetime(text: str) -> bool:
    date, *rest = text.lower().split("t")
    return bool(rest) and _date(date) and re.fullmatch(_TIME, rest[0], re.ASCII) is not None


def _duration(text: str) -> bool:
    """Go's form, else any number with a unit in it, as Scala writes them."""
    if re.fullmatch(r"[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)", text, re.ASCII):
        return True
    units = re.findall(r"\d{1,18}\s*([A-Za-zµ]+)", text, re.ASCII)
    return any(re.fullmatch(_UNITS, unit, re.IGNORECASE) for unit in units)


def _hostname(text: str) -> bool:
    """As the API server's expression has it: a name without dots has no dash, unless it is its second character."""
    if not text.isascii():
        return True
    if len(text) > 255 or any(len(label) > 63 for label in text.split(".")):  # noqa: PLR2004  of RFC 1034
        return False
    alone = rf"{_LABEL}-?{_LABEL}{{0,62}}"
    parts = rf"({_LABEL}([a-zA-Z0-9$+<=>^`|~-]{{0,61}}{_LABEL})?\.)+[a-zA-Z]{{2,63}}"
    return re.fullmatch(f"{alone}|{parts}", text) is not None


def _address(text: str, *, sloppy: bool) -> int:
    """The version of an IP address, 0 when it is none; `sloppy` takes numbers that begin with 0."""
    import ipaddress  # noqa: PLC0415  few definitions have addresses

    if sloppy:
        text = re.sub(r"(?<![0-9A-Fa-f:])0+(?=\d)", "", text)
    try:
        return 0 if "%" in text else ipaddress.ip_address(text).version
    except ValueError:
        return 0


def _ipv4(text: str) -> bool:
    return "." in text and bool(_address(text, sloppy=True))


def _ipv6(text: str) -> bool:
    return ":" in text and bool(_address(text, sloppy=False))


def _cidr(text: str) -> bool:
    address, _, bits = text.partition("/")
    version = _address(address, sloppy=True)
    number = re.fullmatch(r"\d+", bits, re.ASCII) is not None
    return bool(version) and number and whole(bits) <= {4: 32, 6: 128}[version]


_FUNCTIONS: dict[str, Callable[[str], bool]] = {
    "cidr": _cidr,
    "date": _date,
    "datetime": _datetime,
    "duration": _duration,
    "hostname": _hostname,
    "ipv4": _ipv4,
    "ipv6": _ipv6,
}
