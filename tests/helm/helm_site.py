"""A site that has a bundle and Helm and nothing else: bundles on disk, the scripts run in them, charts to install."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import tarfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from groundswell.deploy.deployer import Settings
from groundswell.deploy.folders import build_folders
from groundswell.deploy.helm import DEPLOYER
from plan_factory import component

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from groundswell.plan.plan import Plan
    from groundswell.resolve.resolution import Component

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"

SHELLS = tuple(
    shell
    for shell in ("sh", "dash", "bash", "bash --posix", "busybox ash", "mksh")
    if shutil.which(shell.split()[0], path=SYSTEM_PATH)
)
"""The shells of this machine that the scripts must work in."""

CONFIGMAP = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {name}
  namespace: {{{{ .Release.Namespace }}}}
data:
  color: {{{{ .Values.color | default "none" | quote }}}}
"""


def write_bundle(plan: Plan, directory: Path) -> Path:
    """The shared folders and what the Helm deployer adds; errors in either fail the test."""
    folders, findings = build_folders(plan)
    emitted = DEPLOYER.emit(plan, folders, Settings())
    assert not [finding for finding in (*findings, *emitted.findings) if finding.severity.value == "error"]
    for file in (*emitted.files, *(file for folder in folders.values() for file in folder.files)):
        path = directory / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)
        path.chmod(0o755 if file.executable else 0o644)
    return directory


def rows(bundle: Path) -> dict[str, dict[str, str]]:
    """The table's lines as the scripts get them, by folder."""
    heading, *lines = (bundle / "install.tsv").read_text().splitlines()
    names = heading.removeprefix("# ").split("\t")
    return {line.split("\t")[0]: dict(zip(names, line.split("\t"), strict=True)) for line in lines}


def archive(name: str, templates: Mapping[str, str], version: str = "1.0.0") -> bytes:
    """A packed chart. `templates` may also hold `../crds/x.yaml`."""
    files = {"Chart.yaml": f"apiVersion: v2\nname: {name}\nversion: {version}\n"}
    files |= {os.path.normpath(f"templates/{path}"): text for path, text in templates.items()}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for path, text in files.items():
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size = len(text.encode())
            tar.addfile(entry, io.BytesIO(text.encode()))
    return packed.getvalue()


def index(*charts: tuple[str, str]) -> bytes:
    """A chart repository's index of (name, version)."""
    entries = {
        name: [{"apiVersion": "v2", "name": name, "version": version, "urls": [f"{name}-{version}.tgz"]}]
        for name, version in charts
    }
    return json.dumps({"apiVersion": "v1", "entries": entries}).encode()


def manifest_only(name: str, **fields: object) -> Component:
    return component(name, chart=None, **fields)


@dataclass
class Site:
    """Runs the scripts of one bundle with one `helm`, in an environment of nothing but `env`."""

    bundle: Path
    helm: Path
    home: Path
    shell: str = "sh"
    env: dict[str, str] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        """`helm` comes first on PATH, through a link, for the binaries are called anything."""
        bin_directory = self.home / "bin"
        bin_directory.mkdir(parents=True, exist_ok=True)
        link = bin_directory / "helm"
        link.unlink(missing_ok=True)
        link.symlink_to(self.helm)
        return {"PATH": f"{bin_directory}:{SYSTEM_PATH}", "HOME": os.fspath(self.home)} | self.env

    def start(self, script: str, *arguments: str, cwd: Path | None = None) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*self.shell.split(), os.fspath(self.bundle / script), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment(),
            cwd=cwd or self.home,
            text=True,
            start_new_session=True,
        )

    def run(self, script: str, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        process = self.start(script, *arguments, cwd=cwd)
        out, err = process.communicate(timeout=60)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)
