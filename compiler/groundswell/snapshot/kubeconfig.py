"""Kubeconfig files, found, merged and read as kubectl does."""

from __future__ import annotations

import base64
import binascii
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from groundswell.diagnostics.diagnostic import failed
from groundswell.diagnostics.suggest import suggestion
from groundswell.snapshot.access import Access, AccessError, ExecPlugin, Identity
from groundswell.source.reader import Dialect, read_one

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.source.located import Located

_SERVICE_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
_SECTIONS = {"cluster": "clusters", "context": "contexts", "user": "users"}


class _Entry(NamedTuple):
    """What a kubeconfig says under one name, and the directory that its relative paths start from."""

    node: Located
    directory: Path

    def text(self, key: str) -> str:
        """The text under a key, "" where there is none."""
        if key not in self.node or self.node[key].data is None:
            return ""
        node = self.node[key]
        if isinstance(node.data, dict | list):
            raise AccessError(f"`{key}` in {_place(node)} must be text")
        return str(node.data) if node.text is None else node.text

    def flag(self, key: str) -> bool:
        """Whether a key holds true."""
        return key in self.node and self.node[key].data is True

    def texts(self, key: str) -> tuple[str, ...]:
        """The texts of a list, empty where there is none."""
        if key not in self.node or self.node[key].data is None:
            return ()
        if not isinstance(self.node[key].data, list):
            raise AccessError(f"`{key}` in {_place(self.node)} must be a list")
        return tuple(str(item.data) if item.text is None else item.text for item in self.node[key].elements())

    def below(self, key: str) -> _Entry | None:
        """The map under a key."""
        if key not in self.node or not isinstance(self.node[key].data, dict):
            return None
        return _Entry(self.node[key], self.directory)

    def content(self, key: str) -> bytes:
        """What `KEY-data` holds in base64, else the content of the file that `KEY` names, else nothing."""
        if data := self.text(f"{key}-data"):
            try:
                return base64.b64decode(data, validate=True)
            except binascii.Error:
                raise AccessError(f"`{key}-data` in {_place(self.node)} is not base64") from None
        return self.file(key)

    def file(self, key: str) -> bytes:
        """The content of the file that a key names, nothing where the key is not there."""
        path = self.text(key)
        if not path:
            return b""
        try:
            return (self.directory / path).read_bytes()
        except OSError as error:
            raise AccessError(
                f"`{self.directory / path}`, named as `{key}`, cannot be read: {error.strerror}"
            ) from None


def find_access(explicit: Path | None, context: str | None, environment: Mapping[str, str]) -> Access:
    """Where kubectl would go: `--kubeconfig`, else the list in KUBECONFIG, else ~/.kube/config, else from inside a pod.

    Raises:
        AccessError: No file, no such context, or something in it that cannot be used.
    """
    documents = _documents(explicit, environment)
    if not documents and context is None and (inside := _in_cluster(environment)):
        return inside
    if not documents:
        raise AccessError("there is no kubeconfig", "give `--kubeconfig FILE`, or set KUBECONFIG")
    sections = {kind: _named(documents, kind) for kind in _SECTIONS}
    chosen = _choose(sections["context"], documents, context)
    cluster = _pick(sections["cluster"], "cluster", chosen.text("cluster"))
    user = _pick(sections["user"], "user", chosen.text("user")) if chosen.text("user") else None
    return _access(cluster, user)


def _documents(explicit: Path | None, environment: Mapping[str, str]) -> list[_Entry]:
    """The files that are there, first wins; a file given by `--kubeconfig` must be there."""
    if explicit is not None:
        paths = [explicit]
    elif listed := [Path(item) for item in environment.get("KUBECONFIG", "").split(os.pathsep) if item]:
        paths = list(dict.fromkeys(listed))
    else:
        paths = [Path(environment.get("HOME") or Path.home(), ".kube", "config")]
    return [_read(path) for path in paths if explicit is not None or path.exists()]


def _read(path: Path) -> _Entry:
    """One file. Findings are told without their lines, which may hold secrets."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise AccessError(f"the kubeconfig `{path}` cannot be read: {error.strerror}") from None
    document, findings = read_one(data, str(path), Dialect.GO)
    wrong = next((finding for finding in findings if failed([finding])), None)
    if wrong is not None or document is None or not isinstance(document.data, dict):
        place = f", line {wrong.span.line}" if wrong is not None and wrong.span else ""
        raise AccessError(f"`{path}` is no kubeconfig: it cannot be read as one YAML map{place}")
    return _Entry(document, path.absolute().parent)


def _named(documents: list[_Entry], kind: str) -> dict[str, _Entry]:
    """The entries of a section by name; the first file that has a name wins."""
    found: dict[str, _Entry] = {}
    for document in documents:
        section = _SECTIONS[kind]
        if section not in document.node or not isinstance(document.node[section].data, list):
            continue
        for item in document.node[section].elements():
            entry = _Entry(item, document.directory)
            body = entry.below(kind) if isinstance(item.data, dict) else None
            if body is not None:
                found.setdefault(entry.text("name"), body)
    return found


def _choose(contexts: dict[str, _Entry], documents: list[_Entry], asked: str | None) -> _Entry:
    name = asked or next((name for document in documents if (name := document.text("current-context"))), "")
    if not name:
        raise AccessError("the kubeconfig has no current-context", "name one with `--context NAME`")
    return _pick(contexts, "context", name)


def _pick(entries: dict[str, _Entry], kind: str, name: str) -> _Entry:
    if name in entries:
        return entries[name]
    raise AccessError(f"the kubeconfig has no {kind} `{name}`", suggestion(name, entries))


def _access(cluster: _Entry, user: _Entry | None) -> Access:
    server, authority = cluster.text("server"), cluster.content("certificate-authority")
    insecure = cluster.flag("insecure-skip-tls-verify")
    if not server:
        raise AccessError(f"the cluster in {_place(cluster.node)} has no `server`")
    if insecure and authority:
        raise AccessError(
            f"{_place(cluster.node)} has a certificate-authority and insecure-skip-tls-verify: only one can be meant"
        )
    identity = _identity(user) if user else Identity()
    if "://" not in server:
        secure = authority or insecure or identity.certificate
        server = f"{'https' if secure else 'http'}://{server}"
    if server.startswith("http://"):
        # Whoever listens on the way would have the credentials; kubectl does not send them either.
        identity, user = Identity(), None
    return Access(
        server=server.rstrip("/"),
        authority=authority,
        insecure=insecure,
        server_name=cluster.text("tls-server-name"),
        proxy=cluster.text("proxy-url"),
        identity=identity,
        plugin=_plugin(user, cluster) if user else None,
        headers=_impersonation(user) if user else (),
    )


def _identity(user: _Entry) -> Identity:
    if user.below("auth-provider"):
        raise AccessError(
            "the user has an `auth-provider`, which Kubernetes has removed",
            "use the `exec` plugin of your cloud's tool instead",
        )
    token = _token(user)
    certificate, key = user.content("client-certificate"), user.content("client-key")
    if bool(certificate) != bool(key):
        missing = "client-key" if certificate else "client-certificate"
        raise AccessError(f"the user in {_place(user.node)} has no `{missing}`")
    return Identity(certificate, key, token, user.text("username"), user.text("password"))


def _token(user: _Entry) -> str:
    """The content of the token's file, which may be renewed at any time, else the token."""
    token = user.text("token")
    try:
        return user.file("tokenFile").decode(errors="replace").strip() or token
    except AccessError:
        if token:
            return token
        raise


def _plugin(user: _Entry, cluster: _Entry) -> ExecPlugin | None:
    plugin = user.below("exec")
    if plugin is None:
        return None
    if not plugin.text("command"):
        raise AccessError(f"the `exec` in {_place(plugin.node)} has no `command`")
    env: dict[str, str] = {}
    if "env" in plugin.node and isinstance(plugin.node["env"].data, list):
        for item in plugin.node["env"].elements():
            entry = _Entry(item, plugin.directory)
            env[entry.text("name")] = entry.text("value")
    extensions = cluster.node["extensions"].data if "extensions" in cluster.node else None
    named = {item.get("name"): item.get("extension") for item in extensions or () if isinstance(item, dict)}
    return ExecPlugin(
        api_version=plugin.text("apiVersion"),
        command=plugin.text("command"),
        args=plugin.texts("args"),
        env=env,
        interactive_mode=plugin.text("interactiveMode") or "IfAvailable",
        provide_cluster_info=plugin.flag("provideClusterInfo"),
        cluster_extension=named.get("client.authentication.k8s.io/exec"),
        install_hint=plugin.text("installHint").strip(),
        directory=plugin.directory,
    )


def _impersonation(user: _Entry) -> tuple[tuple[str, str], ...]:
    headers = [("Impersonate-User", user.text("as")), ("Impersonate-Uid", user.text("as-uid"))]
    headers += [("Impersonate-Group", group) for group in user.texts("as-groups")]
    if extra := user.below("as-user-extra"):
        headers += [(f"Impersonate-Extra-{key}", value) for key in extra.node.data for value in extra.texts(key)]
    if any(value for _, value in headers) and not user.text("as"):
        raise AccessError(f"the user in {_place(user.node)} impersonates somebody without `as`")
    return tuple((name, value) for name, value in headers if value)


def _in_cluster(environment: Mapping[str, str]) -> Access | None:
    """The API server as a pod sees it."""
    host, port = environment.get("KUBERNETES_SERVICE_HOST"), environment.get("KUBERNETES_SERVICE_PORT")
    token, authority = _SERVICE_ACCOUNT / "token", _SERVICE_ACCOUNT / "ca.crt"
    if not (host and port and token.exists() and authority.exists()):
        return None
    host = f"[{host}]" if ":" in host else host
    identity = Identity(token=token.read_text().strip())
    return Access(f"https://{host}:{port}", authority.read_bytes(), identity)


def _place(node: Located) -> str:
    return f"`{node.file}`, line {node.span.line}"
