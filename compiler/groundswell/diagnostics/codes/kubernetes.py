"""Findings of `groundswell check`: rendering folders, and judging the objects."""

from __future__ import annotations

from groundswell.diagnostics.diagnostic import Code, Severity

NO_HELM = Code(
    "K101",
    Severity.ERROR,
    "no helm that can be used",
    "Folders are rendered with the program that installs them. Without it nothing can be judged, and older releases "
    "render otherwise.",
    "Install Helm 3.17 or later, or 4.1.1 or later, on PATH, or name the binary in `GROUNDSWELL_HELM`.",
)
CHART_MISSING = Code(
    "K102",
    Severity.ERROR,
    "chart not at hand",
    "Without its chart a folder cannot be judged, and a check that passes over it would promise too much.",
    "Put the archive into a directory and give it with `--charts`, or allow the network with `--pull`.",
)
PULL_FAILED = Code(
    "K103",
    Severity.ERROR,
    "chart could not be pulled",
    "Its repository does not answer or does not have that version, so an installation would fail as well.",
    "Check the repository and the version, or give the archive with `--charts`.",
)
WRONG_DIGEST = Code(
    "K104",
    Severity.ERROR,
    "chart with other bytes than locked",
    "The archive is not the one that the lock file was written for: the publisher replaced it, or somebody else did.",
    "Find out why it changed. Remove the entry from the lock file to accept it.",
)
NOT_LOCKED = Code(
    "K105",
    Severity.ERROR,
    "chart that is not locked",
    "`--locked` admits only archives whose digest is in the lock file.",
    "Run once without `--locked` and review what it adds to the lock file.",
)
LOCK_UNREADABLE = Code(
    "K106",
    Severity.ERROR,
    "lock file that cannot be used",
    "The file of `--lock` is missing, cannot be read or holds something else than a lock of charts.",
    "Give the file that an earlier run wrote, or a new name without `--locked`.",
)
NOT_RENDERED = Code(
    "K107",
    Severity.ERROR,
    "helm does not render the folder",
    "What fails here fails in the same way when the bundle is installed: a value that the chart refuses, a template"
    " that breaks, a Kubernetes version that the chart does not support.",
    "Correct the values, or raise the constraint on the Kubernetes version to what the chart asks for.",
)
TIMEOUT = Code(
    "K108",
    Severity.ERROR,
    "rendering takes too long",
    "Helm was stopped, since no chart takes that long. Argo CD would stop it as well.",
    "Look for endless recursion in the chart's templates.",
)
NOT_READABLE = Code(
    "K109",
    Severity.ERROR,
    "rendered text is faulty YAML",
    "The text has an error that only some readers let pass, such as a key that stands twice: Helm takes the last one, "
    "stricter tools refuse the whole folder.",
    "Change the value that makes the template write it, such as a name that equals a label the chart sets itself.",
)
NOT_A_BUNDLE = Code(
    "K110",
    Severity.ERROR,
    "directory without a bundle",
    "The directory to check lacks files that every bundle has.",
    "Give the directory that `groundswell bundle -o` wrote.",
)
NO_SCHEMAS = Code(
    "K111",
    Severity.HINT,
    "no schemas of that Kubernetes version",
    "Objects of built-in kinds are held against the schemas of the target version, from an optional package, which has "
    "those of some versions. Without them nobody has looked at the fields of these objects.",
    "Install `groundswell[schemas]`, or a newer `kubernetes-validate`.",
)
TARGET_EXCLUDED = Code(
    "K112",
    Severity.WARNING,
    "Kubernetes version that the constraints exclude",
    "The objects were judged for a version that the bundle cannot be installed on: its constraints exclude it, and the "
    "preflight would refuse.",
    "Ask for a version that the constraints allow, or leave `--kube-version` out.",
)
UNFIT = Code(
    "K201",
    Severity.ERROR,
    "object that the API server refuses",
    "A field has the wrong type, lacks a required part or breaks a rule of the schema, built in or of the bundle's own "
    "CustomResourceDefinition. The API server would refuse the object in the middle of an installation.",
    "Correct the value or the manifest that it comes from.",
)
UNKNOWN_FIELD = Code(
    "K202",
    Severity.ERROR,
    "field that the schema does not have",
    "Server-side apply, which every Application of Argo CD asks for, refuses an object with a field that is not in the "
    "schema, so the sync fails. Written by Helm, the object loses the field and the setting does nothing: for a bundle "
    "without the deployer `argocd` it is a warning.",
    "Correct the name, or remove the field.",
)
NOT_SERVED = Code(
    "K203",
    Severity.ERROR,
    "API version that the target does not serve",
    "The API server of the target Kubernetes version does not know the kind in this version: it was removed, or is yet"
    " to come. For a custom resource, the CustomResourceDefinition in the bundle does not serve it.",
    "Use a chart or values that write a version which is served, or change the constraint on the Kubernetes version.",
)
SOON_REMOVED = Code(
    "K204",
    Severity.WARNING,
    "API version that will be removed",
    "The constraints allow Kubernetes versions that no longer serve this version of the kind.",
    "Use a chart that writes the newer version, or bound the Kubernetes version with a constraint.",
)
UNDEFINED_KIND = Code(
    "K205",
    Severity.WARNING,
    "kind that nothing defines",
    "Neither Kubernetes nor a CustomResourceDefinition in the bundle defines the kind. Unless the cluster has it "
    "already, the installation fails.",
    "Add the component that brings the definition, or suppress the finding with the reason why the cluster has it.",
)
TWICE_IN_LIST = Code(
    "K206",
    Severity.ERROR,
    "entry that stands twice in a list",
    "Many lists of built-in kinds are maps for the API server: environment variables go by their names, ports by "
    "number and protocol. Server-side apply, which every Application of Argo CD asks for, refuses two entries with one "
    "key, so the sync fails. For a bundle without the deployer `argocd` it is a warning: which entry counts is left to "
    "chance.",
    "Remove one of the entries, or the value that makes the chart write the second.",
)
NO_OBJECTS = Code(
    "K207",
    Severity.WARNING,
    "folder without objects",
    "Nothing is installed for the folder, and nothing in it was judged. The values switch everything off, or the "
    "program that was run is no helm.",
    "Disable the component, or correct the values.",
)
APIS_ASSUMED = Code(
    "K208",
    Severity.WARNING,
    "chart rendered for APIs that the target does not serve",
    "The templates ask whether the cluster serves an API. Rendered without one, as Argo CD does, helm takes every API "
    "version that it knows itself for served. Installed with Helm alone, the chart is told what the cluster serves and "
    "comes out otherwise.",
    "Set the value that decides in place of the question, or change the constraint on the Kubernetes version.",
)
EDGE_MISSING = Code(
    "K301",
    Severity.ERROR,
    "dependency that the objects imply and nobody declares",
    "An object needs another one that a folder brings which may be installed later: the definition of its kind, its "
    "namespace, a class, an issuer, a store of secrets, or the webhook that must answer before the object, or what is "
    "made of it, such as pods, is admitted.",
    "Add the line under `dependencyRefs` that the message shows.",
)
EDGE_UNUSED = Code(
    "K302",
    Severity.HINT,
    "dependency that no object needs",
    "Nothing in the objects of one component refers to the other. The dependency may still be right, for instance when "
    "programs talk to each other; each one makes an installation longer.",
    "Remove it if nothing needs it.",
)
PHASE_TOO_EARLY = Code(
    "K303",
    Severity.ERROR,
    "object in an earlier phase than what it needs",
    "Within a component manifests before the chart, the chart, and manifests after it are installed in this order.",
    "List the manifest under `manifestFiles` instead of `preManifestFiles`.",
)
DEFINED_BESIDE = Code(
    "K304",
    Severity.ERROR,
    "resource beside the template of its definition",
    "Helm looks up the kinds of all objects of a release before it creates the first one, so a release that brings a "
    "CustomResourceDefinition as a template and a resource of that kind cannot be installed.",
    "Move the resource into a manifest under `manifestFiles`, or let the chart leave it out.",
)
API_TOO_LATE = Code(
    "K305",
    Severity.WARNING,
    "chart that asks for an API that may come later",
    "The templates leave objects out when the cluster lacks an API at the time of rendering. The bundle brings that "
    "API, but not always before, so the first installation lacks the objects.",
    "Add the line under `dependencyRefs` that the message shows.",
)
OWNED_TWICE = Code(
    "K306",
    Severity.ERROR,
    "object in two folders",
    "Helm refuses to take over an object of another release, and two Applications of Argo CD overwrite it in turn.",
    "Let one chart leave it out: a subchart that can be disabled, or `crds` that can be skipped.",
)
NO_NAMESPACE = Code(
    "K307",
    Severity.ERROR,
    "object in a namespace that nothing makes",
    "The namespace is neither that of a component nor made by a manifest, so creating the object fails on a new "
    "cluster. Often a value names the namespace that a component had before it was moved.",
    "Correct the value, or suppress the finding with the reason why the namespace is there.",
)
IMPURE = Code(
    "K501",
    Severity.ERROR,
    "chart that comes out different each time",
    "The templates make up a password, a certificate or a time when they are rendered, or print the keys of a map in no"
    " fixed order. Argo CD renders again and again: it would find a difference for ever, replace the secret and restart"
    " what uses it.",
    "Set the value that names an existing secret or hands the certificate to cert-manager, or list the fields under "
    "`ignoreDifferences`.",
)
UNDECIDED = Code(
    "K502",
    Severity.WARNING,
    "chart of which it is not known whether it comes out the same",
    "Its templates use the time, the order of a map or luck. What that does shows when these are given fixed results, "
    "but then helm does not render the chart: it may fail on purpose, or depend on a type. Or the function stands in a "
    "text that becomes a template only when the chart is rendered, where nothing can be fixed. Neither this nor K501 "
    "sees a template whose braces or functions come from values, from files that are no template or from decoded text.",
    "Look at what the function is used for. Where it makes no difference, suppress the finding with that reason.",
)
UNKNOWN_VALUE = Code(
    "K601",
    Severity.WARNING,
    "value that the chart does not have",
    "Neither the chart's defaults nor its schema have the path, and no template reads it, so it does nothing: mistyped,"
    " one level too high, or of another version of the chart.",
    "Correct the path, or remove the value.",
)
SUPPRESSION_UNUSED = Code(
    "K901",
    Severity.WARNING,
    "suppression without a finding",
    "What it was written for is no longer found, or another entry covers it. Left in place it would hide the finding "
    "when that comes back.",
    "Remove the entry.",
)
SUPPRESSION_FAULTY = Code(
    "K902",
    Severity.ERROR,
    "suppression that cannot be used",
    "An entry needs the code of a rule, a component and a reason in words; without a reason nobody can tell later "
    "whether it still holds.",
    "Complete the entry.",
)

CODES: tuple[Code, ...] = (
    NO_HELM,
    CHART_MISSING,
    PULL_FAILED,
    WRONG_DIGEST,
    NOT_LOCKED,
    LOCK_UNREADABLE,
    NOT_RENDERED,
    TIMEOUT,
    NOT_READABLE,
    NOT_A_BUNDLE,
    NO_SCHEMAS,
    TARGET_EXCLUDED,
    UNFIT,
    UNKNOWN_FIELD,
    NOT_SERVED,
    SOON_REMOVED,
    UNDEFINED_KIND,
    TWICE_IN_LIST,
    NO_OBJECTS,
    APIS_ASSUMED,
    EDGE_MISSING,
    EDGE_UNUSED,
    PHASE_TOO_EARLY,
    DEFINED_BESIDE,
    API_TOO_LATE,
    OWNED_TWICE,
    NO_NAMESPACE,
    IMPURE,
    UNDECIDED,
    UNKNOWN_VALUE,
    SUPPRESSION_UNUSED,
    SUPPRESSION_FAULTY,
)
