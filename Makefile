# Two commands for a new machine with Python 3.11 or later: `make demo` and `make test`.
PYTHON ?= $(shell command -v python3 || command -v python)
ENV := .venv
RUN := $(ENV)/bin/python
# The extras that `make test` installs: `dev`, or `dev,peers` to compare the searches with those of other libraries.
EXTRAS ?= dev

NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
# An environment that is half made (without pip), or whose Python is gone or too old, is made anew.
ifneq ($(wildcard $(ENV)),)
ifneq ($(shell $(RUN) -c "import pip; print('has pip'); $(NEW_ENOUGH)" 2>/dev/null && echo good),has pip good)
$(info $(ENV) has no Python 3.11 or later with pip: it is made anew)
$(shell rm -rf $(ENV))
endif
endif

.PHONY: demo test test-all fuzz bench check clean

demo: $(ENV)/installed
	$(info $(RUN) -m autograder grade docs/one_ply_short.py --question q2)
	@$(RUN) -m autograder grade docs/one_ply_short.py --question q2 || [ $$? -eq 1 ]  # 1: a wrong search
	$(RUN) -m pacman demo

# A part of the tests that takes two minutes; its last lines say what `make test-all` adds.
test: $(ENV)/installed-dev
	$(RUN) -m pytest -n 2

test-all: $(ENV)/installed-dev
	$(RUN) -m pytest -n 2 --all

# `make fuzz N=20000` tries 20,000 random inputs in each fuzzer; `make fuzz N=20000 SEED=7` tries those of a printed seed.
N ?= 2000
ifndef SEED
SEED := $(shell date +%s)
endif
fuzz: $(ENV)/installed-dev
	@echo "the same inputs again: make fuzz N=$(N) SEED=$(SEED)"
	FUZZ_INPUTS=$(N) FUZZ_SEED=$(SEED) $(RUN) -m pytest -n 2 tests/fuzz

# `make bench` measures everything; `make bench BENCH="engine search --json"` measures some areas.
bench: $(ENV)/installed-dev
	$(RUN) -m tests.bench $(BENCH)

check: $(ENV)/installed-dev
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy

$(ENV)/bin/python:
	@$(PYTHON) -c "$(NEW_ENOUGH)" || { \
		echo "$(PYTHON): expected Python 3.11 or later; name one: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(ENV)

$(ENV)/installed: setup.cfg pyproject.toml | $(ENV)/bin/python
	$(RUN) -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(ENV)/installed-dev: setup.cfg pyproject.toml | $(ENV)/bin/python
	$(RUN) -m pip install --quiet --disable-pip-version-check -e ".[$(EXTRAS)]"
	@touch $@ $(ENV)/installed

clean:
	rm -rf $(ENV) build dist *.egg-info demo.gif
