"""Everybody's wants for one machine become what the machine gets; where they contradict each other, a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos as codes
from groundswell.diagnostics.codes import talos_schematic as schematic_codes
from groundswell.diagnostics.diagnostic import Related
from groundswell.talos.extensions import extension_finding
from groundswell.talos.go_yaml import unsettled
from groundswell.talos.hugepages import hugepage_findings
from groundswell.talos.kernel_args import kernel_arg_findings
from groundswell.talos.machine import Software
from groundswell.talos.nvidia import nvidia_findings, nvidia_wants
from groundswell.talos.page_arguments import COUNT, SIZE
from groundswell.talos.wants import CNI, KUBE_PROXY, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Placed
    from groundswell.talos.target import Target
    from groundswell.talos.wants import Want

# The kernel or Talos takes each of these more than once; hugepages have a check of their own.
_REPEATABLE = frozenset(
    [
        *("bond", "console", "earlycon", "ip", "memmap", "pci", "vlan", SIZE, COUNT),
        *("talos.environment", "talos.network.interface.ignore"),
    ]
)
_MANY: dict[Kind, frozenset[str]] = {kind: frozenset() for kind in Kind} | {Kind.KERNEL_ARG: _REPEATABLE}


def merge(
    wants: Sequence[Want], target: Target, pages: Sequence[Placed[int]] = ()
) -> tuple[Software, tuple[Diagnostic, ...]]:
    """Unite what is asked for, in the order given: extensions sorted, exact repeats dropped.

    `pages` are the 2 MiB pages of the machine's NUMA nodes.

    Returns:
        What the machine gets, and what contradicts itself or cannot work on the target.
    """
    wants = (*wants, *nvidia_wants(wants, target))
    by_kind = {kind: [want for want in wants if want.kind is kind] for kind in Kind}
    findings = [*_contradictions(wants), *_settled(wants)]
    names = {want.key: want for want in by_kind[Kind.EXTENSION]}
    findings += [found for want in names.values() if (found := extension_finding(want.key, target, want.span))]
    settings = {(want.key, want.value) for want in by_kind[Kind.CLUSTER]}
    software = Software(
        extensions=tuple(sorted(names)),
        kernel_args=tuple(dict.fromkeys(want.value for want in by_kind[Kind.KERNEL_ARG])),
        modules={want.key: tuple(want.value.split()) for want in _bare_first(by_kind[Kind.MODULE])},
        sysctls=_sysctls(by_kind[Kind.SYSCTL]),
        cni=(CNI, "none") not in settings,
        kube_proxy=(KUBE_PROXY, "false") not in settings,
    )
    findings += hugepage_findings(wants, pages)
    findings += kernel_arg_findings(by_kind[Kind.KERNEL_ARG], target)
    findings += nvidia_findings(names, software.modules, target)
    return software, tuple(findings)


def _bare_first(modules: Iterable[Want]) -> list[Want]:
    """The modules in order of first mention, a mention with parameters after those without."""
    first = {want.key: index for index, want in reversed(list(enumerate(modules)))}
    return sorted(modules, key=lambda want: (first[want.key], want.value != ""))


def _sysctls(wants: Iterable[Want]) -> dict[str, str]:
    """The sysctls, each as it was written first."""
    written: dict[str, str] = {}
    return {written.setdefault(want.key, want.name): want.value for want in wants}


def _contradictions(wants: Iterable[Want]) -> Iterable[Diagnostic]:
    """Wants about one thing with different values. A module without parameters agrees with one that has some."""
    seen: dict[tuple[Kind, str], Want] = {}
    for want in wants:
        if want.key in _MANY[want.kind] or (want.kind is Kind.MODULE and not want.value):
            continue
        other = seen.setdefault((want.kind, want.key), want)
        if other.value != want.value:
            yield _contradiction(f"the {want.kind.value} `{want.name}`", other, want)


def _contradiction(what: str, first: Want, second: Want) -> Diagnostic:
    """The finding that two wants exclude each other, at the second's place if it has one."""
    text = f"{what} is `{second.value}` for {second.by} and `{first.value}` for {first.by}"
    place, other = (second, first) if second.span else (first, second)
    related = [Related(other.span, f"{other.by} asks for `{other.value}`")] if other.span else []
    return codes.CONTRADICTION(text, place.span, related=related)


def _settled(wants: Iterable[Want]) -> Iterable[Diagnostic]:
    """Texts that go into a schematic must have one canonical form."""
    for want in wants:
        text = want.key if want.kind is Kind.EXTENSION else want.value
        if want.kind in (Kind.EXTENSION, Kind.KERNEL_ARG) and (reason := unsettled(text)):
            yield schematic_codes.UNSETTLED_TEXT(f"the {want.kind.value} `{text}` {reason}", want.span)
