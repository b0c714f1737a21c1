"""The files of a catalog's layers: finding them, reading them, naming them, and the digest over them all."""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import model as codes
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic

SHIPPED = "groundswell"
"""The layer that comes with the program; a file's identifier is its layer's name, `/`, and its path there."""

FOLDERS = ("recipes", "mixins", "components")
MAX_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Layer:
    """One directory of a catalog under the name that identifiers of its files begin with."""

    name: str
    root: Path


@dataclass(frozen=True, slots=True)
class CatalogFiles:
    """Every file of every layer: `content` by identifier, lowest layer first, and the layers' names in that order."""

    layers: tuple[str, ...]
    content: Mapping[str, bytes]

    def lookup(self, path: str, layer: str) -> str | None:
        """The identifier of the file at `path` as seen from `layer`: its own file first, then those of lower layers."""
        for name in reversed(self.layers[: self.layers.index(layer) + 1]):
            if f"{name}/{path}" in self.content:
                return f"{name}/{path}"
        return None

    def digest(self) -> str:
        """SHA-256 over the identifiers and contents of all files (64 hex digits)."""
        total = hashlib.sha256()
        for name in sorted(self.content):
            total.update(f"{name}\0{hashlib.sha256(self.content[name]).hexdigest()}\n".encode())
        return total.hexdigest()


def layers_of(directories: Sequence[Path]) -> tuple[Layer, ...]:
    """The shipped catalog's layer under one layer for each directory of the user's, in the order given."""
    names = ["catalog", *(f"catalog-{number}" for number in range(2, len(directories) + 1))]
    own = (Layer(name, root) for name, root in zip(names, directories, strict=False))
    return (Layer(SHIPPED, shipped_root()), *own)


def shipped_root() -> Path:
    """Where the shipped catalog is: inside the installed package, or at the top of the checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "shipped"
    return installed if installed.is_dir() else package.parents[1]


def read_files(layers: Iterable[Layer]) -> tuple[CatalogFiles, tuple[Diagnostic, ...]]:
    """Read every file that the catalog format knows, and name what looks like one but would not be read."""
    findings: list[Diagnostic] = []
    content: dict[str, bytes] = {}
    names: list[str] = []
    for layer in layers:
        names.append(layer.name)
        if not any((layer.root / folder).is_dir() for folder in FOLDERS):
            found = "is not a directory" if not layer.root.is_dir() else f"has none of {', '.join(FOLDERS)}"
            findings.append(codes.UNREADABLE(f"the catalog `{layer.root}` {found}"))
            continue
        for path in _walk(layer.root):
            identifier = f"{layer.name}/{path}"
            if not path.endswith((".yaml", ".yml", ".json")):
                continue
            if not _expected(path):
                findings.append(codes.IGNORED_FILE(f"`{path}` is not read from this place", _whole(identifier)))
                continue
            data = _read(layer.root, path)
            if isinstance(data, str):
                findings.append(codes.UNREADABLE(f"`{path}` {data}", _whole(identifier)))
                continue
            content[identifier] = data
    return CatalogFiles(tuple(names), content), tuple(findings)


def _whole(identifier: str) -> Span:
    return Span(identifier, 1, 1, 1, 1)


def _walk(root: Path) -> Iterator[str]:
    """Paths of all files below the catalog's folders, hidden ones left out, sorted."""
    pending = [folder for folder in FOLDERS if (root / folder).is_dir()]
    found: list[str] = []
    while pending:
        folder = pending.pop()
        with os.scandir(root / folder) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                path = f"{folder}/{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    pending.append(path)
                else:
                    found.append(path)
    return iter(sorted(found))


def _expected(path: str) -> bool:
    """Whether the catalog format has a file at this path."""
    if not path.endswith(".yaml"):
        return False
    match path.split("/"):
        case ["recipes" | "mixins", _] | ["components", _, _] | ["components", _, "manifests", _]:
            return True
        case _:
            return False


def _read(root: Path, path: str) -> bytes | str:
    """A file's bytes, or why it cannot be read."""
    place = root / path
    try:
        if place.is_symlink() and not place.resolve().is_relative_to(root.resolve()):
            return "is a link that leaves the catalog"
        status = place.stat()
        if not stat.S_ISREG(status.st_mode):
            return "is not a regular file"
        if status.st_size > MAX_BYTES:
            return f"has {status.st_size} bytes; at most {MAX_BYTES} are read"
        return place.read_bytes()
    except OSError as error:
        return f"cannot be read: {error.strerror}"
