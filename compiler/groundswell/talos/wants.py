"""What somebody asks of a machine, with who asks and where, so that contradictions can show both sides."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from groundswell.talos.kernel_settings import setting_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.resolve.resolution import Component
    from groundswell.source.span import Span


CONTROL_PLANES = "controlplanes"
"""The class of machines that set up the cluster. Components do not name it: they ask things of the cluster."""

CNI = "cni"
KUBE_PROXY = "kubeProxy"
"""The settings of the cluster, by their keys in a component's file."""


class Kind(Enum):
    """The kinds of things that hosts and components both can ask for."""

    EXTENSION = "extension"
    KERNEL_ARG = "kernel argument"
    MODULE = "kernel module"
    SYSCTL = "sysctl"
    CLUSTER = "cluster setting"


class Want(NamedTuple):
    """One thing asked for.

    `key` is what two wants are about in common: the extension's name, the key of a kernel argument, the module's name
    with underscores, the sysctl's path, `cni` or `kubeProxy`. `value` is the whole kernel argument, the value of the
    sysctl or setting, the module's parameters joined by blanks, "" where there is none. `written` is a sysctl as its
    author wrote it.
    """

    kind: Kind
    key: str
    value: str
    by: str
    span: Span | None = None
    written: str = ""

    @property
    def name(self) -> str:
        """What it is about, in its author's words."""
        return self.written or self.key


def extension(name: str, by: str, span: Span | None = None) -> Want:
    """A system extension."""
    return Want(Kind.EXTENSION, name, "", by, span)


def kernel_arg(argument: str, by: str, span: Span | None = None) -> Want:
    """A kernel argument: `key`, `key=value`, or `-key` to remove a default."""
    return Want(Kind.KERNEL_ARG, argument.split("=", 1)[0], argument, by, span)


def module(name: str, by: str, span: Span | None = None, parameters: Sequence[str] = ()) -> Want:
    """A kernel module. The kernel takes `-` and `_` in names as the same; Talos reports them with `_`."""
    return Want(Kind.MODULE, name.replace("-", "_"), " ".join(parameters), by, span)


def sysctl(key: str, value: str, by: str, span: Span | None = None) -> Want:
    """A sysctl and its value. Two spellings of one path are the same sysctl."""
    return Want(Kind.SYSCTL, setting_path(key), value, by, span, key)


def component_wants(component: Component, classes: frozenset[str]) -> Iterator[Want]:
    """What a component asks of a machine that belongs to these classes (`on` of its `talos` block).

    What it asks of the cluster reaches the control planes, which are the ones that set it up.
    """
    by = f"component `{component.name}`"
    for needs in component.node_needs:
        if needs.on in classes:
            place = needs.place
            yield from (extension(name, by, place("extensions", name)) for name in needs.extensions)
            yield from (kernel_arg(argument, by, place("kernelArgs", argument)) for argument in needs.kernel_args)
            yield from (module(name, by, place("kernelModules", name)) for name in needs.kernel_modules)
            yield from (sysctl(key, value, by, place("sysctls", key)) for key, value in needs.sysctls.items())
    if CONTROL_PLANES in classes:
        yield from _cluster_wants(component, by)


def _cluster_wants(component: Component, by: str) -> Iterator[Want]:
    needs = component.cluster_needs
    kube_proxy = None if needs.kube_proxy is None else str(needs.kube_proxy).lower()
    for key, value in ((CNI, needs.cni), (KUBE_PROXY, kube_proxy)):
        if value is not None:
            yield Want(Kind.CLUSTER, key, value, by, needs.places.get(key))
