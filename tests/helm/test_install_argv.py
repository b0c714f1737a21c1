"""What install.sh asks of Helm, seen by a stub in its place."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from helm.helm_site import SHELLS, SYSTEM_PATH, Site, rows, write_bundle
from helm.sample_site import digest, sample
from helm.stub_helm import StubHelm
from helm_binaries import helm_binaries

VERSIONS = {"3": "v3.17.0", "4": "v4.1.1"}


@pytest.fixture
def stub(tmp_path: Path) -> StubHelm:
    return StubHelm.create(tmp_path / "stub")


@pytest.fixture
def site(tmp_path: Path, stub: StubHelm) -> Site:
    return Site(write_bundle(sample(), tmp_path / "bundle"), stub.path, tmp_path / "home")


@pytest.mark.parametrize("major", VERSIONS)
@pytest.mark.parametrize("shell", SHELLS)
def test_calls_are_the_same_in_every_shell_and_differ_by_major_in_two_flags(
    site: Site, stub: StubHelm, shell: str, major: str
) -> None:
    site.shell = shell
    (stub.path.parent / "version").write_text(VERSIONS[major])
    done = site.run("install.sh")
    assert (done.returncode, done.stderr) == (0, "")
    waiting = ["--wait"] if major == "3" else ["--wait=legacy", "--server-side=false"]

    def common(folder: str) -> list[str]:
        return ["--reset-values", "--hide-notes", "--labels", digest(site, folder), "--timeout", "10m"]

    upgrade, values = ["upgrade", "--install"], ["--values", "values.yaml"]
    preflight, *steps = [
        (call.directory, call.arguments) for call in stub.calls() if call.arguments[0] not in {"list", "status"}
    ]
    assert preflight == (
        "bundle",
        ["install", "groundswell-preflight", "./preflight", "--namespace", "groundswell", "--dry-run=server"],
    )
    repository = ["--repo", "https://charts.example.test/stable", "--version", "1.0.0"]
    registry = ["--version", "v2.0.0"]
    create = "--create-namespace"
    pre = ["gpu-pre", ".", "--namespace", "groundswell", *values, *common("001-gpu-pre"), create]
    main = ["gpu", "gpu", "--namespace", "privileged-gpu", *repository, *values, *common("002-gpu")]
    address = "oci://registry.example.test/charts/oci-chart"
    oci = ["oci", address, "--namespace", "kube-system", *registry, *values, *common("003-oci"), "--skip-crds"]
    extra = ["extra", ".", "--namespace", "extra", *values, *common("004-extra"), create]
    assert steps == [
        ("001-gpu-pre", [*upgrade, *pre, *waiting]),
        ("002-gpu", [*upgrade, *main, *waiting]),
        ("003-oci", [*upgrade, *oci, *waiting]),
        ("004-extra", [*upgrade, *extra, *waiting]),
    ]


@pytest.mark.parametrize("version", ["v3.16.4", "v4.0.5", "v4.1.0", "v5.0.0", "v2.17.0", "weekly", ""])
def test_other_helm_versions_are_refused_before_any_call(site: Site, stub: StubHelm, version: str) -> None:
    (stub.path.parent / "version").write_text(version)
    done = site.run("install.sh")
    assert done.returncode == 1
    assert "3.17" in done.stderr or "cannot read the version" in done.stderr
    assert not stub.calls()


@pytest.mark.parametrize("version", ["v3.17.0", "v3.20.1", "v3.18.0-rc.1", "v4.1.1", "v4.2.0", "v4.10.3+gabc"])
def test_supported_helm_versions_are_taken(site: Site, stub: StubHelm, version: str) -> None:
    (stub.path.parent / "version").write_text(version)
    assert site.run("install.sh", "--check").returncode == 0


def test_without_helm_the_script_says_what_it_needs(site: Site) -> None:
    done = subprocess.run(
        ["/bin/sh", site.bundle / "install.sh"],
        env={"PATH": "/nonexistent:/usr/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "helm is not on PATH" in done.stderr


@pytest.mark.parametrize("script", ["install.sh", "uninstall.sh"])
def test_without_awk_nothing_is_taken_for_empty(site: Site, stub: StubHelm, tmp_path: Path, script: str) -> None:
    """Uninstalling would delete definitions, since a manifest that nobody reads seems to hold none."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sed", "cat", "mktemp", "rm", "dirname", "env", "sleep", "grep", "tr", "cut", "sh"):
        found = shutil.which(name)
        if found:
            (tools / name).symlink_to(found)
    done = subprocess.run(
        ["/bin/sh", site.bundle / script],
        env={"PATH": f"{stub.path.parent}:{tools}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "awk is not on PATH" in done.stderr
    assert not stub.calls()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--atomic"],
        ["gpu"],
        ["--from"],
        ["--only="],
        ["--timeout", "600"],
        ["--timeout", "5 m"],
        ["--timeout", "1hm"],
        ["--check", "--skip-constraints"],
        ["--check=yes"],
        ["--values", "gpu"],
        ["--values", "gpu=/nonexistent"],
    ],
)
def test_wrong_usage_exits_2_with_the_usage(site: Site, stub: StubHelm, arguments: list[str]) -> None:
    done = site.run("install.sh", *arguments)
    assert done.returncode == 2
    assert "usage: ./install.sh" in done.stderr
    assert not stub.calls()


@pytest.mark.parametrize("script", ["install.sh", "uninstall.sh"])
def test_help_exits_0_and_names_every_option_it_takes(site: Site, script: str) -> None:
    done = site.run(script, "--help")
    assert done.returncode == 0
    text = (site.bundle / script).read_text()
    options = text[text.index("parse_options() {") : text.index("*) usage_error")]
    for option in {word.strip(")|") for word in options.split() if word.startswith("--") and "*" not in word}:
        assert f"  {option}" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "releases"),
    [
        (["--from", "oci"], ["oci", "extra"]),
        (["--from", "002-gpu"], ["gpu", "oci", "extra"]),
        (["--from=gpu"], ["gpu-pre", "gpu", "oci", "extra"]),
        (["--only", "gpu"], ["gpu-pre", "gpu"]),
        (["--only", "001-gpu-pre", "--only", "extra"], ["gpu-pre", "extra"]),
        (["--from", "gpu", "--only", "oci"], ["oci"]),
        (["--from", "oci", "--only", "extra"], ["extra"]),
    ],
)
def test_from_and_only_take_a_folder_or_a_component(
    site: Site, stub: StubHelm, arguments: list[str], releases: list[str]
) -> None:
    assert site.run("install.sh", *arguments).returncode == 0
    assert [call[2] for call in stub.writes()] == releases


def test_from_and_only_that_leave_nothing_are_an_error(site: Site, stub: StubHelm) -> None:
    done = site.run("install.sh", "--from", "oci", "--only", "gpu")
    assert done.returncode == 2
    assert "leave no folder" in done.stderr
    assert not stub.writes()


@pytest.mark.parametrize("arguments", [["--from", "gpu-pre"], ["--only", "nope"], ["--values", "nope=/etc/hostname"]])
def test_unknown_names_are_answered_with_those_that_exist(site: Site, stub: StubHelm, arguments: list[str]) -> None:
    done = site.run("install.sh", *arguments)
    assert done.returncode == 2
    assert all(name in done.stderr for name in ("001-gpu-pre", "002-gpu", "003-oci", "004-extra"))
    assert not stub.calls()


@pytest.mark.parametrize("shell", SHELLS)
def test_the_first_failure_stops_and_says_how_to_go_on(site: Site, stub: StubHelm, shell: str) -> None:
    site.shell = shell
    stub.fail("oci", 7)
    done = site.run("install.sh")
    assert done.returncode == 7
    assert [call[2] for call in stub.writes()] == ["gpu-pre", "gpu", "oci"]
    assert "003-oci failed: release oci in namespace kube-system, component oci" in done.stderr
    assert "--from 003-oci" in done.stderr
    stub.heal("oci")
    stub.forget()
    assert site.run("install.sh", "--from", "003-oci").returncode == 0
    assert [call[2] for call in stub.writes()] == ["oci", "extra"]


def test_a_failing_preflight_starts_nothing(site: Site, stub: StubHelm) -> None:
    stub.fail("groundswell-preflight", 1)
    done = site.run("install.sh")
    assert done.returncode == 1
    assert "cannot check whether the cluster fits" in done.stderr
    assert not stub.writes()


def test_skip_constraints_leaves_the_preflight_out(site: Site, stub: StubHelm) -> None:
    stub.fail("groundswell-preflight", 1)
    assert site.run("install.sh", "--skip-constraints").returncode == 0
    assert len(stub.writes()) == 4


@pytest.mark.parametrize("shell", SHELLS)
def test_nothing_in_the_table_ever_becomes_code(site: Site, stub: StubHelm, shell: str) -> None:
    site.shell = shell
    nasty = [
        "$(touch PWNED)",
        "x; touch PWNED #",
        "`touch PWNED`",
        "a' ; touch PWNED '",
        '" && touch PWNED',
        "*",
        "~root",
        "!x",
        "\\n",
    ]
    for text in nasty:
        table = f"001-gpu-pre\t{text}\t{text}\t{text}\t{text}\t{text}\t{text}\t{text}\t{text}\n"
        (site.bundle / "install.tsv").write_text(table)
        stub.forget()
        for script in ("install.sh", "uninstall.sh"):
            stub.answer("list", f"^{text}$".replace("/", ""), "")
            assert site.run(script).returncode == 0
        (call,) = stub.writes()
        wanted = ["upgrade", "--install", text, text, "--namespace", text, "--repo", text, "--version", text]
        assert call[: len(wanted)] == wanted
        assert f"groundswell-digest={text}" in call
    assert not list(site.bundle.parent.rglob("PWNED"))


@pytest.mark.parametrize(
    "line",
    [
        "../home\ta\ta\ta\t-\t-\t-\t-\td",
        "001-gpu-pre\ta\t--post-renderer\ta\t-\t-\t-\t-\td",
        "001-gpu-pre\ta\ta\ta\t-\t-\t-\td",
        "001-gpu-pre\ta\ta\ta\t-\t-\t-\t-\td\te",
        "009-gone\ta\ta\ta\t-\t-\t-\t-\td",
        "",
    ],
)
def test_a_damaged_table_is_refused(site: Site, stub: StubHelm, line: str) -> None:
    (site.bundle / "install.tsv").write_text(line + "\n")
    for script in ("install.sh", "uninstall.sh"):
        done = site.run(script)
        assert done.returncode == 1
        assert "install.tsv" in done.stderr or "values.yaml is missing" in done.stderr
    assert not stub.calls()


@pytest.mark.parametrize("shell", SHELLS)
def test_runs_from_anywhere_in_a_directory_of_any_name(tmp_path: Path, stub: StubHelm, shell: str) -> None:
    bundle = write_bundle(sample(), tmp_path / "-a b, é $(x)'\"")
    site = Site(bundle, stub.path, tmp_path / "home", shell, {"CDPATH": os.fspath(tmp_path)})
    for cwd, script in ((Path("/"), "install.sh"), (tmp_path, "install.sh")):
        stub.forget()
        assert site.run(script, cwd=cwd).returncode == 0
        assert [call.directory for call in stub.calls() if call.arguments[0] == "upgrade"] == sorted(rows(bundle))
    stub.forget()
    relative = [*shell.split(), "./install.sh"]
    assert (
        subprocess.run(relative, env=site.environment(), cwd=bundle, capture_output=True, check=False).returncode == 0
    )
    assert len(stub.writes()) == 4


@pytest.mark.helm
def test_every_flag_is_known_to_both_majors(site: Site, stub: StubHelm, tmp_path: Path) -> None:
    stub.answer("list", "^gpu$", "gpu\n")
    stub.answer("status", "gpu", "STATUS: pending-upgrade\nREVISION: 2\n")
    (tmp_path / "gpu-1.0.0.tgz").touch()
    (tmp_path / "oci-chart-v2.0.0.tgz").touch()
    options = ["--recover", "--take-ownership", "--values", "gpu=/dev/null", "--context", "c", "--kubeconfig", "k"]
    for major, version in VERSIONS.items():
        stub.forget()
        (stub.path.parent / "version").write_text(version)
        for charts in ([], ["--charts", os.fspath(tmp_path)]):
            assert site.run("install.sh", *options, *charts).returncode == 0
        assert site.run("uninstall.sh").returncode == 0
        used: dict[str, set[str]] = {}
        for call in stub.calls():
            flags = {word.partition("=")[0] for word in call.arguments if word.startswith("--")}
            used.setdefault(call.arguments[0], set()).update(flags)
        assert set(used) == {"install", "list", "status", "rollback", "upgrade", "get", "uninstall"}
        for command, flags in used.items():
            words = [command, "manifest"] if command == "get" else [command]
            text = subprocess.run(
                [helm_binaries()[major], *words, "--help"], capture_output=True, text=True, check=True
            )
            assert flags <= set(re.findall(r"--[a-z-]+", text.stdout)), command


def test_scripts_are_clean_posix_shell(site: Site) -> None:
    for script in ("install.sh", "uninstall.sh"):
        path = site.bundle / script
        assert b"\r" not in path.read_bytes()
        assert path.stat().st_mode & 0o111 == 0o111
        for shell in SHELLS:
            subprocess.run([*shell.split(), "-n", path], check=True)


def test_shellcheck_finds_nothing(site: Site) -> None:
    program = shutil.which("shellcheck", path=f"{Path(sys.executable).parent}:{SYSTEM_PATH}")
    if program is None:
        pytest.skip("shellcheck is not installed")
    subprocess.run([program, "-s", "sh", site.bundle / "install.sh", site.bundle / "uninstall.sh"], check=True)


def test_a_dry_run_quotes_what_a_shell_would_read(site: Site) -> None:
    context = 'a\'b "c" $d `e` \\ é'
    printed = site.run("install.sh", "--dry-run", "--check", "--context", context).stdout
    assert shlex.split(printed)[-1] == context
