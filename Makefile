# `make lab` and `make test` each do all set-up on a machine with Python 3.10 or newer (tools/setup_env.py).
#   make PYTHON=python3.12 lab                      choose the Python that makes .venv
#   make lab LAB="--no-browser --port 8899"         arguments for JupyterLab
#   make test PYTEST="tests/test_loop.py -x"        arguments for pytest
#   make notebooks NAMES="02_formula 03_loop"       only these lessons

# The first Python that is new enough; if none is, python3, for setup_env.py to say what is wrong with it.
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 10))
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python3.10 python python3; do \
    $$p -c '$(NEW_ENOUGH)' 2>/dev/null && break; done; echo $$p)
RUN := .venv/bin/python

.PHONY: help setup lab test notebooks lint clean

help:  ## list these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1:\2/p' Makefile | while IFS=: read -r name text; do \
	    printf '  make %-10s %s\n' "$$name" "$$text"; done

setup:
	@command -v "$(PYTHON)" >/dev/null || { echo "No $(PYTHON) here: install Python 3.10 or newer."; exit 1; }
	@"$(PYTHON)" tools/setup_env.py $(SETUP)

# A learner without a network goes on with what is installed; tests and stored outputs need the pinned versions.
lab: SETUP := --go-on
lab: setup  ## open JupyterLab at the first lesson, in my_notebooks/: your own copies
	@$(RUN) tools/my_notebooks.py $(LAB)

test: lint  ## run everything that CI runs: ruff, the library's tests, every cell of every lesson
	$(RUN) -m pytest --numprocesses 2 --dist loadfile $(PYTEST)

notebooks: setup  ## run all lessons again and store their outputs
	@$(RUN) tools/run_notebooks.py $(NAMES)

lint: setup  ## ruff over code and notebooks
	$(RUN) -m ruff check .

clean:  ## remove .venv and caches; my_notebooks/ stays
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis build *.egg-info
	find pe_lib tests tools -name __pycache__ -prune -exec rm -rf {} +
