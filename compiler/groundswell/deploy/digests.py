"""Digests of a folder and of a bundle's content: what has to change for anything to be deployed anew."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundswell.deploy.deployer import BuiltFolder
    from groundswell.resolve.resolution import Chart


def folder_digest(files: Iterable[tuple[str, bytes]], chart: Chart | None) -> str:
    """64 hex digits over a folder's files by their path inside it, and over the chart that it installs.

    The folder's number is no part of it, and neither is `application.yaml`: that says where a bundle lies, not what is
    in it.
    """
    contents = sorted((path, sha256(data).hexdigest()) for path, data in files)
    source = [chart.repository, chart.name, chart.version] if chart else []
    return _digest([source, contents])


def content_digest(folders: Iterable[BuiltFolder]) -> str:
    """64 hex digits over the sorted pairs of a folder's name without its number and its digest, nothing else."""
    return _digest(sorted((built.folder.release, built.digest) for built in folders))


def _digest(value: object) -> str:
    """Over JSON in one fixed form, which no two different values share."""
    return sha256(json.dumps(value, separators=(",", ":")).encode()).hexdigest()
