"""The rules, in the order in which they are documented; one module each."""

from __future__ import annotations

from groundswell.check.rules import (
    api_versions,
    architectures,
    capabilities,
    definitions,
    duplicates,
    edges,
    empty_folders,
    host_paths,
    kernel_modules,
    namespace_levels,
    namespaces,
    node_resources,
    own_cpus,
    pod_security,
    purity,
    schemas,
    undefined_kinds,
    unused_edges,
    validation,
    value_paths,
)

RULES = (
    schemas.RULE,
    validation.RULE,
    api_versions.RULE,
    undefined_kinds.RULE,
    empty_folders.RULE,
    edges.RULE,
    unused_edges.RULE,
    definitions.RULE,
    capabilities.RULE,
    duplicates.RULE,
    namespaces.RULE,
    pod_security.RULE,
    namespace_levels.RULE,
    purity.RULE,
    node_resources.RULE,
    own_cpus.RULE,
    host_paths.RULE,
    kernel_modules.RULE,
    architectures.RULE,
    value_paths.RULE,
)
