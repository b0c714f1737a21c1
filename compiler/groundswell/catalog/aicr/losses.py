"""What a document loses without a word is told wherever it takes part, and not by `catalog check` alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import aicr as aicr_codes
from groundswell.diagnostics.codes import model as codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundswell.catalog.entries import ComponentEntry, Mixin, Recipe
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.span import Span

# Other remarks are about what the catalog's rules are, what never takes part, or what bundles are refused for anyway.
_LOSSES = frozenset(
    code.code
    for code in (
        codes.BAD_CONSTRAINT,
        aicr_codes.IGNORED_KEY,
        aicr_codes.IGNORED_DOCUMENT,
        aicr_codes.OVERWRITTEN,
        aicr_codes.WITHOUT_EFFECT,
        aicr_codes.NO_BASE_VALUES,
    )
)


class Losses:
    """The remarks about losses, by the places of the documents that have them."""

    def __init__(self, remarks: Iterable[Diagnostic]) -> None:
        """Sort the losses out of all remarks."""
        self._by_file: dict[str, list[tuple[Span, Diagnostic]]] = {}
        for remark in remarks:
            if remark.code in _LOSSES and remark.span is not None:
                # Of two documents, the one that is left takes part.
                place = remark.related[0].span if remark.code == aicr_codes.OVERWRITTEN.code else remark.span
                self._by_file.setdefault(place.file, []).append((place, remark))

    def of_recipes(self, table: Mapping[str, Recipe]) -> dict[str, Recipe]:
        """Recipes with what they and their values files lose."""
        return {name: entry._replace(remarks=self._of(entry)) for name, entry in table.items()}

    def of_mixins(self, table: Mapping[str, Mixin]) -> dict[str, Mixin]:
        """Mixins with what they and their values files lose."""
        return {name: entry._replace(remarks=self._of(entry)) for name, entry in table.items()}

    def of_components(
        self, table: Mapping[str, ComponentEntry], places: Mapping[str, Span]
    ) -> dict[str, ComponentEntry]:
        """Components with what their places in the registry and their own values lose."""
        return {name: entry._replace(remarks=self._within(entry, places.get(name))) for name, entry in table.items()}

    def _of(self, entry: Recipe | Mixin) -> tuple[Diagnostic, ...]:
        return tuple(self._in({entry.span.file, *(values.file for ref in entry.refs for values in ref.values_files)}))

    def _within(self, entry: ComponentEntry, place: Span | None) -> tuple[Diagnostic, ...]:
        found = self._in({values.file for values in entry.defaults.values_files})
        if place is not None:
            stated = self._by_file.get(place.file, ())
            found += [remark for at, remark in stated if place.line <= at.line <= place.end_line]
        return tuple(found)

    def _in(self, files: Iterable[str]) -> list[Diagnostic]:
        return [remark for file in sorted(files) for _, remark in self._by_file.get(file, ())]
