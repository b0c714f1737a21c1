"""Objects are written in versions that their definition serves, or every Kubernetes version that is allowed."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.rule import Found, Rule, about
from groundswell.check.served_apis import apis_of, built_in, newest
from groundswell.check.tables import table_lines
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.crds import Crd
    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import RenderedFolder, Rendering
    from groundswell.check.target import Target

_ASKED = "the chart asks the cluster; rendered without one, as Argo CD does, helm takes every API it knows for served"

_WRITTEN = ("apiVersion",)


class Removal(NamedTuple):
    """The minor that no longer serves an API version, and the version to write instead ("" when there is none)."""

    minor: int
    instead: str


def judge(rendering: Rendering) -> Iterator[Found]:
    """One finding for each object in a version that is, or may be, not served."""
    target = rendering.target
    served = {version for version, _ in apis_of(target.minor).served}
    for rendered in rendering.folders.values():
        for item in (item for item in rendered.objects if item.kind and item.data.get("apiVersion")):
            written = f"`{item.title}` is written in `{item.data.get('apiVersion')}`"
            removal = removals().get((str(item.data.get("apiVersion")), item.kind))
            advice = f"write `{removal.instead}`" if removal and removal.instead in served else ""
            if crds := rendering.crds.get((item.group, item.kind)):
                yield from _unserved(rendered, item, crds, written)
            elif removal and removal.minor <= target.minor:
                message = f"{written}, which Kubernetes 1.{removal.minor} removed"
                yield about(codes.NOT_SERVED, rendered, message, item, path=_WRITTEN, advice=advice)
            elif why := _not_served(item, target):
                yield _unasked(rendered, item, f"{written}, {why}", rendering)
            elif removal and (target.last_minor is None or removal.minor <= target.last_minor):
                message = f"{written}, which Kubernetes 1.{removal.minor} removes and the constraints allow"
                yield about(codes.SOON_REMOVED, rendered, message, item, path=_WRITTEN, advice=advice)
        yield from _assumed(rendered, rendering)


def _unserved(rendered: RenderedFolder, item: KubeObject, crds: tuple[Crd, ...], written: str) -> Iterator[Found]:
    """A custom resource whose own definition in the bundle does not serve its version."""
    served = dict.fromkeys(version for crd in crds for version in crd.versions)
    if item.version not in served:
        name = crds[0].definition.name
        advice = f"write {' or '.join(f'`{item.group}/{version}`' for version in served)}" if served else ""
        message = f"{written}, which its definition `{name}` does not serve"
        yield about(codes.NOT_SERVED, rendered, message, item, path=_WRITTEN, advice=advice)


def _unasked(rendered: RenderedFolder, item: KubeObject, message: str, rendering: Rendering) -> Found:
    """An error, but a warning where only helm's own list led the chart to write this version."""
    version = str(item.data.get("apiVersion"))
    if version in rendering.assumed and version in {api for api, _ in rendered.facts.apis}:
        return about(codes.APIS_ASSUMED, rendered, message, item, path=_WRITTEN, advice=_ASKED)
    served = sorted(other for other, kind in apis_of(rendering.target.minor).served if kind == item.kind)
    instead = [f"write `{other}`" for other in served if other.rpartition("/")[0] == item.group]
    return about(codes.NOT_SERVED, rendered, message, item, path=_WRITTEN, advice="".join(instead[-1:]))


def _assumed(rendered: RenderedFolder, rendering: Rendering) -> Iterator[Found]:
    """One finding for each version that the chart was told is served and is not, without an object that shows it.

    Where the chart asks for another version of the group that is served, or writes one, it made no use of this.
    """
    asked = {api for api, _ in rendered.facts.seen_in(rendered.text).apis} if rendering.assumed else set()
    served = {version for version, _ in apis_of(rendering.target.minor).served}
    written = {str(item.data.get("apiVersion")) for item in rendered.objects}
    decided = {version.rpartition("/")[0] for version in asked & (served | (written & rendering.assumed))}
    for version in sorted(asked & rendering.assumed):
        if version.rpartition("/")[0] not in decided:
            message = (
                f"`{rendered.folder.name}` was told that `{version}` is served, which Kubernetes"
                f" {rendering.target.version} does not serve"
            )
            yield about(codes.APIS_ASSUMED, rendered, message, advice=_ASKED)


def _not_served(item: KubeObject, target: Target) -> str:
    """Why a built-in kind is not served in this version; "" when it is, or when it is none or of a newer Kubernetes."""
    api = (str(item.data.get("apiVersion")), item.kind)
    known = apis_of(target.minor)
    if api in known.served or not built_in(item.group, item.kind):
        return ""
    if api in known.off:
        return f"which Kubernetes {target.version} does not serve unless `--runtime-config` says so"
    return f"which Kubernetes {target.version} does not serve" if target.minor <= newest() else ""


@cache
def removals() -> Mapping[tuple[str, str], Removal]:
    """By API version and kind."""
    found: dict[tuple[str, str], Removal] = {}
    for line in table_lines("removed-apis.tsv"):
        minor, version, kinds, instead = line.split("\t")
        removal = Removal(int(minor.removeprefix("1.")), instead.removeprefix("-"))
        found |= {(version, kind): removal for kind in kinds.split()}
    return found


RULE = Rule(
    "api-versions",
    str(__doc__),
    (codes.NOT_SERVED, codes.SOON_REMOVED, codes.APIS_ASSUMED),
    "https://kubernetes.io/docs/reference/using-api/deprecation-guide/",
    judge,
)
