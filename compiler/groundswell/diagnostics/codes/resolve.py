"""Findings about resolving a query."""

from __future__ import annotations

from groundswell.diagnostics.diagnostic import Code, Severity

NO_CRITERIA = Code(
    "R101",
    Severity.ERROR,
    "no criteria",
    "A query that states nothing would get the base alone, which is never what was meant.",
    "State at least one of --service, --accelerator, --os, --intent and --platform. With --recipe or --cluster, the "
    "criteria of that file are the query: state them there.",
)
NOT_COVERED = Code(
    "R102",
    Severity.ERROR,
    "criterion that no recipe carries",
    "Every dimension that the query states must be carried by a recipe that applies and states it too. "
    "Otherwise the bundle would "
    "silently miss what was asked for.",
    "Use one of the complete queries that the finding names, or add a recipe.",
)
UNSUPPORTED = Code(
    "R103",
    Severity.ERROR,
    "combination that the catalog does not stand behind",
    "The recipes for each criterion exist, but nobody has put this combination on the support list "
    "(`recipes/support.yaml`).",
    "Use one of the combinations that the finding names, or say --allow-unsupported to try it all the same.",
)
TYPE_CONFLICT = Code(
    "R201",
    Severity.ERROR,
    "map meets scalar or list",
    "A layer sets a map where a lower layer has a scalar or list, or the other way round. One side would be lost.",
    "Name the path in `replace:` of the ref if the change of type is meant.",
)
TIE = Code(
    "R203",
    Severity.ERROR,
    "two values at the same rank",
    "Two recipes with equally many criteria, neither the other's base, set one path to different values. "
    "Their order is only "
    "alphabetical, so the result would be an accident.",
    "Decide the path in a recipe whose criteria include both.",
)
MIXIN_CONFLICT = Code(
    "R204",
    Severity.ERROR,
    "mixin against recipe or mixin",
    "A mixin comes after all recipes without knowing them. Where it sets a path differently from a recipe or "
    "another mixin, one "
    "of them would silently lose.",
    "Take the path out of one of them, or move it to `enforce:` if it must win over everybody.",
)
ENFORCED = Code(
    "R205",
    Severity.ERROR,
    "setting against an enforced value",
    "A mixin enforces this value because the component cannot work otherwise; options are bound by it too.",
    "Leave the setting out.",
)
NOTHING_TO_TAKE_OUT = Code(
    "R206",
    Severity.ERROR,
    "nothing to take out",
    "A `without:` names an entry that no lower layer has put in.",
    "Correct the entry, or remove it.",
)
UNUSED_REPLACE = Code(
    "R207",
    Severity.ERROR,
    "replace without a value",
    "A `replace:` names a path that the same ref does not set, so nothing is replaced.",
    "Correct the path, or remove it.",
)
UNSATISFIABLE = Code(
    "R208",
    Severity.ERROR,
    "constraints that exclude each other",
    "Constraints of one name hold together. No cluster can satisfy these.",
    "Mend one of them, or override the lower ones with `replace: true` and a `reason`.",
)
INCOMPLETE_COMPONENT = Code(
    "R209",
    Severity.ERROR,
    "component that installs nothing",
    "A component needs a chart (repository, name and version), or at least one manifest.",
    "Complete `helm`, or add `manifestFiles`.",
)
UNKNOWN_COMPONENT = Code(
    "R301",
    Severity.ERROR,
    "component that is not in the plan",
    "An option names a component that the query does not lead to, so it would have no effect.",
    "Correct the name, or leave the option out.",
)
OVERLAPPING_SETTINGS = Code(
    "R302",
    Severity.ERROR,
    "settings of overlapping paths",
    "Two options set one path, or a path and another below it. Their order would decide.",
    "Leave one of them out.",
)
BAD_SETTING = Code(
    "R303",
    Severity.ERROR,
    "option that cannot be read",
    "The text of an option does not have the form that the option takes.",
    "Write it in the form that the finding names.",
)
NO_EFFECT = Code(
    "R304",
    Severity.ERROR,
    "option without effect",
    "No component of the plan has a place for what the option says.",
    "Leave the option out.",
)
NODES_UNUSED = Code(
    "R305",
    Severity.WARNING,
    "node count that nothing takes",
    "`--nodes` is written to the components that want to know the number of nodes, and none of the plan does.",
    "Leave it out.",
)

UNSTATED = Code(
    "R306",
    Severity.ERROR,
    "value that nobody has stated",
    "The component needs to know something that is different from site to site, so no default can be right.",
    "State the value with an option, or in a recipe or mixin.",
)
CONSTRAINT_FAILS = Code(
    "R401",
    Severity.ERROR,
    "constraint that the cluster does not meet",
    "A recipe, mixin or component asks for something that the cluster of the snapshot does not have. A smaller recipe "
    "that asks for less is never taken instead.",
    "Change the cluster, or the query; take a new snapshot when the cluster has changed since.",
)
CONSTRAINT_UNANSWERED = Code(
    "R402",
    Severity.ERROR,
    "constraint that the snapshot does not answer",
    "What cannot be checked must not count as checked.",
    "Take the snapshot anew with the rights to read what is missing; check what no snapshot tells by hand, and resolve "
    "without `--snapshot`.",
)
FOUND_LEFT_OUT = Code(
    "R403",
    Severity.WARNING,
    "fact that the query leaves out",
    "What a snapshot shows narrows a query where it can. Where no recipe has anything to say on it, or the "
    "catalog does "
    "not stand behind it together with the rest, the query is answered without it.",
    "Nothing needs to be done; state the criterion to insist on it.",
)
UNDECIDED = Code(
    "R404",
    Severity.ERROR,
    "criterion on which nodes differ",
    "The nodes of the snapshot differ in something that recipes are chosen by. Without it the bundle would lack what "
    "each of them needs. It is only a warning where no recipe could have added anything.",
    "State the criterion that the bundle is for, or `any` to go on without it; a constraint must hold on every node "
    "all the same.",
)
UNTOLD = Code(
    "R405",
    Severity.ERROR,
    "criterion that the snapshot does not tell",
    "The catalog has recipes that would apply to the cluster, and nothing in the snapshot says which: nodes could not "
    "be read, their system is not known here, or no label tells the accelerator. A bundle without anything for the "
    "nodes' operating system may not run on them; for the other criteria this is a warning.",
    "State the criterion, or `any` to go on without it; or take the snapshot anew when the nodes can be read.",
)
FOREIGN_SYSTEM = Code(
    "R406",
    Severity.ERROR,
    "operating system that the catalog does not stand behind",
    "For what was asked the catalog has recipes for some operating systems, and the nodes of the snapshot run another. "
    "A bundle that ignores it may not run on them.",
    "Use other nodes, add a recipe for the system, or state `--os any` to go on without one.",
)

CODES: tuple[Code, ...] = (
    NO_CRITERIA,
    NOT_COVERED,
    UNSUPPORTED,
    TYPE_CONFLICT,
    TIE,
    MIXIN_CONFLICT,
    ENFORCED,
    NOTHING_TO_TAKE_OUT,
    UNUSED_REPLACE,
    UNSATISFIABLE,
    INCOMPLETE_COMPONENT,
    UNKNOWN_COMPONENT,
    OVERLAPPING_SETTINGS,
    BAD_SETTING,
    NO_EFFECT,
    NODES_UNUSED,
    UNSTATED,
    CONSTRAINT_FAILS,
    CONSTRAINT_UNANSWERED,
    FOUND_LEFT_OUT,
    UNDECIDED,
    UNTOLD,
    FOREIGN_SYSTEM,
)
