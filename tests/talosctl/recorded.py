"""A `talosctl` that answers from files, and notes what it is asked. Run as a program by the tests that put it on PATH.

TALOSCTL_RECORDINGS names a directory with one directory per machine, as `groundswell talos discover --dump-dir` writes
them. `NODE+patched` and `NODE+upgraded` hold the answers that are different after a patch has taken effect and after an
upgrade. Files named after a verb with `.problem` at the end make that verb fail. `log` gets one line of JSON per call.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

HOME = Path(os.environ.get("TALOSCTL_RECORDINGS", "."))
WITH_VALUE = {
    "--nodes", "--output", "--depth", "--patch", "--mode", "--image", "--timeout", "--wait-timeout", "--endpoints",
    "--talosconfig", "--context", "--control-plane-nodes", "--worker-nodes",
}  # fmt: skip
INSECURE_VERBS = {"get", "version"}
DRY_RUN = "Dry run summary:\nApplied configuration without a reboot (skipped in dry-run).\nConfig diff:\n\n+changed\n"


def parse(argv: list[str]) -> tuple[list[str], dict[str, str]]:
    words, options, rest = [], {}, list(argv)
    while rest:
        word = rest.pop(0)
        name, _, value = word.partition("=")
        if name in WITH_VALUE:
            options[name] = value or rest.pop(0)
        elif word.startswith("--"):
            options[word] = ""
        else:
            words.append(word)
    return words, options


def fail(text: str) -> None:
    sys.stderr.write(f"error: {text}\n")
    sys.exit(1)


class Machine:
    def __init__(self, node: str) -> None:
        self.node = node
        self.events = HOME / f"{node}.events"
        done = self.events.read_text().split() if self.events.exists() else []
        overlays = [HOME / f"{node}+{event}" for event in reversed(done)]
        self.places = [place for place in (*overlays, HOME / node) if place.is_dir()]
        self.maintenance = (HOME / node / "maintenance").exists()

    def answer(self, path: str, missing: str) -> str:
        for place in self.places:
            if (place / path).is_file():
                return (place / path).read_text()
            if (place / f"{path}.problem").is_file():
                fail((place / f"{path}.problem").read_text().strip())
        fail(missing)
        raise AssertionError

    def must_not_fail(self, verb: str) -> None:
        for place in self.places:
            if (place / f"{verb}.problem").is_file():
                fail((place / f"{verb}.problem").read_text().strip())

    def note(self, *events: str) -> None:
        with self.events.open("a") as file:
            file.write("".join(f"{event}\n" for event in events))


def main() -> None:
    words, options = parse(sys.argv[1:])
    verb, node = words[0], options["--nodes"]
    with (HOME / "log").open("a") as log:
        log.write(json.dumps([verb, *words[1:], options]) + "\n")
    machine = Machine(node)
    if not machine.places:
        fail(f"rpc error: code = Unavailable desc = connection error: dial tcp {node}:50000: i/o timeout")
    if "--insecure" in options and verb not in INSECURE_VERBS:
        fail("unknown flag: --insecure")
    if machine.maintenance and "--insecure" not in options:
        fail(
            "rpc error: code = Unavailable desc = tls: failed to verify certificate: x509: signed by unknown authority"
        )
    if "--insecure" in options and not machine.maintenance:
        fail("rpc error: code = Unavailable desc = tls: certificate required")
    if verb == "get":
        missing = f'rpc error: code = NotFound desc = resource type "{words[1]}" is not registered'
        sys.stdout.write(machine.answer(f"get/{words[1]}.json", missing))
    elif verb == "read":
        sys.stdout.write(
            machine.answer(f"read{words[1]}", f"error reading: open {words[1]}: no such file or directory")
        )
    elif verb == "list":
        sys.stdout.write(machine.answer(f"list{words[1]}.txt", f"lstat {words[1]}: no such file or directory"))
    elif verb == "version":
        sys.stdout.write(machine.answer("version.txt", "rpc error: code = Unavailable"))
    elif verb == "patch":
        machine.must_not_fail("patch")
        if "--dry-run" in options:
            places = [place / "dry-run.txt" for place in machine.places if (place / "dry-run.txt").is_file()]
            sys.stderr.write(places[0].read_text() if places else DRY_RUN)
        elif options["--mode"] == "no-reboot":
            machine.note("patched")
        else:
            machine.note("staged")
    elif verb in {"upgrade", "reboot"}:
        machine.must_not_fail(verb)
        staged = machine.events.exists() and "staged" in machine.events.read_text()
        machine.note(*(["patched"] if staged else []), *(["upgraded"] if verb == "upgrade" else []))
    elif verb == "health":
        machine.must_not_fail("health")


if __name__ == "__main__":
    main()
