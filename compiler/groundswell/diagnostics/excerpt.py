"""One source line as a terminal shows it, and the columns that a span covers in it."""

from __future__ import annotations

from groundswell.diagnostics.visible import visible, width

_TAB = 4
_WIDEST = 120  # columns of a line that are shown; of longer ones only the part around the span
_BEFORE = 40  # columns kept before the span when a line is cut
_CUT = "..."
_NEAR = 400  # characters looked at on either side of the span: a whole document can be one line


def excerpt(line: str, column: int, end_column: int | None) -> tuple[str, int, int]:
    """Lay out `line` and the stretch from `column` up to `end_column` (to the end of the line when None).

    Columns count characters from 1. Returns the text to show, the columns to leave empty under it, and the columns to
    mark: at least one, also for an empty stretch or one behind the end of the line.
    """
    text = line.rstrip("\r\n")
    start = min(max(column - 1, 0), len(text))
    end = len(text.rstrip()) if end_column is None else end_column - 1
    skipped = max(0, start - _NEAR)
    cells = _cells(text[skipped : start + _NEAR])
    offsets = [0]
    for _, columns in cells:
        offsets.append(offsets[-1] + columns)
    start, end = start - skipped, end - skipped
    left, right = _window(offsets, start)
    shown = "".join(cell for cell, _ in cells[left:right])
    before, after = (_CUT if skipped + left else ""), (_CUT if skipped + right < len(text) else "")
    indent = len(before) + offsets[start] - offsets[left]
    length = offsets[max(start, min(end, right))] - offsets[start]
    return f"{before}{shown}{after}", indent, max(length, 1)


def _cells(text: str) -> list[tuple[str, int]]:
    """What each character is shown as, and how many columns that takes."""
    cells: list[tuple[str, int]] = []
    position = 0
    for char in text:
        shown = " " * (_TAB - position % _TAB) if char == "\t" else visible(char)
        columns = width(shown) if len(shown) == 1 else len(shown)
        cells.append((shown, columns))
        position += columns
    return cells


def _window(offsets: list[int], start: int) -> tuple[int, int]:
    """The stretch of characters to show: all, or as many as fit around the one at `start`."""
    last = len(offsets) - 1
    if offsets[last] <= _WIDEST:
        return 0, last
    left = start
    while left and offsets[start] - offsets[left - 1] <= _BEFORE:
        left -= 1
    right = left
    while right < last and offsets[right + 1] - offsets[left] <= _WIDEST:
        right += 1
    return left, right
