"""Snapshot documents: `kind: Snapshot` in the AICR form, written and read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from groundswell import __version__
from groundswell.diagnostics.codes import files as codes
from groundswell.diagnostics.diagnostic import Severity, failed
from groundswell.snapshot.criteria import derive
from groundswell.snapshot.snapshot import Item, Measurement, Snapshot, Subtype, written
from groundswell.source.reader import Dialect, read_one

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json, Located

KIND = "Snapshot"
API_VERSION = "aicr.run/v1alpha2"
_GROUP = "aicr.run/"


def to_document(snapshot: Snapshot) -> dict[str, Any]:
    """The document of a snapshot, keys in the order in which they are shown."""
    metadata = {"timestamp": snapshot.taken, "version": __version__}
    document: dict[str, Any] = {
        "kind": KIND,
        "apiVersion": API_VERSION,
        "metadata": {key: value for key, value in metadata.items() if value},
    }
    if fingerprint := _fingerprint(snapshot):
        document["fingerprint"] = fingerprint
    document["measurements"] = [
        {"type": item.type, "subtypes": [_subtype(subtype) for subtype in item.subtypes]}
        for item in snapshot.measurements
    ]
    return document


def _subtype(subtype: Subtype) -> dict[str, Any]:
    document: dict[str, Any] = {"subtype": subtype.name, "data": dict(sorted(subtype.data.items()))}
    if subtype.items:
        document["items"] = [
            {"context": dict(item.context), "data": dict(sorted(item.data.items()))} for item in subtype.items
        ]
    return document


def _fingerprint(snapshot: Snapshot) -> dict[str, Any]:
    """A summary for people and other tools. Nothing here reads it: the measurements are what counts."""
    found = derive(snapshot, ())
    server, release = snapshot.subtype("K8s", "server"), snapshot.subtype("OS", "release")
    fingerprint: dict[str, Any] = {
        name: {"value": value, "source": found.sources[name]} for name, value in found.criteria.items()
    }
    if "os" in fingerprint and release and "VERSION_ID" in release.data:
        fingerprint["os"]["version"] = release.data["VERSION_ID"]
    if server and "version" in server.data:
        version = written(server.data["version"]).removeprefix("v")
        fingerprint["k8sVersion"] = {"value": version, "source": "K8s.server.version"}
    if found.nodes:
        fingerprint["nodeCount"] = {"value": found.nodes, "source": "NodeTopology.summary.node-count"}
    return fingerprint


def read_snapshot(data: bytes, file: str) -> tuple[Snapshot | None, tuple[Diagnostic, ...]]:
    """Read a snapshot, one of this tool or of any other that writes the form.

    Readings keep the text that stands in the file (`24.10` is not the number 24.1). Keys that are not known are
    skipped: collectors add their own.

    Returns:
        The snapshot, or None; errors at their places.
    """
    document, findings = read_one(data, file, Dialect.GO_V3)
    if document is None or failed(findings):
        return None, tuple(item for item in findings if item.severity is Severity.ERROR)
    wrong = _wrong_document(document)
    if wrong is not None:
        return None, (wrong,)
    reader = _Reader()
    measurements = tuple(reader.measurement(item) for item in reader.maps(document, "measurements"))
    if not measurements and not reader.findings:
        reader.findings.append(codes.BAD_SNAPSHOT("the snapshot holds no measurements", document.span))
    stamped = "metadata" in document and "timestamp" in document["metadata"]
    taken = _scalar(document["metadata"]["timestamp"]) if stamped else ""
    return (None if reader.findings else Snapshot(measurements, taken)), tuple(reader.findings)


def _wrong_document(document: Located) -> Diagnostic | None:
    if not isinstance(document.data, dict):
        return codes.BAD_SNAPSHOT("a snapshot is a map with `kind: Snapshot`", document.span)
    if document.data.get("kind") != KIND:
        return codes.BAD_SNAPSHOT("`kind` must be Snapshot", document.find(("kind",)))
    version = document.data.get("apiVersion") or ""
    if version and not str(version).startswith(_GROUP):
        return codes.BAD_SNAPSHOT(
            f"`apiVersion` must be {API_VERSION}, not {version!r}", document.find(("apiVersion",))
        )
    return None


class _Reader:
    """Takes a document apart and collects what is wrong in it."""

    def __init__(self) -> None:
        self.findings: list[Diagnostic] = []

    def measurement(self, node: Located) -> Measurement:
        return Measurement(self._text(node, "type"), tuple(self._subtype(item) for item in self.maps(node, "subtypes")))

    def maps(self, node: Located, key: str) -> list[Located]:
        """The maps of the list under a key, none where there is no list."""
        if key not in node or node[key].data is None:
            return []
        if not isinstance(node[key].data, list):
            self.findings.append(codes.BAD_SNAPSHOT(f"`{key}` must be a list", node.find((key,))))
            return []
        found = list(node[key].elements())
        for item in found:
            if not isinstance(item.data, dict):
                self.findings.append(codes.BAD_SNAPSHOT(f"an entry of `{key}` must be a map", item.span))
        return [item for item in found if isinstance(item.data, dict)]

    def _subtype(self, node: Located) -> Subtype:
        items = tuple(
            Item(self._readings(item, "context"), self._readings(item, "data")) for item in self.maps(node, "items")
        )
        return Subtype(self._text(node, "subtype"), self._readings(node, "data"), items)

    def _readings(self, node: Located, key: str) -> Mapping[str, str]:
        if key not in node or node[key].data is None:
            return {}
        if not isinstance(node[key].data, dict):
            self.findings.append(codes.BAD_SNAPSHOT(f"`{key}` must be a map", node.find((key,))))
            return {}
        return {name: _scalar(value) for name, value in node[key].items()}

    def _text(self, node: Located, key: str) -> str:
        if key in node and isinstance(node[key].data, str) and node[key].data:
            return str(node[key].data)
        self.findings.append(codes.BAD_SNAPSHOT(f"`{key}` must be text", node.find((key,))))
        return ""


def _scalar(node: Located) -> str:
    """A reading as text; lists and maps, which other collectors may write, as JSON."""
    if node.text is not None:
        return node.text
    return _json(node.data) if isinstance(node.data, dict | list) else str(node.data)


def _json(data: Json) -> str:
    return json.dumps(data, ensure_ascii=False)
