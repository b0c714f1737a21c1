"""A stand-in for a Kubernetes API server: in memory, on loopback; it records requests, and fails or hangs when told.

It takes client-side writes only: an apply patch is refused, so that a test notices when Helm 4 falls back to
server-side apply, which takes labels away from Namespaces that another release owns.
"""

from __future__ import annotations

import copy
import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias
from urllib.parse import parse_qs, unquote, urlsplit

from helm.fakeapi_protobuf import from_protobuf
from helm.fakeapi_store import ApiError, Object, Resource, Store, merge_patch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    Query: TypeAlias = dict[str, list[str]]

_WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class Request(NamedTuple):
    """One recorded request. `name` is the name of the object in the body, for there is none in a POST's path."""

    method: str
    path: str
    name: str
    code: int

    def __str__(self) -> str:
        return f"{self.method} {self.path}{'/' + self.name if self.method == 'POST' else ''}"


class Rule(NamedTuple):
    """Requests whose `METHOD path` matches fail with `code`, after `hang` seconds or when the rule is taken away."""

    pattern: str
    code: int = 0
    reason: str = ""
    message: str = "injected"
    hang: float = 0


class FakeApi:
    """The server. `rules`, `version` and objects may be changed while it runs; `files` are served under /charts/."""

    def __init__(self) -> None:
        self.store = Store()
        self.log: list[Request] = []
        self.rules: list[Rule] = []
        self.version = "v1.33.0"
        self.files: dict[str, bytes] = {}
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.api = self
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.reset()

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def reset(self) -> None:
        """An empty cluster with two Talos nodes, no rules, nothing recorded."""
        self.store, self.log, self.rules, self.version = Store(), [], [], "v1.33.0"
        for name in ("default", "kube-system"):
            self.add_namespace(name)
        for name in ("n1", "n2"):
            self.add_node(name, "Talos (v1.11.2)", "6.12.48-talos")

    def add_namespace(self, name: str, **metadata: Any) -> None:
        """`phase` may be given among the metadata."""
        phase = metadata.pop("phase", "Active")
        resource = self.store.resource("", "v1", "namespaces")
        created = self.store.create(resource, None, {"metadata": {"name": name} | metadata})
        created["status"]["phase"] = phase

    def add_node(self, name: str, image: str, kernel: str = "6.8.0-generic") -> None:
        status = {"nodeInfo": {"osImage": image, "kernelVersion": kernel}}
        self.store.create(self.store.resource("", "v1", "nodes"), None, {"metadata": {"name": name}, "status": status})

    def remove_nodes(self) -> None:
        for key in [key for key in self.store.objects if key[1] == "nodes"]:
            del self.store.objects[key]

    def objects(self, plural: str) -> dict[str, Object]:
        """Objects of one kind by `namespace/name`, or by name."""
        return {
            f"{namespace}/{name}" if namespace else name: obj
            for (_, kind, namespace, name), obj in self.store.objects.items()
            if kind == plural
        }

    def writes(self) -> list[str]:
        """Recorded requests that ask for a change, as text, sorted: within one kind Helm sends them in parallel."""
        return sorted(str(request) for request in self.log if request.method in _WRITES)

    def kubeconfig(self, path: Path) -> Path:
        cluster = {"name": "fake", "cluster": {"server": self.url}}
        context = {"name": "fake", "context": {"cluster": "fake", "user": "fake"}}
        user = {"name": "fake", "user": {"token": "none"}}
        config = {"apiVersion": "v1", "kind": "Config", "current-context": "fake"}
        path.write_text(json.dumps(config | {"clusters": [cluster], "contexts": [context], "users": [user]}))
        return path


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    api: FakeApi

    def handle_error(self, *_: Any) -> None:
        """A helm that a test kills leaves broken connections behind."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # one packet per answer: two make the client wait 40 ms for the second
    server: _Server

    def log_message(self, *_: Any) -> None:
        pass

    def _handle(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = urlsplit(self.path)
        name = ""
        try:
            self._obey_rules(parts.path)
            if parts.path.startswith("/charts/"):
                return self._send(200, self.server.api.files[parts.path.removeprefix("/charts/")])
            obj = self._parse(parts.path, body) if body and self.command != "DELETE" else {}
            name = obj.get("metadata", {}).get("name", "") if isinstance(obj, dict) else ""
            with self.server.api.store.lock:
                code, answer = _route(self.server.api, self.command, parts.path, parse_qs(parts.query), obj)
        except ApiError as error:
            code = error.code
            answer = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": code}
            answer |= {"message": error.message, "reason": error.reason}
        self.server.api.log.append(Request(self.command, parts.path, name, code))
        return self._send(code, answer)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _handle  # noqa: N815  names that http.server looks for

    def _obey_rules(self, path: str) -> None:
        for rule in self.server.api.rules:
            if re.search(rule.pattern, f"{self.command} {path}"):
                self.server.api.log.append(Request("RULE", path, "", rule.code))
                deadline = time.monotonic() + rule.hang
                while time.monotonic() < deadline and rule in self.server.api.rules:
                    time.sleep(0.02)
                if rule.code:
                    raise ApiError(rule.code, rule.reason, rule.message)

    def _parse(self, path: str, body: bytes) -> Any:
        kind = (self.headers.get("Content-Type") or "").partition(";")[0]
        if kind == "application/apply-patch+yaml":
            raise ApiError(415, "UnsupportedMediaType", "server-side apply is not expected here")
        return from_protobuf(body, path) if "protobuf" in kind else json.loads(body)

    def _send(self, code: int, answer: Any) -> None:
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _route(api: FakeApi, method: str, path: str, query: Query, obj: Any) -> tuple[int, Any]:
    if path == "/version":
        major, minor, _ = api.version.removeprefix("v").split(".", 2)
        return 200, {"major": major, "minor": minor, "gitVersion": api.version, "platform": "linux/amd64"}
    segments = [unquote(segment) for segment in path.strip("/").split("/")]
    if segments[0] == "openapi":
        return 200, {"paths": {}} if segments[1] == "v3" else b""
    if segments == ["api"]:
        return 200, {"kind": "APIVersions", "versions": ["v1"]}
    if segments == ["apis"]:
        return 200, {"kind": "APIGroupList", "apiVersion": "v1", "groups": list(_groups(api.store))}
    if segments[0] == "api":
        group, version, *rest = "", *segments[1:]
    else:
        group, version, *rest = segments[1:]
    if not rest:
        return 200, _discovery(api.store, group, version)
    namespace = None
    if rest[0] == "namespaces" and len(rest) > 2:
        _, namespace, *rest = rest
    target = _Target(api.store.resource(group, version, rest[0]), namespace, rest[1] if len(rest) > 1 else "")
    return _act(api.store, method, target, query, obj)


def _groups(store: Store) -> Iterator[Object]:
    for group, version in dict.fromkeys((known.group, known.version) for known in store.resources() if known.group):
        served = {"groupVersion": f"{group}/{version}", "version": version}
        yield {"name": group, "versions": [served], "preferredVersion": served}


def _discovery(store: Store, group: str, version: str) -> Object:
    verbs = ["create", "delete", "get", "list", "patch", "update", "watch"]
    found = [known for known in store.resources() if (known.group, known.version) == (group, version)]
    if not found:
        raise ApiError(404, "NotFound", "the server could not find the requested resource")
    resources = [
        {"name": known.plural, "singularName": "", "namespaced": known.namespaced, "kind": known.kind, "verbs": verbs}
        for known in found
    ]
    return {
        "kind": "APIResourceList",
        "apiVersion": "v1",
        "groupVersion": found[0].api_version,
        "resources": resources,
    }


class _Target(NamedTuple):
    resource: Resource
    namespace: str | None
    name: str


def _act(store: Store, method: str, target: _Target, query: Query, obj: Any) -> tuple[int, Any]:
    resource, namespace, name = target
    if method == "GET" and name:
        return 200, _typed(resource, store.get(resource, namespace, name))
    if method == "GET":
        items = [
            _typed(resource, found)
            for (group, plural, home, _), found in sorted(store.objects.items(), key=str)
            if (group, plural) == (resource.group, resource.plural)
            and namespace in {None, home}
            and _match(found, query)
        ]
        return 200, {"apiVersion": resource.api_version, "kind": f"{resource.kind}List", "metadata": {}, "items": items}
    if method == "DELETE":
        store.delete(resource, namespace, name)
        return 200, {"kind": "Status", "apiVersion": "v1", "status": "Success"}
    if method == "POST":
        return 201, _typed(resource, store.create(resource, namespace, obj))
    if method == "PATCH":
        obj = merge_patch(copy.deepcopy(store.get(resource, namespace, name)), obj)
    return 200, _typed(resource, store.update(resource, namespace, name, obj))


def _typed(resource: Resource, obj: Object) -> Object:
    return obj | {"apiVersion": resource.api_version, "kind": resource.kind}


def _match(obj: Object, query: Query) -> bool:
    """Label selectors of the forms that Helm sends: `a=b` and `a in (b,c)`; field selectors on the name."""
    labels = obj["metadata"].get("labels") or {}
    selector = query.get("labelSelector", [""])[0]
    for key, _, values in re.findall(r"(\S+) (in) \(([^)]*)\)", selector):
        if labels.get(key) not in values.split(","):
            return False
    equalities = [part.split("=") for part in re.sub(r"\S+ in \([^)]*\),?", "", selector).split(",") if part]
    if any(labels.get(key) != value for key, value in equalities):
        return False
    field = query.get("fieldSelector", [""])[0]
    return not field or field == f"metadata.name={obj['metadata']['name']}"
