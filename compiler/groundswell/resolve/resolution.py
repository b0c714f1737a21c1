"""What resolving a query yields: components with merged values, constraints, and where every value came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.deploy.documents import Document
    from groundswell.source.located import Json
    from groundswell.source.span import Span

Path: TypeAlias = tuple[str, ...]


class Origin(NamedTuple):
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


class Chart(NamedTuple):
    """A chart in an HTTP repository (`https://host/path`) or an OCI registry (`oci://host/path`, without its name)."""

    repository: str
    name: str
    version: str

    @property
    def oci(self) -> bool:
        """Whether the chart comes from an OCI registry."""
        return self.repository.startswith("oci://")


class Manifest(NamedTuple):
    """One manifest file as written by its author, a Helm template, and its documents (`deploy.documents`).

    `file` is its identifier, `name` its base name.
    """

    file: str
    name: str
    text: str
    documents: tuple[Document, ...]


class Constraint(NamedTuple):
    """One conjunct, such as `K8s.server.version` `>= 1.32`, with the layer that asks for it and where.

    `aicr` says that it is compared by the rules of AICR catalogs (`resolve.versions`).
    """

    name: str
    value: str
    layer: str
    file: str
    line: int
    column: int
    aicr: bool = False


@dataclass(frozen=True, slots=True)
class NodeNeeds:
    """What a component asks of the machines that `on` names: all, workers or accelerated (Talos only).

    `span` is the place in the component's file, `places` that of each item by its key and text; there are none when the
    resolution was read from a resolved recipe.
    `accelerators` are those that a catalog asks it for, all when empty; a resolution holds what its query asks.
    """

    on: str
    extensions: tuple[str, ...] = ()
    kernel_modules: tuple[str, ...] = ()
    kernel_args: tuple[str, ...] = ()
    sysctls: Mapping[str, str] = field(default_factory=dict)
    span: Span | None = field(default=None, compare=False)
    accelerators: tuple[str, ...] = field(default=(), compare=False)
    places: Mapping[tuple[str, str], Span] = field(default_factory=dict, compare=False)

    def place(self, key: str, item: str) -> Span | None:
        """The place of an item under a key of the component's file, or else of the whole block."""
        return self.places.get((key, item), self.span)


@dataclass(frozen=True, slots=True)
class ClusterNeeds:
    """What a component asks of the cluster; None where it asks nothing.

    `cni` is `none` or `flannel`. `replacement` is the path of the value that is true when the component does the work
    of kube-proxy. `places` tells where the keys of the component's file are, empty as `NodeNeeds.span` is None.
    """

    cni: str | None = None
    kube_proxy: bool | None = None
    replacement: Path = ()
    places: Mapping[str, Span] = field(default_factory=dict, compare=False)

    @property
    def replaces(self) -> tuple[str, ...]:
        """What the component says it brings. Before that runs, no pod outside of the hosts' network works."""
        parts = {"CNI": self.cni == "none", "kube-proxy": self.kube_proxy is False}
        return tuple(part for part, replaced in parts.items() if replaced)


class Component(NamedTuple):
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
    cluster_needs: ClusterNeeds = ClusterNeeds()


class Resolution(NamedTuple):
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
