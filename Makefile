# `make lab` and `make test` each do all set-up on a machine with Python 3.10 or newer (tools/setup_env.py).
#   make PYTHON=python3.12 lab                      choose the Python that makes .venv
#   make lab LAB="--no-browser --port 8899"         arguments for JupyterLab
#   make test PYTEST="tests/lib/test_loop.py -x"    arguments for pytest
#   make test NEWEST=--newest                       the newest releases, not the pinned ones (after `make clean`)
#   make notebooks NAMES="02_formula 03_loop"       only these lessons
#   make soak SOAK="--rounds 1 notebooks/03_loop.ipynb"
#   make claims LESSONS="07 10"                     only the claims of these lessons
#   make hub PORT=9000                              the first of the three ports that it takes
#   make links REPO=owner/name BRANCH=… HUB=…       another address than that of this clone's origin
# A recipe reads NAMES, PORT, REPO, BRANCH and HUB from its environment, where make puts them: the shell runs none of it.

# The first Python that is new enough; if none is, python3, for setup_env.py to say what is wrong with it.
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 10))
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python3.10 python python3; do \
    $$p -c '$(NEW_ENOUGH)' 2>/dev/null && break; done; echo $$p)
RUN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts/python.exe,bin/python)

# A module is compiled when it is first imported, and kept. Where Python is told to keep none, as in many containers, each
# kernel would compile PyTorch anew: 80 MB and seconds. Here they are kept; git ignores them.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help setup lab test quick test-long test-default test-browser soak claims notebooks exercise pages html slides hub binder links lychee outside-links lint clean

help:  ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1:\2/p' Makefile | while IFS=: read -r name text; do \
	    printf '  make %-13s %s\n' "$$name" "$$text"; done

setup:
	@command -v "$(PYTHON)" >/dev/null || { echo "No $(PYTHON) here: install Python 3.10 or newer."; exit 1; }
	@"$(PYTHON)" tools/setup_env.py $(SETUP)

# A learner needs less than the tests do, and without a network goes on with what is installed.
SETUP = --tests $(NEWEST)
lab: SETUP = --go-on
lab: setup  ## open JupyterLab at the first lesson of your own copies in my_notebooks/
	@$(RUN) tools/my_notebooks.py $(LAB)

# As many processes as there are processors, at most four; each file as a whole in one of them, long ones first.
AT_ONCE = --numprocesses auto --maxprocesses 4
BY_FILE = $(AT_ONCE) --dist loadfile --no-loadscope-reorder

test: lint  ## run the tests that need no browser: the packages, the lessons that do not train, Binder, Colab, nbgrader
	$(RUN) -m pytest $(BY_FILE) -m "not long" $(PYTEST)

test-long: setup  ## ask the clinic about all public code, all pairs of mistakes, and all families of models; takes minutes
	$(RUN) -m pytest $(BY_FILE) -m long tests $(PYTEST)

quick: lint  ## for anyone who changed a line: test the packages and the rules of the course, but run no lesson
	$(RUN) -m pytest $(AT_ONCE) -m "not slow and not long" tests $(PYTEST)

# Other processors round sums differently, and training enlarges that. MKL and oneDNN choose their instructions themselves.
OLD_PROCESSOR = ATEN_CPU_CAPABILITY=default MKL_ENABLE_INSTRUCTIONS=SSE4_2 ONEDNN_MAX_CPU_ISA=SSE41 OMP_NUM_THREADS=1
TRAINING = notebooks/07_*.ipynb notebooks/10_*.ipynb notebooks/11_*.ipynb

test-default: setup  ## run the lessons that train as on an old processor, and one lesson without a home folder
	$(OLD_PROCESSOR) $(RUN) -m pytest $(BY_FILE) $(TRAINING)
	HOME=/dev/null $(RUN) -m pytest notebooks/01_*.ipynb

test-browser: setup  ## walk through JupyterLab and the static pages in a real browser, as a learner does
	$(RUN) -m pytest $(BY_FILE) --browser tests/site/test_browser*.py --durations 0 --durations-min 1 $(PYTEST)

soak: setup  ## run every lesson ten times beside four busy processes, and compare all outputs; takes hours
	@$(RUN) tools/soak.py $(SOAK)

claims: setup  ## what the lessons say of models and trainings, each sentence with ten seeds; takes minutes
	@$(RUN) benchmarks/claims.py $(LESSONS)

notebooks: setup  ## run all lessons again and store their outputs
	@$(RUN) tools/run_notebooks.py $$NAMES

exercise: setup  ## cells of a new exercise, ID=04.4 TITLE="…" HEAD="def name(arguments):"; without ID: points alone
	@$(RUN) tools/new_exercise.py $(if $(ID),"$$ID" "$$TITLE" "$$HEAD")

# JupyterLab has brought all but this of what pages need (pyproject.toml, the extra `pages`); the tests' packages stay out.
PAGES := latex2mathml
html slides: SETUP = --go-on
pages: setup
	@$(RUN) -c "import $(PAGES)" 2>/dev/null || \
	    $(RUN) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt $(PAGES)

html: pages  ## write the course as static pages, and as one file to mail, into build/html/
	@$(RUN) tools/export_html.py

slides: pages  ## write the plan of 90 minutes as slides, in one file for the projector: build/slides.html
	@$(RUN) tools/slides.py

hub: SETUP = --go-on
hub: setup  ## start a JupyterHub on this machine alone, to rehearse a class; needs Node.js
	@$(RUN) tools/hub.py $${PORT:+--port "$$PORT"}

# From the last commit, as Binder does, and not from this folder with its .venv.
binder: setup  ## build the image that Binder would build, and run the course in it on one core and 1 GB; needs Docker
	rm -rf build/binder && git clone --quiet . build/binder
	$(RUN) -m repo2docker --no-run --user-id 1000 --user-name jovyan --image-name positional-encoding build/binder
	docker run --rm --cpus 1 --memory 1g --memory-swap 1g positional-encoding python benchmarks/lessons.py

links:  ## write the address of this clone's origin into every public link
	@"$(PYTHON)" tools/links.py $${BRANCH:+--branch="$$BRANCH"} $${HUB:+--hub="$$HUB"} -- $${REPO:+"$$REPO"}

lychee:
	@command -v lychee >/dev/null || { echo "No lychee here: https://lychee.cli.rs says how to install it."; exit 1; }

outside-links: lychee html  ## open every link that leads out of the course; needs lychee
	lychee --config tools/lychee.toml 'build/html/**/*.html' '*.md' 'docs/*.md' 'pe_*/**/*.py'

lint: setup  ## check code and notebooks with ruff
	$(RUN) -m ruff check .

clean:  ## remove .venv and caches; my_notebooks/ stays
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis build *.egg-info
	find pe_* tests tools -name __pycache__ -prune -exec rm -rf {} +
