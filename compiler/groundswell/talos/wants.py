"""What somebody asks of a machine, with who asks and where, so that contradictions can show both sides."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.resolve.resolution import Component
    from groundswell.source.span import Span


class Kind(Enum):
    """The kinds of things that hosts and components both can ask for."""

    EXTENSION = "extension"
    KERNEL_ARG = "kernel argument"
    MODULE = "kernel module"
    SYSCTL = "sysctl"


@dataclass(frozen=True, slots=True)
class Want:
    """One thing asked for.

    `key` is what two wants are about in common: the extension's name, the key of a kernel argument, the module's name
    with underscores, the sysctl. `value` is the whole kernel argument, the sysctl's value, the module's parameters
    joined by blanks, "" where there is none.
    """

    kind: Kind
    key: str
    value: str
    by: str
    span: Span | None = None


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
    """A sysctl and its value."""
    return Want(Kind.SYSCTL, key, value, by, span)


def component_wants(component: Component, classes: frozenset[str]) -> Iterator[Want]:
    """What a component asks of a machine that belongs to these classes (`on` of its `talos` block)."""
    by = f"component `{component.name}`"
    for needs in component.node_needs:
        if needs.on in classes:
            span = needs.span
            yield from (extension(name, by, span) for name in needs.extensions)
            yield from (kernel_arg(argument, by, span) for argument in needs.kernel_args)
            yield from (module(name, by, span) for name in needs.kernel_modules)
            yield from (sysctl(key, value, by, span) for key, value in needs.sysctls.items())
