"""The files of a chart, whether it is an archive or a folder, its subcharts' archives included."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import tarfile
import zlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from groundswell.check.charts import ChartAt

_LARGEST = 100 * 1024 * 1024
"""Bytes of an unpacked archive: Helm 3.17.3 and later read no more, since a crafted one could fill the memory."""

_PIECE = 1 << 20
_GZIP = b"\x1f\x8b"


class UnreadableChartError(Exception):
    """The archive or folder cannot be read as a chart; the text says why."""


def chart_files(path: Path) -> Iterator[tuple[str, bytes]]:
    """Each file by its path inside the chart: `templates/x.yaml`, `charts/sub/Chart.yaml`.

    Raises:
        UnreadableChartError: There is no such chart, or it is damaged.
    """
    try:
        if path.is_dir():
            yield from _folder(path)
        else:
            for name, data in _archive(path.read_bytes()):
                yield from _opened(name.partition("/")[2], data)
    except (OSError, tarfile.TarError, zlib.error) as error:
        raise UnreadableChartError(f"`{path}`: {_reason(error)}") from error


@lru_cache(maxsize=8)
def files_of(chart: ChartAt) -> tuple[tuple[str, bytes], ...]:
    """The files of a chart that was found, kept for a few charts: several look through one in turn.

    Raises:
        UnreadableChartError: It is damaged.
    """
    return tuple(chart_files(chart.path))


def archive_problem(data: bytes) -> str:
    """Why bytes are no archive of a chart; "" when they are one, every byte of it."""
    try:
        names = [name for name, _ in _archive(data)]
    except (OSError, tarfile.TarError, zlib.error) as error:
        return _reason(error)
    return "" if any(_is_about(name) for name in names) else "it holds no `Chart.yaml`"


def archive_about(data: bytes) -> bytes:
    """The chart's own Chart.yaml in the bytes of an archive in which there is one."""
    return [content for name, content in _archive(data) if _is_about(name)][-1]


def packed(files: Iterable[tuple[str, bytes]]) -> bytes:
    """An archive with these files of a chart, by their paths inside of it."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name, content in files:
            member = tarfile.TarInfo(f"chart/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return gzip.compress(data.getvalue(), compresslevel=0, mtime=0)


def chart_digest(path: Path) -> str:
    """64 hex digits: the SHA-256 of an archive, or one over the names and contents of a folder's files.

    Raises:
        UnreadableChartError: It cannot be read.
    """
    if path.is_dir():
        total = hashlib.sha256()
        for name, data in sorted(chart_files(path)):
            total.update(f"{name}\0{hashlib.sha256(data).hexdigest()}\n".encode())
        return total.hexdigest()
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise UnreadableChartError(f"`{path}`: {_reason(error)}") from error


def _folder(root: Path) -> Iterator[tuple[str, bytes]]:
    """The files of a folder. Links are followed, as Helm does, but not into a folder that they lie in."""
    above = {root: frozenset({root.resolve()})}
    for text, inside, files in os.walk(root, followlinks=True):
        folder = Path(text)
        known = above.pop(folder)
        targets = {name: (folder / name).resolve() for name in sorted(inside)}
        inside[:] = [name for name, target in targets.items() if target not in known]
        above |= {folder / name: known | {targets[name]} for name in inside}
        for path in sorted(folder / name for name in files):
            if path.is_file():
                yield from _opened(path.relative_to(root).as_posix(), path.read_bytes())


def _is_about(name: str) -> bool:
    """Whether a path in an archive is that of the chart's own Chart.yaml."""
    return name.partition("/")[2] == "Chart.yaml"


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or " ".join(str(error).split())


def _archive(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The files of an archive by the path in it, which begins with the chart's name."""
    unpacked = memoryview(_unpacked(data))
    with tarfile.open(fileobj=io.BytesIO(unpacked), mode="r:") as archive:
        for member in archive:
            end = member.offset_data + member.size
            if end > len(unpacked):
                raise tarfile.ReadError("it ends too early")
            if member.isfile():
                yield _slashed(member.name).removeprefix("./"), bytes(unpacked[member.offset_data : end])


def _slashed(name: str) -> str:
    """A path in an archive as Helm takes it: what was packed on Windows may have backslashes between folders."""
    top, backslash, inside = name.partition("\\")
    return f"{top.replace('/', '-')}/{inside.replace(backslash, '/')}" if backslash else name


def _unpacked(data: bytes) -> bytearray:
    """The content of a gzip file, which may have several parts; each ends with a checksum.

    Piece by piece it takes up less memory, and less time.
    """
    if not data.startswith(_GZIP):
        raise tarfile.ReadError("not a gzip file" if data else "empty file")
    unpacked = bytearray()
    while data.startswith(_GZIP):
        part = zlib.decompressobj(wbits=zlib.MAX_WBITS + 16)
        while not part.eof:
            piece = part.decompress(data, _PIECE)
            unpacked += piece
            if len(unpacked) > _LARGEST:
                raise tarfile.ReadError(f"it is larger than {_LARGEST >> 20} MiB unpacked")
            if not piece and not part.eof:
                raise tarfile.ReadError("it ends too early")
            data = part.unconsumed_tail
        data = part.unused_data
    return unpacked


def _opened(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """A file, or the files of the subchart that it holds."""
    folder, _, base = name.rpartition("/")
    if base.endswith((".tgz", ".tar.gz")) and folder.rpartition("/")[2] == "charts":
        for inside, content in _archive(data):
            yield from _opened(f"{folder}/{inside}", content)
    else:
        yield name, data
