"""A draft becomes files of a catalog on disk, or findings that say why not."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from groundswell.catalog.files import FOLDERS, SHIPPED, Layer, Layout, layers_of, read_files, shipped_root
from groundswell.catalog.scaffold import drafted, proved
from groundswell.cli.catalog_schema import schema_text
from groundswell.cli.findings import stop
from groundswell.cli.sources import RunSources
from groundswell.diagnostics.codes import aicr as aicr_codes
from groundswell.diagnostics.codes import model as codes

if TYPE_CHECKING:
    from groundswell.catalog.scaffold import Draft
    from groundswell.diagnostics.diagnostic import Diagnostic

_NEXT = {
    "recipe": "state its values",
    "mixin": "state its values, and name it under `mixins:` of a recipe",
    "component": "describe it, and name it under `componentRefs:` of a recipe",
    "patch": "state what changes",
}


class _Place(NamedTuple):
    """Where files go: into the last of the layers. `schemas` is the directory of the schemas for editors there."""

    layers: tuple[Layer, ...]
    schemas: str
    options: str

    @property
    def target(self) -> Layer:
        return self.layers[-1]


def write_draft(draft: Draft, catalogs: tuple[Path, ...], diagnostics: str) -> None:
    """Write a draft's files if none of them is there and the catalog is sound with them; else exit with 1."""
    place = _place(catalogs)
    sources = RunSources(place.layers)
    texts, findings = _sound(draft, place)
    if findings:
        stop(findings, sources, diagnostics)
    schema = f"{place.schemas}/{draft.kind}.json"
    if not os.path.lexists(place.target.root / schema):
        texts[schema] = schema_text(draft.kind)
    for path, text in texts.items():
        file = place.target.root / path
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("x", encoding="utf-8", newline="\n") as opened:
                opened.write(text)
        except OSError as error:
            stop([codes.UNREADABLE(f"`{file}` cannot be written: {error.strerror}")], sources, diagnostics)
        click.echo(f"wrote {file}")
    todo = _NEXT["patch" if draft.patch else draft.kind]
    click.echo(f"next: {todo}; then run `groundswell catalog check{place.options}`")


def _place(catalogs: tuple[Path, ...]) -> _Place:
    """The working directory is the place when no catalog is given; the shipped catalog lies under all but itself."""
    directories = catalogs or (Path(),)
    if len(directories) == 1 and directories[0].resolve() == shipped_root():
        return _Place((Layer(SHIPPED, directories[0]),), "docs/schemas", "")
    options = "".join(f" --catalog {shlex.quote(str(directory))}" for directory in directories)
    return _Place(layers_of(directories), ".schemas", options)


def _sound(draft: Draft, place: _Place) -> tuple[dict[str, str], tuple[Diagnostic, ...]]:
    """The texts of a draft, and every reason not to write them."""
    layers, target = place.layers, place.target
    if target.layout is Layout.AICR:
        text = f"the catalog `{target.root}` has the AICR layout, and these files would have another"
        return {}, (aicr_codes.STANDS_ALONE(text, help="give a directory of its own with --catalog"),)
    texts, findings = drafted(draft, place.schemas)
    findings += tuple(
        codes.DUPLICATE_NAME(f"`{target.root / path}` is there already", help="choose another name, or edit that file")
        for path in texts
        if os.path.lexists(target.root / path)
    )
    if findings:
        return {}, findings
    begun = any((target.root / folder).is_dir() for folder in FOLDERS)
    files, unread = read_files(layers if begun else layers[:-1])
    files = files._replace(layers=tuple(layer.name for layer in layers))
    return texts, (*unread, *proved(files, target.name, texts))
