"""Signals that end a run."""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_ENDING = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Meanwhile SIGTERM and SIGHUP end the run as Ctrl-C does: with what it started, and without leaving files behind.

    One that is ignored, as under `nohup`, stays so. The exit status is 128 and the signal's number, as in a shell.
    """
    before = {number: signal.signal(number, _end) for number in _ENDING if signal.getsignal(number) is signal.SIG_DFL}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(number: int, _: FrameType | None) -> NoReturn:
    sys.exit(128 + number)
