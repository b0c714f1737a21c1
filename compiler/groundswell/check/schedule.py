"""Rendering all folders: two at a time, and those that look at the cluster's APIs after what brings them."""

from __future__ import annotations

import json
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import asdict
from typing import TYPE_CHECKING

from groundswell.check import cache
from groundswell.check.chart_facts import Facts, facts_of
from groundswell.check.chart_files import UnreadableChartError, chart_files
from groundswell.check.crds import crds_of
from groundswell.check.objects import objects_of
from groundswell.check.render import Job, Printed
from groundswell.check.rendering import RenderedFolder, Rendering, folder_place, scoped
from groundswell.diagnostics.codes import kubernetes as codes
from groundswell.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from groundswell.check.charts import ChartAt
    from groundswell.check.render import Renderer
    from groundswell.check.subject import Subject
    from groundswell.check.target import Target
    from groundswell.deploy.helm.table import Row
    from groundswell.resolve.resolution import Chart

_WORKERS = 2
"""How many helm processes run at a time: more add latency and no throughput, since helm itself uses several threads."""

_FACTS = "2"
"""Changes with what `chart_facts` looks for, so that the cache forgets what earlier releases found."""


def render_all(
    subject: Subject,
    charts: Mapping[Chart, ChartAt],
    target: Target,
    renderer: Renderer,
    progress: Callable[[str], None],
) -> tuple[Rendering, tuple[Diagnostic, ...]]:
    """Render every folder whose chart is at hand, and read the objects; `progress` is told each folder's name.

    A chart whose templates look at the cluster's APIs is shown those that folders of earlier waves bring, as it is when
    it is installed.

    Returns:
        The rendering, and why each folder whose chart is at hand is missing in it.
    """
    done: dict[str, RenderedFolder] = {}
    findings: list[Diagnostic] = []
    waves = {folder.name: folder.wave for folder in subject.plan.folders}
    unfinished = {job.row.folder: job for row in subject.rows if (job := _job(subject, row, charts)) is not None}
    with ThreadPoolExecutor(_WORKERS) as pool:
        running = {pool.submit(_first, job, renderer) for job in unfinished.values()}
        waiting: list[Job] = []
        while running or waiting:
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            results = [future.result() for future in finished]
            waiting += [job for job, result in results if result is None]
            for job, result in results:
                if result is not None:
                    read = _read(subject, job, result)
                    findings += [read] if isinstance(read, Diagnostic) else []
                    done |= {} if isinstance(read, Diagnostic) else {job.row.folder: read}
                    del unfinished[job.row.folder]
                    progress(job.row.folder)
            lowest = min((waves[name] for name in unfinished), default=0)
            ready = [job for job in waiting if waves[job.row.folder] == lowest]
            waiting = [job for job in waiting if waves[job.row.folder] != lowest]
            for job in ready:
                apis = _apis(item for name, item in done.items() if waves[name] < lowest)
                running.add(pool.submit(_second, job, renderer, apis))
    ordered = {name: done[name] for name in waves if name in done}
    return Rendering(subject.plan, target, scoped(ordered)), tuple(findings)


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


def _first(job: Job, renderer: Renderer) -> tuple[Job, Printed | Diagnostic | None]:
    """Look through the chart, and render it when it does not ask for APIs."""
    try:
        job = job.with_facts(_chart_facts(job.chart)) if job.chart else job
    except UnreadableChartError as error:
        return job, codes.CHART_MISSING(f"the chart of `{job.row.folder}` cannot be read: {error}", job.place)
    return job, None if job.facts.asks else renderer.render(job)


def _second(job: Job, renderer: Renderer, apis: tuple[str, ...]) -> tuple[Job, Printed | Diagnostic | None]:
    return job, renderer.render(job, apis)


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


def _read(subject: Subject, job: Job, result: Printed | Diagnostic) -> RenderedFolder | Diagnostic:
    if isinstance(result, Diagnostic):
        return result
    row = job.row
    objects, problems = objects_of(result.text, row.folder, row.namespace)
    if problems:
        first = problems[0]
        where = f"line {first.span.line} of what helm prints" if first.span else "what helm prints"
        return codes.NOT_READABLE(f"`{row.folder}` renders to faulty YAML: {first.message} ({where})", job.place)
    again = None if result.again is None else objects_of(result.again, row.folder, row.namespace)[0]
    folder = subject.folders[row.folder].folder
    component = subject.plan.components[row.component]
    text = result.text.decode(errors="replace")
    return RenderedFolder(folder, row, component, job.chart, job.facts, text, objects, again)


def _apis(folders: Iterable[RenderedFolder]) -> tuple[str, ...]:
    """The APIs that folders bring, as helm names them."""
    return tuple(sorted({api for rendered in folders for crd in crds_of(rendered.objects) for api in crd.apis}))
