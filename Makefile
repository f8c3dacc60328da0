# Everything runs in .venv, which is made here. `make test` is what continuous integration runs.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Two workers more than continuous integration has cores, because two of them mostly wait for the browser;
# tests/conftest.py says what goes to which.
PYTEST := $(BIN)/python -m pytest -n 4 --no-loadscope-reorder
# What is left to test-web and test-engines; pyproject.toml says what the marks mean.
QUICK := -m "core or not (browser or engines)"
# Tests start hundreds of processes, which would all compile the package anew.
export PYTHONDONTWRITEBYTECODE :=
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Exact versions, such as constraints.txt: make test CONSTRAINTS=constraints.txt
CONSTRAINTS ?=
ifneq ($(CONSTRAINTS),)
PIP_INSTALL += --constraint $(CONSTRAINTS)
endif
# An installation older than one of these is stale; checked.pyx is a copy that the build makes.
SOURCES := pyproject.toml setup.py $(filter-out %/checked.pyx,$(wildcard src/incrowd/core/kernels/*.p[yx][xi]))

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# The Debian packages must be there before the environment is made.
.NOTPARALLEL:
.PHONY: help test test-web test-engines test-all smoke lint docs demo wheel oldest sbom packages clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: packages $(VENV)/.test ## Install what the tests need, then check style, types and behavior, the documentation included
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy > $(VENV)/types.txt 2>&1 & types=$$!; \
	$(PYTEST) $(QUICK); tested=$$?; \
	wait $$types; typed=$$?; \
	cat $(VENV)/types.txt; \
	exit $$((tested || typed))

test-web: packages $(VENV)/.test ## Test all pages of the web app, the documentation and reports in a browser
	$(PYTEST) -m browser

test-engines: packages $(VENV)/.test ## Test all that is promised of frames with the engines that take longest, such as Spark
	$(PYTEST) -m engines

test-all: packages $(VENV)/.test ## Test for hours: every test, every random example, damaged files, killed runs, the service under load
	$(PYTEST) --hypothesis-profile=full
	$(BIN)/python scripts/fuzz_readers.py
	$(BIN)/python scripts/kill_runs.py
	$(BIN)/python benchmarks/load.py

smoke: $(VENV)/.test ## Run every part of the package once, in seconds
	$(BIN)/python -m pytest tests/smoke

lint: $(VENV)/.test ## Check style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

docs: $(VENV)/.test ## Build the documentation into site/
	$(BIN)/mkdocs build --strict

demo: $(VENV)/.user ## Install what a user needs and show Incrowd at work on the example table
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

wheel: ## Build the source package and a wheel into dist/, and test the wheel where no compiler is
	@sh scripts/wheel $(PYTHON)

oldest: ## Test with the oldest versions of the libraries that pyproject.toml allows
	@sh scripts/oldest $(PYTHON)

sbom: ## Write what is installed for users as a bill of materials (CycloneDX) to dist/sbom.json
	@sh scripts/sbom $(PYTHON)

packages: ## Install the Debian packages that the tests need, where root and apt are there
	@PYTHON=$(PYTHON) sh scripts/debian-packages

clean: ## Remove the environment and everything that was built
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis src/*.egg-info
	rm -f src/incrowd/core/kernels/*.c src/incrowd/core/kernels/*.so src/incrowd/core/kernels/checked.pyx
	find src tests -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Incrowd needs Python 3.11 or newer; name one, such as: make test PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "$(PYTHON) cannot make virtual environments; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.test: $(SOURCES) | $(BIN)/python
	@echo "installing incrowd with its test requirements into $(VENV)"
	@INCROWD_CHECKED=1 $(PIP_INSTALL) -e '.[test]'
	@touch $@ $(VENV)/.user

$(VENV)/.user: $(SOURCES) | $(BIN)/python
	@echo "installing incrowd into $(VENV)"
	@$(PIP_INSTALL) -e '.[serve]'
	@touch $@
