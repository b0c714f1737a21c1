"""What is compiled for: a Talos version, the factory that builds its images, and the form of the base configuration."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from groundswell.talos.schematic import Schematic
    from groundswell.talos.version import TalosVersion

OFFICIAL_FACTORY = "https://factory.talos.dev"

_DOCUMENTS_SINCE = (1, 14)
_HOSTNAME_DOCUMENT_SINCE = (1, 12)


class Base(Enum):
    """Who wrote the configuration that a patch lands on. An upgrade never rewrites a stored configuration."""

    GENERATED = "generated"
    """`talosctl gen config` for the target version."""
    LEGACY = "legacy"
    """An earlier Talos, before settings moved into documents of their own (1.14)."""


class Form(Enum):
    """Where settings live that moved in some version of Talos. The two exclude each other for most settings."""

    FIELDS = "fields of the v1alpha1 document"
    DOCUMENTS = "documents of their own"


class Target(NamedTuple):
    """One version of Talos on one platform, with images of one factory."""

    version: TalosVersion
    factory: str = OFFICIAL_FACTORY
    platform: str = "metal"
    secureboot: bool = False
    base: Base = Base.GENERATED

    @property
    def form(self) -> Form:
        """Where sysctls, sysfs, modules, kubelet, labels, admission and install settings go."""
        moved = self.version.release >= _DOCUMENTS_SINCE and self.base is Base.GENERATED
        return Form.DOCUMENTS if moved else Form.FIELDS

    @property
    def hostname_form(self) -> Form:
        """Where the host name goes. A legacy base may have it in either place, and two of them are refused."""
        return Form.DOCUMENTS if self.version.release >= _HOSTNAME_DOCUMENT_SINCE else Form.FIELDS

    def installer(self, schematic: Schematic) -> str:
        """The installer image of a schematic.

        Factories take the platform's name since Talos 1.10 appeared. The image that is from no factory ends with 1.13.
        """
        host = self.factory.split("://", 1)[1]
        secure = "-secureboot" if self.secureboot else ""
        return f"{host}/{self.platform}-installer{secure}/{schematic.id}:{self.version}"
