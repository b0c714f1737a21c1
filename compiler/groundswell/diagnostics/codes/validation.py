"""Findings of `groundswell check`: what the API server's own code refuses, beyond the published schemas."""

from __future__ import annotations

from groundswell.diagnostics.diagnostic import Code, Severity

BAD_NAME = Code(
    "K209",
    Severity.ERROR,
    "name that the API server refuses",
    "What an object, a container, a volume, a port or a label may be called is no part of the published schemas: the "
    "API server's own code holds each against the form that it must have, which is not the same for all kinds. Names "
    "that templates put together from a release and a suffix are often too long.",
    "Shorten or correct the value that the name comes from, such as `fullnameOverride`.",
)
BAD_QUANTITY = Code(
    "K210",
    Severity.ERROR,
    "amount that the API server refuses",
    "Amounts of resources are text for the schemas. The API server reads them: the suffix must be one that it knows, a "
    "request must not be more than the limit, and huge pages and devices are whole and have a limit that equals the "
    "request.",
    "Correct the value: `Gi` and `Mi` are powers of 1024, `G` and `M` of 1000, `m` is a thousandth.",
)
NOT_VALID = Code(
    "K211",
    Severity.ERROR,
    "object whose fields the API server does not accept together",
    "The API server's own code knows which words a field may have, and which fields go together: a selector selects the"
    " labels of its template, a mount names a volume, a probe asks in one way. None of it is in the published schemas, "
    "so the object is refused in the middle of an installation.",
    "Correct the values, or what the chart makes of them.",
)

CODES: tuple[Code, ...] = (
    BAD_NAME,
    BAD_QUANTITY,
    NOT_VALID,
)
