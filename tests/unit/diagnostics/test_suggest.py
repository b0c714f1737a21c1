from __future__ import annotations

import time
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundswell.diagnostics.suggest import misspelt, nearest, suggestion

NAMES = ["gpu-operator", "network-operator", "cert-manager", "nfd", "kueue", "h100", "eks", "gke"]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("gpu-opertaor", "gpu-operator"),
        ("GPU-Operator", "gpu-operator"),
        ("gpu_operator", "gpu-operator"),
        ("gpuoperator", "gpu-operator"),
        ("certmanager", "cert-manager"),
        ("ndf", "nfd"),
        ("NDF", "nfd"),
        ("kueu", "kueue"),
        ("ekss", "eks"),
        ("h1000", "h100"),
        ("prometheus", None),
        ("zz", None),
        ("", None),
        ("x" * 100_000, None),
    ],
)
def test_a_slip_finds_its_name_and_nothing_else_does(name: str, wanted: str | None) -> None:
    assert nearest(name, NAMES) == wanted


def test_the_help_offers_what_is_near_and_nothing_else() -> None:
    assert suggestion("ndf", NAMES) == "did you mean `nfd`?"
    assert suggestion("prometheus", NAMES) == ""


KEYS = ["componentRefs", "dependencyRefs", "criteria", "overrides", "name", "tag", "os", "base"]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("dependancyRefs", "dependencyRefs"),
        ("dependencyrefs", "dependencyRefs"),
        ("criterai", "criteria"),
        ("componentRef", "componentRefs"),
        ("nam", "name"),
        ("so", "os"),
        ("tags", "tag"),
        ("bse", "base"),
        ("components", None),
        ("overlay", None),
        ("nm", None),
        ("testTier", None),
        ("x", None),
        ("", None),
        ("x" * 100_000, None),
    ],
)
def test_a_slip_of_the_pen_is_told_from_another_word(name: str, wanted: str | None) -> None:
    assert misspelt(name, KEYS) == wanted


def test_two_swapped_letters_are_near_however_short_the_name() -> None:
    assert nearest("os", ["so"]) == "so"


def test_the_spelling_of_the_candidate_is_kept() -> None:
    assert nearest("k8s.server.verson", ["K8s.server.version", "OS.name"]) == "K8s.server.version"


def test_the_order_of_the_candidates_does_not_matter() -> None:
    assert len({nearest("abx", order) for order in permutations(["abc", "abd", "abe", "ABE"])}) == 1


@given(st.sampled_from(NAMES), st.data())
def test_swapping_any_two_neighbours_still_finds_the_name(name: str, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(name) - 2))
    swapped = name[:index] + name[index + 1] + name[index] + name[index + 2 :]
    assert nearest(swapped, NAMES) == name


def test_many_candidates_take_no_noticeable_time() -> None:
    start = time.perf_counter()
    assert nearest("component-4999x", [f"component-{number}" for number in range(5000)]) == "component-4999"
    assert time.perf_counter() - start < 2
