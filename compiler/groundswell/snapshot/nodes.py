"""The part of a Node object that facts come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundswell.snapshot.accelerators import POOL_LABEL, PRODUCT_LABEL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.source.located import Json

# The scheme of a node's providerID, by the service that runs clusters on that provider's machines.
_SERVICES = {"aws": "eks", "gce": "gke", "azure": "aks", "oci": "oke", "linode": "lke"}


@dataclass(frozen=True, slots=True)
class Taint:
    """One taint."""

    key: str
    effect: str
    value: str


@dataclass(frozen=True, slots=True)
class Node:
    """One node. `info` is its `status.nodeInfo`; `accelerators` is how many GPUs its device plugin announces."""

    name: str
    provider_id: str
    info: Mapping[str, str]
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    accelerators: int

    @property
    def provider(self) -> str:
        """The service that the providerID stands for, else its scheme; "" without one."""
        if self.provider_id.startswith("ocid1."):
            return "oke"
        scheme, separator, _ = self.provider_id.partition("://")
        scheme = scheme.strip().lower() if separator else ""
        return _SERVICES.get(scheme, scheme)

    @property
    def product(self) -> tuple[str, str]:
        """The accelerator's name and the label that tells it, both "" where none does."""
        return next(((self.labels[key], key) for key in (PRODUCT_LABEL, POOL_LABEL) if self.labels.get(key)), ("", ""))


def read_node(answer: Json) -> Node:
    """A node from the API's answer; whatever is not of the API's types counts as absent."""
    metadata, spec, status = (_map(answer.get(key)) for key in ("metadata", "spec", "status"))
    taints = spec.get("taints")
    announced = str(_map(status.get("capacity")).get("nvidia.com/gpu"))
    return Node(
        name=_text(metadata, "name"),
        provider_id=_text(spec, "providerID"),
        info=_texts(status.get("nodeInfo")),
        labels=_texts(metadata.get("labels")),
        taints=tuple(_taint(item) for item in taints if isinstance(item, dict)) if isinstance(taints, list) else (),
        accelerators=int(announced) if announced.isdecimal() else 0,
    )


def _taint(item: Mapping[str, Json]) -> Taint:
    return Taint(_text(item, "key"), _text(item, "effect"), _text(item, "value"))


def _map(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def _texts(value: Json) -> Mapping[str, str]:
    return {sound(key): sound(item) for key, item in _map(value).items() if isinstance(item, str)}


def _text(value: Mapping[str, Json], key: str) -> str:
    return sound(value[key]) if isinstance(value.get(key), str) else ""


def sound(text: str) -> str:
    """Text without halves of surrogate pairs, which JSON can hold and no file."""
    return text.encode(errors="replace").decode()
