"""What is left of a document when all that its model refuses is cut away, so that one run judges the rest as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from groundswell.model.fields import Authored
from groundswell.model.parse import KEY, checked
from groundswell.source.located import Located

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from groundswell.source.located import Json, Mark, PathKey

M = TypeVar("M", bound=Authored)
Loc = tuple["PathKey", ...]

_IDENTITY: frozenset[Loc] = frozenset(
    {("kind",), ("metadata",), *(("metadata", key) for key in ("name", "patch", "replace"))}
)
_NAME = "unnamed"


class Salvaged(NamedTuple, Generic[M]):
    """A valid part of a document, with the places that its parts had.

    `named` says that the document's own words tell which one it is; else stand-ins do, and nobody may rely on them.
    """

    model: M
    document: Located
    named: bool


def salvaged(model: type[M], document: Located) -> Salvaged[M] | None:
    """The part of a document that its model accepts. Stand-ins take the place of what every document must say.

    None where nothing is left to judge.
    """
    named = True
    while True:
        validated, errors, _ = checked(model, document)
        if validated is not None:
            return Salvaged(validated, document, named)
        missing = {item["loc"] for item in errors if item["type"] == "missing"}
        refused = {loc[:-1] if loc[-1:] == (KEY,) else loc for loc in (item["loc"] for item in errors)} - missing
        named = named and not _IDENTITY & (missing | refused)
        needed = _stand_ins(model)
        added = {loc: needed[loc] for loc in missing if loc in needed}
        cuts = refused | {loc[:-1] for loc in missing - added.keys()}
        if () in cuts or ("spec",) in cuts - refused:
            return None
        document = _without(document, cuts)
        for loc, value in added.items():
            document = _with(document, loc, value)


def _stand_ins(model: type[Authored]) -> Mapping[Loc, Json]:
    """What is put where a document lacks something without which the rest could not be judged."""
    words = {key: model.model_fields[key].annotation.__args__[0] for key in ("kind", "api_version")}  # type: ignore[union-attr]  # both are literals
    return {
        ("apiVersion",): words["api_version"],
        ("kind",): words["kind"],
        ("metadata",): {"name": _NAME},
        ("metadata", "name"): _NAME,
        ("spec",): {},
        ("spec", "description"): _NAME,
        ("spec", "namespace"): _NAME,
    }


def _with(node: Located, loc: Loc, value: Json) -> Located:
    """The node with a value at a path, placed where its parent is."""
    key, *rest = loc
    place: Mark = (*node.mark[:4], None, None)
    child = _with(node[key], tuple(rest), value) if rest else Located(value, _placed(value, place), node.file)
    marks = {**node.mark[5], key: (node.mark[5][key][0] if key in node else place, child.mark)}
    return Located({**node.data, key: child.data}, (*node.mark[:5], marks), node.file)


def _placed(value: Json, place: Mark) -> Mark:
    """The marks of a stand-in, all at one place."""
    return (*place[:5], dict.fromkeys(value, (place, place))) if isinstance(value, dict) else place


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
