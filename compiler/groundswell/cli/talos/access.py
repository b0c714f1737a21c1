"""The options that lead `talosctl` to machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from groundswell.cli.options import PathType

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

F = TypeVar("F", bound="Callable[..., Any]")

_TIMEOUT = 30.0


def access_options(command: F) -> F:
    """Add `--talosconfig`, `--context`, `--endpoint` and `--timeout`."""
    for option in (
        click.option(
            "--timeout", type=click.FloatRange(min=0, min_open=True), default=_TIMEOUT, show_default=True,
            metavar="SECONDS", help="How long to wait for one answer of a machine.",
        ),
        click.option(
            "--endpoint", "endpoints", multiple=True, metavar="ADDRESS",
            help="The Talos API to go through; may be repeated.  [default: the context's]",
        ),
        click.option("--context", metavar="NAME", help="The context of the talosconfig.  [default: the current one]"),
        click.option(
            "--talosconfig", metavar="FILE", type=PathType(), help="As talosctl takes it.  [default: $TALOSCONFIG, …]"
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def access_words(talosconfig: Path | None, context: str | None, endpoints: tuple[str, ...]) -> list[str]:
    """The words of `talosctl` for what these options say."""
    words = ["--talosconfig", str(talosconfig)] if talosconfig else []
    words += ["--context", context] if context else []
    return [*words, "--endpoints", ",".join(endpoints)] if endpoints else words
