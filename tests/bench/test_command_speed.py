"""Times and memory of whole commands (`make bench` prints them).

The bounds are generous on purpose: they catch a stage that turned quadratic or an import that crept into start-up,
not a busy machine. The figures to quote are the printed ones.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from bench.synthetic import chain, recipe

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.bench

REFERENCE = ("--service", "metal", "--accelerator", "h100", "--os", "talos", "--intent", "training")
KUBEFLOW = ("--service", "eks", "--os", "ubuntu", *REFERENCE[2:4], *REFERENCE[6:], "--platform", "kubeflow")


def measured(*arguments: str, runs: int = 5) -> tuple[float, float]:
    """The least wall time in seconds and the peak memory in MiB of a command over some runs."""
    times = []
    # As installed programs run: with their modules compiled.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    for _ in range(runs):
        start = time.perf_counter()
        words = [sys.executable, "-m", "groundswell", *arguments]
        done = subprocess.run(words, capture_output=True, check=False, env=environment)
        times.append(time.perf_counter() - start)
        assert done.returncode == 0, done.stderr.decode()
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return min(times), peak


def report(what: str, seconds: float, peak: float) -> None:
    sys.stdout.write(f"\n{what:<48} {seconds * 1000:8.0f} ms   peak so far {peak:6.0f} MiB")


def test_start_up() -> None:
    seconds, peak = measured("--help", runs=10)
    report("--help", seconds, peak)
    assert seconds < 0.5


@pytest.mark.parametrize(
    ("what", "query"), [("11 components for Talos", REFERENCE), ("13 components for EKS", KUBEFLOW)]
)
def test_a_bundle_of_the_shipped_catalog_cold_and_warm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, query: tuple[str, ...]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    cold, _ = measured("bundle", *query, "-o", str(tmp_path / "out"), runs=1)
    warm, peak = measured("bundle", *query, "-o", str(tmp_path / "out"), runs=10)
    report(f"{what}, catalog not in the cache", cold, peak)
    report(f"{what}, catalog in the cache", warm, peak)
    assert warm < 2


def test_a_chain_of_900_components_is_linear(tmp_path: Path) -> None:
    taken = {}
    for count in (15, 300, 900):
        catalog = chain(tmp_path / str(count), count)
        out = str(tmp_path / f"out{count}")
        arguments = ("bundle", "--catalog", str(catalog), "--service", "bench", "-o", out)
        cold, _ = measured(*arguments, runs=1)
        taken[count], peak = measured(*arguments, runs=3)
        report(f"chain of {count}, catalog not in the cache", cold, peak)
        report(f"chain of {count}, catalog in the cache", taken[count], peak)
    assert taken[900] / taken[300] < 6
    assert taken[900] < 20


def test_time_grows_slowly_with_recipes_that_do_not_apply(tmp_path: Path) -> None:
    taken = {}
    for count in (10, 1000):
        catalog = chain(tmp_path / str(count), 5)
        for index in range(count):
            recipe(catalog, f"other-{index:04d}", f"other{index:04d}")
        arguments = ("plan", "--catalog", str(catalog), "--service", "bench")
        measured(*arguments, runs=1)
        taken[count], peak = measured(*arguments)
        report(f"plan with {count} recipes that do not apply", taken[count], peak)
    assert taken[1000] < taken[10] + 2
