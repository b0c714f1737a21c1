"""The configurations that patches are laid on to be judged: the user's, or those that `talosctl` generates."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundswell.diagnostics.codes import talos_validation as codes
from groundswell.diagnostics.diagnostic import failed
from groundswell.source.bounded import read_bounded
from groundswell.source.reader import Dialect, read
from groundswell.talos.cluster import CONTROL_PLANE, WORKER
from groundswell.talos.target import Base

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Located
    from groundswell.talos.cluster import Cluster, Host
    from groundswell.talos.target import Target
    from groundswell.talos_client.talosctl import Talosctl

_NEWEST_LEGACY = 13  # Talos 1.14 moved settings into documents of their own
_ROLES = {"init": CONTROL_PLANE, CONTROL_PLANE: CONTROL_PLANE, WORKER: WORKER}


class BaseFile(NamedTuple):
    """One configuration. `generated` says that it is nobody's, and was made for the occasion."""

    path: Path
    generated: bool


def user_bases(base: Path, cluster: Cluster) -> tuple[dict[str, BaseFile], tuple[Diagnostic, ...]]:
    """The configuration of each host from a file or directory of the user.

    A file is for hosts of its role, so hosts of the other are left out; a directory must have one for every host.
    """
    if not base.is_dir():
        return _of_file(base, cluster)
    found: dict[str, BaseFile] = {}
    findings: list[Diagnostic] = []
    for host in cluster.hosts:
        name = host.name.value
        places = [base / f"{name}.yaml", base / f"{host.role}.yaml"]
        path = next((place for place in places if place.is_file()), None)
        if path is None:
            text = f"`{base}` has neither `{name}.yaml` nor `{host.role}.yaml` for host `{name}`"
            findings.append(codes.NO_BASE(text, host.name.span))
        else:
            found[name] = BaseFile(path, generated=False)
    return found, tuple(findings)


def generated_bases(
    talosctl: Talosctl, cluster: Cluster, directory: Path
) -> tuple[dict[str, BaseFile], tuple[Diagnostic, ...]]:
    """The configuration of each host as `talosctl` generates it into a directory, with secrets of its own."""
    version = _contract(cluster.target)
    words = ["gen", "config", cluster.name, cluster.endpoint, "--talos-version", version]
    said = talosctl.offline([*words, "--output-types", f"{CONTROL_PLANE},{WORKER}", "--output", str(directory)])
    paths = {role: directory / f"{role}.yaml" for role in (CONTROL_PLANE, WORKER)}
    if said.problem or not all(path.is_file() for path in paths.values()):
        reason = " ".join((said.problem or "no file was written").split())
        return {}, (codes.NO_BASE(f"`talosctl` generates no configuration for Talos {version}: {reason}"),)
    return {host.name.value: BaseFile(paths[host.role], generated=True) for host in cluster.hosts}, ()


def _of_file(base: Path, cluster: Cluster) -> tuple[dict[str, BaseFile], tuple[Diagnostic, ...]]:
    try:
        documents, wrong = read(read_bounded(base), "base", Dialect.GO_V3)
    except OSError as error:
        return {}, (codes.NO_BASE(f"`{base}` cannot be read: {error.strerror}"),)
    if failed(wrong):
        # What is wrong may show a secret; where it is does not.
        at = wrong[0].span
        return {}, (codes.NO_BASE(f"`{base}` is no YAML" + (f", see line {at.line}" if at else "")),)
    role = _role(documents)
    if role is None:
        return {}, (codes.NO_BASE(f"`{base}` states no role of a machine (`machine.type`)"),)
    of_role: list[Host] = [host for host in cluster.hosts if host.role == role]
    if not of_role:
        return {}, (codes.NO_BASE(f"`{base}` is of the role `{role}`, and no host is"),)
    return {host.name.value: BaseFile(base, generated=False) for host in of_role}, ()


def _role(documents: Iterable[Located]) -> str | None:
    for document in documents:
        settings = document.data
        machine = settings.get("machine") if isinstance(settings, dict) and "kind" not in settings else None
        if isinstance(machine, dict) and isinstance(machine.get("type"), str):
            return _ROLES.get(machine["type"])
    return None


def _contract(target: Target) -> str:
    """The version whose form the base has. A legacy one was written by an earlier Talos, the newest that it can be."""
    if target.base is Base.GENERATED:
        return str(target.version)
    major, minor = target.version.release
    return f"v{major}.{min(minor - 1, _NEWEST_LEGACY)}.0"
