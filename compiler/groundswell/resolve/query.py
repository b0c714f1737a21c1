"""What a user asks for: criteria, and everything else on the command line that bears on a resolution."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.catalog.entries import Recipe
    from groundswell.resolve.resolution import Path
    from groundswell.source.located import Json, Located


_ANY = "any"


class Setting(NamedTuple):
    """One `--set…` option: the component's name or alias, the path, and the value that goes there.

    `option` is the option as typed, for messages and origins. `explicit` says that its value shows its own type (JSON,
    a file), so that a scalar or list may take the place of a map.
    """

    option: str
    component: str
    path: Path
    value: Located
    explicit: bool = False


class Placement(NamedTuple):
    """The scheduling and storage flags; empty or None where a flag was not given."""

    system_selector: Mapping[str, str] = {}
    system_tolerations: tuple[Mapping[str, Json], ...] = ()
    accelerated_selector: Mapping[str, str] = {}
    accelerated_tolerations: tuple[Mapping[str, Json], ...] = ()
    storage_class: str | None = None


class HostValues(NamedTuple):
    """What the hosts of a Cluster file say on components: a layer above mixins and below the command line.

    `plugins` holds the values of each device plugin that the hosts need; the mixin of its name brings it. `instances`
    goes to the paths that components have for it (`instancePaths`), None without instances. `possible` are the plugins
    that they may need besides, where the file is wrong and not all that it says on hosts can be known.
    """

    cluster: str
    plugins: Mapping[str, Located]
    instances: Located | None = None
    possible: frozenset[str] = frozenset()


class Unread(NamedTuple):
    """An option whose text is wrong, which is an error that is told already.

    For a setting, what it says on the component and path; "" and () where that cannot be read either.
    """

    option: str
    component: str = ""
    path: Path = ()


class Query(NamedTuple):
    """One request to the resolver. `criteria` holds only the dimensions that the user stated.

    `last` is the recipe of `--recipe FILE`: the last layer, whose criteria are the query. `hosts` is what the hosts of
    `--cluster FILE` say.
    """

    criteria: Mapping[str, str]
    nodes: int | None = None
    settings: tuple[Setting, ...] = ()
    without: tuple[str, ...] = ()
    placement: Placement = Placement()
    allow_unsupported: bool = False
    last: Recipe | None = None
    hosts: HostValues | None = None
    unread: tuple[Unread, ...] = ()

    @property
    def partial(self) -> bool:
        """Whether part of it could not be read, so that nothing can come of it."""
        return bool(self.unread or (self.hosts and self.hosts.possible))


def stated(criteria: Mapping[str, str | None]) -> dict[str, str]:
    """Criteria trimmed and in lower case; missing, empty and `any` are one and the same: not stated."""
    return {dimension: value for dimension, value in _cleaned(criteria) if value not in {"", _ANY}}


def declined(criteria: Mapping[str, str | None]) -> set[str]:
    """The dimensions for which somebody says `any`: nothing else, such as a snapshot, is to state them either."""
    return {dimension for dimension, value in _cleaned(criteria) if value == _ANY}


def _cleaned(criteria: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    return ((dimension, (value or "").strip().lower()) for dimension, value in criteria.items())
