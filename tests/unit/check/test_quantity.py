from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundswell.check.pod_requests import pod_requests
from groundswell.check.quantity import format_bytes, parse_quantity


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (2, 2),
        ("2", 2),
        ("500m", Fraction(1, 2)),
        (0.5, Fraction(1, 2)),
        ("1.5Gi", 3 * 2**29),
        ("1G", 10**9),
        ("1e3", 1000),
        ("1E", 10**18),
        ("1Ei", 2**60),
        (".5", Fraction(1, 2)),
        ("-1", -1),
        ("", None),
        ("1 Gi", None),
        ("1K", None),
        ("Gi", 0),
        (".", 0),
        ("-", 0),
        ("2.", 2),
        ("1e100", 10**100),
        ("1e0003", 1000),
        ("1e+0003", 1000),
        ("15e-0001", Fraction(3, 2)),
        ("0e9999", 0),
        ("1e9223372036854775808", None),
        ("1e-9223372036854775809", None),
        (f"1e{'9' * 5000}", None),
        ("e", None),
        ("\u0661", None),
        (True, None),
        (None, None),
        ([], None),
    ],
)
def test_quantities_are_read_as_kubernetes_reads_them(text: object, number: Fraction | int | None) -> None:
    assert parse_quantity(text) == number


@given(st.integers(0, 2**70))
def test_bytes_are_written_so_that_they_read_back(number: int) -> None:
    assert parse_quantity(format_bytes(Fraction(number))) == number


@pytest.mark.parametrize("text", ["1e1000", "1E10000", "1e2147483648", "1e9223372036854775807"])
def test_an_exponent_may_be_as_large_as_an_integer(text: str) -> None:
    large, small = parse_quantity(text), parse_quantity(text.replace("e", "e-").replace("E", "e-"))
    assert large is not None
    assert large >= 10**999
    assert small is not None
    assert 0 < small <= Fraction(1, 10**999)


@given(st.text(max_size=8))
def test_no_text_is_too_odd(text: str) -> None:
    parse_quantity(text)


def test_a_pod_asks_for_what_runs_together_or_for_the_largest_that_runs_before() -> None:
    def container(cpu: str, **more: object) -> dict[str, object]:
        return {"resources": {"requests": {"cpu": cpu}}, **more}

    spec: dict[str, object] = {"containers": [container("1"), container("2")]}
    assert pod_requests(spec)["cpu"] == 3
    assert pod_requests({**spec, "initContainers": [container("5"), container("4")]})["cpu"] == 5
    sidecar = container("1", restartPolicy="Always")
    assert pod_requests({**spec, "initContainers": [sidecar, container("4")]})["cpu"] == 5
    assert pod_requests({"containers": [{"resources": {"limits": {"memory": "1Gi"}}}]})["memory"] == 2**30
