"""The programs of a real control plane: found where they are already, or built with Go.

Each is looked for in the directory that KUBEBUILDER_ASSETS names, on PATH, and among those that were built before,
which are kept outside the checkout. Running this file builds what is still missing and prints
the paths; tests never build.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

KUBERNETES_VERSION = os.environ.get("GROUNDSWELL_E2E_KUBERNETES", "v1.37.2")
BUILT = Path.home() / ".cache" / "groundswell-e2e" / KUBERNETES_VERSION

API_SERVER = ("etcd", "kube-apiserver")
CONTROLLERS = ("kube-controller-manager", "kube-scheduler", "kwok")


def find(name: str) -> Path | None:
    """The program's path, None where it is in none of the places."""
    places = [os.environ.get("KUBEBUILDER_ASSETS", ""), os.environ.get("PATH", ""), str(BUILT)]
    found = shutil.which(name, path=os.pathsep.join(place for place in places if place))
    return Path(found) if found else None


def missing(names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the programs that are nowhere."""
    return tuple(name for name in names if find(name) is None)


def main(names: tuple[str, ...]) -> int:
    """Build what is missing, print where each program is."""
    if absent := missing(names):
        script = Path(__file__).with_name("build.sh")
        done = subprocess.run([script, BUILT, KUBERNETES_VERSION, *absent], check=False)
        if done.returncode != 0:
            return done.returncode
    for name in names:
        print(f"{name}: {find(name)}")  # noqa: T201  the paths are what this file is run for
    return 0


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:]) or (*API_SERVER, *CONTROLLERS)))
