"""Asking a server over HTTP and HTTPS: identities, trust, pages, refusals, proxies."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from groundswell.diagnostics.diagnostic import Severity
from groundswell.snapshot.access import Access, ExecPlugin, Identity
from groundswell.snapshot.client import ask
from snapshot_api import Authority, SnapshotApi, answers, openssl_is_there, status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.snapshot.answers import Answers

VERSION, NODES = answers("metal-h100-talos")
TLS = pytest.mark.skipif(not openssl_is_there(), reason="openssl makes the certificates")


@pytest.fixture
def api() -> Iterator[SnapshotApi]:
    with SnapshotApi(VERSION, NODES) as running:
        yield running


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.create(tmp_path_factory.mktemp("pki"))


@pytest.fixture
def secure(authority: Authority) -> Iterator[SnapshotApi]:
    with SnapshotApi(VERSION, NODES, tls=authority) as running:
        yield running


def access(api: SnapshotApi, **more: Any) -> Access:
    trusted = api.tls.read("ca.crt") if api.tls else b""
    return replace(Access(api.url, trusted, Identity(token="t")), **more)  # noqa: S106  a test's own


def read(
    given: Access, environment: dict[str, str] | None = None, timeout: float = 5
) -> tuple[Answers | None, tuple[Diagnostic, ...]]:
    return ask(given, environment or {}, timeout=timeout, terminal=False)


def error(given: Access, environment: dict[str, str] | None = None, timeout: float = 5) -> Diagnostic:
    found, findings = read(given, environment, timeout)
    assert found is None
    (finding,) = findings
    return finding


def test_both_answers_with_a_bearer_token(api: SnapshotApi) -> None:
    found, findings = read(access(api))
    assert not findings
    assert found is not None
    assert found.version == VERSION
    assert list(found.nodes or ()) == NODES
    assert found.taken.endswith("Z")
    assert [item.path for item in api.asked] == ["/version", "/api/v1/nodes"]
    assert {item.headers["Authorization"] for item in api.asked} == {"Bearer t"}


def test_a_server_below_a_path(api: SnapshotApi) -> None:
    api.prefix = "/k8s/clusters/c-1"
    assert read(access(api))[1] == ()


def test_user_and_password_and_impersonation(api: SnapshotApi) -> None:
    given = access(api, identity=Identity(username="u", password="p"), headers=(("Impersonate-User", "jane"),))  # noqa: S106  a test's own
    assert read(given)[1] == ()
    assert api.asked[0].headers["Authorization"] == "Basic dTpw"
    assert api.asked[0].headers["Impersonate-User"] == "jane"


def test_all_pages_are_read(api: SnapshotApi) -> None:
    api.page = 2
    found, _ = read(access(api))
    assert found is not None
    assert list(found.nodes or ()) == NODES
    assert [item.query.get("continue") for item in api.asked[1:]] == [None, ["2"], ["4"]]


def test_a_list_that_went_stale_between_pages_is_read_again_as_a_whole(api: SnapshotApi) -> None:
    first = {"kind": "NodeList", "metadata": {"continue": "2"}, "items": NODES[:2]}
    whole = {"kind": "NodeList", "metadata": {}, "items": NODES}
    api.refuse["/api/v1/nodes"] = [(200, first), (410, status(410, "too old resource version")), (200, whole)]
    found, findings = read(access(api))
    assert not findings
    assert found is not None
    assert list(found.nodes or ()) == NODES


def test_a_busy_server_is_asked_again(api: SnapshotApi) -> None:
    api.refuse["/version"] = [(429, status(429, "slow down")), (503, status(503, "starting")), (200, VERSION)]
    assert read(access(api))[1] == ()


def test_one_refusal_leaves_the_other_answer(api: SnapshotApi) -> None:
    message = 'nodes is forbidden: User "jane" cannot list resource "nodes"'
    api.refuse["/api/v1/nodes"] = [(403, status(403, message))]
    found, findings = read(access(api))
    assert not findings
    assert found is not None
    assert found.nodes is None
    assert found.missing == (f"the API server does not tell the node list: {message}",)


@pytest.mark.parametrize(
    ("code", "body", "text"),
    [
        (401, status(401, "Unauthorized"), "does not know these credentials: Unauthorized"),
        (403, status(403, "forbidden: no"), "forbidden: no"),
        (502, b"<html>bad gateway</html>", "HTTP 502"),
        (200, b"<html>a login page</html>", "HTTP 200 without JSON"),
        (302, b"", "HTTP 302 without JSON"),
        (200, [], "is no object"),
    ],
)
def test_nothing_but_refusals_is_an_error(api: SnapshotApi, code: int, body: Any, text: str) -> None:
    api.refuse = {path: [(code, body)] for path in ("/version", "/api/v1/nodes")}
    finding = error(access(api))
    assert finding.code == "I302"
    assert text in finding.message


def test_a_node_list_of_another_form_is_a_refusal(api: SnapshotApi) -> None:
    api.refuse["/api/v1/nodes"] = [(200, {"items": ["n1"]})]
    found, _ = read(access(api))
    assert found is not None
    assert found.missing == ("the API server does not tell the node list: its answer is no list of nodes",)


def test_a_server_that_is_not_there(api: SnapshotApi) -> None:
    given = access(api)
    api.__exit__()
    finding = error(given)
    assert finding.code == "I303"
    assert given.server in finding.message
    api.__enter__()


def test_a_server_that_does_not_answer_in_time(api: SnapshotApi) -> None:
    api.awake.clear()
    assert "does not answer in time" in error(access(api), timeout=0.1).message
    api.awake.set()


@TLS
def test_trust_comes_from_the_clusters_authority_alone(secure: SnapshotApi) -> None:
    assert read(access(secure))[1] == ()
    finding = error(access(secure, authority=b""))
    assert finding.code == "I303"
    assert "certificate verify failed" in finding.message
    assert read(access(secure, authority=b"", insecure=True))[1] == ()


@TLS
def test_a_server_name_is_what_the_certificate_must_hold(secure: SnapshotApi) -> None:
    assert read(access(secure, server_name="kubernetes.default.svc"))[1] == ()
    assert "certificate verify failed" in error(access(secure, server_name="other.test")).message


@TLS
def test_a_client_certificate(secure: SnapshotApi, authority: Authority) -> None:
    identity = Identity(authority.read("client.crt"), authority.read("client.key"))
    assert read(access(secure, identity=identity))[1] == ()
    assert secure.asked[0].subject == "admin"


@TLS
def test_a_certificate_with_another_key(secure: SnapshotApi, authority: Authority) -> None:
    identity = Identity(authority.read("client.crt"), authority.read("server.key"))
    assert "belongs together" in error(access(secure, identity=identity)).message


@pytest.mark.parametrize("authority", [b"\xff", b"no certificate"])
def test_an_authority_that_is_no_certificate(api: SnapshotApi, authority: bytes) -> None:
    assert "is no PEM certificate" in error(access(api, authority=authority)).message


def test_a_proxy_of_the_cluster_or_of_the_environment_is_asked(api: SnapshotApi) -> None:
    far = access(api, server="http://api.example.test")
    assert read(replace(far, proxy=api.url))[0] is not None
    assert read(far, {"HTTP_PROXY": api.url})[0] is not None
    assert [item.path for item in api.asked[::2]] == ["http://api.example.test/version"] * 2


def test_variables_that_kubectl_would_not_heed_are_not_heeded(
    api: SnapshotApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    assert read(access(api), dict(os.environ))[1] == ()


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1080", "gopher://127.0.0.1", "http://[::1"])
def test_a_proxy_that_cannot_be_used(api: SnapshotApi, proxy: str) -> None:
    assert "proxy" in error(access(api, proxy=proxy)).message


def plugin(directory: Path, code: str, **more: Any) -> ExecPlugin:
    """A plugin in Python: `request` is what it was asked."""
    script = directory / "plugin.py"
    head = "import json, os, sys\nrequest = json.loads(os.environ['KUBERNETES_EXEC_INFO'])\n"
    script.write_text(f"#!{sys.executable}\n{head}{code}\n")
    script.chmod(0o755)
    given: dict[str, Any] = {
        "api_version": "client.authentication.k8s.io/v1",
        "command": "./plugin.py",
        "args": ("one",),
        "env": {"EXTRA": "two"},
        "interactive_mode": "IfAvailable",
        "provide_cluster_info": True,
        "cluster_extension": {"audience": "x"},
        "install_hint": "install it",
        "directory": directory,
    }
    return ExecPlugin(**(given | more))


ANSWERS_WITH_ALL_IT_KNOWS = """
print(json.dumps({"apiVersion": request["apiVersion"], "kind": "ExecCredential", "status": {"token": json.dumps(
    [sys.argv[1], os.environ["EXTRA"], request["spec"]])}}))
"""


def test_a_plugin_hands_out_a_token(api: SnapshotApi, tmp_path: Path) -> None:
    given = access(api, identity=Identity(), plugin=plugin(tmp_path, ANSWERS_WITH_ALL_IT_KNOWS))
    assert read(given, dict(os.environ))[1] == ()
    token = json.loads(api.asked[0].headers["Authorization"].removeprefix("Bearer "))
    cluster = {"server": given.server, "config": {"audience": "x"}}
    assert token == ["one", "two", {"interactive": False, "cluster": cluster}]


@TLS
def test_a_plugin_hands_out_a_certificate(secure: SnapshotApi, authority: Authority, tmp_path: Path) -> None:
    pair = {
        f"client{kind}Data": authority.read(f"client.{end}").decode()
        for kind, end in (("Certificate", "crt"), ("Key", "key"))
    }
    code = f"print(json.dumps({{'apiVersion': request['apiVersion'], 'status': {pair!r}}}))"
    assert read(access(secure, identity=Identity(), plugin=plugin(tmp_path, code)), dict(os.environ))[1] == ()
    assert secure.asked[0].subject == "admin"


def test_a_token_in_the_kubeconfig_makes_the_plugin_needless(api: SnapshotApi, tmp_path: Path) -> None:
    assert read(access(api, plugin=plugin(tmp_path, "sys.exit(1)")), dict(os.environ))[1] == ()


@pytest.mark.parametrize(
    ("code", "more", "text"),
    [
        ("sys.exit(3)", {}, "failed with exit code 3"),
        ("print('hello')", {}, "printed no ExecCredential"),
        ("print('[]')", {}, "printed no ExecCredential"),
        ("print(json.dumps({'apiVersion': 'v0', 'status': {'token': 't'}}))", {}, "answered in `v0`"),
        ("print(json.dumps({'apiVersion': request['apiVersion'], 'status': {}}))", {}, "neither a token nor"),
        ("", {"command": "./missing"}, "cannot be run"),
        ("", {"command": "no-such-plugin"}, "cannot be run"),
        (
            "",
            {"api_version": "client.authentication.k8s.io/v1alpha1"},
            "speaks `client.authentication.k8s.io/v1alpha1`",
        ),
        ("", {"interactive_mode": "Always"}, "stdin is no terminal"),
    ],
)
def test_a_plugin_that_does_not_work(api: SnapshotApi, tmp_path: Path, code: str, more: Any, text: str) -> None:
    finding = error(access(api, identity=Identity(), plugin=plugin(tmp_path, code, **more)), dict(os.environ))
    assert finding.code == "I302"
    assert text in finding.message
    assert finding.help == ("install it" if "cannot be run" in text else "")


@pytest.mark.parametrize("server", ["https://h:99999", "https://h:abc", "https://[::1", "not a url ::"])
def test_a_server_that_is_no_url_is_a_finding(api: SnapshotApi, server: str) -> None:
    assert error(replace(access(api), server=server)).severity is Severity.ERROR
