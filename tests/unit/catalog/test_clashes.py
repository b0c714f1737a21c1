"""What fails in some query is found without asking all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import event, given, settings

from catalog_kit import resolve_in, texts
from command import groundswell
from groundswell.catalog.clashes import clashes
from groundswell.catalog.files import SHIPPED, CatalogFiles, Layer, read_files, shipped_root
from groundswell.catalog.load import load
from groundswell.diagnostics.diagnostic import Severity
from unit.catalog.test_shadowed import QUERIES, catalogs

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from groundswell.diagnostics.diagnostic import Diagnostic

COVERAGE = {"R101", "R102", "R103"}


def told(findings: Iterable[Diagnostic]) -> set[tuple[object, ...]]:
    return {
        (finding.code, finding.span, finding.related)
        for finding in findings
        if finding.severity is Severity.ERROR and finding.code not in COVERAGE
    }


@settings(max_examples=60)
@given(catalogs())
def test_every_error_of_any_query_is_among_the_clashes_and_no_other(files: CatalogFiles) -> None:
    loaded = load(files)
    if loaded.catalog is None:
        event("not sound")
        return
    catalog = loaded.catalog
    answered = set().union(*(told(resolve_in(catalog, query)[1]) for query in QUERIES))
    found = told(clashes(catalog, files))
    event(f"clashes: {bool(found)}")
    assert found == answered


def test_the_shipped_catalog_has_none() -> None:
    files, _ = read_files([Layer(SHIPPED, shipped_root())])
    loaded = load(files)
    assert loaded.catalog is not None
    assert clashes(loaded.catalog, files) == ()


def write(directory: Path, recipes: dict[str, str]) -> Path:
    for name, text in texts(recipes).items():
        if name != "recipes/base.yaml":
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            (directory / name).write_text(text)
    return directory


def test_two_recipes_that_always_meet_fail_the_check_of_the_catalog_once(tmp_path: Path) -> None:
    entry = "criteria: {{}}\ncomponentRefs: [{{name: cert-manager, overrides: {{replicaCount: {count}}}}}]"
    own = write(tmp_path / "own", {"one": entry.format(count=2), "two": entry.format(count=3)})
    done = groundswell("catalog", "check", "--catalog", own)
    assert done.code == 1
    assert done.out.count("error[") == 1
    assert "`one` and `two` set cert-manager.replicaCount to two values at the same rank" in done.out
    # Without a support list of its own this catalog lifts the shipped one's: what that keeps apart is not reported.
    mended = write(tmp_path / "own", {"two": entry.format(count=2)})
    assert groundswell("catalog", "check", "--catalog", mended).code == 0
