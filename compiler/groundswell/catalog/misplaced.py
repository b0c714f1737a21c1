"""What lies beside the folders of a catalog, is not read there, and can hardly be meant to stand there."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from groundswell.catalog.files import ENDINGS, FOLDERS, FOREIGN, Layout, lookalikes
from groundswell.diagnostics.codes import model as codes
from groundswell.diagnostics.suggest import did_you_mean
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from groundswell.catalog.files import Layer
    from groundswell.diagnostics.diagnostic import Diagnostic

_ENOUGH = 1 << 16
_DEPTH = 2


def misplaced(layers: Iterable[Layer], given: Path | None = None) -> tuple[Diagnostic, ...]:
    """Warnings for folders with nearly the name of a catalog's, for those of the other layout, and for stray documents.

    `given` is the recipe of the query, which may stand anywhere.
    """
    return tuple(
        finding
        for layer in layers
        if layer.layout is Layout.OWN and layer.root.is_dir()
        for finding in (*_folders(layer), *_documents(layer, given))
    )


def _folders(layer: Layer) -> Iterator[Diagnostic]:
    for name, meant in lookalikes(layer.root).items():
        if place := _first(layer, name):
            yield codes.MISPLACED(f"the folder `{name}` is not read", place, help=did_you_mean(meant))
    for name in FOREIGN:
        if (layer.root / name).exists() and (place := _first(layer, name)):
            text = f"`{name}` belongs to the AICR layout, and this catalog is not read as one, because it has `recipes`"
            yield codes.MISPLACED(text, place, help="give catalogs of the two layouts directories of their own")


def _first(layer: Layer, name: str) -> Span | None:
    """The place of the first YAML file in a folder, or of the file of that name."""
    if not (layer.root / name).is_dir():
        return Span(f"{layer.name}/{name}", 1, 1, 1, 1)
    for folder, below, files in os.walk(layer.root / name):
        path = os.path.relpath(folder, layer.root)
        below[:] = sorted(below) if path.count(os.sep) + 1 < _DEPTH else []
        for file in sorted(files):
            if file.lower().endswith(ENDINGS) and not file.startswith("."):
                return Span(f"{layer.name}/{path.replace(os.sep, '/')}/{file}", 1, 1, 1, 1)
    return None


def _documents(layer: Layer, given: Path | None) -> Iterator[Diagnostic]:
    homes = {"Recipe": FOLDERS[0], "Support": FOLDERS[0], "Mixin": FOLDERS[1], "Component": f"{FOLDERS[2]}/<name>"}
    for path in sorted(layer.root.iterdir()):
        if not path.name.lower().endswith(ENDINGS) or path.name.startswith(".") or not path.is_file():
            continue
        if given is not None and path.resolve() == given.resolve():
            continue
        if (kind := _kind(path)) in homes:
            text = f"a {kind} is not read from this place"
            hint = f"move it to `{homes[kind]}/`"
            hint += ", or give it with --recipe" if kind == "Recipe" else ""
            yield codes.MISPLACED(text, Span(f"{layer.name}/{path.name}", 1, 1, 1, 1), help=hint)


def _kind(path: Path) -> str:
    """The kind of this project's documents that a file holds, "" for all other files."""
    try:
        with path.open("rb") as file:
            text = file.read(_ENOUGH).decode(errors="replace")
    except OSError:
        return ""
    key = r"""(?:^|[{,])\s*["']?%s["']?\s*:\s*["']?"""
    own = re.search(key % "apiVersion" + r"groundswell\.dev/", text, re.MULTILINE)
    found = re.search(key % "kind" + r"(\w+)", text, re.MULTILINE)
    return found[1] if own and found else ""
