"""The models of files in the AICR layout: registry, overlays, mixins.

They take what that project's own decoder takes: unknown keys (`model.parse.unknown_keys` finds them), and null or an
empty text for a key that is left out. Health checks, validation phases, expected resources and the like are read, so
that a wrong type in them is found, and carried nowhere: they steer that project's own validators, of which a bundle has
none.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, field_validator
from pydantic.alias_generators import to_camel

from groundswell.model import fields
from groundswell.model.fields import Authored, ChartName, Name, Namespace, Repository, Text, ValuePath


class Lenient(Authored):
    """Base of these models: unknown keys are kept aside, empty values count as left out."""

    model_config = ConfigDict(
        strict=True, extra="allow", frozen=True, alias_generator=to_camel, defer_build=True, populate_by_name=False
    )

    @field_validator("*", mode="before")
    @classmethod
    def _no_null(cls, value: object) -> object:
        """Null and the empty text are Go's zero value: nothing said. Takes the place of the stricter rule."""
        return None if value == "" else value


def _without_slash(value: object) -> object:
    return value.rstrip("/") if isinstance(value, str) else value


def _a_version(version: str) -> str:
    if version == "v":
        raise ValueError("must be a version, not `v` alone")
    return version


Version = Annotated[fields.LooseVersion, AfterValidator(_a_version)]
"""One version of a chart."""

Source = Annotated[Repository, BeforeValidator(_without_slash)]
"""A repository; a slash at its end, which some write, means nothing."""


class Metadata(Lenient):
    """Who a document is."""

    name: Text


class Criteria(Lenient):
    """When an overlay applies. Values are compared as they are written."""

    service: Text | None = None
    accelerator: Text | None = None
    intent: Text | None = None
    os: Text | None = None
    platform: Text | None = None
    nodes: int | None = None


class Constraint(Lenient):
    """A condition on the cluster."""

    name: Text
    value: Text
    severity: str | None = None
    remediation: str | None = None
    unit: str | None = None


class ExpectedResource(Lenient):
    """An object that the deployment validator looks for."""

    kind: Text
    name: Text
    namespace: Text | None = None


class ComponentRef(Lenient):
    """One document's say on one component."""

    name: Name
    type: Text | None = None
    source: Source | None = None
    chart: ChartName | None = None
    version: Version | None = None
    tag: Text | None = None
    path: Text | None = None
    namespace: Namespace | None = None
    values_file: Text | None = None
    overrides: dict[str, Any] | None = None
    dependency_refs: list[Name] | None = None
    manifest_files: list[Text] | None = None
    pre_manifest_files: list[Text] | None = None
    patches: list[Text] | None = None
    cleanup: bool | None = None
    expected_resources: list[ExpectedResource] | None = None
    health_check_asserts: str | None = None
    health_check_skip: bool | None = None


class NodeSelection(Lenient):
    """The nodes that a validation phase looks at."""

    selector: dict[str, str] | None = None
    max_nodes: int | None = None
    exclude_nodes: list[str] | None = None


class Phase(Lenient):
    """One validation phase. `checks: []` clears what was inherited, which is of no consequence here."""

    timeout: str | None = None
    constraints: list[Constraint] | None = None
    checks: list[Text] | None = None
    node_selection: NodeSelection | None = None
    infrastructure: str | None = None


class Validation(Lenient):
    """The validation phases."""

    readiness: Phase | None = None
    deployment: Phase | None = None
    performance: Phase | None = None
    conformance: Phase | None = None


class OverlaySpec(Lenient):
    """When an overlay applies and what it brings."""

    base: Text | None = None
    criteria: Criteria | None = None
    mixins: list[Text] | None = None
    constraints: list[Constraint] | None = None
    component_refs: list[ComponentRef] | None = None
    validation: Validation | None = None


class MixinSpec(Lenient):
    """What a mixin brings."""

    constraints: list[Constraint] | None = None
    component_refs: list[ComponentRef] | None = None


class Document(Lenient):
    """What every document has in common."""

    api_version: Text | None = None
    metadata: Metadata


class OverlayDocument(Document):
    """A file under `overlays/`. One without a kind is taken for an overlay."""

    kind: Literal["RecipeMetadata"] | None = None
    spec: OverlaySpec


class MixinDocument(Document):
    """A file under `mixins/`."""

    kind: Literal["RecipeMixin"]
    spec: MixinSpec


class HelmDefaults(Lenient):
    """A component's chart. Without a repository the component consists of manifests."""

    default_repository: Source | None = None
    default_chart: ChartName | None = None
    default_version: Version | None = None
    default_namespace: Namespace | None = None


class KustomizeDefaults(Lenient):
    """A component that Kustomize builds, which no deployer here does."""

    default_source: Text | None = None
    default_path: Text | None = None
    default_tag: Text | None = None


class NodeClassPaths(Lenient):
    """Value paths that receive the scheduling flags of one class of nodes; those of taints have no flag here."""

    node_selector_paths: list[ValuePath] | None = None
    toleration_paths: list[ValuePath] | None = None
    taint_paths: list[ValuePath] | None = None
    taint_str_paths: list[ValuePath] | None = None


class NodeScheduling(Lenient):
    """Value paths that receive the scheduling flags and the node count."""

    system: NodeClassPaths | None = None
    accelerated: NodeClassPaths | None = None
    node_count_paths: list[ValuePath] | None = None


class WorkloadPaths(Lenient):
    """Value paths that receive a selector of workloads, for which there is no flag here."""

    workload_selector_paths: list[ValuePath] | None = None


class PodScheduling(Lenient):
    """Value paths for pods."""

    workload: WorkloadPaths | None = None


class BundleCheck(Lenient):
    """A check of that project's bundler, by its name in the code."""

    function: Text
    severity: str | None = None
    conditions: dict[str, list[str]] | None = None
    message: str | None = None


class HealthCheck(Lenient):
    """Where the assertions on a running component are."""

    assert_file: Text | None = None


class RegistryEntry(Lenient):
    """One component of the registry."""

    name: Name
    display_name: Text | None = None
    value_override_keys: list[Text] | None = None
    helm: HelmDefaults | None = None
    kustomize: KustomizeDefaults | None = None
    node_scheduling: NodeScheduling | None = None
    pod_scheduling: PodScheduling | None = None
    storage_class_paths: list[ValuePath] | None = None
    validations: list[BundleCheck] | None = None
    health_check: HealthCheck | None = None
    gke_critical_priority: bool | None = None
    has_self_ref_crds: bool | None = Field(None, alias="hasSelfRefCRDs")
    manifests_use_chart_crds: bool | None = Field(None, alias="manifestsUseChartCRDs")


class Registry(Lenient):
    """The file `registry.yaml`."""

    api_version: Text | None = None
    kind: Literal["ComponentRegistry"] | None = None
    components: list[RegistryEntry] | None = None
