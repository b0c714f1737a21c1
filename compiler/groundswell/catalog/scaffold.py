"""New files for a catalog, written from templates; nothing is written that the loader would refuse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from jinja2 import PackageLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from groundswell.catalog.load import load
from groundswell.diagnostics.codes import model as codes
from groundswell.diagnostics.diagnostic import Diagnostic, Severity
from groundswell.model.fields import NAME_LENGTH, NAME_PATTERN
from groundswell.source.emitter import Quoted, emit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.catalog.files import CatalogFiles


class Draft(NamedTuple):
    """A document that an author wants: a recipe, mixin or component of a name, and what is known of it already.

    `stated` are the variables of the template of that kind, the name and `patch` left out.
    """

    kind: str
    name: str
    patch: bool
    stated: Mapping[str, Any] = {}


def drafted(draft: Draft, schemas: str) -> tuple[dict[str, str], tuple[Diagnostic, ...]]:
    """The files of a draft by their paths in the catalog. `schemas` is the directory of the schemas there.

    Returns:
        The texts, none when the name cannot be one; and what is wrong with it.
    """
    if not re.fullmatch(NAME_PATTERN, draft.name) or len(draft.name) > NAME_LENGTH:
        text = f"`{draft.name}` is no name: lower-case letters, digits and `-`, at most {NAME_LENGTH} characters"
        return {}, (codes.BAD_VALUE(text),)
    if (draft.kind, draft.name) == ("recipe", "support"):
        return {}, (codes.BAD_VALUE("`recipes/support.yaml` is the place of the support list"),)
    folder = f"components/{draft.name}"
    match draft.kind:
        case "component":
            texts = {f"{folder}/component.yaml": _text(draft, f"../../{schemas}")}
            if draft.patch or draft.stated["helm"]:
                texts[f"{folder}/values.yaml"] = _rendered("values", {})
            else:
                texts[f"{folder}/manifests/{draft.name}.yaml"] = _rendered("manifest", {"name": draft.name})
        case kind:
            texts = {f"{kind}s/{draft.name}.yaml": _text(draft, f"../{schemas}")}
    return texts, ()


def proved(files: CatalogFiles, layer: str, texts: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """The errors that a catalog has with some new files in one of its layers; those of new files have no place."""
    new = {f"{layer}/{path}": text.encode() for path, text in texts.items()}
    loaded = load(files._replace(content={**files.content, **new}))
    return tuple(
        _unplaced(finding) if finding.span is not None and finding.span.file in new else finding
        for finding in loaded.findings
        if finding.severity is Severity.ERROR
    )


def _unplaced(finding: Diagnostic) -> Diagnostic:
    hint = "`--patch` merges the new document on top of it" if finding.code == codes.DUPLICATE_NAME.code else ""
    return finding._replace(span=None, help=hint or finding.help)


def _text(draft: Draft, schemas: str) -> str:
    known = {"name": draft.name, "patch": draft.patch, "schema": f"{schemas}/{draft.kind}.json"}
    return _rendered(draft.kind, {**draft.stated, **known})


def _rendered(template: str, variables: Mapping[str, Any]) -> str:
    environment = ImmutableSandboxedEnvironment(
        loader=PackageLoader("groundswell.catalog"),
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"scalar": _scalar, "quoted": lambda text: _scalar(Quoted(text))}
    return environment.get_template(f"{template}.yaml.j2").render(variables)


def _scalar(text: str) -> str:
    """Text as a YAML scalar of one line."""
    return emit(Quoted(text) if "\n" in text else text).rstrip("\n")
