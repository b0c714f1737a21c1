"""The root chart rendered by real Helm, as Argo CD renders it."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from groundswell.deploy.deployer import Settings
from helm_binaries import helm_binaries
from plan_factory import component, plan
from unit.deploy.argocd_sample import REPOSITORY, applications, built_folders, emitted, sample_plan, texts

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.plan.plan import Plan

pytestmark = pytest.mark.helm
MAJORS = pytest.mark.parametrize("major", ["3", "4"])
NESTED = Settings(name="b", named=True, repo=REPOSITORY, revision="v1.0", path="clusters/a")
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def write(of: Plan, directory: Path, settings: Settings) -> None:
    """The bundle's folders and Argo CD's files, with traps that the root chart must not fall into."""
    files = {file.path: file.data for built in built_folders(of).values() for file in built.files}
    files |= {file.path: file.data for file in emitted(of, settings).files}
    trap = b"kind: Trap\nspec:\n  source:\n    targetRevision: x  # bundle revision\n"
    first = of.folders[0].name
    files |= dict.fromkeys(
        (
            "application.yaml",
            "talos/application.yaml",
            f"{first}/a/application.yaml",
            f"{first}/templates/application.yaml",
        ),
        trap,
    )
    files[f"{first}/templates/broken.yaml"] = b"{{ .Values.nothing.at.all | fail }}{{ if }}\n"
    for path, data in files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_bytes(data)


def rendered(major: str, directory: Path, revision: str | None = COMMIT) -> subprocess.CompletedProcess[str]:
    set_revision = [] if revision is None else ["--set-string", f"revision={revision}"]
    command = [str(helm_binaries()[major]), "template", "groundswell", str(directory), "--include-crds", *set_revision]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def objects(major: str, directory: Path, revision: str = COMMIT) -> list[Any]:
    run = rendered(major, directory, revision)
    assert run.returncode == 0, run.stderr
    return [document for document in yaml.safe_load_all(run.stdout) if document is not None]


def expected(of: Plan, settings: Settings, revision: str) -> list[Any]:
    """The children as emitted, with the bundle's own sources at the revision."""
    children = applications(emitted(of, settings))
    for folder in of.folders:
        if folder.local:
            children[folder.name]["spec"]["source"]["targetRevision"] = revision
    return list(children.values())


def by_name(items: list[Any]) -> list[Any]:
    return sorted(items, key=lambda item: item["metadata"]["name"])


@MAJORS
@pytest.mark.parametrize("settings", [Settings(repo=REPOSITORY), NESTED], ids=["root", "nested"])
def test_the_root_chart_gives_exactly_the_children_at_its_own_commit(
    major: str, settings: Settings, tmp_path: Path
) -> None:
    of = sample_plan()
    write(of, tmp_path, settings)
    assert by_name(objects(major, tmp_path)) == by_name(expected(of, settings, COMMIT))


@MAJORS
@pytest.mark.parametrize(
    "revision",
    ["1" * 40, "12345678901234567890e123456789012345678", "0" * 39 + "7", "sha256:" + "0" * 64, "${1}-$name"],
    ids=["digits", "exponent", "octal", "digest", "dollars"],
)
def test_a_revision_stays_text_whatever_it_looks_like(major: str, revision: str, tmp_path: Path) -> None:
    of = sample_plan()
    write(of, tmp_path, Settings(repo=REPOSITORY))
    sources = [item["spec"]["source"] for item in objects(major, tmp_path, revision)]
    assert {source["targetRevision"] for source in sources if "path" in source} == {revision}


@MAJORS
def test_text_that_looks_like_the_marked_line_is_left_alone(major: str, tmp_path: Path) -> None:
    """An Application inside the values of a chart, marker and all, and a line at the very indentation of ours."""
    inner = "spec:\n  source:\n    targetRevision: v9  # bundle revision\n"
    of = plan(component("a", values={"apps": inner, "targetRevision": "main  # bundle revision"}), component("b"))
    write(of, tmp_path, Settings(repo=REPOSITORY))
    (values,) = [
        yaml.safe_load(item["spec"]["source"]["helm"]["values"])
        for item in objects(major, tmp_path)
        if item["metadata"]["name"] == "a"
    ]
    assert values == {"apps": inner, "targetRevision": "main  # bundle revision"}


@MAJORS
def test_without_a_revision_nothing_is_rendered(major: str, tmp_path: Path) -> None:
    write(sample_plan(), tmp_path, Settings(repo=REPOSITORY))
    run = rendered(major, tmp_path, None)
    assert run.returncode != 0
    assert "set the parameter revision" in run.stderr


@MAJORS
def test_large_files_of_the_bundle_do_not_stop_the_root(major: str, tmp_path: Path) -> None:
    """Helm 3 refuses a chart with a file of more than 5 MiB."""
    write(sample_plan(), tmp_path, Settings(repo=REPOSITORY))
    for name in ("README.md", "bundle.yaml", "checksums.txt", "provenance.json", "recipe.yaml"):
        (tmp_path / name).write_bytes(b"x" * (6 << 20))
    assert len(objects(major, tmp_path)) == len(sample_plan().folders)
    if major == "3":
        (tmp_path / ".helmignore").unlink()
        assert "larger than the maximum file size" in rendered(major, tmp_path).stderr


@MAJORS
def test_the_charts_values_reach_the_chart_as_the_folder_has_them(major: str, tmp_path: Path) -> None:
    """Argo CD writes the inlined text to a file and hands it to Helm: the same as `-f values.yaml`."""
    of = sample_plan()
    chart = tmp_path / "chart"
    (chart / "templates").mkdir(parents=True)
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: show\nversion: 0.0.0\n")
    (chart / "values.yaml").write_text("unset: default\nkept: default\n")
    (chart / "templates" / "show.yaml").write_text("shown: {{ .Values | toJson | quote }}\n")
    bundle = tmp_path / "bundle"
    write(of, bundle, Settings(repo=REPOSITORY))
    (inlined,) = [
        item["spec"]["source"]["helm"]["values"]
        for item in objects(major, bundle)
        if item["metadata"]["name"] == "cert-manager"
    ]
    (tmp_path / "inlined.yaml").write_text(inlined)
    folder = next(iter(built_folders(of)))
    command = [str(helm_binaries()[major]), "template", "x", str(chart), "-f"]
    outputs = [
        subprocess.run([*command, str(file)], capture_output=True, text=True, check=True).stdout
        for file in (tmp_path / "inlined.yaml", bundle / folder / "values.yaml")
    ]
    assert outputs[0] == outputs[1]
    shown = yaml.safe_load(yaml.safe_load(outputs[0])["shown"])
    assert shown["kept"] == "default"
    assert "unset" not in shown
    assert shown["version"] == "1.10"


def test_helm_3_and_4_render_the_same(tmp_path: Path) -> None:
    write(sample_plan(), tmp_path, Settings(repo=REPOSITORY))
    assert objects("3", tmp_path) == objects("4", tmp_path)


@MAJORS
def test_the_root_chart_passes_lint(major: str, tmp_path: Path) -> None:
    for path, text in texts(emitted()).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    command = [str(helm_binaries()[major]), "lint", "--strict", str(tmp_path), "--set-string", f"revision={COMMIT}"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


@MAJORS
def test_what_can_lie_beside_a_bundle_at_a_repositorys_root_is_not_read(major: str, tmp_path: Path) -> None:
    of = sample_plan()
    write(of, tmp_path, Settings(repo=REPOSITORY))
    before = by_name(objects(major, tmp_path))
    large = b"\0" * (5 * 2**20 + 1)
    first = of.folders[0].name
    beside = (
        *(".git/objects/pack/p.pack", ".github/a", ".gitattributes", "node_modules/a/b.js", "talos/patches/a.yaml"),
        *(
            "charts/upstream-1.0.0.tgz",
            "vendor/a",
            "CHANGELOG.md",
            "Makefile",
            "tests/a",
            "Code",
            "install.sh",
            "docs/a",
        ),
        *("preflight/a", "recipe.yaml", f"{first}/manifests/large.yaml", f"{first}/charts/sub.tgz", "Ça", "_x", "~"),
    )
    for path in beside:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(large)
    assert by_name(objects(major, tmp_path)) == before


@MAJORS
def test_a_git_worktree_and_a_broken_link_beside_a_bundle_do_not_matter(major: str, tmp_path: Path) -> None:
    write(sample_plan(), tmp_path, Settings(repo=REPOSITORY))
    before = by_name(objects(major, tmp_path))
    (tmp_path / ".git").write_text("gitdir: /nowhere\n")
    (tmp_path / "charts").mkdir()
    (tmp_path / "charts" / "half.tgz").write_bytes(b"no archive")
    assert by_name(objects(major, tmp_path)) == before
