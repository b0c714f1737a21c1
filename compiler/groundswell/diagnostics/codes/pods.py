"""Findings of `groundswell check` on pods: what their namespace admits, and what their machines have."""

from __future__ import annotations

from groundswell.diagnostics.diagnostic import Code, Severity

POD_REFUSED = Code(
    "K401",
    Severity.ERROR,
    "pod that its namespace does not admit",
    "The API server takes the workload and then refuses each of its pods, so that nothing starts and no tool says why."
    " A namespace enforces the level of its Pod Security label, else the cluster's default: `baseline` on Talos. It is"
    " a warning where only a later version of Kubernetes refuses them, which the constraints allow as well.",
    "Bring the Namespace with the label under `preManifestFiles`, or set the value that drops the privilege.",
)
NAMESPACE_WIDE = Code(
    "K402",
    Severity.WARNING,
    "namespace opened wider than its pods need",
    "The label lets pods into the namespace that none of the component's own pods needs, so it helps only somebody"
    " else's.",
    "Lower the label to the level that the message names, or leave the Namespace to the cluster's default.",
)
NO_SUCH_NODE = Code(
    "K511",
    Severity.ERROR,
    "pods that ask for more than the hosts have",
    "No host of the Cluster file that the pods may run on has the hugepages, devices, CPUs or memory that they ask for,"
    " or not all have that pods of a DaemonSet must run on, so they wait for ever.",
    "Prepare the hosts for it in the Cluster file, ask for less, or let the pods run elsewhere.",
)
NO_OWN_CPUS = Code(
    "K512",
    Severity.WARNING,
    "pod that gets no CPUs of its own",
    "The kubelet gives whole CPUs to a container alone only with the static policy, and only in pods whose every"
    " container has limits of CPU and memory that equal its requests. Others share CPUs, at the cost of latency.",
    "State limits that equal the requests for every container, and isolated and housekeeping CPUs for the host.",
)
READ_ONLY_PATH = Code(
    "K513",
    Severity.WARNING,
    "host path that Talos cannot make",
    "The root of a Talos machine is read-only: what does not exist below it cannot be made, and the pod does not"
    " start.",
    "Set the value that names the path to one below `/var`.",
)
PATH_WITHOUT_EXTENSION = Code(
    "K514",
    Severity.WARNING,
    "host path that nothing on the machines brings",
    "On Talos the path belongs to a system extension or a kernel module, and no machine that the pods may run on has"
    " it.",
    "List the extension or the module in the component's `talos` block, or for the hosts in the Cluster file.",
)
CAPABILITY_WITHHELD = Code(
    "K515",
    Severity.ERROR,
    "capability that Talos gives to no pod",
    "Talos runs the container runtime without SYS_MODULE and SYS_BOOT: a container that adds one does not start.",
    "Set the value that lists the capabilities, and load modules with `kernelModules` in the component's `talos`"
    " block.",
)
MODULE_NOT_LOADED = Code(
    "K516",
    Severity.WARNING,
    "kernel module that the node layer does not load",
    "On Talos no pod can load a kernel module, so `modprobe` succeeds only for one that is loaded already.",
    "List the module under `kernelModules` in the component's `talos` block, or for the hosts in the Cluster file.",
)
OTHER_ARCHITECTURE = Code(
    "K517",
    Severity.ERROR,
    "image of another architecture than the hosts'",
    "The image's name says what it is built for, and no host that the pods may run on is of that kind, so the program"
    " cannot be started.",
    "Use the image for the hosts' architecture, or select the nodes that fit.",
)

CODES: tuple[Code, ...] = (
    POD_REFUSED,
    NAMESPACE_WIDE,
    NO_SUCH_NODE,
    NO_OWN_CPUS,
    READ_ONLY_PATH,
    PATH_WITHOUT_EXTENSION,
    CAPABILITY_WITHHELD,
    MODULE_NOT_LOADED,
    OTHER_ARCHITECTURE,
)
