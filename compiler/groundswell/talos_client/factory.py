"""Makes schematics known to an Image Factory, and holds its IDs against those computed here."""

from __future__ import annotations

import ssl
import time
from typing import TYPE_CHECKING, NamedTuple

import httpx

from groundswell import __version__
from groundswell.diagnostics.codes import talos_client as codes
from groundswell.snapshot.proxy import proxy_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.schematic import Schematic
    from groundswell.talos_client.posted import Posted

_TRIES = 4
_LONGEST_PAUSE = 30.0  # seconds, whatever a factory's Retry-After says
_AGAIN = frozenset([408, 429, 500, 502, 503, 504])
# Answers of a factory that is not there behind its proxy, or takes nothing now; they are not about a schematic.
_AWAY = frozenset([429, 502, 503, 504])


class Upload(NamedTuple):
    """A schematic that is to be posted, and whose it is: the names of hosts, none for a schematic alone."""

    schematic: Schematic
    hosts: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The schematic in a message."""
        whose = ", ".join(f"`{host}`" for host in self.hosts)
        return f"schematic `{self.schematic.id}`" + (f" of {whose}" if whose else "")


def upload(
    uploads: Iterable[Upload],
    factory: str,
    environment: Mapping[str, str],
    posted: Posted,
    say: Callable[[str], None],
    *,
    again: bool = False,
    timeout: float,
    pause: float = 1.0,
) -> tuple[Diagnostic, ...]:
    """Post schematics; no findings when the factory knows each under the ID computed here.

    What was posted before is passed over, unless `again`; `say` is told of each that it was, or that it was posted. A
    connection that fails, and an answer that says to come back, are tried again, each time after twice the pause; a
    factory that stays away is not tried for the rest. The proxy is the one that the environment names. Authorities are
    the system's and those of SSL_CERT_FILE.
    """
    waiting: list[Upload] = []
    for item in uploads:
        if again or not posted.knows(item.schematic):
            waiting.append(item)
        else:
            say(f"passed over, since it was posted to {factory} before: {item}")
    findings: list[Diagnostic] = []
    if not waiting:
        return ()
    try:
        with _client(factory, environment, timeout) as client:
            while waiting:
                response = _post(client, f"{factory}/schematics", waiting[0].schematic.data, pause)
                item = waiting.pop(0)
                if found := _judged(item, response, factory):
                    findings.append(found)
                else:
                    posted.add(item.schematic)
                    say(f"posted to {factory}: {item}")
    except (httpx.HTTPError, httpx.InvalidURL, ImportError, ValueError) as error:
        reason = f"the Image Factory `{factory}` cannot be reached: {_reason(error)}"
        findings += [codes.UPLOAD_FAILED(f"{item} is not posted: {reason}") for item in waiting]
    return tuple(findings)


def _judged(item: Upload, response: httpx.Response, factory: str) -> Diagnostic | None:
    """What is wrong with a factory's answer."""
    if response.status_code not in {httpx.codes.OK, httpx.codes.CREATED}:
        said = " ".join(response.text.split())[:200]
        return codes.UPLOAD_FAILED(f"`{factory}` refuses {item}: HTTP {response.status_code} {said}")
    answered = _id(response)
    if answered is None:
        return codes.UPLOAD_FAILED(f"`{factory}` answers without an ID of a schematic for {item}")
    if answered != item.schematic.id:
        return codes.OTHER_ID(f"`{factory}` knows {item} as `{answered}`")
    return None


def _client(factory: str, environment: Mapping[str, str], timeout: float) -> httpx.Client:
    headers = {"User-Agent": f"groundswell/{__version__}", "Content-Type": "application/yaml"}
    proxy = proxy_for(factory, environment)
    authorities = ssl.create_default_context()
    return httpx.Client(headers=headers, timeout=timeout, proxy=proxy, verify=authorities, trust_env=False)


def _post(client: httpx.Client, url: str, data: bytes, pause: float) -> httpx.Response:
    for tries_left in reversed(range(_TRIES)):
        wait = pause
        try:
            response = client.post(url, content=data)
        except httpx.TransportError:
            if not tries_left:
                raise
        else:
            if response.status_code not in _AGAIN:
                return response
            if not tries_left and response.status_code in _AWAY:
                response.raise_for_status()
            if not tries_left:
                return response
            told = response.headers.get("Retry-After", "")
            wait = float(told) if told.isdecimal() else pause
        time.sleep(min(wait, _LONGEST_PAUSE))
        pause *= 2
    raise AssertionError  # the last turn returns or raises


def _id(response: httpx.Response) -> str | None:
    try:
        answer = response.json()
    except (ValueError, RecursionError):
        return None
    found = answer.get("id") if isinstance(answer, dict) else None
    return found if isinstance(found, str) else None


def _reason(error: Exception) -> str:
    if isinstance(error, httpx.TimeoutException):
        return "it does not answer in time"
    if isinstance(error, httpx.HTTPStatusError):
        return f"HTTP {error.response.status_code} {' '.join(error.response.text.split())[:200]}".rstrip()
    return " ".join(str(error).split()) or type(error).__name__
