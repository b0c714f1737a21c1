"""One folder rendered by Helm, as it will be installed; results are kept by content."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check import cache, stand_ins
from groundswell.check.chart_files import files_of, packed
from groundswell.check.helm import offline, run
from groundswell.check.served_apis import served_names
from groundswell.check.stand_ins import Variant
from groundswell.check.template_files import is_rendered, is_verbatim
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from groundswell.bundle.files import File
    from groundswell.check.chart_facts import Facts
    from groundswell.check.chart_values import Unknown
    from groundswell.check.charts import ChartAt
    from groundswell.check.helm import Helm
    from groundswell.check.target import Target
    from groundswell.deploy.helm.table import Row
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.span import Span

_TIMEOUT = 60.0
_DEFINITION = b"CustomResourceDefinition"
_CHOOSING = Lock()
"""Two variants of a chart begin at the same time, and what is chosen for one is for the other as well."""
_COPY = "chart"
"""The copy of a chart beside the folder, whose name begins with a number."""


class Job(NamedTuple):
    """A folder to render: its row of the table, its files, its chart when it is no local one, and its place.

    `facts` are those of the chart and the values together, `unknown` the paths in values that the chart does not take.
    """

    row: Row
    files: tuple[File, ...]
    chart: ChartAt | None
    facts: Facts
    place: Span | None
    unknown: Unknown = ()

    def with_facts(self, more: Facts) -> Job:
        """The same job, with what was found out about its chart."""
        return self._replace(facts=self.facts.and_also(more))


def may_define(job: Job) -> bool:
    """Whether a folder can define kinds, for which others wait; what a chart does is not known before it is done."""
    return job.chart is not None or any(b"{{" in file.data or _DEFINITION in file.data for file in job.files)


class Outcome(NamedTuple):
    """How a task ended: what helm printed for a folder, in which way, or why it did not; None when it has to wait."""

    job: Job
    apis: tuple[str, ...] = ()
    variant: Variant = Variant.PLAIN
    result: bytes | Diagnostic | None = None


class Renderer(NamedTuple):
    """What folders are rendered with: the binary, the environment to take over, and the Kubernetes target.

    `online`: a chart's schema may refer to the network.
    """

    helm: Helm
    environment: Mapping[str, str]
    target: Target
    online: bool = False

    def render(
        self,
        job: Job,
        apis: Sequence[str] = (),
        variant: Variant = Variant.PLAIN,
        meanwhile: Callable[[], object] = lambda: None,
    ) -> bytes | Diagnostic:
        """What helm prints, for an API server of the version that knows `apis` besides those that it serves.

        Helm adds to what it knows itself, and forgets nothing of it: so does Argo CD. `meanwhile` is called while helm
        is at work, if it is.
        """
        kept = cache.folder("rendered") / f"{self._key(job, apis)}{variant.value and f'-{variant.value}'}"
        stored = cache.load(kept)
        if stored is not None:
            return stored
        with tempfile.TemporaryDirectory(prefix="groundswell-check-") as scratch:
            root = Path(scratch)
            _write(job, root, variant)
            arguments = _arguments(job, root, variant, ["--kube-version", self.target.version])
            for api in self._apis(apis):
                arguments += ["--api-versions", api]
            done = run(self.helm, arguments, self.environment, _TIMEOUT, online=self.online, meanwhile=meanwhile)
        if done.code is None:
            return codes.TIMEOUT(f"helm took more than {_TIMEOUT:.0f} seconds to render `{job.row.folder}`", job.place)
        if done.code != 0:
            message = f"helm does not render `{job.row.folder}`: {_reason(done.err)}"
            advice = "its schema refers to the network: allow it with `--pull`" if offline(done.err) else ""
            return codes.NOT_RENDERED(message, job.place, help=advice)
        cache.store(kept, done.out)
        return done.out

    def _key(self, job: Job, apis: Sequence[str]) -> str:
        files = [part for file in job.files for part in (file.path.partition("/")[2], file.data)]
        row = job.row
        apis, version = self._apis(apis), self.target.version
        options = (row.release, row.namespace, ",".join(row.flags), version, *apis, stand_ins.FORM)
        return cache.key_of(self.helm.identity, job.chart.digest if job.chart else "", *options, *files)

    def _apis(self, more: Sequence[str]) -> Sequence[str]:
        return (*served_names(self.target.minor), *more)


def _write(job: Job, root: Path, variant: Variant) -> None:
    """Write the folder, and where functions are replaced also a copy of its chart."""
    files = [(file.path.partition("/")[2], file.data) for file in job.files]
    if variant.replaced:
        files = list(stand_ins.stand_in_files(files, variant, job.facts.impure))
        helper = (stand_ins.FILE, stand_ins.TEMPLATE)
        if job.chart is None:
            files.append(helper)
        else:
            with _CHOOSING:
                templates = _differing(job.chart, job.files, job.facts)
            copied = [*stand_ins.stand_in_files(templates, variant, job.facts.impure), helper]
            if job.chart.archive:
                (root / _COPY).write_bytes(packed(copied))  # one file is written much faster than hundreds
            else:
                _write_files(root / _COPY, copied)  # helm heeds the `.helmignore` of a folder only
    _write_files(root / job.row.folder, files)


def _write_files(root: Path, files: Iterable[tuple[str, bytes]]) -> None:
    for name, data in files:
        path = root / name
        if ".." not in path.parts:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


@lru_cache(maxsize=4)
def _differing(chart: ChartAt, given: Sequence[File], facts: Facts) -> list[tuple[str, bytes]]:
    """The files of a chart for a rendering that need only show what can be another one than before.

    Those in `crds/`, which are most of many a chart, are left out, unless a template may read them.
    """
    from groundswell.check.steady_templates import SAME, steady  # noqa: PLC0415  of few charts anybody asks

    files = files_of(chart)
    read = any(b".Files" in data and is_rendered(name) for name, data in files)
    taken = [(name, data) for name, data in files if read or not is_verbatim(name)]
    same = steady(taken, [file.data for file in given], facts)
    return [(name, SAME if name in same else data) for name, data in taken]


def _arguments(job: Job, root: Path, variant: Variant, options: Sequence[str]) -> list[str]:
    folder = root / job.row.folder
    chart = (root / _COPY if variant.replaced else job.chart.path.resolve()) if job.chart else folder
    arguments = ["template", job.row.release, str(chart), "--namespace", job.row.namespace, *options, "--skip-tests"]
    # What another rendering is compared for does not depend on these, see `KubeObject.verbatim`.
    skipped = variant is not Variant.PLAIN or "skip-crds" in job.row.flags
    arguments += ["--skip-crds"] if skipped else ["--include-crds"]
    if job.chart:
        arguments += ["--values", str(folder / "values.yaml")]
    return arguments


def _reason(stderr: str) -> str:
    """Helm's error without what every one begins and ends with."""
    lines = [
        line
        for line in stderr.splitlines()
        if line.strip() and not line.startswith(("Use --debug", "WARNING", "level="))
    ]
    return " ".join(line.strip() for line in lines).removeprefix("Error: ") or "it says nothing"
