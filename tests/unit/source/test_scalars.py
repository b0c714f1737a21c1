"""Plain scalars: what YAML 1.1, YAML 1.2 and Go make of them, and what is said when they differ."""

from __future__ import annotations

import math
from typing import Any

import pytest
import yaml

from groundswell.source.scalars import (
    Dialect,
    Indicator,
    core_reading,
    go_reading,
    go_v3_reading,
    plain,
    yaml11_reading,
)
from yaml_samples import NASTY, TYPED_BY_SOME_READER

# text: YAML 1.1, YAML 1.2, Go (Helm and kubectl; taken from sigs.k8s.io/yaml itself)
READINGS: dict[str, tuple[Any, Any, Any]] = {
    "y": (True, "y", True),
    "No": (False, "No", False),
    "OFF": (False, "OFF", False),
    "nO": ("nO", "nO", "nO"),
    "~": (None, None, None),
    "Null": (None, None, None),
    "True": (True, True, True),
    "0644": (420, 644, 420),
    "-0644": (-420, -644, -420),
    "08": ("08", 8, 8),
    "07": (7, 7, 7),
    "0o14": ("0o14", 12, 12),
    "-0o14": ("-0o14", "-0o14", -12),
    "0O14": ("0O14", "0O14", 12),
    "0b11": (3, "0b11", 3),
    "0B11": ("0B11", "0B11", 3),
    "0x1F": (31, 31, 31),
    "-0x1F": (-31, "-0x1F", -31),
    "0X1F": ("0X1F", "0X1F", 31),
    "0x_1F": (31, "0x_1F", 31),
    "0b_": (0, "0b_", "0b_"),
    "1_000": (1000, "1_000", 1000),
    "_1": ("_1", "_1", "_1"),
    "-_1": ("-_1", "-_1", -1),
    "0_8": ("0_8", "0_8", 8),
    "+12": (12, 12, 12),
    "22:22": (1342, "22:22", "22:22"),
    "-1:30": (-90, "-1:30", "-1:30"),
    "1:30.5": (90.5, "1:30.5", "1:30.5"),
    "01:30": ("01:30", "01:30", "01:30"),
    "8080:80": ("8080:80", "8080:80", "8080:80"),
    "1e3": ("1e3", 1000, 1000),
    "1.0e3": ("1.0e3", 1000, 1000),
    "1.0e+3": (1000, 1000, 1000),
    ".5": (0.5, 0.5, 0.5),
    "-.5": (-0.5, -0.5, -0.5),
    ".5_0": (0.5, ".5_0", 0.5),
    "._5": ("._5", "._5", "._5"),
    "1.": (1, 1, 1),
    "1_000.5": (1000.5, "1_000.5", 1000.5),
    "1e3_0": ("1e3_0", "1e3_0", 1e30),
    "1.2.3": ("1.2.3", "1.2.3", "1.2.3"),
    ".": (".", ".", "."),
    "-.inf": (-math.inf, -math.inf, -math.inf),
    "=": (Indicator.DEFAULT, "=", "="),
    "<<": (Indicator.MERGE, "<<", "<<"),
    "1e999": ("1e999", math.inf, "1e999"),
    "0x1FFFFFFFFFFFFFFFFF": (0x1FFFFFFFFFFFFFFFFF, 0x1FFFFFFFFFFFFFFFFF, "0x1FFFFFFFFFFFFFFFFF"),
    "2024-01-01": ("2024-01-01", "2024-01-01", "2024-01-01"),
}


def equal(one: Any, other: Any) -> bool:
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


@pytest.mark.parametrize("text", READINGS)
def test_readings_follow_the_two_specifications_and_go(text: str) -> None:
    old, core, go = READINGS[text]
    assert equal(yaml11_reading(text), old)
    assert equal(core_reading(text), core)
    assert equal(go_reading(text), go)


@pytest.mark.parametrize("text", READINGS)
def test_a_scalar_is_refused_exactly_when_its_readings_differ(text: str) -> None:
    old, core, go = READINGS[text]
    finite = not (isinstance(core, float) and math.isinf(core))
    leading_zero = text == "07"
    doubt = plain(text, Dialect.STRICT).doubt
    differs = not (equal(old, core) and equal(core, go)) or leading_zero
    assert (doubt is not None and doubt.code.code == "S110") == (differs and finite)


def test_go_v3_differs_from_v2_in_words_only() -> None:
    texts = {*READINGS, *NASTY} - {".nan", ".NaN"}  # which equal nothing
    differing = {text for text in texts if not equal(go_v3_reading(text), go_reading(text))}
    assert {word.lower() for word in differing} == {"y", "yes", "n", "no", "on", "off"}
    assert all(go_v3_reading(word) == word for word in differing)


def test_the_reading_of_yaml_1_1_is_that_of_pyyaml_where_pyyaml_follows_it() -> None:
    left_out = {"y", "Y", "n", "N", "=", "<<", "+.5", "-.5"}  # not in PyYAML, or no value to it
    types = {"bool": bool, "int": int, "float": float, "null": type(None)}
    for text in {*READINGS, *TYPED_BY_SOME_READER} - left_out:
        listed = yaml.compose(f"- {text}", yaml.SafeLoader)
        assert isinstance(listed, yaml.SequenceNode)
        (node,) = listed.value
        assert type(yaml11_reading(text)) is types.get(node.tag.rpartition(":")[2], str), text


@pytest.mark.parametrize(
    ("text", "message", "help_"),
    [
        ("no", "`no` is false under YAML 1.1 and text under YAML 1.2", 'write `false` or `"no"`'),
        ("0644", "`0644` is 420 under YAML 1.1 and 644 under YAML 1.2", 'write `420` or `644` or `"0644"`'),
        ("07", "`07` is the octal 7 under YAML 1.1 and the decimal 7 under YAML 1.2", 'write `7` or `"07"`'),
        ("09", "`09` is text under YAML 1.1 and 9 under YAML 1.2", 'write `9` or `"09"`'),
        ("1e3", "`1e3` is text under YAML 1.1 and 1000 under YAML 1.2", 'write `1000` or `"1e3"`'),
        ("0X1F", "`0X1F` is 31 to Helm and text under YAML 1.2", 'write `31` or `"0X1F"`'),
        ("=", "`=` is the default-value indicator under YAML 1.1 and text under YAML 1.2", 'write `"="`'),
        ("1.10", "`1.10` is read as the number 1.1", 'write `"1.10"` if the text matters'),
        ("2.0", "`2.0` is read as the number 2", 'write `"2.0"` if the text matters'),
        (".inf", "`.inf` is a number that JSON cannot hold", 'write `".inf"` if it is text'),
    ],
)
def test_a_doubt_names_both_readings_and_the_spellings_that_settle_it(text: str, message: str, help_: str) -> None:
    doubt = plain(text, Dialect.STRICT).doubt
    assert doubt is not None
    assert (doubt.message, doubt.help) == (message, help_)


@pytest.mark.parametrize("text", ["1.5", "0.25", ".5", "10", "1.5e+10", "-3.75", "0x10", "12345678901234567890"])
def test_numbers_in_their_shortest_form_are_beyond_doubt(text: str) -> None:
    assert plain(text, Dialect.STRICT).doubt is None


@pytest.mark.parametrize("text", ["1.10", "1.20", "2.0", "0.50", "1.", "01.5", "+1.5", "0.1000000000000000055", "-0.0"])
def test_decimal_numbers_that_lose_text_are_warned_about_in_every_dialect(text: str) -> None:
    for dialect in Dialect:
        read = plain(text, dialect)
        assert read.text == text
        assert read.doubt is not None
        assert read.doubt.code.code == "S111"


@pytest.mark.parametrize("text", ["9" * 309, "-" + "9" * 5000, "0x" + "f" * 400, "1" + "0" * 309, "0b" + "1" * 20_000])
def test_integers_beyond_all_floats_are_refused(text: str) -> None:
    doubt = plain(text, Dialect.STRICT).doubt
    assert doubt is not None
    assert doubt.code.code == "S112"
