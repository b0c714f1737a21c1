"""Constraints held against a snapshot."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import resolve as codes
from groundswell.resolve.constraints import conditions
from groundswell.resolve.versions import holds
from groundswell.snapshot.snapshot import some, written
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Constraint
    from groundswell.snapshot.snapshot import Item, Snapshot, Subtype

# `Type.Subtype.Key` or `Type.Subtype[selector].Key`; a key may hold dots and slashes.
_PATH = re.compile(r"(?P<type>[^.\[\]]+)\.(?P<subtype>[^.\[\]]+)(?:\[(?P<selector>[^\]]+)\])?\.(?P<key>.+)")


@dataclass(frozen=True, slots=True)
class Fact:
    """A reading, and the node that it is of; "" for one that holds for the whole cluster. None: nobody knows."""

    value: str | None
    node: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A constraint, what was found, and whether it holds; None when that cannot be told, for the reason in `found`."""

    constraint: Constraint
    found: str
    holds: bool | None = None


def evaluate(constraints: Iterable[Constraint], snapshot: Snapshot) -> tuple[tuple[Check, ...], tuple[Diagnostic, ...]]:
    """Hold every constraint of a resolution against a snapshot. One about nodes must hold on every node.

    Returns:
        The outcome for each, in order; an error for each that does not hold or cannot be answered.
    """
    checks = tuple(_check(constraint, snapshot) for constraint in constraints)
    return checks, tuple(_finding(check) for check in checks if check.holds is not True)


def _check(constraint: Constraint, snapshot: Snapshot) -> Check:
    asked = conditions(constraint)
    if asked is None:
        return Check(constraint, "the constraint's value cannot be read")
    facts = _facts(constraint.name, snapshot)
    if isinstance(facts, str):
        return Check(constraint, facts)
    outcomes = [
        (fact, None if fact.value is None else [holds(condition, fact.value.strip()) for condition in asked])
        for fact in facts
    ]
    failing = [fact for fact, results in outcomes if results is not None and False in results]
    if failing:
        return Check(constraint, _listed(failing), holds=False)
    unknown = [fact for fact, results in outcomes if results is None or None in results]
    if unknown:
        return Check(constraint, _listed(unknown))
    return Check(constraint, _listed(facts), holds=True)


def _facts(name: str, snapshot: Snapshot) -> Sequence[Fact] | str:
    """The readings that a constraint's name leads to, or why there are none."""
    match = _PATH.fullmatch(name)
    if match is None:
        return "the name is not of the form Type.Subtype.Key"
    subtype = snapshot.subtype(match["type"], match["subtype"])
    if subtype is None:
        return f"the snapshot has no {match['type']}.{match['subtype']}"
    if match["selector"] is not None:
        return _selected(subtype, match["selector"], match["key"])
    if match["key"] in subtype.data:
        return [Fact(written(subtype.data[match["key"]]))]
    nodes = [item for item in subtype.items if "node" in item.context]
    if not any(match["key"] in item.data for item in nodes):
        return "the snapshot does not tell it"
    return [_fact(item, match["key"]) for item in nodes]


def _fact(item: Item, key: str) -> Fact:
    return Fact(written(item.data[key]) if key in item.data else None, item.context["node"])


def _selected(subtype: Subtype, selector: str, key: str) -> Sequence[Fact] | str:
    """The reading of the one item that a selector names: a number from 0, or `key=value`."""
    name, equals, wanted = selector.partition("=")
    if equals:
        found = [item for item in subtype.items if _reading(item, name) == wanted]
    else:
        found = list(subtype.items[int(selector) :][:1]) if selector.isdecimal() else []
    if len(found) != 1:
        return f"{len(found) or 'no'} items are `[{selector}]`"
    value = _reading(found[0], key)
    return [Fact(value)] if value is not None else f"the item `[{selector}]` does not tell it"


def _reading(item: Item, key: str) -> str | None:
    if key in item.data:
        return written(item.data[key])
    return item.context.get(key)


def _listed(facts: Sequence[Fact]) -> str:
    """Values, each with the nodes that have it where nodes differ."""
    groups: dict[str | None, list[str]] = {}
    for fact in facts:
        groups.setdefault(fact.value, []).append(fact.node)
    return "; ".join(f"{value or 'nothing known'}{_nodes(names)}" for value, names in groups.items())


def _nodes(names: Sequence[str]) -> str:
    if names == [""]:
        return ""
    return f" ({some(names)})"


def _finding(check: Check) -> Diagnostic:
    constraint = check.constraint
    span = None
    if constraint.file:
        span = Span(constraint.file, constraint.line, constraint.column, constraint.line, constraint.column + 1)
    asked = f"`{constraint.name}` `{constraint.value}`, which {constraint.layer} asks for"
    if check.holds is False:
        return codes.CONSTRAINT_FAILS(f"the cluster does not have {asked}: it has {check.found}", span)
    return codes.CONSTRAINT_UNANSWERED(f"it cannot be told whether the cluster has {asked}: {check.found}", span)
