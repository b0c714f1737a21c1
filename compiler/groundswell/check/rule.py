"""The shape of a rule, and running all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.places import object_place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import RenderedFolder, Rendering
    from groundswell.diagnostics.diagnostic import Code, Diagnostic, Related
    from groundswell.source.span import Span


class Found(NamedTuple):
    """A finding with what a suppression can name: the component, and the object (`Secret monitoring/grafana`) or ""."""

    diagnostic: Diagnostic
    component: str
    subject: str = ""

    def as_warning(self) -> Found:
        """The same finding as no more than a warning."""
        return self._replace(diagnostic=self.diagnostic.as_warning())


class Rule(NamedTuple):
    """One rule: its name, what it demands in a sentence, its kinds of findings, where to read more, and what judges."""

    name: str
    demand: str
    codes: tuple[Code, ...]
    link: str
    judge: Callable[[Rendering], Iterable[Found]]


def judge(rendering: Rendering, rules: Sequence[Rule]) -> Iterator[Found]:
    """What all rules find."""
    for rule in rules:
        yield from rule.judge(rendering)


def about(
    code: Code,
    folder: RenderedFolder,
    message: str,
    item: KubeObject | None = None,
    *,
    path: Sequence[str | int] = (),
    place: Span | None = None,
    related: Iterable[Related] = (),
    advice: str = "",
) -> Found:
    """A finding about a folder, or about one of its objects, at the place in the catalog that brings it.

    `path` is that of a field in the object: then the place is that of the value which it came from, where one can tell.
    """
    if item is not None and place is None:
        place, others = object_place(folder, item, path)
        related = (*related, *others)
    diagnostic = code(message, place or folder.place, related=related, help=advice)
    return Found(diagnostic, folder.component.name, item.title if item else "")
