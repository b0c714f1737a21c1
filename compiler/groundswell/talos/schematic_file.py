"""A schematic in the Image Factory's own format, read as the factory reads it.

The factory decodes the first YAML document of a body into its own type: a plain scalar in a field for text keeps its
text whatever it looks like, null is the same as nothing, and null items of lists are dropped. What it takes and whose
canonical form is not certain is refused here, like what the factory itself refuses.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from groundswell.diagnostics.codes import source
from groundswell.diagnostics.codes import talos_schematic as codes
from groundswell.diagnostics.diagnostic import Severity, failed
from groundswell.diagnostics.suggest import suggestion
from groundswell.source.reader import Dialect, read, read_one
from groundswell.talos.cluster import Placed
from groundswell.talos.extensions import extension_finding
from groundswell.talos.go_yaml import unsettled
from groundswell.talos.hugepages import hugepage_findings
from groundswell.talos.kernel_args import kernel_arg_findings
from groundswell.talos.schematic import SHAPE, schematic
from groundswell.talos.wants import kernel_arg

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json, Located
    from groundswell.source.span import Span
    from groundswell.talos.schematic import Schematic
    from groundswell.talos.target import Target

_AUTHORED = frozenset(["apiVersion", "kind", "metadata", "spec"])
# Doubts about what a plain scalar is: the type of each field settles them.
_TYPED_BY_FIELD = frozenset([source.TWO_READINGS.code, source.LOSSY_FLOAT.code, source.OUT_OF_RANGE.code])

_BOOTLOADERS = ("none", "dual-boot", "sd-boot", "grub")
_LARGEST = {"key": 2**8 - 1, "sectorSize": 2**32 - 1}
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*|0x[0-9a-fA-F]+)")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)")
# What go-yaml takes for truth values of YAML 1.1 where a field wants one, in this spelling alone.
_TRUTH = {**dict.fromkeys(["y", "Y", "yes", "on"], True), **dict.fromkeys(["n", "N", "no", "off"], False)}
_WANTED = {str: "text", int: "a whole number", bool: "`true` or `false`", dict: "a map"}


class SchematicFile(NamedTuple):
    """A schematic with what can be checked for a version of Talos, each item with its place."""

    schematic: Schematic
    extensions: tuple[Placed[str], ...]
    kernel_args: tuple[Placed[str], ...]


def is_schematic(data: bytes) -> bool:
    """Whether a file is meant for the factory: its first document is a map with nothing of this project's files."""
    documents, _ = read(data, "schematic", Dialect.GO_V3)
    return bool(documents) and isinstance(documents[0].data, dict) and not documents[0].data.keys() & _AUTHORED


def read_schematic(data: bytes, file: str) -> tuple[SchematicFile | None, tuple[Diagnostic, ...]]:
    """Read a file in the factory's format.

    Returns:
        The schematic, None where a finding is an error: what the factory would refuse, and texts whose canonical form
        is not settled, each at its place. A second document, which the factory ignores, is a warning.
    """
    document, said = read_one(data, file, Dialect.GO_V3)
    findings = [_as_ignored(item) for item in said if item.code not in _TYPED_BY_FIELD]
    if document is None or failed(findings):
        return None, tuple(findings)
    reader = _Reader()
    settings = reader.value(document, SHAPE, "") or {}
    findings += reader.findings
    built = None if failed(findings) else schematic(settings)
    if built is None:
        return None, tuple(findings)
    placed = reader.items
    extensions = placed.get("customization.systemExtensions.officialExtensions", [])
    return SchematicFile(built, tuple(extensions), tuple(placed.get("customization.extraKernelArgs", []))), (*findings,)


def schematic_findings(found: SchematicFile, target: Target) -> Iterator[Diagnostic]:
    """What goes wrong for a version of Talos with a schematic that the factory takes.

    Only an extension that does not exist is an error, since no image comes of it.
    """
    for item in found.extensions:
        finding = extension_finding(item.value, target, item.span)
        if finding is not None:
            yield finding if finding.code == codes.UNKNOWN_EXTENSION.code else finding.as_warning()
    wants = [kernel_arg(item.value, "the schematic", item.span) for item in found.kernel_args]
    for finding in (*kernel_arg_findings(wants, target), *hugepage_findings(wants, ())):
        yield finding.as_warning() if finding.severity is Severity.ERROR else finding


def _as_ignored(finding: Diagnostic) -> Diagnostic:
    return finding.as_warning() if finding.code == source.SECOND_DOCUMENT.code else finding


class _Reader:
    """Turns placed values into what the factory's type holds; `items` are the texts of each list with their places."""

    def __init__(self) -> None:
        self.findings: list[Diagnostic] = []
        self.items: dict[str, list[Placed[str]]] = {}

    def value(self, place: Located, shape: Any, path: str) -> Json:  # noqa: ANN401  a shape is a type, list or dict
        """The value at a place, None where there is none or where it is wrong."""
        if place.data is None:
            return None
        if isinstance(shape, list):
            return self._list(place, shape[0], path)
        if isinstance(shape, dict):
            return self._map(place, shape, path)
        if shape is dict:
            return self._options(place, path)
        return self._scalar(place, shape, path)

    def _list(self, place: Located, shape: Any, path: str) -> Json:  # noqa: ANN401  as above
        if not isinstance(place.data, list):
            return self._wrong_type(place, "a list", path)
        found = []
        for index, item in enumerate(place.elements()):
            value = self.value(item, shape, f"{path}[{index}]")
            if value is not None:
                found.append(value)
            if isinstance(value, str):
                self.items.setdefault(path, []).append(Placed(value, item.span))
        return found

    def _map(self, place: Located, shape: Mapping[str, Any], path: str) -> Json:
        if not isinstance(place.data, dict):
            return self._wrong_type(place, "a map", path)
        found = {}
        for key, item in place.items():
            name = f"{path}.{key}".removeprefix(".")
            if key in shape:
                found[key] = self.value(item, shape[key], name)
            else:
                self._refuse(f"unknown key `{name}`", place.key_span(key), _hint(key, shape))
        return found

    def _scalar(self, place: Located, shape: type, path: str) -> Json:
        if isinstance(place.data, dict | list):
            return self._wrong_type(place, _WANTED[shape], path)
        text = place.data if place.text is None else place.text
        value: Json = text
        if shape is bool:
            value = place.data if isinstance(place.data, bool) else _TRUTH.get(str(place.data))
        elif shape is int:
            value = int(text, 0) if place.text is not None and _WHOLE.fullmatch(text) else None
        if value is None:
            return self._wrong_type(place, _WANTED[shape], path)
        return self._checked(place, value, path)

    def _checked(self, place: Located, value: Json, path: str) -> Json:
        name = path.rsplit(".", 1)[-1]
        if name in _LARGEST and not 0 <= value <= _LARGEST[name]:
            return self._refuse(f"`{path}` is out of range", place.span, f"it can be 0 to {_LARGEST[name]}")
        if name == "bootloader" and value.lower() not in ("", *_BOOTLOADERS):
            text = f"`{path}` must be one of {', '.join(_BOOTLOADERS)}, not `{value}`"
            return self._refuse(text, place.span, suggestion(value, _BOOTLOADERS))
        if isinstance(value, str) and (reason := unsettled(value)):
            self.findings.append(codes.UNSETTLED_TEXT(f"`{value}` {reason}", place.span))
        return value

    def _options(self, place: Located, path: str) -> Json:
        """The options of an overlay, as far as all factories write them alike, in an order on which they agree."""
        if not isinstance(place.data, dict):
            return self._wrong_type(place, "a map", path)
        found = {}
        for key, item in place.items():
            data = item.data
            whole = isinstance(data, int) and (isinstance(data, bool) or _DECIMAL.fullmatch(item.text or ""))
            if not (key.isascii() and key.isalpha()) or unsettled(key) or not (whole or isinstance(data, str)):
                text = f"`{path}` holds more than words with a text, a whole number or a truth value"
                self._refuse(text, place.key_span(key), "")
                continue
            found[key] = self._checked(item, data, f"{path}.{key}") if isinstance(data, str) else data
        return found

    def _wrong_type(self, place: Located, wanted: str, path: str) -> None:
        self._refuse(f"`{path}` must be {wanted}" if path else f"a schematic must be {wanted}", place.span, "")

    def _refuse(self, text: str, at: Span, hint: str) -> None:
        self.findings.append(codes.NO_SCHEMATIC(text, at, help=hint))


def _hint(key: str, shape: Mapping[str, Any]) -> str:
    """Where the key belongs, or which one was meant."""
    elsewhere = next((path for path in _paths(SHAPE, "") if path.endswith(f".{key}")), None)
    if elsewhere:
        return f"it belongs at `{elsewhere}`"
    return suggestion(key, shape)


def _paths(shape: Mapping[str, Any], path: str) -> Iterator[str]:
    for key, below in shape.items():
        name = f"{path}.{key}".removeprefix(".")
        yield name
        if isinstance(below, dict):
            yield from _paths(below, name)
