"""Where the bundle lives and under which names: what is accepted, what is refused, and what takes its place."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from groundswell.deploy.argocd.placement import PLACEHOLDER, placeholder_notice
from groundswell.deploy.deployer import Settings
from groundswell.diagnostics.diagnostic import Severity
from unit.deploy.argocd_sample import REPOSITORY, SETTINGS, applications, emitted, root, texts


def refused(**fields: Any) -> list[str]:
    """The messages of the errors about these settings."""
    findings = emitted(settings=SETTINGS._replace(**fields)).findings
    return [finding.message for finding in findings if finding.code == "D202"]


@pytest.mark.parametrize(
    "repo",
    [
        "https://git.example.test/team/gitops.git",
        "http://git.example.test:3000/team/gitops",
        "ssh://git@git.example.test:2222/team/gitops.git",
        "git@git.example.test:team/gitops.git",
        "https://dev.example.test/org/My%20Project/_git/repo",
        "oci://registry.example.test/team/bundle",
    ],
)
def test_a_repository_survives_unchanged(repo: str) -> None:
    settings = Settings(repo=repo, revision="v1")
    assert refused(repo=repo, revision="v1") == []
    result = emitted(settings=settings)
    local = {
        item["spec"]["source"]["repoURL"] for item in applications(result).values() if "path" in item["spec"]["source"]
    }
    assert local == {repo} == {root(result)["spec"]["source"]["repoURL"]}


@pytest.mark.parametrize(
    "repo",
    [
        "",
        "gitops.git",
        "/srv/git/gitops",
        "file:///srv/git/gitops",
        "https://",
        "https://git.example.test",
        "https://git.example.test/a b",
        "https://git.example.test/a\nrepoURL: https://evil.example.test",
        'https://git.example.test/a"',
        "https://git.example.test/a'",
        "https://user:secret@git.example.test/a",
        "https://token@git.example.test/a",
        "https://git.example.test/$ARGOCD_APP_NAME",
        "git@git.example.test:",
        "git.example.test:a\x00",
    ],
)
def test_a_repository_that_cannot_work_is_an_error(repo: str) -> None:
    (message,) = refused(repo=repo)
    assert message.startswith("`--repo` cannot be ")
    assert "\n" not in message


@pytest.mark.parametrize("revision", ["main", "HEAD", "release/1.2", "v1.2.3", "feature/ünï", "a" * 40, "refs/tags/x"])
def test_a_revision_of_git(revision: str) -> None:
    assert refused(revision=revision) == []


@pytest.mark.parametrize(
    "revision",
    ["", " ", "a b", "-x", "/x", "x/", "a..b", "x.lock", "1.*", ">=1.0", "^1", "a:b", "a\n", "x@{1}", "a\\b", "$x"],
)
def test_a_revision_that_git_refuses_or_argo_cd_takes_for_a_range(revision: str) -> None:
    assert len(refused(revision=revision)) == 1


@pytest.mark.parametrize(("revision", "count"), [("v1", 0), ("sha256:" + "0" * 64, 0), ("latest", 1), ("a/b", 1)])
def test_a_revision_of_an_oci_bundle_does_not_move(revision: str, count: int) -> None:
    assert len(refused(repo="oci://registry.example.test/team/bundle", revision=revision)) == count


@pytest.mark.parametrize(
    ("revision", "codes"),
    [
        *((tag, ["D211"]) for tag in ("main", "stable", "v1", "1.2")),
        *((tag, []) for tag in ("v1.2.3", "build-57", "2026-11-30", "sha256:" + "0" * 64)),
    ],
)
def test_a_tag_that_looks_like_one_that_is_pushed_again_is_warned_about(revision: str, codes: list[str]) -> None:
    settings = Settings(repo="oci://registry.example.test/team/bundle", revision=revision)
    found = emitted(settings=settings).findings
    assert [(item.code, item.severity) for item in found] == [(code, Severity.WARNING) for code in codes]
    assert emitted(settings=Settings(repo=REPOSITORY, revision="main")).findings == ()


@pytest.mark.parametrize("path", ["", ".", "clusters/eu-1", "./a/", "My Clusters/a", "a.b/c_d"])
def test_a_path_in_the_repository(path: str) -> None:
    assert refused(path=path) == []


@pytest.mark.parametrize(
    "path", ["/a", "..", "a/../b", "a/..", "a*", "a?", "[a]", "{a}", "a\nb", "a'b", 'a"b', "a\\b", "$a", " a"]
)
def test_a_path_that_leaves_the_repository_or_is_a_pattern(path: str) -> None:
    assert len(refused(path=path)) == 1


@pytest.mark.parametrize("name", ["", "Blue", "-a", "a-", "a.b", "a_b", "a b", "a" * 54, "a" * 300, "a\n"])
def test_a_name_that_is_no_release_name(name: str) -> None:
    assert len(refused(name=name, named=True)) == 1


def test_the_longest_name_leaves_room_for_the_longest_child() -> None:
    settings = Settings(name="n" * 53, named=True, repo=REPOSITORY)
    result = emitted(settings=settings)
    assert not [finding for finding in result.findings if finding.severity is Severity.ERROR]
    assert max(len(item["metadata"]["name"]) for item in applications(result).values()) <= 54 + 53


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("project", "Team"),
        ("project", "a\nb"),
        ("project", ""),
        ("argocd_namespace", "a.b"),
        ("argocd_namespace", "x" * 64),
        ("destination", "http://10.0.0.1"),
        ("destination", "production"),
        ("destination", "https://a b"),
        ("destination", "https://user:secret@10.0.0.1"),
    ],
)
def test_other_settings_that_cannot_work(field: str, value: str) -> None:
    assert len(refused(**{field: value})) == 1


def test_every_wrong_setting_is_reported_in_one_run() -> None:
    assert (
        len(refused(repo="x", revision="", path="..", name="A", project="", argocd_namespace="", destination="")) == 7
    )


@pytest.mark.parametrize("destination", ["in-cluster", "https://kubernetes.default.svc"])
def test_the_local_cluster_has_one_spelling(destination: str) -> None:
    for item in applications(emitted(settings=SETTINGS._replace(destination=destination))).values():
        assert item["spec"]["destination"]["server"] == "https://kubernetes.default.svc"


def test_another_cluster_receives_the_content_but_not_the_applications() -> None:
    result = emitted(settings=SETTINGS._replace(destination="https://10.1.2.3:6443", argocd_namespace="gitops"))
    for item in applications(result).values():
        assert item["spec"]["destination"]["server"] == "https://10.1.2.3:6443"
        assert item["metadata"]["namespace"] == "gitops"
    assert root(result)["spec"]["destination"] == {"server": "https://kubernetes.default.svc", "namespace": "gitops"}


def test_without_a_repository_there_is_a_placeholder_a_warning_and_a_command() -> None:
    settings = Settings(name="blue", named=True, path="clusters/a b", cascade_delete=True)
    result = emitted(settings=settings)
    assert [(f.code, f.severity) for f in result.findings if f.code < "D203"] == [("D201", Severity.WARNING)]
    assert root(result)["spec"]["source"]["repoURL"] == PLACEHOLDER
    assert (
        "`groundswell bundle --recipe BUNDLE/recipe.yaml --repo REPOSITORY --name blue --path 'clusters/a b' "
        "--cascade-delete -o BUNDLE`"
    ) in placeholder_notice(settings)
    assert "\n" not in placeholder_notice(settings)
    assert placeholder_notice(SETTINGS) == ""


def test_hostile_settings_stay_strings_in_the_files() -> None:
    evil = 'x"\n  evil: true # ${1}'
    result = emitted(settings=SETTINGS._replace(repo=evil, revision=evil, path=evil, project=evil))
    for path, text in texts(result).items():
        if path.endswith("application.yaml") or path == "app-of-apps.yaml":
            source = yaml.safe_load(text)["spec"]
            assert source["project"] == evil
            assert "evil" not in source
