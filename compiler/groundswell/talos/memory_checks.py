"""Hugepages against the memory of a host, whoever asks for them and by whatever means."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundswell.diagnostics.codes import talos as codes
from groundswell.diagnostics.diagnostic import Related
from groundswell.talos.hugepages import GLOBAL_COUNT
from groundswell.talos.page_arguments import page_arguments
from groundswell.talos.wants import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.span import Span
    from groundswell.talos.cluster import Host
    from groundswell.talos.wants import Want

_KIB_PER_MIB = 1024
_MIB_PER_GIB = 1024
_MIB_PER_PAGE = 2


class _Pages(NamedTuple):
    """Memory taken by pages, and the place of who asks for them."""

    mib: int
    span: Span | None


def memory_findings(host: Host, wants: Sequence[Want]) -> Iterator[Diagnostic]:
    """Hugepages that leave nothing of the host's memory. `wants` is all that is asked of it, 1 GiB pages included."""
    small = [_Pages(_MIB_PER_PAGE * pages.value, pages.span) for pages in host.prep.hugepages_2mi]
    asked = [*small, *_wanted(wants, counted=bool(small))]
    mib = sum(pages.mib for pages in asked)
    if not host.memory_gib or not asked or mib < _MIB_PER_GIB * host.memory_gib.value:
        return
    memory = f"the {host.memory_gib.value} GiB of host `{host.name.value}`"
    text = f"{mib / _MIB_PER_GIB:g} GiB of hugepages leave nothing of {memory}"
    related = [Related(host.memory_gib.span, "its memory")]
    related += [Related(pages.span, "also asked for") for pages in asked[:-1] if pages.span and pages not in small]
    yield codes.TOO_MUCH_MEMORY(text, asked[-1].span or host.memory_gib.span, related=related)


def _wanted(wants: Sequence[Want], *, counted: bool) -> Iterator[_Pages]:
    """Pages by kernel arguments, exact repeats once, and by the sysctl unless pages are `counted` per node as well."""
    arguments = list(_distinct(wants, Kind.KERNEL_ARG))
    asked = page_arguments(want.value for want in arguments)
    for item in asked.counted:
        yield _Pages(item.pages * item.kib // _KIB_PER_MIB, arguments[item.argument].span)
    for want in _distinct(wants, Kind.SYSCTL):
        if want.key == GLOBAL_COUNT and want.value.isdecimal() and not counted:
            yield _Pages(int(want.value) * asked.default_kib // _KIB_PER_MIB, want.span)


def _distinct(wants: Sequence[Want], kind: Kind) -> Iterable[Want]:
    first: dict[tuple[str, str], Want] = {}
    for want in wants:
        if want.kind is kind:
            first.setdefault((want.key, want.value), want)
    return first.values()
