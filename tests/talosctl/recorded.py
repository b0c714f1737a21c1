"""A `talosctl` that answers from files, and notes what it is asked. Run as a program by the tests that put it on PATH.

TALOSCTL_RECORDINGS names a directory with one directory per machine, as `groundswell talos discover --dump-dir` writes
them. `NODE+patched`, `NODE+upgraded` and `NODE+applied` hold the answers that are different after a patch has taken
effect, after an upgrade, and after a machine in maintenance mode has got its configuration. Files named after a verb
with `.problem` at the end make that verb fail. `log` gets one line of JSON per call.

What asks no machine is answered by `client.txt` (the version) and `refusals/*.txt`: the first line is a text, and a
configuration that holds it is refused with the rest, when `strict ` stands before it only with `--strict`.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

HOME = Path(os.environ.get("TALOSCTL_RECORDINGS", "."))
WITH_VALUE = {
    "--nodes", "--output", "--depth", "--patch", "--mode", "--image", "--timeout", "--wait-timeout", "--endpoints",
    "--talosconfig", "--context", "--control-plane-nodes", "--worker-nodes", "--talos-version", "--output-types",
    "--config", "--config-patch", "--with-secrets", "--file", "-o",
}  # fmt: skip
INSECURE_VERBS = {"get", "version", "apply-config"}
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
        self.maintenance = (HOME / node / "maintenance").exists() and "applied" not in done

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


def get(machine: Machine, words: list[str]) -> None:
    missing = f'rpc error: code = NotFound desc = resource type "{words[1]}" is not registered'
    sys.stdout.write(machine.answer(f"get/{words[1]}.json", missing))


def read(machine: Machine, words: list[str]) -> None:
    missing = f"error reading: open {words[1]}: no such file or directory"
    sys.stdout.write(machine.answer(f"read{words[1]}", missing))


def names(machine: Machine, words: list[str]) -> None:
    sys.stdout.write(machine.answer(f"list{words[1]}.txt", f"lstat {words[1]}: no such file or directory"))


def version(machine: Machine, _: list[str]) -> None:
    sys.stdout.write(machine.answer("version.txt", "rpc error: code = Unavailable"))


def patch(machine: Machine, options: dict[str, str]) -> None:
    if "--dry-run" in options:
        places = [place / "dry-run.txt" for place in machine.places if (place / "dry-run.txt").is_file()]
        sys.stderr.write(places[0].read_text() if places else DRY_RUN)
    else:
        machine.note("patched" if options["--mode"] == "no-reboot" else "staged")


def restart(machine: Machine, verb: str) -> None:
    staged = machine.events.exists() and "staged" in machine.events.read_text()
    machine.note(*(["patched"] if staged else []), *(["upgraded"] if verb == "upgrade" else []))


QUESTIONS = {"get": get, "read": read, "list": names, "version": version}


def must_let_in(machine: Machine, verb: str, *, insecure: bool) -> None:
    if not machine.places:
        fail(f"rpc error: code = Unavailable desc = connection error: dial tcp {machine.node}:50000: i/o timeout")
    if insecure and verb not in INSECURE_VERBS:
        fail("unknown flag: --insecure")
    if machine.maintenance and not insecure:
        fail("rpc error: code = Unavailable desc = tls: failed to verify certificate: x509: unknown authority")
    if insecure and not machine.maintenance:
        fail("rpc error: code = Unavailable desc = tls: certificate required")


def client(_: list[str], options: dict[str, str]) -> None:
    assert "--client" in options
    version = HOME / "client.txt"
    sys.stdout.write(version.read_text() if version.exists() else "Client:\nTalos v1.13.2\n")


def generate(words: list[str], options: dict[str, str]) -> None:
    if words[1] == "secrets":
        Path(options["-o"]).write_text("secrets\n")
        return
    assert words[1] == "config"
    for name in ("--with-secrets", "--config-patch"):
        assert Path(options.get(name, __file__).removeprefix("@")).is_file(), options[name]
    if (HOME / "gen.problem").exists():
        fail((HOME / "gen.problem").read_text().strip())
    sys.stderr.write("generating PKI and tokens\n")
    roles = options["--output-types"].split(",")
    for role in roles:
        path = Path(options["--output"]) / f"{role}.yaml" if len(roles) > 1 else Path(options["--output"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(GENERATED.format(role=role, contract=options.get("--talos-version", "")))


def lay(words: list[str], options: dict[str, str]) -> None:
    assert words[1] == "patch"
    if (HOME / "machineconfig.problem").exists():
        fail((HOME / "machineconfig.problem").read_text().strip())
    base, patch = Path(words[2]).read_text(), Path(options["--patch"].removeprefix("@")).read_text()
    Path(options["--output"]).write_text(f"{base}---\n{patch}")


def judge(_: list[str], options: dict[str, str]) -> None:
    path = Path(options["--config"])
    text, strict = path.read_text(), "--strict" in options
    with (HOME / "modes").open("a") as file:
        file.write(f"{path} {path.stat().st_mode & 0o777:o} {path.parent.stat().st_mode & 0o777:o}\n")
    for refusal in sorted((HOME / "refusals").glob("*.txt")) if (HOME / "refusals").is_dir() else ():
        marker, said = refusal.read_text().split("\n", 1)
        only_strict = marker.startswith("strict ")
        if marker.removeprefix("strict ") in text and (strict or not only_strict):
            sys.stderr.write(said)
            sys.exit(1)
    sys.stdout.write(f"{path} is valid for {options['--mode']} mode\n")


GENERATED = """\
version: v1alpha1
machine:
    type: {role}
    token: g3n3r4.t3dt0k3n0fth1sb4se
# {contract}
"""


def access(words: list[str], _: dict[str, str]) -> None:
    assert Path(os.environ["TALOSCONFIG"]).is_file()
    assert words[1] == "endpoint"


OFFLINE = {"version": client, "gen": generate, "machineconfig": lay, "validate": judge, "config": access}


def main() -> None:
    words, options = parse(sys.argv[1:])
    verb = words[0]
    with (HOME / "log").open("a") as log:
        log.write(json.dumps([verb, *words[1:], options]) + "\n")
    if "--nodes" not in options:
        OFFLINE[verb](words, options)
        return
    machine = Machine(options["--nodes"])
    must_let_in(machine, verb, insecure="--insecure" in options)
    if verb in QUESTIONS:
        QUESTIONS[verb](machine, words)
        return
    machine.must_not_fail(verb)
    if verb == "patch":
        patch(machine, options)
    elif verb == "apply-config":
        assert Path(options["--file"]).is_file()
        machine.note("applied")
    elif verb in {"upgrade", "reboot"}:
        restart(machine, verb)


if __name__ == "__main__":
    main()
