"""As much of Kubernetes' protobuf form as Helm sends."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from helm.fakeapi_store import Object


def from_protobuf(body: bytes, path: str) -> Object:
    """What Helm sends as protobuf: the metadata of a Secret or a Namespace, and a Secret's type and data."""
    obj: Object = {"metadata": {}}
    maps = {11: "labels", 12: "annotations"}
    for field, value in _fields(dict(_fields(body[4:]))[2]):
        if field == 1:
            for inner, text in _fields(value):
                if inner == 1:
                    obj["metadata"]["name"] = text.decode()
                if inner in maps:
                    entry = dict(_fields(text))
                    obj["metadata"].setdefault(maps[inner], {})[entry[1].decode()] = entry.get(2, b"").decode()
        elif "/secrets" in path and field == 2:
            entry = dict(_fields(value))
            obj.setdefault("data", {})[entry[1].decode()] = base64.b64encode(entry[2]).decode()
        elif "/secrets" in path:
            obj["type"] = value.decode()
    return obj


def _fields(message: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a protobuf message that are lengths and bytes; numbers are skipped."""
    at = 0

    def varint() -> int:
        nonlocal at
        number = shift = 0
        while True:
            byte = message[at]
            at += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    while at < len(message):
        tag = varint()
        size = varint()
        if tag & 7 == 2:
            yield tag >> 3, message[at : at + size]
            at += size
