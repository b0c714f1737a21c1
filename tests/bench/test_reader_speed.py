"""Reading and writing a document of 2 MB: the goal is 0.35 s for reading; the bounds leave room for slow machines."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from groundswell.source.emitter import emit
from groundswell.source.reader import read

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.bench


def objects(count: int) -> dict[str, Any]:
    """A document of about 1.6 kB and 66 lines for each object."""
    return {
        "items": [
            {
                "kind": "Deployment",
                "metadata": {
                    "name": f"web-{index}",
                    "labels": {"app.kubernetes.io/name": "web", "tier": f"t{index % 7}"},
                },
                "spec": {
                    "replicas": index % 5,
                    "paused": False,
                    "containers": [
                        {
                            "image": f"registry.invalid/web:{index}",
                            "args": ["--log-level=info", f"--port={index}"],
                            "env": [{"name": f"E{step}", "value": f"number {step} of {index}"} for step in range(24)],
                            "limits": {"cpu": "500m", "memory": "1Gi", "share": 0.5},
                        }
                    ],
                },
            }
            for index in range(count)
        ]
    }


def seconds(action: Callable[[], object]) -> float:
    """The best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - start)
    return best


def test_two_megabytes_are_read_and_written_in_time() -> None:
    data = objects(1200)
    text = emit(data).encode()
    assert len(text) > 1_900_000
    assert text.count(b"\n") > 70_000
    assert read(text, "big.yaml")[0][0].data == data
    assert seconds(lambda: read(text, "big.yaml")) < 1.5
    assert seconds(lambda: emit(data)) < 0.6


def test_the_time_grows_in_line_with_the_size() -> None:
    small, large = (emit(objects(count)).encode() for count in (150, 1200))
    ratio = seconds(lambda: read(large, "large.yaml")) / seconds(lambda: read(small, "small.yaml"))
    assert ratio < 8 * 2.5
