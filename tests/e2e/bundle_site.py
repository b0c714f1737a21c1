"""A site with a real cluster, Helm, and the bundles that the command line compiles from the catalog next to this."""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from command import groundswell
from e2e.audit import Write, audit_options, writes
from e2e.control_plane import ControlPlane, control_plane
from e2e.nodes import nodes
from e2e.programs import API_SERVER, CONTROLLERS, missing
from helm.helm_site import Site
from helm_binaries import helm_binaries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_HERE = Path(__file__).resolve().parent
CATALOG = _HERE / "catalog"
UNLABELLED = _HERE / "catalog-unlabelled"
_CHARTS = (_HERE / "charts" / "monitor", *(_HERE.parent / "charts" / name for name in ("gadgets", "widgets", "agent")))

ENFORCE = "pod-security.kubernetes.io/enforce"
TALOS = "Talos (v1.13.2)"
UBUNTU = "Ubuntu 24.04.2 LTS"
MERGE = {"Content-Type": "application/merge-patch+json"}

Story = TypeVar("Story")


def compile_bundle(target: Path, *options: str | Path) -> Path:
    """Compile a bundle of the catalog with the real command line."""
    done = groundswell("bundle", "--catalog", CATALOG, *options, "--output", target)
    assert done.code == 0, done.err
    return target


def chart_archives(target: Path) -> Path:
    """The charts as a site has them that their repository is out of reach for."""
    packing: list[str | Path] = [helm_binaries()["3"], "package", *_CHARTS, "--destination", target]
    subprocess.run(packing, check=True, capture_output=True)
    return target


@dataclass(frozen=True, slots=True)
class Cluster:
    """A working cluster, with a log of all that was written to it, and one Helm to install with."""

    plane: ControlPlane
    helm: Path
    charts: Path

    def run(self, bundle: Path, script: str, *options: str) -> subprocess.CompletedProcess[str]:
        """Run one of the bundle's scripts to its end."""
        home = self.plane.directory / "home"
        process = Site(bundle, self.helm, home, env={"KUBECONFIG": str(self.plane.kubeconfig)}).start(script, *options)
        out, err = process.communicate(timeout=300)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def install(self, bundle: Path, *options: str) -> subprocess.CompletedProcess[str]:
        """Run `install.sh` with the charts' archives, and with waits on."""
        return self.run(bundle, "install.sh", "--charts", str(self.charts), *options)

    def ask_helm(self, *words: str | Path) -> str:
        """What this Helm prints; a failure fails the test."""
        env = {"HOME": str(self.plane.directory / "home"), "KUBECONFIG": str(self.plane.kubeconfig)}
        done = subprocess.run([self.helm, *words], env=os.environ | env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def writes(self) -> list[Write]:
        """All that was written until now, by anyone."""
        return writes(self.plane.directory)

    def call(self, method: str, path: str, body: Mapping[str, Any], **options: Any) -> dict[str, Any]:
        """Write something as the cluster's owner; a refusal fails the test."""
        answer = self.plane.api.request(method, path, json=body, **options)
        assert answer.is_success, answer.text
        content: dict[str, Any] = answer.json()
        return content

    def mark(self, namespace: str, **metadata: Mapping[str, str | None]) -> None:
        """Set `labels` and `annotations` of a namespace, and remove those that are None."""
        self.call("PATCH", f"/api/v1/namespaces/{namespace}", {"metadata": metadata}, headers=MERGE)


@contextmanager
def cluster(directory: Path, major: str, charts: Path, system: str) -> Iterator[Cluster]:
    """A cluster of two nodes with this operating system, and the Helm of this major version."""
    directory.mkdir()
    with control_plane(directory, audit_options(directory)) as plane, nodes(plane):
        running = Cluster(plane, helm_binaries()[major], charts)
        for node in plane.api.get("/api/v1/nodes").json()["items"]:
            status = {"status": {"nodeInfo": {"osImage": system}}}
            running.call("PATCH", f"/api/v1/nodes/{node['metadata']['name']}/status", status, headers=MERGE)
        yield running


def told(directory: Path, bundle: Path, system: str, story: Callable[[Cluster, Path], Story]) -> dict[str, Story]:
    """What happens to a bundle under either Helm, by its major version: two clusters that live at the same time."""
    if absent := missing((*API_SERVER, *CONTROLLERS)):
        pytest.skip(f"{' and '.join(absent)} not found; `make e2e` builds what is missing")
    charts = chart_archives(directory / "charts")

    def tell(major: str) -> Story:
        with cluster(directory / f"helm-{major}", major, charts, system) as running:
            return story(running, bundle)

    with ThreadPoolExecutor() as pool:
        return dict(zip(("3", "4"), pool.map(tell, ("3", "4")), strict=True))
