"""Findings about schematics: versions, extensions and kernel arguments."""

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
)
