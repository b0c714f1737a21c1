"""Asks an API server for its version and its nodes. Two kinds of requests, both read-only; no agent."""

from __future__ import annotations

import ssl
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from groundswell import __version__
from groundswell.diagnostics.codes import files as codes
from groundswell.snapshot.access import Access, AccessError
from groundswell.snapshot.answers import Answers, is_node_list
from groundswell.snapshot.credentials import ask_plugin
from groundswell.snapshot.nodes import sound
from groundswell.snapshot.proxy import proxy_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json

_PAGE = 500
_TRIES = 3
_LONGEST_PAUSE = 10.0  # seconds, whatever a server's Retry-After says


class _RefusedError(Exception):
    """The server answered, but not with what was asked for."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def ask(
    access: Access, environment: Mapping[str, str], *, timeout: float, terminal: bool
) -> tuple[Answers | None, tuple[Diagnostic, ...]]:
    """Ask for `/version` and for all nodes.

    Returns:
        The answers, of which one may be missing when the server refuses it; None with an error when the server cannot
        be reached, does not know us, or refuses both.
    """
    try:
        if access.plugin is not None and not access.identity.token and not access.identity.certificate:
            identity = ask_plugin(access.plugin, access, environment, terminal=terminal)
            access = replace(access, identity=identity)
        with _client(access, environment, timeout) as client:
            return _answers(client, access)
    except AccessError as error:
        return None, (codes.NO_ACCESS(str(error), help=error.help),)
    except httpx.HTTPError as error:
        text = f"the API server `{access.server}` cannot be asked: {_reason(error)}"
        return None, (codes.UNREACHABLE(text),)


def _client(access: Access, environment: Mapping[str, str], timeout: float) -> httpx.Client:
    identity = access.identity
    headers = [("User-Agent", f"groundswell/{__version__}"), ("Accept", "application/json"), *access.headers]
    if identity.token:
        headers.append(("Authorization", f"Bearer {identity.token}"))
    basic = httpx.BasicAuth(identity.username, identity.password) if identity.username and not identity.token else None
    try:
        proxy = access.proxy or proxy_for(access.server, environment)
    except ValueError as error:
        raise AccessError(f"the server `{access.server}` is no URL: {error}") from None
    try:
        return httpx.Client(
            verify=_tls(access), headers=headers, auth=basic, timeout=timeout, proxy=proxy, trust_env=False
        )
    except ImportError:
        raise AccessError(f"the proxy `{proxy}` needs SOCKS support", "install the package `httpx[socks]`") from None
    except (ValueError, httpx.InvalidURL) as error:
        raise AccessError(f"the proxy `{proxy}` cannot be used: {error}") from None


def _tls(access: Access) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cadata=access.authority.decode() or None)
    except (ssl.SSLError, ValueError):
        raise AccessError("the certificate-authority of the cluster is no PEM certificate") from None
    # Cluster authorities often lack an Authority Key Identifier, on which Python insists from 3.13 on, unlike kubectl.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if access.insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if access.identity.certificate:
        with tempfile.TemporaryDirectory() as directory:  # readable by this user alone; ssl takes files only
            certificate, key = Path(directory, "certificate"), Path(directory, "key")
            certificate.write_bytes(access.identity.certificate)
            key.write_bytes(access.identity.key)
            try:
                context.load_cert_chain(certificate, key, password="")
            except ssl.SSLError:
                raise AccessError("the client certificate and key are no PEM pair that belongs together") from None
    return context


def _answers(client: httpx.Client, access: Access) -> tuple[Answers | None, tuple[Diagnostic, ...]]:
    found: dict[str, Any] = {}
    missing = []
    for kind, read in (("version", _version), ("node list", _nodes)):
        try:
            found[kind] = read(client, access)
        except _RefusedError as error:
            if error.status == httpx.codes.UNAUTHORIZED:
                text = f"the API server `{access.server}` does not know these credentials: {error}"
                return None, (codes.NO_ACCESS(text),)
            missing.append(f"the API server does not tell the {kind}: {error}")
    if not found:
        return None, (codes.NO_ACCESS("; ".join(missing)),)
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Answers(found.get("version"), found.get("node list"), now, tuple(missing)), ()


def _version(client: httpx.Client, access: Access) -> Json:
    answer = _get(client, access, "/version", {})
    if not isinstance(answer, dict):
        raise _RefusedError(httpx.codes.OK, "its answer to /version is no object")
    return answer


def _nodes(client: httpx.Client, access: Access) -> tuple[Json, ...]:
    """All pages. A list that changed too much between two pages is asked for again as a whole, as kubectl does."""
    nodes: list[Json] = []
    query = {"limit": str(_PAGE)}
    while True:
        try:
            answer = _get(client, access, "/api/v1/nodes", query)
        except _RefusedError as error:
            if error.status != httpx.codes.GONE or "continue" not in query:
                raise
            nodes, query = [], {}
            continue
        if not is_node_list(answer):
            raise _RefusedError(httpx.codes.OK, "its answer is no list of nodes")
        nodes += answer["items"]
        metadata = answer.get("metadata")
        following = metadata.get("continue") if isinstance(metadata, dict) else None
        if not following:
            return tuple(nodes)
        query = {"limit": str(_PAGE), "continue": following}


def _get(client: httpx.Client, access: Access, path: str, query: dict[str, str]) -> Json:
    extensions = {"sni_hostname": access.server_name} if access.server_name else {}
    response = client.get(access.server + path, params=query, extensions=extensions)
    for _ in range(_TRIES - 1):
        if response.status_code not in {httpx.codes.TOO_MANY_REQUESTS, httpx.codes.SERVICE_UNAVAILABLE}:
            break
        pause = response.headers.get("Retry-After", "")
        time.sleep(min(float(pause) if pause.isdecimal() else 1.0, _LONGEST_PAUSE))
        response = client.get(access.server + path, params=query, extensions=extensions)
    try:
        answer = response.json()
    except (ValueError, RecursionError):
        answer = None
    if response.status_code == httpx.codes.OK and answer is not None:
        return answer
    message = answer.get("message") if isinstance(answer, dict) else None
    text = message or f"HTTP {response.status_code}{'' if response.is_error else ' without JSON'}"
    raise _RefusedError(response.status_code, " ".join(sound(str(text)).split()))


def _reason(error: httpx.HTTPError) -> str:
    if isinstance(error, httpx.TimeoutException):
        return "it does not answer in time"
    return " ".join(str(error).split()) or type(error).__name__
