"""The rules, in the order in which they are documented; one module each."""

from __future__ import annotations

from groundswell.check.rules import (
    api_versions,
    capabilities,
    definitions,
    duplicates,
    edges,
    namespaces,
    purity,
    schemas,
    undefined_kinds,
    unused_edges,
)

RULES = (
    schemas.RULE,
    api_versions.RULE,
    undefined_kinds.RULE,
    edges.RULE,
    unused_edges.RULE,
    definitions.RULE,
    capabilities.RULE,
    duplicates.RULE,
    namespaces.RULE,
    purity.RULE,
)
