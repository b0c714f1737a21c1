"""What of a patch a configuration does not hold yet.

Talos appends to lists, so a patch is applied only as far as it would change something: applying it twice must not
double what is in its lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.talos.documents import DELETE
from groundswell.talos.kernel_settings import setting_path
from groundswell.talos_client.held import IDENTITY, MODULES
from groundswell.talos_client.removal import identity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundswell.source.located import Json
    from groundswell.talos.documents import Document
    from groundswell.talos_client.held import Path

# Lists whose items Talos merges by a key; to all others it appends.
_MERGED: dict[Path, str] = {("cluster", "apiServer", "admissionControl"): "name"}
# Maps of the kernel's settings, as fields and in a document.
_SETTINGS: frozenset[Path] = frozenset([("machine", "sysctls"), ("machine", "sysfs"), ("params",)])
# Kinds of which a patch must say everything: in these Talos also takes over what the patch leaves empty. Without a disk
# selector (cel.Expression.Merge) a patch deletes the configuration's.
_WHOLE = frozenset(["UnattendedInstallConfig"])


def remaining(patch: Sequence[Document], configuration: Sequence[Json]) -> tuple[Document, ...]:
    """The documents of a patch without what the configuration has already; none when it has everything."""
    left = []
    for document in patch:
        held = next((item for item in configuration if identity(item) == identity(document)), None)
        if held is None:
            # What is not there need not be taken out.
            left += [] if document.get("$patch") == DELETE else [document]
            continue
        head = {key: document[key] for key in IDENTITY if key in document and "kind" in document}
        content = {key: value for key, value in document.items() if key not in head}
        if rest := _map(content, held, ()):
            left.append(document if document.get("kind") in _WHOLE else {**head, **rest})
    return tuple(left)


def _map(wanted: dict[str, Json], held: Json, path: Path) -> dict[str, Json]:
    if not isinstance(held, dict):
        return wanted
    rest = {}
    spelled = {setting_path(key): key for key in held} if path in _SETTINGS else {}
    for written, value in wanted.items():
        # A setting of the kernel that is there in its other spelling must not come twice.
        key = spelled.get(setting_path(written), written) if spelled else written
        if key not in held:
            rest[key] = value
        elif isinstance(value, dict):
            if below := _map(value, held[key], (*path, key)):
                rest[key] = below
        elif isinstance(value, list):
            if items := _list(value, held[key], (*path, key)):
                rest[key] = items
        elif not _same(value, held[key]):
            rest[key] = value
    return rest


def _list(wanted: list[Json], held: Json, path: Path) -> list[Json]:
    if not isinstance(held, list):
        return wanted
    key = _MERGED.get(path)
    if key is None:
        same = _same_module if path == MODULES else _same
        return [item for item in wanted if not any(same(item, other) for other in held)]
    rest = []
    for item in wanted:
        other = next((other for other in held if isinstance(other, dict) and other.get(key) == item[key]), {})
        if below := _map({name: value for name, value in item.items() if name != key}, other, path):
            rest.append({key: item[key], **below})
    return rest


def _same(wanted: Json, held: Json) -> bool:
    """Whether two values are the same to Talos, which takes `1` where it wants text."""
    if isinstance(wanted, str) and isinstance(held, int | float) and not isinstance(held, bool):
        return wanted == str(held)
    return bool(wanted == held) and isinstance(wanted, bool) is isinstance(held, bool)


def _same_module(wanted: Json, held: Json) -> bool:
    """A module without parameters is there with any. Its name has `-` and `_` for the same."""
    if not isinstance(held, dict) or str(held.get("name")).replace("-", "_") != wanted["name"]:
        return False
    return _same(wanted.get("parameters", []), held.get("parameters")) if wanted.get("parameters") else True
