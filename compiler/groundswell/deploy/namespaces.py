"""Namespaces as the compiler emits them: labelled, kept, and rendered only where they belong to their release."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import deployer as codes
from groundswell.source.emitter import emit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.deploy.documents import ApiObject
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json, Located

RELEASES_NAMESPACE = "groundswell"
"""Where the Helm releases live that own a Namespace: none can be stored in the Namespace that it brings."""

_BUILT_IN = frozenset({"default", "kube-system", "kube-public", "kube-node-lease", RELEASES_NAMESPACE})
_LABEL_NAME = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
_MANAGED_BY = "app.kubernetes.io/managed-by"
_POD_SECURITY = {
    f"pod-security.kubernetes.io/{mode}{suffix}": value
    for mode in ("enforce", "audit", "warn")
    for suffix, value in (("", "privileged"), ("-version", "latest"))
}
_KEEP = {"helm.sh/resource-policy": "keep"}
# Comma lists of options, so that an author's own ones can stand beside those that every Namespace gets.
_OPTIONS = {
    "argocd.argoproj.io/sync-options": ("Prune=false", "Delete=false"),
    "argocd.argoproj.io/compare-options": ("IgnoreExtraneous",),
}


def namespace_file(declared: ApiObject, component: str, *, talos: bool) -> tuple[str, tuple[Diagnostic, ...]]:
    """The template that brings a Namespace: the author's object, the bundle's labels and annotations, and a guard.

    The file is YAML as it stands and a Helm template at the same time. What Helm makes of it is decided by the template
    `groundswell.namespace` in `_namespace.tpl`. On Talos the Namespace admits privileged pods and carries the labels to
    select it by; `app.kubernetes.io/managed-by` is set even over an author's value, since Helm rewrites it in any case.
    """
    labels = _texts(declared, "labels")
    annotations = _texts(declared, "annotations")
    wanted = _talos_labels(component) if talos else {}
    findings = [
        *_invalid(declared),
        *_contradicted(declared, "labels", wanted),
        *_contradicted(declared, "annotations", _KEEP),
    ]
    merged: dict[str, str] = {}
    for key, ours in _OPTIONS.items():
        merged[key], problems = _options(declared, key, ours)
        findings += problems
    data = declared.node.data
    metadata = data["metadata"] if isinstance(data.get("metadata"), dict) else {}
    everything = {
        "name": declared.name,
        **metadata,
        "labels": _sorted(labels | wanted),
        "annotations": _sorted(annotations | _KEEP | merged),
    }
    if not everything["labels"]:
        del everything["labels"]
    text = emit({"apiVersion": "v1", "kind": "Namespace", **data, "metadata": everything})
    name = f"groundswell.namespace.{declared.name}"
    guard = f'{{{{ include "groundswell.namespace" (list . "{name}") }}}}'
    return f'# {{{{- define "{name}" }}}}\n{text}# {{{{- end }}}}{guard}\n', tuple(findings)


def _talos_labels(component: str) -> dict[str, str]:
    return {
        **_POD_SECURITY,
        _MANAGED_BY: "groundswell",
        "app.kubernetes.io/component": component,
        "groundswell.dev/os": "talos",
        "groundswell.dev/managed": "true",
    }


def _invalid(declared: ApiObject) -> Iterator[Diagnostic]:
    """What the API server or the cluster would refuse."""
    if not _LABEL_NAME.fullmatch(declared.name):
        place = declared.node.find(("metadata", "name"))
        advice = "write lower-case letters, digits and `-`, at most 63 characters, as `metadata.name`"
        yield codes.NAMESPACE_INVALID("the Namespace has no name that a cluster takes", place, help=advice)
    if declared.name in _BUILT_IN:
        message = f"Namespace `{declared.name}` is not a component's to own"
        yield codes.NAMESPACE_BUILT_IN(message, declared.node.find(("metadata", "name")), help="remove the document")
    for field in ("labels", "annotations"):
        if declared.metadata is not None and not isinstance(declared.metadata.data.get(field, {}), dict | None):
            place = declared.node.find(("metadata", field))
            message = f"`{field}` of Namespace `{declared.name}` is no map"
            yield codes.NAMESPACE_INVALID(message, place, help="write keys and values below it")
        for key, value in _located(declared, field):
            if not isinstance(value.data, str):
                message = f"`{key}` of Namespace `{declared.name}` is not text"
                yield codes.NAMESPACE_INVALID(message, value.span, help="put the value into quotes")


def _contradicted(declared: ApiObject, field: str, wanted: Mapping[str, str]) -> Iterator[Diagnostic]:
    for key, value in _located(declared, field):
        if key in wanted and key != _MANAGED_BY and value.data != wanted[key]:
            message = f"`{key}` of Namespace `{declared.name}` must be `{wanted[key]}`"
            yield codes.NAMESPACE_CONTRADICTION(message, value.span, help="remove it: the bundle sets it")


def _options(declared: ApiObject, key: str, ours: tuple[str, ...]) -> tuple[str, tuple[Diagnostic, ...]]:
    """The author's options followed by those of ours that are missing, and the ones that say the opposite."""
    written = _texts(declared, "annotations").get(key, "")
    options = [option.strip() for option in written.split(",") if option.strip()]
    names = {option.partition("=")[0]: option for option in ours}
    findings = tuple(
        codes.NAMESPACE_CONTRADICTION(
            f"`{option}` in `{key}` of Namespace `{declared.name}` must be `{names[option.partition('=')[0]]}`",
            declared.node.find(("metadata", "annotations", key)),
            help="remove it: the bundle sets it",
        )
        for option in options
        if option not in ours and option.partition("=")[0] in names
    )
    return ",".join(dict.fromkeys([*options, *ours])), findings


def _located(declared: ApiObject, field: str) -> Iterator[tuple[str, Located]]:
    metadata = declared.metadata
    if metadata is not None and isinstance(metadata.data.get(field), dict):
        yield from metadata[field].items()


def _texts(declared: ApiObject, field: str) -> dict[str, Json]:
    return {key: value.data for key, value in _located(declared, field)}


def _sorted(mapping: Mapping[str, Json]) -> dict[str, Json]:
    return dict(sorted(mapping.items()))
