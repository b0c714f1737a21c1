"""The helm binary: where it is, and running it so that nothing of the user's cluster or network takes part."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import IO, TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

VARIABLE = "GROUNDSWELL_HELM"
_NO_PROXY = "http://127.0.0.1:1"
# In a run of a fraction of a second what Go collects is for nothing, unless a chart is very large. One thread each is
# enough for the processes that run side by side.
_RUNTIME = {"GOGC": "off", "GOMEMLIMIT": "512MiB", "GOMAXPROCS": "1"}
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
# What a user keeps for repositories; everything else named HELM_* would change what is rendered.
_KEPT = ("HELM_CONFIG_HOME", "HELM_CACHE_HOME", "HELM_DATA_HOME", "HELM_REGISTRY_CONFIG", "HELM_REPOSITORY_CONFIG")


class Running:
    """The processes that are at work for a binary, so that all can be ended at once."""

    def __init__(self) -> None:
        """None is at work."""
        self._lock = RLock()  # a signal may interrupt its own thread
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._stopped = False

    def start(self, command: Sequence[str], environment: Mapping[str, str], out: IO[bytes]) -> subprocess.Popen[bytes]:
        """Start a process that writes to a file, with a group of its own: a wrapper may start others.

        Raises:
            OSError: It cannot be started, or all are to end.
        """
        with self._lock:
            if self._stopped:
                raise InterruptedError
            process = subprocess.Popen(  # noqa: S603  a binary that the user chose, without a shell
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.PIPE,
                process_group=0,
            )
            self._processes.add(process)
        return process

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """End a process with what it started, when that is still at work."""
        with self._lock:
            self._processes.discard(process)
        _kill(process)
        process.wait()

    def stop(self) -> None:
        """End all, and let none begin."""
        with self._lock:
            self._stopped = True
            for process in self._processes:
                _kill(process)


class Helm(NamedTuple):
    """A binary, what tells it from any other, and its processes.

    `opaque`: it is a script or a link to a program of another name, which decides anew each time what is run, so that
    the file does not tell which Helm that is. `apis` are the API versions that it takes for served by every cluster.
    """

    path: Path
    identity: str
    running: Running
    opaque: bool = False
    apis: frozenset[str] = frozenset()


class Done(NamedTuple):
    """How a run ended; `code` is None when it took longer than it may."""

    code: int | None
    out: bytes
    err: str


def find_helm(environment: Mapping[str, str], running: Running) -> Helm | None:
    """The binary that `$GROUNDSWELL_HELM` names, else `helm` on PATH, under the name by which it was found."""
    found = environment.get(VARIABLE) or shutil.which("helm", path=environment.get("PATH", os.defpath))
    if not found:
        return None
    path = Path(found).absolute()
    target = path.resolve()
    try:
        status = target.stat()
        with target.open("rb") as file:
            script = file.read(2) == b"#!"
    except OSError:
        return None
    identity = f"{target}:{status.st_size}:{status.st_mtime_ns}"
    return Helm(path, identity, running, opaque=script or "helm" not in target.name)


@contextmanager
def workers(helm: Helm, number: int) -> Iterator[ThreadPoolExecutor]:
    """Threads to run helm in. When what is done with them fails or is interrupted, all processes end at once."""
    with ThreadPoolExecutor(number) as pool:
        try:
            yield pool
        except BaseException:
            helm.running.stop()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def run(
    helm: Helm,
    arguments: Sequence[str],
    environment: Mapping[str, str],
    timeout: float,
    *,
    online: bool = False,
    meanwhile: Callable[[], object] = lambda: None,
) -> Done:
    """Run helm without a cluster; unless `online`, also without a network, whatever a chart's schema refers to.

    `meanwhile` is called while it is at work. It prints into a file: at a pipe it would wait, megabyte by megabyte, for
    a thread that has other things to do.
    """
    with tempfile.TemporaryFile() as out:
        try:
            process = helm.running.start([str(helm.path), *arguments], _environment(environment, online=online), out)
        except OSError as error:
            return Done(127, b"", f"{helm.path}: {error.strerror}")
        with process:
            try:
                meanwhile()
                _, err = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                return Done(None, b"", "")
            finally:
                helm.running.end(process)
        out.seek(0)
        return Done(process.returncode, out.read(), err.decode(errors="replace").strip())


def offline(text: str) -> bool:
    """Whether what helm says is that it did not get to the network."""
    return _NO_PROXY.removeprefix("http://") in text


def _environment(environment: Mapping[str, str], *, online: bool) -> dict[str, str]:
    clean = {key: value for key, value in environment.items() if not key.startswith(("HELM_", "KUBE")) or key in _KEPT}
    clean |= {"HELM_PLUGINS": os.devnull, "KUBECONFIG": os.devnull}
    if not online:
        closed = {**dict.fromkeys(_PROXIES, _NO_PROXY), "NO_PROXY": ""}
        clean |= closed | {key.lower(): value for key, value in closed.items()}
    return {**_RUNTIME, **clean}


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and what it started. One that was waited for has no number of its own any more."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
