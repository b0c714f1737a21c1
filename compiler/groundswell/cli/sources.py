"""Source files as the user knows them: the names that findings show, and the lines that they quote."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from groundswell.source.bounded import read_bounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundswell.catalog.files import Layer


class RunSources:
    """The files of one run: the catalog's layers, and single files such as that of `--recipe`.

    Lines are read from disk only when a finding quotes them.
    """

    def __init__(
        self, layers: Iterable[Layer] = (), files: Mapping[str, Path] | None = None, *, follow: bool = True
    ) -> None:
        """Know the roots of the layers, and single files by their identifiers. Unless `follow`, no link is quoted."""
        self.layers = tuple(layers)
        self._roots = {layer.name: layer.root for layer in self.layers}
        self._files = dict(files or {})
        self._follow = follow
        self._lines: dict[str, list[str]] = {}

    def know(self, file_id: str, path: Path) -> None:
        """Know one more single file."""
        self._files[file_id] = path

    def display(self, file_id: str) -> str:
        """The path relative to the working directory where the file is below it, else as given."""
        path = self._path(file_id)
        if path is None:
            return file_id
        try:
            # A link is shown under its own name, whatever it leads to.
            return (path.parent.resolve() / path.name).relative_to(Path.cwd()).as_posix()
        except (ValueError, OSError):
            return path.as_posix()

    def line(self, file_id: str, number: int) -> str | None:
        """The line with this number, from 1."""
        if file_id not in self._lines:
            path = self._path(file_id)
            try:
                text = read_bounded(path).decode("utf-8-sig", errors="replace") if path and self._quotable(path) else ""
            except OSError:
                text = ""
            self._lines[file_id] = text.split("\n")
        lines = self._lines[file_id]
        return lines[number - 1] if 0 < number <= len(lines) else None

    def _quotable(self, path: Path) -> bool:
        """Whether a file may be opened for a quotation: what a catalog refuses to read, such as a pipe, is not."""
        roots = [root.resolve() for root in self._roots.values() if path.is_relative_to(root)]
        if path.is_symlink() and not self._follow:
            return False
        return path.is_file() and all(path.resolve().is_relative_to(root) for root in roots)

    def _path(self, file_id: str) -> Path | None:
        if file_id in self._files:
            return self._files[file_id]
        layer, _, path = file_id.partition("/")
        if layer in self._roots:
            return self._roots[layer] / path
        return Path(file_id) if Path(file_id).is_file() else None
