"""What resolving a query yields: components with merged values, constraints, and where every value came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.source.located import Json
    from groundswell.source.span import Span

Path: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """One layer's say on one path: who (`recipe h100`), where, what it set, and why the layer takes part.

    `file` is the identifier of a source file, empty for the command line. `value` is what the layer wrote; `action`
    tells an explicit null (`delete`) and an `unset` from a value that happens to be null.
    """

    layer: str
    file: str
    line: int
    column: int
    reason: str
    action: str
    value: Json


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart in an HTTP repository (`https://host/path`) or an OCI registry (`oci://host/path`, without its name)."""

    repository: str
    name: str
    version: str

    @property
    def oci(self) -> bool:
        """Whether the chart comes from an OCI registry."""
        return self.repository.startswith("oci://")


@dataclass(frozen=True, slots=True)
class Manifest:
    """One manifest file as written by its author: a Helm template. `file` is its identifier, `name` its base name."""

    file: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Constraint:
    """One conjunct, such as `K8s.server.version` `>= 1.32`, with the layer that asks for it and where."""

    name: str
    value: str
    layer: str
    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class NodeNeeds:
    """What a component asks of the machines that `on` names: all, workers or accelerated (Talos only).

    `span` is the place in the component's file, None when the resolution was read from a resolved recipe.
    """

    on: str
    extensions: tuple[str, ...] = ()
    kernel_modules: tuple[str, ...] = ()
    kernel_args: tuple[str, ...] = ()
    sysctls: Mapping[str, str] = field(default_factory=dict)
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Component:
    """One component as resolved. `values` is what Helm gets; a None inside means "unset the chart's default".

    `chart` is None for a component that consists of its manifests only. `crds` says where the chart keeps its
    CustomResourceDefinitions: none, templates, crds-dir, or separate (another component owns them).
    """

    name: str
    description: str
    enabled: bool
    namespace: str
    chart: Chart | None
    dependencies: tuple[str, ...]
    values: Mapping[str, Json]
    manifests: tuple[Manifest, ...]
    pre_manifests: tuple[Manifest, ...]
    crds: str
    ignore_differences: tuple[Mapping[str, Json], ...]
    argocd_health: Mapping[str, str]
    privileged: bool
    node_needs: tuple[NodeNeeds, ...]
    origins: Mapping[Path, tuple[Origin, ...]]
    field_origins: Mapping[str, tuple[Origin, ...]]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The answer to one query. `components` are sorted by name and include the disabled ones.

    `talos_version` is the version that the node layer is compiled for, "" when no recipe states one.
    """

    criteria: Mapping[str, str]
    nodes: int | None
    applied: tuple[str, ...]
    mixins: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    components: tuple[Component, ...]
    catalog_digest: str
    talos_version: str = ""
