"""Which release of Helm a binary is, and which APIs it takes for served when it cannot ask a cluster."""

from __future__ import annotations

import json
import re
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from groundswell.check import cache
from groundswell.check.helm import find_helm, run, workers
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from groundswell.check.helm import Helm, Running
    from groundswell.diagnostics.diagnostic import Diagnostic

_OLDEST = {3: (3, 17, 0), 4: (4, 1, 1)}
_NEEDED = "Helm 3.17 or later, or 4.1.1 or later"
_TIMEOUT = 60.0
_CHART = "apiVersion: v2\nname: about\nversion: 1.0.0\n"
_TEMPLATE = "about: {{ list .Capabilities.HelmVersion.Version .Capabilities.APIVersions | toJson | quote }}\n"
_ANSWER = re.compile(rb'^about: (".*")$', re.MULTILINE)


class _Release(NamedTuple):
    version: str
    apis: frozenset[str]


Usable: TypeAlias = "tuple[Helm | None, tuple[Diagnostic, ...]]"


@contextmanager
def helm_meanwhile(environment: Mapping[str, str], running: Running) -> Iterator[Callable[[], Usable]]:
    """The binary to render with, or the finding that there is none or that it is too old, while something else is done.

    What is given waits for the answer. A binary is asked once; one that decides anew each time what is run is asked
    each time, and is told apart by what it answers. An interrupt ends it, too.
    """
    helm = find_helm(environment, running)
    if helm is None:
        yield lambda: (None, (codes.NO_HELM("there is no `helm` on PATH, and `GROUNDSWELL_HELM` names none"),))
        return
    with workers(helm, 1) as pool:
        yield pool.submit(_usable, helm, environment).result


def _usable(helm: Helm, environment: Mapping[str, str]) -> Usable:
    kept = cache.folder("helm-releases") / cache.key_of(helm.identity)
    stored = None if helm.opaque else cache.load(kept)
    release = _release(json.loads(stored)) if stored else _asked(helm, environment)
    if isinstance(release, str):
        return None, (codes.NO_HELM(f"`{helm.path}` cannot be used: {release}", help=f"install {_NEEDED}"),)
    if stored is None and not helm.opaque:
        cache.store(kept, json.dumps([release.version, sorted(release.apis)]).encode())
    if helm.opaque:
        helm = helm._replace(identity=f"{helm.identity}:{release.version}:{cache.key_of(*sorted(release.apis))}")
    return helm._replace(apis=release.apis), ()


def _asked(helm: Helm, environment: Mapping[str, str]) -> _Release | str:
    """What a template of Helm's own says, or why the binary cannot be used."""
    with tempfile.TemporaryDirectory(prefix="groundswell-check-") as scratch:
        templates = Path(scratch, "about", "templates")
        templates.mkdir(parents=True)
        (templates.parent / "Chart.yaml").write_text(_CHART, encoding="utf-8")
        (templates / "about.yaml").write_text(_TEMPLATE, encoding="utf-8")
        done = run(helm, ["template", "about", str(templates.parent)], environment, _TIMEOUT)
    if done.code is None:
        return "it does not answer"
    answer = _ANSWER.search(done.out)
    if done.code != 0 or answer is None:
        return done.err.splitlines()[-1] if done.err else f"it is not {_NEEDED}"
    release = _release(json.loads(json.loads(answer[1])))
    version = tuple(map(int, [*re.findall(r"\d+", release.version), 0, 0, 0][:3]))
    if version < _OLDEST.get(version[0], _OLDEST[3]):
        return f"it is Helm {release.version.removeprefix('v')}, and {_NEEDED} is needed"
    return release


def _release(data: tuple[str, list[str]]) -> _Release:
    return _Release(data[0], frozenset(data[1]))
