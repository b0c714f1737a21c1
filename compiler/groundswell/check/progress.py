"""Folders as they come out of helm: what is read, what waits for others, and what has to be done again."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from groundswell.check.alone import alone
from groundswell.check.crds import crds_of, keys_of
from groundswell.check.objects import objects_of
from groundswell.check.rendering import RenderedFolder, Rendering, scoped
from groundswell.check.stand_ins import EITHER, REPLACED, Variant
from groundswell.check.steady_templates import printed_same
from groundswell.diagnostics.codes import kubernetes as codes
from groundswell.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from groundswell.check.chart_facts import Facts
    from groundswell.check.crds import Crd
    from groundswell.check.objects import KubeObject
    from groundswell.check.render import Job, Outcome
    from groundswell.check.subject import Subject
    from groundswell.check.target import Target

    _Printed = tuple[bytes, tuple[KubeObject, ...]]


_BOTH = (Variant.EARLY, Variant.LATE)


class Progress:
    """What is rendered so far, and what waits for folders of earlier waves."""

    def __init__(self, subject: Subject, target: Target, unfinished: set[str]) -> None:
        """Nothing is rendered; `unfinished` are the folders that will be and that others may have to wait for."""
        self._target = target
        self.subject = subject
        self.waves = {folder.name: folder.wave for folder in subject.plan.folders}
        self.done: dict[str, RenderedFolder] = {}
        self.findings: list[Diagnostic] = []
        self._unfinished = unfinished
        self._waiting: list[Job] = []
        self._unjudged: list[str] = []
        self._crds: dict[tuple[str, str], Crd] = {}
        self._custom: defaultdict[tuple[str, str], list[KubeObject]] = defaultdict(list)
        self._read: set[tuple[str, str]] = set()
        self._variants: dict[tuple[str, Variant], _Printed | None] = {}
        self._begun: set[str] = set()

    def take(self, outcome: Outcome) -> tuple[Variant, ...]:
        """Read what a task brought, and tell in which ways the folder has to be rendered besides."""
        job, name = outcome.job, outcome.job.row.folder
        if outcome.result is None:
            self._waiting.append(job)
            return ()
        read = _read(job, outcome.result)
        if outcome.variant.replaced:
            self._variants[name, outcome.variant] = None if isinstance(read, Diagnostic) else read
            return self._compare(job) if name in self.done else ()
        self._unfinished.discard(name)
        if isinstance(read, Diagnostic):
            self.findings.append(read)
            self.done.pop(name, None)
            return ()
        text, objects = read
        if outcome.variant is Variant.AGAIN:
            first = self.done[name]
            self.done[name] = replace(first, compared=(first.objects, _with_the_same(first, text, objects)))
            return ()
        component = self.subject.plan.components[job.row.component]
        folder = self.subject.folders[name].folder
        self.done[name] = RenderedFolder(
            folder, job.row, component, job.chart, job.facts, job.unknown, text, objects, ()
        )
        self._unjudged.append(name)
        return self._compare(job) if name in self._begun else _besides(job.facts.seen_in(text))

    def at_once(self, job: Job) -> tuple[Variant, ...]:
        """Other ways in which a folder has to be rendered, whatever it prints: what tells is in the chart itself."""
        wanted = _besides(job.facts.seen_in(b""))
        if wanted != _BOTH:
            return ()  # what subcharts print may ask for others
        self._begun.add(job.row.folder)
        return wanted

    def judge(self) -> bool:
        """Judge a folder by itself, since no other waits for that; False when none is left."""
        if not self._unjudged:
            return False
        name = self._unjudged.pop(0)
        rendered = self.done.get(name)
        if rendered is not None:
            judged = alone(rendered.objects, self._target.minor, own=rendered.chart is None)
            self.done[name] = replace(rendered, alone=judged)
            self._prepare(rendered.objects)
        return True

    def _compare(self, job: Job) -> tuple[Variant, ...]:
        """Compare what came out with functions replaced, once all is there.

        A chart that does not bear that is undecided: twice the same tells of other functions, but of these by chance.
        """
        name = job.row.folder
        facts = job.facts.seen_in(self.done[name].text)
        wanted = _besides(facts)
        found = [self._variants[name, variant] for variant in wanted if (name, variant) in self._variants]
        if len(found) < len(wanted):
            return ()
        others = [read and _with_the_same(self.done[name], *read) for read in found]
        one, other = (self.done[name].objects, *others)[-2:]
        if one is None or other is None:
            undecided = tuple(item for item in facts.impure if item[0] in REPLACED)
            self.done[name] = replace(self.done[name], undecided=undecided)
            return (Variant.AGAIN,) if len(undecided) < len(facts.impure) else ()
        self.done[name] = replace(self.done[name], compared=(one, other))
        return ()

    def _prepare(self, objects: tuple[KubeObject, ...]) -> None:
        """Read the schemas of definitions that custom resources need: the rules will, when helm has nothing to do."""
        self._crds |= {(crd.group, crd.kind): crd for crd in crds_of(objects)}
        for item in objects:
            if item.custom:
                self._custom[item.group, item.kind].append(item)
        for kind in (self._custom.keys() & self._crds.keys()) - self._read:
            self._read.add(kind)
            items = self._custom[kind]
            for version in {item.version for item in items}:
                self._crds[kind].schema(version, keys_of(items))

    def ready(self) -> list[Job]:
        """The jobs that need not wait any longer: every folder of an earlier wave that can define kinds is there."""
        lowest = min((self.waves[name] for name in self._unfinished), default=0)
        ready = [job for job in self._waiting if self.waves[job.row.folder] == lowest]
        self._waiting = [job for job in self._waiting if self.waves[job.row.folder] != lowest]
        return ready

    def apis(self, job: Job) -> tuple[str, ...]:
        """The APIs that folders of earlier waves bring, as helm names them."""
        wave = self.waves[job.row.folder]
        earlier = [item for name, item in self.done.items() if self.waves[name] < wave]
        return tuple(sorted({api for rendered in earlier for crd in crds_of(rendered.objects) for api in crd.apis}))

    def rendering(self) -> Rendering:
        """All that is done, in the order of the plan."""
        ordered = {name: self.done[name] for name in self.waves if name in self.done}
        return Rendering(self.subject.plan, self._target, scoped(ordered), deployers=self.subject.deployers)


def _with_the_same(first: RenderedFolder, text: bytes, objects: tuple[KubeObject, ...]) -> tuple[KubeObject, ...]:
    """The objects of another rendering, with those that were left out when it was rendered again.

    These are what is no template, and what prints the same each time.
    """
    same = printed_same(text)
    return (*(item for item in first.objects if item.verbatim or item.source in same), *objects)


def _besides(facts: Facts) -> tuple[Variant, ...]:
    """The renderings that show whether a chart comes out the same each time, by what its text allows for."""
    functions = {function for function, _ in facts.impure}
    if functions & EITHER:
        return _BOTH
    if functions & REPLACED:
        return (Variant.EARLY,)
    return (Variant.AGAIN,) if functions else ()


def _read(job: Job, result: bytes | Diagnostic) -> _Printed | Diagnostic:
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
