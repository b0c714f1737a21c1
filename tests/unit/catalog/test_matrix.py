"""The support list written out, and what becomes of queries that are not on it."""

from __future__ import annotations

import json
import re
import shlex
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from catalog_kit import catalog_files, codes, document, resolve_in, sound, texts
from command import ROOT, groundswell
from groundswell.catalog.entries import DIMENSIONS
from groundswell.catalog.files import SHIPPED, Layer, read_files, shipped_root
from groundswell.catalog.load import load
from groundswell.catalog.matrix import coverage_page, supported
from groundswell.catalog.unused import unused
from groundswell.resolve.coverage import describe

if TYPE_CHECKING:
    from groundswell.catalog.entries import Catalog


@cache
def shipped() -> Catalog:
    files, _ = read_files([Layer(SHIPPED, shipped_root())])
    catalog = load(files).catalog
    assert catalog is not None
    return catalog


def listed(combinations: str) -> Catalog:
    return sound(texts() | {"recipes/support.yaml": document("Support", "support", f"combinations: {combinations}")})


def rows(catalog: Catalog) -> list[tuple[str, str]]:
    return [(describe(row.criteria), row.level) for row in supported(catalog)]


def test_the_support_list_names_every_shipped_recipe() -> None:
    """A recipe that applies by its criteria is named nowhere else, so nothing else tells that its file got lost."""
    text = (ROOT / "recipes" / "support.yaml").read_text().partition("  recipes:\n")[2].partition("  combinations:")[0]
    recipes = [line.removeprefix("    - ") for line in text.splitlines()]
    assert recipes == sorted(path.stem for path in (ROOT / "recipes").glob("*.yaml") if path.stem != "support")


def test_each_combination_stands_without_its_platform_and_with_it() -> None:
    catalog = listed("[{service: [eks, gke], intent: [training], platform: [slurm], level: resolves}]")
    assert rows(catalog) == [
        ("--service eks --intent training", "resolves"),
        ("--service eks --intent training --platform slurm", "resolves"),
        ("--service gke --intent training", "resolves"),
        ("--service gke --intent training --platform slurm", "resolves"),
    ]


def test_a_combination_of_two_lines_has_the_higher_level() -> None:
    catalog = listed("[{service: [eks], level: renders}, {service: [eks, gke], level: resolves}]")
    assert rows(catalog) == [("--service eks", "renders"), ("--service gke", "resolves")]


def test_a_line_of_platforms_alone_has_no_empty_combination() -> None:
    assert rows(listed("[{platform: [slurm], level: resolves}]")) == [("--platform slurm", "resolves")]


def test_the_matrix_is_printed_as_a_table_json_and_a_page() -> None:
    wanted = supported(shipped())
    shown = groundswell("catalog", "list", "--matrix").out.splitlines()
    assert shown[0].split() == ["SERVICE", "ACCELERATOR", "OS", "INTENT", "PLATFORM", "LEVEL", "MUST", "BE", "SET"]
    assert [line.split(maxsplit=6) for line in shown[1:]] == [
        [*(row.criteria.get(dimension, "-") for dimension in DIMENSIONS), row.level, ", ".join(row.values) or "-"]
        for row in wanted
    ]
    data = json.loads(groundswell("catalog", "list", "--matrix", "--format", "json").out)
    assert data == [{**row.criteria, "level": row.level, "mustBeSet": list(row.values)} for row in wanted]
    assert groundswell("catalog", "list", "--matrix", "--format", "markdown").out == coverage_page(wanted)
    assert groundswell("catalog", "list", "--format", "markdown").code == 2


def test_the_page_of_the_shipped_catalog_is_up_to_date() -> None:
    page = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
    assert page == coverage_page(supported(shipped())), "run `make docs`"


def test_the_page_has_each_combination_in_one_cell() -> None:
    wanted = supported(shipped())
    cells = [cell.strip() for line in coverage_page(wanted).splitlines() for cell in line.split("|")[3:-1]]
    marks = [cell.partition(" ") for cell in cells if cell.partition(" ")[0] in {"resolves", "renders", "installed"}]
    assert len(marks) == len(wanted)
    assert sum(mark == "with values" for _, _, mark in marks) == sum(bool(row.values) for row in wanted)


def test_just_the_marked_combinations_need_more_than_their_criteria_and_what_they_name_is_enough() -> None:
    marked = 0
    for row in supported(shipped()):
        resolution, findings = resolve_in(shipped(), describe(row.criteria))
        assert codes(findings) == ["R306"] * len(row.values), row
        assert (resolution is None) is bool(row.values)
        if row.values:
            marked += 1
            settings = " ".join(f"--set {shlex.quote(f'{value}=4')}" for value in row.values)
            resolution, findings = resolve_in(shipped(), f"{describe(row.criteria)} {settings}")
            assert resolution is not None, findings
    assert marked == 10


KNOWN = {
    dimension: sorted(
        {recipe.effective[dimension] for recipe in shipped().recipes.values() if dimension in recipe.effective}
    )
    for dimension in DIMENSIONS
}
fully_stated = st.fixed_dictionaries(
    {
        dimension: st.sampled_from([*KNOWN[dimension], "unheard-of"])
        for dimension in DIMENSIONS
        if dimension != "platform"
    },
    optional={"platform": st.sampled_from([*KNOWN["platform"], "unheard-of"])},
)
SUPPORTED = [dict(row.criteria) for row in supported(shipped())]


def kept(criteria: dict[str, str], row: dict[str, str]) -> int:
    return sum(row.get(dimension) == value for dimension, value in criteria.items())


@settings(deadline=None, max_examples=150)
@given(fully_stated)
def test_any_other_fully_stated_combination_is_an_error_that_leads_to_the_nearest_supported_one(
    criteria: dict[str, str],
) -> None:
    assume(criteria not in SUPPORTED)
    resolution, findings = resolve_in(shipped(), describe(criteria))
    assert resolution is None
    assert set(codes(findings)) <= {"R102", "R103"}
    for finding in findings:
        found = re.search(r"nearest complete queries: ([^|]*)", finding.help)
        assert found, finding
        options = found[1].strip()
        resolution, more = resolve_in(shipped(), options)
        assert resolution is not None, (options, more)
        words = shlex.split(options.partition(" --set ")[0])
        near = dict(zip(*[iter(word.removeprefix("--") for word in words)] * 2, strict=True))
        assert near in SUPPORTED
        assert kept(criteria, near) == max(kept(criteria, row) for row in SUPPORTED)


CRITERIA = st.fixed_dictionaries({}, optional={"service": st.sampled_from("ab"), "intent": st.sampled_from("ab")})
LINES = st.lists(
    st.fixed_dictionaries(
        {"level": st.just("resolves")},
        optional={
            key: st.lists(st.sampled_from("ab"), min_size=1, max_size=2, unique=True) for key in ("service", "intent")
        },
    ).filter(lambda line: len(line) > 1),
    min_size=1,
    max_size=2,
)


@settings(deadline=None, max_examples=150)
@given(st.lists(CRITERIA.filter(bool), min_size=1, max_size=3), LINES, st.none() | CRITERIA)
def test_a_recipe_is_unreachable_just_when_no_query_applies_it(
    lower: list[dict[str, str]], lines: list[dict[str, str | list[str]]], upper: dict[str, str] | None
) -> None:
    names = {f"recipe-{index}": criteria for index, criteria in enumerate(lower)}
    layers = [
        texts({name: f"criteria: {json.dumps(criteria)}" for name, criteria in names.items()})
        | {"recipes/support.yaml": document("Support", "support", f"combinations: {json.dumps(lines)}")}
    ]
    if upper is not None:
        layers.append({"recipes/free.yaml": document("Recipe", "free", f"criteria: {json.dumps(upper)}")})
    files = catalog_files(*layers)
    loaded = load(files)
    assert loaded.catalog is not None
    reported = {
        finding.message.split("`")[1]
        for finding in unused(loaded.catalog, files, loaded.used)
        if finding.code == "M304"
    }
    applied = set()
    for service, intent in product(("", "a", "b"), repeat=2):
        query = {key: value for key, value in (("service", service), ("intent", intent)) if value}
        resolution, _ = resolve_in(loaded.catalog, describe(query))
        applied |= set(resolution.applied) if resolution else set()
    assert reported == names.keys() - applied
