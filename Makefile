# `make lab` and `make test` each do all set-up on a machine with Python 3.10 or newer (tools/setup_env.py).
#   make PYTHON=python3.12 lab                      choose the Python that makes .venv
#   make lab LAB="--no-browser --port 8899"         arguments for JupyterLab
#   make test PYTEST="tests/lib/test_loop.py -x"        arguments for pytest
#   make test NEWEST=--newest                       the newest releases, not the pinned ones (after `make clean`)
#   make notebooks NAMES="02_formula 03_loop"       only these lessons
#   make claims LESSONS="07 10"                     only the claims of these lessons
#   make hub PORT=9000                              the first of the three ports that it takes
#   make links REPO=owner/name BRANCH=… HUB=…       another address than that of this clone's origin

# The first Python that is new enough; if none is, python3, for setup_env.py to say what is wrong with it.
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 10))
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python3.10 python python3; do \
    $$p -c '$(NEW_ENOUGH)' 2>/dev/null && break; done; echo $$p)
RUN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts/python.exe,bin/python)

# A module is compiled when it is first imported, and kept. Where Python is told to keep none, as in many containers, each
# kernel would compile PyTorch anew: 80 MB and seconds. Here they are kept; git ignores them.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help setup lab test quick test-browser claims notebooks html hub binder links lychee outside-links lint clean

help:  ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1:\2/p' Makefile | while IFS=: read -r name text; do \
	    printf '  make %-13s %s\n' "$$name" "$$text"; done

setup:
	@command -v "$(PYTHON)" >/dev/null || { echo "No $(PYTHON) here: install Python 3.10 or newer."; exit 1; }
	@"$(PYTHON)" tools/setup_env.py $(SETUP)

# A learner needs less than the tests do, and without a network goes on with what is installed.
SETUP = --tests $(NEWEST)
lab: SETUP = --go-on
lab: setup  ## open JupyterLab at the first lesson, in my_notebooks/: your own copies
	@$(RUN) tools/my_notebooks.py $(LAB)

# Two processes; each file as a whole in one of them, those that take long first.
IN_TWO = --numprocesses 2 --dist loadfile --no-loadscope-reorder

test: lint  ## run all tests but those in a browser: the library, every cell of every lesson, Binder, Colab, nbgrader
	$(RUN) -m pytest $(IN_TWO) $(PYTEST)

quick: lint  ## for who changed a line: the library and the rules of the course, without running a lesson
	$(RUN) -m pytest --numprocesses 2 -m "not slow" tests $(PYTEST)

test-browser: setup  ## walk through the course as a learner does, in a real browser: JupyterLab, and the pages
	$(RUN) -m pytest $(IN_TWO) --browser tests/test_browser*.py --durations 0 --durations-min 1 $(PYTEST)

claims: setup  ## what the lessons say of models and trainings, each sentence with ten seeds; takes minutes
	@$(RUN) benchmarks/claims.py $(LESSONS)

notebooks: setup  ## run all lessons again and store their outputs
	@$(RUN) tools/run_notebooks.py $(NAMES)

html: setup  ## the course as static pages, and as one file to mail: build/html/
	@$(RUN) tools/export_html.py

hub: SETUP = --go-on
hub: setup  ## a JupyterHub on this machine alone, to try a class before the class; needs Node.js
	@$(RUN) tools/hub.py $(if $(PORT),--port $(PORT))

# From the last commit, as Binder does, and not from this folder with its .venv.
binder: setup  ## build the image that Binder would build, and run the course in it on one core and 1 GB; needs Docker
	rm -rf build/binder && git clone --quiet . build/binder
	$(RUN) -m repo2docker --no-run --user-id 1000 --user-name jovyan --image-name positional-encoding build/binder
	docker run --rm --cpus 1 --memory 1g --memory-swap 1g positional-encoding python benchmarks/lessons.py

links:  ## write the course's public address, that of this clone's origin, into every link
	@"$(PYTHON)" tools/links.py $(REPO) $(if $(BRANCH),--branch $(BRANCH)) $(if $(HUB),--hub $(HUB))

lychee:
	@command -v lychee >/dev/null || { echo "No lychee here: https://lychee.cli.rs says how to install it."; exit 1; }

outside-links: lychee html  ## open every link that leads out of the course; needs lychee
	lychee --config tools/lychee.toml 'build/html/**/*.html' '*.md' 'pe_*/**/*.py'

lint: setup  ## ruff over code and notebooks
	$(RUN) -m ruff check .

clean:  ## remove .venv and caches; my_notebooks/ stays
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis build *.egg-info
	find pe_* tests tools -name __pycache__ -prune -exec rm -rf {} +
