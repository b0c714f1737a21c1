"""The protocol between a plan's folders and the tools that deploy them.

A third party adds a deployer with an entry point in the group `groundswell.deployers` that names an object of this
protocol.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.bundle.files import File
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Folder, Plan


class Settings(NamedTuple):
    """Where and under which names the bundle will be deployed.

    `repo` is the Git URL that will hold the bundle, None when unknown; `path` the bundle's folder in it, "" for its
    root. `named` says that `name` was chosen by the user, so that children carry it as a prefix. `cluster` says that
    the node layer comes from a Cluster file; `deployers` are the names of all that write into the bundle.
    """

    name: str = "groundswell"
    named: bool = False
    repo: str | None = None
    revision: str = "main"
    path: str = ""
    project: str = "default"
    argocd_namespace: str = "argocd"
    destination: str = "https://kubernetes.default.svc"
    cascade_delete: bool = False
    cluster: bool = False
    deployers: tuple[str, ...] = ()


class BuiltFolder(NamedTuple):
    """A folder with the files every deployer shares, and their digest.

    `files` have paths from the bundle's root (`001-x-pre/Chart.yaml`). `digest` is 64 hex digits over them, for a
    chart also over its repository, name and version; the folder's number is not in it.
    """

    folder: Folder
    files: tuple[File, ...]
    digest: str

    def text(self, name: str) -> str:
        """The text of the file `name` inside this folder, "" when it has none."""
        path = f"{self.folder.name}/{name}"
        return next((file.data.decode() for file in self.files if file.path == path), "")


class Emitted(NamedTuple):
    """What a deployer adds: files, its section of the README (Markdown, from level 2 headings down), and findings.

    `notice` is what the reader must know before anything else; it becomes the README's first line.
    """

    files: tuple[File, ...]
    readme: str
    findings: tuple[Diagnostic, ...] = ()
    notice: str = ""


class Deployer(Protocol):
    """Turns a plan into the files of one tool. It is pure: same arguments, same result, nothing touched."""

    @property
    def name(self) -> str:
        """What `--deployer` calls it."""

    @property
    def reads(self) -> frozenset[str]:
        """The fields of `Settings` that it reads: an option that no chosen deployer reads is an error."""

    def emit(self, plan: Plan, folders: Mapping[str, BuiltFolder], settings: Settings) -> Emitted:
        """Make the files. `folders` holds every folder of the plan by its name."""


@runtime_checkable
class ChecksSettings(Protocol):
    """A deployer that also tells without a plan which settings it cannot use. `emit` finds the same in them."""

    def check(self, settings: Settings) -> tuple[Diagnostic, ...]:
        """What is wrong with the settings alone."""
