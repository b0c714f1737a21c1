"""Findings about the text of manifests, whatever Helm makes of it: D116 to D120."""

from __future__ import annotations

from groundswell.diagnostics.diagnostic import Code, Severity

FILE_TOO_LARGE = Code(
    "D116",
    Severity.ERROR,
    "file too large for a chart",
    "Helm refuses a chart with a file of more than 5 MiB, and the folder that holds the file is a chart.",
    "Split the file, or let the cluster fetch large data from elsewhere.",
)
NO_OBJECT = Code(
    "D117",
    Severity.ERROR,
    "document that is no Kubernetes object",
    "A document must be a map with an `apiVersion` and a `kind`. Helm or the API server refuses anything else, in the"
    " middle of a deployment.",
    "Correct the document, or remove it.",
)
BROKEN_TEMPLATE = Code(
    "D118",
    Severity.ERROR,
    "template that cannot be parsed",
    "Helm parses a manifest as a template before anything else. One action that is not closed, or an `if`, `range` or"
    " `with` without its `end`, fails the whole folder.",
    "Close what the message names.",
)
RENDERED_IDENTITY = Code(
    "D119",
    Severity.WARNING,
    "kind or annotation that only rendering tells",
    "The compiler gives Namespaces an owner and refuses hooks. It reads manifests before they are rendered, so it sees"
    " neither where a template action writes the kind or the annotation's key.",
    "Write the kind and the keys of annotations as plain text; use an `if` around the object where there are several.",
)
ABSENT_OBJECT = Code(
    "D120",
    Severity.ERROR,
    "object that manifests do not have",
    "A manifest is rendered as a text inside of a small chart that Helm and Argo CD make the same objects of, not as a"
    " template of the component's own chart. What Helm says there of templates, subcharts and all else in `Chart.yaml`"
    " is not known here: it would be empty, or fail the folder while it is installed.",
    "Write what is meant as text, or state it as a value of the component and read it from `.Values`.",
)

CODES: tuple[Code, ...] = (FILE_TOO_LARGE, NO_OBJECT, BROKEN_TEMPLATE, RENDERED_IDENTITY, ABSENT_OBJECT)
