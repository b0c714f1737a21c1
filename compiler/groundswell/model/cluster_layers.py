"""What defaults, groups and the host itself say about one host becomes one set of settings, each with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from groundswell.diagnostics.codes import talos as codes
from groundswell.diagnostics.diagnostic import Related
from groundswell.talos.kernel_settings import setting_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.model.cluster import HostSettings
    from groundswell.source.located import Located

Path: TypeAlias = tuple[str, ...]

# What is asked for adds up; everything else is replaced by the nearer layer.
_UNITED = frozenset([("prep", "extensions"), ("prep", "kernelModules"), ("prep", "kernelArgs")])
_OF_THE_HOST = frozenset(["name", "address", "groups"])
_SYSCTLS = ("prep", "sysctls")
_GROUPS = 1


class Layer(NamedTuple):
    """One of those who have a say: the defaults, a group, or the host."""

    by: str
    settings: HostSettings
    place: Located


class Stated(NamedTuple):
    """One value as a layer states it, under the path that it wrote. A united list is one value per element."""

    value: Any
    place: Located
    by: str
    path: Path


def layered(
    below: Sequence[Layer], groups: Sequence[Layer], host: Layer
) -> tuple[Mapping[Path, tuple[Stated, ...]], tuple[Diagnostic, ...]]:
    """Lay the defaults (`below`), then the groups in the host's order, then the host on top of each other.

    Returns:
        For each path that anybody states its value (all elements of a united list), and each path that two groups
        state differently while the host does not decide.
    """
    merged: dict[Path, tuple[Stated, ...]] = {}
    of_groups: dict[Path, Stated] = {}
    disputed: dict[Path, tuple[Stated, Stated]] = {}
    for rank, layers in enumerate((below, groups, (host,))):
        for path, stated in (leaf for layer in layers for leaf in _leaves(layer)):
            merged[path] = (*merged.get(path, ()), *_elements(stated)) if path in _UNITED else (stated,)
            if rank == _GROUPS and path not in _UNITED:
                first = of_groups.setdefault(path, stated)
                if first.value != stated.value and first.by != stated.by:
                    disputed[path] = first, stated
            elif rank > _GROUPS:
                disputed.pop(path, None)
    return merged, tuple(_dispute(*pair, host) for pair in disputed.values())


def contradictions(layer: Layer) -> Iterator[Diagnostic]:
    """What one layer alone states twice, under two names of one thing, and differently."""
    first: dict[Path, Stated] = {}
    for path, stated in _leaves(layer):
        other = first.setdefault(path, stated)
        if other.value != stated.value:
            text = f"`{'.'.join(stated.path)}` is set to two values by {layer.by}"
            related = [Related(other.place.span, f"also set as `{other.path[-1]}`")]
            yield codes.CONTRADICTION(text, stated.place.span, related=related, help="state it once")


def _leaves(layer: Layer) -> Iterator[tuple[Path, Stated]]:
    stated = layer.settings.model_dump(by_alias=True, exclude_unset=True, exclude=set(_OF_THE_HOST))
    yield from _walk(stated, layer.place, (), layer.by)


def _walk(value: Mapping[str, Any], place: Located, path: Path, by: str) -> Iterator[tuple[Path, Stated]]:
    for key, item in value.items():
        if isinstance(item, dict):
            yield from _walk(item, place[key], (*path, key), by)
        elif item is not None:
            written = (*path, key)
            # One setting of the kernel has two spellings.
            same = (*path, setting_path(key)) if path == _SYSCTLS else written
            yield same, Stated(item, place[key], by, written)


def _elements(stated: Stated) -> Iterator[Stated]:
    for value, place in zip(stated.value, stated.place.elements(), strict=True):
        yield stated._replace(value=value, place=place)


def _dispute(first: Stated, second: Stated, host: Layer) -> Diagnostic:
    return codes.CONTRADICTION(
        f"{first.by} and {second.by} of {host.by} set `{'.'.join(second.path)}` to two values",
        second.place.span,
        related=[Related(first.place.span, f"also set by {first.by}")],
        help="decide it in the host",
    )
