"""Kubeconfig files are found, merged and read as kubectl does."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest

from groundswell.snapshot.access import AccessError, Identity
from groundswell.snapshot.kubeconfig import find_access

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.snapshot.access import Access


def config(path: Path, cluster: Any = None, user: Any = None, name: str = "main", **more: Any) -> Path:
    """A kubeconfig with one context."""
    there = {"server": "https://api.example.test:6443"} | (cluster or {})
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": name,
        "clusters": [{"name": f"{name}-cluster", "cluster": there}],
        "users": [{"name": f"{name}-user", "user": {"token": "secret"} if user is None else user}],
        "contexts": [{"name": name, "context": {"cluster": f"{name}-cluster", "user": f"{name}-user"}}],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document | more))
    return path


def found(path: Path, context: str | None = None) -> Access:
    return find_access(path, context, {})


def refused(path: Path | None, context: str | None = None, **environment: str) -> AccessError:
    with pytest.raises(AccessError) as caught:
        find_access(path, context, environment)
    return caught.value


def test_the_option_wins_over_the_variable_and_the_home(tmp_path: Path) -> None:
    home = config(tmp_path / "home/.kube/config", {"server": "https://home"})
    listed = config(tmp_path / "listed", {"server": "https://listed"})
    given = config(tmp_path / "given", {"server": "https://given"})
    environment = {"KUBECONFIG": str(listed), "HOME": str(home.parents[1])}
    assert find_access(given, None, environment).server == "https://given"
    assert find_access(None, None, environment).server == "https://listed"
    assert find_access(None, None, {"HOME": environment["HOME"]}).server == "https://home"


def test_in_a_list_the_first_file_that_says_something_wins_and_missing_ones_are_skipped(tmp_path: Path) -> None:
    first = config(tmp_path / "a", {"server": "https://first"}, **{"current-context": ""})
    second = config(tmp_path / "b", {"server": "https://second"})
    third = config(tmp_path / "c", {"server": "https://third"}, name="other")
    listed = ":".join(map(str, (tmp_path / "missing", first, second, third, first)))
    assert find_access(None, None, {"KUBECONFIG": listed}).server == "https://first"
    assert find_access(None, "other", {"KUBECONFIG": listed}).server == "https://third"


def test_files_without_any_entry_are_no_error_but_lead_nowhere(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_text("apiVersion: v1\nkind: Config\nclusters: null\ncontexts: null\nusers: null\ncurrent-context: ''\n")
    assert "no current-context" in str(refused(empty))


def test_a_context_that_is_not_there_is_named_with_the_nearest(tmp_path: Path) -> None:
    error = refused(config(tmp_path / "a", name="production"), "prodution")
    assert str(error) == "the kubeconfig has no context `prodution`"
    assert error.help == "did you mean `production`?"


def test_no_file_at_all(tmp_path: Path) -> None:
    assert str(refused(None, HOME=str(tmp_path))) == "there is no kubeconfig"
    assert "cannot be read" in str(refused(tmp_path / "missing"))


def test_data_wins_over_files_and_relative_files_start_at_the_kubeconfig(tmp_path: Path) -> None:
    directory = tmp_path / "sub"
    path = config(
        directory / "config",
        {"certificate-authority": "pki/ca.crt", "tls-server-name": "kubernetes", "proxy-url": "http://proxy:3128"},
        {
            "client-certificate": "missing.crt",
            "client-certificate-data": base64.b64encode(b"cert").decode(),
            "client-key": "pki/key",
        },
    )
    (directory / "pki").mkdir()
    (directory / "pki/ca.crt").write_bytes(b"authority")
    (directory / "pki/key").write_bytes(b"key")
    access = found(path)
    assert access.authority == b"authority"
    assert (access.identity.certificate, access.identity.key) == (b"cert", b"key")
    assert (access.server_name, access.proxy) == ("kubernetes", "http://proxy:3128")


def test_a_token_file_wins_over_a_token(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("from-file\n")
    assert found(config(tmp_path / "a", user={"token": "stale", "tokenFile": "token"})).identity.token == "from-file"  # noqa: S105  a test's own


def test_a_token_file_that_is_gone_leaves_the_token(tmp_path: Path) -> None:
    user = {"token": "stays", "tokenFile": "missing"}
    assert found(config(tmp_path / "a", user=user)).identity.token == "stays"  # noqa: S105  a test's own


def test_nothing_secret_goes_to_a_server_without_tls(tmp_path: Path) -> None:
    user = {"token": "t", "username": "u", "password": "p", "as": "jane", "exec": {"command": "x"}}
    access = found(config(tmp_path / "a", {"server": "http://api.example.test:8080"}, user))
    assert (access.identity, access.plugin, access.headers) == (Identity(), None, ())


def test_a_token_of_digits_is_text(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text(
        "current-context: x\ncontexts: [{name: x, context: {cluster: x, user: x}}]\n"
        "clusters: [{name: x, cluster: {server: 'https://x'}}]\nusers: [{name: x, user: {token: 0123}}]\n"
    )
    assert found(path).identity.token == "0123"  # noqa: S105  a test's own


def test_secrets_are_not_shown(tmp_path: Path) -> None:
    user = {"token": "hunter2", "username": "u", "password": "swordfish"}
    assert "hunter2" not in repr(found(config(tmp_path / "a", user=user)))
    assert "swordfish" not in repr(found(config(tmp_path / "a", user=user)))
    broken = tmp_path / "broken"
    broken.write_text("users:\n- name: x\n  user: {token: [hunter2}\n")
    error = refused(broken)
    assert "hunter2" not in f"{error}{error.help}"
    assert "line 3" in str(error)


def test_impersonation(tmp_path: Path) -> None:
    user = {"token": "t", "as": "jane", "as-uid": "7", "as-groups": ["a", "b"], "as-user-extra": {"scope": ["x", "y"]}}
    assert found(config(tmp_path / "a", user=user)).headers == (
        ("Impersonate-User", "jane"),
        ("Impersonate-Uid", "7"),
        ("Impersonate-Group", "a"),
        ("Impersonate-Group", "b"),
        ("Impersonate-Extra-scope", "x"),
        ("Impersonate-Extra-scope", "y"),
    )


def test_an_exec_plugin(tmp_path: Path) -> None:
    plugin = {
        "apiVersion": "client.authentication.k8s.io/v1",
        "command": "./get-token",
        "args": ["--cluster", "x"],
        "env": [{"name": "PROFILE", "value": "dev"}],
        "provideClusterInfo": True,
        "interactiveMode": "Never",
        "installHint": "install it\n",
    }
    extensions = [{"name": "client.authentication.k8s.io/exec", "extension": {"audience": "x"}}]
    access = found(config(tmp_path / "a", {"extensions": extensions}, {"exec": plugin}))
    assert access.plugin is not None
    assert access.plugin.directory == tmp_path
    assert (access.plugin.args, access.plugin.env) == (("--cluster", "x"), {"PROFILE": "dev"})
    assert access.plugin.cluster_extension == {"audience": "x"}
    assert access.plugin.install_hint == "install it"


@pytest.mark.parametrize(
    ("cluster", "user", "text"),
    [
        ({"server": ""}, None, "has no `server`"),
        ({"insecure-skip-tls-verify": True, "certificate-authority-data": "Zm9v"}, None, "only one can be meant"),
        ({"certificate-authority-data": "%%%"}, None, "is not base64"),
        ({"certificate-authority": "missing.crt"}, None, "cannot be read"),
        ({}, {"client-certificate-data": "Zm9v"}, "has no `client-key`"),
        ({}, {"client-key-data": "Zm9v"}, "has no `client-certificate`"),
        ({}, {"tokenFile": "missing"}, "cannot be read"),
        ({}, {"auth-provider": {"name": "gcp"}}, "which Kubernetes has removed"),
        ({}, {"exec": {"apiVersion": "v1"}}, "has no `command`"),
        ({}, {"token": ["a"]}, "must be text"),
        ({}, {"token": "t", "as-groups": "a"}, "must be a list"),
        ({}, {"token": "t", "as-groups": ["a"]}, "impersonates somebody without `as`"),
    ],
)
def test_what_cannot_be_used_is_said(tmp_path: Path, cluster: Any, user: Any, text: str) -> None:
    assert text in str(refused(config(tmp_path / "a", cluster, user)))


def test_a_server_without_a_scheme_follows_what_else_is_said(tmp_path: Path) -> None:
    assert found(config(tmp_path / "a", {"server": "localhost:8080"})).server == "http://localhost:8080"
    cluster = {"server": "localhost:8443", "insecure-skip-tls-verify": True}
    assert found(config(tmp_path / "a", cluster)).server == "https://localhost:8443"


@pytest.mark.parametrize("text", ["", "[]", "just text", "\x00", "a: [", "clusters: {a: b}\ncurrent-context: x\n"])
def test_what_is_no_kubeconfig_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a"
    path.write_text(text)
    refused(path)
