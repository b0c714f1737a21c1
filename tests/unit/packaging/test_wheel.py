"""The built wheel works alone: the shipped catalog and every data file are in it."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from command import ROOT, tree

if TYPE_CHECKING:
    from pathlib import Path


def test_the_wheel_compiles_the_reference_bundle_without_the_checkout(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    wheels, site = tmp_path / "wheels", tmp_path / "site"
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", wheels, ROOT], check=True)
    (wheel,) = wheels.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--no-index", "--target", site, wheel], check=True)
    name = "metal-h100-talos-training"
    query = ["--service", "metal", "--accelerator", "h100", "--os", "talos", "--intent", "training"]
    place = ["--repo", "https://git.example.test/platform/clusters.git", "--path", f"bundles/{name}"]
    program = "import groundswell.__main__ as m, sys; assert sys.path[0] in m.__file__, m.__file__; m.main()"
    words = [sys.executable, "-c", program, "bundle", *query, *place, "-o", str(tmp_path / "out")]
    env = {**os.environ, "PYTHONPATH": str(site), "PYTHONSAFEPATH": "1"}
    done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    assert tree(tmp_path / "out") == tree(ROOT / "bundles" / name)
