"""IP addresses and networks in fields of built-in kinds, which the API server reads more strictly from 1.36 on.

https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/ (`StrictIPCIDRValidation`)
"""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from groundswell.check.schema.formats import fits

STRICT = 36
"""The minor from which on no number begins with 0, nothing is set beyond a prefix, and no IPv4 is written as IPv6."""


def address(text: str, minor: int) -> bool:
    """Whether a text is an address."""
    if not (fits("ipv4", text) or fits("ipv6", text)):
        return False
    if minor < STRICT:
        return True
    try:
        found = ip_address(text)
    except ValueError:
        return False
    return not isinstance(found, IPv6Address) or found.ipv4_mapped is None


def network(text: str, minor: int) -> bool:
    """Whether a text is a network, space around it left out."""
    text = text.strip()
    if not fits("cidr", text) or minor < STRICT:
        return fits("cidr", text)
    first, _, bits = text.partition("/")
    try:
        ip_network(text)
    except ValueError:
        return False
    return address(first, minor) and str(int(bits)) == bits
