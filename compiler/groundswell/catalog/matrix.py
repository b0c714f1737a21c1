"""The support list written out: every complete combination of criteria with the level that it has reached."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from groundswell.catalog.entries import DIMENSIONS
from groundswell.resolve.required import site_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from groundswell.catalog.entries import Catalog

LEVELS = ("resolves", "renders", "installed")
"""The levels of support, the lowest first."""

_PLATFORM = "platform"


class Supported(NamedTuple):
    """One complete combination: every dimension that its line has, the platform or not.

    `values` are those that a query for it must state besides, as `--set` names them.
    """

    criteria: Mapping[str, str]
    level: str
    values: tuple[str, ...] = ()


def supported(catalog: Catalog) -> tuple[Supported, ...]:
    """Every complete combination once, in the order of the list, those without a platform before those with one.

    A combination that several lines have counts with the highest of their levels.
    """
    found: dict[tuple[tuple[str, str], ...], str] = {}
    for line in catalog.combinations:
        for criteria in _products(line.values):
            level = found.get(criteria, LEVELS[0])
            found[criteria] = max(level, line.level, key=LEVELS.index)
    rows = ((dict(criteria), level) for criteria, level in found.items())
    return tuple(Supported(criteria, level, site_values(catalog, criteria)) for criteria, level in rows)


def _products(values: Mapping[str, Sequence[str]]) -> Iterator[tuple[tuple[str, str], ...]]:
    dimensions = [dimension for dimension in DIMENSIONS if dimension in values and dimension != _PLATFORM]
    for chosen in product(*(values[dimension] for dimension in dimensions)):
        bare = tuple(zip(dimensions, chosen, strict=True))
        if bare:
            yield bare
        yield from ((*bare, (_PLATFORM, platform)) for platform in values.get(_PLATFORM, ()))


def coverage_page(rows: Sequence[Supported]) -> str:
    """The page `docs/coverage.md`: for each service a table of its machines by what they are for."""
    purposes = list(dict.fromkeys(_purpose(row) for row in rows))
    services = dict.fromkeys(row.criteria.get("service", "") for row in rows)
    parts = [_INTRODUCTION.format(count=len(rows)), *_open_values(rows)]
    for service in services:
        own = [row for row in rows if row.criteria.get("service", "") == service]
        columns = [purpose for purpose in purposes if any(_purpose(row) == purpose for row in own)]
        parts.append(f"## {service or 'any service'}\n\n{_table(own, columns)}\n")
    return "\n".join(parts)


_INTRODUCTION = """\
# Coverage

What the shipped catalog stands behind: {count} combinations of criteria, each with the level that it has reached. A
query may leave dimensions out; see [Coverage](resolution.md#coverage) for the rules. This page is generated from
`recipes/support.yaml`: `make docs` writes it.

| Level | What has been shown |
| --- | --- |
| resolves | the combination compiles to a plan |
| renders | Helm renders each of its charts, and `groundswell check` accepts the objects |
| installed | it was installed on a cluster |
"""


def _open_values(rows: Iterable[Supported]) -> Iterator[str]:
    """What `with values` in a cell means."""
    values = sorted({value for row in rows for value in row.values})
    if values:
        needing = sum(bool(row.values) for row in rows)
        listed = "\n".join(f"* `{value}`" for value in values)
        yield f"""\
{needing} of the combinations say `{_WITH_VALUES}`: only the site knows something that they need, so a recipe or `--set`
must state it (`R306`). `groundswell catalog list --matrix` shows for each what that is:

{listed}
"""


_WITH_VALUES = "with values"


def _purpose(row: Supported) -> str:
    """What a cluster is for: its intent and its platform."""
    return " ".join(row.criteria[key] for key in ("intent", _PLATFORM) if key in row.criteria) or "anything"


def _table(rows: Iterable[Supported], columns: Sequence[str]) -> str:
    machines: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        machine = (row.criteria.get("accelerator", "none"), row.criteria.get("os", "any"))
        machines.setdefault(machine, {})[_purpose(row)] = f"{row.level} {_WITH_VALUES}" if row.values else row.level
    lines = [
        ("accelerator", "os", *columns),
        ("---",) * (len(columns) + 2),
        *((*machine, *(levels.get(column, "") for column in columns)) for machine, levels in machines.items()),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
