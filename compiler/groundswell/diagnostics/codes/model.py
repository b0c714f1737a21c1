"""Findings about the content of catalog files and of the catalog as a whole."""

from __future__ import annotations

from groundswell.diagnostics.diagnostic import Code, Severity

UNKNOWN_KEY = Code(
    "M101",
    Severity.ERROR,
    "unknown key",
    "A key that nothing reads would be ignored, and what its author asked for would silently be missing from "
    "the bundle.",
    "Correct the spelling, or remove the key.",
)
MISSING_KEY = Code(
    "M102",
    Severity.ERROR,
    "missing key",
    "The document does not say something that it must say.",
    "Add the key.",
)
WRONG_TYPE = Code(
    "M103",
    Severity.ERROR,
    "wrong type",
    "The value has another type than the key takes. Nothing is converted, because a guess would reach the cluster.",
    "Write a value of the type that the message names.",
)
BAD_VALUE = Code(
    "M104",
    Severity.ERROR,
    "value not allowed",
    "The value has the right type but not a form that can work, such as a name that Kubernetes refuses.",
    "Write a value of the form that the message names.",
)
WRONG_DOCUMENT = Code(
    "M105",
    Severity.ERROR,
    "wrong kind of document",
    "Each place in a catalog holds documents of one kind and of one version of the format.",
    "Correct `apiVersion` and `kind`, or move the file to the folder for its kind.",
)
DUPLICATE_NAME = Code(
    "M201",
    Severity.ERROR,
    "name taken",
    "Two documents of one kind with the same name: one of them would silently win.",
    "Rename one. To change a document of a lower catalog layer, say `metadata.patch: true` or "
    "`metadata.replace: true`.",
)
MISSING_FILE = Code(
    "M202",
    Severity.ERROR,
    "missing file",
    "A recipe, mixin or component names a file that no layer of the catalog has.",
    "Correct the path (it starts at the catalog's root), or add the file.",
)
UNKNOWN_REFERENCE = Code(
    "M203",
    Severity.ERROR,
    "unknown name",
    "A base, mixin or component is named that the catalog does not have.",
    "Correct the name, or add the document.",
)
BASE_CYCLE = Code(
    "M204",
    Severity.ERROR,
    "recipes are each other's base",
    "A chain of bases must end at `recipes/base.yaml`.",
    "Take one `base` out of the cycle.",
)
CONTRADICTING_CRITERIA = Code(
    "M205",
    Severity.ERROR,
    "criteria contradict a base's",
    "A base's criteria count as the recipe's too. If they differ in one dimension, the recipe can never apply.",
    "Choose another base, or state the same value.",
)
IGNORED_FILE = Code(
    "M206",
    Severity.ERROR,
    "file is not read",
    "The catalog reads `recipes/*.yaml`, `mixins/*.yaml` and `components/<name>/`. A file that looks like one "
    "of these but stands "
    "elsewhere or has another ending would silently be missing.",
    "Rename or move the file.",
)
NOTHING_TO_PATCH = Code(
    "M207",
    Severity.ERROR,
    "nothing to patch or replace",
    "`patch` and `replace` change a document of the same name in a lower layer of the catalog, and there is none.",
    "Correct the name, or leave the key out to add a new document.",
)
REPEATED_REF = Code(
    "M208",
    Severity.ERROR,
    "component named twice in one document",
    "Each layer has one say on one component; with two, their order would decide.",
    "Join the two entries.",
)
BAD_CONSTRAINT = Code(
    "M209",
    Severity.ERROR,
    "constraint that cannot be read",
    "A constraint is a text, or comparisons with a version joined by commas: `>= 1.30, < 1.36`. A text "
    "that is neither would "
    "never be checked.",
    "Write `>=`, `>`, `<=`, `<`, `==` or `!=` and a version, or the text that must be found.",
)
NO_BASE = Code(
    "M210",
    Severity.ERROR,
    "no base recipe",
    "`recipes/base.yaml`, named `base` and without criteria or base of its own, is the root of every chain of bases.",
    "Add it.",
)
BAD_PATH = Code(
    "M211",
    Severity.ERROR,
    "path that cannot be read",
    "A path into values is keys joined by dots; a dot that belongs to a key is written with a backslash before it.",
    "Correct the path.",
)
UNREADABLE = Code(
    "M212",
    Severity.ERROR,
    "catalog cannot be read",
    "The directory or one of its files is missing, is not a regular file, or is a link that leaves the catalog.",
    "Correct the path, or replace the link with what it points to.",
)
REASON_MISSING = Code(
    "M213",
    Severity.ERROR,
    "replaced constraint without a reason",
    "`replace: true` throws away a condition that somebody put there. The next reader needs to know why.",
    "Add `reason`.",
)
NOT_A_MAP = Code(
    "M214",
    Severity.ERROR,
    "values are not a map",
    "Helm values are a map from names to values.",
    "Write a map.",
)
ALIAS_TAKEN = Code(
    "M215",
    Severity.ERROR,
    "alias taken",
    "An alias stands for one component; with two, a setting could reach the wrong one.",
    "Choose another alias.",
)
CONTRADICTION = Code(
    "M216",
    Severity.ERROR,
    "entry that contradicts itself",
    "One entry says two things on one place of a component's values, such as `unset` beside a value, or `enforce` "
    "beside another value. Only one could count, and the other would be lost without a word.",
    "Keep the one that is meant.",
)
UNUSED_FILE = Code(
    "M301",
    Severity.WARNING,
    "file that nothing uses",
    "No recipe, mixin or component names this file, so it never reaches a bundle.",
    "Name it where it is needed, or remove it.",
)
UNUSED_MIXIN = Code(
    "M302",
    Severity.WARNING,
    "mixin that nothing uses",
    "A mixin takes part only when a recipe names it.",
    "Name it in a recipe, or remove it.",
)
UNUSED_COMPONENT = Code(
    "M303",
    Severity.WARNING,
    "component that nothing uses",
    "A component is installed only when a recipe, or a mixin with `create: true`, names it.",
    "Name it in a recipe, or remove it.",
)
UNREACHABLE_RECIPE = Code(
    "M304",
    Severity.WARNING,
    "recipe that never applies",
    "The recipe has no criteria and is nobody's base, or no line of the support list states its criteria together.",
    "Give it criteria or use it as a base, or add the combination to `recipes/support.yaml`.",
)
SHADOWED_VALUE = Code(
    "M305",
    Severity.WARNING,
    "value that never counts",
    "Whenever the document that sets the value takes part, something above it sets the same path. So the value never "
    "reaches a bundle, and changing it changes nothing.",
    "Remove the value, or say it where it can win: in a recipe with more criteria or with the other one as its base, "
    "or in the later document itself.",
)
IDLE_VALUE = Code(
    "M306",
    Severity.WARNING,
    "value that changes nothing",
    "Maps merge and a null deletes what lower layers said. So an empty map on top of a map, and a null where no lower "
    "layer says anything, do nothing: neither clears a map, nor removes a default of the chart.",
    "Remove it. `replace: [path]` clears what lower layers said, `unset: [path]` removes a default of the chart.",
)

UNCARRIED_VALUE = Code(
    "M307",
    Severity.WARNING,
    "value of the criteria that no recipe carries",
    "A line of the support list, or what a component asks of the machines with some accelerators, names a value of the "
    "criteria that no recipe carries. Every query with it is refused.",
    "Correct the value, or add the recipe.",
)
MISPLACED = Code(
    "M308",
    Severity.WARNING,
    "part of a catalog in a place where nobody reads it",
    "A catalog is read from `recipes`, `mixins` and `components`. A folder of nearly such a name, or a document of the "
    "catalog beside them, would silently be missing.",
    "Rename the folder, or move the file.",
)
DEPENDENCY_CYCLE = Code(
    "M217",
    Severity.ERROR,
    "components that always wait for each other",
    "Dependencies that components have by default go round in a circle, so no query with them can be put in order.",
    "Take one of the edges out.",
)

CODES: tuple[Code, ...] = (
    UNCARRIED_VALUE,
    MISPLACED,
    DEPENDENCY_CYCLE,
    UNKNOWN_KEY,
    MISSING_KEY,
    WRONG_TYPE,
    BAD_VALUE,
    WRONG_DOCUMENT,
    DUPLICATE_NAME,
    MISSING_FILE,
    UNKNOWN_REFERENCE,
    BASE_CYCLE,
    CONTRADICTING_CRITERIA,
    IGNORED_FILE,
    NOTHING_TO_PATCH,
    REPEATED_REF,
    BAD_CONSTRAINT,
    NO_BASE,
    BAD_PATH,
    UNREADABLE,
    REASON_MISSING,
    NOT_A_MAP,
    ALIAS_TAKEN,
    CONTRADICTION,
    UNUSED_FILE,
    UNUSED_MIXIN,
    UNUSED_COMPONENT,
    UNREACHABLE_RECIPE,
    SHADOWED_VALUE,
    IDLE_VALUE,
)
