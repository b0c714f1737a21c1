"""Findings about what the deployers make of a plan: D1xx folders and manifests, D2xx Argo CD, D3xx Helm."""

from __future__ import annotations

from groundswell.diagnostics.diagnostic import Code, Severity

NAMESPACE_ACTION = Code(
    "D101",
    Severity.ERROR,
    "template action in a Namespace",
    "The compiler reads the Namespaces of manifests, adds labels and annotations, and gives each a single owner. It"
    " cannot read"
    " what only rendering would tell.",
    "Write the Namespace as plain YAML in a document of its own, outside of any `if` or `range`.",
)
NAMESPACE_INVALID = Code(
    "D102",
    Severity.ERROR,
    "not a Namespace that a cluster takes",
    "The API server would refuse the object, in the middle of a deployment.",
    "Correct the place that the message names.",
)
NAMESPACE_CONTRADICTION = Code(
    "D103",
    Severity.ERROR,
    "Namespace contradicts what the bundle needs",
    "Every Namespace is kept when its release or Application goes, and on Talos it admits privileged pods. An"
    " author's label or"
    " annotation that says otherwise would win or lose depending on who reads the file.",
    "Remove the label or annotation, or give it the value that the message names.",
)
NAMESPACE_TOO_LATE = Code(
    "D104",
    Severity.ERROR,
    "Namespace comes too late",
    "Helm stores a release in the component's namespace before it applies any object, so the Namespace must exist by"
    " then.",
    "List the file under `preManifestFiles` of the component that is installed into the namespace.",
)
NAMESPACE_TWICE = Code(
    "D105",
    Severity.ERROR,
    "Namespace with two owners",
    "Helm refuses a Namespace that another release owns, and two Argo CD Applications would overwrite each other's"
    " labels.",
    "Leave the Namespace to one component; another one that is installed into it waits for that one by itself.",
)
NAMESPACE_BUILT_IN = Code(
    "D106",
    Severity.ERROR,
    "Namespace that every cluster has",
    "The cluster itself owns this Namespace, so that no release can. `kube-system` is exempt from Pod Security"
    " anyway, and the"
    " namespace `groundswell` is where Helm keeps the releases that own Namespaces.",
    "Remove the document.",
)
NAMESPACE_MISSING = Code(
    "D107",
    Severity.ERROR,
    "object without a namespace beside a Namespace",
    "A folder that owns a Namespace keeps its Helm release in the namespace `groundswell`. An object that does not"
    " name its"
    " namespace would land there under Helm, and in the component's namespace under Argo CD.",
    "Write `namespace: {{ .Release.Namespace }}` under `metadata`.",
)
NAMESPACE_UNSURE = Code(
    "D108",
    Severity.WARNING,
    "object of unknown scope without a namespace beside a Namespace",
    "If the kind lives in a namespace, the object would land in `groundswell` under Helm, and in the component's"
    " namespace under"
    " Argo CD. The kind is not built in, or only rendering tells it, so the compiler cannot know.",
    "Write `namespace: {{ .Release.Namespace }}` under `metadata`, unless the kind lives in the cluster.",
)
HOOK = Code(
    "D109",
    Severity.ERROR,
    "hook in a manifest",
    "Hooks are deleted and made again at each upgrade, are not removed at uninstall, and run in another order under"
    " Argo CD than"
    " under Helm. The folders of a bundle give the order.",
    "Remove the annotation, and list the file under `preManifestFiles` or `manifestFiles` according to when it is"
    " needed.",
)
MANIFEST_REFUSED = Code(
    "D110",
    Severity.ERROR,
    "manifest file that a deployer would not take as written",
    "Some names and marks have a meaning to Argo CD, and text that follows `...` without `---` is dropped by Helm.",
    "Rename the file, or correct the place that the message names.",
)
NOT_ADMITTED = Code(
    "D111",
    Severity.ERROR,
    "privileged component without a privileged namespace",
    "Talos enforces the Pod Security level `baseline` everywhere but in `kube-system`, and rejects the component's"
    " pods. The"
    " rejection shows only in the events of a DaemonSet or ReplicaSet.",
    "Give the component a `preManifestFiles` entry with its Namespace, or install it into a namespace that another"
    " one owns.",
)
NUMBER_AT_RISK = Code(
    "D112",
    Severity.WARNING,
    "number that a template may print otherwise",
    "Helm hands numbers to templates as floating point: from a million up they can come out as `1e+06`, and beyond"
    " 2^53 they lose"
    " digits.",
    "Write the value as a quoted string if the chart takes one, or check what the chart renders.",
)
MANIFEST_EMPTY = Code(
    "D113",
    Severity.WARNING,
    "empty manifest",
    "The file holds no object, so listing it has no effect.",
    "Remove it from the list, or write the object that was meant.",
)
MOVING_VERSION = Code(
    "D114",
    Severity.ERROR,
    "chart version that is not exact",
    "Helm and Argo CD read `1.2`, `1.x`, `latest` and the like as ranges and take the newest version that fits. The"
    " same bundle would install another chart tomorrow.",
    "Write the one version that is meant, with its three numbers: `1.2.3`.",
)
CREDENTIALS = Code(
    "D115",
    Severity.ERROR,
    "user or password in a chart's repository",
    "The repository stands in files of the bundle, which are committed and published.",
    "Remove both from the URL. Log in with `helm registry login` or `helm repo add`, and give Argo CD a repository"
    " Secret.",
)

NO_REPOSITORY = Code(
    "D201",
    Severity.WARNING,
    "repository not known",
    "Argo CD reads the bundle from a Git repository or an OCI registry, and the Applications name it. A placeholder "
    "stands in the files, so Argo CD cannot sync them. Plain Helm does not need it.",
    "Give `--repo URL`, and `--revision` and `--path` where they differ from `main` and the repository's root.",
)
UNUSABLE_SETTING = Code(
    "D202",
    Severity.ERROR,
    "deployment setting that cannot work",
    "The setting goes into every Application. Argo CD, Git or Kubernetes would refuse it, or read it as a pattern "
    "or a range.",
    "Correct the option that the message names.",
)
NAME_OF_ROOT = Code(
    "D203",
    Severity.ERROR,
    "component called like the root Application",
    "Both Applications would be one object, and each sync would overwrite the root with the child.",
    "Give the root another name with `--name`; the children then carry it as a prefix.",
)
TOO_LARGE = Code(
    "D204",
    Severity.ERROR,
    "Application too large",
    "Argo CD applies an Application client-side, which stores it once more in an annotation of at most 256 KiB. The "
    "values of a chart are part of it.",
    "Shorten the component's values; large texts can go into a manifest, such as a ConfigMap.",
)
NEEDS_SECRET = Code(
    "D206",
    Severity.WARNING,
    "registry that Argo CD takes for an HTTP repository",
    "Argo CD recognises an OCI registry without a repository Secret by its host name; an address with a port is not "
    "enough.",
    'Give the registry a host name, or tell Argo CD with a repository Secret that has `enableOCI: "true"`.',
)
BAD_HEALTH_KEY = Code(
    "D207",
    Severity.ERROR,
    "health rule under a key that Argo CD cannot read",
    "Argo CD fails the syncs of all its Applications when a key of `argocd-cm` that begins like a health rule is no "
    "such.",
    "Write the API group, an underscore and the kind: `nvidia.com_ClusterPolicy`.",
)
RIVAL_HEALTH_RULES = Code(
    "D208",
    Severity.ERROR,
    "two health rules for one kind",
    "Argo CD has one rule per kind of object, for all Applications together. The rule for Applications is the "
    "bundle's own.",
    "Keep one of the rules.",
)
NOTHING_GATES = Code(
    "D209",
    Severity.WARNING,
    "only one wave",
    "Argo CD waits between waves. A bundle with a single one is applied at once, and nothing waits for its health.",
    "State with `dependencyRefs` what needs what; ignore the warning where nothing needs anything.",
)
READY_AT_ONCE = Code(
    "D210",
    Severity.HINT,
    "custom resource that no wave waits for",
    "Argo CD counts an object whose kind has no health rule as done when it exists. Later waves then start before "
    "the operator has acted on it.",
    "Give the component's `argocdHealth` a rule for the kind, if its objects have a status that tells when they are "
    "ready.",
)
MOVING_TAG = Code(
    "D211",
    Severity.WARNING,
    "tag of an OCI bundle that may move",
    "Argo CD keeps what it found under a tag for as long as its cache does. A bundle that is pushed again under the"
    " same tag is noticed late or never.",
    "Give each push a tag of its own, such as the bundle's version, or give `--revision` the digest.",
)

CHART_ADDRESS = Code(
    "D301",
    Severity.ERROR,
    "chart address that cannot be handed to Helm",
    "`install.sh` reads the chart's repository, name and version from a table. A space, a line break or a leading `-`"
    " would shift its columns or become an option of Helm.",
    "Correct the repository, chart or version in the recipe or component that the message names.",
)
CONSTRAINT_UNANSWERABLE = Code(
    "D302",
    Severity.WARNING,
    "constraint that no API server can answer",
    "The preflight of `install.sh` asks the API server only: for its version, and for each node's operating system and"
    " kernel. What it cannot check it does not take for granted, so it will refuse every cluster.",
    "Check the constraint by other means, then install with `--skip-constraints`; or remove it if nothing needs it.",
)
RELEASE_TOO_LARGE = Code(
    "D303",
    Severity.ERROR,
    "release too large for Helm to store",
    "Helm stores a release with its chart, its values and all that it rendered in one Secret, and Kubernetes takes"
    " Secrets of at most 1 MiB. The install of the folder would fail.",
    "Split the component's manifests over several components, or shorten its values.",
)

CODES: tuple[Code, ...] = (
    NAMESPACE_ACTION,
    NAMESPACE_INVALID,
    NAMESPACE_CONTRADICTION,
    NAMESPACE_TOO_LATE,
    NAMESPACE_TWICE,
    NAMESPACE_BUILT_IN,
    NAMESPACE_MISSING,
    NAMESPACE_UNSURE,
    HOOK,
    MANIFEST_REFUSED,
    NOT_ADMITTED,
    NUMBER_AT_RISK,
    MANIFEST_EMPTY,
    MOVING_VERSION,
    CREDENTIALS,
    NO_REPOSITORY,
    UNUSABLE_SETTING,
    NAME_OF_ROOT,
    TOO_LARGE,
    NEEDS_SECRET,
    BAD_HEALTH_KEY,
    RIVAL_HEALTH_RULES,
    NOTHING_GATES,
    READY_AT_ONCE,
    MOVING_TAG,
    CHART_ADDRESS,
    CONSTRAINT_UNANSWERABLE,
    RELEASE_TOO_LARGE,
)
