"""What fails in some query is found without asking all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import event, given, settings

from catalog_kit import catalog_files, codes, document, findings_in, texts
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

NO_CLASH = {"R101", "R102", "R103", "P105"}


def told(findings: Iterable[Diagnostic]) -> set[tuple[object, ...]]:
    return {
        (finding.code, finding.span, finding.related)
        for finding in findings
        if finding.severity is Severity.ERROR and finding.code not in NO_CLASH
    }


@settings(max_examples=60)
@given(catalogs())
def test_every_error_of_any_query_is_among_the_clashes_and_no_other(files: CatalogFiles) -> None:
    loaded = load(files)
    if loaded.catalog is None:
        event("not sound")
        return
    catalog = loaded.catalog
    answered = set().union(*(told(findings_in(catalog, query)) for query in QUERIES))
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


CARDS = """\
base: l40s
criteria: {{{criteria}}}
componentRefs:
  - name: slinky-slurm
    overrides:
      nodesets: {{gpu: {{extraConfMap: {{Gres: "gpu:2"}}, slurmd: {{resources: {{limits: {{nvidia.com/gpu: 2}}}}}}}}}}
"""


def test_what_the_shipped_list_keeps_apart_is_no_fault_of_a_catalog_on_top(tmp_path: Path) -> None:
    # No kind cluster has accelerators; a recipe that says nothing on the service would meet kind's own all the same.
    own = write(tmp_path / "own", {"cards": CARDS.format(criteria="platform: slurm")})
    done = groundswell("catalog", "check", "--catalog", own)
    assert (done.code, "error" in done.out) == (0, False), done.out


def test_what_a_recipe_on_top_itself_states_is_checked_although_the_shipped_list_keeps_it_apart(tmp_path: Path) -> None:
    own = write(tmp_path / "own", {"cards": CARDS.format(criteria="platform: slurm, service: kind")})
    assert groundswell("catalog", "check", "--catalog", own).code == 0
    three = "{nodesets: {gpu: {extraConfMap: {Gres: 'gpu:3'}}}}"
    rival = "criteria: {accelerator: l40s, platform: slurm, intent: training}\n"
    write(tmp_path / "own", {"rival": f"{rival}componentRefs: [{{name: slinky-slurm, overrides: {three}}}]"})
    done = groundswell("catalog", "check", "--catalog", own)
    assert done.code == 1
    assert "`rival` and `cards` set slinky-slurm.nodesets.gpu.extraConfMap.Gres to two values" in done.out


DRIVER = "criteria: {{{criteria}}}\ncomponentRefs: [{{name: gpu-operator, overrides: {{driver: {{enabled: true}}}}}}]"
LAB = "combinations: [{service: [eks], os: [ubuntu], platform: [lab], level: resolves}]"


def test_the_way_out_of_a_clash_with_what_is_shipped_is_named(tmp_path: Path) -> None:
    state, beside = "state `service` in its criteria", ", or list what it is for in a `recipes/support.yaml` beside it"
    # What the shipped list has itself is asked for whatever a list on top says.
    for platform, ways in (("kueue", state), ("lab", state + beside)):
        own = write(tmp_path / platform, {"mine": DRIVER.format(criteria=f"platform: {platform}")})
        done = groundswell("catalog", "check", "--catalog", own)
        assert done.code == 1
        assert "`kind` and `mine` set gpu-operator.driver.enabled to two values at the same rank" in done.out
        assert f"--service kind --platform {platform} shows it; if `mine` is not for that, {ways}  " in done.out
        write(own, {"mine": DRIVER.format(criteria=f"service: eks, platform: {platform}")})
        assert groundswell("catalog", "check", "--catalog", own).code == 0
    write(own, {"mine": DRIVER.format(criteria="platform: lab")})
    (own / "recipes/support.yaml").write_text(document("Support", "support", LAB))
    assert groundswell("catalog", "check", "--catalog", own).code == 0


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


def test_a_query_that_needs_values_of_the_site_is_planned_all_the_same() -> None:
    needed = "requiredValues: [{path: x, what: the x}]"
    refs = "criteria: {service: eks}\ncomponentRefs: [{name: a, dependencyRefs: [b]}, {name: b, dependencyRefs: [a]}]"
    files = catalog_files(texts({"eks": refs}, components={"a": needed, "b": ""}))
    catalog = load(files).catalog
    assert catalog is not None
    assert codes(findings_in(catalog, "--service eks")) == ["R306", "P102"]
    assert codes(clashes(catalog, files)) == ["P102"]
