"""Credentials from a program, as client.authentication.k8s.io defines the exchange."""

from __future__ import annotations

import base64
import json
import subprocess
from typing import TYPE_CHECKING, Any

from groundswell.snapshot.access import AccessError, Identity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.snapshot.access import Access, ExecPlugin

_VERSIONS = ("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1")
_LONGEST = 180  # seconds: a plugin may open a browser and wait for a person


def ask_plugin(plugin: ExecPlugin, access: Access, environment: Mapping[str, str], *, terminal: bool) -> Identity:
    """Run the program and take what it prints. Its own messages go to stderr.

    Raises:
        AccessError: It cannot be run, fails, takes too long, or prints something else than credentials.
    """
    if plugin.api_version not in _VERSIONS:
        raise AccessError(
            f"the exec plugin `{plugin.command}` speaks `{plugin.api_version}`, not {' or '.join(_VERSIONS)}"
        )
    if plugin.interactive_mode == "Always" and not terminal:
        raise AccessError(f"the exec plugin `{plugin.command}` wants to ask questions, and stdin is no terminal")
    interactive = terminal and plugin.interactive_mode != "Never"
    command = str(plugin.directory / plugin.command) if "/" in plugin.command else plugin.command
    request = json.dumps(_request(plugin, access, interactive=interactive))
    try:
        done = subprocess.run(  # noqa: S603  the kubeconfig names the program, as for kubectl
            [command, *plugin.args],
            env={**environment, **plugin.env, "KUBERNETES_EXEC_INFO": request},
            stdin=None if interactive else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            timeout=_LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise AccessError(f"the exec plugin `{plugin.command}` took more than {_LONGEST} seconds") from None
    except OSError as error:
        text = f"the exec plugin `{plugin.command}` cannot be run: {error.strerror}"
        raise AccessError(text, plugin.install_hint) from None
    if done.returncode != 0:
        raise AccessError(f"the exec plugin `{plugin.command}` failed with exit code {done.returncode}")
    return _identity(plugin, done.stdout)


def _request(plugin: ExecPlugin, access: Access, *, interactive: bool) -> dict[str, Any]:
    spec: dict[str, Any] = {"interactive": interactive}
    if plugin.provide_cluster_info:
        cluster: dict[str, Any] = {
            "server": access.server,
            "tls-server-name": access.server_name,
            "insecure-skip-tls-verify": access.insecure,
            "certificate-authority-data": base64.b64encode(access.authority).decode(),
            "proxy-url": access.proxy,
            "config": plugin.cluster_extension,
        }
        spec["cluster"] = {key: value for key, value in cluster.items() if value}
    return {"apiVersion": plugin.api_version, "kind": "ExecCredential", "spec": spec}


def _identity(plugin: ExecPlugin, output: bytes) -> Identity:
    try:
        answer = json.loads(output)
        version, status = answer["apiVersion"], answer["status"]
        token = status.get("token") or ""
        certificate, key = status.get("clientCertificateData") or "", status.get("clientKeyData") or ""
        identity = Identity(certificate.encode(), key.encode(), token)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise AccessError(f"the exec plugin `{plugin.command}` printed no ExecCredential") from None
    if version != plugin.api_version:
        raise AccessError(
            f"the exec plugin `{plugin.command}` answered in `{version}`, asked in `{plugin.api_version}`"
        )
    if not token and not (certificate and key):
        raise AccessError(f"the exec plugin `{plugin.command}` gave neither a token nor a certificate with its key")
    return identity
