"""Makes schematics known to an Image Factory, and holds its IDs against those computed here."""

from __future__ import annotations

import ssl
import time
from typing import TYPE_CHECKING

import httpx

from groundswell import __version__
from groundswell.diagnostics.codes import talos_client as codes
from groundswell.snapshot.proxy import proxy_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.schematic import Schematic

_TRIES = 4
_LONGEST_PAUSE = 30.0  # seconds, whatever a factory's Retry-After says
_AGAIN = frozenset([408, 429, 500, 502, 503, 504])


def upload(
    schematic: Schematic, factory: str, environment: Mapping[str, str], *, timeout: float, pause: float = 1.0
) -> Diagnostic | None:
    """Post a schematic; None when the factory knows it now under the ID computed here, else what went wrong.

    A connection that fails, and an answer that says to come back, are tried again, each time after twice the pause.
    The proxy is the one that the environment names. Authorities are the system's and those of SSL_CERT_FILE.
    """
    try:
        with _client(factory, environment, timeout) as client:
            response = _post(client, f"{factory}/schematics", schematic.data, pause)
    except (httpx.HTTPError, httpx.InvalidURL, ImportError, ValueError) as error:
        return codes.UPLOAD_FAILED(f"the Image Factory `{factory}` cannot be reached: {_reason(error)}")
    if response.status_code not in {httpx.codes.OK, httpx.codes.CREATED}:
        said = " ".join(response.text.split())[:200]
        return codes.UPLOAD_FAILED(
            f"`{factory}` refuses schematic `{schematic.id}`: HTTP {response.status_code} {said}"
        )
    answered = _id(response)
    if answered is None:
        return codes.UPLOAD_FAILED(f"`{factory}` answers without an ID of a schematic")
    if answered != schematic.id:
        return codes.OTHER_ID(f"`{factory}` knows schematic `{schematic.id}` as `{answered}`")
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
            if response.status_code not in _AGAIN or not tries_left:
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
    return " ".join(str(error).split()) or type(error).__name__
