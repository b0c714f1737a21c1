"""The command that compiles a bundle again, from its own `recipe.yaml`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from groundswell.deploy.deployer import Settings
from groundswell.deploy.registry import BUILT_IN

if TYPE_CHECKING:
    from collections.abc import Iterator

BUNDLE = "BUNDLE"
"""Stands for the bundle's directory."""
CLUSTER = "CLUSTER"
"""Stands for the Cluster file."""


def bundle_command(settings: Settings, *, repo: str = "") -> str:
    """`groundswell bundle --recipe BUNDLE/recipe.yaml … -o BUNDLE` with all options that bear on the files.

    `repo` takes the place of a repository that is not known.
    """
    words = ["groundswell", "bundle", "--recipe", f"{BUNDLE}/recipe.yaml", *_options(settings, repo), "-o", BUNDLE]
    return shlex.join(words)


def _options(settings: Settings, repo: str) -> Iterator[str]:
    if settings.cluster:
        yield from ("--cluster", CLUSTER)
    if settings.deployers != BUILT_IN:
        for name in settings.deployers:
            yield from ("--deployer", name)
    if settings.repo or repo:
        yield from ("--repo", settings.repo or repo)
    defaults = Settings._field_defaults
    for name in ("name", "revision", "path", "project", "argocd_namespace", "destination"):
        value = getattr(settings, name)
        if value != defaults[name] or (name == "name" and settings.named):
            yield from (f"--{name.replace('_', '-')}", value)
    if settings.cascade_delete:
        yield "--cascade-delete"
