from __future__ import annotations

import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

from groundswell.diagnostics import codes
from groundswell.diagnostics.codes import files
from groundswell.diagnostics.registry import all_codes, codes_markdown, explain

ROOT = Path(__file__).parents[3]


def test_codes_are_unique_and_in_order() -> None:
    codes = list(all_codes())
    assert codes == sorted(codes, key=lambda code: ("SMRPTKDI".index(code[0]), code))
    assert set(files.CODES) <= set(all_codes().values())


def test_a_code_used_twice_is_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "CODES", (files.CHANGED, files.ADDED, files.CHANGED))
    with pytest.raises(ValueError, match="I204"):
        all_codes.__wrapped__()


def test_every_module_constant_is_listed() -> None:
    for name in [item.name for item in pkgutil.iter_modules(codes.__path__)]:
        module = importlib.import_module(f"{codes.__name__}.{name}")
        constants = [value for key, value in vars(module).items() if key.isupper() and hasattr(value, "fix")]
        assert sorted(code.code for code in module.CODES) == sorted(code.code for code in constants), name
        assert set(module.CODES) <= set(all_codes().values()), name


def test_every_code_has_a_title_a_reason_and_a_remedy_in_whole_sentences() -> None:
    for code in all_codes().values():
        assert re.fullmatch(r"[SMRPTKDI]\d{3}", code.code)
        assert re.fullmatch(r"\S.*[^.\s]", code.title), code.code
        for text in (code.why, code.fix):
            assert re.fullmatch(r"[A-Z`].*[.]", text), code.code
            assert "  " not in text, code.code


def test_explain_says_what_why_and_how() -> None:
    text = explain("i204")
    assert text is not None
    assert text.startswith("I204 (error): a file of the bundle was changed\n\nWhy: ")
    assert f"Fix: {files.CHANGED.fix}\n" in text
    assert explain("R999") is None
    assert explain("cert-manager") is None


def test_the_page_of_codes_is_up_to_date() -> None:
    assert (ROOT / "docs" / "codes.md").read_text(encoding="utf-8") == codes_markdown(), "run `make docs`"


def test_the_page_holds_every_code_under_its_family() -> None:
    text = codes_markdown()
    assert re.findall(r"^### (.*)$", text, re.MULTILINE) == list(all_codes())
    assert text.index("## Input and output") < text.index("### I101")


def test_a_finding_does_not_pay_for_the_registry() -> None:
    program = "import sys, groundswell.diagnostics.text; print(*(m for m in sys.modules if '.codes' in m))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout.strip() == ""
