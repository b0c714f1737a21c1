"""Where charts come from: a directory of the user's, the cache, or their repository when pulling is allowed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check import cache
from groundswell.check.chart_files import UnreadableChartError, archive_about, archive_problem, chart_digest
from groundswell.check.helm import workers
from groundswell.check.pull import Refusal, pull
from groundswell.diagnostics.codes import kubernetes as codes
from groundswell.diagnostics.diagnostic import Diagnostic, Related

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from groundswell.check.helm import Helm
    from groundswell.check.lock import Lock
    from groundswell.resolve.resolution import Chart
    from groundswell.source.span import Span

_WORKERS = 4

_FORM = "3"
"""Changes with what archives have to be before they are kept, so that those of earlier releases are asked for again."""


class ChartAt(NamedTuple):
    """A chart on this machine: what helm is given, its digest (see `chart_digest`), and what its archive must be."""

    path: Path
    digest: str
    named: Chart | None = None

    @property
    def archive(self) -> bool:
        """Whether it is the archive as published; only that has a digest which a lock can hold."""
        return self.path.is_file()

    @property
    def size(self) -> int:
        """The bytes of the archive, which tell about how long helm takes for it; 0 for a folder."""
        return self.path.stat().st_size if self.archive else 0

    def problem(self, name: str, version: str) -> str:
        """Why the chart with this name and version in it is not the one that it is taken for; "" when it is."""
        if self.named is None or _is(self.named, name, version):
            return ""
        return f"`{self.path}` holds {_held(name, version)}"


class Sources(NamedTuple):
    """Where charts may be taken from, in this order: `directory`, the cache, and with `pull` their repositories."""

    helm: Helm
    environment: Mapping[str, str]
    lock: Lock
    directory: Path | None = None
    pull: bool = False


def find_charts(
    wanted: Mapping[Chart, Span | None], sources: Sources
) -> tuple[dict[Chart, ChartAt], tuple[Diagnostic, ...]]:
    """Bring charts, each with the place that asks for it, and check them against the lock.

    Returns:
        The charts that may be used, and an error for each that may not or that cannot be had.
    """
    with workers(sources.helm, _WORKERS) as pool:
        results = list(pool.map(lambda item: _find(item[0], item[1], sources), wanted.items()))
    found = {chart: result for chart, result in zip(wanted, results, strict=True) if isinstance(result, ChartAt)}
    return found, tuple(result for result in results if isinstance(result, Diagnostic))


def _find(chart: Chart, place: Span | None, sources: Sources) -> ChartAt | Diagnostic:
    try:
        found: ChartAt | Diagnostic | None = _given(chart, sources) or _cached(chart, sources.lock.digests.get(chart))
        if found is None and sources.pull:
            found = _pulled(chart, place, sources)
    except UnreadableChartError as error:
        return codes.CHART_MISSING(f"the chart `{_title(chart)}` cannot be read: {error}", place)
    if found is None:
        return _missing(chart, place, sources)
    return found if isinstance(found, Diagnostic) else _locked(chart, found, place, sources.lock)


def _title(chart: Chart) -> str:
    return f"{chart.name} {chart.version}"


def _versions(chart: Chart) -> Iterable[str]:
    """How an archive may be called: a repository may serve 2.0.0 as v2.0.0, and a registry knows no `+`."""
    plain = chart.version.removeprefix("v")
    for version in (chart.version, plain, f"v{plain}"):
        yield version
        if "+" in version:
            yield version.replace("+", "_")


def _given(chart: Chart, sources: Sources) -> ChartAt | None:
    """The archive `NAME-VERSION.tgz` or the folder `NAME-VERSION` or `NAME` in the user's directory.

    A folder with another chart in it is passed over. What is in an archive shows when it is read.
    """
    if sources.directory is None:
        return None
    stems = [f"{chart.name}-{version}" for version in _versions(chart)]
    archives = [sources.directory / f"{stem}.tgz" for stem in stems]
    folders = [sources.directory / stem for stem in (*stems, chart.name)]
    for path in archives:
        if path.is_file():
            return ChartAt(path, chart_digest(path), chart)
    for path in folders:
        if _is(chart, *_stated(path / "Chart.yaml")):
            return ChartAt(path, chart_digest(path))
    return None


def _is(chart: Chart, name: str, version: str) -> bool:
    """Whether this is what an archive or folder says to be.

    An index names the charts in it. A registry may keep a chart under another name than its own, so that only the
    version counts there.
    """
    named = name == chart.name.rpartition("/")[2] or (chart.oci and bool(name))
    return named and version in set(_versions(chart))


def _held(name: str, version: str) -> str:
    return f"`{name} {version}`" if name else "no chart"


def _stated(file: Path) -> tuple[str, str]:
    """Name and version in the Chart.yaml of a folder, "" for each when there is none."""
    from groundswell.check.chart_facts import stated  # noqa: PLC0415  only folders need it so early

    try:
        return stated(file.read_bytes())
    except OSError:
        return "", ""


def _cached(chart: Chart, digest: str | None) -> ChartAt | None:
    if digest is None:
        known = cache.load(_index(chart))
        if known is None:
            return None
        digest = known.decode()
    path = cache.folder("charts") / f"{digest}.tgz"
    if not path.is_file() or chart_digest(path) != digest:
        return None
    cache.used(path)
    return ChartAt(path, digest, chart)


def _index(chart: Chart) -> Path:
    return cache.folder("charts-by-name") / cache.key_of(_FORM, chart.repository, chart.name, chart.version)


def _pulled(chart: Chart, place: Span | None, sources: Sources) -> ChartAt | Diagnostic:
    from groundswell.check.chart_facts import stated  # noqa: PLC0415  only new charts need it so early

    data = pull(chart, sources.helm, sources.environment)
    if isinstance(data, Refusal):
        message = f"the chart `{_title(chart)}` cannot be pulled from `{chart.repository}`: {data.why}"
        return codes.PULL_FAILED(message, place, help=data.advice)
    if problem := archive_problem(data):
        message = f"what `{chart.repository}` serves for the chart `{_title(chart)}` is no chart: {problem}"
        return codes.PULL_FAILED(message, place)
    if not _is(chart, *(said := stated(archive_about(data)))):
        message = f"what `{chart.repository}` serves for the chart `{_title(chart)}` holds {_held(*said)}"
        return codes.PULL_FAILED(message, place)
    digest = hashlib.sha256(data).hexdigest()
    path = cache.folder("charts") / f"{digest}.tgz"
    if not cache.write_whole(path, data):
        return codes.PULL_FAILED(f"the chart `{_title(chart)}` cannot be kept in `{path.parent}`", place)
    cache.store(_index(chart), digest.encode())
    return ChartAt(path, digest, chart)


def _missing(chart: Chart, place: Span | None, sources: Sources) -> Diagnostic:
    where = f"`{sources.directory}` or the cache" if sources.directory else "the cache"
    advice = f"give `--charts` a directory with `{chart.name}-{chart.version}.tgz`, or allow the network with `--pull`"
    locked = chart in sources.lock.digests
    message = f"the chart `{_title(chart)}` of `{chart.repository}` is not in {where}"
    return codes.CHART_MISSING(message + (", with the digest of the lock" if locked else ""), place, help=advice)


def _locked(chart: Chart, found: ChartAt, place: Span | None, lock: Lock) -> ChartAt | Diagnostic:
    """The chart, unless the lock speaks against it."""
    wanted = lock.digests.get(chart)
    if not found.archive:
        if not lock.strict:
            return found
        return codes.NOT_LOCKED(f"`{found.path}` is a folder, and `--locked` admits archives only", place)
    if wanted is None:
        if not lock.strict:
            return found
        advice = "run once without `--locked` to add it"
        return codes.NOT_LOCKED(f"the chart `{_title(chart)}` is not in the lock file", place, help=advice)
    if wanted == found.digest:
        return found
    message = f"the archive of `{_title(chart)}` has the digest {found.digest[:12]}…, the lock says {wanted[:12]}…"
    related = [Related(lock.places[chart], "locked here")] if chart in lock.places else []
    advice = "find out why the bytes changed; then remove the entry to accept them"
    return codes.WRONG_DIGEST(message, place, related=related, help=advice)
