"""Findings about putting a resolution in order."""

from __future__ import annotations

from groundswell.diagnostics.diagnostic import Code, Severity

MISSING_DEPENDENCY = Code(
    "P101",
    Severity.ERROR,
    "dependency that is not in the plan",
    "A component waits for another that the query does not lead to, so it would be installed without what it needs.",
    "Add the component to a recipe, or disable it (`enabled: false`, `--without`) if the cluster has it already.",
)
CYCLE = Code(
    "P102",
    Severity.ERROR,
    "components that wait for each other",
    "Dependencies go round in a circle, so there is no order to install in.",
    "Take one of the edges out (`without: {dependencyRefs: [...]}`).",
)
NAME_COLLISION = Code(
    "P103",
    Severity.ERROR,
    "component named like another's phase",
    "The folder before or after a chart is named after its component with `-pre` or `-post`. A component of "
    "that very name would "
    "share its folder and release.",
    "Rename the component.",
)
NAME_TOO_LONG = Code(
    "P104",
    Severity.ERROR,
    "release name too long",
    "Helm refuses release names above 53 characters, the suffix of the phase included.",
    "Shorten the component's name.",
)
EMPTY_PLAN = Code(
    "P105",
    Severity.ERROR,
    "nothing to install",
    "Every component is disabled or left out.",
    "Enable at least one component.",
)
TWO_CNIS = Code(
    "P106",
    Severity.ERROR,
    "two CNIs",
    "Each of the components connects the pods of the whole cluster (`cluster.cni: none`). Both would set up the "
    "network of every pod, and which one a pod gets is chance.",
    "Leave one of them out (`--without`).",
)
KUBE_PROXY = Code(
    "P107",
    Severity.ERROR,
    "kube-proxy and its replacement do not fit",
    "Either the cluster has kube-proxy, or the component does its work. With neither no Service has an address that "
    "answers, and nothing on the cluster reaches anything; with both, two programs rewrite the same connections.",
    "Set the value that replaces kube-proxy, or `cluster.kubeProxy` in a patch of the component, so that one of "
    "the two is at work.",
)
BOTH_PHASES = Code(
    "P108",
    Severity.ERROR,
    "manifest before and after the chart",
    "The folders before and after a chart are releases of their own, and a manifest makes the same objects in both. "
    "Helm refuses an object that another release owns, and two Applications of Argo CD would contend for it.",
    "List the file under `preManifestFiles` or under `manifestFiles`, by when its objects are needed.",
)

CODES: tuple[Code, ...] = (
    MISSING_DEPENDENCY,
    CYCLE,
    NAME_COLLISION,
    NAME_TOO_LONG,
    EMPTY_PLAN,
    TWO_CNIS,
    KUBE_PROXY,
    BOTH_PHASES,
)
