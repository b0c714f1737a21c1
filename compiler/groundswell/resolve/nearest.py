"""What to ask instead of a query that is not answered: the nearest ones that are."""

from __future__ import annotations

import shlex
from itertools import groupby, product
from typing import TYPE_CHECKING

from groundswell.catalog.entries import DIMENSIONS
from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.suggest import nearest
from groundswell.resolve.coverage import covered, describe
from groundswell.resolve.query import Query
from groundswell.resolve.required import site_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundswell.catalog.entries import Catalog, Combination
    from groundswell.diagnostics.diagnostic import Diagnostic

_SUGGESTIONS = 3
_ADVISED = frozenset({codes.NOT_COVERED.code, codes.UNSUPPORTED.code})


def advised(catalog: Catalog, query: Query, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Findings about coverage, each with the nearest complete queries in its help."""
    found = list(findings)
    if not any(finding.code in _ADVISED for finding in found):
        return found
    queries = nearest_complete(catalog, _meant(catalog, query.criteria))
    hint = f"nearest complete queries: {' | '.join(queries)}" if queries else ""
    return [
        finding._replace(help="; ".join(part for part in (finding.help, hint) if part))
        if finding.code in _ADVISED
        else finding
        for finding in found
    ]


def nearest_complete(catalog: Catalog, criteria: Mapping[str, str]) -> list[str]:
    """The complete queries that keep most of what was asked, as options, the nearest first; three at most.

    A query that also needs values of the site's own comes after equally near ones that do not, and with the options.
    """
    ranked = {tuple(query.items()): _rank(query, criteria) for query in _candidates(catalog, criteria)}
    in_order = sorted(ranked, key=lambda items: (ranked[items], _added(dict(items), criteria), describe(dict(items))))
    found: list[str] = []
    for _, near in groupby(in_order, key=lambda items: ranked[items]):
        needing: list[str] = []
        for items in near:
            query = dict(items)
            values = site_values(catalog, query)
            settings = [f"--set {shlex.quote(f'{value}=…')}" for value in values]
            (needing if values else found).append(" ".join([describe(query), *settings]))
            if len(found) == _SUGGESTIONS:
                return found
        found += needing
        if len(found) >= _SUGGESTIONS:
            break
    return found[:_SUGGESTIONS]


def _meant(catalog: Catalog, criteria: Mapping[str, str]) -> dict[str, str]:
    """The criteria with the likeliest value in place of each that no recipe carries."""
    carried = catalog.carried
    guesses = {
        dimension: nearest(value, {known for name, known in carried if name == dimension})
        for dimension, value in criteria.items()
        if (dimension, value) not in carried
    }
    return {dimension: guesses.get(dimension) or value for dimension, value in criteria.items()}


def _rank(query: Mapping[str, str], criteria: Mapping[str, str]) -> tuple[int, int]:
    kept = sum(query.get(dimension) == value for dimension, value in criteria.items())
    return -kept, len(criteria.keys() - query.keys())


def _added(query: Mapping[str, str], criteria: Mapping[str, str]) -> tuple[bool, int]:
    """How much a query states that was not asked, a platform weighing most."""
    return "platform" in query and "platform" not in criteria, len(query)


def _candidates(catalog: Catalog, criteria: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Queries that are answered: those of the support list, without one those for which there is a recipe."""
    for line in catalog.combinations:
        yield from _complete(line, criteria)
    if not catalog.combinations:
        for stated in {tuple(recipe.effective.items()) for recipe in catalog.recipes.values() if recipe.effective}:
            query = {dimension: dict(stated)[dimension] for dimension in DIMENSIONS if dimension in dict(stated)}
            if len(query) == len(stated) and covered(catalog, Query(query)):
                yield query


def _complete(line: Combination, criteria: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Queries that state each dimension of a line, except that a platform is only added when the query has one."""
    dimensions = [d for d in DIMENSIONS if d in line.values and (d != "platform" or d in criteria)]
    choices: list[tuple[str, ...]] = []
    for dimension in dimensions:
        values, wanted = line.values[dimension], criteria.get(dimension)
        if wanted is None:
            choices.append(values[:1])
        else:
            choices.append((wanted,) if wanted in values else values)
    for values in product(*choices):
        yield dict(zip(dimensions, values, strict=True))
