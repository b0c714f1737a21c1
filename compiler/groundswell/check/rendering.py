"""Every folder of a plan as rendered: what the rules judge."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from groundswell.check.crds import crds_of
from groundswell.check.places import folder_place
from groundswell.check.pods import pod_templates
from groundswell.deploy.registry import BUILT_IN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from groundswell.check.alone import Alone
    from groundswell.check.chart_facts import Facts
    from groundswell.check.chart_values import Unknown
    from groundswell.check.charts import ChartAt
    from groundswell.check.crds import Crd
    from groundswell.check.objects import KubeObject
    from groundswell.check.pods import PodTemplate
    from groundswell.check.target import Target
    from groundswell.deploy.helm.table import Row
    from groundswell.plan.plan import Folder, Plan
    from groundswell.resolve.resolution import Component
    from groundswell.source.span import Span
    from groundswell.talos.cluster import Cluster


@dataclass(frozen=True, slots=True)
class RenderedFolder:
    """A folder with its objects, and what is needed to tell where they come from.

    `unknown` are the paths in the component's values that the chart does not take.
    `alone` has for each of the objects what is wrong with it by itself.
    `compared` are the objects of two renderings that should be the same, None where nothing can make a difference.
    `undecided` are functions, with their files, of which comparing would tell by chance.
    `late_apis` are those that may come after it, and with which it is another (`late_apis`).
    """

    folder: Folder
    row: Row
    component: Component
    chart: ChartAt | None
    facts: Facts
    unknown: Unknown
    text: bytes
    objects: tuple[KubeObject, ...]
    alone: tuple[Alone, ...]
    compared: tuple[tuple[KubeObject, ...], tuple[KubeObject, ...]] | None = None
    undecided: tuple[tuple[str, str], ...] = ()
    late_apis: tuple[str, ...] = ()

    @property
    def place(self) -> Span | None:
        """Where the catalog brings the folder's content in: the chart's version, or the first of its manifests."""
        return folder_place(self.component, self.folder)


@dataclass(frozen=True, eq=False)
class Rendering:
    """The rendered folders by name, in the plan's order; those that could not be rendered are missing.

    `cluster` is that of a Cluster file, None when none is given. `deployers` are the tools that will write the objects.
    `assumed` are API versions that helm took for served, since it cannot ask a cluster, and the target does not serve.
    """

    plan: Plan
    target: Target
    folders: Mapping[str, RenderedFolder]
    cluster: Cluster | None = None
    deployers: tuple[str, ...] = BUILT_IN
    assumed: frozenset[str] = frozenset()
    _reach: dict[str, frozenset[str]] = field(default_factory=dict, repr=False)

    @property
    def whole(self) -> bool:
        """Whether every folder of the plan is among them."""
        return len(self.folders) == len(self.plan.folders)

    @cached_property
    def objects(self) -> tuple[KubeObject, ...]:
        """Every object, in the order in which folders are installed."""
        return tuple(item for rendered in self.folders.values() for item in rendered.objects)

    @cached_property
    def crds(self) -> Mapping[tuple[str, str], tuple[Crd, ...]]:
        """The definitions in the bundle by group and kind; more than one where folders fight over a kind."""
        found: dict[tuple[str, str], tuple[Crd, ...]] = {}
        for crd in crds_of(self.objects):
            found[crd.group, crd.kind] = (*found.get((crd.group, crd.kind), ()), crd)
        return found

    @cached_property
    def pods(self) -> tuple[PodTemplate, ...]:
        """Every pod that the objects are or will make, looked for once: most rules on pods go through all of them."""
        return tuple(pod_templates(self.objects))

    def before(self, first: str, second: str) -> bool:
        """Whether one folder is always installed before another: by phase within a component, else by dependencies."""
        one, other = self.folders[first].folder, self.folders[second].folder
        if one.component == other.component:
            return one.phase < other.phase
        return one.component in self.waits_for(other.component)

    def waits_for(self, component: str) -> frozenset[str]:
        """The components that one waits for, directly or not."""
        if component not in self._reach:
            direct = self.plan.dependencies.get(component, ())
            self._reach[component] = frozenset(direct).union(*(self.waits_for(name) for name in direct))
        return self._reach[component]


def scoped(folders: Mapping[str, RenderedFolder]) -> dict[str, RenderedFolder]:
    """The same folders, with no namespace on objects whose kind the bundle defines as one of the cluster.

    Objects whose name is another one each time are marked.
    """
    crds = [crd for rendered in folders.values() for crd in crds_of(rendered.objects)]
    cluster = {(crd.group, crd.kind) for crd in crds if not crd.namespaced}

    def placed(items: tuple[KubeObject, ...], passing: Callable[[KubeObject], bool]) -> tuple[KubeObject, ...]:
        return tuple(
            item._replace(
                namespace="" if (item.group, item.kind) in cluster else item.namespace, lasting=not passing(item)
            )
            for item in items
        )

    found = {}
    for name, item in folders.items():
        passing = _passing(item)
        compared = item.compared and (placed(item.compared[0], passing), placed(item.compared[1], passing))
        found[name] = replace(item, objects=placed(item.objects, passing), compared=compared)
    return found


def _passing(rendered: RenderedFolder) -> Callable[[KubeObject], bool]:
    """What tells whether an object has another name each time: others from its template stand in its place."""
    first, second = rendered.compared or (rendered.objects, rendered.objects)
    known, again = ({item.identity for item in items} for items in (first, second))
    gone = {(item.kind, item.source) for item in first if item.identity not in again}
    come = {(item.kind, item.source) for item in second if item.identity not in known}
    both, either, renamed = known & again, known | again, gone & come
    return lambda item: (
        item.identity not in both and (item.identity not in either or (item.kind, item.source) in renamed)
    )
