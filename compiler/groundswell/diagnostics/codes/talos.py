"""Findings about the node layer."""

from __future__ import annotations

from groundswell.diagnostics.diagnostic import Code, Severity

BAD_CPUS = Code(
    "T201",
    Severity.ERROR,
    "not a list of CPUs",
    "CPU lists go unchanged to the kernel and the kubelet, which ignore or refuse a list that they cannot read.",
    "Write numbers and ranges, such as `0-3,32-35`.",
)
CPU_OVERLAP = Code(
    "T202",
    Severity.ERROR,
    "CPUs with two purposes",
    "Isolated CPUs are kept free of everything that is not placed on them; housekeeping CPUs run all the rest. "
    "Instances need CPUs of their own. A CPU in two sets breaks both promises.",
    "Put each CPU into one set.",
)
CPU_MISSING = Code(
    "T203",
    Severity.ERROR,
    "CPUs that are not there",
    "A set names CPUs that the machine does not have or that are not isolated.",
    "Correct the set, or the number of CPUs.",
)
NO_HOUSEKEEPING = Code(
    "T204",
    Severity.WARNING,
    "isolated CPUs without housekeeping CPUs",
    "The kubelet does not start with the static CPU manager unless some CPUs are reserved for the system, so the CPU "
    "manager is left as it is, and pods do not get CPUs of their own.",
    "State `housekeepingCPUs`.",
)
BAD_NUMA_NODE = Code(
    "T205",
    Severity.ERROR,
    "NUMA node that is not there",
    "Pages of a NUMA node that does not exist are asked for again and again; nothing grants them.",
    "Correct the node, or `numaNodes`.",
)
TOO_MUCH_MEMORY = Code(
    "T206",
    Severity.ERROR,
    "hugepages beyond memory",
    "Pages of 1 GiB are taken at boot. When they leave no memory for the system, the machine restarts for ever, and "
    "under Secure Boot the arguments cannot be edited at the boot menu.",
    "Ask for fewer pages, or correct `memoryGiB`.",
)
GLOBAL_HUGEPAGES = Code(
    "T207",
    Severity.ERROR,
    "hugepages counted twice",
    "`vm.nr_hugepages` sets the number of pages of the default size over all NUMA nodes and overwrites what was set "
    "per node. With `default_hugepagesz=1G` it means pages of 1 GiB.",
    "Use `hugepages.2Mi` alone.",
)
BAD_PCI_ADDRESS = Code(
    "T210",
    Severity.ERROR,
    "not a PCI address",
    "Talos uses the address as the name of a folder under /sys/bus/pci/devices and checks nothing. A wrong one fails "
    "on the machine and holds up the devices after it.",
    'Write domain, bus, device and function as `lspci -D` does, in lower case, such as `"0000:04:00.0"`.',
)
DEVICE_TWICE = Code(
    "T211",
    Severity.ERROR,
    "device named twice",
    "A machine configuration holds one document per device; of two it takes none.",
    "Name each device once.",
)
DEVICE_IN_USE = Code(
    "T212",
    Severity.ERROR,
    "device that Talos itself needs",
    "Bound to vfio-pci, the install disk's controller takes the system disk away, and the management network card "
    "takes the machine off the network. Neither can be undone from outside.",
    "Take the device out of `vfio`.",
)
IOMMU_OFF = Code(
    "T213",
    Severity.ERROR,
    "devices for user space without an IOMMU",
    "The driver vfio-pci hands out IOMMU groups. With the IOMMU switched off there are none: no device can be opened.",
    "Leave the argument out, or take the devices out of `vfio`.",
)
CONTRADICTION = Code(
    "T220",
    Severity.ERROR,
    "two values for one setting of a machine",
    "Two that have a say on a machine, its groups, the host itself or components, ask for different values, or one of "
    "them states a sysctl in both its spellings. One value would silently lose.",
    "Agree on one value.",
)
NO_MACHINE = Code(
    "T221",
    Severity.WARNING,
    "no machine for what a component asks",
    "A component asks something of a class of machines (`on`), and no host of the cluster is in that class.",
    "Mark the hosts with accelerators (`accelerated: true`), or leave the component out.",
)
KUBERNETES_VERSION = Code(
    "T222",
    Severity.ERROR,
    "Kubernetes version that this Talos does not run",
    "Each Talos runs six minor versions of Kubernetes. What the recipes ask for is outside of them, so no cluster can "
    "have both.",
    "Choose another Talos version.",
)
NAME_TWICE = Code(
    "T230",
    Severity.ERROR,
    "two hosts of one name or address",
    "Files are named after hosts, and patches are applied by address: one host would get the other's settings.",
    "Give each host its own name and address.",
)
UNKNOWN_GROUP = Code(
    "T231",
    Severity.ERROR,
    "group that does not exist",
    "The host would silently lack what the group was meant to give it.",
    "Correct the name, or add the group.",
)
UNUSED_GROUP = Code(
    "T232",
    Severity.WARNING,
    "group without hosts",
    "No host names the group, so what it says reaches no machine.",
    "Name it in a host's `groups`, or remove it.",
)
NOT_TALOS = Code(
    "T233",
    Severity.ERROR,
    "cluster that does not run Talos",
    "A Cluster file describes Talos machines, so its criteria cannot state another operating system.",
    "Leave `os` out, or say `talos`.",
)
RESTRICTED_LABEL = Code(
    "T234",
    Severity.ERROR,
    "label that a worker may not give itself",
    "Talos sets node labels with the kubelet's own rights. Kubernetes lets a worker set only some labels under "
    "kubernetes.io and k8s.io; the others never appear.",
    "Use a prefix of your own, or `node.kubernetes.io/`.",
)
STORED_HOSTNAME = Code(
    "T235",
    Severity.ERROR,
    "host name beside a stored one",
    "A configuration that an earlier Talos wrote may hold the host name in either of two places. A second one in the "
    "other place is refused.",
    "Leave `setHostnames` out: a machine with a stored configuration has its name.",
)
NO_INSTALL_DISK = Code(
    "T236",
    Severity.ERROR,
    "no install disk",
    "From Talos 1.14 on the installer image stands in `UnattendedInstallConfig`. A patch of that document without a "
    "disk takes the disk of the generated configuration away, and the result is refused.",
    "State `installDisk`, for all hosts alike in `defaults`.",
)
BAD_LABEL = Code(
    "T237",
    Severity.ERROR,
    "not a node label",
    "Kubernetes refuses the label, and with it all labels of the node, only once the machine runs. Names and values "
    "have at most 63 letters, digits, `-`, `_` and `.`, and begin and end with a letter or digit; a key may have a "
    "domain and `/` before its name.",
    "Correct the label.",
)
OWN_LABEL = Code(
    "T238",
    Severity.ERROR,
    "label that is set for the host",
    "By the label `groundswell.dev/host` pods find the machine whose devices and CPUs they were given. It is set to "
    "the host's name where it is needed, and another value would send pods elsewhere.",
    "Leave the label out.",
)
SCHEMA = Code(
    "T240",
    Severity.ERROR,
    "patch that Talos would refuse",
    "The document does not fit the official schema of the target version.",
    "Correct the setting that the finding names.",
)
NO_SCHEMA = Code(
    "T241",
    Severity.ERROR,
    "no schema of Talos",
    "Schemas were asked for, and without one nothing would be checked.",
    "Name a folder with the files `config.schema.json` of Talos releases, each renamed to its version (`v1.13.json`).",
)
NO_VERSION = Code(
    "T242",
    Severity.WARNING,
    "no version of Talos",
    "What a machine's patch and schematic look like depends on the version of Talos, and no recipe states one.",
    "Give `--talos-version`, or state `talosVersion` in a recipe.",
)
UNKNOWN_DEVICE_KIND = Code(
    "T250",
    Severity.WARNING,
    "VFIO device of unknown kind",
    "Network cards and accelerators are given to pods by one device plugin, everything else by another, and each kind "
    "is a resource of its own. An address does not tell what the device is, so the machine is prepared and no pod can "
    "have the device.",
    "State the device's `kind`; `groundswell talos configure` does.",
)
UNKNOWN_IOMMU_GROUP = Code(
    "T251",
    Severity.WARNING,
    "VFIO device of unknown IOMMU group",
    "A pod gets the device as `/dev/vfio/GROUP`. Only the running machine knows the number; in maintenance mode it "
    "does not tell. Until it is stated, the machine is prepared and no pod can have the device.",
    "Run `groundswell talos discover` on the configured machine, state `iommuGroup`, and compile the bundle again.",
)
SHARED_IOMMU_GROUP = Code(
    "T252",
    Severity.ERROR,
    "devices of one IOMMU group in different hands",
    "The hardware isolates groups, not devices, so the kernel opens a group for one program at a time. A second pod "
    "that is given a device of the same group cannot use it.",
    "Leave one of the devices out of `vfio`, or move the card to another slot. Devices of one kind that are neither "
    "network cards nor accelerators may share a group: they go to pods together.",
)
NO_DEVICE_PLUGIN = Code(
    "T253",
    Severity.WARNING,
    "catalog without the device plugin",
    "The hosts have VFIO devices, and the mixin that brings the plugin which gives them to pods is not in the catalog.",
    "Add a mixin of that name, or give the devices to pods by other means.",
)
OTHER_HOSTS = Code(
    "T254",
    Severity.ERROR,
    "resolved recipe for other hosts",
    "A resolved recipe is compiled as it is, with the devices, pages and CPUs of the hosts that it was resolved for. "
    "Beside another Cluster file the two layers of the bundle would contradict each other.",
    "Compile from the Cluster file, without the resolved recipe.",
)
INSTANCE_TWICE = Code(
    "T255",
    Severity.ERROR,
    "two instances of one name",
    "What an instance's pod asks for is known by host and name, so one of the two would be lost.",
    "Give each instance of a host its own name.",
)

CODES: tuple[Code, ...] = (
    BAD_CPUS,
    CPU_OVERLAP,
    CPU_MISSING,
    NO_HOUSEKEEPING,
    BAD_NUMA_NODE,
    TOO_MUCH_MEMORY,
    GLOBAL_HUGEPAGES,
    BAD_PCI_ADDRESS,
    DEVICE_TWICE,
    DEVICE_IN_USE,
    IOMMU_OFF,
    CONTRADICTION,
    NO_MACHINE,
    KUBERNETES_VERSION,
    NAME_TWICE,
    UNKNOWN_GROUP,
    UNUSED_GROUP,
    NOT_TALOS,
    RESTRICTED_LABEL,
    STORED_HOSTNAME,
    NO_INSTALL_DISK,
    BAD_LABEL,
    OWN_LABEL,
    SCHEMA,
    NO_SCHEMA,
    NO_VERSION,
    UNKNOWN_DEVICE_KIND,
    UNKNOWN_IOMMU_GROUP,
    SHARED_IOMMU_GROUP,
    NO_DEVICE_PLUGIN,
    OTHER_HOSTS,
    INSTANCE_TWICE,
)
