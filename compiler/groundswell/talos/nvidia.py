"""NVIDIA GPUs on Talos: extensions of one branch, and the modules that the extensions keep from loading."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos_schematic as codes
from groundswell.diagnostics.diagnostic import Related
from groundswell.talos.extensions import PREFIX
from groundswell.talos.wants import sysctl

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.target import Target
    from groundswell.talos.wants import Want

_MODULES = ("nvidia", "nvidia_uvm", "nvidia_drm", "nvidia_modeset")
_PART = re.compile(
    rf"{PREFIX}(?:(?P<driver>nvidia-open-gpu-kernel-modules|nonfree-kmod-nvidia)|(?P<toolkit>nvidia-container-toolkit)"
    r"|nvidia-fabricmanager)-(?P<branch>lts|production)"
)
_CDI_SINCE = (1, 13)
_JIT_HARDENING = "net.core.bpf_jit_harden"


def nvidia_wants(wants: Iterable[Want], target: Target) -> tuple[Want, ...]:
    """The sysctl without which containers do not start with the toolkit of Talos below 1.13."""
    if target.version.release >= _CDI_SINCE:
        return ()
    parts = [(want, found) for want in wants if (found := _PART.fullmatch(want.key))]
    return tuple(sysctl(_JIT_HARDENING, "1", f"`{want.key}`", want.span) for want, found in parts if found["toolkit"])[
        :1
    ]


def nvidia_findings(extensions: Mapping[str, Want], modules: Collection[str], target: Target) -> Iterator[Diagnostic]:
    """What is missing or does not fit together, among one machine's extensions and modules."""
    parts = {name: found for name in sorted(extensions) if (found := _PART.fullmatch(name))}
    drivers = [name for name, found in parts.items() if found["driver"]]
    branches = {found["branch"] for found in parts.values()}
    if len(drivers) > 1 or len(branches) > 1:
        first, *others = parts
        related = [Related(span, f"`{name}`") for name in others if (span := extensions[name].span)]
        text = f"{', '.join(f'`{name}`' for name in parts)} do not belong together"
        yield codes.NVIDIA_BRANCHES(text, extensions[first].span, related=related)
    elif parts or "nvidia" in modules:
        yield from _incomplete(extensions, parts, modules)
    if parts and target.version.release < _CDI_SINCE:
        at = extensions[next(iter(parts))].span
        yield codes.NVIDIA_OLD_TALOS(f"gpu-operator needs Talos v1.13 or later, not {target.version}", at)


def _incomplete(
    extensions: Mapping[str, Want], parts: Mapping[str, re.Match[str]], modules: Collection[str]
) -> Iterator[Diagnostic]:
    missing = [f"the module `{name}`" for name in _MODULES if name not in modules]
    if not any(found["driver"] for found in parts.values()):
        missing.append("a driver extension")
    if not any(found["toolkit"] for found in parts.values()):
        missing.append("the container toolkit")
    if missing:
        at = extensions[next(iter(parts))].span if parts else None
        yield codes.NVIDIA_INCOMPLETE(f"NVIDIA GPUs also need {', '.join(missing)}", at)
