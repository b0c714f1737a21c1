"""What a query with errors still says for certain, so that the same run also tells what is wrong with its plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundswell.diagnostics.codes import resolve as codes
from groundswell.diagnostics.diagnostic import Severity
from groundswell.resolve.leaves import within
from groundswell.resolve.options import meant
from groundswell.resolve.placement import PLACES
from groundswell.resolve.resolution import ClusterNeeds
from groundswell.resolve.stack import reference

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from groundswell.catalog.entries import Catalog
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.query import Query
    from groundswell.resolve.resolution import Component, Manifest, Path, Resolution
    from groundswell.resolve.stack import Stack

_OF_OPTIONS = frozenset(
    code.code
    for code in (
        codes.ENFORCED,
        codes.UNKNOWN_COMPONENT,
        codes.OVERLAPPING_SETTINGS,
        codes.BAD_SETTING,
        codes.NO_EFFECT,
    )
)
"""Errors on values that somebody meant to give some component."""


class Doubts(NamedTuple):
    """What errors leave open, decided before anything is judged of which an error could be but a consequence.

    `components` may be in the plan or not. `values` are those that somebody meant to state in vain, each by component,
    "" for any, and path.
    """

    components: frozenset[str]
    values: tuple[tuple[str, Path], ...]

    def concern(self, component: str, path: Path) -> bool:
        """Whether somebody meant to have a say on a value."""
        about = (place for name, place in self.values if name in {"", component})
        return any(within(path, place) or within(place, path) for place in about)


NONE = Doubts(frozenset(), ())


def doubts(
    catalog: Catalog, query: Query, present: Mapping[str, Stack], disputed: Iterable[str], not_left_out: Iterable[str]
) -> Doubts:
    """What is open of the components that are, or may be, in the plan.

    Of those in `disputed` the layers leave open whether they are in it; `not_left_out` are the names of none by which
    one was to be left out.
    """
    components = {*disputed, *(_guess(name, catalog, present) for name in not_left_out)}
    if query.hosts:
        components |= (query.hosts.plugins.keys() - present.keys()) | query.hosts.possible
    return Doubts(frozenset(components), tuple(_meant_values(catalog, query, present)))


def _guess(name: str, catalog: Catalog, present: Mapping[str, Stack]) -> str:
    """The component that an option means by a name of none in the plan, "" when nobody can tell."""
    guess = meant(name, catalog, present) or ""
    return catalog.aliases.get(guess, guess)


def _meant_values(catalog: Catalog, query: Query, present: Mapping[str, Stack]) -> Iterator[tuple[str, Path]]:
    """The values that refused options and unread hosts were to state, as far as that can be told."""
    for option, component, path in query.unread:
        name = catalog.aliases.get(component, component)
        if option in PLACES:
            yield from ((one, place) for one in present for place in PLACES[option](catalog.components[one]))
        else:
            yield name if name in catalog.components else _guess(component, catalog, present), path
    for setting in query.settings:
        name = catalog.aliases.get(setting.component, setting.component)
        guess = _guess(setting.component, catalog, present) if name not in present else ""
        if guess or name not in catalog.components:
            yield guess, setting.path
    if query.hosts and query.hosts.possible:
        yield from ((one, place) for one in present for place in catalog.components[one].instances)


def draft(  # noqa: PLR0917  all that the resolver knows by then
    catalog: Catalog,
    query: Query,
    resolution: Resolution,
    stacks: Mapping[str, Stack],
    doubts: Doubts,
    findings: Iterable[Diagnostic],
) -> Resolution | None:
    """The resolution without what its errors leave open; None when nothing is left.

    A component that may be there or not is switched off, as one that others may rely on. What else is open of a
    component is left out. So a plan of the draft has no finding that is but the consequence of an error.
    """
    disputes = catalog.semantics.disputes
    values = [*doubts.values]
    for name, stack in stacks.items():
        values += [(name, path) for path in (*stack.values.refused, *(path for path, _ in disputes(stack.values)))]
    if any(finding.severity is Severity.ERROR and finding.code in _OF_OPTIONS for finding in findings):
        values += [(catalog.aliases.get(item.component, item.component), item.path) for item in query.settings]
    doubts = doubts._replace(values=tuple(values))
    components = []
    for item in resolution.components:
        stack = stacks[item.name]
        left_open = {path for tree in (stack.fields, stack.entries) for path, _ in disputes(tree)}
        components.append(_certain(item, left_open.union(stack.doubtful_entries()), doubts))
    in_doubt = any(item.enabled and item.name in doubts.components for item in resolution.components)
    if in_doubt and not any(item.enabled for item in components):
        return None
    return resolution._replace(components=tuple(components))


def _certain(component: Component, left_open: Collection[Path], doubts: Doubts) -> Component:
    """A component without the fields and entries at the paths `left_open`, and without what is in doubt."""

    def certain(key: str, manifests: Iterable[Manifest]) -> tuple[Manifest, ...]:
        return tuple(item for item in manifests if (key, reference(item)) not in left_open)

    needs = component.cluster_needs
    if needs.replacement and doubts.concern(component.name, needs.replacement):
        needs = ClusterNeeds(cni=needs.cni, places=needs.places)
    return component._replace(
        enabled=component.enabled and component.name not in doubts.components,
        namespace="" if ("namespace",) in left_open else component.namespace,
        dependencies=tuple(
            name
            for name in component.dependencies
            if name not in doubts.components and ("dependencyRefs", name) not in left_open
        ),
        manifests=certain("manifestFiles", component.manifests),
        pre_manifests=certain("preManifestFiles", component.pre_manifests),
        cluster_needs=needs,
    )
