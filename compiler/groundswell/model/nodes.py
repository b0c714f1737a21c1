"""What a component has to do with the cluster's nodes: where its pods go, and what it asks of the machines."""

from __future__ import annotations

from typing import Literal

from groundswell.model.fields import Authored, ValuePath, Word


class NodeClassPaths(Authored):
    """Value paths that receive the scheduling flags of one class of nodes."""

    node_selector_paths: list[ValuePath] = []
    """Value paths that receive the node selector."""
    toleration_paths: list[ValuePath] = []
    """Value paths that receive the tolerations."""


class Scheduling(Authored):
    """Value paths that receive the scheduling flags."""

    system: NodeClassPaths = NodeClassPaths.model_construct()
    """Paths for pods that need no accelerator."""
    accelerated: NodeClassPaths = NodeClassPaths.model_construct()
    """Paths for pods on accelerated nodes."""


class NodeAsks(Authored):
    """What is asked of the machines of one class."""

    on: Literal["all", "workers", "accelerated"]
    """The machines that are meant."""
    extensions: list[Word] = []
    """System extensions of the Image Factory, such as `siderolabs/iscsi-tools`."""
    kernel_modules: list[Word] = []
    """Kernel modules to load."""
    kernel_args: list[Word] = []
    """Arguments for the kernel's command line."""
    sysctls: dict[str, str] = {}
    """Kernel parameters with their values."""


class TalosNodes(NodeAsks):
    """What a component asks of the machines of one class, whatever the accelerator or for some only."""

    accelerators: list[Word] = []
    """Accelerators that it is asked for, all when empty. It is also asked where the query states no accelerator."""


class ClusterAsks(Authored):
    """What a component asks of the cluster: parts that it brings itself, or cannot do without. Talos is told so."""

    cni: Literal["flannel", "none"] | None = None
    """`none`: the component is the CNI, so it comes before all others. `flannel`: it needs the one of Talos."""
    kube_proxy: bool | None = None
    """`false`: the component does kube-proxy's work, so it comes before all others. `true`: it needs kube-proxy."""
    kube_proxy_replacement_path: ValuePath | None = None
    """The value that is `true` when the component does kube-proxy's work. On other systems than Talos it decides."""


class Talos(Authored):
    """What a component means on Talos."""

    privileged: bool = False
    """`true`: pods of the component need a namespace with the Pod Security level `privileged`."""
    nodes: list[TalosNodes] = []
    """What the component asks of the machines."""
