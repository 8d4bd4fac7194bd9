"""Settings of every test, and the counts that a run ends with."""

import contextlib
import gc
import importlib
import os
import re
import tempfile
import uuid
from collections import Counter

# Several processes run the tests, and each starts kernels: one thread for each is fast, and sums come in one order. The
# stored outputs were computed with as many threads as there were. Before torch is imported.
os.environ["OMP_NUM_THREADS"] = "1"

import pytest

# A hook of git runs the tests with GIT_DIR set: a test that makes a repository of its own would write into ours. What a
# developer has told git, such as to sign every commit, is not for a test either.
for name in [name for name in os.environ if name.startswith("GIT_")]:
    del os.environ[name]
os.environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

KINDS_BY_TAG = {
    "your-machine": "cells run, output not compared (timings of your machine)",
    "explorer": "cells run, output not compared (sliders to move)",
}
KINDS_BY_TEST = {
    "test_solution_is_accepted": "solutions injected and accepted",
    "test_fault_shows_what_is_promised": "faults injected and recognised",
}
KINDS_BY_FILE = {
    "test_notebooks.py": "rules of the course checked",
    "test_course_rules.py": "rules shown to fail on a broken lesson",
    "test_my_notebooks.py": "tests of the tools",
    "test_run_notebooks.py": "tests of the tools",
    "test_setup_env.py": "tests of the tools",
    "test_freeze.py": "tests of the tools",
    "test_links.py": "rules of the course checked",
    "test_teaching.py": "rules of the course checked",
    "test_contributing.py": "rules of the course checked",
    "test_classroom.py": "tests of the classroom",
    "test_hosted.py": "tests of Binder and Colab",
    "test_hub.py": "tests of the classroom",
    "test_installation.py": "tests of the tools",
    "test_export_html.py": "tests of the tools",
    "test_devcontainer.py": "tests of the tools",
    "test_readme.py": "rules of the course checked",
    "test_slides.py": "tests of the tools",
    "test_sheets.py": "rules of the course checked",
    "test_html_questions.py": "tests of the tools",
    "test_browser.py": "promises kept in a real browser",
    "test_browser_pages.py": "promises kept in a real browser",
    "test_browser_front.py": "promises kept in a real browser",
    "test_browser_explorers.py": "promises kept in a real browser",
    "test_browser_assessment.py": "promises kept in a real browser",
    "test_browser_slides.py": "promises kept in a real browser",
}
# What `make quick` leaves out as a whole: it runs lessons or starts many programs. Single tests bear the mark `slow`.
SLOW_FILES = {
    "test_classroom.py",
    "test_export_html.py",
    "test_hosted.py",
    "test_hub.py",
    "test_run_notebooks.py",
    "test_setup_env.py",
    "test_toy.py",
}
TRAINING = ("07_", "10_", "11_")  # `make test-default` runs these lessons, `make test` only where a lesson is named
LEFT_OUT = "The tests in a real browser were left out: `make test-browser` runs them."


def pytest_addoption(parser):
    parser.addoption("--browser", action="store_true", help="run the tests in a real browser, too (needs Chromium)")


@pytest.fixture(scope="module")  # not longer: while Playwright runs, nothing else of asyncio can
def browser():
    """A `browser.Browser` without a window."""
    from browser import open_browser

    with open_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A JupyterLab as `make lab` opens it."""
    from lab import running_lab

    with running_lab(tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture
def learner(browser, server):
    """Somebody at that JupyterLab, in a page of their own."""
    from lab import Learner

    with browser.page() as page:
        yield Learner(page, server)
    server.stop_kernels()
    assert browser.elsewhere == [], "another machine was asked: on a train this page would not look like this"


@pytest.fixture
def quiet_page(browser):
    """A new page; at the end nobody was asked for anything, and no script has failed."""
    with browser.page() as page:
        yield page
        assert browser.elsewhere == [] and browser.errors == []


@pytest.fixture(scope="session")
def exported(tmp_path_factory):
    """The folder of `make html`: the whole course, exported once."""
    import export_html

    folder = tmp_path_factory.mktemp("export") / "html"
    assert export_html.main([str(folder)]) == 0
    return folder


@pytest.fixture
def open_page(quiet_page, exported):
    """Open a page of `make html` by its path without .html."""

    def opened(path):
        quiet_page.goto((exported / f"{path}.html").as_uri())
        return quiet_page

    return opened


LARGE = ("torch", "matplotlib.pyplot", "hypothesis", "playwright.sync_api", "IPython", "nbconvert", "nbgrader.apps")


def load_large_packages(backwards):
    """After an installation nothing is compiled yet: what one process has compiled, the next finds ready."""
    for name in reversed(LARGE) if backwards else LARGE:
        with contextlib.suppress(ImportError):  # nbgrader's, on Windows
            importlib.import_module(name)


def pytest_configure(config):
    if config.getoption("numprocesses") and not hasattr(config, "workerinput"):
        return  # this process hands the tests out, and runs none
    load_large_packages(backwards=getattr(config, "workerinput", {}).get("workerid") == "gw1")
    import matplotlib
    from hypothesis import settings

    matplotlib.use("Agg")  # no window; only in this process, the lessons' kernels draw as a reader's do
    settings.register_profile("course", max_examples=50, derandomize=True, deadline=None, database=None)
    settings.load_profile("course")
    if os.name != "nt":  # Windows knows no such files
        kernels_through_files()


def kernels_through_files():
    """Each kernel of nbval talks through files of its own.

    A kernel's TCP ports are chosen before it opens them, and beside other processes they can be gone: one lesson
    in some hundred did not start.
    """
    from jupyter_client.manager import KernelManager
    from nbval import kernel
    from traitlets import default

    class OfItsOwn(KernelManager):
        @default("transport")
        def _files(self):
            return "ipc"

        @default("ip")  # what their names begin with
        def _names(self):
            return os.path.join(tempfile.gettempdir(), f"kernel-{uuid.uuid4().hex}")

    kernel.KernelManager = OfItsOwn


def kind_of(item):
    """What the closing lines count an item as."""
    if item.path.suffix == ".ipynb":
        tags = item.cell.metadata.get("tags", [])
        return next((kind for tag, kind in KINDS_BY_TAG.items() if tag in tags), "cells compared")
    test = item.name.partition("[")[0]
    return KINDS_BY_TEST.get(test) or KINDS_BY_FILE.get(item.path.name, "library tests")


def pytest_collection_modifyitems(config, items):
    cases, named = Counter(), any(re.search(r"\.(py|ipynb)", asked) for asked in config.args)  # all of it is asked then
    for item in items:
        item.user_properties.append(("kind", kind_of(item)))
        test = item.name.partition("[")[0]
        if item.path.name in SLOW_FILES or "thousand" in test:
            item.add_marker("slow")
        one_in = item.get_closest_marker("one_in")
        seldom = item.path.name.startswith(TRAINING) or (one_in and cases[item.path, test] % one_in.args[0])
        if "_changes" in item.path.name or (seldom and not named):
            item.add_marker("long")
        cases[item.path, test] += 1
        if item.get_closest_marker("browser") and not config.getoption("--browser"):
            item.add_marker(pytest.mark.skip(reason=LEFT_OUT))
    # No process should find a long file last: rehearsals, lessons, what else is slow, the rest.
    items.sort(key=lambda item: order_of(item.path))


def order_of(path):
    return [path.name == "test_notebooks.py", path.suffix == ".ipynb", path.name in SLOW_FILES, True].index(True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A failure in the browser is reported with a picture of the page."""
    browser = getattr(item, "funcargs", {}).get("browser")
    if browser and call.excinfo:
        # Playwright adds an outline of the page, hundreds of lines; the picture says more.
        call.excinfo.value.args = tuple(str(part).partition("\nAria snapshot:")[0] for part in call.excinfo.value.args)
    report = yield
    if browser and report.failed:
        report.sections.append(("browser", browser.evidence(item.name)))
    return report


def pytest_collection_finish():
    gc.freeze()  # what the tests have loaded is not searched for rubbish, ever again


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish():
    gc.freeze()  # pytest would search ten times, of a heap this large for as many seconds


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    """Behind the last cell of a lesson, while its kernel still runs, the memory is read that it has taken."""
    import course  # late, as whatever a process that runs no test can do without

    last = item.path.suffix == ".ipynb" and item.cell is last_cell(item.parent)
    megabytes = course.peak_of(item.parent.kernel.km.provisioner.pid) if last else None
    result = yield  # which ends the kernel
    if megabytes:
        item.user_properties.append((f"figure: {item.path.stem}, its kernel at most", f"{megabytes} MB"))
        course.assert_memory(item.path.stem, megabytes)
    return result


def last_cell(lesson):
    return [cell for cell in lesson.nb.cells if cell.cell_type == "code"][-1]


def figures(terminalreporter):
    """What tests have measured, as `record_property("figure: …", …)`: shown with every run, not only with -s."""
    for outcome in ("passed", ""):  # the latter: what was measured when a test was over
        for report in terminalreporter.stats.get(outcome, []):
            for name, value in report.user_properties:
                if report.when in ("call", "teardown") and name.startswith("figure: "):
                    yield name.removeprefix("figure: "), value


def pytest_terminal_summary(terminalreporter):
    passed = Counter(
        dict(report.user_properties)["kind"]
        for report in terminalreporter.stats.get("passed", [])
        if report.when == "call"
    )
    terminalreporter.section("what passed")
    for kind, count in sorted(passed.items()):
        terminalreporter.line(f"{count:5d} {kind}")
    for name, figure in sorted(set(figures(terminalreporter))):
        terminalreporter.line(f"      {name}: {figure}")
    if any(LEFT_OUT in str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])):
        terminalreporter.line(LEFT_OUT)
