"""A signal ends what a run started, and the run where nothing is half done."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from groundswell.cli.signals import ended_in_order

if TYPE_CHECKING:
    from collections.abc import Callable

ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def status(run: Callable[[Callable[[], None]], None], stop: Callable[[], object] = lambda: None) -> int | str | None:
    """The exit status of a run that is given what leaves; that of Ctrl-C, which is an exception, by its number."""
    try:
        with ended_in_order(stop) as leave:
            run(leave)
    except SystemExit as error:
        return error.code
    except KeyboardInterrupt:
        return signal.SIGINT.value
    return 0


@pytest.mark.parametrize(("number", "expected"), [*zip(ENDING, [2, 143, 129], strict=True)])
def test_nothing_is_raised_where_a_signal_comes_but_where_it_is_asked_for(
    number: signal.Signals, expected: int
) -> None:
    seen: list[str] = []

    def run(leave: Callable[[], None]) -> None:
        leave()
        signal.raise_signal(number)
        seen.append("went on")
        leave()
        seen.append("and on")

    assert status(run, lambda: seen.append("stopped")) == expected
    assert seen == ["stopped", "went on"]


def test_a_run_that_never_asks_leaves_at_its_end_whatever_it_made_of_the_signal() -> None:
    def run(_: Callable[[], None]) -> None:
        signal.raise_signal(signal.SIGTERM)
        raise RuntimeError

    assert status(run) == 143


def test_a_second_signal_does_not_wait() -> None:
    seen: list[str] = []

    def run(_: Callable[[], None]) -> None:
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGHUP)
        seen.append("went on")

    assert status(run) == 143
    assert seen == []


def test_handlers_are_as_before_and_what_is_ignored_stays_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        others = [signal.getsignal(number) for number in ENDING]
        with ended_in_order(lambda: None):
            signal.raise_signal(signal.SIGHUP)
        assert [signal.getsignal(number) for number in ENDING] == others
    finally:
        signal.signal(signal.SIGHUP, before)
