"""The strict models of the files that catalog authors write (design: catalog files).

They say what may stand where; `model.parse` turns what they refuse into diagnostics and what they accept into entries.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

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


class DocumentName(Authored):
    """Who a document is."""

    name: Name


class Metadata(DocumentName):
    """Who a document is, and how it stands to one of the same name in a lower layer."""

    patch: bool = False
    replace: bool = False


class Criteria(Authored):
    """The dimensions that a recipe states. Null is one of the ways to leave one out."""

    @field_validator("*", mode="before")
    @classmethod
    def _no_null(cls, value: object) -> object:
        return value

    service: CriteriaValue | None = None
    accelerator: CriteriaValue | None = None
    os: CriteriaValue | None = None
    intent: CriteriaValue | None = None
    platform: CriteriaValue | None = None


class Constraint(Authored):
    """A condition on the cluster, such as `K8s.server.version` `>= 1.32`."""

    name: Text
    value: Text
    replace: bool = False
    reason: Text | None = None


class Without(Authored):
    """Inherited entries of a ref that this layer takes out."""

    dependency_refs: list[Name] = []
    manifest_files: list[FilePath] = []
    pre_manifest_files: list[FilePath] = []


class RecipeRef(Authored):
    """A recipe's say on one component."""

    name: Name
    repository: Repository | None = None
    chart: ChartName | None = None
    version: Version | None = None
    namespace: Namespace | None = None
    enabled: bool | None = None
    dependency_refs: list[Name] = []
    values_files: list[FilePath] = []
    overrides: dict[str, Any] = {}
    manifest_files: list[FilePath] = []
    pre_manifest_files: list[FilePath] = []
    replace: list[ValuePath] = []
    unset: list[ValuePath] = []
    without: Without = Without.model_construct()


class MixinRef(RecipeRef):
    """A mixin's say on one component that is present; `create` adds it, `enforce` wins over everybody."""

    create: bool = False
    enforce: dict[str, Any] = {}


class RecipeSpec(Authored):
    """When a recipe applies and what it brings."""

    base: Name | None = None
    criteria: Criteria | None = None
    mixins: list[Name] = []
    constraints: list[Constraint] = []
    component_refs: list[RecipeRef] = []


class MixinSpec(Authored):
    """What a mixin brings."""

    constraints: list[Constraint] = []
    component_refs: list[MixinRef] = []


class HelmChart(Authored):
    """The chart that a component installs."""

    repository: Repository
    chart: ChartName
    version: Version


class HelmChartPatch(HelmChart):
    """What a patch changes about the chart."""

    repository: Repository | None = None  # type: ignore[assignment]  # a patch states only what it changes
    chart: ChartName | None = None  # type: ignore[assignment]  # as above
    version: Version | None = None  # type: ignore[assignment]  # as above


class NodeClassPaths(Authored):
    """Value paths that receive the scheduling flags of one class of nodes."""

    node_selector_paths: list[ValuePath] = []
    toleration_paths: list[ValuePath] = []


class Scheduling(Authored):
    """Value paths that receive the scheduling flags."""

    system: NodeClassPaths = NodeClassPaths.model_construct()
    accelerated: NodeClassPaths = NodeClassPaths.model_construct()


class IgnoreDifference(Authored):
    """Fields of a kind of object that Argo CD leaves out of its comparison."""

    group: str = ""
    kind: Text
    name: Text | None = None
    namespace: Text | None = None
    json_pointers: list[Text] = []
    jq_path_expressions: list[Text] = []
    managed_fields_managers: list[Text] = []


class TalosNodes(Authored):
    """What a component asks of the machines of one class."""

    on: Literal["all", "workers", "accelerated"]
    extensions: list[Word] = []
    kernel_modules: list[Word] = []
    kernel_args: list[Word] = []
    sysctls: dict[str, str] = {}


class Talos(Authored):
    """What a component means on Talos."""

    privileged: bool = False
    nodes: list[TalosNodes] = []


class ComponentSpec(Authored):
    """A component's defaults."""

    description: Text
    helm: HelmChart | None = None
    namespace: Namespace
    dependency_refs: list[Name] = []
    manifest_files: list[FilePath] = []
    pre_manifest_files: list[FilePath] = []
    unset: list[ValuePath] = []
    aliases: list[Name] = []
    constraints: list[Constraint] = []
    crds: Literal["none", "templates", "crds-dir", "separate"] = "none"
    scheduling: Scheduling = Scheduling.model_construct()
    storage_class_paths: list[ValuePath] = []
    node_count_paths: list[ValuePath] = []
    ignore_differences: list[IgnoreDifference] = []
    argocd_health: dict[str, str] = {}
    talos: Talos = Talos.model_construct()


class CombinationModel(Authored):
    """A product of criteria values that the catalog stands behind, with the level reached."""

    service: list[CriteriaValue] = []
    accelerator: list[CriteriaValue] = []
    os: list[CriteriaValue] = []
    intent: list[CriteriaValue] = []
    platform: list[CriteriaValue] = []
    level: Literal["resolves", "renders", "installed"]


class SupportSpec(Authored):
    """The combinations that the catalog stands behind."""

    combinations: Annotated[list[CombinationModel], Field(min_length=1)]


class Document(Authored):
    """What every catalog file has in common."""

    api_version: Literal["groundswell.dev/v1alpha1"]
    metadata: DocumentName


class LayeredDocument(Document):
    """A document that can patch or replace one of a lower layer."""

    metadata: Metadata


class RecipeDocument(LayeredDocument):
    """A file under `recipes/`."""

    kind: Literal["Recipe"]
    spec: RecipeSpec


class MixinDocument(LayeredDocument):
    """A file under `mixins/`."""

    kind: Literal["Mixin"]
    spec: MixinSpec


class ComponentDocument(LayeredDocument):
    """A file `components/<name>/component.yaml`."""

    kind: Literal["Component"]
    spec: ComponentSpec


class ComponentPatchSpec(ComponentSpec):
    """A patch of a lower layer's component states only what it changes."""

    description: Text | None = None  # type: ignore[assignment]  # a patch may leave out what the component must have
    namespace: Namespace | None = None  # type: ignore[assignment]  # as above
    helm: HelmChartPatch | None = None


class ComponentPatchDocument(ComponentDocument):
    """A file `components/<name>/component.yaml` with `metadata.patch: true`."""

    spec: ComponentPatchSpec


class SupportDocument(Document):
    """The file `recipes/support.yaml`. Support lists of all layers unite, so none patches or replaces another."""

    kind: Literal["Support"]
    spec: SupportSpec
