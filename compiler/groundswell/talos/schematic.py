"""Schematics of the Image Factory: canonical bytes and the ID that follows from them, without a network.

The ID is the SHA-256 of the text that the factory's Go program marshals from its own type: keys in the order of that
type, empty ones left out, four blanks of indentation.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from groundswell.talos.go_yaml import spelled, unsettled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundswell.source.located import Json

_Lines: TypeAlias = "list[str]"

_META = {"key": int, "value": str}
SHAPE: dict[str, Any] = {
    "owner": str,
    "overlay": {"image": str, "name": str, "options": dict},
    "customization": {
        "embeddedMachineConfiguration": str,
        "extraKernelArgs": [str],
        "meta": [_META],
        "systemExtensions": {"officialExtensions": [str]},
        "bootloader": str,
        "secureboot": {"enrollKeys": str, "includeWellKnownCertificates": bool},
        "diskImage": {"sectorSize": int},
    },
}
"""The factory's type: nested types as dicts in the order of their fields, lists as one-element lists."""

_ALWAYS = frozenset(["customization", "image", "name", "key", "value"])


class Schematic(NamedTuple):
    """A schematic as the factory stores it: its canonical bytes."""

    data: bytes

    @property
    def id(self) -> str:
        """The ID under which the factory knows it."""
        return sha256(self.data).hexdigest()


def customized(extensions: Iterable[str], kernel_args: Iterable[str]) -> dict[str, Json]:
    """The schematic for a set of extensions and a list of kernel arguments.

    The order of extensions and their repeats mean nothing, so they are sorted and repeats dropped; the order of
    arguments is the author's.
    """
    names = sorted(set(extensions))
    return {"customization": {"extraKernelArgs": list(kernel_args), "systemExtensions": {"officialExtensions": names}}}


def schematic(document: Mapping[str, Json]) -> Schematic | None:
    """Bring what the factory's type holds to its canonical form; None when that of some text is not settled."""
    if any(unsettled(text) for text in _texts(document)):
        return None
    lines = _fields(_normal(document), SHAPE, 0)
    return Schematic(("\n".join(lines) + "\n").encode())


def _normal(document: Mapping[str, Json]) -> dict[str, Json]:
    """The document with what the factory itself normalizes: the bootloader in lower case, none the same as nothing."""
    customization = dict(document.get("customization") or {})
    bootloader = (customization.get("bootloader") or "").lower()
    customization["bootloader"] = "" if bootloader == "none" else bootloader
    return {**document, "customization": customization}


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _fields(value: Mapping[str, Json], shape: Mapping[str, Any], indent: int) -> _Lines:
    """The lines of a mapping, its fields in the order of the type."""
    lines: _Lines = []
    pad = " " * indent
    for key, form in shape.items():
        field = value.get(key)
        if isinstance(form, dict):
            below = _fields(field or {}, form, indent + 4) if field or key == "customization" else []
            # An overlay's image and name are written, even empty, once anything in it is set.
            present = any(field.values()) if field and key == "overlay" else bool(below)
            if present:
                lines += [f"{pad}{key}:", *below]
            elif key in _ALWAYS:
                lines.append(f"{pad}{key}: {{}}")
        elif isinstance(form, list):
            items = [item for item in field or [] if item is not None]
            if items:
                lines += [f"{pad}{key}:", *(line for item in items for line in _item(item, form[0], indent + 4))]
        elif form is dict:
            if field:
                lines += [
                    f"{pad}{key}:",
                    *(_line(pad + "    ", name, field[name], indent + 4) for name in sorted(field)),
                ]
        elif field or key in _ALWAYS:
            lines.append(_line(pad, key, form() if field is None else field, indent))
    return lines


def _item(item: Json, form: Any, indent: int) -> _Lines:  # noqa: ANN401  as above
    pad = " " * indent
    if form is str:
        return [f"{pad}- {spelled(item, indent + 2)}"]
    first, *others = _fields(item, form, indent + 2)
    return [f"{pad}- {first.lstrip(' ')}", *others]


def _line(pad: str, key: str, value: Json, indent: int) -> str:
    if isinstance(value, bool):
        return f"{pad}{key}: {'true' if value else 'false'}"
    # Blocks are indented by the next multiple of four, also below the two columns that a dash takes.
    return f"{pad}{key}: {value if isinstance(value, int) else spelled(value, (indent // 4 + 1) * 4)}"
