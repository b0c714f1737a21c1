"""The strict models of the files that catalog authors write (docs/catalog.md).

They say what may stand where; `model.parse` turns what they refuse into diagnostics, `catalog.build` what they
accept into entries, and `model.schema` the texts under fields into what editors show. `json_schema_extra` says in JSON
Schema what only code can judge here: a validator, or the loader where a finding needs its own place.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from groundswell.model.argocd import HealthRules, IgnoreDifference
from groundswell.model.conditions import Constraint, Criteria
from groundswell.model.fields import (
    Authored,
    ChartName,
    CriteriaValue,
    FilePath,
    Name,
    Namespace,
    Repository,
    Text,
    ValuePath,
    Version,
    Word,
)
from groundswell.model.nodes import ClusterAsks, Scheduling, Talos
from groundswell.model.refs import MixinRef, RecipeRef


class DocumentName(Authored):
    """Who a document is."""

    name: Name
    """Lower-case letters, digits and `-`, at most 53 characters."""


class Metadata(DocumentName):
    """Who a document is, and how it stands to one of the same name in a lower layer."""

    model_config = ConfigDict(
        json_schema_extra={
            "not": {
                "properties": {"patch": {"const": True}, "replace": {"const": True}},
                "required": ["patch", "replace"],
            }
        }
    )

    patch: bool = False
    """`true`: merged on top of the document of this name in a lower layer of the catalog."""
    replace: bool = False
    """`true`: takes the place of the document of this name in a lower layer of the catalog."""


class RecipeSpec(Authored):
    """When a recipe applies and what it brings."""

    base: Name | None = None
    """The recipe below this one; its criteria count as this one's, too. Without it: `base`."""
    criteria: Criteria | None = None
    """When the recipe applies: `{}` is always. Without the key the recipe is only a base for others."""
    mixins: list[Name] = []
    """Mixins to pull in, by name."""
    constraints: list[Constraint] = []
    """Conditions on the cluster."""
    component_refs: list[RecipeRef] = []
    """What the recipe says on components, one entry for each."""
    talos_version: Word | None = None
    """The Talos version that the node layer is compiled for unless the user states another."""


class MixinSpec(Authored):
    """What a mixin brings."""

    constraints: list[Constraint] = []
    """Conditions on the cluster."""
    component_refs: list[MixinRef] = []
    """What the mixin says on components, one entry for each."""


class HelmChart(Authored):
    """The chart that a component installs."""

    repository: Repository
    """Where the chart comes from: `https://…`, or `oci://…` without the chart's name."""
    chart: ChartName
    """The chart's name."""
    version: Version
    """The chart's version; no range."""


class HelmChartPatch(HelmChart):
    """What a patch changes about the chart."""

    repository: Repository | None = None  # type: ignore[assignment]  # a patch states only what it changes
    """Another place to take the chart from."""
    chart: ChartName | None = None  # type: ignore[assignment]  # as above
    """Another chart."""
    version: Version | None = None  # type: ignore[assignment]  # as above
    """Another version of the chart."""


class RequiredValue(Authored):
    """A value that no default can know."""

    path: ValuePath
    """Where it goes."""
    what: Text
    """What it is, as the finding says it that asks for it: `the number of GPUs in each machine`."""
    accelerators: list[Word] = []
    """Accelerators for which it must be stated, all when empty; and where the query states no accelerator."""


class ComponentSpec(Authored):
    """A component's defaults."""

    description: Text
    """One line that says what it is, shown in the README of bundles."""
    helm: HelmChart | None = None
    """The chart. Without it the component consists of its `manifestFiles`."""
    namespace: Namespace
    """Where it is installed."""
    dependency_refs: list[Name] = []
    """Components to wait for."""
    values_files: list[FilePath] = []
    """Values files with the default values, from this catalog's own root. Without it: the `values.yaml` beside."""
    manifest_files: list[FilePath] = []
    """Manifests to apply after the chart, from the catalog's root."""
    pre_manifest_files: list[FilePath] = []
    """Manifests to apply before the chart, from the catalog's root."""
    unset: list[ValuePath] = []
    """Paths of the chart's own defaults to remove: Helm receives null there."""
    aliases: list[Name] = []
    """Other names that `--set` and `--without` accept."""
    constraints: list[Constraint] = []
    """Conditions on the cluster that hold while the component is in the plan."""
    crds: Literal["none", "templates", "crds-dir", "separate"] = "none"
    """Where the chart keeps its CustomResourceDefinitions; `separate`: another component brings them."""
    scheduling: Scheduling = Scheduling.model_construct()
    """Value paths that receive the scheduling options."""
    storage_class_paths: list[ValuePath] = []
    """Value paths that receive `--storage-class`."""
    node_count_paths: list[ValuePath] = []
    """Value paths that receive `--nodes`."""
    instance_paths: list[ValuePath] = []
    """Value paths that receive the instances of a Cluster file: what each one's pod asks for, by host and name."""
    required_values: list[RequiredValue] = []
    """Values that no default can know: a recipe, a mixin or an option must state each."""
    ignore_differences: list[IgnoreDifference] = []
    """Fields that Argo CD leaves out of its comparison."""
    argocd_health: HealthRules = {}
    """Lua health rules for Argo CD by `group_Kind`, such as `nvidia.com_ClusterPolicy`."""
    cluster: ClusterAsks = ClusterAsks.model_construct()
    """Parts of the cluster that the component brings itself, or cannot do without."""
    talos: Talos = Talos.model_construct()
    """What counts when the query says `os: talos`."""


def _stated(value: str) -> str:
    if value in {"", "any"}:
        msg = "must not be `any` or empty: leave the dimension out where it does not matter"
        raise ValueError(msg)
    return value


StatedValue = Annotated[CriteriaValue, AfterValidator(_stated), Field(json_schema_extra={"not": {"enum": ["", "any"]}})]
StatedValues = Annotated[list[StatedValue], Field(min_length=1)]
"""Values of one dimension that queries can state, at least one."""


class CombinationModel(Authored):
    """A product of criteria values that the catalog stands behind, with the level reached."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 2})

    service: StatedValues = []
    """Services of the line."""
    accelerator: StatedValues = []
    """Accelerators of the line."""
    os: StatedValues = []
    """Operating systems of the line."""
    intent: StatedValues = []
    """Intents of the line."""
    platform: StatedValues = []
    """Platforms of the line; each combination counts without a platform as well."""
    level: Literal["resolves", "renders", "installed"]
    """How far all combinations of the line have come."""

    @model_validator(mode="after")
    def _states_something(self) -> Self:
        """No query fits a line that states nothing."""
        if self.model_fields_set <= {"level"}:
            raise PydanticCustomError(
                "no_dimension", "must state at least one of service, accelerator, os, intent and platform"
            )
        return self


class SupportSpec(Authored):
    """The combinations that the catalog stands behind."""

    combinations: Annotated[list[CombinationModel], Field(min_length=1)]
    """Products of values. A query fits when each criterion that it states is in one line together."""
    recipes: list[Name] = []
    """The recipes that the combinations rest on; with one of them missing, a query would lead to less in silence."""


class Document(Authored):
    """What every catalog file has in common."""

    api_version: Literal["groundswell.dev/v1alpha1"]
    """The version of the format."""
    metadata: DocumentName
    """Who the document is."""


class LayeredDocument(Document):
    """A document that can patch or replace one of a lower layer."""

    metadata: Metadata
    """Who the document is, and how it stands to one of the same name in a lower layer."""


class RecipeDocument(LayeredDocument):
    """A file under `recipes/`."""

    # A patch keeps the place of the recipe that it patches, and the root of all chains has none.
    model_config = ConfigDict(
        json_schema_extra={
            "if": {
                "properties": {
                    "metadata": {
                        "anyOf": [
                            {"properties": {"patch": {"const": True}}, "required": ["patch"]},
                            {"properties": {"name": {"const": "base"}}, "required": ["name"]},
                        ]
                    }
                },
                "required": ["metadata"],
            },
            "then": {"properties": {"spec": {"properties": {"base": False, "criteria": False}}}},
        }
    )

    kind: Literal["Recipe"]
    """The kind of document."""
    spec: RecipeSpec
    """What the recipe says."""


class MixinDocument(LayeredDocument):
    """A file under `mixins/`."""

    kind: Literal["Mixin"]
    """The kind of document."""
    spec: MixinSpec
    """What the mixin says."""


class ComponentDocument(LayeredDocument):
    """A file `components/<name>/component.yaml`."""

    kind: Literal["Component"]
    """The kind of document."""
    spec: ComponentSpec
    """What the component is."""


class ComponentPatchSpec(ComponentSpec):
    """A patch of a lower layer's component states only what it changes."""

    description: Text | None = None  # type: ignore[assignment]  # a patch may leave out what the component must have
    """Another description."""
    namespace: Namespace | None = None  # type: ignore[assignment]  # as above
    """Another namespace to install into."""
    helm: HelmChartPatch | None = None
    """What changes about the chart."""


class ComponentPatchDocument(ComponentDocument):
    """A file `components/<name>/component.yaml` with `metadata.patch: true`."""

    spec: ComponentPatchSpec
    """What changes about the component."""


class SupportDocument(Document):
    """The file `recipes/support.yaml`. Support lists of all layers unite, so none patches or replaces another."""

    kind: Literal["Support"]
    """The kind of document."""
    spec: SupportSpec
    """What the catalog stands behind."""
