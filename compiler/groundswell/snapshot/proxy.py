"""Which proxy leads to a server, by the rules that kubectl follows."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping


def proxy_for(url: str, environment: Mapping[str, str]) -> str | None:
    """The proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY (or their lower-case forms) name for a URL.

    NO_PROXY takes host names (which cover names below them), addresses, CIDR ranges, each with or without a port, and
    `*`. This machine itself is never asked through a proxy.
    """
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    name = f"{parts.scheme}_proxy"
    proxy = environment.get(name.upper()) or environment.get(name)
    exempt = environment.get("NO_PROXY") or environment.get("no_proxy") or ""
    if not proxy or _is_here(host) or any(_covers(item.strip().lower(), host, port) for item in exempt.split(",")):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _is_here(host: str) -> bool:
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def _covers(item: str, host: str, port: int) -> bool:
    address = _address(host)
    if "/" in item:
        return address is not None and _in_range(address, item)
    name, _, its_port = item.rpartition(":") if item.count(":") == 1 else (item, "", "")
    if not name or (its_port and its_port != str(port)):
        return False
    if address is not None:
        return name == "*" or _address(name) == address
    below = name.removeprefix("*")
    return host == name or host.endswith(below if below.startswith(".") else f".{below}") or name == "*"


def _in_range(address: ipaddress.IPv4Address | ipaddress.IPv6Address, text: str) -> bool:
    try:
        return address in ipaddress.ip_network(text, strict=False)
    except ValueError:
        return False


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text.strip("[]"))
    except ValueError:
        return None
