"""The files of a catalog's layers: finding them, reading them, naming them, and the digest over them all."""

from __future__ import annotations

import hashlib
import os
import stat
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from groundswell.diagnostics.codes import aicr as aicr_codes
from groundswell.diagnostics.codes import model as codes
from groundswell.diagnostics.suggest import misspelt
from groundswell.source.bounded import MAX_BYTES
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic

SHIPPED = "groundswell"
"""The layer that comes with the program; a file's identifier is its layer's name, `/`, and its path there."""

FOLDERS = ("recipes", "mixins", "components")
FOREIGN = ("overlays", "registry.yaml")
"""What tells the AICR layout."""

ENDINGS = (".yaml", ".yml", ".json")
"""How, in lower case, files end that may hold documents; this project reads of them what ends in `.yaml`."""


class Layout(Enum):
    """Whose catalog format a directory has."""

    OWN = "own"
    AICR = "aicr"


class Layer(NamedTuple):
    """One directory of a catalog under the name that identifiers of its files begin with."""

    name: str
    root: Path

    @property
    def layout(self) -> Layout:
        """The format that the directory's entries tell of."""
        foreign = (self.root / FOREIGN[1]).is_file() or (self.root / FOREIGN[0]).is_dir()
        return Layout.AICR if foreign and not (self.root / "recipes").is_dir() else Layout.OWN

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders whose files are read."""
        return FOLDERS if self.layout is Layout.OWN else ("",)

    def reads(self, path: Path) -> bool:
        """Whether a path is one of these folders or lies inside, links followed; nothing hidden is read."""
        roots = [(self.root / folder).resolve() for folder in self.folders]
        inside = [path.resolve().relative_to(root) for root in roots if path.resolve().is_relative_to(root)]
        return any(not part.startswith(".") for below in inside for part in below.parts[:1] or ("",))


class CatalogFiles(NamedTuple):
    """Every file of every layer: `content` by identifier, lowest layer first, and the layers' names in that order."""

    layers: tuple[str, ...]
    content: Mapping[str, bytes]
    layout: Layout = Layout.OWN

    def lookup(self, path: str, layer: str) -> str | None:
        """The identifier of the file at `path` as seen from `layer`: its own file first, then those of lower layers."""
        for name in reversed(self.layers[: self.layers.index(layer) + 1]):
            if f"{name}/{path}" in self.content:
                return f"{name}/{path}"
        return None

    def judges(self, identifier: str) -> bool:
        """Whether a file is for `catalog check` to judge: beside catalogs of the user's, no shipped one is."""
        return not identifier.startswith(f"{SHIPPED}/") or self.layers == (SHIPPED,)

    def digest(self) -> str:
        """SHA-256 over the identifiers and contents of all files (64 hex digits)."""
        total = hashlib.sha256()
        for name in sorted(self.content):
            total.update(f"{name}\0{hashlib.sha256(self.content[name]).hexdigest()}\n".encode())
        return total.hexdigest()


def layers_of(directories: Sequence[Path]) -> tuple[Layer, ...]:
    """The shipped catalog's layer under one layer for each directory of the user's, in the order given.

    A directory of the AICR layout stands alone.
    """
    names = ["catalog", *(f"catalog-{number}" for number in range(2, len(directories) + 1))]
    own = tuple(Layer(name, root) for name, root in zip(names, directories, strict=False))
    if len(own) == 1 and own[0].layout is Layout.AICR:
        return own
    return (Layer(SHIPPED, shipped_root()), *own)


def shipped_root() -> Path:
    """Where the shipped catalog is: inside the installed package, or at the top of the checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "shipped"
    return installed if installed.is_dir() else package.parents[1]


def lookalikes(root: Path) -> dict[str, str]:
    """Directories in a catalog's root that have nearly the name of one of its folders, with that name."""
    names = [path.name for path in root.iterdir() if path.is_dir()] if root.is_dir() else []
    others = sorted(name for name in names if name not in FOLDERS)
    return {name: meant for name in others if (meant := misspelt(name, FOLDERS))}


def read_files(layers: Sequence[Layer]) -> tuple[CatalogFiles, tuple[Diagnostic, ...]]:
    """Read every file that the catalog's format knows, and name what looks like one but would not be read."""
    findings: list[Diagnostic] = []
    content: dict[str, bytes] = {}
    names = tuple(layer.name for layer in layers)
    alone = layers[0].layout if len(layers) == 1 else Layout.OWN
    for layer in layers:
        if layer.layout is not alone:
            text = f"the catalog `{layer.root}` has the AICR layout and stands alone"
            findings.append(aicr_codes.STANDS_ALONE(text, help="give one such directory, and no other --catalog"))
        elif layer.layout is Layout.OWN and not any((layer.root / folder).is_dir() for folder in FOLDERS):
            found = "is not a directory" if not layer.root.is_dir() else f"has none of {', '.join(FOLDERS)}"
            meant = [f"`{guess}` where there is `{name}`" for name, guess in lookalikes(layer.root).items()]
            hint = f"did you mean {', '.join(meant)}?" if meant else ""
            findings.append(codes.UNREADABLE(f"the catalog `{layer.root}` {found}", help=hint))
        else:
            content |= _layer_content(layer, findings)
    return CatalogFiles(names, content, alone), tuple(findings)


def _layer_content(layer: Layer, findings: list[Diagnostic]) -> dict[str, bytes]:
    content = {}
    own = layer.layout is Layout.OWN
    for path in _walk(layer, layer.folders, findings):
        identifier = f"{layer.name}/{path}"
        if not path.lower().endswith(ENDINGS):
            continue
        if own and not _expected(path):
            findings.append(_ignored(path, _whole(identifier)))
            continue
        data = _read(layer.root, path)
        if isinstance(data, str):
            findings.append(codes.UNREADABLE(f"`{path}` {data}", _whole(identifier)))
            continue
        content[identifier] = data
    return content


def _ignored(path: str, place: Span) -> Diagnostic:
    meant = f"{path.rpartition('.')[0]}.yaml"
    if _expected(meant):
        text = f"`{path}` is not read, because its ending is not `.yaml`"
        return codes.IGNORED_FILE(text, place, help=f"rename it to `{meant}`")
    return codes.IGNORED_FILE(f"`{path}` is not read from this place", place)


def _whole(identifier: str) -> Span:
    return Span(identifier, 1, 1, 1, 1)


def _walk(layer: Layer, folders: Iterable[str], findings: list[Diagnostic]) -> list[str]:
    """Paths of all files below some folders, hidden ones left out, sorted."""
    pending = [folder for folder in folders if (layer.root / folder).is_dir()]
    found: list[str] = []
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(layer.root / folder) as scan:
                entries = [entry for entry in scan if not entry.name.startswith(".")]
        except OSError as error:
            text = f"the directory `{folder}` cannot be read: {error.strerror}"
            findings.append(codes.UNREADABLE(text, _whole(f"{layer.name}/{folder}")))
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}".removeprefix("/")
            if unreadable := _refused(entry):
                name = path.encode(errors="backslashreplace").decode()
                findings.append(codes.UNREADABLE(f"`{name}` {unreadable}", _whole(f"{layer.name}/{name}")))
            elif entry.is_dir(follow_symlinks=False):
                pending.append(path)
            else:
                found.append(path)
    return sorted(found)


def _refused(entry: os.DirEntry[str]) -> str:
    """Why an entry of a directory is not read, in words; empty when it is."""
    if entry.is_symlink() and entry.is_dir():
        return "is a link to a directory, and only links to files are followed"
    try:
        entry.name.encode()
    except UnicodeEncodeError:
        return "has a name that is not UTF-8"
    return ""


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
        status = place.lstat()
        if stat.S_ISLNK(status.st_mode):
            if not place.resolve().is_relative_to(root.resolve()):
                return "is a link that leaves the catalog"
            status = place.stat()
        if not stat.S_ISREG(status.st_mode):
            return "is not a regular file"
        if status.st_size > MAX_BYTES:
            return f"has {status.st_size} bytes; at most {MAX_BYTES} are read"
        return place.read_bytes()
    except OSError as error:
        return f"cannot be read: {error.strerror}"
