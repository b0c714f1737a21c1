"""The forms that texts of built-in kinds have, as the API server's code has them.

https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go
https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apimachinery/pkg/api/validate/content
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.digits import whole
from groundswell.check.schema.formats import fits
from groundswell.check.validation.addresses import address, network
from groundswell.check.validation.cron import cron_fault
from groundswell.check.validation.zones import time_zone

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundswell.source.located import Json

_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_NAME = r"[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?"
_SEGMENT = r"[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_SEARCHED = rf"_?{_SEGMENT}(\._?{_SEGMENT})*"
_RESOURCE = r"(limits|requests)\.(cpu|memory|ephemeral-storage|hugepages-.*)"
_PATH = r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+"
_LONGEST_LABEL, _LONGEST_SUBDOMAIN = 63, 253
_LONGEST_PORT = 15

RELAXED_VARIABLES = 32
"""The minor from which on the name of a variable is any printable text without `=`."""
RELAXED_SERVICES = 36
"""The minor from which on the name of a Service may begin with a digit."""
_NO_ZONES = 29
"""The minor from which on a schedule may not name a time zone."""


class Form(NamedTuple):
    """What a text must be, in words, what tells whether it is, and whether it is a name."""

    wanted: str
    fits: Callable[[str, int], bool]
    name: bool = True


def label(text: str) -> bool:
    """Whether a text is one part of a host's name."""
    return len(text) <= _LONGEST_LABEL and re.fullmatch(_LABEL, text) is not None


def subdomain(text: str) -> bool:
    """Whether a text is a host's name."""
    return len(text) <= _LONGEST_SUBDOMAIN and re.fullmatch(_SUBDOMAIN, text) is not None


def qualified(text: str) -> bool:
    """Whether a text is the key of a label: a name, perhaps with a host's name and a slash before it."""
    prefix, slash, name = text.rpartition("/")
    return (not slash or subdomain(prefix)) and len(name) <= _LONGEST_LABEL and re.fullmatch(_NAME, name) is not None


def label_value(text: str) -> bool:
    """Whether a text is the value of a label."""
    return len(text) <= _LONGEST_LABEL and (not text or re.fullmatch(_NAME, text) is not None)


def port_name(text: str) -> bool:
    """Whether a text is the name of a port, as RFC 6335 has it."""
    return (
        0 < len(text) <= _LONGEST_PORT
        and re.fullmatch(r"(?=.*[a-z])[a-z0-9-]+", text) is not None
        and "--" not in text
        and text.strip("-") == text
    )


def path_segment(text: str) -> bool:
    """Whether a text can be a part of a path."""
    return text not in {"", ".", ".."} and "/" not in text and "%" not in text


def letter_label(text: str) -> bool:
    """Whether a text is one part of a host's name, and begins with a letter."""
    return label(text) and not text[0].isdigit()


def prefixed_path(text: str) -> bool:
    """Whether a text is a path below a host's name."""
    host, _, path = text.partition("/")
    return subdomain(host) and re.fullmatch(_PATH, path) is not None


def service_name(text: str, minor: int) -> bool:
    """Whether a text is the name of a Service."""
    return label(text) if minor >= RELAXED_SERVICES else letter_label(text)


def masked(prefix: str) -> str:
    """What is judged in place of the beginning of a name, which may end in a dash, as the API server masks it."""
    return f"{prefix[:-2]}a" if len(prefix) > 1 and prefix.endswith("-") else prefix


def _variable(text: str, minor: int) -> bool:
    if minor >= RELAXED_VARIABLES:
        return bool(text) and all(" " <= char <= "~" and char != "=" for char in text)
    return re.fullmatch(r"[-._a-zA-Z][-._a-zA-Z0-9]*", text) is not None and not _climbs(text)


def _climbs(text: str) -> bool:
    return text == "." or text.startswith("..")


def config_key(text: str) -> bool:
    """Whether a text is a key in a ConfigMap or Secret."""
    return len(text) <= _LONGEST_SUBDOMAIN and re.fullmatch(r"[-._a-zA-Z0-9]+", text) is not None and not _climbs(text)


def _host(text: str) -> bool:
    if "*" in text:
        return len(text) <= _LONGEST_SUBDOMAIN and text.startswith("*.") and subdomain(text[2:])
    return subdomain(text)


def _descending(text: str) -> bool:
    return not text.startswith("/") and _without_steps(text)


def _without_steps(text: str) -> bool:
    return ".." not in text.split("/")


def _in_volume(text: str) -> bool:
    """Names that begin with two dots are those of the kubelet."""
    return bool(text) and _descending(text) and not text.startswith("..")


def _searched(text: str) -> bool:
    """Older versions take no `_`, and no `.` alone."""
    return text == "." or (
        len(text) <= _LONGEST_SUBDOMAIN and re.fullmatch(_SEARCHED, text.removesuffix(".")) is not None
    )


def _hook(text: str) -> bool:
    return subdomain(text) and text.count(".") > 1


def _schedule(text: str, minor: int) -> bool:
    return (minor < _NO_ZONES and "TZ" in text) or not cron_fault(text)


def _plain(test: Callable[[str], bool]) -> Callable[[str, int], bool]:
    return lambda text, _: test(text)


LABEL = "lower-case letters, digits and dashes, at most 63, a letter or digit first and last"
SUBDOMAIN = "lower-case letters, digits, dashes and dots, at most 253, a letter or digit first and last"
QUALIFIED = "a key of letters, digits, `-`, `_` and `.`, at most 63, perhaps after a host's name and a `/`"
VALUE = "letters, digits, `-`, `_` and `.`, at most 63, a letter or digit first and last"

FORMS = {
    "label": Form(LABEL, _plain(label)),
    "subdomain": Form(SUBDOMAIN, _plain(subdomain)),
    "subdomain-start": Form(SUBDOMAIN, lambda text, _: subdomain(masked(text))),
    "qualified": Form(QUALIFIED, _plain(qualified)),
    "qualified-lower": Form(QUALIFIED, lambda text, _: qualified(text.lower())),
    "port-name": Form(
        "lower-case letters, digits and single dashes, at most 15, with a letter, no dash first or last",
        _plain(port_name),
    ),
    "service-name": Form(LABEL, service_name),
    "letter-label": Form(f"{LABEL}, a letter first", _plain(letter_label)),
    "kind": Form(
        "letters, digits and dashes, at most 63, a letter first and no dash last",
        lambda text, _: letter_label(text.lower()),
    ),
    "json-path": Form("a path such as `.spec.size`", lambda text, _: text.startswith("."), name=False),
    "path-segment": Form("a name without `/` and `%`", _plain(path_segment)),
    "variable": Form("the name of an environment variable", _variable),
    "owned": Form(
        "a host's name, `/` and a path",
        lambda text, _: len(text) <= _LONGEST_LABEL and prefixed_path(text),
    ),
    "config-key": Form("letters, digits, `-`, `_` and `.`, no `..` first", _plain(config_key)),
    "host": Form("a host's name, perhaps with `*.` before it", _plain(_host)),
    "csi-driver": Form(
        SUBDOMAIN.replace("253", "63"),
        lambda text, _: len(text) <= _LONGEST_LABEL and subdomain(text.lower()),
    ),
    "domain": Form("a host's name of two parts or more", lambda text, _: subdomain(text) and "." in text),
    "hook": Form("a host's name of three parts or more", _plain(_hook)),
    "header": Form("letters, digits and dashes", lambda text, _: re.fullmatch(r"[-A-Za-z0-9]+", text) is not None),
    "sysctl": Form(
        "the name of a kernel setting",
        lambda text, _: (
            len(text) <= _LONGEST_SUBDOMAIN and re.fullmatch(rf"({_SEGMENT}[./])*{_SEGMENT}", text) is not None
        ),
    ),
    "search": Form("a host's name, perhaps with a dot after it", _plain(_searched)),
    "resource": Form(
        "a resource of a container, such as `limits.memory`",
        lambda text, _: re.fullmatch(_RESOURCE, text) is not None,
        name=False,
    ),
    "absolute": Form("an absolute path", lambda text, _: text.startswith("/"), name=False),
    "path": Form("a path without `..`", lambda text, _: bool(text) and _without_steps(text), name=False),
    "descending": Form("a relative path without `..`", _plain(_descending), name=False),
    "in-volume": Form("a relative path without `..`", _plain(_in_volume), name=False),
    "cidr": Form("a network such as `10.0.0.0/8`", network, name=False),
    "address": Form("an IP address", address, name=False),
    "rule-host": Form(
        "a host's name, perhaps with `*.` before it", lambda text, _: _host(text) and not fits("ipv4", text)
    ),
    "cron": Form("a schedule in the form of cron", _schedule, name=False),
    "zone": Form("a time zone such as `Europe/Berlin`", _plain(time_zone), name=False),
}  # fmt: skip


def number_or_port_name(value: Json) -> bool:
    """Whether a value is the number or the name of a port."""
    if isinstance(value, str):
        return port_name(value)
    return isinstance(value, bool) or not isinstance(value, int) or 1 <= value <= 65535  # noqa: PLR2004  all ports


def share(value: Json) -> int | None:
    """The number of an amount, or of the percentage that it is; None when it is neither."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    found = re.fullmatch(r"([0-9]+)%", value) if isinstance(value, str) else None
    return whole(found[1]) if found else None
