"""Laws of constraints: what is called satisfiable is exactly what some version satisfies."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from groundswell.resolve.versions import Condition, holds, parse_conditions, parse_version, satisfiable

PARTS = (0, 1, 2)
GRID = [f"{major}.{minor}.{patch}" for major, minor, patch in product((0, 1, 2, 3), (0, 1, 2, 3), range(8))]
OPERATORS = st.sampled_from([">=", ">", "<=", "<", "==", "!="])
OPERANDS = st.tuples(*[st.sampled_from(PARTS)] * 3, st.integers(1, 3)).map(
    lambda parts: ".".join(map(str, parts[: parts[3]]))
)
CONDITIONS = st.builds(Condition, OPERATORS, OPERANDS, st.just(False))  # noqa: FBT003  `aicr`
OF_EITHER_FORMAT = st.builds(Condition, OPERATORS, OPERANDS, st.booleans())


@settings(deadline=None, max_examples=150)
@given(st.lists(OF_EITHER_FORMAT, max_size=4))
def test_satisfiable_agrees_with_trying_every_version(conditions: list[Condition]) -> None:
    """The grid reaches beyond every operand in each part, so that a version between or behind them is in it."""
    tried = any(all(holds(condition, fact) for condition in conditions) for fact in GRID)
    assert satisfiable(conditions) == tried


@settings(deadline=None)
@given(
    st.lists(
        st.builds(
            Condition,
            st.sampled_from(["", "==", "!="]),
            st.sampled_from(["talos", "ubuntu", "1.0", "1.0.0"]),
            st.booleans(),
        ),
        max_size=4,
    )
)
def test_satisfiable_agrees_with_trying_every_text(conditions: list[Condition]) -> None:
    facts = ["talos", "ubuntu", "1.0", "1.0.0", "1.0.1", "neither"]
    assert satisfiable(conditions) == any(all(holds(condition, fact) for condition in conditions) for fact in facts)


@settings(deadline=None)
@given(OPERANDS, st.sampled_from([*GRID, "1", "1.2", "2.0"]), st.booleans())
def test_operators_agree_with_each_other(operand: str, fact: str, aicr: bool) -> None:
    operators = (">=", ">", "<=", "<", "==", "!=")
    result = {operator: holds(Condition(operator, operand, aicr), fact) for operator in operators}
    assert result[">="] is not result["<"]
    assert result["<="] is not result[">"]
    assert result["!="] is not result["=="]
    assert not result["=="] or (result[">="] and result["<="])
    if not aicr:
        assert result["=="] is (result[">="] and result["<="])
        wanted = tuple(map(int, operand.split(".")))
        numbers = (*map(int, fact.split(".")), 0, 0)
        assert result[">="] is (numbers[: len(wanted)] >= wanted)


@settings(deadline=None)
@given(st.lists(CONDITIONS, min_size=1, max_size=4), st.sampled_from(["", " "]), st.sampled_from([",", ", ", " ,"]))
def test_a_conjunction_is_read_back_from_its_text(conditions: list[Condition], blank: str, comma: str) -> None:
    text = comma.join(f"{operator}{blank}{operand}" for operator, operand, _ in conditions)
    assert parse_conditions(text) == tuple(conditions)


@settings(deadline=None)
@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for operator, operand, _ in parse_conditions(text) or ():
        assert operator in {"", ">=", ">", "<=", "<", "==", "!="}
        assert operator in {"", "==", "!="} or parse_version(operand) is not None
