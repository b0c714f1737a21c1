"""The strict model of a resolved recipe (`recipe.yaml` of a bundle), and its way back to a resolution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, NonNegativeInt, StringConstraints, field_validator

from groundswell.deploy.documents import take_apart
from groundswell.diagnostics.codes import model as codes
from groundswell.diagnostics.diagnostic import Related
from groundswell.model.argocd import HealthRule, IgnoreDifference
from groundswell.model.fields import DIGEST_PATTERN, Authored, CriteriaValue, Name, Namespace, Repository, Text, Word
from groundswell.model.nodes import NodeAsks
from groundswell.model.parse import validate
from groundswell.resolve.leaves import value_at
from groundswell.resolve.resolution import (
    Chart,
    ClusterNeeds,
    Component,
    Constraint,
    NodeNeeds,
    Origin,
    Resolution,
)

if TYPE_CHECKING:
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Manifest
    from groundswell.source.located import Json, Located
    from groundswell.source.span import Span

Digest = Annotated[str, StringConstraints(pattern=DIGEST_PATTERN)]


class ResolvedMetadata(Authored):
    """The name is constant: a resolved recipe is known by its content."""

    name: Literal["resolved"]


class OriginModel(Authored):
    """One layer's say. `value` is left out where it is the one that won, and null where nothing is said."""

    layer: str
    file: str
    line: NonNegativeInt
    column: NonNegativeInt
    reason: str
    action: Literal["set", "delete", "unset", "add"]
    value: Any = None

    @field_validator("*", mode="before")
    @classmethod
    def _no_null(cls, value: object) -> object:
        return value


class PathOrigins(Authored):
    """Everybody's say on one path of a component's values, the winner last."""

    path: list[str]
    writes: Annotated[list[OriginModel], Field(min_length=1)]


class ConstraintModel(Authored):
    """One conjunct with the place that asks for it."""

    name: Text
    value: Text
    layer: str
    file: str
    line: NonNegativeInt
    column: NonNegativeInt
    aicr: bool = False


class ChartModel(Authored):
    """A chart, as pinned."""

    repository: Repository
    name: Word
    version: Word


class ManifestModel(Authored):
    """A manifest file with its text."""

    file: Text
    text: str


class ClusterNeedsModel(Authored):
    """What a component asks of the cluster."""

    cni: Literal["flannel", "none"] | None = None
    kube_proxy: bool | None = None
    kube_proxy_replacement: list[str] = []


class ComponentModel(Authored):
    """One component as resolved."""

    name: Name
    description: str
    enabled: bool
    namespace: Namespace
    chart: ChartModel | None = None
    dependency_refs: list[Name]
    values: dict[str, Any]
    manifests: list[ManifestModel]
    pre_manifests: list[ManifestModel]
    crds: Literal["none", "templates", "crds-dir", "separate"]
    ignore_differences: list[IgnoreDifference]
    argocd_health: dict[str, HealthRule]
    privileged: bool
    node_needs: list[NodeAsks]
    cluster_needs: ClusterNeedsModel = ClusterNeedsModel.model_construct()
    origins: list[PathOrigins]
    field_origins: dict[str, list[OriginModel]]


class ResolvedCriteria(Authored):
    """The query."""

    service: CriteriaValue | None = None
    accelerator: CriteriaValue | None = None
    os: CriteriaValue | None = None
    intent: CriteriaValue | None = None
    platform: CriteriaValue | None = None


class ResolvedSpec(Authored):
    """A resolution, self-contained."""

    criteria: ResolvedCriteria
    nodes: int | None = None
    talos_version: Word | None = None
    catalog_digest: Digest
    applied_overlays: list[Name]
    mixins: list[Name]
    constraints: list[ConstraintModel]
    components: list[ComponentModel]


class ResolvedDocument(Authored):
    """The file `recipe.yaml` of a bundle."""

    api_version: Literal["groundswell.dev/v1alpha1"]
    kind: Literal["ResolvedRecipe"]
    metadata: ResolvedMetadata
    spec: ResolvedSpec


def parse_resolved(document: Located) -> tuple[Resolution | None, tuple[Diagnostic, ...]]:
    """The resolution that a recipe file holds, or None and what is wrong with the file."""
    model, findings, _ = validate(ResolvedDocument, document)
    if model is None:
        return None, findings
    spec = model.spec
    if repeated := _repeated(spec.components, document["spec"]["components"]):
        return None, repeated
    resolution = Resolution(
        criteria={name: value for name, value in spec.criteria if value is not None},
        nodes=spec.nodes,
        applied=tuple(spec.applied_overlays),
        mixins=tuple(spec.mixins),
        constraints=tuple(Constraint(**constraint.model_dump()) for constraint in spec.constraints),
        components=tuple(_component(item) for item in spec.components),
        catalog_digest=spec.catalog_digest,
        talos_version=spec.talos_version or "",
    )
    return resolution, ()


def _repeated(models: list[ComponentModel], components: Located) -> tuple[Diagnostic, ...]:
    """A component that stands twice: one of the two would silently win."""
    first: dict[str, Span] = {}
    findings = []
    for model, place in zip(models, components.elements(), strict=True):
        span = place["name"].span
        if first.setdefault(model.name, span) != span:
            related = [Related(first[model.name], "first here")]
            findings.append(codes.REPEATED_REF(f"`{model.name}` has two entries", span, related=related))
    return tuple(findings)


def _component(model: ComponentModel) -> Component:
    needs = model.cluster_needs
    chart = Chart(model.chart.repository, model.chart.name, model.chart.version) if model.chart else None
    return Component(
        name=model.name,
        description=model.description,
        enabled=model.enabled,
        namespace=model.namespace,
        chart=chart,
        dependencies=tuple(model.dependency_refs),
        values=model.values,
        manifests=_manifests(model.manifests),
        pre_manifests=_manifests(model.pre_manifests),
        crds=model.crds,
        ignore_differences=tuple(
            item.model_dump(by_alias=True, exclude_defaults=True) for item in model.ignore_differences
        ),
        argocd_health=model.argocd_health,
        privileged=model.privileged,
        node_needs=tuple(
            NodeNeeds(n.on, tuple(n.extensions), tuple(n.kernel_modules), tuple(n.kernel_args), n.sysctls)
            for n in model.node_needs
        ),
        origins={tuple(item.path): _origins(item.writes, value_at(model.values, item.path)) for item in model.origins},
        field_origins={name: _origins(items, None) for name, items in model.field_origins.items()},
        cluster_needs=ClusterNeeds(needs.cni, needs.kube_proxy, tuple(needs.kube_proxy_replacement)),
    )


def _manifests(models: list[ManifestModel]) -> tuple[Manifest, ...]:
    return tuple(take_apart(item.file, item.text) for item in models)


def _origins(models: list[OriginModel], winner: Json) -> tuple[Origin, ...]:
    return tuple(
        Origin(
            item.layer,
            item.file,
            item.line,
            item.column,
            item.reason,
            item.action,
            item.value if "value" in item.model_fields_set else winner if item.action == "set" else None,
        )
        for item in models
    )
