"""Hugepages are asked for in three places, which do not know of each other: kernel arguments, sysfs and a sysctl."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos as codes
from groundswell.diagnostics.codes import talos_schematic as schematic_codes
from groundswell.diagnostics.diagnostic import Related
from groundswell.talos.kernel_settings import setting_path
from groundswell.talos.page_arguments import COUNT, DEFAULT_SIZE, KIB_1GI, SIZE, size_kib
from groundswell.talos.wants import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.span import Span
    from groundswell.talos.cluster import Placed
    from groundswell.talos.wants import Want

GLOBAL_COUNT = setting_path("vm.nr_hugepages")
"""The sysctl that counts pages of the default size over all NUMA nodes."""


def hugepage_findings(wants: Sequence[Want], per_node: Sequence[Placed[int]]) -> Iterator[Diagnostic]:
    """What goes wrong with a machine's pages. `per_node` are the 2 MiB pages of its NUMA nodes."""
    arguments = [want for want in wants if want.kind is Kind.KERNEL_ARG]
    yield from _pairs(arguments)
    for want in wants:
        if want.kind is Kind.SYSCTL and want.key == GLOBAL_COUNT:
            yield from _global_count(want, arguments, per_node)


def _pairs(arguments: Sequence[Want]) -> Iterator[Diagnostic]:
    """One size and one count at most, in this order: a repeated key is moved to where it stands first."""
    first: dict[str, int] = {}
    for key in (SIZE, COUNT):
        different: dict[str, tuple[int, Want]] = {}
        for index, want in enumerate(arguments):
            if want.key == key:
                different.setdefault(want.value, (index, want))
        if different:
            first[key] = min(index for index, _ in different.values())
        if len(different) > 1:
            *others, last = [want for _, want in different.values()]
            text = f"`{others[0].value}` and `{last.value}` are grouped by key, so their pages get the wrong size"
            related = [Related(want.span, f"{want.by} asks for `{want.value}`") for want in others if want.span]
            yield schematic_codes.HUGEPAGE_PAIRS(text, last.span, related=related)
            return
    if len(first) > 1 and first[COUNT] < first[SIZE]:
        count, size = arguments[first[COUNT]], arguments[first[SIZE]]
        text = f"`{count.value}` stands before `{size.value}`, so it counts pages of the default size"
        yield schematic_codes.HUGEPAGE_PAIRS(
            text, count.span, related=[Related(size.span, "the size")] if size.span else []
        )


def _global_count(count: Want, arguments: Sequence[Want], per_node: Sequence[Placed[int]]) -> Iterator[Diagnostic]:
    """The sysctl beside pages per node, or where the default size is 1 GiB."""
    others: list[tuple[Span | None, str]] = [(pages.span, "pages per NUMA node") for pages in per_node[:1]]
    others += [
        (argument.span, "makes it count pages of 1 GiB")
        for argument in arguments
        if argument.key == DEFAULT_SIZE and size_kib(argument.value.partition("=")[2]) == KIB_1GI
    ]
    if others:
        text = f"`{count.name}`, which {count.by} asks for, counts pages that are counted elsewhere too"
        related = [Related(span, label) for span, label in others if span]
        yield codes.GLOBAL_HUGEPAGES(text, count.span, related=related)
