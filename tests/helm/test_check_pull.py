"""Charts from repositories and registries as they really are: over TLS, with a login, changed, or not to be reached."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, NamedTuple

import pytest

from helm.chart_servers import (
    PASSWORD,
    ChartServer,
    add_repository,
    helm_home,
    log_in_to_registry,
    make_certificates,
)
from helm.check_site import archives, copy_chart, findings, run_check, write_catalog
from helm_binaries import helm_binaries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.helm

KINDS = ("repository", "registry")


class Shared(NamedTuple):
    """The chart, and the certificates of all servers."""

    archive: Path
    ca: Path
    pair: Path


class Site:
    """A user with a Helm, a catalog with one chart, and the server that has it."""

    def __init__(self, root: Path, major: str, shared: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.major, self.helm = root, major, helm_binaries()[major]
        self.archive, self._pair = shared.archive, shared.pair
        self.environment = {**helm_home(root / "home", shared.ca), "XDG_CACHE_HOME": str(root / "cache")}
        for name, value in self.environment.items():
            monkeypatch.setenv(name, value)
        self.lock = root / "charts.lock"
        self.servers: list[ChartServer] = []

    def serve(self, kind: str, *, private: bool = False) -> ChartServer:
        """A server with the chart. Helm 3 speaks to registries on the loopback interface without TLS, always."""
        plain = kind == "registry" and self.major == "3"
        server = ChartServer(None if plain else self._pair, private=private)
        self.servers.append(server)
        self.url = self.publish(server, kind, self.archive)
        self.catalog = write_catalog(self.root / "catalog", {"agent": ""}, self.url)
        return server

    def publish(self, server: ChartServer, kind: str, archive: Path) -> str:
        return server.add_to_registry(archive) if kind == "registry" else server.add_to_repository(archive)

    def check(self, *options: str | Path) -> list[tuple[str, str]]:
        """Code and message of each finding; all have a place."""
        found = findings(self.catalog, self.helm, *options, charts=None)
        assert all(item["file"].endswith("component.yaml") and item["line"] for item in found), found
        return [(item["code"], item["message"]) for item in found]

    def forget(self) -> None:
        """Empty the cache."""
        for path in (self.root / "cache" / "groundswell").glob("charts*/*"):
            path.unlink()

    def repack(self) -> Path:
        """The same version with other bytes."""
        chart = copy_chart("agent", self.root / "changed")
        (chart / "values.yaml").write_text((chart / "values.yaml").read_text() + "# changed\n")
        target = self.root / "repacked"
        subprocess.run([self.helm, "package", chart, "--destination", target], check=True, capture_output=True)
        return target / self.archive.name


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    root, helm = tmp_path_factory.mktemp("shared"), helm_binaries()["4"]
    return Shared(archives(root / "archives", helm) / "agent-1.0.0.tgz", *make_certificates(root, helm))


@pytest.fixture(params=["3", "4"])
def site(
    request: pytest.FixtureRequest, tmp_path: Path, shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Site]:
    found = Site(tmp_path, request.param, shared, monkeypatch)
    yield found
    for server in found.servers:
        server.close()


LOG_IN: dict[str, Callable[[Site, ChartServer], None]] = {
    "registry": lambda site, server: log_in_to_registry(site.environment, site.helm, server),
    "repository": lambda site, _: add_repository(site.environment, site.helm, site.url),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_chart_is_pulled_when_that_is_allowed_and_kept_by_its_digest(site: Site, kind: str) -> None:
    server = site.serve(kind)
    ((code, message),) = site.check()
    assert code == "K102"
    assert site.url in message
    assert server.seen == []
    assert site.check("--pull") == []
    asked = len(server.seen)
    assert asked > 0
    assert site.check("--pull") == site.check() == []
    assert len(server.seen) == asked


@pytest.mark.parametrize("kind", KINDS)
def test_the_lock_refuses_what_a_repository_serves_now_under_the_same_version(site: Site, kind: str) -> None:
    server = site.serve(kind)
    assert site.check("--pull", "--lock", site.lock) == []
    text = site.lock.read_text()
    site.publish(server, kind, site.repack())
    assert site.check("--pull", "--lock", site.lock, "--locked") == []  # the cache has the locked bytes
    site.forget()
    for options in (("--locked",), ()):
        ((code, _),) = site.check("--pull", "--lock", site.lock, *options)
        assert code == "K104"
    assert site.lock.read_text() == text
    assert site.check("--pull") == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_login_that_helm_keeps_is_used_and_nothing_of_it_shown(site: Site, kind: str) -> None:
    server = site.serve(kind, private=True)
    done = run_check(site.catalog, site.helm, "--pull", charts=None)
    assert done.code == 1
    assert "error[K103]" in done.out
    assert "helm registry login" in done.out or "helm repo add" in done.out
    LOG_IN[kind](site, server)
    asked = len(server.seen)
    done = run_check(site.catalog, site.helm, "--pull", "--lock", site.lock, charts=None)
    assert done.code == 0, done.out
    assert len(server.seen) > asked
    assert PASSWORD not in done.out + done.err + site.lock.read_text()


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_that_lacks_the_chart_or_is_not_there_is_an_error_with_a_reason(site: Site, kind: str) -> None:
    server = site.serve(kind)
    server.files.clear()
    ((code, message),) = site.check("--pull")
    assert code == "K103"
    assert "404" in message or "not found" in message
    server.close()
    site.servers.clear()
    ((code, message),) = site.check("--pull")
    assert code == "K103"
    assert "refused" in message


def test_a_server_that_the_user_does_not_trust_is_an_error(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    server = site.serve("repository")
    monkeypatch.delenv("SSL_CERT_FILE")
    ((code, message),) = site.check("--pull")
    assert code == "K103"
    assert "certificate" in message
    assert server.seen == []


def test_a_version_with_a_digest_belongs_into_the_lock_file(site: Site) -> None:
    site.serve("registry")
    component = site.catalog / "components" / "agent" / "component.yaml"
    pinned = f"version: 1.0.0@sha256:{'a' * 64}"
    component.write_text(component.read_text().replace("version: 1.0.0", pinned))
    ((code, message),) = site.check("--pull")
    assert code == "M104"
    assert "sha256:aaaa" in message


def test_a_name_of_an_added_repository_does_not_count_for_another_url(site: Site) -> None:
    server = site.serve("repository")
    other = site.serve("repository", private=True)
    add_repository(site.environment, site.helm, site.url)
    other.seen.clear()
    write_catalog(site.root / "catalog", {"agent": ""}, f"https://{server.host}/charts")
    assert site.check("--pull") == []
    assert other.seen == []


@pytest.mark.parametrize(("line", "other"), [("name: agent", "name: other"), ("version: 1.0.0", "version: 2.0.0")])
def test_the_archive_of_another_chart_or_version_is_refused_and_not_kept(site: Site, line: str, other: str) -> None:
    server = site.serve("repository")
    chart = copy_chart("agent", site.root / "changed")
    (chart / "Chart.yaml").write_text((chart / "Chart.yaml").read_text().replace(line, other))
    subprocess.run([site.helm, "package", chart, "--destination", site.root], check=True, capture_output=True)
    (archive,) = site.root.glob("*.tgz")
    server.files[f"/charts/{site.archive.name}"] = ("application/gzip", archive.read_bytes())
    assert [code for code, _ in site.check("--pull", "--lock", site.lock)] == ["K103"]
    assert not site.lock.exists()
    assert not list((site.root / "cache").rglob("*.tgz"))


def test_a_registry_may_keep_a_chart_under_another_name_than_its_own(site: Site) -> None:
    """As some publishers do: `oci://registry/charts/agent` has the chart `other`. Only its version has to be right."""
    server = site.serve("registry")
    server.files.clear()
    chart = copy_chart("agent", site.root / "changed")
    (chart / "Chart.yaml").write_text((chart / "Chart.yaml").read_text().replace("name: agent", "name: other"))
    subprocess.run([site.helm, "package", chart, "--destination", site.root], check=True, capture_output=True)
    server.add_to_registry(site.root / "other-1.0.0.tgz")
    for path in list(server.files):
        server.files[path.replace("/charts/other/", "/charts/agent/")] = server.files[path]
    assert site.check("--pull", "--lock", site.lock) == []
    assert "/v2/charts/agent/manifests/1.0.0" in server.seen
    assert not any("/charts/other/" in path for path in server.seen)
    asked = len(server.seen)
    assert site.check("--pull", "--lock", site.lock, "--locked") == []
    assert len(server.seen) == asked
    given = site.root / "given"
    given.mkdir()
    (given / "agent-1.0.0.tgz").write_bytes((site.root / "other-1.0.0.tgz").read_bytes())
    site.forget()
    assert site.check("--charts", given) == []
