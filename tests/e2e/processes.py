"""Programs that run in the background for the length of a test session, and never longer."""

from __future__ import annotations

import socket
import subprocess
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import Self

# The program ends when the pipe to this shell closes, which the kernel does however the tests end.
_TIED_TO_PIPE = """
exec 3<&0
"$@" </dev/null 3<&- &
program=$!
{ cat <&3 >/dev/null; kill "$program"; } &
watcher=$!
exec 3<&-
wait "$program"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"
"""
_LAST_LINES = 30


class Running:
    """One program, started at once. Its output goes to `log`; leaving the context ends it."""

    def __init__(self, command: Sequence[str | Path], log: Path) -> None:
        self._log = log
        with log.open("wb") as output:
            self._shell = subprocess.Popen(  # ended in `__exit__`
                ["sh", "-c", _TIED_TO_PIPE, "sh", *command],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._shell.stdin is not None
        self._shell.stdin.close()
        self._shell.wait(timeout=60)

    def wait_until(self, ready: Callable[[], bool], seconds: float = 90) -> None:
        """Return when `ready()` holds; fail with the end of the log when the program ends before or takes too long."""
        deadline = time.monotonic() + seconds
        while not ready():
            code = self._shell.poll()
            if code is not None or time.monotonic() > deadline:
                end = "took too long" if code is None else f"ended with {code}"
                tail = "\n".join(self._log.read_text(errors="replace").splitlines()[-_LAST_LINES:])
                raise AssertionError(f"{self._log.stem} {end}:\n{tail}")
            time.sleep(0.1)


def free_ports(count: int) -> list[int]:
    """Ports of the loopback interface that nothing listens on; all are taken before any is let go, so they differ."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
