"""How Talos lays a patch on a configuration: strategic merge, as far as these patches use it.

Documents are the same when kind and name are; maps merge, lists append, except that admission plugins merge by name; a
document that the configuration lacks is added. A disk selector is always the patch's: one without deletes it. A
document with `$patch: delete` takes the configuration's out, if it is there. A key or an item of a list with
`$patch: delete` goes before the rest of its document is merged, and must be there; an item is found by its first key.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundswell.source.reader import Dialect, read

if TYPE_CHECKING:
    from collections.abc import Sequence

_CONFIGURATIONS = Path(__file__).parent / "talos_configurations"
# The first minor version that each recording stands for.
_RECORDED = {14: "v1.14", 12: "v1.13", 10: "v1.11"}


def applied(config: Sequence[Any], patch: Sequence[Any]) -> list[Any]:
    """The configuration after the patch; neither argument is changed."""
    merged = {_identity(document): document for document in config}
    for document in patch:
        key = _identity(document)
        if document.get("$patch") == "delete":
            merged.pop(key, None)
            continue
        held, rest = _taken_out(merged[key], document) if key in merged else ({}, document)
        merged[key] = _replaced(_merged(held, rest, ()), rest) if key in merged else document
    return list(merged.values())


def generated(version: str, *, control_plane: bool) -> list[Any]:
    """What `talosctl gen config` writes for this version, as recorded for one of its form."""
    recorded = next(name for minor, name in _RECORDED.items() if int(version.split(".")[1]) >= minor)
    name = f"{recorded}-{'controlplane' if control_plane else 'worker'}.yaml"
    documents, findings = read((_CONFIGURATIONS / name).read_bytes(), name, Dialect.GO_V3)
    assert not findings
    return [document.data for document in documents]


def _identity(document: Any) -> tuple[str, str]:
    return document.get("kind", ""), document.get("name", "")


def _replaced(merged: Any, patch: Any) -> Any:
    """What Talos takes over even where the patch says nothing: the expression of a disk selector (1.14)."""
    if merged.get("kind") != "UnattendedInstallConfig":
        return merged
    selector = patch.get("provisioning", {}).get("diskSelector")
    kept = {key: value for key, value in merged.get("provisioning", {}).items() if key != "diskSelector"}
    return {**merged, "provisioning": {**kept, "diskSelector": selector} if selector else kept}


def _taken_out(held: Any, patch: Any) -> tuple[Any, Any]:
    """What is left of both when everything has gone that the patch deletes."""
    if isinstance(patch, dict):
        held = dict(held) if isinstance(held, dict) else held
        rest = {}
        for key, value in patch.items():
            if _deletes(value):
                assert key in held, f"lookup failed: {key}"
                del held[key]
                continue
            below = value
            if isinstance(held, dict) and key in held:
                held[key], below = _taken_out(held[key], value)
            if below or not (value and isinstance(value, dict | list)):
                rest[key] = below
        return held, rest
    if isinstance(patch, list) and isinstance(held, list):
        held = list(held)
        for item in filter(_deletes, patch):
            (key, value), *_ = item.items()
            held.remove(next(other for other in held if isinstance(other, dict) and other.get(key) == value))
        return held, [item for item in patch if not _deletes(item)]
    return held, patch


def _deletes(patch: Any) -> bool:
    return isinstance(patch, dict) and patch.get("$patch") == "delete"


def _merged(left: Any, right: Any, path: tuple[str, ...]) -> Any:
    if isinstance(left, dict) and isinstance(right, dict):
        both = {key: _merged(left[key], value, (*path, key)) if key in left else value for key, value in right.items()}
        return {**left, **both}
    if isinstance(left, list) and isinstance(right, list):
        if path[-1] == "admissionControl":
            named = {item["name"]: item for item in left}
            for item in right:
                named[item["name"]] = _merged(named.get(item["name"], {}), item, path)
            return list(named.values())
        return left + right
    return right
