"""The table that install.sh and uninstall.sh read: one line per folder, in the order of installation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from groundswell.deploy.places import field_place
from groundswell.diagnostics.codes import deployer as codes
from groundswell.plan.plan import Phase

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from groundswell.deploy.deployer import BuiltFolder
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Folder, Plan
    from groundswell.resolve.resolution import Chart, Component

RELEASES_OF_NAMESPACES = "groundswell"
"""Where the releases live that own Namespaces: Helm stores a release in its namespace before it creates any object, so
that a release cannot create the namespace that it is stored in."""

_EMPTY = "-"
_EVERY_CLUSTER_HAS = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})

# A field of the table: visible ASCII, so that neither a separator nor a line can be forged, and no leading `-`, which
# would make an option of it.
_FIELD = re.compile(r"[!-,./-~][!-~]*")

# Values of Kubernetes labels are at most 63 characters long; Helm stores a release's labels on its Secret.
_LABEL_LENGTH = 63

_KIND = r"^[ \t-]*[\"']?kind[\"']?[ \t]*:[ \t]*[\"']?{}\b"
_CLAIM = re.compile(_KIND.format("PersistentVolumeClaim"), re.MULTILINE)
_PODS = re.compile(
    _KIND.format("(?:Pod|Deployment|ReplicaSet|StatefulSet|DaemonSet|ReplicationController|Job)"), re.MULTILINE
)


class Row(NamedTuple):
    """One folder as the scripts see it.

    `flags` are words: `create-namespace`, `owns-namespaces`, `skip-crds`, `crds-dir`, `no-wait`. `digest` is as much of
    the folder's digest as fits a label.
    """

    folder: str
    component: str
    release: str
    namespace: str
    chart: str
    repository: str
    version: str
    flags: tuple[str, ...]
    digest: str


def rows(plan: Plan, folders: Mapping[str, BuiltFolder]) -> tuple[tuple[Row, ...], tuple[Diagnostic, ...]]:
    """One row per folder of the plan, and an error for each chart whose address cannot stand in the table."""
    table_rows = tuple(_row(plan, folder, folders[folder.name]) for folder in plan.folders)
    findings = tuple(
        finding for folder in plan.folders if not folder.local for finding in _check(plan.components[folder.component])
    )
    return table_rows, findings


def table(lines: Sequence[Row]) -> str:
    """The file's text. Fields are separated by a tab and never empty: a shell takes a run of tabs for one."""
    heading = "# " + "\t".join(Row._fields)
    return "\n".join((heading, *("\t".join(_cells(row)) for row in lines), ""))


def _cells(row: Row) -> Iterator[str]:
    for cell in row:
        text = cell if isinstance(cell, str) else ",".join(cell)
        yield text or _EMPTY


def _row(plan: Plan, folder: Folder, built: BuiltFolder) -> Row:
    component = plan.components[folder.component]
    chart = None if folder.local else component.chart
    namespace = RELEASES_OF_NAMESPACES if folder.phase is Phase.PRE and folder.owns else folder.namespace
    return Row(
        folder=folder.name,
        component=folder.component,
        release=folder.release,
        namespace=namespace,
        chart=chart.name if chart else "",
        repository=chart.repository if chart else "",
        version=chart.version if chart else "",
        flags=tuple(_flags(plan, folder, built, namespace)),
        digest=built.digest[:_LABEL_LENGTH],
    )


def _flags(plan: Plan, folder: Folder, built: BuiltFolder, namespace: str) -> Iterator[str]:
    # Helm creates a namespace bare; where a template holds it, that template alone may make it.
    if namespace not in plan.namespaces_owned | _EVERY_CLUSTER_HAS:
        yield "create-namespace"
    if folder.owns:
        yield "owns-namespaces"
    if folder.local:
        if _waits_for_ever(built):
            yield "no-wait"
        return
    crds = plan.components[folder.component].crds
    if crds == "separate":
        yield "skip-crds"
    if crds == "crds-dir":
        yield "crds-dir"


def _waits_for_ever(built: BuiltFolder) -> bool:
    """Whether waiting could deadlock: a claim whose storage class binds at first use, and nothing here that uses it."""
    text = "\n".join(file.data.decode() for file in built.files if "/manifests/" in file.path)
    return bool(_CLAIM.search(text)) and not _PODS.search(text)


def _check(component: Component) -> Iterator[Diagnostic]:
    chart = component.chart
    if chart is None:
        return
    for name, text in _address(chart):
        if not _FIELD.fullmatch(text):
            yield codes.CHART_ADDRESS(
                f"the {name} `{text}` of the chart of `{component.name}` cannot be handed to Helm",
                field_place(component, name),
                help=f"write a {name} of visible ASCII characters, without spaces and without a leading `-`",
            )


def _address(chart: Chart) -> tuple[tuple[str, str], ...]:
    # Versions are held to a stricter form for all deployers (`deploy.chart_source`).
    return (("chart", chart.name), ("repository", chart.repository))
