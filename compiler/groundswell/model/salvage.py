"""What is left of a document when all that its model refuses is cut away, so that one run judges the rest as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from groundswell.model.fields import Authored
from groundswell.model.parse import checked
from groundswell.source.located import Located

if TYPE_CHECKING:
    from collections.abc import Collection

    from groundswell.source.located import Json, Mark, PathKey

M = TypeVar("M", bound=Authored)
Loc = tuple["PathKey", ...]


def salvaged(model: type[M], document: Located) -> tuple[M, Located] | None:
    """A valid part of a document that is not valid as a whole, with the places that its parts had.

    None where what is wrong is the document's identity, or too much of it to leave anything.
    """
    while True:
        validated, errors, _ = checked(model, document)
        if validated is not None:
            return validated, document
        cuts = {item["loc"][:-1] if item["type"] == "missing" else item["loc"] for item in errors}
        if not all(cut[:1] == ("spec",) and cut != ("spec",) for cut in cuts):
            return None
        document = _without(document, cuts)


def _without(node: Located, cuts: Collection[Loc]) -> Located:
    """The node without what stands at some paths below it."""
    gone = {cut[0] for cut in cuts if len(cut) == 1}
    deeper = {
        key: [cut[1:] for cut in cuts if cut[0] == key and len(cut) > 1] for key in {cut[0] for cut in cuts} - gone
    }
    keys: list[PathKey] = list(node.data) if isinstance(node.data, dict) else list(range(len(node.data)))
    children = {
        key: _without(node[key], deeper[key]) if key in deeper else node[key] for key in keys if key not in gone
    }
    data: Json
    marks: dict[str, tuple[Mark, Mark]] | list[Mark]
    if isinstance(node.data, dict):
        data = {key: child.data for key, child in children.items()}
        marks = {str(key): (node.mark[5][key][0], child.mark) for key, child in children.items()}
    else:
        data = [child.data for child in children.values()]
        marks = [child.mark for child in children.values()]
    return Located(data, (*node.mark[:5], marks), node.file)
