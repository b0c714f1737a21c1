"""Where the bundle will live and under which names: the deployment settings, checked and in the form Argo CD takes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from groundswell.deploy.command import BUNDLE, CLUSTER, bundle_command
from groundswell.diagnostics.codes import deployer as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.deploy.deployer import Settings
    from groundswell.diagnostics.diagnostic import Diagnostic

PLACEHOLDER = "https://git.invalid/set-repo.git"
LOCAL_CLUSTER = "https://kubernetes.default.svc"
FINALIZER = "resources-finalizer.argocd.argoproj.io"

_RELEASE_LENGTH = 53
_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
_SUBDOMAIN = re.compile(r"(?=.{1,253}\Z)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_REPOSITORY = re.compile(
    r"(?:(?:https?|oci)://|ssh://(?:[\w.-]+@)?)[A-Za-z0-9.-]+(?::\d+)?/[\w.~/:@%+=-]+"
    r"|[\w.-]+@[A-Za-z0-9.-]+:[\w.~/%+-]+",
    re.ASCII,
)
_SERVER = re.compile(r"https://[A-Za-z0-9.-]+(?::\d+)?(?:/[\w.~/%-]*)?", re.ASCII)
_GIT_REVISION = re.compile(
    r"(?![-/.])(?!.*(?:\.\.|//|@\{))[^\s\x00-\x1f\x7f~^:?*\[\\'\"$`<>|=,]{1,250}(?<![/.])(?<!\.lock)"
)
_OCI_REVISION = re.compile(r"(?!latest\Z)[A-Za-z0-9_][A-Za-z0-9._-]{0,127}|sha256:[0-9a-f]{64}")
# A word, such as a branch's name, or a version of one or two numbers.
_MOVING_TAG = re.compile(r"\D+|v?\d+(\.\d+)?", re.ASCII)
_PATH = re.compile(r"(?![/ ])[^\x00-\x1f\x7f*?\[\]{}\\'\"$`]*(?<! )")


class Placement(NamedTuple):
    """The settings as Applications spell them.

    `prefix` stands before every child's name, `path` is the bundle's folder in the repository ("" for its root),
    `server` the cluster that receives what the children install. `finalizers` go onto every Application.
    `beside_helm` says that the bundle holds `install.sh` as well.
    """

    name: str
    prefix: str
    repository: str
    revision: str
    path: str
    project: str
    namespace: str
    server: str
    finalizers: tuple[str, ...]
    beside_helm: bool

    @property
    def oci(self) -> bool:
        """Whether the bundle lies in an OCI registry and not in Git."""
        return self.repository.startswith("oci://")

    def inside(self, folder: str) -> str:
        """The path in the repository of one of the bundle's folders."""
        return f"{self.path}/{folder}" if self.path else folder


def place(settings: Settings) -> tuple[Placement, tuple[Diagnostic, ...]]:
    """Bring the settings into form, with a finding for each one that Argo CD, Git or Kubernetes would refuse."""
    placement = Placement(
        name=settings.name,
        prefix=f"{settings.name}-" if settings.named else "",
        repository=settings.repo or PLACEHOLDER,
        revision=settings.revision,
        path="/".join(part for part in settings.path.split("/") if part not in {"", "."}),
        project=settings.project,
        namespace=settings.argocd_namespace,
        server=LOCAL_CLUSTER if settings.destination == "in-cluster" else settings.destination,
        finalizers=(FINALIZER,) if settings.cascade_delete else (),
        beside_helm="helm" in settings.deployers,
    )
    return placement, tuple(_findings(settings, placement))


def placeholder_notice(settings: Settings) -> str:
    """What the README's first line says while the bundle does not know its repository; "" when it does."""
    if settings.repo is not None:
        return ""
    command = bundle_command(settings, repo="REPOSITORY")
    cluster = f", its Cluster file for `{CLUSTER}`" if settings.cluster else ""
    return (
        "**Argo CD cannot sync this bundle yet, because it does not know its repository.** Run "
        f"`{command}` with this directory for `{BUNDLE}`{cluster} and the repository's URL for `REPOSITORY`."
    )


def _findings(settings: Settings, placement: Placement) -> Iterator[Diagnostic]:
    if settings.repo is None:
        yield codes.NO_REPOSITORY(
            f"the bundle's repository is not known: `{PLACEHOLDER}` stands in for it",
            help="run again with `--repo URL`" + ("; `install.sh` does not need it" if placement.beside_helm else ""),
        )
    elif not _REPOSITORY.fullmatch(settings.repo):
        yield _unusable(
            "--repo", settings.repo, "give an https, ssh, `git@host:path` or oci URL without user and password"
        )
    if not (_OCI_REVISION if placement.oci else _GIT_REVISION).fullmatch(settings.revision):
        wanted = "a tag that does not move, or a digest" if placement.oci else "a branch, a tag or a commit"
        yield _unusable("--revision", settings.revision, f"give {wanted}")
    elif placement.oci and _MOVING_TAG.fullmatch(settings.revision):
        yield codes.MOVING_TAG(
            f"the tag `{settings.revision}` looks like one that is pushed again, which Argo CD notices late or never",
            help="give each push its own tag with `--revision`, such as `v1.2.3`",
        )
    if not _PATH.fullmatch(settings.path) or ".." in settings.path.split("/"):
        yield _unusable("--path", settings.path, "give the bundle's folder, relative to the repository's root")
    if not _LABEL.fullmatch(settings.name) or len(settings.name) > _RELEASE_LENGTH:
        wanted = f"lower-case letters, digits and dashes, at most {_RELEASE_LENGTH} characters"
        yield _unusable("--name", settings.name, f"use {wanted}")
    if not _SUBDOMAIN.fullmatch(settings.project):
        yield _unusable("--project", settings.project, "give the name of an AppProject")
    if not _LABEL.fullmatch(settings.argocd_namespace):
        yield _unusable("--argocd-namespace", settings.argocd_namespace, "give the namespace that Argo CD runs in")
    if not _SERVER.fullmatch(placement.server):
        yield _unusable("--destination", settings.destination, "give `in-cluster` or the https URL of a cluster's API")


def _unusable(option: str, value: str, advice: str) -> Diagnostic:
    return codes.UNUSABLE_SETTING(f"`{option}` cannot be {value!r}", help=advice)
