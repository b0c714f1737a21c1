"""Rendering all folders: two at a time, and those that look at the cluster's APIs after what brings them."""

from __future__ import annotations

import json
from collections import deque
from concurrent.futures import FIRST_COMPLETED, wait
from functools import cache as once
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from groundswell.check import cache
from groundswell.check.chart_facts import Facts, facts_of, may_ask
from groundswell.check.chart_files import UnreadableChartError, files_of
from groundswell.check.helm import workers
from groundswell.check.places import folder_place
from groundswell.check.render import Job, Outcome, may_define
from groundswell.check.stand_ins import Variant
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from concurrent.futures import Future, ThreadPoolExecutor
    from pathlib import Path

    from groundswell.check.chart_values import Unknown
    from groundswell.check.charts import ChartAt
    from groundswell.check.render import Renderer
    from groundswell.check.rendering import Rendering
    from groundswell.check.subject import Subject
    from groundswell.check.target import Target
    from groundswell.deploy.helm.table import Row
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Chart
    from groundswell.source.located import Json

_WORKERS = 3
"""How many folders are worked on at a time: helm processes run on one thread each, and while one folder is looked
through or written away two others keep two cores busy."""

_FACTS = "10"
"""Changes with what `chart_facts` looks for, so that the cache forgets what earlier releases found."""


def render_all(
    subject: Subject,
    charts: Mapping[Chart, ChartAt],
    target: Target,
    renderer: Renderer,
    *,
    progress: Callable[[str], None],
    meanwhile: Callable[[], object],
) -> tuple[Rendering, tuple[Diagnostic, ...]]:
    """Render every folder whose chart is at hand, and read the objects; `progress` is told each folder's name.

    `meanwhile` is called once, while helm works: what is only needed to judge the objects need not delay it.
    A chart whose templates look at the cluster's APIs is shown those that folders of earlier waves bring, as it is when
    it is installed. One whose text allows for a difference is rendered a second time, or with functions replaced,
    and one that asks for APIs which may come later with them and without.

    Returns:
        The rendering, and why each folder whose chart is at hand is missing in it.
    """
    jobs = [job for row in subject.rows if (job := _job(subject, row, charts)) is not None]
    with workers(renderer.helm, _WORKERS) as pool:
        queue = _Queue(pool)
        queue.add([partial(_first, job, _values(subject, job), renderer) for job in _urgent_first(jobs, subject)])
        from groundswell.check.late_apis import with_late_apis  # noqa: PLC0415  helm is at work by now
        from groundswell.check.progress import Progress  # noqa: PLC0415  as above

        meanwhile()
        state = Progress(subject, target, {job.row.folder for job in jobs if may_define(job)})
        while finished := queue.finished():
            for outcome in finished:
                variants = state.take(outcome)
                queue.add([partial(_render, renderer, outcome.job, outcome.apis, variant) for variant in variants])
                if outcome.result is not None and outcome.variant is Variant.PLAIN:
                    progress(outcome.job.row.folder)
            ready = [(job, state.apis(job)) for job in _urgent_first(state.ready(), subject)]
            besides = [(job, apis, variant) for job, apis in ready for variant in state.at_once(job)]
            queue.add([partial(_render, renderer, *work) for work in besides])
            queue.add([partial(_plain, _values(subject, job), renderer, job, apis) for job, apis in ready])
            while not queue.news and state.judge():
                pass
        while state.judge():
            pass
        known = {job.row.folder: job for job in jobs}
        rendering = with_late_apis(
            state.rendering(),
            {name: state.apis(known[name]) for name, rendered in state.done.items() if rendered.facts.asks},
            lambda works: pool.map(lambda work: renderer.render(known[work[0]], work[1]), works),
        )
    return rendering, tuple(state.findings)


class _Queue:
    """Tasks for the workers of a pool. Which is the next is decided when one is free, so that others can overtake."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        """There are none."""
        self._pool = pool
        self._tasks: deque[Callable[[], Outcome]] = deque()
        self._running: set[Future[Outcome]] = set()

    def add(self, tasks: Sequence[Callable[[], Outcome]]) -> None:
        """Have tasks done in this order, before those that were added earlier."""
        self._tasks.extendleft(reversed(tasks))
        self._running.update(self._pool.submit(self._next) for _ in tasks)

    def finished(self) -> list[Outcome]:
        """How those ended that are done since the last time, once there is one; none when all are."""
        done, self._running = wait(self._running, return_when=FIRST_COMPLETED)
        return [future.result() for future in done]

    @property
    def news(self) -> bool:
        """Whether one ended since the last time."""
        return any(future.done() for future in self._running)

    def _next(self) -> Outcome:
        return self._tasks.popleft()()


def _urgent_first(jobs: Iterable[Job], subject: Subject) -> list[Job]:
    """What others may wait for, by level, and of that what takes long, as large archives do; then the rest."""
    levels = {folder.name: folder.level for folder in subject.plan.folders}

    def rank(job: Job) -> tuple[bool, int, int]:
        return not may_define(job), levels[job.row.folder], -job.chart.size if job.chart else 0

    return sorted(jobs, key=rank)


def _job(subject: Subject, row: Row, charts: Mapping[Chart, ChartAt]) -> Job | None:
    """The work on one folder; None when its chart is not at hand. What its chart can do is found out later."""
    built = subject.folders[row.folder]
    component = subject.plan.components[row.component]
    chart = None if built.folder.local or component.chart is None else charts.get(component.chart)
    if chart is None and not built.folder.local:
        return None
    return Job(row, built.files, chart, Facts(), folder_place(component, built.folder))


def _values(subject: Subject, job: Job) -> Mapping[str, Json]:
    return subject.plan.components[job.row.component].values


def _first(job: Job, values: Mapping[str, Json], renderer: Renderer) -> Outcome:
    """Look through the folder and its chart, and render it when it does not ask for APIs."""
    job = job.with_facts(facts_of((file.path.partition("/")[2], file.data) for file in job.files))
    if job.chart is None:
        return Outcome(job) if job.facts.asks else _render(renderer, job)
    facts = once(partial(_facts, job.chart))
    unknown = once(partial(_unknown, job.chart, values))
    result: bytes | Diagnostic | None = None
    try:
        if not job.facts.asks and not _may_ask(job.chart):
            result = renderer.render(job, meanwhile=lambda: (facts(), unknown()))
            job = job._replace(unknown=unknown())
        job = job.with_facts(facts())
    except UnreadableChartError as error:
        return _missing(job, str(error))
    if job.chart and (problem := job.chart.problem(*job.facts.about)):
        return _missing(job, problem)
    if result is None and not job.facts.asks:
        return _plain(values, renderer, job)
    return Outcome(job, result=result)


def _plain(values: Mapping[str, Json], renderer: Renderer, job: Job, apis: tuple[str, ...] = ()) -> Outcome:
    """Render a folder as it is, and find out meanwhile which values its chart does not take."""
    unknown = once(partial(_unknown, job.chart, values))
    try:
        result = renderer.render(job, apis, meanwhile=unknown)
        return Outcome(job._replace(unknown=unknown()), apis, result=result)
    except UnreadableChartError as error:
        return _missing(job, str(error))


def _unknown(chart: ChartAt | None, values: Mapping[str, Json]) -> Unknown:
    from groundswell.check.chart_values import unknown_values  # noqa: PLC0415  helm is at work by now

    return unknown_values(chart, values) if chart else ()


def _missing(job: Job, problem: str) -> Outcome:
    message = f"the chart of `{job.row.folder}` cannot be used: {problem}"
    return Outcome(job, result=codes.CHART_MISSING(message, job.place))


def _render(renderer: Renderer, job: Job, apis: tuple[str, ...] = (), variant: Variant = Variant.PLAIN) -> Outcome:
    return Outcome(job, apis, variant, renderer.render(job, apis, variant))


def _may_ask(chart: ChartAt) -> bool:
    """Whether a chart may look at the cluster's APIs, which is found out faster than all its facts."""
    known = _known_facts(chart)
    return known.asks if known else may_ask(files_of(chart))


def _facts(chart: ChartAt) -> Facts:
    return _known_facts(chart) or _chart_facts(chart)


@lru_cache(maxsize=64)
def _known_facts(chart: ChartAt) -> Facts | None:
    """What was found out about a chart before."""
    stored = cache.load(_kept(chart))
    if stored is None:
        return None
    impure, asks, apis, users, (name, version), unnamed, late, named = json.loads(stored)
    aliases = tuple((folder, alias, chart) for folder, alias, chart in named)
    return Facts(_pairs(impure), asks, _pairs(apis), _pairs(users), (name, version), unnamed, _pairs(late), aliases)


def _chart_facts(chart: ChartAt) -> Facts:
    facts = facts_of(files_of(chart))
    cache.store(_kept(chart), json.dumps(facts).encode())
    return facts


def _kept(chart: ChartAt) -> Path:
    return cache.folder("chart-facts") / cache.key_of(_FACTS, chart.digest)


def _pairs(data: list[list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, file) for name, file in data)
