"""Where `groundswell check` takes charts from: archives, the cache, a repository; and the lock over them."""

from __future__ import annotations

import functools
import http.server
import re
import subprocess
import threading
from typing import TYPE_CHECKING, Any

import pytest

from helm.check_site import archives, copy_chart, findings, write_catalog
from helm_binaries import helm_binaries

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.helm


@pytest.fixture(scope="module")
def helm() -> Path:
    return helm_binaries()["4"]


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a directory and counts."""

    seen: list[str] = []  # noqa: RUF012  each repository has a class of its own

    def do_GET(self) -> None:
        self.seen.append(self.path)
        super().do_GET()

    def log_message(self, *_: Any) -> None:
        """Nothing on stderr."""


class Repository:
    """A chart repository on this machine."""

    def __init__(self, directory: Path) -> None:
        self.seen: list[str] = []
        handler = type("Handler", (_Handler,), {"seen": self.seen})
        self._server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(handler, directory=str(directory))
        )
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def repository(tmp_path: Path, helm: Path) -> Iterator[Repository]:
    directory = archives(tmp_path / "repository", helm)
    served = Repository(directory)
    subprocess.run([helm, "repo", "index", directory, "--url", served.url], check=True, capture_output=True)
    yield served
    served.close()


def codes(found: list[dict[str, Any]]) -> list[str]:
    return [item["code"] for item in found]


def test_the_network_is_used_only_when_allowed_and_then_once(
    tmp_path: Path, helm: Path, repository: Repository
) -> None:
    catalog = write_catalog(tmp_path / "catalog", {"agent": ""}, repository.url)
    assert codes(findings(catalog, helm, charts=None)) == ["K102"]
    assert repository.seen == []
    assert findings(catalog, helm, "--pull", charts=None) == []
    assert any("agent-1.0.0.tgz" in path for path in repository.seen)
    repository.close()
    assert findings(catalog, helm, charts=None) == []
    assert findings(catalog, helm, "--pull", charts=None) == []


def test_a_repository_without_the_chart_is_an_error(tmp_path: Path, helm: Path, repository: Repository) -> None:
    catalog = write_catalog(tmp_path / "catalog", {"other": ""}, repository.url)
    assert codes(findings(catalog, helm, "--pull", charts=None)) == ["K103"]


def test_what_is_no_chart_is_kept_nowhere(tmp_path: Path, helm: Path, repository: Repository) -> None:
    """A repository behind a login page serves that page for every archive."""
    archive = tmp_path / "repository" / "agent-1.0.0.tgz"
    whole = archive.read_bytes()
    lock = tmp_path / "charts.lock"
    catalog = write_catalog(tmp_path / "catalog", {"agent": ""}, repository.url)
    for served in (b"<html>log in first</html>", whole[: len(whole) // 2]):
        archive.write_bytes(served)
        (found,) = findings(catalog, helm, "--pull", "--lock", lock, charts=None)
        assert found["code"] == "K103"
        assert repository.url in found["message"]
        assert not lock.exists()
        assert not list((tmp_path / "cache" / "groundswell").glob("charts*/*"))
    archive.write_bytes(whole)
    assert findings(catalog, helm, "--pull", "--lock", lock, charts=None) == []
    assert lock.exists()


def test_an_archive_that_is_not_rendered_is_not_locked(tmp_path: Path, helm: Path) -> None:
    directory = archives(tmp_path / "archives", helm)
    (directory / "labels-1.0.0.tgz").write_bytes(b"broken")
    catalog = write_catalog(tmp_path / "catalog", {"agent": "", "labels": ""})
    lock = tmp_path / "charts.lock"
    assert codes(findings(catalog, helm, "--lock", lock, charts=directory)) == ["K102"]
    assert "agent" in lock.read_text()
    assert "labels" not in lock.read_text()


def test_the_lock_keeps_digests_and_notices_other_bytes(tmp_path: Path, helm: Path) -> None:
    catalog = write_catalog(tmp_path / "catalog", {"agent": "", "labels": ""})
    directory = archives(tmp_path / "archives", helm)
    lock = tmp_path / "charts.lock"
    assert findings(catalog, helm, "--lock", lock, charts=directory) == []
    text = lock.read_text()
    assert len(re.findall(r"sha256: \"?[0-9a-f]{64}", text)) == 2
    assert findings(catalog, helm, "--lock", lock, "--locked", charts=directory) == []
    chart = copy_chart("agent", tmp_path / "changed")
    (chart / "values.yaml").write_text((chart / "values.yaml").read_text() + "# changed\n")
    subprocess.run([helm, "package", chart, "--destination", directory], check=True, capture_output=True)
    for options in (("--lock", lock), ("--lock", lock, "--locked")):
        (found,) = findings(catalog, helm, *options, charts=directory)
        assert found["code"] == "K104"
        assert found["related"][0]["file"].endswith("charts.lock")
    assert lock.read_text() == text


def test_a_cached_archive_with_the_digest_of_the_lock_wins(tmp_path: Path, helm: Path, repository: Repository) -> None:
    catalog = write_catalog(tmp_path / "catalog", {"agent": ""}, repository.url)
    lock = tmp_path / "charts.lock"
    assert findings(catalog, helm, "--pull", "--lock", lock, charts=None) == []
    (cached,) = (tmp_path / "cache" / "groundswell" / "charts").glob("*.tgz")
    cached.write_bytes(b"broken")
    assert codes(findings(catalog, helm, "--lock", lock, "--locked", charts=None)) == ["K102"]


def test_locked_refuses_what_is_not_listed(tmp_path: Path, helm: Path) -> None:
    directory = archives(tmp_path / "archives", helm)
    lock = tmp_path / "charts.lock"
    catalog = write_catalog(tmp_path / "catalog", {"agent": ""})
    assert codes(findings(catalog, helm, "--lock", lock, "--locked", charts=directory)) == ["K106"]
    assert findings(catalog, helm, "--lock", lock, charts=directory) == []
    write_catalog(tmp_path / "catalog", {"agent": "", "labels": ""})
    assert codes(findings(catalog, helm, "--lock", lock, "--locked", charts=directory)) == ["K105"]
    lock.write_text("kind: Other\n")
    assert codes(findings(catalog, helm, "--lock", lock, charts=directory)) == ["K106"]


def test_a_folder_cannot_be_locked(tmp_path: Path, helm: Path) -> None:
    catalog = write_catalog(tmp_path / "catalog", {"agent": ""})
    lock = tmp_path / "charts.lock"
    assert findings(catalog, helm, "--lock", lock) == []
    assert not lock.exists()
    lock.write_text(
        "apiVersion: groundswell.dev/v1alpha1\nkind: ChartLock\nmetadata: {name: charts}\nspec: {charts: []}\n"
    )
    assert codes(findings(catalog, helm, "--lock", lock, "--locked")) == ["K105"]


def test_a_schema_that_refers_to_the_network_is_not_followed(
    tmp_path: Path, helm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = Repository(tmp_path)
    for name in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, served.url)
    chart = copy_chart("agent", tmp_path / "charts")
    (chart / "values.schema.json").write_text('{"$ref": "http://schemas.example.test/values.json"}')
    catalog = write_catalog(tmp_path / "catalog", {"agent": ""})
    assert codes(findings(catalog, helm, charts=tmp_path / "charts")) == ["K107"]
    served.close()
    assert served.seen == []


def test_a_subchart_in_an_archive_is_looked_into(tmp_path: Path, helm: Path) -> None:
    parent = copy_chart("agent", tmp_path / "charts")
    (parent / "charts").mkdir()
    inner = copy_chart("password", tmp_path / "inner")
    subprocess.run([helm, "package", inner, "--destination", parent / "charts"], check=True, capture_output=True)
    catalog = write_catalog(tmp_path / "catalog", {"agent": ""})
    (found,) = findings(catalog, helm, charts=tmp_path / "charts")
    assert found["code"] == "K501"
    assert "`password.existingSecret`" in found["help"]
