"""The strict models of the files that catalog authors write (design: catalog files).

They say what may stand where; `model.parse` turns what they refuse into diagnostics and what they accept into entries.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

API_VERSION = "groundswell.dev/v1alpha1"

NAME_PATTERN = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"
NAME_LENGTH = 53

Name = Annotated[str, StringConstraints(pattern=NAME_PATTERN, max_length=NAME_LENGTH)]
"""A DNS-1123 label, short enough for a Helm release (53 characters)."""

Namespace = Annotated[str, StringConstraints(pattern=NAME_PATTERN, max_length=63)]

Text = Annotated[str, StringConstraints(min_length=1, pattern=r"^[^\x00-\x1f\x7f]+$")]
"""One line of text."""

Word = Annotated[str, StringConstraints(pattern=r"^\S+$")]
"""Text without blanks: a version, a chart's name."""

Repository = Annotated[str, StringConstraints(pattern=r"^(https?|oci)://[A-Za-z0-9._~:/@%+-]+[^/]$")]
"""Where charts come from: `https://…`, `http://…` or `oci://…`, the chart's name not in it."""

CriteriaValue = Annotated[str, StringConstraints(pattern=r"^([a-z0-9][a-z0-9._-]*)?$")]
"""A dimension's value, lower case. `any` and the empty text are the same as leaving the dimension out."""


def _relative(path: str) -> str:
    parts = path.split("/")
    if path.startswith("/") or "\\" in path or any(part in {"", ".", ".."} for part in parts):
        msg = "must be a path inside the catalog, like components/nfd/values.yaml"
        raise ValueError(msg)
    return path


FilePath = Annotated[str, AfterValidator(_relative)]
"""A path from the catalog's root with `/`, without `.` and `..`."""

ValuePath = Annotated[str, StringConstraints(min_length=1)]
"""Keys joined by dots; a dot inside a key is written `\\.`."""


class Authored(BaseModel):
    """Base of all models: unknown keys refused, types not converted, camelCase in files."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, alias_generator=to_camel, defer_build=True, populate_by_name=False
    )


class Metadata(Authored):
    """Who a document is, and how it stands to one of the same name in a lower layer."""

    name: Name
    patch: bool = False
    replace: bool = False


class Criteria(Authored):
    """The dimensions that a recipe states."""

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
    chart: Word | None = None
    version: Word | None = None
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
    chart: Word
    version: Word


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
    metadata: Metadata


class RecipeDocument(Document):
    """A file under `recipes/`."""

    kind: Literal["Recipe"]
    spec: RecipeSpec


class MixinDocument(Document):
    """A file under `mixins/`."""

    kind: Literal["Mixin"]
    spec: MixinSpec


class ComponentDocument(Document):
    """A file `components/<name>/component.yaml`."""

    kind: Literal["Component"]
    spec: ComponentSpec


class ComponentPatchSpec(ComponentSpec):
    """A patch of a lower layer's component states only what it changes."""

    description: Text | None = None  # type: ignore[assignment]  # a patch may leave out what the component must have
    namespace: Namespace | None = None  # type: ignore[assignment]  # as above


class ComponentPatchDocument(ComponentDocument):
    """A file `components/<name>/component.yaml` with `metadata.patch: true`."""

    spec: ComponentPatchSpec


class SupportDocument(Document):
    """The file `recipes/support.yaml`."""

    kind: Literal["Support"]
    spec: SupportSpec
