"""A value is reported as shadowed only if changing it changes nothing, whatever is asked."""

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING, Any

from hypothesis import event, given, settings
from hypothesis import strategies as st

from catalog_kit import catalog_files, codes, component, document, resolve_in
from command import groundswell
from groundswell.catalog.files import CatalogFiles, Layer, read_files, shipped_root
from groundswell.catalog.load import load
from groundswell.catalog.shadowed import shadowed

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.source.span import Span

QUERIES = [
    f"{service} {intent}".strip()
    for service, intent in product(("", "--service a", "--service b"), ("", "--intent a", "--intent b"))
]
NAMES = ("one", "two", "three", "four")
CHANGED = "999"

leaves = st.sampled_from([1, 2, [1], None])
maps = st.just({"t": 1})
values = st.fixed_dictionaries(
    {},
    optional={"p": leaves, "q": st.none() | st.fixed_dictionaries({}, optional={"r": leaves, "s": leaves | maps})},
)
criteria = st.fixed_dictionaries({}, optional={"service": st.sampled_from("ab"), "intent": st.sampled_from("ab")})


@st.composite
def catalogs(draw: st.DrawFn) -> CatalogFiles:
    """One component, four recipes and two mixins that say something on it; a values file serves several."""
    texts = {"components/c/component.yaml": component("c"), "components/c/values.yaml": body(draw(values))}
    texts["components/c/values-more.yaml"] = body(draw(values))
    for index, name in enumerate(("base", *NAMES)):
        spec: dict[str, Any] = {"mixins": draw(st.lists(st.sampled_from(["left", "right"]), max_size=2, unique=True))}
        if name != "base":
            spec["base"] = draw(st.sampled_from(["base", *NAMES[: index - 1]]))
            if draw(st.booleans()):
                spec["criteria"] = draw(criteria)
        spec["componentRefs"] = [draw(refs(enforcing=False))] if draw(st.booleans()) else []
        texts[f"recipes/{name}.yaml"] = document("Recipe", name, json.dumps(spec))
    for name in ("left", "right"):
        spec = {"componentRefs": [draw(refs(enforcing=True))]}
        texts[f"mixins/{name}.yaml"] = document("Mixin", name, json.dumps(spec))
    return catalog_files(texts)


@st.composite
def refs(draw: st.DrawFn, *, enforcing: bool) -> dict[str, Any]:
    ref: dict[str, Any] = {"name": "c", "overrides": draw(values)}
    if draw(st.booleans()):
        ref["valuesFiles"] = ["components/c/values-more.yaml"]
    if draw(st.booleans()):
        ref["replace"] = [path for path in ("p", "q") if path in ref["overrides"]]
    if enforcing:
        # What an entry enforces may neither be empty nor contradict what the entry sets.
        set_by_file = {"p", "q"} if "valuesFiles" in ref else set()
        enforced = {key: value for key, value in draw(values).items() if key not in {*ref["overrides"], *set_by_file}}
        ref["enforce"] = enforced if enforced.get("q") != {} else {"p": 1}
        if not enforced or "p" in ref["overrides"] or set_by_file:
            del ref["enforce"]
    return ref


def body(data: dict[str, Any]) -> str:
    return json.dumps(data) + "\n"


def outcomes(files: CatalogFiles) -> dict[str, Any]:
    """The component's values for each query that has an answer."""
    catalog = load(files).catalog
    resolutions = {query: resolve_in(catalog, query)[0] for query in QUERIES}
    return {
        query: [item.values for item in resolution.components]
        for query, resolution in resolutions.items()
        if resolution is not None
    }


def changed(files: CatalogFiles, span: Span) -> CatalogFiles:
    """The catalog with another value at a place."""
    lines = files.content[span.file].decode().split("\n")
    line = lines[span.line - 1]
    lines[span.line - 1] = line[: span.column - 1] + CHANGED + line[span.end_column - 1 :]
    return CatalogFiles(files.layers, {**files.content, span.file: "\n".join(lines).encode()})


@settings(deadline=None, max_examples=150)
@given(catalogs())
def test_a_value_that_never_counts_can_be_changed_without_any_effect(files: CatalogFiles) -> None:
    loaded = load(files)
    if loaded.catalog is None:
        assert set(codes(loaded.findings)) == {"M205"}  # criteria that contradict a base's
        return
    findings = shadowed(loaded.catalog, files)
    event(f"{min(len(findings), 3)} findings")
    before = outcomes(files) if findings else {}
    for finding in findings:
        assert finding.span is not None
        after = outcomes(changed(files, finding.span))
        assert {query: after.get(query) for query in before} == before, finding


def test_the_shipped_catalog_says_nothing_in_vain() -> None:
    files, _ = read_files([Layer("groundswell", shipped_root())])
    catalog = load(files).catalog
    assert catalog is not None
    assert shadowed(catalog, files) == ()


def base_sets(version: str) -> dict[str, str]:
    spec = f"componentRefs: [{{name: c, version: {version}}}]"
    return {"recipes/base.yaml": document("Recipe", "base", spec), "components/c/component.yaml": component("c")}


def test_a_patch_that_a_lower_layer_overrules_is_reported_and_what_a_higher_one_changes_is_not() -> None:
    patch = document("Component", "c", "helm: {version: 1.2.4}", ", patch: true")
    files = catalog_files(base_sets("1.9.0"), {"components/c/component.yaml": patch})
    catalog = load(files).catalog
    assert catalog is not None
    files_of = {finding.span.file for finding in shadowed(catalog, files) if finding.span}
    assert files_of == {"layer-1/components/c/component.yaml", "layer-2/components/c/component.yaml"}
    recipe = document("Recipe", "mine", "criteria: {}\ncomponentRefs: [{name: c, version: 1.9.9}]")
    plain = base_sets("1.9.0") | {"recipes/base.yaml": document("Recipe", "base", "componentRefs: [{name: c}]")}
    files = catalog_files(plain, {"recipes/mine.yaml": recipe})
    catalog = load(files).catalog
    assert catalog is not None
    assert shadowed(catalog, files) == ()


def test_the_finding_names_what_wins_and_where() -> None:
    files = catalog_files(base_sets("1.9.0"))
    catalog = load(files).catalog
    assert catalog is not None
    (finding,) = shadowed(catalog, files)
    assert codes([finding]) == ["M305"]
    assert finding.message == "what component `c` says on `version` of `c` never counts: recipe `base` sets it always"
    assert [related.span.file for related in finding.related] == ["catalog/recipes/base.yaml"]


def test_continuous_integration_gets_the_findings_in_its_own_forms(tmp_path: Path) -> None:
    (tmp_path / "mine" / "recipes").mkdir(parents=True)
    ref = "componentRefs: [{name: cert-manager, namespace: NAME}]"
    for name, base in (("site", "metal"), ("site-lab", "site")):
        text = document("Recipe", name, f"base: {base}\ncriteria: {{}}\n{ref.replace('NAME', name)}")
        (tmp_path / "mine" / "recipes" / f"{name}.yaml").write_text(text)
    message = (
        "what recipe `site` says on `namespace` of `cert-manager` never counts: "
        "recipe `site-lab` sets it whenever this recipe takes part"
    )
    done = groundswell("catalog", "check", "--catalog", "mine", "--format", "github", cwd=tmp_path)
    assert done.code == 0
    assert done.out.startswith("::warning file=mine/recipes/site.yaml,line=7,")
    assert message in done.out
    done = groundswell("catalog", "check", "--catalog", "mine", "--format", "sarif", cwd=tmp_path)
    assert done.code == 0
    (result,) = json.loads(done.out)["runs"][0]["results"]
    assert (result["ruleId"], result["level"], result["message"]["text"]) == ("M305", "warning", message)
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "mine/recipes/site.yaml"
    related = result["relatedLocations"][0]["physicalLocation"]
    assert related["artifactLocation"]["uri"] == "mine/recipes/site-lab.yaml"
