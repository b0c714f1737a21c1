"""Folders as they come out of helm: what is read, what waits for others, and what has to be done again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from groundswell.check.crds import crds_of
from groundswell.check.objects import objects_of
from groundswell.check.rendering import RenderedFolder, Rendering, scoped
from groundswell.diagnostics.codes import kubernetes as codes
from groundswell.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from groundswell.check.objects import KubeObject
    from groundswell.check.render import Job, Outcome
    from groundswell.check.subject import Subject
    from groundswell.check.target import Target


class Progress:
    """What is rendered so far, and what waits for folders of earlier waves."""

    def __init__(self, subject: Subject, unfinished: set[str]) -> None:
        """Nothing is rendered; `unfinished` are the folders that will be."""
        self.subject = subject
        self.waves = {folder.name: folder.wave for folder in subject.plan.folders}
        self.done: dict[str, RenderedFolder] = {}
        self.findings: list[Diagnostic] = []
        self._unfinished = unfinished
        self._waiting: list[Job] = []

    def take(self, outcome: Outcome) -> bool:
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

    def rendering(self, target: Target) -> Rendering:
        """All that is done, in the order of the plan."""
        ordered = {name: self.done[name] for name in self.waves if name in self.done}
        return Rendering(self.subject.plan, target, scoped(ordered))


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
