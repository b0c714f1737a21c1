from __future__ import annotations

import pytest

from groundswell.diagnostics.enumeration import first_few, listed


@pytest.mark.parametrize(
    ("words", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c"), ([""], "")]
)
def test_all_words_are_listed(words: list[str], text: str) -> None:
    assert listed(words) == text
    assert listed(iter(words)) == text


@pytest.mark.parametrize(
    ("count", "text"), [(0, ""), (1, "0"), (3, "0, 1, 2"), (4, "0, 1, 2 and 1 more"), (12, "0, 1, 2 and 9 more")]
)
def test_of_many_words_the_first_are_named_and_the_rest_counted(count: int, text: str) -> None:
    assert first_few([str(number) for number in range(count)], 3) == text
