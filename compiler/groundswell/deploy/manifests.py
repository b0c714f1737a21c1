"""What the compiler must know of manifests before Helm renders them: Namespaces, hooks, missing namespaces.

A manifest is a template, so it is read around its actions, and only where the text gives a reason to.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from groundswell.deploy.actions import MASK
from groundswell.deploy.documents import ApiObject, objects
from groundswell.deploy.file_size import too_large
from groundswell.deploy.plain import plain_findings
from groundswell.deploy.scopes import Scope, scope
from groundswell.diagnostics.codes import deployer as codes
from groundswell.diagnostics.codes import manifests as text_codes
from groundswell.source.emitter import emit
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from groundswell.deploy.documents import Document
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Manifest

_NAMESPACE = re.compile(r"""\bkind["']?\s*:\s*["']?Namespace\b""")
_HOOK = re.compile(r"""["']?((?:helm\.sh|argocd\.argoproj\.io)/hook[\w-]*)["']?\s*:""")
# What only rendering tells: the object's own kind stands at column 0, an annotation's key below that.
_RENDERED = re.compile(rf"""\bkind["']?\s*:[^\n,}}]*{MASK}|{MASK}[^\s:]*["']?\s*:""")
_RENDERED_KIND = re.compile(rf"""^["']?kind["']?\s*:[^\n#]*{MASK}""", re.MULTILINE)
_SKIP_MARK = "+argocd:skip-file-rendering"
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_ADD_NAMESPACE = "write `namespace: {{ .Release.Namespace }}` under `metadata`"


class Inspected(NamedTuple):
    """A manifest as it goes into `manifests/`: its base name, its text, and the Namespaces taken out of that."""

    name: str
    text: str
    namespaces: tuple[ApiObject, ...]


def owned_namespaces(manifests: Sequence[Manifest]) -> tuple[str, ...]:
    """The names of the Namespaces that manifests hold, in order, each once. What cannot be read is passed over here."""
    names = (
        item.name
        for manifest in manifests
        for document in manifest.documents
        if _NAMESPACE.search(document.masked)
        for item in objects(document.values)
        if item.is_namespace and item.name and MASK not in item.name
    )
    return tuple(dict.fromkeys(names))


def inspect(manifest: Manifest, *, beside_namespace: bool) -> tuple[Inspected, tuple[Diagnostic, ...]]:
    """Take the Namespaces out of a manifest and look for what no deployer would do as its author expects.

    `beside_namespace` says that the folder owns a Namespace, so that its Helm release lives in another namespace than
    its component: then every object must name its own. A file that held only Namespaces is left without text.
    """
    parts = manifest.documents
    findings = [*_refused(manifest), *too_large(manifest), *plain_findings(manifest)]
    if all(document.empty for document in parts):
        findings.append(codes.MANIFEST_EMPTY(f"`{manifest.name}` holds no object", Span(manifest.file, 1, 1, 1, 1)))
    kept: list[str] = []
    taken: list[ApiObject] = []
    remains = False
    for document in parts:
        text, namespaces, problems = _taken_apart(document, beside_namespace=beside_namespace)
        findings += problems
        taken += namespaces
        kept.append(text)
        remains = remains or (bool(text) if namespaces else not document.empty)
    return Inspected(manifest.name, "".join(kept) if remains or not taken else "", tuple(taken)), tuple(
        dict.fromkeys(findings)
    )


def _taken_apart(
    document: Document, *, beside_namespace: bool
) -> tuple[str, tuple[ApiObject, ...], tuple[Diagnostic, ...]]:
    """What stays of a document's text, the Namespaces taken out of it, and findings."""
    text = document.text[document.start : document.end]
    findings = [*_dropped(document)]
    if not (beside_namespace or any(reason.search(document.masked) for reason in (_NAMESPACE, _HOOK, _RENDERED))):
        return text, (), tuple(findings)
    items, problems = _read(document)
    findings += problems
    findings += _judged(items, beside_namespace=beside_namespace)
    if beside_namespace and not (items or problems or document.blank):
        findings.append(_unsure("a document", document.place(document.start, document.start)))
    namespaces = tuple(item for item in items if item.is_namespace)
    if not namespaces:
        return text, (), tuple(findings)
    findings += _templated(document, namespaces)
    if document.actions:
        return text, (), tuple(findings)
    rest = "".join(f"---\n{emit(item.node.data)}" for item in items if not item.is_namespace)
    return rest, namespaces, tuple(findings)


def _refused(manifest: Manifest) -> Iterator[Diagnostic]:
    """Names and marks that Argo CD takes for something else."""
    if not _FILE_NAME.fullmatch(manifest.name):
        yield codes.MANIFEST_REFUSED(
            f"`{manifest.name}` is no name for a manifest file",
            Span(manifest.file, 1, 1, 1, 1),
            help="use letters, digits, `.`, `_` and `-`, and begin with a letter or digit",
        )
    at = manifest.text.find(_SKIP_MARK)
    if at >= 0:
        line, before = manifest.text.count("\n", 0, at) + 1, manifest.text.rfind("\n", 0, at)
        span = Span(manifest.file, line, at - before, line, at - before + len(_SKIP_MARK))
        yield codes.MANIFEST_REFUSED(f"`{_SKIP_MARK}` makes Argo CD pass over the file", span, help="remove the mark")


def _dropped(document: Document) -> Iterator[Diagnostic]:
    """Text behind a `...`: for Helm and Argo CD the document ends there, and what follows needs a `---`."""
    at = document.dropped
    if at is not None:
        message = "text follows `...` without `---`, and the deployers drop it"
        yield codes.MANIFEST_REFUSED(message, document.place(at, at), help="begin it with a line `---`")


def _read(document: Document) -> tuple[tuple[ApiObject, ...], tuple[Diagnostic, ...]]:
    """The objects of a document. Errors of its YAML count only where no action can have caused them."""
    if document.errors and not document.actions:
        return (), document.errors
    unread = document.actions and not document.values
    return tuple(objects(document.values)), tuple(_unreadable(document)) if unread else ()


def _unreadable(document: Document) -> Iterator[Diagnostic]:
    """What the text alone tells of a document that cannot be read around its actions."""
    namespace, hook = _NAMESPACE.search(document.masked), _HOOK.search(document.masked)
    if namespace:
        place = document.place(document.start + namespace.start(), document.start + namespace.end())
        yield _action("a document with a Namespace cannot be read around its template actions", place)
    if hook:
        yield _hook("the object", hook[1], document.place(document.start + hook.start(1), document.start + hook.end(1)))
    if kind := _RENDERED_KIND.search(document.masked):
        yield _rendered(
            "the kind of an object", document.place(document.start + kind.start(), document.start + kind.end())
        )


def _templated(document: Document, namespaces: Sequence[ApiObject]) -> Iterator[Diagnostic]:
    """Actions in or around a document that holds Namespaces, and text that would become one when rendered."""
    first = namespaces[0]
    if document.actions:
        action = document.actions[0]
        yield _action(
            f"the document of {_titled(first)} holds a template action", document.place(action.start, action.end)
        )
    elif document.depth:
        yield _action(f"{_titled(first)} stands inside a template block", first.place)
    elif "{{" in emit([item.node.data for item in namespaces]):
        yield _action(f"{_titled(first)} holds text that would be read as a template action", first.place)


def _judged(items: Iterable[ApiObject], *, beside_namespace: bool) -> Iterator[Diagnostic]:
    for item in items:
        if MASK in item.kind:
            yield _rendered("the kind of an object", item.place)
        yield from _annotated(item)
        if beside_namespace:
            yield from _unplaced(item)


def _annotated(item: ApiObject) -> Iterator[Diagnostic]:
    """Hooks, and annotations of which only rendering tells whether they are hooks."""
    annotations = item.annotations
    if annotations is None:
        return
    test = annotations.data.get("helm.sh/hook") == "test"
    for key in annotations.data:
        if MASK in key:
            yield _rendered("the key of an annotation", annotations.key_span(key))
        elif not test and _HOOK.fullmatch(key + ":"):
            yield _hook(_titled(item), key, annotations.key_span(key))


def _unplaced(item: ApiObject) -> Iterator[Diagnostic]:
    """An object that does not name its namespace, unless its kind has none."""
    if item.metadata is not None and "namespace" in item.metadata:
        return
    where = scope(item.group, item.kind)
    if where is Scope.NAMESPACED:
        message = f"{_titled(item)} names no namespace, and its folder keeps its release in `groundswell`"
        yield codes.NAMESPACE_MISSING(message, item.place, help=_ADD_NAMESPACE)
    elif where is Scope.UNKNOWN:
        yield _unsure(_titled(item), item.place)


def _titled(item: ApiObject) -> str:
    """How findings name an object; what only rendering tells is left out."""
    kind = item.kind if item.kind and MASK not in item.kind else "object"
    return f"{kind} `{item.name}`" if item.name and MASK not in item.name else f"the {kind}"


def _action(message: str, place: Span) -> Diagnostic:
    return codes.NAMESPACE_ACTION(message, place, help="write the Namespace as plain YAML in a document of its own")


def _unsure(title: str, place: Span) -> Diagnostic:
    message = f"{title} names no namespace that can be read, and whether it needs one is not known"
    return codes.NAMESPACE_UNSURE(message, place, help=f"{_ADD_NAMESPACE}, unless the kind lives in the cluster")


def _rendered(what: str, place: Span) -> Diagnostic:
    advice = "write it as plain text, so that Namespaces and hooks can be told"
    return text_codes.RENDERED_IDENTITY(f"only rendering tells {what}", place, help=advice)


def _hook(title: str, key: str, place: Span) -> Diagnostic:
    advice = "remove it, and list the file under `preManifestFiles` or `manifestFiles` by when it is needed"
    return codes.HOOK(f"{title} carries the hook annotation `{key}`", place, help=advice)
