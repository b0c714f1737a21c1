"""Documents of any shape give findings or a catalog, never an exception, and every finding has its place."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from catalog_kit import catalog_files, component, document, load_texts, resolve_in
from groundswell.catalog.load import load
from groundswell.catalog.unused import unused
from groundswell.model.authored import ComponentDocument, MixinDocument, RecipeDocument, SupportDocument
from groundswell.model.parse import _fields, _nested_model
from groundswell.plan.build import build_plan
from groundswell.source.emitter import emit


def all_keys() -> list[str]:
    """Every key that some document may have."""
    found: set[str] = set()
    pending: list[Any] = [RecipeDocument, MixinDocument, ComponentDocument, SupportDocument]
    seen = set()
    while pending:
        model = pending.pop()
        if model in seen:
            continue
        seen.add(model)
        found |= _fields(model).keys()
        pending += [nested for field in _fields(model).values() if (nested := _nested_model(field.annotation))]
    return sorted(found)


FILE = "components/a/values-x.yaml"
WORDS = st.sampled_from(["a", "b", "base", "eks", "any", "", "nowhere", FILE, ">= 1.30", "a.b", "x[0]", "all"])
SCALARS = WORDS | st.none() | st.booleans() | st.integers(-1, 2) | st.floats(allow_nan=False, allow_infinity=False)
KEYS = st.sampled_from(all_keys())
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | WORDS, inner, max_size=4), max_leaves=12
)
REFS = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from(["a", "b", "c"])},
        optional={
            "overrides": st.dictionaries(WORDS, ANYTHING, max_size=3),
            "enforce": st.dictionaries(WORDS, ANYTHING, max_size=2),
            "unset": st.lists(st.sampled_from(["a", "a.b", "b.a.a"])),
            "replace": st.lists(st.sampled_from(["a", "b", "a.b"])),
            "without": st.fixed_dictionaries({}, optional={"dependencyRefs": st.lists(st.sampled_from(["a", "b"]))}),
            "dependencyRefs": st.lists(st.sampled_from(["a", "b", "c"])),
            "enabled": st.booleans(),
            "create": st.booleans(),
            "valuesFiles": st.just([FILE]),
            "version": st.sampled_from(["1", "1.10"]),
        },
    ),
    max_size=3,
)
CRITERIA = st.just({"service": "eks"})
SPECS = ANYTHING | st.fixed_dictionaries(
    {}, optional={"componentRefs": REFS, "criteria": CRITERIA, "mixins": st.just(["m"]), "base": WORDS}
)
QUERIES = (
    "--service eks",
    "--service eks --set a:x=1 --set-json 'a:a={\"b\": 1}'",
    "--service eks --without a --nodes 2",
)


def written(kind: str, name: str, spec: Any) -> str:
    return emit({"apiVersion": "groundswell.dev/v1alpha1", "kind": kind, "metadata": {"name": name}, "spec": spec})


@settings(deadline=None, max_examples=80)
@given(SPECS, SPECS, SPECS, ANYTHING, ANYTHING)
def test_any_documents_are_judged(recipe: Any, other: Any, mixin: Any, spec: Any, values: Any) -> None:
    layer = {
        "recipes/base.yaml": document("Recipe", "base", "componentRefs: [{name: a}]"),
        "recipes/eks.yaml": written("Recipe", "eks", recipe),
        "recipes/os.yaml": written("Recipe", "os", other),
        "mixins/m.yaml": written("Mixin", "m", mixin),
        "components/a/component.yaml": component("a"),
        "components/b/component.yaml": written("Component", "b", spec) if isinstance(spec, dict) else component("b"),
        "components/c/component.yaml": component("c", "dependencyRefs: [a]"),
        "components/a/values-x.yaml": emit(values),
        "recipes/support.yaml": written("Support", "support", spec) if isinstance(spec, list) else emit(spec),
    }
    if not isinstance(spec, list):
        del layer["recipes/support.yaml"]
    files = catalog_files(layer)
    loaded = load(files)
    for finding in loaded.findings:
        assert finding.span is None or finding.span.file in files.content
        assert finding.code == "M210" or finding.span
    if loaded.catalog is None:
        return
    unused(loaded.catalog, files, loaded.used)
    for query in QUERIES:
        resolution, _ = resolve_in(loaded.catalog, query)
        if resolution is not None:
            build_plan(resolution)


def test_the_catalog_around_the_documents_is_sound() -> None:
    layer = {
        "recipes/base.yaml": document("Recipe", "base", "componentRefs: [{name: a}]"),
        "components/a/component.yaml": component("a"),
    }
    assert not load_texts(layer).findings
