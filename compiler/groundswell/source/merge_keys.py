"""The merge key `<<` (yaml.org/type/merge.html): entries of other maps, below a map's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from groundswell.diagnostics.codes import source as codes
from groundswell.diagnostics.diagnostic import Related
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json, Mark

Merge: TypeAlias = "tuple[Mark, Json, Mark]"
"""A merge key's mark, its value, and the value's mark."""


def merge(
    merges: Sequence[Merge], data: dict[str, Json], marks: dict[str, tuple[Mark, Mark]], file: str
) -> Iterator[Diagnostic]:
    """Add the entries that a map's merge keys bring in. The map's own win, then those of earlier maps in a list."""
    (first, value, mark), *more = merges
    for second, _, _ in more:
        related = [Related(Span(file, *first[:4]), "first here")]
        help_ = "give one merge key a list: `<<: [*a, *b]`"
        yield codes.DUPLICATE_KEY(
            "the key `<<` stands twice in one map", Span(file, *second[:4]), related=related, help=help_
        )
    sources = zip(value, mark[5], strict=True) if isinstance(value, list) else [(value, mark)]
    for source, source_mark in sources:
        if not isinstance(source, dict):
            help_ = 'give it an alias of a map, or write `"<<"` for a key of that name'
            yield codes.BAD_MERGE("the merge key `<<` takes maps only", Span(file, *source_mark[:4]), help=help_)
            continue
        for key, entry in source.items():
            if key not in data:
                data[key] = entry
                marks[key] = source_mark[5][key]
