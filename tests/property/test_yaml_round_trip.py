"""Laws of the emitter: what it writes reads back equal, by this project's reader and by PyYAML's (YAML 1.1)."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import given, settings

from groundswell.source.emitter import Quoted, emit
from groundswell.source.reader import Dialect, read
from yaml_samples import BEYOND_FLOATS, NASTY, NUMBERS, random_texts, texts, values


def read_back(text: str, dialect: Dialect = Dialect.STRICT) -> Any:
    """The one value in the text, on which all readers agree. Only floats may be spelled longer than they must."""
    documents, findings = read(text.encode(), "emitted.yaml", dialect)
    assert {finding.code for finding in findings} <= {"S111"}, findings
    (document,) = documents
    return document.data


def same(one: Any, other: Any) -> bool:
    """Equality that tells 1 from 1.0 and from True."""
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and repr(one) == repr(other)


@settings(max_examples=150, deadline=None)
@given(values)
def test_every_value_reads_back_equal_and_in_order(value: Any) -> None:
    assert same(read_back(emit(value)), value)


@settings(max_examples=150, deadline=None)
@given(values)
def test_every_value_reads_back_equal_under_yaml_1_1(value: Any) -> None:
    assert same(yaml.safe_load(emit(value)), value)


@settings(max_examples=150, deadline=None)
@given(values)
def test_emitting_what_was_read_gives_the_same_text(value: Any) -> None:
    text = emit(value)
    assert emit(read_back(text)) == text


@settings(max_examples=150, deadline=None)
@given(values)
def test_all_dialects_read_emitted_text_alike(value: Any) -> None:
    text = emit(value)
    assert same(read_back(text, Dialect.GO), value)
    assert same(read_back(text, Dialect.GO_V3), value)


@settings(max_examples=150, deadline=None)
@given(texts)
def test_forced_quotes_change_the_spelling_only(text: str) -> None:
    emitted = emit({"key": Quoted(text)})
    assert emitted.startswith('key: "')
    assert read_back(emitted) == {"key": text}


def test_thousands_of_texts_read_back_equal_as_values_and_as_keys() -> None:
    every = [*NASTY, *random_texts(6000, seed=1)]
    data = {"values": every, "keys": {text: index for index, text in enumerate(dict.fromkeys(every))}}
    emitted = emit(data)
    assert same(read_back(emitted), data)
    assert same(yaml.load(emitted, yaml.CSafeLoader), data)


def test_numbers_read_back_equal_with_their_types() -> None:
    numbers = [*NUMBERS, *BEYOND_FLOATS]
    assert same(read_back(emit(numbers)), numbers)
    assert same(yaml.safe_load(emit(numbers)), numbers)
