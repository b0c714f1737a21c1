"""Findings about the node layer."""

from __future__ import annotations

from groundswell.diagnostics.diagnostic import Code, Severity

UNSETTLED_TEXT = Code(
    "T101",
    Severity.ERROR,
    "text without a settled canonical form",
    "The ID of a schematic is a hash of its canonical YAML. Factories before and after version 0.9 quote some texts "
    "differently, so one definition would have two IDs, and an image of one factory would be unknown to the other.",
    "Write the value in another way, such as `1` instead of `on`.",
)
NO_SCHEMATIC = Code(
    "T102",
    Severity.ERROR,
    "not a schematic",
    "The Image Factory refuses keys that it does not know and values of the wrong type.",
    "Use the keys and types of the Image Factory's schematic format.",
)
BAD_VERSION = Code(
    "T103",
    Severity.ERROR,
    "Talos version that cannot be compiled for",
    "The version decides which form each setting takes and is the tag of the installer image, so it must be complete. "
    "Below Talos 1.10 kernel arguments of a schematic do not reach the installer, and devices cannot be bound to "
    "another driver.",
    "State a full version from v1.10.0 on, such as `v1.13.2`.",
)
NEW_VERSION = Code(
    "T104",
    Severity.WARNING,
    "Talos version newer than this program",
    "What changed in that version of Talos is not known here; files are written as for the newest version that is.",
    "Use a newer groundswell, or check the files with `talosctl validate`.",
)
UNKNOWN_EXTENSION = Code(
    "T110",
    Severity.ERROR,
    "system extension that the factory does not have",
    "The Image Factory takes any name when a schematic is posted and fails only when the image is asked for, at "
    "install or upgrade.",
    "Correct the name, or choose a Talos version that has the extension.",
)
UNCHECKED_EXTENSION = Code(
    "T111",
    Severity.WARNING,
    "system extension that cannot be checked",
    "The extension is not known here. A self-hosted factory or a newer Talos may have it; else the image cannot be "
    "built.",
    "Check the name against `/version/VERSION/extensions/official` of the factory.",
)
RENAMED_EXTENSION = Code(
    "T112",
    Severity.ERROR,
    "old name of a system extension",
    "The factory still resolves the old name when it builds, but the two names make two schematics with equal content.",
    "Use the name that the finding gives.",
)
NVIDIA_BRANCHES = Code(
    "T113",
    Severity.ERROR,
    "NVIDIA extensions that do not belong together",
    "Driver, container toolkit and fabric manager must be of one branch (lts or production), and there is one driver: "
    "open or not. Otherwise the libraries do not match the kernel module and no GPU can be used.",
    "Choose one branch and one driver for all of them.",
)
NVIDIA_INCOMPLETE = Code(
    "T114",
    Severity.ERROR,
    "half of what NVIDIA GPUs need",
    "The driver is a system extension in the image, and its modules are loaded only when the machine configuration "
    "lists them. One without the other leaves the machine without GPUs, or with modules that can never be loaded.",
    "Ask for the driver extension, the toolkit extension and the modules together.",
)
NVIDIA_OLD_TALOS = Code(
    "T115",
    Severity.WARNING,
    "GPUs on Talos below 1.13",
    "From Talos 1.13 on containers get GPUs by CDI, which gpu-operator relies on. Before, a RuntimeClass and the "
    "plain device plugin are needed instead.",
    "Use Talos 1.13 or later, or install the device plugin and its RuntimeClass.",
)
ARGUMENT_WITH_BLANK = Code(
    "T120",
    Severity.ERROR,
    "kernel argument with a blank",
    "The arguments are joined with blanks and split again, so one with a blank inside arrives as several.",
    "Write several arguments.",
)
HUGEPAGE_PAIRS = Code(
    "T121",
    Severity.ERROR,
    "more than one size of hugepages in kernel arguments",
    "The factory groups arguments of one key at the first of them. Two pairs become `hugepagesz=1G hugepagesz=2M "
    "hugepages=16 hugepages=8192`: the pages get the wrong size, and a machine without enough memory does not boot "
    "any more.",
    "Keep 1 GiB pages in `hugepages.1Gi` and 2 MiB pages in `hugepages.2Mi`, which goes to sysfs.",
)
REMOVED_DEFAULT = Code(
    "T122",
    Severity.ERROR,
    "kernel argument that removes what Talos needs to boot",
    "Talos checks at boot that `slab_nomerge` and `pti=on` are set and stops without them.",
    "Leave the argument out.",
)
LONG_COMMAND_LINE = Code(
    "T123",
    Severity.ERROR,
    "kernel command line too long",
    "The kernel cuts the command line at 4096 bytes, the defaults of Talos included.",
    "Leave arguments out, or shorten lists of CPUs to ranges.",
)
NO_EFFECT = Code(
    "T124",
    Severity.HINT,
    "kernel arguments without effect",
    "Stock kernels up to Talos 1.14 are built without CONFIG_NO_HZ_FULL and CONFIG_RCU_NOCB_CPU: `nohz_full` and "
    "`rcu_nocbs` are dropped at boot. `isolcpus` works.",
    "Nothing to do; from Talos 1.15 on they take effect.",
)
ISOLATION_DROPPED = Code(
    "T125",
    Severity.ERROR,
    "isolcpus flag that drops the argument",
    "A kernel without CONFIG_NO_HZ_FULL (Talos up to 1.14) ignores the whole `isolcpus` argument when it holds the "
    "flag `nohz`.",
    "Leave the flag out, and use `isolatedCPUs` instead of a kernel argument.",
)
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
CONTRADICTION = Code(
    "T220",
    Severity.ERROR,
    "two values for one setting of a machine",
    "Two that have a say on a machine, its groups, the host itself or components, ask for different values. One of "
    "them would silently lose.",
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
    UNSETTLED_TEXT,
    NO_SCHEMATIC,
    BAD_VERSION,
    NEW_VERSION,
    UNKNOWN_EXTENSION,
    UNCHECKED_EXTENSION,
    RENAMED_EXTENSION,
    NVIDIA_BRANCHES,
    NVIDIA_INCOMPLETE,
    NVIDIA_OLD_TALOS,
    ARGUMENT_WITH_BLANK,
    HUGEPAGE_PAIRS,
    REMOVED_DEFAULT,
    LONG_COMMAND_LINE,
    NO_EFFECT,
    ISOLATION_DROPPED,
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
