"""A query narrowed to the cluster of a snapshot. What is found only adds to it; what the user states wins."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import resolve as codes
from groundswell.resolve.coverage import covered, describe
from groundswell.snapshot.snapshot import some

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from groundswell.catalog.entries import Catalog
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.query import Query
    from groundswell.snapshot.criteria import Found

_FOUND = ("service", "accelerator", "os")
"""The dimensions that a snapshot can tell."""
# What is given up first when the catalog stands behind no combination with all that was found.
_EXPENDABLE = ("os", "accelerator", "service")


def narrow(
    catalog: Catalog, query: Query, found: Found, declined: Iterable[str] = ()
) -> tuple[Query, tuple[Diagnostic, ...]]:
    """Add to a query what was found, not stated, and not declined.

    What no recipe that applies carries is left out; so is, should the catalog stand behind no combination with
    everything, as little as possible (but never Talos, on whose nodes nothing made for another system runs).

    Returns:
        The narrowed query; a finding for each criterion that was left out, on which the nodes differ, or that the
        snapshot does not tell. It is an error where the query could have had it and goes wrong without: always for the
        operating system, and wherever nodes differ.
    """
    nodes = found.nodes if query.nodes is None else query.nodes
    query = query._replace(criteria=catalog.semantics.meaning(query.criteria), nodes=nodes)
    asked = [dimension for dimension in _FOUND if dimension not in {*query.criteria, *declined}]
    added = {dimension: found.criteria[dimension] for dimension in asked if dimension in found.criteria}
    applied = catalog.semantics.order(catalog.recipes, _with(query, added))
    carried = {item for recipe, _ in applied for item in recipe.effective.items()}
    kept = {dimension: value for dimension, value in added.items() if (dimension, value) in carried}
    given_up = _given_up(catalog, query, kept)
    rest = _with(query, {dimension: value for dimension, value in kept.items() if dimension not in given_up})
    open_ = [dimension for dimension in asked if dimension not in rest.criteria]
    findings = [finding for dimension in open_ for finding in _missed(catalog, rest, found, dimension, kept)]
    return rest, tuple(findings)


def _given_up(catalog: Catalog, query: Query, kept: Mapping[str, str]) -> tuple[str, ...]:
    """The fewest dimensions without which the query is covered; none when it is, or when nothing helps."""
    expendable = [item for item in _EXPENDABLE if item in kept and kept[item] != "talos"]
    for count in range(len(expendable) + 1):
        for left_out in combinations(expendable, count):
            rest = {dimension: value for dimension, value in kept.items() if dimension not in left_out}
            if covered(catalog, _with(query, rest)):
                return left_out
    return ()


def _missed(
    catalog: Catalog, rest: Query, found: Found, dimension: str, kept: Mapping[str, str]
) -> Iterator[Diagnostic]:
    """What to say on a dimension that the query does without."""
    offered = _offered(catalog, rest, dimension)
    if dimension in found.undecided:
        finding = _undecided(dimension, found.undecided[dimension])
        yield finding if offered else finding.as_warning()
    elif dimension not in found.criteria:
        if offered:
            finding = _untold(dimension, offered, found)
            yield finding if dimension == "os" else finding.as_warning()
    elif dimension == "os" and offered:
        yield _foreign(found.criteria[dimension], offered, rest)
    elif dimension in kept:
        reason = f"and the catalog does not stand behind it together with {describe(rest.criteria)}"
        yield _left_out(dimension, found.criteria[dimension], reason)
    else:
        yield _left_out(dimension, found.criteria[dimension], "which no recipe that applies carries")


def _offered(catalog: Catalog, query: Query, dimension: str) -> list[str]:
    """The values of a dimension with which the catalog stands behind the query."""
    values = sorted(value for name, value in catalog.carried if name == dimension)
    return [value for value in values if covered(catalog, _with(query, {dimension: value}))]


def _undecided(dimension: str, shown: Mapping[str, Sequence[str]]) -> Diagnostic:
    listed = "; ".join(f"{f'`{value}`' if value else 'none known'}{_on(nodes)}" for value, nodes in shown.items())
    choices = " or ".join(f"`--{dimension} {value}`" for value in shown if value)
    hint = f"state the one that the bundle is for: {choices}; `--{dimension} any` goes on without one"
    return codes.UNDECIDED(f"the nodes have no {dimension} in common: {listed}", help=hint)


def _untold(dimension: str, offered: Sequence[str], found: Found) -> Diagnostic:
    why = "" if found.nodes else ", since it holds no nodes"
    hint = f"state it: `--{dimension}` {', '.join(offered)}; `--{dimension} any` goes on without one"
    return codes.UNTOLD(f"the snapshot does not tell the {dimension} of the cluster{why}", help=hint)


def _foreign(system: str, offered: Sequence[str], rest: Query) -> Diagnostic:
    text = f"the nodes run os `{system}`, and the catalog stands behind {describe(rest.criteria)} only with others"
    hint = f"it has {', '.join(offered)}; `--os any` goes on without one"
    return codes.FOREIGN_SYSTEM(text, help=hint)


def _left_out(dimension: str, value: str, reason: str) -> Diagnostic:
    text = f"the snapshot shows {dimension} `{value}`, {reason}: it is left out"
    return codes.FOUND_LEFT_OUT(text, help=f"state `--{dimension} {value}` to insist on it")


def _on(nodes: Sequence[str]) -> str:
    return f" on {some(nodes)}" if nodes else ""


def _with(query: Query, added: Mapping[str, str]) -> Query:
    return query._replace(criteria={**added, **query.criteria})
