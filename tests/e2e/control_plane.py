"""A real API server on the loopback interface, with admission configured as Talos configures it."""

from __future__ import annotations

import base64
import json
import secrets
import ssl
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx

from e2e.processes import Running, free_ports
from e2e.programs import find

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

# The PodSecurity part of the configuration that Talos generates.
_ADMISSION = {
    "apiVersion": "apiserver.config.k8s.io/v1",
    "kind": "AdmissionConfiguration",
    "plugins": [
        {
            "name": "PodSecurity",
            "configuration": {
                "apiVersion": "pod-security.admission.config.k8s.io/v1",
                "kind": "PodSecurityConfiguration",
                "defaults": {
                    "enforce": "baseline",
                    "enforce-version": "latest",
                    "audit": "restricted",
                    "audit-version": "latest",
                    "warn": "restricted",
                    "warn-version": "latest",
                },
                "exemptions": {"namespaces": ["kube-system"], "runtimeClasses": [], "usernames": []},
            },
        }
    ],
}


@dataclass(frozen=True, slots=True)
class ControlPlane:
    """A running API server: a client with all rights, and a kubeconfig with the same for programs."""

    api: httpx.Client
    kubeconfig: Path
    directory: Path
    minor: int

    @contextmanager
    def program(self, name: str, arguments: Sequence[str], health: str) -> Iterator[Running]:
        """Run one more program of the control plane against this server until the context is left.

        `health` is the URL that answers 200 as soon as the program works.
        """
        with _started(name, arguments, self.directory) as running, httpx.Client(verify=False) as client:  # noqa: S501  a health port on the loopback interface
            running.wait_until(lambda: _answers(client, health))
            yield running


@contextmanager
def control_plane(directory: Path, options: Sequence[str] = ()) -> Iterator[ControlPlane]:
    """Start etcd and the API server with their files in `directory`, and stop both when the context is left.

    `options` are further ones for the API server.
    """
    with ExitStack() as stack:
        etcd = _start_etcd(directory, stack)
        token = secrets.token_hex(16)
        (port,) = free_ports(1)
        arguments = [*_api_arguments(directory, etcd, port, token), *options]
        server = stack.enter_context(_started("kube-apiserver", arguments, directory))
        authority = directory / "certificates" / "apiserver.crt"
        server.wait_until(authority.exists)
        api = stack.enter_context(
            httpx.Client(
                base_url=f"https://127.0.0.1:{port}",
                headers={"Authorization": f"Bearer {token}"},
                verify=ssl.create_default_context(cafile=authority),
                timeout=30,
            )
        )
        server.wait_until(lambda: _answers(api, "/readyz"))
        kubeconfig = directory / "kubeconfig"
        kubeconfig.write_text(json.dumps(_kubeconfig(str(api.base_url), authority, token)))
        minor = int(api.get("/version").json()["minor"].rstrip("+"))
        yield ControlPlane(api, kubeconfig, directory, minor)


@contextmanager
def _started(name: str, arguments: Sequence[str], directory: Path) -> Iterator[Running]:
    program = find(name)
    assert program is not None, f"{name} is nowhere"
    with Running([program, *arguments], directory / f"{name}.log") as running:
        yield running


def _start_etcd(directory: Path, stack: ExitStack) -> str:
    client_port, peer_port = free_ports(2)
    client, peer = f"http://127.0.0.1:{client_port}", f"http://127.0.0.1:{peer_port}"
    arguments = [
        f"--data-dir={directory / 'etcd'}",
        f"--listen-client-urls={client}",
        f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=default={peer}",
        "--unsafe-no-fsync",
    ]
    etcd = stack.enter_context(_started("etcd", arguments, directory))
    with httpx.Client() as probe:
        etcd.wait_until(lambda: _answers(probe, f"{client}/health"))
    return client


def _api_arguments(directory: Path, etcd: str, port: int, token: str) -> list[str]:
    admission, tokens, key = directory / "admission.json", directory / "tokens.csv", directory / "service-accounts.pem"
    admission.write_text(json.dumps(_ADMISSION))
    tokens.write_text(f"{token},admin,admin,system:masters\n")
    key.write_text(_private_key())
    return [
        f"--etcd-servers={etcd}",
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        "--endpoint-reconciler-type=none",
        f"--secure-port={port}",
        f"--cert-dir={directory / 'certificates'}",
        "--service-cluster-ip-range=10.96.0.0/12",
        "--allow-privileged=true",
        "--authorization-mode=Node,RBAC",
        "--enable-admission-plugins=NodeRestriction",
        f"--admission-control-config-file={admission}",
        f"--token-auth-file={tokens}",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={key}",
        f"--service-account-signing-key-file={key}",
    ]


def _private_key() -> str:
    """A fresh key on the curve P-256 in PEM (RFC 5915); the public half, which is optional there, is left out."""
    curve = bytes.fromhex("a00a06082a8648ce3d030107")
    secret = secrets.token_bytes(31).rjust(32, b"\0")  # surely below the order of the curve
    body = b"\x02\x01\x01" + b"\x04\x20" + secret + curve
    encoded = base64.encodebytes(b"\x30" + bytes([len(body)]) + body).decode()
    return f"-----BEGIN EC PRIVATE KEY-----\n{encoded}-----END EC PRIVATE KEY-----\n"


def _kubeconfig(server: str, authority: Path, token: str) -> dict[str, object]:
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "e2e", "cluster": {"server": server, "certificate-authority": str(authority)}}],
        "users": [{"name": "e2e", "user": {"token": token}}],
        "contexts": [{"name": "e2e", "context": {"cluster": "e2e", "user": "e2e"}}],
        "current-context": "e2e",
    }


def _answers(client: httpx.Client, url: str) -> bool:
    try:
        return client.get(url).status_code == httpx.codes.OK
    except httpx.TransportError:
        return False
