"""The options by which `talosctl` judges patches, and what is said of it on stderr."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar

import click

from groundswell.cli.options import PathType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from groundswell.bundle.files import File
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Cluster
    from groundswell.talos_client.validate import Validated

F = TypeVar("F", bound="Callable[..., Any]")

_TIMEOUT = 30.0
_FOLDER = "patches"


def validation_options(command: F) -> F:
    """Add `--validate` and `--base`."""
    for option in (
        click.option(
            "--base", metavar="PATH", type=PathType(),
            help="Lay the patches on this machine configuration, or on those in this directory (HOST.yaml, or "
            "controlplane.yaml and worker.yaml), and have `talosctl` validate the results.  [default: generated ones]",
        ),
        click.option(
            "--validate/--no-validate", "validate", default=None,
            help="Lay each host's patch on a configuration and have `talosctl` validate the result.  "
            "[default: where `talosctl` is on PATH]",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def validate_patches(
    cluster: Cluster, files: Iterable[File], base: Path | None, wanted: bool | None, diagnostics: str
) -> tuple[Diagnostic, ...]:
    """Have `talosctl` judge the patches among the files of a node layer; say what it judged, and return its refusals.

    `files` have the paths that the user sees.

    `wanted` is None where nobody said whether to.
    """
    from groundswell.diagnostics.codes.talos_validation import NOT_VALIDATED
    from groundswell.talos_client.talosctl import find_talosctl
    from groundswell.talos_client.validate import validate

    if wanted is False:
        if base is not None:
            raise click.UsageError("--base is what patches are validated on: leave out --no-validate")
        return ()
    asked = wanted is True or base is not None
    talosctl, findings = find_talosctl((), _TIMEOUT)
    if talosctl is None:
        missing = NOT_VALIDATED("the patches are not validated, because there is no `talosctl` on PATH")
        return findings if asked else (missing,)
    placed = [(PurePosixPath(file.path), file.data) for file in files]
    patches = {path.stem: (str(path), data) for path, data in placed if path.parent.name == _FOLDER}
    judged, findings = validate(talosctl, cluster, patches, base, asked=asked)
    if judged and diagnostics == "text":
        for line in _statements(judged, base):
            click.echo(line, err=True)
    return findings


def _statements(judged: Validated, base: Path | None) -> Iterable[str]:
    """Which patches were judged on what. What is wrong with them is in the findings."""
    for names, what in ((judged.on_user_base, f"{base}"), (judged.on_generated, "a generated configuration")):
        if names:
            yield f"judged by talosctl {judged.version} on {what}: {', '.join(names)}"
