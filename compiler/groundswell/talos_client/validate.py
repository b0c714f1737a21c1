"""Lays the patches of hosts on whole configurations and has `talosctl` judge the results. No machine is asked."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from groundswell.diagnostics.codes import talos_validation as codes
from groundswell.talos.target import Base
from groundswell.talos_client.base_configurations import generated_bases, user_bases
from groundswell.talos_client.refusal import problems, without_secrets
from groundswell.talos_client.talosctl import BrokenTalosctlError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Cluster, Host
    from groundswell.talos.target import Target
    from groundswell.talos.version import TalosVersion
    from groundswell.talos_client.base_configurations import BaseFile
    from groundswell.talos_client.talosctl import Talosctl

_VERSION = r"v([0-9]+)\.([0-9]+)\.[0-9]+(?:-[0-9A-Za-z.-]+)?"
_IN_FIELDS = "(?:already (?:set|configured) in|incompatible with) (?:the )?v1alpha1 "
_OTHER_FORM = {
    Base.GENERATED: "state `baseConfig: legacy` in `talos` if an earlier Talos wrote the base",
    Base.LEGACY: "leave `baseConfig: legacy` out of `talos` if `talosctl gen config` wrote the base for this Talos",
}
_LEFT_OUT = "`--no-validate` leaves the matter out"
_PROBE = 10.0  # seconds in which `talosctl` must tell its own version


class Validated(NamedTuple):
    """The hosts whose patch was judged on the user's base and on a generated one, by a version of `talosctl`."""

    version: str
    on_user_base: tuple[str, ...]
    on_generated: tuple[str, ...]


def validate(
    talosctl: Talosctl, cluster: Cluster, patches: Mapping[str, tuple[str, bytes]], base: Path | None, *, asked: bool
) -> tuple[Validated | None, tuple[Diagnostic, ...]]:
    """Judge the patch of each host. `patches` holds for each host that has one the file's name and its content.

    `base` is the user's configuration or a directory of them; hosts that it does not cover get a generated one. `asked`
    says that the user wants this; else a `talosctl` that is too old is no error.

    Returns:
        Who was validated, None where nobody was, and every refusal.
    """
    try:
        return _judged(talosctl, cluster, patches, base, asked=asked)
    except BrokenTalosctlError as error:
        broken = codes.BROKEN_TALOSCTL(f"the `talosctl` on PATH does not work: {error}", help=_LEFT_OUT)
        return None, (broken if asked else broken.as_warning(),)


def _judged(
    talosctl: Talosctl, cluster: Cluster, patches: Mapping[str, tuple[str, bytes]], base: Path | None, *, asked: bool
) -> tuple[Validated | None, tuple[Diagnostic, ...]]:
    answer = talosctl.offline(["version", "--client", "--short"], _PROBE)
    found = re.search(_VERSION, answer.text)
    if found is None:
        raise BrokenTalosctlError(" ".join(answer.problem.split()) or "it does not tell its version")
    remarks = tuple(_age(found, cluster.target.version, asked=asked))
    if any(remark.code == codes.OLD_TALOSCTL.code for remark in remarks):
        return None, remarks
    # The directory is the user's alone, and what talosctl writes into it, too.
    with TemporaryDirectory(prefix="groundswell-") as scratch:
        directory = Path(scratch)
        bases, findings = _bases(talosctl, cluster, base, directory)
        if not asked:
            findings = tuple(item.as_warning()._replace(help=_LEFT_OUT) for item in findings)
        judge = _Judge(talosctl, cluster.target, directory)
        hosts = [host for host in cluster.hosts if host.name.value in patches and host.name.value in bases]
        for host in hosts:
            name = host.name.value
            findings = (*findings, *judge.findings(host, *patches[name], bases[name]))
    own = tuple(host.name.value for host in hosts if not bases[host.name.value].generated)
    made = tuple(host.name.value for host in hosts if bases[host.name.value].generated)
    return Validated(found[0], own, made) if hosts else None, (*remarks, *findings)


def _age(talosctl: re.Match[str], target: TalosVersion, *, asked: bool) -> Iterable[Diagnostic]:
    release = int(talosctl[1]), int(talosctl[2])
    if release > target.release:
        yield codes.NEW_TALOSCTL(f"the `talosctl` on PATH is {talosctl[0]}, and the target is Talos {target}")
    elif release < target.release:
        text = f"the `talosctl` on PATH is {talosctl[0]} and cannot judge patches for Talos {target}"
        old = codes.OLD_TALOSCTL(text)
        yield old if asked else old.as_warning()


def _bases(
    talosctl: Talosctl, cluster: Cluster, base: Path | None, directory: Path
) -> tuple[dict[str, BaseFile], tuple[Diagnostic, ...]]:
    own, findings = user_bases(base, cluster) if base else ({}, ())
    if findings or len(own) == len(cluster.hosts):
        return own, findings
    made, findings = generated_bases(talosctl, cluster, directory / "generated")
    return {**made, **own}, findings


class _Judge:
    """Judges one host after the other; what is wrong with a base itself is said once."""

    def __init__(self, talosctl: Talosctl, target: Target, directory: Path) -> None:
        self._talosctl = talosctl
        self._mode = "metal" if target.platform == "metal" else "cloud"
        self._other_form = _OTHER_FORM[target.base]
        self._directory = directory
        self._refused: set[Path] = set()

    def findings(self, host: Host, name: str, patch: bytes, base: BaseFile) -> Iterable[Diagnostic]:
        """What `talosctl` has against the patch on this base.

        Raises:
            BrokenTalosctlError: It refuses what it generated itself, so its word on patches is worth nothing.
        """
        merged = self._directory / f"{host.name.value}.yaml"
        not_laid = self._laid(patch, base.path, merged)
        said = not_laid or self._validated(merged, strict=True)
        if not said or base.path in self._refused:
            return
        unpatched = self._validated(base.path, strict=False)
        if unpatched and base.generated:
            reason = self._shown("; ".join(problems(unpatched)), base, patch)
            raise BrokenTalosctlError(f"it refuses what it generated itself: {reason}")
        if unpatched:
            self._refused.add(base.path)
            text = f"`{base.path}` is refused by `talosctl` without any patch"
            command = f"`talosctl validate --config {base.path} --mode {self._mode}` says why"
            yield codes.REFUSED_BASE(text, help=command)
            return
        # What talosctl warns of in the base alone is not the patch's doing. That a patch cannot be laid is no warning.
        known = () if not_laid else problems(self._validated(base.path, strict=True))
        for problem in problems(said):
            if problem not in known:
                words = self._shown(problem, base, patch)
                text = f"talosctl refuses `{name}` on host `{host.name.value}`: {words}"
                other_form = re.search(_IN_FIELDS, words) and not base.generated
                hint = self._other_form if other_form else ""
                yield codes.REFUSED(text, host.name.span, help=hint)

    def _shown(self, problem: str, base: BaseFile, patch: bytes) -> str:
        """A problem without the scratch directory and without what is secret in the base."""
        return without_secrets(problem.replace(f"{self._directory}/", ""), base.path.read_bytes(), patch)

    def _laid(self, patch: bytes, base: Path, merged: Path) -> str:
        """Why the patch could not be laid on the base, "" when it is in `merged`."""
        there = merged.with_suffix(".patch.yaml")
        there.touch(0o600)
        there.write_bytes(patch)
        words = ["machineconfig", "patch", str(base), "--patch", f"@{there}", "--output", str(merged)]
        return self._talosctl.offline(words).problem

    def _validated(self, file: Path, *, strict: bool) -> str:
        words = ["validate", "--config", str(file), "--mode", self._mode]
        return self._talosctl.offline([*words, "--strict"] if strict else words).problem
