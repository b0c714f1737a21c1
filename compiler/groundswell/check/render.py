"""One folder rendered by Helm, as it will be installed; results are kept by content."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check import cache
from groundswell.check.helm import run
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundswell.bundle.files import File
    from groundswell.check.chart_facts import Facts
    from groundswell.check.charts import ChartAt
    from groundswell.check.helm import Helm
    from groundswell.deploy.helm.table import Row
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.span import Span

_TIMEOUT = 60.0

_SERVED = ("apiregistration.k8s.io/v1", "apiregistration.k8s.io/v1/APIService")
"""What every API server serves and helm, without one, does not know: charts that ask would write an older version."""


@dataclass(frozen=True, slots=True)
class Job:
    """A folder to render: its row of the table, its files, its chart when it is no local one, and its place.

    `facts` are those of the chart and the values together.
    """

    row: Row
    files: tuple[File, ...]
    chart: ChartAt | None
    facts: Facts
    place: Span | None

    def with_facts(self, more: Facts) -> Job:
        """The same job, with what else was found out about its text."""
        return replace(self, facts=self.facts.and_also(more))


class Outcome(NamedTuple):
    """How a task ended: what helm printed for a folder, which time, or why it did not; None when it has to wait."""

    job: Job
    apis: tuple[str, ...] = ()
    again: bool = False
    result: bytes | Diagnostic | None = None


@dataclass(frozen=True, slots=True)
class Renderer:
    """What folders are rendered with: the binary, the environment to take over, and the Kubernetes version."""

    helm: Helm
    environment: Mapping[str, str]
    version: str

    def render(self, job: Job, apis: Sequence[str] = (), *, again: bool = False) -> bytes | Diagnostic:
        """What helm prints, for an API server that knows `apis` besides its own; `again` does it a second time."""
        kept = cache.folder("rendered") / f"{self._key(job, apis)}{'-again' if again else ''}"
        stored = cache.load(kept)
        if stored is not None:
            return stored
        with tempfile.TemporaryDirectory(prefix="groundswell-check-") as scratch:
            root = Path(scratch)
            for file in job.files:
                path = root / file.path
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.data)
            done = run(self.helm, _arguments(job, root, self.version, apis), self.environment, _TIMEOUT)
        if done.code is None:
            return codes.TIMEOUT(f"helm took more than {_TIMEOUT:.0f} seconds to render `{job.row.folder}`", job.place)
        if done.code != 0:
            return codes.NOT_RENDERED(f"helm does not render `{job.row.folder}`: {_reason(done.err)}", job.place)
        cache.store(kept, done.out)
        return done.out

    def _key(self, job: Job, apis: Sequence[str]) -> str:
        files = [part for file in job.files for part in (file.path.partition("/")[2], file.data)]
        row = job.row
        options = (row.release, row.namespace, ",".join(row.flags), self.version, *_SERVED, *apis)
        return cache.key_of(self.helm.identity, job.chart.digest if job.chart else "", *options, *files)


def _arguments(job: Job, root: Path, version: str, apis: Sequence[str]) -> list[str]:
    folder = root / job.row.folder
    chart = job.chart.path if job.chart else folder
    arguments = ["template", job.row.release, str(chart.resolve()), "--namespace", job.row.namespace]
    arguments += ["--kube-version", version, "--skip-tests"]
    arguments += ["--skip-crds"] if "skip-crds" in job.row.flags else ["--include-crds"]
    if job.chart:
        arguments += ["--values", str(folder / "values.yaml")]
    for api in (*_SERVED, *apis):
        arguments += ["--api-versions", api]
    return arguments


def _reason(stderr: str) -> str:
    """Helm's error without what every one begins and ends with."""
    lines = [
        line
        for line in stderr.splitlines()
        if line.strip() and not line.startswith(("Use --debug", "WARNING", "level="))
    ]
    return " ".join(line.strip() for line in lines).removeprefix("Error: ") or "it says nothing"
