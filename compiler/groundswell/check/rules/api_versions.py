"""Objects are written in versions that every Kubernetes version allowed by the constraints serves."""

from __future__ import annotations

import pkgutil
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.rule import Found, Rule, about
from groundswell.check.rules.schemas import schemas_for
from groundswell.deploy.scopes import Scope, scope
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import RenderedFolder, Rendering


class Removal(NamedTuple):
    """The minor that no longer serves an API version, and the version to write instead ("" when there is none)."""

    minor: int
    instead: str


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each object in a version that is, or may be, not served."""
    target = rendering.target
    for rendered in rendering.folders.values():
        for item in rendered.objects:
            written = f"`{item.title}` is written in `{item.data.get('apiVersion')}`"
            removal = removals().get((str(item.data.get("apiVersion")), item.kind))
            advice = f"write `{removal.instead}`" if removal and removal.instead else ""
            if removal and removal.minor <= target.minor:
                message = f"{written}, which Kubernetes 1.{removal.minor} removed"
                yield about(codes.NOT_SERVED, rendered, message, item, advice=advice)
            elif removal and (target.last_minor is None or removal.minor <= target.last_minor):
                message = f"{written}, which Kubernetes 1.{removal.minor} removes and the constraints allow"
                yield about(codes.SOON_REMOVED, rendered, message, item, advice=advice)
            elif not removal and _not_yet(item, rendering):
                yield _too_new(rendered, item, f"{written}, which Kubernetes {target.version} does not serve")


def _too_new(rendered: RenderedFolder, item: KubeObject, message: str) -> Found:
    """An error, but a warning where the chart asks which version there is: helm alone takes its own list for that."""
    asked = any(api.startswith(str(item.data.get("apiVersion"))) for api in rendered.facts.apis)
    advice = (
        "the chart asks the cluster; rendered without one, as Argo CD does, helm takes every API it knows for served"
    )
    found = about(codes.NOT_SERVED, rendered, message, item, advice=advice if asked else "")
    return replace(found, diagnostic=found.diagnostic.as_warning()) if asked else found


def _not_yet(item: KubeObject, rendering: Rendering) -> bool:
    """Whether Kubernetes has the kind, but not in this version; told only with schemas of the very target."""
    known = schemas_for(rendering.target.minor)
    if known is None or known.minor != rendering.target.minor or (item.group, item.kind) in rendering.crds:
        return False
    own = item.group in known.groups or scope(item.group, item.kind) is not Scope.UNKNOWN
    return own and (item.group, item.version, item.kind) not in known.kinds


@cache
def removals() -> Mapping[tuple[str, str], Removal]:
    """By API version and kind."""
    data = pkgutil.get_data("groundswell.check", "data/removed-apis.tsv")
    assert data is not None
    found: dict[tuple[str, str], Removal] = {}
    for line in data.decode().splitlines():
        if not line.startswith("#"):
            minor, version, kinds, instead = line.split("\t")
            removal = Removal(int(minor.removeprefix("1.")), instead.removeprefix("-"))
            found |= {(version, kind): removal for kind in kinds.split()}
    return found


RULE = Rule(
    "api-versions",
    str(__doc__),
    (codes.NOT_SERVED, codes.SOON_REMOVED),
    "https://kubernetes.io/docs/reference/using-api/deprecation-guide/",
    judge,
)
