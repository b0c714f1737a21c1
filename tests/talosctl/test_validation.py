"""Patches that `talosctl` judges: the recorded one on PATH, and a real one where there is one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from command import groundswell, tree
from groundswell.diagnostics.diagnostic import Severity
from groundswell.model.cluster_document import read_cluster
from groundswell.talos_client.refusal import problems, without_secrets
from groundswell.talos_client.talosctl import Talosctl
from groundswell.talos_client.validate import validate
from talos_kit import text

if TYPE_CHECKING:
    from pathlib import Path

    from talosctl.recordings import Recorded

HOSTS = """
- {name: cp-1, address: 10.0.0.1, role: controlplane, installDisk: /dev/sda}
- name: w-1
  address: 10.0.0.2
  installDisk: /dev/sda
  prep: {sysctls: {net.core.somaxconn: "1024"}}
"""
# As talosctl v1.13.9 says it.
TWO_ERRORS = """\
1 error occurred:
\t* v1alpha1.Config: 2 errors occurred:
\t* kubelet configuration field "port" can't be overridden
\t* invalid machine node labels: 1 error occurred:
\t* name "a b" is invalid




"""
UNKNOWN_KEY = """\
error decoding document /v1alpha1/ (line 1): unknown keys found during decoding:
machine:
    foo: s3cr3t-of-the-base
"""
BASE = """\
version: v1alpha1
machine:
    type: worker
    token: abcdef.0123456789abcdef
    ca:
        crt: TFMwdExTMUNSVWRKVGlCRFJWSlVTVVpKUTBGVVJTMHRMUzB0
cluster:
    secret: c2VjcmV0LW9mLXRoZS1jbHVzdGVy
"""
SECRETS = [line.split(": ")[1] for line in BASE.splitlines() if line.strip().startswith(("token", "crt", "secret"))]


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    path = tmp_path / "lab.yaml"
    path.write_text(text(HOSTS))
    return path


def refuse(machines: Recorded, marker: str, said: str) -> None:
    machines.put("refusals", {"one.txt": f"{marker}\n{said}"})


def test_where_talosctl_is_on_path_each_patch_is_validated_on_a_generated_configuration(
    machines: Recorded, lab: Path, tmp_path: Path
) -> None:
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", env=machines.env)
    assert done.code == 0, done.err
    assert "judged by talosctl v1.13.2 on a generated configuration: cp-1, w-1\n" in done.err
    ((_, words, options),) = machines.calls("gen")
    assert words == ["gen", "config", "lab", "https://10.0.0.10:6443"]
    assert (options["--talos-version"], options["--output-types"]) == ("v1.13.2", "controlplane,worker")
    laid = [(words[2].rpartition("/")[2], options["--patch"].rpartition("/")[2]) for _, words, options in
            machines.calls("machineconfig")]  # fmt: skip
    assert laid == [("controlplane.yaml", "cp-1.patch.yaml"), ("worker.yaml", "w-1.patch.yaml")]
    assert [(options["--mode"], "--strict" in options) for _, _, options in machines.calls("validate")] == [
        ("metal", True),
        ("metal", True),
    ]


def test_bundle_validates_as_render_does(machines: Recorded, lab: Path, tmp_path: Path) -> None:
    refuse(machines, "somaxconn", TWO_ERRORS)
    done = groundswell("bundle", "--cluster", lab, "-o", tmp_path / "out", env=machines.env)
    assert done.code == 1
    assert "talosctl refuses `talos/patches/w-1.yaml` on host `w-1`" in done.err
    assert not (tmp_path / "out").exists()
    kept = groundswell("bundle", "--cluster", lab, "-o", tmp_path / "out", "--no-validate", env=machines.env)
    assert kept.code == 0, kept.err
    assert "validated" not in kept.err


def test_a_refusal_names_host_patch_and_every_problem_at_the_hosts_place(
    machines: Recorded, lab: Path, tmp_path: Path
) -> None:
    refuse(machines, "somaxconn", TWO_ERRORS)
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", env=machines.env)
    assert done.code == 1
    what = "error[T361]: talosctl refuses `patches/w-1.yaml` on host `w-1`: "
    assert f'{what}kubelet configuration field "port" can\'t be overridden\n' in done.err
    assert f'{what}invalid machine node labels: name "a b" is invalid\n' in done.err
    assert done.err.count("lab.yaml:10:13") == 2
    assert not (tmp_path / "out").exists()


def test_what_a_base_is_warned_of_without_the_patch_is_not_the_patchs_doing(
    machines: Recorded, lab: Path, tmp_path: Path
) -> None:
    base = tmp_path / "worker.yaml"
    base.write_text(BASE)
    refuse(machines, "strict c2VjcmV0LW9m", "1 error occurred:\n\t* something of the base is deprecated\n\n")
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--base", base, env=machines.env)
    assert done.code == 0, done.err
    refuse(machines, "strict somaxconn", "1 error occurred:\n\t* sysctls are deprecated\n\n")
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--base", base, env=machines.env)
    assert done.code == 1
    assert "on host `w-1`: sysctls are deprecated" in done.err


def test_a_base_file_is_for_hosts_of_its_role(machines: Recorded, lab: Path, tmp_path: Path) -> None:
    base = tmp_path / "mine.yaml"
    base.write_text(BASE)
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--base", base, env=machines.env)
    assert done.code == 0, done.err
    assert f"judged by talosctl v1.13.2 on {base}: w-1\n" in done.err
    assert "on a generated configuration: cp-1\n" in done.err
    base.write_text(BASE.replace("type: worker", "kind: x"))
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--base", base, env=machines.env)
    assert (done.code, "T363" in done.err) == (1, True)
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--base", tmp_path / "no", env=machines.env)
    assert (done.code, "cannot be read" in done.err) == (1, True)


def test_a_base_directory_has_a_file_for_each_host_or_role(machines: Recorded, lab: Path, tmp_path: Path) -> None:
    bases = tmp_path / "bases"
    bases.mkdir()
    (bases / "controlplane.yaml").write_text(BASE)
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--base", bases, env=machines.env)
    assert done.code == 1
    assert f"`{bases}` has neither `w-1.yaml` nor `worker.yaml` for host `w-1`" in done.err
    (bases / "w-1.yaml").write_text(BASE)
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--base", bases, env=machines.env)
    assert done.code == 0, done.err
    assert f"on {bases}: cp-1, w-1\n" in done.err
    assert len(machines.calls("gen")) == 0


def test_a_base_that_is_refused_by_itself_is_said_once_and_not_shown(
    machines: Recorded, lab: Path, tmp_path: Path
) -> None:
    bases = tmp_path / "bases"
    bases.mkdir()
    for name in ("controlplane", "worker"):
        (bases / f"{name}.yaml").write_text(BASE)
    lab.write_text(text(HOSTS + "- {name: w-2, address: 10.0.0.3, installDisk: /dev/sda}\n"))
    refuse(machines, "secret: c2Vj", UNKNOWN_KEY)
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--base", bases, env=machines.env)
    assert done.code == 1
    assert done.err.count("T362]") == 2
    assert "`talosctl validate --config " in done.err
    assert "s3cr3t" not in done.err


def test_no_secret_of_a_base_comes_out_and_temporary_files_are_private_and_removed(
    machines: Recorded, lab: Path, tmp_path: Path
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    base = tmp_path / "worker.yaml"
    base.write_text(BASE)
    words = "".join(f"\t* not `{secret}`\n" for secret in (*SECRETS, f"{SECRETS[1][:7]}...", "net.core.somaxconn"))
    refuse(machines, "somaxconn", f"1 error occurred:\n{words}\n")
    env = {**machines.env, "TMPDIR": str(scratch)}
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--base", base, env=env)
    assert done.code == 1
    assert not [secret for secret in SECRETS if secret[:7] in done.err + done.out]
    assert "not `…`" in done.err
    assert "not `net.core.somaxconn`" in done.err
    assert not list(scratch.iterdir())
    made = [line.rsplit(" ", 2) for line in (machines.home / "modes").read_text().splitlines()]
    assert {tuple(modes) for path, *modes in made if path.startswith(str(scratch))} == {("600", "700")}
    refuse(machines, "somaxconn", "1 error occurred:\n\t* not `g3n3r4.t3dt0k3n0fth1sb4se`\n")
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", env=env)
    assert "on host `w-1`: not `…`" in done.err
    assert not list(scratch.iterdir())


def test_a_base_written_by_an_earlier_talos_is_told_how_to_state_it(
    machines: Recorded, lab: Path, tmp_path: Path
) -> None:
    lab.write_text(text(HOSTS, version="v1.14.0"))
    machines.put("", {"client.txt": "Client:\nTalos v1.14.1\n"})
    base = tmp_path / "worker.yaml"
    base.write_text(BASE)
    said = "1 error occurred:\n\t* kubelet config is already set in v1alpha1 config (.machine.kubelet)\n\n"
    refuse(machines, "somaxconn", said)
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--base", base, env=machines.env)
    assert "state `baseConfig: legacy`" in done.err
    refuse(machines, "somaxconn", "1 error occurred:\n\t* static hostname is already set in v1alpha1 config\n\n")
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--base", base, env=machines.env)
    assert "state `baseConfig: legacy`" in done.err
    said = "UnattendedInstallConfig config is incompatible with v1alpha1 config (.machine.install)"
    refuse(machines, "somaxconn", f"1 error occurred:\n\t* {said}\n\n")
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--base", base, env=machines.env)
    assert "state `baseConfig: legacy`" in done.err
    lab.write_text(text(HOSTS, version="v1.14.0", talos="baseConfig: legacy"))
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--base", base, env=machines.env)
    assert done.code == 1
    assert "state `baseConfig: legacy`" not in done.err
    assert "leave `baseConfig: legacy` out" in done.err
    lab.write_text(text(HOSTS, version="v1.14.0", talos="baseConfig: legacy"))
    groundswell("talos", "render", lab, "-o", tmp_path / "out", env=machines.env)
    assert machines.calls("gen")[-1][2]["--talos-version"] == "v1.13.0"


def test_without_talosctl_nothing_is_validated_and_that_is_said(lab: Path, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    alone = {"PATH": str(tmp_path / "bin")}
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", env=alone)
    assert done.code == 0, done.err
    assert "hint[T360]: the patches are not validated, because there is no `talosctl` on PATH" in done.err
    for option in (("--validate",), ("--base", tmp_path)):
        done = groundswell("talos", "render", lab, "-o", tmp_path / "out", *option, env=alone)
        assert (done.code, "T301" in done.err) == (1, True)
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--no-validate", env=alone)
    assert (done.code, "T360" in done.err) == (0, False)
    assert ": 2 patches, 1 schematic\n" in done.out


def test_a_talosctl_of_another_version_is_told_and_an_older_one_judges_nothing(
    machines: Recorded, lab: Path, tmp_path: Path
) -> None:
    machines.put("", {"client.txt": "Client:\nTalos v1.14.0\n"})
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", env=machines.env)
    assert (done.code, "warning[T365]" in done.err) == (0, True)
    assert "judged by talosctl v1.14.0" in done.err
    machines.put("", {"client.txt": "Client:\nTalos v1.9.4\n"})
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", env=machines.env)
    assert (done.code, "warning[T364]" in done.err, "judged by" in done.err) == (0, True, False)
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--validate", env=machines.env)
    assert (done.code, "error[T364]" in done.err) == (1, True)


def test_a_talosctl_that_generates_nothing_is_an_error_where_it_is_asked_for(
    machines: Recorded, lab: Path, tmp_path: Path
) -> None:
    machines.put("", {"gen.problem": "invalid talos-version"})
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--validate", env=machines.env)
    assert done.code == 1
    why = "`talosctl` generates no configuration for Talos v1.13.2: error: invalid talos-version"
    assert f"error[T363]: {why}" in done.err
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", env=machines.env)
    assert (done.code, f"warning[T363]: {why}" in done.err) == (0, True)
    assert "`--no-validate` leaves the matter out" in done.err


BROKEN = {
    "none": ("#!/nowhere\n", "cannot be run: No such file or directory"),
    "mute": ("#!/bin/sh\nexit 0\n", "it does not tell its version"),
    "another": ("#!/bin/sh\necho 'usage: talosctl GAME' >&2; exit 64\n", "usage: talosctl GAME"),
    "crashes": ("#!/bin/sh\nkill -SEGV $$\n", "was ended by signal 11"),
    "crashes later": (
        "#!/bin/sh\n[ $1 = version ] && echo Talos v1.13.2 && exit\nkill -SEGV $$\n",
        "was ended by signal 11",
    ),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_talosctl_that_does_not_work_fails_only_those_who_asked_for_it(lab: Path, tmp_path: Path, how: str) -> None:
    program, why = BROKEN[how]
    home = tmp_path / "bin"
    home.mkdir()
    (home / "talosctl").write_text(program)
    (home / "talosctl").chmod(0o755)
    env = {"PATH": f"{home}{os.pathsep}{os.environ['PATH']}"}
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", env=env)
    assert done.code == 0, done.err
    assert "warning[T366]: the `talosctl` on PATH does not work: " in done.err
    assert why in done.err
    assert "judged by" not in done.err
    assert (tmp_path / "out" / "README.md").exists()
    (tmp_path / "worker.yaml").write_text(BASE)
    for option in (("--validate",), ("--base", tmp_path / "worker.yaml")):
        done = groundswell("talos", "render", lab, "-o", tmp_path / "out", *option, env=env)
        assert (done.code, "error[T366]" in done.err) == (1, True)


def test_a_talosctl_that_refuses_what_it_generates_judges_nothing(
    machines: Recorded, lab: Path, tmp_path: Path
) -> None:
    refuse(machines, "token: g3n3r4", "open /x: permission denied, g3n3r4.t3dt0k3n0fth1sb4se\n")
    machines.put("", {"machineconfig.problem": "open /x: permission denied"})
    for laid in (False, True):
        if laid:
            (machines.home / "machineconfig.problem").unlink()
        done = groundswell("talos", "render", lab, "-o", tmp_path / "out", env=machines.env)
        assert (done.code, "judged by" in done.err) == (0, False)
        why = "the `talosctl` on PATH does not work: it refuses what it generated itself: open /x: permission denied, …"
        assert f"warning[T366]: {why}" in done.err
        assert "help: `--no-validate` leaves the matter out" in done.err
        done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--validate", env=machines.env)
        assert (done.code, f"error[T366]: {why}" in done.err, "judged by" in done.err) == (1, True, False)


@pytest.mark.parametrize("own", [True, False])
def test_a_patch_that_cannot_be_laid_is_refused_even_when_the_base_is_warned_of_in_the_same_words(
    machines: Recorded, lab: Path, tmp_path: Path, *, own: bool
) -> None:
    base = tmp_path / "worker.yaml"
    base.write_text(BASE)
    refuse(machines, "strict token: ", "error: something is wrong\n")
    machines.put("", {"machineconfig.problem": "something is wrong"})
    option = ("--base", base) if own else ("--validate",)
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", *option, env=machines.env)
    assert done.code == 1
    assert "talosctl refuses `patches/w-1.yaml` on host `w-1`: error: something is wrong" in done.err


def test_a_talosctl_that_hangs_is_given_up_soon(lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "talosctl").write_text("#!/bin/sh\nexec sleep 60\n")
    (tmp_path / "talosctl").chmod(0o755)
    cluster, _ = read_cluster(lab.read_bytes(), "lab.yaml")
    assert cluster is not None
    monkeypatch.setattr("groundswell.talos_client.validate._PROBE", 0.1)
    talosctl = Talosctl(str(tmp_path / "talosctl"))
    judged, (finding,) = validate(talosctl, cluster, {}, None, asked=False)
    assert (judged, finding.severity) == (None, Severity.WARNING)
    assert "no answer within 0.1 seconds" in finding.message


def test_a_base_that_is_no_yaml_is_said_without_what_is_in_it(machines: Recorded, lab: Path, tmp_path: Path) -> None:
    base = tmp_path / "mine.yaml"
    base.write_text(BASE + 'cluster: "\n')
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--base", base, env=machines.env)
    assert done.code == 1
    assert f"error[T363]: `{base}` is no YAML, see line " in done.err
    assert not [secret for secret in SECRETS if secret in done.err]


def test_options_that_nothing_reads_are_errors(lab: Path, tmp_path: Path) -> None:
    done = groundswell("talos", "render", lab, "-o", tmp_path / "out", "--base", tmp_path, "--no-validate")
    assert done.code == 2
    query = ("--service", "metal", "--os", "talos")
    for option in ("--validate", "--no-validate", f"--base={tmp_path}"):
        done = groundswell("bundle", *query, "-o", tmp_path / "out", option)
        assert (done.code, f"`{option.partition('=')[0]}` without --cluster" in done.err) == (1, True)


def test_the_problems_of_a_nested_list_are_told_one_by_one() -> None:
    assert problems(TWO_ERRORS) == (
        'kubelet configuration field "port" can\'t be overridden',
        'invalid machine node labels: name "a b" is invalid',
    )
    assert problems("open x: no such file\n") == ("open x: no such file",)
    assert problems(UNKNOWN_KEY)[0].endswith("decoding: machine: foo: s3cr3t-of-the-base")


def test_what_the_patch_says_itself_is_no_secret_of_the_base() -> None:
    shown = without_secrets("`abcdef.0123456789abcdef` and `c2VjcmV...`", BASE.encode(), b"x: abcdef.0123456789abcdef")
    assert shown == "`abcdef.0123456789abcdef` and `…`"


REAL = shutil.which("talosctl")


@pytest.mark.skipif(REAL is None, reason="there is no talosctl on PATH")
def test_a_real_talosctl_takes_the_patches_of_its_own_version(tmp_path: Path) -> None:
    said = subprocess.run(["talosctl", "version", "--client", "--short"], capture_output=True, check=True, text=True)
    found = re.search(r"v[0-9]+\.[0-9]+\.[0-9]+", said.stdout)
    assert found
    path = tmp_path / "lab.yaml"
    path.write_text(text(HOSTS, version=found[0], talos="podSecurityExemptions: [store]"))
    done = groundswell("talos", "render", path, "-o", tmp_path / "out", "--validate", env=dict(os.environ))
    assert done.code == 0, done.err
    assert "on a generated configuration: cp-1, w-1" in done.err
    assert "patches/w-1.yaml" in tree(tmp_path / "out")
    bad = tmp_path / "worker.yaml"
    bad.write_text(f"{BASE}no-such-key: 1\n")
    done = groundswell("talos", "render", path, "-o", tmp_path / "out", "--base", bad, env=dict(os.environ))
    assert (done.code, "T362" in done.err) == (1, True)
