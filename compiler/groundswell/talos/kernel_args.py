"""Kernel arguments: what becomes of them between a schematic and the kernel."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos_schematic as codes
from groundswell.diagnostics.enumeration import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.target import Target
    from groundswell.talos.wants import Want

_NEEDED_AT_BOOT = frozenset(["-slab_nomerge", "-pti"])
_WITHOUT_NO_HZ_FULL = (1, 14)
_NO_HZ_FULL_KEYS = frozenset(["nohz_full", "rcu_nocbs"])
_NOHZ_FLAG = re.compile(r"isolcpus=(?:[a-z_]+,)*nohz,")
_COMMAND_LINE = 4096
_DEFAULTS = 512  # what platform and Talos put in front, rounded up


def kernel_arg_findings(wants: Sequence[Want], target: Target) -> Iterator[Diagnostic]:
    """What goes wrong with a machine's kernel arguments, its order and repeats included."""
    for want in wants:
        if want.value.split() != [want.value]:
            text = f"the kernel argument `{want.value}` is not one word"
            yield codes.ARGUMENT_WITH_BLANK(text, want.span)
        if want.key in _NEEDED_AT_BOOT:
            yield codes.REMOVED_DEFAULT(f"`{want.value}` removes an argument that Talos checks at boot", want.span)
    if target.version.release <= _WITHOUT_NO_HZ_FULL:
        yield from _no_hz_full(wants, target)
    length = len(" ".join(dict.fromkeys(want.value for want in wants)))
    if length + _DEFAULTS > _COMMAND_LINE:
        text = f"{length} bytes of kernel arguments leave no room for the defaults within {_COMMAND_LINE}"
        yield codes.LONG_COMMAND_LINE(text, wants[-1].span)


def _no_hz_full(wants: Sequence[Want], target: Target) -> Iterator[Diagnostic]:
    """What kernels built without CONFIG_NO_HZ_FULL make of arguments that need it."""
    ignored = [want for want in wants if want.key in _NO_HZ_FULL_KEYS]
    if ignored:
        keys = sorted({want.key for want in ignored})
        what = listed(f"`{key}`" for key in keys) + (" has" if len(keys) == 1 else " have")
        yield codes.NO_EFFECT(f"{what} no effect on stock kernels of Talos {target.version}", ignored[0].span)
    for want in wants:
        if _NOHZ_FLAG.match(want.value):
            text = f"the kernel of Talos {target.version} drops `{want.value}` as a whole because of its flag `nohz`"
            yield codes.ISOLATION_DROPPED(text, want.span)
