"""The Helm deployer: `install.sh` and `uninstall.sh`, the table that they read, and the preflight chart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from groundswell.bundle.files import File
from groundswell.deploy.deployer import Emitted
from groundswell.deploy.helm.preflight import preflight_values
from groundswell.deploy.helm.readme import section
from groundswell.deploy.helm.release_size import too_large_releases
from groundswell.deploy.helm.table import rows, table
from groundswell.resolve.constraints import needed
from groundswell.source.emitter import emit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.deploy.deployer import BuiltFolder, Deployer, Settings
    from groundswell.plan.plan import Plan

_SHARED = b"# @common.sh.in@\n"
_PREFLIGHT = ("Chart.yaml", "take-ownership.yaml", "templates/NOTES.txt")


class Helm:
    """Emits what a site needs that has nothing but Helm. The scripts are constant; all that varies is data to them."""

    name = "helm"
    reads = frozenset[str]()

    def emit(self, plan: Plan, folders: Mapping[str, BuiltFolder], settings: Settings) -> Emitted:  # noqa: ARG002  the protocol's; nothing in them concerns Helm
        """Make the files. Findings have the place of the component's or the constraint's layer where it is known."""
        lines, unwritable = rows(plan, folders)
        values, unanswerable = preflight_values(plan.resolution.constraints)
        return Emitted(
            files=(
                *_scripts(),
                File("install.tsv", table(lines).encode()),
                *(File(f"preflight/{name}", _data(f"preflight/{name}")) for name in _PREFLIGHT),
                File("preflight/values.yaml", emit(values).encode()),
            ),
            readme=section(lines, preflight_values(needed(plan.resolution.constraints))[0]),
            findings=(*unwritable, *unanswerable, *too_large_releases(plan, folders)),
        )


def _scripts() -> Iterator[File]:
    """Both scripts, each whole in itself: a bundle is easier to trust when a script needs no second file."""
    shared = _data("common.sh.in")
    for name in ("install.sh", "uninstall.sh"):
        script = _data(f"{name}.in").replace(_SHARED, shared)
        yield File(name, script, executable=True)


def _data(name: str) -> bytes:
    """A constant file of this package."""
    return (Path(__file__).parent / "data" / name).read_bytes()


DEPLOYER: Deployer = Helm()
