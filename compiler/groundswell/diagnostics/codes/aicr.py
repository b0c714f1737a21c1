"""Findings about catalogs of the AICR layout."""

from __future__ import annotations

from groundswell.diagnostics.diagnostic import Code, Severity

STANDS_ALONE = Code(
    "M401",
    Severity.ERROR,
    "catalog that stands alone",
    "A catalog of the AICR layout has rules of its own for matching and merging, so it is neither laid over the "
    "shipped catalog nor combined with another one or with a recipe file.",
    "Give it as the only `--catalog`, and state the criteria as options.",
)
NO_REGISTRY = Code(
    "M402",
    Severity.ERROR,
    "no registry",
    "A catalog of the AICR layout has its components in `registry.yaml` and the root of all overlays in "
    "`overlays/base.yaml`.",
    "Add the file.",
)
RESERVED_NAME = Code(
    "M403",
    Severity.ERROR,
    "reserved name",
    "In the AICR layout, `deployer` is kept for settings of the deployer and can be no component's name.",
    "Choose another name.",
)
OS_NOT_STATED = Code(
    "M404",
    Severity.ERROR,
    "operating system not stated",
    "Overlays for the service exist for certain operating systems only. Without one, the query would get nothing that "
    "is made for it.",
    "State `--os` with one of the values that the finding names.",
)
UNDEPLOYABLE_REF = Code(
    "M405",
    Severity.ERROR,
    "component that cannot be deployed",
    "The component asks for something that no deployer here applies, such as Kustomize or patches.",
    "Correct the overlay, or leave the component out with `--without`.",
)
IGNORED_KEY = Code(
    "M411",
    Severity.WARNING,
    "key that is ignored",
    "The tool that the catalog was written for drops keys that it does not know without a word, and so does this one.",
    "Correct the spelling, or remove the key.",
)
IGNORED_DOCUMENT = Code(
    "M412",
    Severity.WARNING,
    "document that is not read",
    "The tool that the catalog was written for passes over files and documents like this one without a word, and so "
    "does this one.",
    "Correct the file's name, place or kind, or remove it.",
)
OVERWRITTEN = Code(
    "M413",
    Severity.WARNING,
    "entry that is overwritten",
    "Two documents or entries have one name. In the AICR layout the later one wins without a word.",
    "Rename one, or join them.",
)
UNREACHABLE_CRITERIA = Code(
    "M414",
    Severity.WARNING,
    "criteria that no query states",
    "Criteria are compared as written, and what users state is trimmed, put into lower case and freed of other names "
    "for the same thing. An overlay with such a value never applies.",
    "Write the value as queries have it.",
)
WEAKENED = Code(
    "M415",
    Severity.WARNING,
    "weakened constraint",
    "In the AICR layout a constraint replaces the one of the same name in its bases, so a condition that they rely on "
    "is lost.",
    "State a constraint that is at least as strict as the base's.",
)
WITHOUT_EFFECT = Code(
    "M416",
    Severity.WARNING,
    "entry without effect",
    "The tool that the catalog was written for accepts this and does nothing with it.",
    "Remove it, or say it where it takes effect.",
)
NO_BASE_VALUES = Code(
    "M417",
    Severity.WARNING,
    "component without base values",
    "A values file of a component lies on top of the `values.yaml` in the component's folder. The tool that the "
    "catalog was written for does without that one when it is missing, and so does this one: the result has the "
    "chart's own defaults in its place.",
    "Restore the `values.yaml`, or add an empty one if there is to be nothing in it.",
)

CODES: tuple[Code, ...] = (
    STANDS_ALONE,
    NO_REGISTRY,
    RESERVED_NAME,
    OS_NOT_STATED,
    UNDEPLOYABLE_REF,
    IGNORED_KEY,
    IGNORED_DOCUMENT,
    OVERWRITTEN,
    UNREACHABLE_CRITERIA,
    WEAKENED,
    WITHOUT_EFFECT,
    NO_BASE_VALUES,
)
