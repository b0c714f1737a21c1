"""Rendered text becomes API objects, each with the folder, the template and the namespace that it comes from."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.definition_text import shortened
from groundswell.check.template_files import is_verbatim
from groundswell.deploy.scopes import Scope, scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json

_SOURCE = re.compile(rb"^# Source: (.*)$", re.MULTILINE)

_INSTALLING = frozenset({"pre-install", "post-install", "pre-upgrade", "post-upgrade", "crd-install"})
"""Hooks that run when a bundle is installed: for Argo CD every sync is an upgrade as well."""

Identity = tuple[str, str, str, str]
"""Group, kind, namespace ("" for cluster-scoped kinds) and name: what an API server knows an object by."""


class KubeObject(NamedTuple):
    """One object. `folder` is its folder's name, `source` the path of its template, `data` must not be changed.

    `namespace` is where it will be: its own, else its release's; "" when its kind has none. `whole` is the text of a
    CustomResourceDefinition whose schemas `data` lacks, b"" when nothing is left out. `lasting`: it has the same
    name each time that it is rendered.
    """

    folder: str
    source: str
    data: Mapping[str, Json]
    namespace: str
    whole: bytes = b""
    lasting: bool = True

    @property
    def group(self) -> str:
        """The API group, "" for the core group."""
        return str(self.data.get("apiVersion", "")).rpartition("/")[0]

    @property
    def version(self) -> str:
        """The API version without its group."""
        return str(self.data.get("apiVersion", "")).rpartition("/")[2]

    @property
    def kind(self) -> str:
        """The kind."""
        return str(self.data.get("kind", ""))

    @property
    def metadata(self) -> Mapping[str, Json]:
        """The metadata, empty when it is no map."""
        return mapping(self.data.get("metadata"))

    @property
    def name(self) -> str:
        """The name, "" where the server makes one."""
        return str(self.metadata.get("name", ""))

    @property
    def labels(self) -> Mapping[str, Json]:
        """The labels."""
        return mapping(self.metadata.get("labels"))

    @property
    def annotations(self) -> Mapping[str, Json]:
        """The annotations."""
        return mapping(self.metadata.get("annotations"))

    @property
    def custom(self) -> bool:
        """Whether its kind is none of Kubernetes' own, whose groups have no dot or end in `.k8s.io`."""
        group = self.group
        return "." in group and (not group.endswith(".k8s.io") or group.endswith(".x-k8s.io"))

    @property
    def hook(self) -> bool:
        """Whether it is one of Helm's hooks, which is no part of a release."""
        return "helm.sh/hook" in self.annotations

    @property
    def installed(self) -> bool:
        """Whether an installation makes it. Hooks of a deletion, of a rollback and tests come later, or never."""
        events = {text.strip() for text in str(self.annotations.get("helm.sh/hook", "")).split(",")}
        return not self.hook or not events.isdisjoint(_INSTALLING)

    @property
    def verbatim(self) -> bool:
        """Whether it comes from a chart's `crds/`, where nothing is a template: it is the same in every rendering."""
        return is_verbatim(self.source.partition("/")[2])

    @property
    def identity(self) -> Identity:
        """What tells it from every other object of a cluster, whatever the version it is written in."""
        return (self.group, self.kind, self.namespace, self.name)

    @property
    def title(self) -> str:
        """How findings name it: `Deployment monitoring/grafana`, or by its template when its name does not last."""
        if not self.lasting:
            return f"{self.kind or 'object'} of {self.source}"
        place = f"{self.namespace}/{self.name}" if self.namespace else self.name
        return f"{self.kind or 'object'} {place}"


def objects_of(text: bytes, folder: str, namespace: str) -> tuple[tuple[KubeObject, ...], tuple[Diagnostic, ...]]:
    """The objects that helm printed for a folder whose release lives in `namespace`, read as Helm and kubectl read.

    Schemas of definitions are most of the text of many charts, and few are ever needed: they are put off.

    Returns:
        The objects, Lists opened; and what is wrong in the text: places in it have `folder` for a file.
    """
    from groundswell.source.bare_values import read_values  # noqa: PLC0415  helm is at work by now

    short, put_off = shortened(text)
    documents, findings = read_values(short, folder)
    if findings and put_off:  # a comment or a text at the margin, say, within a schema
        short, put_off = text, ()
        documents, findings = read_values(short, folder)
    lines, sources = _sources(short)
    found = []
    for line, document in documents:
        index = bisect_right(lines, line) - 1
        source = sources[index] if index >= 0 else ""
        whole = next((part.whole for part in put_off if part.start <= line < part.end), b"")
        opened = _opened(document)
        found += [KubeObject(folder, source, data, _namespace(data, namespace), whole) for data in opened]
    return tuple(found), findings


def mapping(value: Json) -> Mapping[str, Json]:
    """The value when it is a map, else an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: Json) -> list[Json]:
    """The value when it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def _sources(text: bytes) -> tuple[list[int], list[str]]:
    """The lines on which helm names templates, and their paths."""
    lines, sources, line, at = [], [], 1, 0
    for match in _SOURCE.finditer(text):
        line += text.count(b"\n", at, match.start())
        at = match.start()
        lines.append(line)
        sources.append(match[1].decode(errors="replace").strip())
    return lines, sources


def _opened(data: Json) -> Iterator[Mapping[str, Json]]:
    """The objects in a document. As Helm sees it, whatever has `items` is a list, whose kind tells theirs."""
    if not isinstance(data, dict):
        return
    items = data.get("items", False)
    if not isinstance(items, list) and items is not None:
        yield data
        return
    for item in sequence(items):
        if isinstance(item, dict) and not item.get("kind") and not item.get("apiVersion"):
            kind = str(data.get("kind", "")).removesuffix("List")
            item = {**item, "apiVersion": data.get("apiVersion"), "kind": kind}  # noqa: PLW2901  the same object
        yield from _opened(item)


def _namespace(data: Mapping[str, Json], release: str) -> str:
    group, kind = str(data.get("apiVersion", "")).rpartition("/")[0], str(data.get("kind", ""))
    if scope(group, kind) is Scope.CLUSTER:
        return ""
    return str(mapping(data.get("metadata")).get("namespace") or release)
