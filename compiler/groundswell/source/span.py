"""Places in source files: what a diagnostic points at and what an origin remembers."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of one source file.

    Lines and columns count from 1, columns in characters; `end_column` is the first column after the stretch.
    `file` is the file's identifier within a run (see `catalog.files`), not necessarily a path on this machine.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
