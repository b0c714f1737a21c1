"""`groundswell catalog new`: files to begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from groundswell.cli.command import Command
from groundswell.cli.options import catalog_options, diagnostics_option

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

F = TypeVar("F", bound="Callable[..., Any]")


@click.group("new")
def new() -> None:
    """Write a file to begin with."""


def _document(command: F) -> F:
    """What all kinds of documents have in common."""
    for option in (
        diagnostics_option,
        catalog_options,
        click.option("--patch", is_flag=True, help="Merge it on top of the document of this name in a lower layer."),
        click.argument("name"),
    ):
        command = option(command)
    return command


def _criteria(command: F) -> F:
    """The criteria under which a recipe applies."""
    for option in (
        click.option("--platform", metavar="NAME", help="The platform that the query must say."),
        click.option("--intent", metavar="NAME", help="The intent that the query must say."),
        click.option("--os", metavar="NAME", help="The operating system that the query must say."),
        click.option("--accelerator", "--gpu", "accelerator", metavar="NAME", help="The accelerator that it must say."),
        click.option("--service", metavar="NAME", help="The service that the query must say."),
    ):
        command = option(command)
    return command


@new.command("recipe", cls=Command)
@_document
@_criteria
@click.option("--base", metavar="RECIPE", help="The recipe below this one.")
@click.option("--mixin", "mixins", multiple=True, metavar="MIXIN", help="A mixin to pull in; may be repeated.")
@click.option(
    "--component", "components", multiple=True, metavar="C", help="A component to say something on; may be repeated."
)
def recipe(name: str, patch: bool, catalogs: tuple[Path, ...], diagnostics: str, **stated: Any) -> None:
    """Write a recipe into the last --catalog, or into the working directory.

    It applies when the query says what the criteria options say.
    """
    from groundswell.catalog.entries import DIMENSIONS
    from groundswell.catalog.scaffold import Draft
    from groundswell.cli.scaffolding import write_draft
    from groundswell.resolve.query import stated as cleaned

    criteria = cleaned({dimension: stated.pop(dimension) for dimension in DIMENSIONS})
    write_draft(Draft("recipe", name, patch, {**stated, "criteria": criteria}), catalogs, diagnostics)


@new.command("mixin", cls=Command)
@_document
@click.option(
    "--component", "components", multiple=True, metavar="C", help="A component to say something on; may be repeated."
)
def mixin(name: str, patch: bool, catalogs: tuple[Path, ...], diagnostics: str, components: tuple[str, ...]) -> None:
    """Write a mixin into the last --catalog, or into the working directory."""
    from groundswell.catalog.scaffold import Draft
    from groundswell.cli.scaffolding import write_draft

    write_draft(Draft("mixin", name, patch, {"components": components}), catalogs, diagnostics)


@new.command("component", cls=Command)
@_document
@click.option("--repository", metavar="URL", help="Where the chart comes from: https://… or oci://…")
@click.option("--chart", metavar="NAME", help="The chart, when its name is not the component's.")
@click.option("--version", metavar="V", help="The chart's version.")
@click.option("--namespace", metavar="NAME", help="Where it is installed, when not in a namespace of its name.")
@click.option("--description", metavar="TEXT", help="One line that says what it is.")
def component(name: str, patch: bool, catalogs: tuple[Path, ...], diagnostics: str, **stated: str | None) -> None:
    """Write a component into the last --catalog, or into the working directory.

    Without --repository and --version it consists of manifests.
    """
    from groundswell.catalog.scaffold import Draft
    from groundswell.cli.scaffolding import write_draft

    helm = {key: value for key in ("repository", "chart", "version") if (value := stated[key])}
    if helm and not patch:
        if not {"repository", "version"} <= helm.keys():
            raise click.UsageError("a chart needs --repository and --version")
        helm = {"repository": helm["repository"], "chart": helm.get("chart", name), "version": helm["version"]}
    known: dict[str, Any] = {
        "helm": helm,
        "namespace": stated["namespace"] or ("" if patch else name),
        "description": stated["description"] or ("" if patch else f"What {name} does, in one line"),
    }
    write_draft(Draft("component", name, patch, known), catalogs, diagnostics)
