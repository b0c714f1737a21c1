"""A catalog's documents after reading and checking: frozen, with places, free of any file format's library."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import ClusterNeeds, Manifest, NodeNeeds, Path
    from groundswell.resolve.semantics import Semantics
    from groundswell.source.located import Json, Located
    from groundswell.source.span import Span

DIMENSIONS = ("service", "accelerator", "os", "intent", "platform")
"""The criteria that recipes can match on, in the order in which they are shown."""


class Named(NamedTuple):
    """A name that refers to something, and where it was written."""

    name: str
    span: Span


class ConstraintEntry(NamedTuple):
    """A constraint as one layer states it. `replace` (with its `reason`) drops what lower layers said of this name."""

    name: str
    value: str
    replace: bool
    reason: str
    span: Span


class PlacedManifest(NamedTuple):
    """A manifest file that a ref names, and where it names it."""

    manifest: Manifest
    span: Span


class PlacedPath(NamedTuple):
    """A path into a component's values, and where it was written."""

    path: Path
    span: Span


class PlacedRule(NamedTuple):
    """A health rule of Argo CD in Lua, and where its key was written."""

    lua: str
    span: Span


class ComponentRef(NamedTuple):
    """One layer's say on one component.

    `fields` holds the plain fields that the layer states (repository, chart, version, namespace: text; enabled: bool)
    as a mapping with places. `values_files` are the layer's values files in order, `overrides` come after them.
    `enforce` and `create` occur in mixins only. `without` maps dependencyRefs, manifestFiles and preManifestFiles to
    inherited entries that are taken out.
    """

    name: str
    span: Span
    fields: Located
    dependencies: tuple[Named, ...] = ()
    values_files: tuple[Located, ...] = ()
    overrides: Located | None = None
    enforce: Located | None = None
    create: bool = False
    manifests: tuple[PlacedManifest, ...] = ()
    pre_manifests: tuple[PlacedManifest, ...] = ()
    replace: tuple[PlacedPath, ...] = ()
    unset: tuple[PlacedPath, ...] = ()
    without: Mapping[str, tuple[Named, ...]] = {}

    @property
    def values(self) -> tuple[Located, ...]:
        """The values files and the overrides, each to be merged on top of those before it."""
        return (*self.values_files, *([self.overrides] if self.overrides else []))


class Recipe(NamedTuple):
    """A recipe.

    `criteria` is None for one that is only a base; `effective` are its own criteria and its bases' together.
    `chain` names the recipe's bases from the root down to the recipe itself; `layer` is the catalog layer it came from.
    `talos_version` is the version that the node layer is compiled for by default, "" when the recipe states none.
    `remarks` are warnings for every query that the recipe takes part in.
    """

    name: str
    span: Span
    layer: str
    base: Named | None
    criteria: Mapping[str, str] | None
    mixins: tuple[Named, ...]
    constraints: tuple[ConstraintEntry, ...]
    refs: tuple[ComponentRef, ...]
    effective: Mapping[str, str] = {}
    chain: tuple[str, ...] = ()
    patches: tuple[Recipe, ...] = ()
    talos_version: str = ""
    remarks: tuple[Diagnostic, ...] = ()

    def meets(self, other: Recipe) -> bool:
        """Whether some query can state the criteria of both."""
        return all(other.effective.get(dimension, value) == value for dimension, value in self.effective.items())


class Mixin(NamedTuple):
    """A fragment without criteria that recipes pull in by name. `remarks` are as a recipe's."""

    name: str
    span: Span
    layer: str
    constraints: tuple[ConstraintEntry, ...]
    refs: tuple[ComponentRef, ...]
    patches: tuple[Mixin, ...] = ()
    remarks: tuple[Diagnostic, ...] = ()


class SchedulingPaths(NamedTuple):
    """Paths into a component's values that receive the scheduling flags for one class of nodes."""

    node_selector: tuple[Path, ...] = ()
    toleration: tuple[Path, ...] = ()


class RequiredValue(NamedTuple):
    """A value that somebody above a component's defaults must state: its path, what it is, and where that is asked.

    `accelerators` are those for which it must be stated, all when empty.
    """

    path: Path
    what: str
    span: Span
    accelerators: tuple[str, ...] = ()


class ComponentEntry(NamedTuple):
    """A component's defaults: the lowest layer of all. `defaults` is that layer in the form of a ref.

    `remarks` are warnings for every plan with the component.
    """

    name: str
    span: Span
    layer: str
    description: str
    defaults: ComponentRef
    aliases: tuple[Named, ...]
    constraints: tuple[ConstraintEntry, ...]
    crds: str
    system: SchedulingPaths
    accelerated: SchedulingPaths
    storage_class: tuple[Path, ...]
    node_count: tuple[Path, ...]
    instances: tuple[Path, ...]
    ignore_differences: tuple[Mapping[str, Json], ...]
    argocd_health: Mapping[str, PlacedRule]
    privileged: bool
    node_needs: tuple[NodeNeeds, ...]
    cluster_needs: ClusterNeeds
    patches: tuple[ComponentRef, ...] = ()
    remarks: tuple[Diagnostic, ...] = ()
    required: tuple[RequiredValue, ...] = ()


class Combination(NamedTuple):
    """One line of the support list: a product of values per dimension, and the level that all of it has reached."""

    values: Mapping[str, tuple[str, ...]]
    level: str
    span: Span


class Catalog(NamedTuple):
    """Recipes, mixins, components and the support list, every reference between them checked.

    `supporting` names the catalog layers that have a support list. `digest` is the SHA-256 over all files of all
    layers.
    """

    recipes: Mapping[str, Recipe]
    mixins: Mapping[str, Mixin]
    components: Mapping[str, ComponentEntry]
    combinations: tuple[Combination, ...]
    supporting: frozenset[str]
    semantics: Semantics
    digest: str

    @property
    def aliases(self) -> Mapping[str, str]:
        """Every name that stands for a component, its own included, with the component's name."""
        names = {name: name for name in self.components}
        return names | {alias.name: entry.name for entry in self.components.values() for alias in entry.aliases}

    @property
    def carried(self) -> frozenset[tuple[str, str]]:
        """Each dimension with each value that some recipe carries."""
        return frozenset(item for recipe in self.recipes.values() for item in recipe.effective.items())


class Loaded(NamedTuple):
    """A catalog, or None when its findings hold errors. `used` are the files that documents name.

    `remarks` are for `catalog check`: what the catalog's own tool accepts without a word. Documents carry those that
    others need to hear as well.
    """

    catalog: Catalog | None
    findings: tuple[Diagnostic, ...]
    used: frozenset[str]
    remarks: tuple[Diagnostic, ...] = ()
