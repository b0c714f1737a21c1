"""Argo CD's section of the README says what holds for this bundle."""

from __future__ import annotations

import re
from typing import Any

import pytest

from groundswell.deploy.deployer import Settings
from plan_factory import component, constraint, manifest, plan
from unit.deploy.argocd_sample import CONFIG_MAP, SETTINGS, emitted, texts


def readme(**fields: Any) -> str:
    return emitted(settings=SETTINGS._replace(**fields)).readme


def commands(text: str) -> list[str]:
    return [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]


def test_it_starts_at_level_two_and_is_one_section() -> None:
    assert readme().startswith("## Argo CD\n")
    assert len(re.findall(r"^## ", readme(), re.MULTILINE)) == 1
    assert not re.findall(r"^# ", readme(), re.MULTILINE)
    assert "\n\n\n" not in readme()


def test_the_rule_is_a_prerequisite_with_a_command_that_applies_it_and_one_that_checks_it() -> None:
    text = readme(argocd_namespace="gitops")
    patch = "kubectl -n gitops patch configmap argocd-cm --type merge --patch-file argocd/argocd-cm-patch.yaml"
    assert text.index("### Before the first sync") < text.index("### Deploying")
    assert commands(text)[1:3] == [patch, f"{patch} --dry-run=server"]
    assert "argocd/argocd-cm-patch.yaml" in texts(emitted())
    assert "nvidia.com/ClusterPolicy" in text


def test_commands_name_the_root_and_its_namespace() -> None:
    text = readme(name="blue", named=True, argocd_namespace="gitops")
    for command in commands(text):
        assert command.startswith("kubectl -n gitops ") or command == "kubectl apply -f app-of-apps.yaml"
    assert "kubectl -n gitops get applications -l groundswell.dev/bundle=blue" in commands(text)
    assert "kubectl -n gitops delete application blue" in commands(text)


def test_the_last_wave_is_named() -> None:
    text = readme()
    assert "does not wait" in text
    assert "for the last wave (9: `kai-scheduler`)" in " ".join(text.split())
    assert any("wait application/kai-scheduler --for=" in command for command in commands(text))


def test_it_says_how_to_pause_the_root() -> None:
    suspend = """'{"spec":{"syncPolicy":{"automated":null}}}'"""
    assert f"kubectl -n argocd patch application groundswell --type merge -p {suspend}" in commands(readme())


@pytest.mark.parametrize("cascade", [True, False])
def test_removal_is_described_as_it_will_be(*, cascade: bool) -> None:
    text = " ".join(readme(cascade_delete=cascade).split())
    assert ("Every Application carries the finalizer" in text) is cascade
    assert ("No Application carries a finalizer" in text) is not cascade


def test_constraints_are_listed_with_who_checks_them() -> None:
    text = readme()
    assert "* `OS.release.ID` `talos`: nobody checks it\n" in text
    (line,) = [line for line in text.splitlines() if line.startswith("* `K8s.server.version` `>= 1.32`")]
    local = "`002-quota`, `003-gpu-operator-pre`, `005-gpu-operator-post` and `006-kai-scheduler-pre`"
    assert line.endswith(f": checked only when {local} are rendered (`kubeVersion`)")


def test_of_a_constraint_that_helm_can_read_in_part_the_rest_is_checked_by_nobody() -> None:
    local = component("local", chart=None, manifests=(manifest(CONFIG_MAP),))
    asked = [constraint("K8s.server.version", text) for text in (">= 1.32, != 1.33.2", "< 1.36")]
    lines = emitted(plan(local, constraints=tuple(asked))).readme.splitlines()
    at = lines.index("* `K8s.server.version` `!= 1.33.2`: nobody checks it")
    assert lines[at - 1].startswith("* `K8s.server.version` `>= 1.32` and `< 1.36`: checked only when ")


def test_that_a_build_of_a_provider_is_not_checked_is_said() -> None:
    local = component("local", chart=None, manifests=(manifest(CONFIG_MAP),))
    asked = [constraint("K8s.server.version", text) for text in (">= 1.31.4-gke.5", "< 1.36", "!= 1.33.1-gke.2")]
    told = [line for line in emitted(plan(local, constraints=tuple(asked))).readme.splitlines() if line[:4] == "* `K"]
    rendered = "checked only when `001-local` is rendered (`kubeVersion`)"
    assert told == [
        f"* `K8s.server.version` `>= 1.31.4-gke.5`: {rendered}, the provider's build by nobody",
        f"* `K8s.server.version` `< 1.36`: {rendered}",
        "* `K8s.server.version` `!= 1.33.1-gke.2`: nobody checks it",
    ]


def test_ranges_that_come_to_one_version_are_told_as_that_version() -> None:
    local = component("local", chart=None, manifests=(manifest(CONFIG_MAP),))
    asked = [constraint("K8s.server.version", text) for text in (">= 1.32, != 1.33.2", "1.34.1", "< 1.36")]
    told = re.findall(
        r"^\* `K8s.server.version` (.*):", emitted(plan(local, constraints=tuple(asked))).readme, re.MULTILINE
    )
    assert told == ["`== 1.34.1`"]


def test_a_version_constraint_without_local_charts_is_checked_by_nobody() -> None:
    of = plan(component("a"), constraints=(constraint("K8s.server.version", ">= 1.32"),))
    assert "* `K8s.server.version` `>= 1.32`: nobody checks it\n" in emitted(of).readme
    assert "who checks it" not in emitted(plan(component("a"))).readme


def test_kinds_that_count_as_ready_at_once_are_listed() -> None:
    custom = manifest("apiVersion: example.test/v1\nkind: Widget\nmetadata:\n  name: w\n")
    of = plan(component("a", manifests=(custom,)), component("b", dependencies=("a",)))
    assert "In the manifests of this bundle that concerns `example.test/Widget`." in emitted(of).readme
    assert "In the manifests of this bundle" not in readme()


def test_a_project_is_told_what_to_permit() -> None:
    text = readme(project="team-gpu", destination="https://10.1.2.3")
    for item in (
        "source `https://git.example.test/platform/clusters.git`",
        "source `https://charts.example.test/stable`",
        "source `ghcr.example.test/kai-scheduler`",
        "destination `https://10.1.2.3`, namespace `privileged-gpu-operator`",
        "destination `https://kubernetes.default.svc`, namespace `argocd`",
    ):
        assert f"* {item}" in text
    assert "AppProject" not in readme()


def test_a_bundle_in_a_registry_is_pushed_there_and_never_committed() -> None:
    place = {"repo": "oci://registry.example.test/team/bundle", "revision": "v1.2.3"}
    for more in ({}, {"path": "a/b"}, {"revision": "sha256:" + "0" * 64}, {"cascade_delete": True}):
        text = readme(**{**place, **more})
        assert not re.search(r"\b[Cc]ommit", text), more
        assert "registry.example.test/team/bundle" in text
    assert "`oras push registry.example.test/team/bundle:v1.2.3 .`" in readme(**place)
    assert "oras" not in readme()
    assert "Commit this directory" in readme()


@pytest.mark.parametrize("deployers", [("argocd",), ("argocd", "helm")])
def test_install_sh_is_spoken_of_only_where_it_is_there(deployers: tuple[str, ...]) -> None:
    result = emitted(settings=Settings(deployers=deployers))
    spoken = [*texts(result).values(), result.readme, result.notice, *(item.help for item in result.findings)]
    assert any("install.sh" in text for text in spoken) is ("helm" in deployers)


def test_a_plan_of_one_manifest_has_a_readme_too() -> None:
    of = plan(component("quota", chart=None, manifests=(manifest(CONFIG_MAP),)))
    assert "it hands out 1 Application," in " ".join(emitted(of, Settings()).readme.split())
