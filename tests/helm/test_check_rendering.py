"""That what is judged is what will run: the same each time, for the target's APIs, by the Helm that the user has."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from groundswell.check.helm import Running
from groundswell.check.helm_release import helm_meanwhile
from helm.check_site import CHARTS, copy_chart, findings, write_catalog
from helm.test_check_charts import Repository
from helm_binaries import helm_binaries

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.helm

CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  t: {}\n"


@pytest.fixture(params=["3", "4"])
def helm(request: pytest.FixtureRequest) -> Path:
    return helm_binaries()[request.param]


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def chart(root: Path, template: str, values: str = "") -> tuple[Path, Path]:
    """A catalog with one chart that has one template, and the directory of the chart."""
    folder = root / "charts" / "agent"
    (folder / "templates").mkdir(parents=True, exist_ok=True)
    (folder / "Chart.yaml").write_text("apiVersion: v2\nname: agent\nversion: 1.0.0\n")
    (folder / "values.yaml").write_text(values)
    (folder / "templates" / "a.yaml").write_text(template)
    return write_catalog(root / "catalog", {"agent": ""}), root / "charts"


def codes(root: Path, helm: Path, template: str, *options: str, values: str = "") -> list[str]:
    catalog, charts = chart(root, template, values)
    return [item["code"] for item in findings(catalog, helm, *options, charts=charts)]


def stub(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


MAP = "m: {a: {x: 1}, b: {x: 2}}\non: false\nepoch: 1700000000\nday: '2020-01-02'\n"
ESCAPED = 'e: "{{ now | date \\"2006\\" }}"\n'
DIFFERS = {
    "time": '{{ now | date "2006" | quote }}',
    "order": '{{ keys .Values.m | join "-" }}',
    "values": '"{{ range values .Values.m }}{{ .x }}{{ end }}"',
    "number": '"{{ randInt 0 2 }}"',
    "count": '"{{ range until (randInt 1 3) }}x{{ end }}"',
    "unix": "{{ now.Unix | quote }}",
    "zone": '{{ now.UTC.Format "2006" | quote }}',
    "raw": '{{ tpl `{{ keys .Values.m | join "," }}` . | quote }}',
    "escaped": "{{ tpl .Values.e . | quote }}",
    "letters": '{{ shuffle "aa" }}',
    "text": "{{ tpl .Values.t . | quote }}",
    "string": "{{ randAlphaNum 9 }}",
    "condition": "{{ eq (randInt 0 2) 1 | quote }}",
    "day": '{{ .Values.day | date "2006" | quote }}',
    "decimal": '{{ date "2006" .Values.epoch | quote }}',
    "nothing": '{{ dateInZone "2006" .Release.Time "UTC" | quote }}',
    "old": '{{ date_in_zone "2006" "" "UTC" | quote }}',
    "html": '{{ htmlDate "" | quote }}',
    "html-zone": '{{ tpl `{{ htmlDateInZone "" "UTC" }}` . | quote }}',
    "since": '{{ toDate "2006" "2020" | durationRound | quote }}',
}
SAME = {
    "sorted": '{{ keys .Values.m | sortAlpha | join "-" }}',
    "later": '{{ $k := keys .Values.m }}{{ sortAlpha $k | join "-" }}',
    "length": '"{{ keys .Values.m | len }} {{ values .Values.m | len }}"',
    "tested": '"{{ if gt (now | unixEpoch | int) 5 }}x{{ end }}"',
    "file": '{{ .Files.Get "data/now.txt" | quote }}',
    "braces": "{{ `{{ now }}` | quote }}",
    "member": '"{{ has `a` (keys .Values.m) }}"',
    "read": '{{ toDate "2006" "2026" | date "2006" | quote }}',
    "whole": '"{{ date `2006` (int64 .Values.epoch) }} {{ htmlDate (int 0) }} {{ htmlDateInZone (int 0) `UTC` }}"',
    "there": '{{ dateInZone "15:04" (toDate "2006" "2026") "Asia/Tokyo" | quote }}',
    "hours": '"{{ durationRound `2h10m` }} {{ durationRound (int64 7300000000000) }}"',
}
TIMES = [DIFFERS[name] for name in ("day", "nothing", "old", "html", "html-zone", "since")]


def config(name: str, printed: str) -> str:
    return "---\n" + CONFIG.format(printed).replace("name: c", f"name: {name}")


def test_what_can_differ_is_an_error_whatever_this_second_brings_and_nothing_else_is(
    tmp_path: Path, helm: Path
) -> None:
    template = "".join(config(name, printed) for name, printed in (DIFFERS | SAME).items())
    guarded = "".join(config(f"off-{name}", printed) for name, printed in DIFFERS.items())
    template += "{{ if .Values.on }}\n" + guarded + "{{ end }}\n"
    catalog, charts = chart(tmp_path, template, MAP + 't: "{{ now | date `2006` }}"\n' + ESCAPED)
    (charts / "agent" / "data").mkdir()
    (charts / "agent" / "data" / "now.txt").write_text("{{ now }} {{ keys .x }}")
    found = findings(catalog, helm, charts=charts)
    assert {item["code"] for item in found} == {"K501"}
    assert {item["message"].split("`")[1] for item in found} == {f"ConfigMap agent/{name}" for name in DIFFERS}


@pytest.mark.parametrize("printed", [DIFFERS["time"], DIFFERS["number"], DIFFERS["order"], DIFFERS["string"], *TIMES])
def test_one_such_function_is_enough(tmp_path: Path, printed: str) -> None:
    assert codes(tmp_path, helm_binaries()["4"], CONFIG.format(printed), values=MAP) == ["K501"]


@pytest.mark.parametrize("printed", [DIFFERS["time"], DIFFERS["order"], DIFFERS["string"]])
def test_definitions_of_a_chart_are_the_same_however_it_is_rendered_again(
    tmp_path: Path, helm: Path, printed: str
) -> None:
    reads = CONFIG.replace("name: c", "name: read").format('{{ .Files.Get "crds/widgets.yaml" | quote }}')
    catalog, charts = chart(tmp_path, f"{CONFIG.format(printed)}---\n{reads}", MAP)
    definitions = charts / "agent" / "crds"
    definitions.mkdir()
    definitions.joinpath("widgets.yaml").write_text((CHARTS / "widgets" / "crds" / "widgets.yaml").read_text())
    (found,) = findings(catalog, helm, charts=charts)
    assert found["code"] == "K501"
    assert "`ConfigMap agent/c`" in found["message"]


def test_what_a_chart_tells_helm_to_ignore_is_not_rendered_with_functions_replaced_either(
    tmp_path: Path, helm: Path
) -> None:
    catalog, charts = chart(tmp_path, CONFIG.format("x"), MAP)
    (charts / "agent" / ".helmignore").write_text("templates/old.yaml\n")
    old = CONFIG.replace("name: c", "name: old").format(DIFFERS["time"])
    (charts / "agent" / "templates" / "old.yaml").write_text(old)
    assert findings(catalog, helm, charts=charts) == []


def test_a_chart_that_does_not_bear_functions_replaced_is_told_by_its_text(tmp_path: Path, helm: Path) -> None:
    fails = '{{ if lt (now | date "2006" | int) 2020 }}{{ fail "it is late" }}{{ end }}'
    assert codes(tmp_path, helm, CONFIG.format("x") + fails) == ["K502"]
    assert sorted(codes(tmp_path, helm, CONFIG.format("{{ uuidv4 }}") + fails)) == ["K501", "K502"]


RUNS = '{{ define "run" }}{{ printf "{{ %s }}" . }}{{ end }}'


@pytest.mark.parametrize(
    "template",
    [
        '{{ $open := print "{" "{" }}{{ $t := print $open "now.Year }}" }}{{ tpl $t . | quote }}',
        '{{ $open := "{{" }}{{ tpl (print $open "now.Year }}") . | quote }}',
        '{{ tpl (print "{{ now.Year" " }}") . | quote }}',
        '{{ tpl (include "run" "now.Year") . | quote }}',
        '{{ tpl (include "text" .) . | quote }}',
    ],
)
def test_a_template_that_is_put_together_runs_and_is_undecided(tmp_path: Path, helm: Path, template: str) -> None:
    catalog, charts = chart(tmp_path, CONFIG.format(template))
    helpers = RUNS + '{{ define "text" }}{{ "{{ now.Year }}" }}{{ end }}'
    (charts / "agent" / "templates" / "_helpers.tpl").write_text(helpers)
    printed = subprocess.run([helm, "template", charts / "agent"], check=True, capture_output=True, text=True).stdout
    assert re.search(r"\b20\d\d\b", printed)
    assert [item["code"] for item in findings(catalog, helm, charts=charts)] == ["K502"]


def test_a_name_that_is_random_is_in_no_finding(tmp_path: Path, helm: Path) -> None:
    catalog, charts = chart(tmp_path, CONFIG.format("x").replace("name: c", "name: c-{{ randAlpha 9 | lower }}"))
    (found,) = findings(catalog, helm, charts=charts)
    assert found["message"].startswith("`ConfigMap of agent/templates/a.yaml` of `")


ASKS = """\
{{- if .Capabilities.APIVersions.Has "resource.k8s.io/v1/DeviceClass" }}
apiVersion: resource.k8s.io/v1
{{- else }}
apiVersion: resource.k8s.io/v1beta1
{{- end }}
kind: DeviceClass
metadata: {name: gpu}
spec: {selectors: []}
"""


def test_a_chart_is_told_the_apis_of_the_target_whatever_helm_knows_itself(tmp_path: Path, helm: Path) -> None:
    assert codes(tmp_path, helm, ASKS, "--kube-version", "1.37") == []
    assert codes(tmp_path, helm, ASKS, "--kube-version", "1.33") == ["K203"]


@pytest.mark.parametrize(
    "asks",
    [
        '{{ @.Has "charts.test/v1" }}',
        "{{ @.Has `charts.test/v1` }}",
        '{{ (@).Has "charts.test/v1" }}',
        '{{ has "charts.test/v1" @ }}',
        '{{ "charts.test/v1/Widget" | @.Has }}',
        '{{ @.Has (printf "%s/v1" "charts.test") }}',
        '{{ $a := @ }}{{ $a.Has "charts.test/v1" }}',
        '{{ define "h" }}{{ (first .).Has (last .) }}{{ end }}{{ include "h" (list @ "charts.test/v1") }}',
        '{{ @.Has (print "other.test/v1") }}',
    ],
)
def test_an_api_that_comes_later_is_found_however_a_chart_asks_for_it(tmp_path: Path, asks: str) -> None:
    helm = helm_binaries()["4"]
    asking = asks.replace("@", ".Capabilities.APIVersions")
    _, charts = chart(tmp_path / "own", CONFIG.format(f"'{asking}'"))
    shutil.copytree(CHARTS / "widgets", charts / "widgets")
    catalog = write_catalog(tmp_path / "both", {"agent": "", "widgets": ""})
    found = [(item["code"], item["help"]) for item in findings(catalog, helm, charts=charts)]
    assert found == ([] if "other" in asks else [("K305", "add to `agent`: `dependencyRefs: [widgets]`")])


def test_what_helm_takes_for_served_and_the_target_does_not_serve_is_told(tmp_path: Path, helm: Path) -> None:
    asks = CONFIG.format('"{{ .Capabilities.APIVersions.Has "%s" }}"')
    assert codes(tmp_path, helm, asks % "extensions/v1beta1") == ["K208"]
    assert codes(tmp_path, helm, asks % "example.test/v1") == []
    assert codes(tmp_path, helm, asks % "batch/v1/CronJob") == []


def test_a_linked_folder_of_a_chart_counts_for_the_cache(tmp_path: Path) -> None:
    helm = helm_binaries()["4"]
    catalog, charts = chart(tmp_path, CONFIG.format("n1"))
    templates = (charts / "agent" / "templates").rename(tmp_path / "templates")
    (charts / "agent" / "templates").symlink_to(templates)
    assert findings(catalog, helm, charts=charts) == []
    (templates / "a.yaml").write_text(CONFIG.format("{{ uuidv4 }}"))
    assert [item["code"] for item in findings(catalog, helm, charts=charts)] == ["K501"]


def test_the_binary_is_run_under_the_name_by_which_it_was_found(tmp_path: Path, helm: Path) -> None:
    """Some package managers link every program to one binary, which looks at its own name."""
    shared = stub(tmp_path / "all" / "dispatch", f'[ "${{0##*/}}" = helm ] && exec {helm} "$@"; exit 64')
    link = tmp_path / "bin" / "helm"
    link.parent.mkdir()
    link.symlink_to(shared)
    catalog, charts = chart(tmp_path, CONFIG.format("n1"))
    assert findings(catalog, link, charts=charts) == []


def test_behind_a_script_another_helm_is_noticed(tmp_path: Path) -> None:
    identities = []
    for major in ("3", "4", "3"):
        script = stub(tmp_path / "helm", 'exec "$(dirname "$0")/real" "$@"')
        real = tmp_path / "real"
        real.unlink(missing_ok=True)
        real.symlink_to(helm_binaries()[major])
        os.utime(script, (1, 1))
        with helm_meanwhile({**os.environ, "GROUNDSWELL_HELM": str(script)}, Running()) as answer:
            found, problems = answer()
        assert not problems
        assert found is not None
        identities.append(found.identity)
    assert identities[0] == identities[2] != identities[1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("exec {helm} \"$@\" | sed -E 's/v[34][.0-9]+/v3.16.2/'", "it is Helm 3.16.2, and Helm 3.17 or later"),
        ("exec {helm} \"$@\" | sed -E 's/v[34][.0-9]+/v4.1.0/'", "it is Helm 4.1.0, and"),
        ("exit 0", "it is not Helm 3.17 or later"),
        ("echo 'Error: unknown command' >&2; exit 1", "unknown command"),
    ],
)
def test_a_helm_that_is_too_old_or_none_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    helm = helm_binaries()["4"]
    catalog, charts = chart(tmp_path, CONFIG.format("n1"))
    (found,) = findings(catalog, stub(tmp_path / "old", text.format(helm=helm)), charts=charts)
    assert found["code"] == "K101"
    assert said in found["message"]
    assert "3.17" in found["help"]


@pytest.mark.parametrize("text", ["exec {helm} \"$@\" | sed -E 's/v[34][.0-9]+/v3.17/'", 'exec {helm} "$@"'])
def test_a_helm_that_somebody_built_is_taken(tmp_path: Path, text: str) -> None:
    helm = helm_binaries()["4"]
    catalog, charts = chart(tmp_path, CONFIG.format("n1"))
    assert findings(catalog, stub(tmp_path / "mine", text.format(helm=helm)), charts=charts) == []


@pytest.mark.parametrize(("end_by", "status"), [(signal.SIGINT, 1), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
@pytest.mark.parametrize("answers", [False, True])
def test_what_ends_a_run_ends_helm_and_what_it_started_at_once(
    tmp_path: Path, helm: Path, end_by: signal.Signals, status: int, *, answers: bool
) -> None:
    catalog, charts = chart(tmp_path, CONFIG.format("n1"))
    started = tmp_path / "started"
    answer = f'[ "$2" = about ] && exec {helm} "$@"; ' if answers else ""
    hanging = stub(tmp_path / "hang", f"{answer}sleep 60 & echo $! >{started}; wait")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    words = ["check", "--catalog", str(catalog), "--service", "small", "--charts", str(charts)]
    process = subprocess.Popen(
        [sys.executable, "-m", "groundswell", *words],
        env={**os.environ, "GROUNDSWELL_HELM": str(hanging), "TMPDIR": str(scratch)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + 20
    while not (started.exists() and started.read_text().strip()) and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(end_by)
    assert process.wait(timeout=10) == status
    assert list(scratch.iterdir()) == []
    sleeping = int(started.read_text())
    while _runs(sleeping) and time.monotonic() < end:
        time.sleep(0.02)
    assert not _runs(sleeping)


def _runs(number: int) -> bool:
    """Whether a process is at work. One that nobody waited for still has its number."""
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(number)], capture_output=True, text=True, check=False)
    return done.stdout.strip()[:1] not in {"", "Z"}


def test_a_faulty_archive_is_told_in_one_line(tmp_path: Path) -> None:
    helm = helm_binaries()["4"]
    catalog, charts = chart(tmp_path, CONFIG.format("n1"))
    (charts / "agent-1.0.0.tgz").write_bytes(b"<html>")
    (found,) = findings(catalog, helm, charts=charts)
    assert found["code"] == "K102"
    assert found["message"].endswith("agent-1.0.0.tgz`: not a gzip file")


@pytest.mark.parametrize(("old", "new"), [("name: agent", "name: other"), ("version: 1.0.0", "version: 1.0.1")])
def test_an_archive_is_what_stands_in_it_and_not_what_it_is_called(tmp_path: Path, old: str, new: str) -> None:
    helm = helm_binaries()["4"]
    catalog, charts = chart(tmp_path, CONFIG.format("n1"))
    about = charts / "agent" / "Chart.yaml"
    about.write_text(about.read_text().replace(old, new))
    subprocess.run([helm, "package", charts / "agent", "--destination", tmp_path], check=True, capture_output=True)
    (packed,) = tmp_path.glob("*.tgz")
    packed.rename(charts / "agent-1.0.0.tgz")
    lock = tmp_path / "charts.lock"
    (found,) = findings(catalog, helm, "--lock", str(lock), charts=charts)
    assert found["code"] == "K102"
    assert "agent-1.0.0.tgz` holds `" in found["message"]
    assert not lock.exists()
    (charts / "agent-1.0.0.tgz").unlink()
    assert [item["code"] for item in findings(catalog, helm, charts=charts)] == ["K102"]


def test_a_local_chart_of_manifests_is_looked_at_in_the_same_way(tmp_path: Path, helm: Path) -> None:
    catalog, charts = chart(tmp_path, CONFIG.format("n1"))
    write_catalog(catalog, {"agent": "manifestFiles: [components/agent/manifests/m.yaml]\n"})
    manifest = catalog / "components" / "agent" / "manifests" / "m.yaml"
    manifest.parent.mkdir()
    manifest.write_text(CONFIG.format('"{{ now | date "2006" }}"').replace("name: c", "name: m"))
    (found,) = findings(catalog, helm, charts=charts)
    assert found["code"] == "K501"
    assert "`ConfigMap agent/m`" in found["message"]


def test_a_schema_on_the_network_needs_leave_and_then_works(
    tmp_path: Path, helm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = tmp_path / "http:" / "schemas.example.test" / "values.json"  # how a proxy is asked
    schema.parent.mkdir(parents=True)
    schema.write_text('{"properties": {"image": {"type": "string"}}}')
    proxy = Repository(tmp_path)
    for name in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, proxy.url)
    charts = tmp_path / "charts"
    folder = copy_chart("agent", charts)
    (folder / "values.schema.json").write_text('{"$ref": "http://schemas.example.test/values.json"}')
    catalog = write_catalog(tmp_path / "catalog", {"agent": ""})
    (found,) = findings(catalog, helm, charts=charts)
    assert (found["code"], "--pull" in found["help"]) == ("K107", True)
    assert proxy.seen == []
    assert findings(catalog, helm, "--pull", charts=charts) == []
    proxy.close()
    assert proxy.seen == ["http://schemas.example.test/values.json"]
    assert findings(catalog, helm, charts=charts) == [], "it is kept"
