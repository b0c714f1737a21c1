"""Rendering all folders: two at a time, and those that look at the cluster's APIs after what brings them."""

from __future__ import annotations

import json
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check import cache
from groundswell.check.chart_facts import Facts, facts_of
from groundswell.check.chart_files import UnreadableChartError, chart_files
from groundswell.check.crds import crds_of
from groundswell.check.objects import objects_of
from groundswell.check.render import Job
from groundswell.check.rendering import RenderedFolder, Rendering, folder_place, scoped
from groundswell.diagnostics.codes import kubernetes as codes
from groundswell.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from groundswell.check.charts import ChartAt
    from groundswell.check.objects import KubeObject
    from groundswell.check.render import Renderer
    from groundswell.check.subject import Subject
    from groundswell.check.target import Target
    from groundswell.deploy.helm.table import Row
    from groundswell.resolve.resolution import Chart

_WORKERS = 2
"""How many helm processes run at a time: more add latency and no throughput, since helm itself uses several threads."""

_FACTS = "2"
"""Changes with what `chart_facts` looks for, so that the cache forgets what earlier releases found."""


class _Outcome(NamedTuple):
    """How a task ended: what helm printed for a folder, which time, or why it did not; None when it has to wait."""

    job: Job
    apis: tuple[str, ...] = ()
    again: bool = False
    result: bytes | Diagnostic | None = None


def render_all(
    subject: Subject,
    charts: Mapping[Chart, ChartAt],
    target: Target,
    renderer: Renderer,
    progress: Callable[[str], None],
) -> tuple[Rendering, tuple[Diagnostic, ...]]:
    """Render every folder whose chart is at hand, and read the objects; `progress` is told each folder's name.

    A chart whose templates look at the cluster's APIs is shown those that folders of earlier waves bring, as it is when
    it is installed. One whose text allows for a difference is rendered a second time.

    Returns:
        The rendering, and why each folder whose chart is at hand is missing in it.
    """
    jobs = [job for row in subject.rows if (job := _job(subject, row, charts)) is not None]
    state = _State(subject, {job.row.folder for job in jobs})
    with ThreadPoolExecutor(_WORKERS) as pool:
        running = {pool.submit(_first, job, renderer) for job in jobs}
        while running:
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                outcome = future.result()
                if state.take(outcome):
                    running.add(pool.submit(_render, outcome.job, renderer, outcome.apis, again=True))
                if outcome.result is not None and not outcome.again:
                    progress(outcome.job.row.folder)
            running |= {pool.submit(_render, job, renderer, state.apis(job)) for job in state.ready()}
    ordered = {name: state.done[name] for name in state.waves if name in state.done}
    return Rendering(subject.plan, target, scoped(ordered)), tuple(state.findings)


class _State:
    """What is rendered so far, and what waits for folders of earlier waves."""

    def __init__(self, subject: Subject, unfinished: set[str]) -> None:
        """Nothing is rendered; `unfinished` are the folders that will be."""
        self.subject = subject
        self.waves = {folder.name: folder.wave for folder in subject.plan.folders}
        self.done: dict[str, RenderedFolder] = {}
        self.findings: list[Diagnostic] = []
        self._unfinished = unfinished
        self._waiting: list[Job] = []

    def take(self, outcome: _Outcome) -> bool:
        """Read what a task brought. True when the folder has to be rendered again."""
        job, name = outcome.job, outcome.job.row.folder
        if outcome.result is None:
            self._waiting.append(job)
            return False
        self._unfinished.discard(name)
        read = _read(job, outcome.result)
        if isinstance(read, Diagnostic):
            self.findings.append(read)
            self.done.pop(name, None)
            return False
        text, objects = read
        if outcome.again:
            self.done[name] = replace(self.done[name], again=objects)
            return False
        component = self.subject.plan.components[job.row.component]
        folder = self.subject.folders[name].folder
        shown = text.decode(errors="replace")
        self.done[name] = RenderedFolder(folder, job.row, component, job.chart, job.facts, shown, objects)
        return job.facts.impure_in(text)

    def ready(self) -> list[Job]:
        """The jobs that need not wait any longer: every folder of an earlier wave is there."""
        lowest = min((self.waves[name] for name in self._unfinished), default=0)
        ready = [job for job in self._waiting if self.waves[job.row.folder] == lowest]
        self._waiting = [job for job in self._waiting if self.waves[job.row.folder] != lowest]
        return ready

    def apis(self, job: Job) -> tuple[str, ...]:
        """The APIs that folders of earlier waves bring, as helm names them."""
        wave = self.waves[job.row.folder]
        earlier = [item for name, item in self.done.items() if self.waves[name] < wave]
        return tuple(sorted({api for rendered in earlier for crd in crds_of(rendered.objects) for api in crd.apis}))


def _job(subject: Subject, row: Row, charts: Mapping[Chart, ChartAt]) -> Job | None:
    """The work on one folder; None when its chart is not at hand. What its chart can do is found out later."""
    built = subject.folders[row.folder]
    component = subject.plan.components[row.component]
    chart = None if built.folder.local or component.chart is None else charts.get(component.chart)
    if chart is None and not built.folder.local:
        return None
    return Job(
        row,
        built.files,
        chart,
        facts_of((file.path, file.data) for file in built.files),
        folder_place(component, built.folder),
    )


def _first(job: Job, renderer: Renderer) -> _Outcome:
    """Look through the chart, and render it when it does not ask for APIs."""
    try:
        job = job.with_facts(_chart_facts(job.chart)) if job.chart else job
    except UnreadableChartError as error:
        missing = codes.CHART_MISSING(f"the chart of `{job.row.folder}` cannot be read: {error}", job.place)
        return _Outcome(job, result=missing)
    return _Outcome(job) if job.facts.asks else _render(job, renderer, ())


def _render(job: Job, renderer: Renderer, apis: tuple[str, ...], *, again: bool = False) -> _Outcome:
    return _Outcome(job, apis, again, renderer.render(job, apis, again=again))


def _chart_facts(chart: ChartAt) -> Facts:
    path = cache.folder("chart-facts") / cache.key_of(_FACTS, chart.digest)
    stored = cache.load(path)
    if stored is not None:
        known = json.loads(stored)
        impure = tuple((function, file) for function, file in known["impure"])
        return Facts(impure, known["asks"], tuple(known["apis"]), tuple(known["libraries"]))
    facts = facts_of(chart_files(chart.path))
    cache.store(path, json.dumps(asdict(facts)).encode())
    return facts


def _read(job: Job, result: bytes | Diagnostic) -> tuple[bytes, tuple[KubeObject, ...]] | Diagnostic:
    """The text and its objects, or why there are none."""
    if isinstance(result, Diagnostic):
        return result
    objects, problems = objects_of(result, job.row.folder, job.row.namespace)
    if problems:
        first = problems[0]
        where = f"line {first.span.line} of what helm prints" if first.span else "what helm prints"
        message = f"`{job.row.folder}` renders to faulty YAML: {first.message} ({where})"
        return codes.NOT_READABLE(message, job.place)
    return result, objects
