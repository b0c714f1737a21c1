"""Findings about input and output: bundles on disk, and what a cluster's API tells."""

from __future__ import annotations

from groundswell.diagnostics.diagnostic import Code, Severity

NOT_A_DIRECTORY = Code(
    "I101",
    Severity.ERROR,
    "the output is not a directory",
    "A bundle replaces everything in its output directory. A file, a device or a symbolic link in that place belongs "
    "to someone else, and following a link would replace what it leads to.",
    "Give `-o` a directory of its own, or the directory that the link leads to.",
)
NOT_A_PLACE = Code(
    "I102",
    Severity.ERROR,
    "the output must not be replaced",
    "The root of the file system and the directories above the working directory can never be a bundle's own.",
    "Give `-o` a directory of its own, or run the command from outside of it.",
)
FOREIGN_FILES = Code(
    "I103",
    Severity.ERROR,
    "the output holds foreign files",
    "A bundle replaces everything in its output directory but `.git`. Files that no earlier bundle listed in its "
    "`checksums.txt` would be lost.",
    "Move the files that the message names elsewhere, or give `-o` another directory.",
)
EDITED_FILES = Code(
    "I104",
    Severity.ERROR,
    "the output was edited",
    "Files of the earlier bundle are no longer what its `checksums.txt` says. Replacing them would lose the edits.",
    "Bring the edits into the catalog or the command line, then restore the files that the message names, or remove "
    "the directory.",
)
BUSY = Code(
    "I105",
    Severity.ERROR,
    "another run is writing there",
    "Two runs that write into one directory at the same time would leave a mixture of two bundles.",
    "Wait for the other run to end, or give each run a directory of its own.",
)
NOT_WRITTEN = Code(
    "I106",
    Severity.ERROR,
    "the bundle could not be written",
    "The operating system refused a step of writing: the directory is read-only, the disk is full, or a name is too "
    "long. What was there before is unchanged.",
    "Mend what the message names, then run the command again.",
)
INTERRUPTED = Code(
    "I107",
    Severity.ERROR,
    "an interrupted run cannot be undone",
    "An earlier run was interrupted while it put its bundle in place, and the directory has changed since. What that "
    "run had set aside would overwrite files that are there now.",
    "Move the file that the message names elsewhere and run the command again, or remove both directories and start "
    "afresh.",
)
LEFTOVERS = Code(
    "I108",
    Severity.WARNING,
    "the earlier bundle could not be removed",
    "The new bundle is complete and in its place. The earlier one was set aside, and the operating system refused to "
    "delete it.",
    "Remove the directory that the message names.",
)
PATH_CLASH = Code(
    "I109",
    Severity.ERROR,
    "two deployers write one file",
    "Each file of a bundle has one author. With two, the later deployer would silently overwrite the earlier.",
    "Leave one of the deployers out, or change the path in the one that is yours.",
)
IN_A_CATALOG = Code(
    "I110",
    Severity.ERROR,
    "the output lies in a catalog",
    "Every file in a catalog's folders is read as a part of the catalog. A bundle there would be read by the next run "
    "and refused.",
    "Give `-o` a directory outside of the catalog's `recipes/`, `mixins/` and `components/`; a catalog of the AICR "
    "layout is read whole.",
)
NOT_A_BUNDLE = Code(
    "I201",
    Severity.ERROR,
    "not a bundle",
    "Only a directory with the `checksums.txt` of a bundle can be verified.",
    "Give the directory that `bundle -o` wrote.",
)
UNREADABLE = Code(
    "I202",
    Severity.ERROR,
    "a file of the bundle cannot be read",
    "What cannot be read cannot be verified.",
    "Make the file readable and run the command again.",
)
MISSING = Code(
    "I203",
    Severity.ERROR,
    "a file is missing from the bundle",
    "The bundle lists a file that is no longer there: it was removed, or a copy is incomplete.",
    "Write the bundle again, or restore the file.",
)
CHANGED = Code(
    "I204",
    Severity.ERROR,
    "a file of the bundle was changed",
    "The file is not what the compiler wrote: it was edited by hand, damaged, or its line endings were converted.",
    "Make the change in the catalog and write the bundle again, or restore the file.",
)
ADDED = Code(
    "I205",
    Severity.ERROR,
    "a file was added to the bundle",
    "The file or the empty directory is not one that the bundle lists. Helm and Argo CD would deploy what stands in "
    "it all the same.",
    "Remove it, or bring it into the catalog and write the bundle again.",
)
LINKED = Code(
    "I206",
    Severity.ERROR,
    "the bundle holds a link or a special file",
    "A bundle consists of regular files. What a symbolic link leads to lies outside of what was verified; pipes, "
    "sockets and devices have no content to verify.",
    "Remove it, and restore the file that stood there.",
)
MODE = Code(
    "I207",
    Severity.ERROR,
    "a file's executable bit was changed",
    "Scripts of a bundle are executable and nothing else is: a script that lost the bit does not start, and data that"
    " has it invites being run.",
    "Set the mode as it was with `chmod`, or write the bundle again.",
)
MALFORMED = Code(
    "I208",
    Severity.ERROR,
    "`checksums.txt` was changed",
    "Each line of `checksums.txt` is 64 lower-case hexadecimal digits, two spaces and the path of a file, each path "
    "once. Anything else was not written by the compiler.",
    "Write the bundle again, or restore the file.",
)

BAD_SNAPSHOT = Code(
    "I301",
    Severity.ERROR,
    "not a snapshot",
    "A snapshot is a document of `kind: Snapshot` with measurements, as `groundswell snapshot` writes it.",
    "Give a file that `groundswell snapshot -o FILE` wrote, or mend the file.",
)
NO_ACCESS = Code(
    "I302",
    Severity.ERROR,
    "no access to the cluster",
    "The kubeconfig does not lead to an API server that lets us read, or the credentials in it cannot be used.",
    "Try `kubectl version` with the same kubeconfig and context; reading needs `get` on /version and `list` on nodes.",
)
UNREACHABLE = Code(
    "I303",
    Severity.ERROR,
    "the API server cannot be reached",
    "The network, a proxy, or the check of the server's certificate stands in the way.",
    "Mend what the message names; `kubectl version` with the same kubeconfig tells more.",
)
INCOMPLETE = Code(
    "I304",
    Severity.WARNING,
    "fact that could not be read",
    "The snapshot lacks a fact. Constraints that need it cannot be answered.",
    "Take the snapshot anew with the rights to read it, or when the nodes have reported.",
)
DIFFERS = Code(
    "I305",
    Severity.WARNING,
    "nodes that differ",
    "The nodes are not alike. The snapshot holds the reading of each; a constraint must hold on every node.",
    "Nothing needs to be done when this is meant.",
)
NOT_TOLD = Code(
    "I306",
    Severity.HINT,
    "fact that the API does not tell",
    "Nothing is wrong with the cluster or the rights: the API server just does not know this.",
    "State what recipes need to know on the command line.",
)
BAD_ANSWERS = Code(
    "I307",
    Severity.ERROR,
    "no saved answers",
    "`--replay` takes the directory that `--dump-dir` wrote: `version.json` and `nodes.json` are the answers to "
    "/version and to /api/v1/nodes.",
    "Give that directory, or write the files with `kubectl get --raw`.",
)
FILE_NOT_WRITTEN = Code(
    "I308",
    Severity.ERROR,
    "a file could not be written",
    "The operating system refused to write what was asked for.",
    "Mend what the message names, then run the command again.",
)

CHANGES: frozenset[str] = frozenset(code.code for code in (MISSING, CHANGED, ADDED, LINKED, MODE, MALFORMED))
"""The codes with which `verify` says that a bundle is not as it was written; all others say that it could not tell."""

CODES: tuple[Code, ...] = (
    NOT_A_DIRECTORY,
    NOT_A_PLACE,
    FOREIGN_FILES,
    EDITED_FILES,
    BUSY,
    NOT_WRITTEN,
    INTERRUPTED,
    LEFTOVERS,
    PATH_CLASH,
    IN_A_CATALOG,
    NOT_A_BUNDLE,
    UNREADABLE,
    MISSING,
    CHANGED,
    ADDED,
    LINKED,
    MODE,
    MALFORMED,
    BAD_SNAPSHOT,
    NO_ACCESS,
    UNREACHABLE,
    INCOMPLETE,
    DIFFERS,
    NOT_TOLD,
    BAD_ANSWERS,
    FILE_NOT_WRITTEN,
)
