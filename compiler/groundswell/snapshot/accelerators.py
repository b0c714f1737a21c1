"""Accelerators by what a label on a node says: the product's name, such as `NVIDIA-H100-80GB-HBM3`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

PRODUCT_LABEL = "nvidia.com/gpu.product"
"""Set by GPU feature discovery, which the GPU operator brings."""
POOL_LABEL = "cloud.google.com/gke-accelerator"
"""Set by GKE on the nodes of a pool with accelerators, before anything is installed."""

KNOWN = (
    "a10", "a100", "a30", "b200", "b300", "gb200", "gb300", "gh200", "h100", "h200", "l4", "l40", "l40s",
    "rtx-pro-6000", "t4", "v100",
)  # fmt: skip


def accelerator_of(product: str, names: Iterable[str]) -> str | None:
    """The name whose words occur in the product's name, side by side; the one with the most words where several do.

    Whole words are compared: `L40S` is not `L40`, `GB200` not `B200`.
    """
    words = _words(product)
    found = []
    for name in sorted(names):
        parts = _words(name)
        if parts and any(words[index : index + len(parts)] == parts for index in range(len(words))):
            found.append((len(parts), name))
    return max(found)[1] if found else None


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\s_-]+", name.lower()) if word]
