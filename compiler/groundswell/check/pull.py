"""Bringing a chart from its repository, with what the user has told Helm about it: logins, certificates."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.helm import run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundswell.check.helm import Done, Helm
    from groundswell.resolve.resolution import Chart

_TIMEOUT = 120.0
_REFUSED = ("401", "403", "unauthorized", "forbidden", "credential", "denied")


class Refusal(NamedTuple):
    """Why no chart came, and what may help."""

    why: str
    advice: str = ""


def pull(chart: Chart, helm: Helm, environment: Mapping[str, str]) -> bytes | Refusal:
    """The chart's archive as its repository serves it.

    A repository that the user has added to Helm is asked in that name: with `--repo`, Helm would leave out the login.
    """
    with tempfile.TemporaryDirectory() as scratch:
        indexes = Path(scratch, "indexes")
        options = ["--repository-cache", str(indexes)]
        name = None if chart.oci else _added_as(chart.repository, helm, environment)
        if name is not None:
            done = _online(helm, ["repo", "update", name, *options], environment)
            if done.code != 0:
                return _refusal(chart, done)
            reference = [f"{name}/{chart.name}"]
        elif chart.oci:
            reference = [f"{chart.repository}/{chart.name}"]
        else:
            # Any other repository of the user's whose index Helm does not find would make it fail.
            reference = [chart.name, "--repo", chart.repository, "--repository-config", os.devnull]
        arguments = ["pull", *reference, "--version", chart.version, "--destination", scratch, *options]
        done = _online(helm, arguments, environment)
        archives = list(Path(scratch).glob("*.tgz"))
        return archives[0].read_bytes() if done.code == 0 and archives else _refusal(chart, done)


def _online(helm: Helm, arguments: Sequence[str], environment: Mapping[str, str]) -> Done:
    return run(helm, arguments, environment, _TIMEOUT, online=True)


def _added_as(repository: str, helm: Helm, environment: Mapping[str, str]) -> str | None:
    """The name under which `helm repo add` keeps a repository of the user's."""
    done = run(helm, ["repo", "list", "--output", "json"], environment, _TIMEOUT)
    try:
        listed = json.loads(done.out) if done.code == 0 else []
    except ValueError:
        return None
    return next((item["name"] for item in listed if item["url"].rstrip("/") == repository.rstrip("/")), None)


def _refusal(chart: Chart, done: Done) -> Refusal:
    if done.code is None:
        return Refusal("it took too long")
    why = done.err.splitlines()[-1].removeprefix("Error: ") if done.err else "no archive came"
    if not any(word in why.lower() for word in _REFUSED):
        return Refusal(why)
    if chart.oci:
        host = chart.repository.removeprefix("oci://").partition("/")[0]
        return Refusal(why, f"log in with `helm registry login {host}`")
    return Refusal(why, f"add it with its login: `helm repo add NAME {chart.repository} --username USER`")
