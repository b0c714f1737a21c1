"""The facts of machines as a document and as a table, and read back from the document.

The document has the shape of the facts themselves: keys in camelCase, defaults left out.
"""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from types import UnionType
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from groundswell.diagnostics.codes import model as codes
from groundswell.diagnostics.diagnostic import failed
from groundswell.diagnostics.suggest import suggestion
from groundswell.source.reader import read_one
from groundswell.talos_client.facts import Facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from dataclasses import Field

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json, Located

_HEAD = {"apiVersion": "groundswell.dev/v1alpha1", "kind": "Inventory"}
_COLUMNS = ("NODE", "KIND", "ID", "WHAT", "SIZE", "NUMA", "IOMMU", "DRIVER", "PCI")
_NAMES = {str: "text", int: "a whole number", bool: "true or false"}


def to_document(machines: Iterable[Facts]) -> dict[str, Json]:
    """The inventory as a document."""
    return {**_HEAD, "machines": [_written(machine) for machine in machines]}


def to_tsv(machines: Iterable[Facts]) -> str:
    """One line per thing, tabs between the columns, nothing where a column says nothing about it."""
    rows = (row for machine in machines for row in _rows(machine))
    lines = ["\t".join(_COLUMNS), *("\t".join(_cell(item) for item in row) for row in rows)]
    return "\n".join(lines) + "\n"


def read_inventory(data: bytes, file: str) -> tuple[tuple[Facts, ...], tuple[Diagnostic, ...]]:
    """Read what `to_document` wrote. `file` names the file in places.

    Returns:
        The machines, none when a finding is an error, and every finding.
    """
    document, findings = read_one(data, file)
    if document is None or failed(findings):
        return (), findings
    head = document.data if isinstance(document.data, dict) else {}
    if {key: head.get(key) for key in _HEAD} != _HEAD or "machines" not in document:
        text = "this is no inventory of machines"
        help_ = "give a file that `groundswell talos discover` wrote as yaml or json"
        return (), (*findings, codes.WRONG_DOCUMENT(text, document.span, help=help_))
    reader = _Reader()
    machines = reader.value(document["machines"], tuple[Facts, ...], "machines")
    findings = (*findings, *reader.findings)
    return (() if failed(findings) else tuple(machines)), findings


def _rows(machine: Facts) -> Iterator[tuple[Any, ...]]:
    node, system, processors = machine.node, machine.system, machine.processors
    what = f"{system.manufacturer} {system.product}".strip()
    if machine.maintenance:
        yield node, "maintenance", "", "NUMA nodes, IOMMU groups and hugepages are not told", "", "", "", "", ""
    for missing in machine.missing:
        yield node, "missing", missing.what, missing.why, "", "", "", "", ""
    yield node, "system", system.serial or system.uuid, what, "", "", "", "", ""
    yield node, "talos", machine.hostname, machine.version, "", "", "", "", ""
    yield node, "cpu", processors.vendor, processors.model, processors.cpus or "", "", "", "", ""
    for cpus in processors.siblings:
        yield node, "core", cpus, "", "", "", "", "", ""
    yield node, "memory", "", "", f"{machine.memory_mib}Mi", "", "", "", ""
    for numa in machine.numa_nodes:
        yield node, "numa", numa.id, f"CPUs {numa.cpus}", f"{numa.memory_mib}Mi", numa.id, "", "", ""
        for size, count in (("2Mi", numa.pages_2mi), ("1Gi", numa.pages_1gi)):
            yield node, "hugepages", size, "" if count is None else count, "", numa.id, "", "", ""
    for disk in machine.disks:
        yield (
            node,
            "disk",
            disk.path,
            f"{disk.model} {disk.serial}".strip(),
            disk.size,
            "",
            "",
            disk.transport,
            disk.address,
        )
    for link in machine.links:
        yield node, "link", link.name, " ".join((link.hardware_address, *link.addresses)), "", "", "", "", link.address
    for device in machine.devices:
        kind = f"{device.class_id}:{device.subclass_id} {device.vendor_id}:{device.product_id}"
        places = ["" if place is None else place for place in (device.numa_node, device.iommu_group)]
        yield node, "pci", kind, device.name, "", *places, device.driver, device.address


def _cell(item: object) -> str:
    """A cell's text, with blanks for what ends cells and lines."""
    return " ".join(str(item).splitlines()).replace("\t", " ")


def _written(value: Any) -> Json:  # noqa: ANN401  facts are text, numbers, truth values, and tuples and classes of them
    if is_dataclass(value):
        pairs = ((field, getattr(value, field.name)) for field in fields(value))
        return {_key(field.name): _written(item) for field, item in pairs if item != _default(field)}
    return [_written(item) for item in value] if isinstance(value, tuple) else value


def _key(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def _default(field: Field[Any]) -> Any:  # noqa: ANN401  as above
    """What a field is when nobody says, MISSING for one that must be said."""
    return field.default if field.default_factory is MISSING else field.default_factory()


class _Reader:
    """Builds values of a type out of a document, and collects what does not fit."""

    def __init__(self) -> None:
        self.findings: list[Diagnostic] = []

    def value(self, place: Located, kind: Any, name: str) -> Any:  # noqa: ANN401  as the type says
        """A value of a type; an empty one stands in where the document holds something else."""
        if get_origin(kind) is UnionType:
            (kind,) = (item for item in get_args(kind) if item is not type(None))
        if get_origin(kind) is tuple:
            return self._tuple(place, get_args(kind)[0], name)
        if is_dataclass(kind):
            assert isinstance(kind, type)
            return self._instance(place, kind, name)
        data = place.text if kind is str and place.text is not None else place.data
        if type(data) is not kind:
            self.findings.append(codes.WRONG_TYPE(f"`{name}` must be {_NAMES[kind]}", place.span))
            return kind()
        return data

    def _tuple(self, place: Located, kind: Any, name: str) -> tuple[Any, ...]:  # noqa: ANN401  as above
        if not isinstance(place.data, list):
            self.findings.append(codes.WRONG_TYPE(f"`{name}` must be a list", place.span))
            return ()
        return tuple(self.value(item, kind, f"{name}[{index}]") for index, item in enumerate(place.elements()))

    def _instance(self, place: Located, kind: type, name: str) -> Any:  # noqa: ANN401  as above
        hints, known = get_type_hints(kind), {_key(field.name): field for field in fields(kind)}
        given: dict[str, Any] = {}
        for key, item in place.items() if isinstance(place.data, dict) else ():
            if key in known:
                given[known[key].name] = self.value(item, hints[known[key].name], f"{name}.{key}")
            else:
                text = f"unknown key `{name}.{key}`"
                self.findings.append(codes.UNKNOWN_KEY(text, place.key_span(key), help=suggestion(key, known)))
        if not isinstance(place.data, dict):
            self.findings.append(codes.WRONG_TYPE(f"`{name}` must be a map", place.span))
        for key, field in known.items():
            if field.name not in given and _default(field) is MISSING:
                if isinstance(place.data, dict):
                    self.findings.append(codes.MISSING_KEY(f"`{name}.{key}` is missing", place.span))
                given[field.name] = hints[field.name]()
        return kind(**given)
