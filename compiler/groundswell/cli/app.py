"""The command group: commands are imported when they run or show their own help."""

from __future__ import annotations

import click

from groundswell import __version__
from groundswell.cli.lazy import LazyGroup

_COMMANDS = {
    "bundle": "Compile a bundle into a directory.",
    "catalog": "List, check and write catalogs.",
    "check": "Render every folder with Helm, and judge the objects.",
    "explain": "Say where a value came from, or what a code means.",
    "plan": "Show the waves and folders of a query.",
    "resolve": "Show the recipe that a query leads to.",
    "snapshot": "Read a cluster's facts through its API, without an agent.",
    "talos": "The machines under a cluster: what they are and what they are prepared for.",
    "verify": "Check that a bundle is exactly what was written.",
}


@click.group(
    cls=LazyGroup,
    summaries=_COMMANDS,
    modules="groundswell.cli.{}_command",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="groundswell %(version)s")
def app() -> None:
    """Compile recipes into GitOps bundles for Argo CD and plain Helm."""
