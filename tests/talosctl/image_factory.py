"""An HTTP server on this machine that stands in for the Image Factory."""

from __future__ import annotations

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self


class Factory(ThreadingHTTPServer):
    """Takes schematics. `answers` are given first, in their order, in place of an ID: a status, headers and a body."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.posted: list[bytes] = []
        self.answers: list[tuple[int, dict[str, str], str]] = []

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Factory

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.posted.append(body)
        headers: dict[str, str] = {}
        status, text = 201, json.dumps({"id": hashlib.sha256(body).hexdigest()})
        if self.path != "/schematics":
            status, text = 404, "no such route\n"
        elif self.server.answers:
            status, headers, text = self.server.answers.pop(0)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        pass
