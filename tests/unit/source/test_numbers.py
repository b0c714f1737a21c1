"""Integers that templates print otherwise or that lose digits."""

from __future__ import annotations

from groundswell.source.numbers import NumberAtRisk, Risk, numbers_at_risk


def test_integers_from_a_million_and_beyond_floats_are_found_with_their_paths() -> None:
    data = {
        "maxBytes": 8388608,
        "small": 999999,
        "big": 9007199254740993,
        "id": "123456789012",
        "ratio": 1000000.5,
        "flag": True,
        "list": [1, {"uid": -1000000}],
        "edge": 2**53,
    }
    assert numbers_at_risk(data) == (
        NumberAtRisk(("maxBytes",), 8388608, Risk.EXPONENT),
        NumberAtRisk(("big",), 9007199254740993, Risk.DIGITS),
        NumberAtRisk(("list", 1, "uid"), -1000000, Risk.EXPONENT),
        NumberAtRisk(("edge",), 2**53, Risk.EXPONENT),
    )


def test_a_bare_number_has_the_empty_path() -> None:
    assert numbers_at_risk(10**6) == (NumberAtRisk((), 10**6, Risk.EXPONENT),)
    assert numbers_at_risk(999_999) == ()
