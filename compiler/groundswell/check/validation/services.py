"""Services, and the objects that hold data.

https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/validation/validation.go
"""

from __future__ import annotations

import json
from base64 import b64decode
from typing import TYPE_CHECKING, NoReturn

from groundswell.check.objects import mapping, sequence
from groundswell.check.validation.containers import repeated, twice
from groundswell.check.validation.demands import shown
from groundswell.check.validation.fault import Fault
from groundswell.check.validation.forms import FORMS, subdomain
from groundswell.check.validation.metadata import label_faults
from groundswell.diagnostics.codes import validation as codes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.validation.fault import Context
    from groundswell.source.located import Json

_OUTSIDE = ("NodePort", "LoadBalancer")
_BALANCED = ("loadBalancerSourceRanges", "allocateLoadBalancerNodePorts", "loadBalancerClass")
_MOST_DATA = 1024 * 1024
_KEYS = {
    "kubernetes.io/dockercfg": (".dockercfg",),
    "kubernetes.io/dockerconfigjson": (".dockerconfigjson",),
    "kubernetes.io/ssh-auth": ("ssh-privatekey",),
    "kubernetes.io/tls": ("tls.crt", "tls.key"),
}
"""The keys that a Secret of some types must have."""


def service(value: Mapping[str, Json], context: Context) -> Iterator[Fault]:
    """What is wrong with a Service."""
    kind = value.get("type") or "ClusterIP"
    headless = value.get("clusterIP") == "None"
    ports = sequence(value.get("ports"))
    if not ports and not headless and kind != "ExternalName":
        yield Fault((), "needs `ports`")
    if headless and kind in _OUTSIDE:
        yield Fault(("clusterIP",), f"must not be `None` with the type `{kind}`")
    if kind == "ExternalName":
        yield from _external_name(value)
        if value.get("clusterIP"):
            yield Fault(("clusterIP",), f"must not be there with the type `{kind}`")
    else:
        yield from _own_address(value, context.minor)
    yield from label_faults(value.get("selector"), "selector")
    yield from twice(value, "ipFamilies")
    yield from _ports(value, str(kind))
    outside = kind in _OUTSIDE or (kind == "ClusterIP" and value.get("externalIPs"))
    if value.get("externalTrafficPolicy") and not outside:
        yield Fault(("externalTrafficPolicy",), f"must not be there with the type `{kind}`")
    checked = value.get("healthCheckNodePort")
    if checked and not (kind == "LoadBalancer" and value.get("externalTrafficPolicy") == "Local"):
        message = "must only be there with the type `LoadBalancer` and the `externalTrafficPolicy` `Local`"
        yield Fault(("healthCheckNodePort",), message)
    elif checked and checked in [mapping(port).get("nodePort") for port in ports]:
        yield Fault(("healthCheckNodePort",), f"is the `nodePort` of a port: `{checked}`")
    for field in _BALANCED:
        if kind != "LoadBalancer" and value.get(field) not in (None, []):
            yield Fault((field,), "must only be there with the type `LoadBalancer`")


def _own_address(value: Mapping[str, Json], minor: int) -> Iterator[Fault]:
    """The address of a Service: none, one that it gets, or one that is asked for."""
    address = value.get("clusterIP")
    if isinstance(address, str) and address not in {"", "None"} and not FORMS["address"].fits(address, minor):
        guess = "; did you mean `None`?" if address.lower() == "none" else ""
        yield Fault(("clusterIP",), f"must be an IP address or `None`, not {shown(address)}{guess}")
    elif not address and value.get("clusterIPs"):
        yield Fault(("clusterIPs",), "must only be there beside `clusterIP`")


def _external_name(value: Mapping[str, Json]) -> Iterator[Fault]:
    name = value.get("externalName")
    if not name:
        yield Fault((), "needs `externalName` with the type `ExternalName`")
    elif isinstance(name, str) and not subdomain(name.removesuffix(".")):
        wanted = FORMS["subdomain"].wanted
        yield Fault(("externalName",), f"must be {wanted}, not {shown(name)}", codes.BAD_NAME)


def _ports(value: Mapping[str, Json], kind: str) -> Iterator[Fault]:
    """Ports that need a name, or have one twice. The same port twice is told by the schema."""
    ports = [mapping(port) for port in sequence(value.get("ports"))]
    yield from repeated(value, "ports", "name")
    seen = set()
    for index, port in enumerate(ports):
        if len(ports) > 1 and not port.get("name"):
            yield Fault(("ports", str(index)), "needs a `name`, since there is more than one port")
        on_node = port.get("nodePort")
        if on_node and kind == "ClusterIP":
            yield Fault(("ports", str(index), "nodePort"), "must not be there with the type `ClusterIP`")
        key = (str(port.get("protocol") or "TCP"), str(on_node))
        if on_node and key in seen:
            yield Fault(("ports", str(index), "nodePort"), f"stands twice: `{on_node}`")
        seen.add(key)


def secret(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A Secret: what its type needs, and how much it holds."""
    data, texts = mapping(value.get("data")), mapping(value.get("stringData"))
    kind = value.get("type")
    for key in _KEYS.get(kind, ()) if isinstance(kind, str) else ():
        if key not in data and key not in texts:
            yield Fault(("data",), f"needs `{key}` with the type `{kind}`")
    yield from _logins(data, texts, str(kind))
    if kind == "kubernetes.io/basic-auth" and not {"username", "password"} & {*data, *texts}:
        yield Fault(("data",), f"needs `username` or `password` with the type `{kind}`")
    size = sum(_decoded(text) for key, text in data.items() if key not in texts) + sum(map(_length, texts.values()))
    if size > _MOST_DATA:
        yield Fault(("data",), f"has {size} bytes, at most {_MOST_DATA} are allowed")


def _logins(data: Mapping[str, Json], texts: Mapping[str, Json], kind: str) -> Iterator[Fault]:
    """Logins at registries, which are JSON. What they are is never told."""
    for key in _KEYS.get(kind, ()) if "docker" in kind else ():
        field = "stringData" if key in texts else "data"
        text = texts.get(key) if key in texts else _plain(data.get(key))
        if isinstance(text, str) and not _is_map(text):
            yield Fault((field, key), f"must be a map in JSON with the type `{kind}`")


def _plain(text: Json) -> str | None:
    """What a text in base64 stands for; None when it is none, which its schema tells."""
    try:
        return (
            b64decode("".join(text.split()), validate=True).decode(errors="replace") if isinstance(text, str) else None
        )
    except ValueError:
        return None


def _is_map(text: str) -> bool:
    try:
        read = json.loads(text, parse_int=str, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return False
    return read is None or isinstance(read, dict)


def _refuse(name: str) -> NoReturn:
    """`NaN` and such, which Python takes for JSON."""
    raise ValueError(name)


def config_map(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A ConfigMap: what it holds once, and no more than fits."""
    data, binary = mapping(value.get("data")), mapping(value.get("binaryData"))
    for key in data:
        if key in binary:
            yield Fault(("binaryData", key), "is a key of `data` as well")
    size = sum(map(_length, data.values())) + sum(map(_decoded, binary.values()))
    if size > _MOST_DATA:
        yield Fault(("data",), f"has {size} bytes, at most {_MOST_DATA} are allowed")


def _length(text: Json) -> int:
    return len(text.encode()) if isinstance(text, str) else 0


def _decoded(text: Json) -> int:
    """How many bytes a text in base64 stands for."""
    if not isinstance(text, str):
        return 0
    plain = "".join(text.split())
    return len(plain) // 4 * 3 - plain[-2:].count("=")
