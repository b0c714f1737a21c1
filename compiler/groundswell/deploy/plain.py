"""What can be said of a manifest unrendered: its templates can be parsed, and its plain documents are objects.

A document without template actions reaches the cluster as it stands, so whatever is wrong with it is wrong now.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.deploy.template_blocks import template_findings
from groundswell.diagnostics.codes import manifests as codes
from groundswell.diagnostics.enumeration import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Manifest
    from groundswell.source.located import Located


# What only charts of their own have, or may have.
_SUSPECT = re.compile(r"\.(Template|Subcharts|Chart\.(?!Name|Version)|Release\.(?!Name|Service))")


def plain_findings(manifest: Manifest) -> tuple[Diagnostic, ...]:
    """Errors in the templates of a manifest and in its documents that hold no action."""
    parts = manifest.documents
    # Text behind a `...` is a fault of its own (D110), which YAML would report a second time.
    plain = [item for item in parts if not (item.actions or item.blank or item.dropped is not None)]
    broken = tuple(template_findings(parts[0])) if "{{" in parts[0].text else ()
    if not broken and _SUSPECT.search(parts[0].text):
        from groundswell.deploy.template_objects import absent_objects  # noqa: PLC0415  manifests seldom ask for one

        broken = tuple(absent_objects(parts[0]))
    # Inside a template block a document may be a part of one.
    judged = (
        finding
        for document in plain
        for finding in (*document.errors, *(_no_objects(document.values) if not document.depth else ()))
    )
    return (*broken, *judged)


def _no_objects(values: Sequence[Located]) -> Iterator[Diagnostic]:
    """Documents, and items of Lists, that are no objects."""
    for value in values:
        if value.data is None:
            continue
        if not isinstance(value.data, dict):
            what = "a list" if isinstance(value.data, list) else "a single value"
            yield codes.NO_OBJECT(f"the document is {what}, not an object", value.find(()))
            continue
        missing = [key for key in ("apiVersion", "kind") if not _is_text(value, key)]
        if missing:
            names = listed(f"`{key}`" for key in missing)
            yield codes.NO_OBJECT(f"the object has no {names}", value.find((missing[0],)))
        elif value.data["kind"] == "List" and isinstance(value.data.get("items"), list):
            yield from _no_objects(tuple(value["items"].elements()))


def _is_text(value: Located, key: str) -> bool:
    return isinstance(value.data.get(key), str) and bool(value.data[key])
