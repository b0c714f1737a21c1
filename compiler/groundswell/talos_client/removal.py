"""Patches that take things out of a configuration (`$patch: delete`), and what they leave of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.talos.documents import DELETE
from groundswell.talos_client.held import IDENTITY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from groundswell.source.located import Json
    from groundswell.talos.documents import Document


def united(removals: Iterable[Document]) -> tuple[Document, ...]:
    """Removals with one document for each kind and name; before Talos 1.14 a patch may not hold two of one."""
    found: dict[tuple[Json, ...], Document] = {}
    for document in removals:
        key = identity(document)
        found[key] = _united(found[key], document) if key in found else document
    return tuple(found.values())


def without(configuration: Iterable[Json], removals: Sequence[Document]) -> tuple[Json, ...]:
    """A configuration as Talos leaves it when removals are laid on it: deletions come before what is added."""
    left = []
    for document in configuration:
        removal = next((item for item in removals if identity(item) == identity(document)), {})
        if not _deletes(removal):
            left.append(_without(document, removal))
    return tuple(left)


def identity(document: Json) -> tuple[Json, ...]:
    """What Talos merges documents by; the document of all other settings has no kind."""
    return tuple(str(document.get(key, "")) for key in IDENTITY) if "kind" in document else ()


def _united(left: Json, right: Json) -> Json:
    if isinstance(left, dict) and isinstance(right, dict):
        return {**left, **{key: _united(left[key], value) if key in left else value for key, value in right.items()}}
    return left + right if isinstance(left, list) else right


def _deletes(removal: Json) -> bool:
    return isinstance(removal, dict) and removal.get("$patch") == DELETE


def _without(held: Json, removal: Json) -> Json:
    if isinstance(held, dict) and isinstance(removal, dict):
        kept = {key: value for key, value in held.items() if not _deletes(removal.get(key))}
        return {key: _without(value, removal[key]) if key in removal else value for key, value in kept.items()}
    if isinstance(held, list) and isinstance(removal, list):
        left = list(held)
        for item in removal:
            (key, value), *_ = item.items()
            at = next((n for n, other in enumerate(left) if isinstance(other, dict) and other.get(key) == value), None)
            left = left[:at] + left[at + 1 :] if at is not None else left
        return left
    return held
