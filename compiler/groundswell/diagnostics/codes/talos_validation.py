"""Findings of patches that `talosctl` lays on a configuration and judges."""

from __future__ import annotations

from groundswell.diagnostics.diagnostic import Code, Severity

NOT_VALIDATED = Code(
    "T360",
    Severity.HINT,
    "patches that talosctl did not validate",
    "Where `talosctl` is installed, each patch is laid on a configuration and the result is validated by it. Without "
    "it, nobody has tried whether Talos takes the two together.",
    "Install the `talosctl` of the cluster's Talos version, or say `--no-validate`.",
)
REFUSED = Code(
    "T361",
    Severity.ERROR,
    "configuration that talosctl refuses",
    "The patch was laid on the base configuration, and `talosctl validate --strict` says that a machine would not take "
    "the result, or would warn about it. Base and patch may each be right and exclude each other.",
    "Correct the setting that the finding names, in the Cluster file, the component that asks for it, or the base.",
)
REFUSED_BASE = Code(
    "T362",
    Severity.ERROR,
    "base configuration that talosctl refuses",
    "A configuration that `talosctl validate` refuses before anything was laid on it says nothing about patches. Its "
    "content, and what `talosctl` says about it, may hold secrets and is not shown.",
    "Run the command that the finding names, and correct the base.",
)
NO_BASE = Code(
    "T363",
    Severity.ERROR,
    "no configuration to lay a patch on",
    "`--base` is a machine's whole configuration, whose role (`machine.type`) must be that of a host; or a directory "
    "with one file for each host (`HOST.yaml`) or for each role (`controlplane.yaml`, `worker.yaml`), as `talosctl gen "
    "config` writes them. Without `--base`, `talosctl` must be able to generate one; that it cannot is a warning where "
    "nobody asked for it.",
    "Name the file or directory, or add the file that is missing.",
)
OLD_TALOSCTL = Code(
    "T364",
    Severity.ERROR,
    "talosctl older than the Talos that is compiled for",
    "An older `talosctl` does not know what came later and refuses it, so it cannot judge these patches. Without "
    "`--validate` and `--base` this is a warning, and they are not validated.",
    "Install the `talosctl` of the cluster's Talos version.",
)
NEW_TALOSCTL = Code(
    "T365",
    Severity.WARNING,
    "talosctl newer than the Talos that is compiled for",
    "A newer `talosctl` takes settings that an older Talos does not know, so what it finds right may still be refused "
    "by the machine.",
    "Install the `talosctl` of the cluster's Talos version.",
)

BROKEN_TALOSCTL = Code(
    "T366",
    Severity.ERROR,
    "talosctl that does not work",
    "The `talosctl` on PATH cannot be run, does not tell its version, hangs, crashes, or refuses the "
    "configurations that it generates itself. Without `--validate` and `--base` this is a warning, and the patches are "
    "not validated.",
    "Mend or replace it, or say `--no-validate`.",
)

CODES: tuple[Code, ...] = (
    NOT_VALIDATED,
    REFUSED,
    REFUSED_BASE,
    NO_BASE,
    OLD_TALOSCTL,
    NEW_TALOSCTL,
    BROKEN_TALOSCTL,
)
