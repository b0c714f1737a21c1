from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"pydantic", "pydantic_core", "httpx", "jsonschema", "jinja2", "yaml", "importlib.metadata"}


def imported(*arguments: str) -> set[str]:
    """The heavy modules in the process after a command has run."""
    program = (
        "import sys\n"
        "from groundswell.__main__ import main\n"
        f"sys.argv[1:] = {list(arguments)!r}\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"sys.stderr.write(' '.join(sorted(sys.modules.keys() & {HEAVY!r})))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    return set(done.stderr.split("\n")[-1].split())


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("bundle", "--help"), ("explain", "R203")])
def test_light_commands_import_nothing_heavy(arguments: tuple[str, ...]) -> None:
    assert imported(*arguments) == set()


def test_a_bundle_from_a_cached_catalog_does_without_validation() -> None:
    query = ("plan", "--service", "kind", "--intent", "inference")
    imported(*query)
    assert not imported(*query) & {"pydantic", "httpx", "jsonschema", "jinja2"}
