"""How to reach one API server, and who to be there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from groundswell.source.located import Json


class AccessError(Exception):
    """A reason for which the API server cannot be asked. `help` says what to do about it."""

    def __init__(self, message: str, help: str = "") -> None:  # noqa: A002  the word that diagnostics use
        """Take both in the form that a finding has."""
        super().__init__(message)
        self.help = help


@dataclass(frozen=True, slots=True)
class ExecPlugin:
    """A program that hands out credentials (client.authentication.k8s.io). `directory` is where its kubeconfig lies."""

    api_version: str
    command: str
    args: tuple[str, ...]
    env: Mapping[str, str]
    interactive_mode: str
    provide_cluster_info: bool
    cluster_extension: Json
    install_hint: str
    directory: Path


@dataclass(frozen=True, slots=True)
class Identity:
    """Who to be: client certificate and key (PEM), a bearer token, or a user and password. Empty where not used."""

    certificate: bytes = field(default=b"", repr=False)
    key: bytes = field(default=b"", repr=False)
    token: str = field(default="", repr=False)
    username: str = ""
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Access:
    """One API server. `server_name` replaces the host in the certificate's check; `headers` impersonate somebody."""

    server: str
    authority: bytes
    identity: Identity
    insecure: bool = False
    server_name: str = ""
    proxy: str = ""
    plugin: ExecPlugin | None = None
    headers: tuple[tuple[str, str], ...] = ()
