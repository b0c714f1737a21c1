"""Places that serve charts on this machine: an HTTP repository and an OCI registry, open or with a password."""

from __future__ import annotations

import base64
import hashlib
import http.server
import json
import os
import ssl
import subprocess
import tarfile
import threading
from typing import TYPE_CHECKING, Any, ClassVar

import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

USER, PASSWORD = "reader", "not-to-be-shown"
_BASIC = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
_CERTIFICATES = """\
{{- $ca := genCA "test" 2 }}{{ $cert := genSignedCert "localhost" (list "127.0.0.1") (list "localhost") 2 $ca }}
ca: {{ $ca.Cert | quote }}
pair: {{ print $cert.Cert $cert.Key | quote }}
"""
_MANIFEST = "application/vnd.oci.image.manifest.v1+json"
_CONFIG = "application/vnd.cncf.helm.config.v1+json"
_LAYER = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"


def make_certificates(root: Path, helm: Path) -> tuple[Path, Path]:
    """The certificate of an authority, and a server's pair of certificate and key, made by Helm itself."""
    chart = root / "certificates"
    (chart / "templates").mkdir(parents=True)
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: certificates\nversion: 1.0.0\n")
    (chart / "templates" / "all.yaml").write_text(_CERTIFICATES)
    done = subprocess.run([helm, "template", "x", chart], check=True, capture_output=True)
    made = yaml.safe_load(done.stdout)
    paths = root / "ca.pem", root / "pair.pem"
    for path, key in zip(paths, ("ca", "pair"), strict=True):
        path.write_text(made[key])
    return paths


class ChartServer:
    """A server on a free loopback port, with TLS when there is a `pair` of certificate and key.

    `files` answers requests by path: the media type and the bytes.
    `seen` are the paths that were asked for with the right credentials, if there must be some.
    """

    def __init__(self, pair: Path | None, *, private: bool = False) -> None:
        self.files: dict[str, tuple[str, bytes]] = {}
        self.seen: list[str] = []
        handler = type("Handler", (_Handler,), {"files": self.files, "seen": self.seen, "private": private})
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        if pair is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(pair)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.tls = pair is not None
        self.host = f"127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def add_to_repository(self, archive: Path) -> str:
        """Serve an archive as an HTTP repository does; the repository's URL."""
        about, data = _metadata(archive), archive.read_bytes()
        entry = {**about, "urls": [archive.name], "digest": hashlib.sha256(data).hexdigest()}
        index = {"apiVersion": "v1", "generated": "2026-01-01T00:00:00Z", "entries": {about["name"]: [entry]}}
        self.files["/charts/index.yaml"] = ("application/yaml", json.dumps(index).encode())
        self.files[f"/charts/{archive.name}"] = ("application/gzip", data)
        return f"https://{self.host}/charts"

    def add_to_registry(self, archive: Path) -> str:
        """Serve an archive as an OCI registry does; the repository as the catalog names it."""
        about = _metadata(archive)
        name, tag = f"charts/{about['name']}", about["version"].replace("+", "_")
        blobs = [(_CONFIG, json.dumps(about).encode()), (_LAYER, archive.read_bytes())]
        described = []
        for media, data in blobs:
            digest = f"sha256:{hashlib.sha256(data).hexdigest()}"
            self.files[f"/v2/{name}/blobs/{digest}"] = ("application/octet-stream", data)
            described.append({"mediaType": media, "digest": digest, "size": len(data)})
        manifest = {"schemaVersion": 2, "mediaType": _MANIFEST, "config": described[0], "layers": described[1:]}
        text = json.dumps(manifest).encode()
        for reference in (tag, f"sha256:{hashlib.sha256(text).hexdigest()}"):
            self.files[f"/v2/{name}/manifests/{reference}"] = (_MANIFEST, text)
        self.files[f"/v2/{name}/tags/list"] = ("application/json", json.dumps({"name": name, "tags": [tag]}).encode())
        self.files["/v2/"] = ("application/json", b"{}")
        return f"oci://{self.host}/charts"


def helm_home(root: Path, ca: Path) -> dict[str, str]:
    """The environment of a user who has no configuration of Helm yet and trusts the authority."""
    names = ("HELM_CONFIG_HOME", "HELM_CACHE_HOME", "HELM_DATA_HOME", "DOCKER_CONFIG")
    return {"SSL_CERT_FILE": str(ca), **{name: str(root / name.lower()) for name in names}}


def log_in_to_registry(environment: Mapping[str, str], helm: Path, server: ChartServer) -> None:
    """What `helm registry login` keeps."""
    command = [str(helm), "registry", "login", server.host, "--username", USER, "--password-stdin"]
    trust = ("--ca-file", environment["SSL_CERT_FILE"]) if server.tls else ("--insecure",)
    subprocess.run(
        [*command, *trust], check=True, capture_output=True, env={**os.environ, **environment}, input=PASSWORD.encode()
    )


def add_repository(environment: Mapping[str, str], helm: Path, url: str) -> None:
    """What `helm repo add` keeps."""
    command = [str(helm), "repo", "add", "private", url, "--username", USER, "--password", PASSWORD]
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **environment})


def _metadata(archive: Path) -> dict[str, Any]:
    with tarfile.open(archive) as inside:
        name = next(name for name in inside.getnames() if name.count("/") == 1 and name.endswith("/Chart.yaml"))
        file = inside.extractfile(name)
        assert file is not None
        about = yaml.safe_load(file.read())
        assert isinstance(about, dict)
        return about


class _Handler(http.server.BaseHTTPRequestHandler):
    """Answers from a table."""

    protocol_version = "HTTP/1.1"
    files: ClassVar[dict[str, tuple[str, bytes]]]
    seen: ClassVar[list[str]]
    private: ClassVar[bool]

    def do_GET(self) -> None:
        if self.private and self.headers.get("Authorization") != _BASIC:
            self._answer(401, "text/plain", b"", {"WWW-Authenticate": 'Basic realm="charts"'})
            return
        self.seen.append(self.path)
        media, data = self.files.get(self.path.partition("?")[0], ("", b""))
        more = {"Docker-Content-Digest": f"sha256:{hashlib.sha256(data).hexdigest()}"} if media == _MANIFEST else {}
        self._answer(200 if media else 404, media or "text/plain", data, more)

    do_HEAD = do_GET  # noqa: N815  the name that the base class looks for

    def _answer(self, status: int, media: str, data: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": media, "Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Nothing on stderr."""
