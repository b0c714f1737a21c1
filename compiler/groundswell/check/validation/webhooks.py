"""Webhooks that admission asks, and what they are asked about.

https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/admissionregistration/validation/validation.go
https://github.com/kubernetes/apiserver/blob/master/pkg/util/webhook/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from groundswell.check.objects import mapping, sequence
from groundswell.check.validation.containers import exactly_one, twice
from groundswell.check.validation.demands import shown
from groundswell.check.validation.fault import Fault
from groundswell.check.validation.forms import FORMS, subdomain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.validation.fault import Context
    from groundswell.source.located import Json

_ALL = "*"
_EVERYTHING = "*/*"


def webhook(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A webhook is asked in a version that the API server knows."""
    versions = value.get("admissionReviewVersions")
    if not isinstance(versions, list):
        return
    if not {"v1", "v1beta1"} & set(map(str, versions)):
        yield Fault(("admissionReviewVersions",), "must have `v1` or `v1beta1` among them")
    yield from twice(value, "admissionReviewVersions")


def webhook_client(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A webhook is found at an address, or behind a Service."""
    yield from exactly_one(value, ("url", "service"))
    url, path = value.get("url"), mapping(value.get("service")).get("path")
    if isinstance(url, str):
        yield from (Fault(("url",), message) for message in _address(url))
    if isinstance(path, str) and path and not path.startswith("/"):
        yield Fault(("service", "path"), f"must begin with `/`, not be {shown(path)}")
    elif isinstance(path, str) and path not in {"", "/"}:
        parts = path[1:].removesuffix("/").split("/")
        if wrong := [part for part in parts if not subdomain(part)]:
            message = f"must have parts of {FORMS['subdomain'].wanted}, not {shown(wrong[0])}"
            yield Fault(("service", "path"), message)


def _address(url: str) -> Iterator[str]:
    """What is wrong with an address. What is in it beside the host may be secret, and is not shown."""
    if not url.lower().startswith("https://"):
        yield f"must begin with `https://`, not be {shown(url)}"
        return
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    if not parts.netloc:
        yield f"needs a host after `https://`: {shown(url)}"
    if "@" in parts.netloc or parts.query or parts.fragment:
        yield "must have no user, no query and no fragment"


def webhook_rule(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """What a webhook is asked about: everything, or what is listed."""
    for field in ("apiGroups", "apiVersions", "operations"):
        if _ALL in (listed := sequence(value.get(field))) and len(listed) > 1:
            yield Fault((field,), f"must have no other entry beside `{_ALL}`")
    for field in ("apiVersions", "resources"):
        for index, entry in enumerate(sequence(value.get(field))):
            if entry in ("", None):
                yield Fault((field, str(index)), "must not be empty")
    yield from _resources([entry for entry in sequence(value.get("resources")) if isinstance(entry, str)])


def _resources(listed: list[str]) -> Iterator[Fault]:
    """Resources that another entry has among them already, as far as the API server looks."""
    if _EVERYTHING in listed and len(listed) > 1:
        yield Fault(("resources",), f"must have no other entry beside `{_EVERYTHING}`")
        return
    plain = [entry for entry in listed if entry and "/" not in entry]
    if _ALL in plain and plain[-1] != _ALL:
        yield Fault(("resources",), f"must have no other resource beside `{_ALL}`")
    for index, entry in enumerate(listed):
        resource, slash, part = entry.partition("/")
        wider = [whole for whole in (f"{resource}/*", f"*/{part}") if slash and whole in listed[:index]]
        if wider:
            yield Fault(("resources", str(index)), f"must not be there beside `{wider[0]}`: {shown(entry)}")
