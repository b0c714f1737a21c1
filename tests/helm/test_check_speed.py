"""A check of 16 components against bare `helm template` on the same charts, on two cores."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from typing import TYPE_CHECKING

import pytest

from command import groundswell
from helm.check_site import copy_chart, write_catalog
from helm_binaries import helm_binaries

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.helm, pytest.mark.bench]

COMPONENTS = 16
RUNS = 5
LIMIT = 1.5
FIELD = "                f{number}:\n                  description: {text}\n                  type: string\n"


def site(root: Path, helm: Path) -> tuple[Path, Path]:
    """A catalog of 16 components whose charts are as large as operators' are, and the archives of the charts."""
    names = [f"operator-{number:02}" for number in range(COMPONENTS)]
    archives = root / "archives"
    archives.mkdir()
    for name in names:
        chart = copy_chart("widgets", root / "charts").rename(root / "charts" / name)
        for path in chart.rglob("*.yaml"):
            path.write_text(path.read_text().replace("widget", name).replace("Widget", name.title().replace("-", "")))
        (chart / "Chart.yaml").write_text(f"apiVersion: v2\nname: {name}\nversion: 1.0.0\n")
        definition = chart / "crds" / "widgets.yaml"
        fields = "".join(FIELD.format(number=number, text="what it is for " * 12) for number in range(1500))
        definition.write_text(definition.read_text() + fields)
        operator = (chart / "templates" / "operator.yaml").read_text()
        for number in range(40):
            text = operator.replace("name: {{ .Release.Name }}", f"name: {{{{ .Release.Name }}}}-{number}", 1)
            (chart / "templates" / f"part-{number}.yaml").write_text(text)
        subprocess.run([helm, "package", chart, "--destination", archives], check=True, capture_output=True)
    return write_catalog(root / "catalog", dict.fromkeys(names, "")), archives


def bare(helm: Path, archives: list[Path]) -> float:
    """How long the slower of two sequences takes."""

    def sequence(paths: list[Path]) -> None:
        for path in paths:
            command = [str(helm), "template", "x", str(path), "--include-crds", "--kube-version", "1.35.0"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    start = time.perf_counter()
    threads = [threading.Thread(target=sequence, args=(archives[half::2],)) for half in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start


def test_a_check_takes_little_more_than_helm_itself(tmp_path: Path) -> None:
    helm = helm_binaries()["4"]
    catalog, archives = site(tmp_path, helm)
    reference, checked = [], []
    for number in range(RUNS):
        reference.append(bare(helm, sorted(archives.iterdir())))
        cache = tmp_path / f"cache-{number}"
        environment = {"XDG_CACHE_HOME": os.fspath(cache), "GROUNDSWELL_HELM": os.fspath(helm)}
        query = ("--catalog", catalog, "--service", "small")
        groundswell("plan", *query, env=environment, cwd=tmp_path)  # so that the catalog is read, and nothing rendered
        start = time.perf_counter()
        done = groundswell("check", *query, "--charts", archives, env=environment, cwd=tmp_path)
        checked.append(time.perf_counter() - start)
        assert f"judged {COMPONENTS} of {COMPONENTS} folders" in done.out, done.out
    ratio = min(checked) / min(reference)
    print(f"\ncheck {min(checked):.2f} s, helm alone {min(reference):.2f} s: {ratio:.2f}")  # noqa: T201  the measurement
    assert ratio < LIMIT
