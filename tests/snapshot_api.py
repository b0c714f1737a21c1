"""A stand-in for the part of a Kubernetes API that snapshots read: HTTP or HTTPS, on loopback, recording requests."""

from __future__ import annotations

import json
import shutil
import ssl
import subprocess
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping

_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")

ANSWERS = Path(__file__).parent / "snapshot_answers"


def answers(name: str) -> tuple[Any, list[Any]]:
    """The saved version and nodes of one cluster."""
    directory = ANSWERS / name
    nodes = directory / "nodes.json"
    return json.loads((directory / "version.json").read_text()), (
        json.loads(nodes.read_text())["items"] if nodes.exists() else []
    )


@dataclass
class Asked:
    """One request as it arrived, and the client's certificate if it showed one."""

    path: str
    query: dict[str, list[str]]
    headers: Mapping[str, str]
    subject: str = ""


@dataclass
class Authority:
    """A certificate authority of a test's own, with a server's and a client's certificate."""

    directory: Path

    @classmethod
    def create(cls, directory: Path) -> Authority:
        """Make all keys and certificates. The authority has no key identifiers, like many clusters' own."""
        made = cls(directory)
        unlike_others = ("-addext", "subjectKeyIdentifier=none", "-addext", "basicConstraints=critical,CA:true")
        made._openssl("req", "-x509", *_NEW_KEY, "-days", "2", "-subj", "/CN=kubernetes", *unlike_others,
                      "-keyout", "ca.key", "-out", "ca.crt")  # fmt: skip
        made._issue("server", "/CN=kube-apiserver", "subjectAltName=DNS:kubernetes.default.svc,IP:127.0.0.1")
        made._issue("client", "/O=system:masters/CN=admin", "extendedKeyUsage=clientAuth")
        return made

    def _issue(self, name: str, subject: str, extension: str) -> None:
        (self.directory / f"{name}.ext").write_text(f"{extension}\nauthorityKeyIdentifier=none\n")
        self._openssl("req", *_NEW_KEY, "-subj", subject, "-keyout", f"{name}.key", "-out", f"{name}.csr")
        self._openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial",
                      "-days", "2", "-extfile", f"{name}.ext", "-out", f"{name}.crt")  # fmt: skip

    def _openssl(self, *arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=self.directory, check=True, capture_output=True)

    def read(self, name: str) -> bytes:
        return (self.directory / name).read_bytes()

    def context(self) -> ssl.SSLContext:
        """The server's side: it asks for a client certificate and takes none too."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.directory / "server.crt", self.directory / "server.key")
        context.load_verify_locations(self.directory / "ca.crt")
        context.verify_mode = ssl.CERT_OPTIONAL
        return context


def openssl_is_there() -> bool:
    return shutil.which("openssl") is not None


@dataclass
class SnapshotApi:
    """The server. `refuse` maps a path to answers that come instead of the real one, one after the other."""

    version: Any
    nodes: list[Any]
    page: int = 500
    tls: Authority | None = None
    prefix: str = ""
    refuse: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    awake: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        """A test clears `awake` to make the server hang."""
        self.awake.set()

    def __enter__(self) -> Self:
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.api = self
        if self.tls:
            self._server.socket = self.tls.context().wrap_socket(self._server.socket, server_side=True)
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        scheme = "https" if self.tls else "http"
        return f"{scheme}://127.0.0.1:{self._server.server_port}{self.prefix}"

    def answer(self, path: str, query: dict[str, list[str]]) -> tuple[int, Any]:
        if waiting := self.refuse.get(path):
            return waiting[0] if len(waiting) == 1 else waiting.pop(0)
        if path == "/version":
            return 200, self.version
        if path == "/api/v1/nodes":
            start = int(query.get("continue", ["0"])[0])
            end = start + self.page if "limit" in query else len(self.nodes)
            metadata = {"continue": str(end)} if end < len(self.nodes) else {}
            return 200, {"kind": "NodeList", "apiVersion": "v1", "metadata": metadata, "items": self.nodes[start:end]}
        return 404, status(404, "the server could not find the requested resource")


def status(code: int, message: str) -> Any:
    """The body of an API server's refusal."""
    return {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "message": message}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    api: SnapshotApi

    def handle_error(self, *_: Any) -> None:
        """A client that does not trust the server breaks the connection; that is what the test wants."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        api = self.server.api
        api.awake.wait(timeout=10)
        parts = urlsplit(self.path)
        path, query = parts.path, parse_qs(parts.query)
        certificate = self.connection.getpeercert() if isinstance(self.connection, ssl.SSLSocket) else None
        names = [pair[1] for part in (certificate or {}).get("subject", ()) for pair in part if pair[0] == "commonName"]
        # A client that uses this server as its proxy writes the whole URL.
        api.asked.append(
            Asked(self.path if parts.netloc else path, query, dict(self.headers), "".join(map(str, names)))
        )
        code, body = api.answer(path.removeprefix(api.prefix), query) if path.startswith(api.prefix) else (404, {})
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(data)))
        if code in {429, 503}:
            self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(data)
