"""Signals that end a run."""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_USUAL = (signal.SIG_DFL, signal.default_int_handler)


@contextmanager
def ended_in_order(stop: Callable[[], object]) -> Iterator[Callable[[], None]]:
    """Meanwhile signals that end the run end what it started, and leave no files behind.

    `stop` ends what was started and lets nothing begin, so that the run comes to its end by itself. What is given
    leaves when a signal came; it is called where nothing is half done. An exception out of the midst of an import would
    be lost, or leave its lock to threads that wait for it. A second signal does not wait.

    SIGTERM and SIGHUP exit with 128 and their number, as in a shell. One that is ignored, as under `nohup`, stays so.
    """
    ended: list[int] = []

    def end(number: int, _: FrameType | None) -> None:
        ended.append(number)
        stop()
        if len(ended) > 1:
            leave()

    def leave() -> None:
        if signal.SIGINT in ended[:1]:
            raise KeyboardInterrupt
        if ended:
            sys.exit(128 + ended[0])

    before = {number: signal.signal(number, end) for number in _ENDING if signal.getsignal(number) in _USUAL}
    try:
        yield leave
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        leave()
