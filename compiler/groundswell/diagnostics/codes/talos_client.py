"""Findings about running machines: asking them, describing them, changing them, and comparing them."""

from __future__ import annotations

from groundswell.diagnostics.diagnostic import Code, Severity

NO_TALOSCTL = Code(
    "T301",
    Severity.ERROR,
    "no talosctl",
    "Machines are asked and changed through `talosctl`, with the access that it is configured for.",
    "Install the `talosctl` of the cluster's Talos version and put it on PATH.",
)
NO_ANSWER = Code(
    "T302",
    Severity.ERROR,
    "machine that does not answer",
    "The machine told neither its version nor its disks: it cannot be reached, or it does not let us in.",
    "Check the address and the talosconfig; `talosctl version --nodes ADDRESS` tells more.",
)
INCOMPLETE_FACTS = Code(
    "T303",
    Severity.WARNING,
    "fact that a machine did not tell",
    "The inventory lacks a fact. Checks and defaults that need it are left out.",
    "Give the rights of `os:admin`, which files of the kernel need, and discover the machine again.",
)
MAINTENANCE = Code(
    "T304",
    Severity.WARNING,
    "facts from maintenance mode",
    "A machine without a configuration tells its hardware, but no files of the kernel: NUMA nodes, hugepages and IOMMU "
    "groups are not known.",
    "Discover the machine again once it has a configuration, without `--insecure`.",
)
NO_ANSWERS = Code(
    "T305",
    Severity.ERROR,
    "no saved answers",
    "`--replay` takes the directory that `--dump-dir` wrote: one directory per machine with its answers.",
    "Give that directory.",
)
NOT_APPENDED = Code(
    "T311",
    Severity.ERROR,
    "Cluster file that cannot be appended to",
    "Hosts are added to the text itself, so that comments and layout stay. That works when `hosts` is a list with one "
    "dash per host, the last thing under it in block style.",
    "Write the list of hosts in block style, or add the host by hand.",
)
ALREADY_THERE = Code(
    "T312",
    Severity.HINT,
    "host that is described already",
    "The file has a host of this name or address. What it says was decided by somebody, so it is left as it is.",
    "Change the host in the file, or take it out to have it described anew.",
)
NO_DISK = Code(
    "T313",
    Severity.WARNING,
    "no disk to install to",
    "No disk of the machine is writable, of 10 GB or more, and not removable.",
    "State `installDisk` in the file.",
)
UPLOAD_FAILED = Code(
    "T320",
    Severity.ERROR,
    "schematic that the factory did not take",
    "The Image Factory could not be reached or refused the schematic. It builds only from schematics that were posted.",
    "Mend what the message names and upload again; posting a schematic twice does no harm.",
)
OTHER_ID = Code(
    "T321",
    Severity.ERROR,
    "factory with another ID",
    "The factory's ID of the schematic is not the one computed here, so the images in patches do not exist there. The "
    "factory writes schematics in another form: it is much older or newer, or adds an owner.",
    "Use a factory of version 0.9 or later without authentication, or report the schematic.",
)
NO_ADDRESS = Code(
    "T330",
    Severity.ERROR,
    "host without an address",
    "A machine is reached by the address that the Cluster file gives it.",
    "State `address`, or leave the host out with `--host`.",
)
STEP_FAILED = Code(
    "T331",
    Severity.ERROR,
    "step that failed",
    "A change of a machine did not succeed, so no further machine was touched.",
    "Mend what the message names and run the same command again: machines that are done are passed over.",
)
UNKNOWN_HOST = Code(
    "T332",
    Severity.ERROR,
    "host that is not in the file",
    "`--host` names one of the hosts of the Cluster file.",
    "Correct the name.",
)
CPU_MANAGER = Code(
    "T334",
    Severity.ERROR,
    "kubelet that keeps the state of another CPU manager",
    "The kubelet writes its CPU manager's policy into a file and does not start with another one. Without it no pod "
    "starts that could delete the file, so the node stays not ready. Without `--apply` this is a warning; with it, the "
    "run stops before the machine.",
    "Drain the node and delete `/var/lib/kubelet/cpu_manager_state` on the machine by a pod in kube-system, then run "
    "`groundswell talos prepare FILE --apply`, and uncordon the node afterwards.",
)
UPGRADE_TOO_FAR = Code(
    "T335",
    Severity.ERROR,
    "upgrade over too many versions",
    "Talos upgrades over two minor versions at most. A machine with an older one refuses the installer.",
    "Upgrade to a version between first.",
)
DOWNGRADE = Code(
    "T336",
    Severity.WARNING,
    "machine with a newer Talos",
    "The definition would take the machine back to an older version, which may not read what the newer one stored.",
    "Correct `talos.version`, unless going back is what is meant.",
)
INTERRUPTED = Code(
    "T337",
    Severity.ERROR,
    "run that was interrupted",
    "The run was ended from outside while a machine was being changed. What Talos was told to do it goes on doing.",
    "Wait until the machine is back and run the same command again: machines that are done are passed over.",
)
DOWNGRADE_TOO_FAR = Code(
    "T338",
    Severity.ERROR,
    "way back over too many versions",
    "Talos goes back over one minor version at most. A machine with a newer one refuses the installer.",
    "Correct `talos.version`, or go back to the version between first.",
)
NETWORK_BACK = Code(
    "T339",
    Severity.WARNING,
    "network of Talos that comes back",
    "Nothing in the definition keeps Talos from installing its CNI and kube-proxy now, beside what took their place.",
    "Take that out of the cluster before `--apply`, or keep its component in the definition.",
)
OWN_COMMAND_LINE = Code(
    "T340",
    Severity.WARNING,
    "boot loader with a command line of its own",
    "On an old installation GRUB takes the kernel's arguments from `machine.install.extraKernelArgs` of the "
    "configuration, and those of the schematic reach nothing, unless `machine.install.grubUseUKICmdline` is true. With "
    "an upgrade to Talos 1.13 or later, those of the configuration are lost, too.",
    "From Talos 1.12 on take `extraKernelArgs` out and set `grubUseUKICmdline: true` with `talosctl edit "
    "machineconfig` before the upgrade. Below, install the machine anew.",
)
DRIFT_SCHEMATIC = Code(
    "T341",
    Severity.ERROR,
    "machine with another schematic",
    "The machine runs an image of another schematic, so its extensions and kernel arguments are not those of the "
    "definition.",
    "Run `groundswell talos prepare FILE --apply`.",
)
DRIFT_VERSION = Code(
    "T342",
    Severity.ERROR,
    "machine with another Talos version",
    "The version decides which form settings take, so the definition may not fit the machine.",
    "Upgrade the machine, or correct `talos.version`.",
)
DRIFT_ARGUMENTS = Code(
    "T343",
    Severity.ERROR,
    "kernel command line that differs",
    "The running kernel was not started with an argument of the definition, or with one that the definition removes.",
    "Follow the cause that the finding names.",
)
DRIFT_PAGES = Code(
    "T344",
    Severity.ERROR,
    "hugepages that are not there",
    "The kernel grants as many pages as it has memory in one piece for, and says nothing about the rest.",
    "Restart the machine, or ask for fewer pages.",
)
DRIFT_DRIVER = Code(
    "T345",
    Severity.ERROR,
    "device with another driver",
    "The kernel has not bound the device to the driver that the definition names. Talos's own status resource repeats "
    "the request and does not show this.",
    "Follow the cause that the finding names.",
)
DRIFT_MODULES = Code(
    "T346",
    Severity.ERROR,
    "kernel module that is not loaded",
    "A module that the definition asks for is neither loaded nor part of the kernel.",
    "Follow the cause that the finding names.",
)
UNVERIFIED = Code(
    "T347",
    Severity.ERROR,
    "machine that could not be compared",
    "The machine does not tell something that the definition is compared with.",
    "Give the rights of `os:admin`, check the address, and verify again.",
)
DRIFT_SYSCTL = Code(
    "T348",
    Severity.ERROR,
    "sysctl with another value",
    "The kernel has not the value that the definition states: the configuration lacks it, something wrote another one, "
    "or the kernel did not take it.",
    "Follow the cause that the finding names.",
)
DRIFT_CONFIGURATION = Code(
    "T349",
    Severity.ERROR,
    "configuration that lacks something",
    "The machine configuration does not hold a part of the definition that the kernel does not show, such as the "
    "kubelet's settings and the node's labels.",
    "Run `groundswell talos prepare FILE --apply`.",
)
DRIFT_LEFT = Code(
    "T350",
    Severity.ERROR,
    "setting that is no longer defined",
    "The machine still has what an earlier definition stated. The record of that definition, an annotation of the "
    "node, says that it came from there.",
    "Run `groundswell talos prepare FILE --apply`, which takes it out.",
)
UNKNOWN_SETTING = Code(
    "T352",
    Severity.WARNING,
    "preparation that is not in the definition",
    "The machine is prepared with something that its host in the Cluster file does not state, and no record says that "
    "it came from an earlier definition. It may be somebody's own, so it is left alone.",
    "Add it to the Cluster file, or take it out with `talosctl edit machineconfig`.",
)
OTHER_SETTINGS = Code(
    "T353",
    Severity.HINT,
    "settings that are not in the definition",
    "The machine's own configuration may hold modules, sysctls and labels besides those of the definition. They are "
    "left alone.",
    "Nothing needs to be done. What should be part of the definition goes into the Cluster file.",
)

DRIFT = frozenset(
    code.code
    for code in (
        DRIFT_SCHEMATIC,
        DRIFT_VERSION,
        DRIFT_ARGUMENTS,
        DRIFT_PAGES,
        DRIFT_DRIVER,
        DRIFT_MODULES,
        UNVERIFIED,
        DRIFT_SYSCTL,
        DRIFT_CONFIGURATION,
        DRIFT_LEFT,
        UNKNOWN_SETTING,
    )
)
"""Codes that say that a machine is not as defined, or that nobody knows."""

CODES: tuple[Code, ...] = (
    NO_TALOSCTL,
    NO_ANSWER,
    INCOMPLETE_FACTS,
    MAINTENANCE,
    NO_ANSWERS,
    NOT_APPENDED,
    ALREADY_THERE,
    NO_DISK,
    UPLOAD_FAILED,
    OTHER_ID,
    NO_ADDRESS,
    STEP_FAILED,
    UNKNOWN_HOST,
    CPU_MANAGER,
    UPGRADE_TOO_FAR,
    DOWNGRADE,
    INTERRUPTED,
    DOWNGRADE_TOO_FAR,
    NETWORK_BACK,
    OWN_COMMAND_LINE,
    DRIFT_SCHEMATIC,
    DRIFT_VERSION,
    DRIFT_ARGUMENTS,
    DRIFT_PAGES,
    DRIFT_DRIVER,
    DRIFT_MODULES,
    UNVERIFIED,
    DRIFT_SYSCTL,
    DRIFT_CONFIGURATION,
    DRIFT_LEFT,
    UNKNOWN_SETTING,
    OTHER_SETTINGS,
)
