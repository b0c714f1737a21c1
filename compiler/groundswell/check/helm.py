"""The helm binary: where it is, and running it so that nothing of the user's cluster or network takes part."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VARIABLE = "GROUNDSWELL_HELM"
_NO_PROXY = "http://127.0.0.1:1"
# In a run of a fraction of a second what Go collects is for nothing, unless a chart is very large. One thread each is
# enough for the processes that run side by side.
_RUNTIME = {"GOGC": "off", "GOMEMLIMIT": "512MiB", "GOMAXPROCS": "1"}
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
# What a user keeps for repositories; everything else named HELM_* would change what is rendered.
_KEPT = ("HELM_CONFIG_HOME", "HELM_CACHE_HOME", "HELM_DATA_HOME", "HELM_REGISTRY_CONFIG", "HELM_REPOSITORY_CONFIG")


@dataclass(frozen=True, slots=True)
class Helm:
    """A binary, and what tells it from any other without starting it."""

    path: Path
    identity: str


@dataclass(frozen=True, slots=True)
class Done:
    """How a run ended; `code` is None when it took longer than it may."""

    code: int | None
    out: bytes
    err: str


def find_helm(environment: Mapping[str, str]) -> Helm | None:
    """The binary that `$GROUNDSWELL_HELM` names, else `helm` on PATH."""
    found = environment.get(VARIABLE) or shutil.which("helm", path=environment.get("PATH", os.defpath))
    if not found:
        return None
    path = Path(found).resolve()
    try:
        status = path.stat()
    except OSError:
        return None
    return Helm(path, f"{path}:{status.st_size}:{status.st_mtime_ns}") if path.is_file() else None


def run(
    helm: Helm, arguments: Sequence[str], environment: Mapping[str, str], timeout: float, *, online: bool = False
) -> Done:
    """Run helm without a cluster; unless `online`, also without a network, whatever a chart's schema refers to."""
    clean = {key: value for key, value in environment.items() if not key.startswith(("HELM_", "KUBE")) or key in _KEPT}
    clean |= {"HELM_PLUGINS": os.devnull, "KUBECONFIG": os.devnull}
    clean = {**_RUNTIME, **clean}
    if not online:
        closed = {**dict.fromkeys(_PROXIES, _NO_PROXY), "NO_PROXY": ""}
        clean |= closed | {key.lower(): value for key, value in closed.items()}
    try:
        done = subprocess.run(  # noqa: S603  a binary that the user chose, without a shell
            [str(helm.path), *arguments],
            env=clean,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Done(None, b"", "")
    except OSError as error:
        return Done(127, b"", f"{helm.path}: {error.strerror}")
    return Done(done.returncode, done.stdout, done.stderr.decode(errors="replace").strip())
