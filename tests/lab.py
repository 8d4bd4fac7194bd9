"""JupyterLab as a learner gets it, on a copy of the course, and what a learner does in it."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from browser import PATIENCE
from course import ROOT
from playwright.sync_api import expect

COPIED = ("notebooks", "pe_lib", "pe_clinic", "pe_course", "tools")
START = 600  # seconds that JupyterLab may take to start
OF_THE_DEVELOPER = ("JUPYTER", "IPYTHON", "NBGRADER", "MPL")  # variables of the environment that would change a test
FOLDERS = {
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTER_DATA_DIR": "data",
    "JUPYTER_RUNTIME_DIR": "runtime",
    "JUPYTERLAB_SETTINGS_DIR": "settings",
    "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    "IPYTHONDIR": "ipython",
}
# The settings of Binder: closing a lesson's tab ends its kernel.
SETTINGS = json.loads((ROOT / "tools" / "hosted" / "overrides.json").read_text(encoding="utf-8"))
# That question is to be kept away by what `make lab` itself passes on: tools/lab/.
del SETTINGS["@jupyterlab/apputils-extension:notification"]
# Cells out of sight would not be on the page: then no test could look at them without scrolling first.
SETTINGS["@jupyterlab/notebook-extension:tracker"]["windowingMode"] = "none"
ERRORS = '[data-mime-type="application/vnd.jupyter.error"], [data-mime-type="application/vnd.jupyter.stderr"]'


@dataclass(frozen=True)
class Server:
    """A running JupyterLab: its address, the token that opens it, and the folder of the course."""

    address: str
    token: str
    course: Path

    @property
    def first_page(self):
        """Leads where `make lab` opens the browser."""
        return f"{self.address}?token={self.token}"

    def address_of(self, lesson):
        """?reset: without the tabs of an earlier page."""
        return f"{self.address}lab/tree/my_notebooks/{lesson.path.name}?reset&token={self.token}"

    def kernels_of(self, lesson):
        """The ids of the lesson's kernels. A page that was closed early may have left one of another lesson."""
        sessions = json.loads(self._ask("GET", "api/sessions"))
        return [session["kernel"]["id"] for session in sessions if session["path"].endswith(lesson.path.name)]

    def waits_for_its_end(self, kernel):
        """The server ends it a while after it has been asked to: on a busy machine, after its answer."""
        end = time.monotonic() + PATIENCE / 1000
        while kernel in [other["id"] for other in json.loads(self._ask("GET", "api/kernels"))]:
            assert time.monotonic() < end, "the kernel goes on"
            time.sleep(0.1)

    def stop_kernels(self):
        for session in json.loads(self._ask("GET", "api/sessions")):
            self._ask("DELETE", f"api/sessions/{session['id']}")

    def _ask(self, method, path):
        headers = {"Authorization": f"token {self.token}"}
        request = urllib.request.Request(self.address + path, method=method, headers=headers)
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=START) as answer:
            return answer.read()


@contextmanager
def running_lab(folder):
    """`tools/my_notebooks.py` on a copy of the course, with settings of its own: the checkout stays as it is."""
    course = folder / "course"
    for name in COPIED:
        shutil.copytree(ROOT / name, course / name, ignore=shutil.ignore_patterns("__pycache__"))
    for plugin, content in SETTINGS.items():
        path = folder / "settings" / f"{plugin.replace(':', '/')}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(content))
    environment = {name: value for name, value in os.environ.items() if not name.startswith(OF_THE_DEVELOPER)}
    environment |= {name: str(folder / place) for name, place in FOLDERS.items()}
    environment["PYTHONPATH"] = str(course)  # pe_lib of the copy, not the one that is installed
    options = ["--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root"]  # port 0: any that is free
    command = [sys.executable, str(course / "tools" / "my_notebooks.py"), *options]
    with open(folder / "log", "w+", encoding="utf-8") as log:
        process = subprocess.Popen(command, cwd=course, env=environment, stdout=log, stderr=subprocess.STDOUT)
        try:
            yield wait_for_server(process, folder)
        finally:
            process.terminate()  # it shuts down its kernels
            process.wait(timeout=START)


def wait_for_server(process, folder):
    """The server, once it has written down where it listens, and somebody answers there."""
    end = time.monotonic() + START
    while process.poll() is None and time.monotonic() < end:
        for path in (folder / "runtime").glob(f"jpserver-{process.pid}.json"):
            if (text := path.read_text(encoding="utf-8")).endswith("}"):
                info = json.loads(text)
                with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", info["port"])):
                    return Server(info["url"], info["token"], folder / "course")
        time.sleep(0.1)
    raise RuntimeError("JupyterLab did not start:\n" + (folder / "log").read_text(encoding="utf-8"))


class Learner:
    """Looks at one lesson at a time, and clicks and types there."""

    def __init__(self, page, server):
        self.page, self.server, self.lesson = page, server, None
        self.panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")  # the tab in front

    def open(self, lesson):
        self.page.goto(self.server.address_of(lesson))
        self.arrives_at(lesson)

    def arrives_at(self, lesson):
        """The lesson's own copy is in front, with all its cells and a kernel, and no dialog asks for anything."""
        self.lesson = lesson
        ready = self.page.locator(".jp-Dialog").or_(self.panel.get_by_role("heading", level=1, name=title(lesson)))
        expect(ready.first, f"{lesson.name} does not open").to_be_visible()
        self.sees_no_dialog()
        expect(self.panel.locator(".jp-Cell")).to_have_count(len(lesson.cells))
        expect(self.panel.locator(".jp-Notebook-ExecutionIndicator")).to_have_attribute("data-status", "idle")
        # Until a kernel is there, whoever runs a cell clears it.
        expect(self.page.get_by_text("| Idle")).to_be_visible()
        tab = self.page.locator(".lm-DockPanel .lm-TabBar-tab.jp-mod-current")
        expect(tab).to_have_attribute("title", re.compile(rf"Path: my_notebooks/{re.escape(lesson.path.name)}$", re.M))
        self.sees_no_dialog()

    def sees_no_dialog(self):
        assert not (found := self.page.locator(".jp-Dialog").all_inner_texts()), f"a dialog is in the way: {found}"

    def cell(self, cell_id):
        """JupyterLab does not write a cell's id on the page; its place is the one in the file."""
        return self.panel.locator(".jp-Cell").nth([cell.id for cell in self.lesson.cells].index(cell_id))

    def output(self, cell_id):
        return self.cell(cell_id).locator(".jp-OutputArea")

    def source(self, cell_id):
        """A cell's code as it stands in the editor."""
        return "\n".join(self.cell(cell_id).locator(".cm-line").all_text_contents())

    def choose(self, menu, entry):
        self.page.get_by_role("menuitem", name=menu, exact=True).click()
        self.page.get_by_role("menuitem", name=entry, exact=True).click()

    def follow(self, cell_id, link):
        self.cell(cell_id).get_by_role("link", name=link).click()

    def select(self, cell_id):
        self.cell(cell_id).locator(".jp-InputPrompt").click()

    def run(self, cell_id, keys="Shift+Enter"):
        """Run a cell, and wait until it has run.

        A JupyterLab that has only just met its kernel may lose a request: the cell then shows "[ ]:", and nothing runs.
        A learner runs it once more.
        """
        prompt = self.cell(cell_id).locator(".jp-InputArea-prompt")
        for _ in range(3):
            before = prompt.text_content()
            self.select(cell_id)
            self.page.keyboard.press(keys)
            with suppress(AssertionError):  # the new number may be the old one
                expect(prompt).not_to_have_text(before, timeout=5_000)
            expect(prompt).not_to_have_text("[*]:")
            if prompt.text_content() != "[ ]:":
                return

    def write(self, cell_id, code):
        """Replace a cell's code, as by pasting: typed letter by letter, the editor would indent it once more."""
        self.cell(cell_id).locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.insert_text(code)
        assert self.source(cell_id) == code, f"the editor holds {self.source(cell_id)!r}"

    def unfold(self, cell_id, summary):
        """Open a folded block by a click, and return it."""
        block = self.cell(cell_id).locator("details").filter(has=self.page.locator("summary", has_text=summary))
        expect(block.locator("pre")).to_be_hidden()
        block.locator("summary").click()
        expect(block.locator("pre")).to_be_visible()
        return block

    def run_all(self):
        """Run All Cells, with the stored outputs cleared first: what stands there afterwards is new."""
        self.choose("Edit", "Clear Outputs of All Cells")
        expect(self.panel.locator(".jp-OutputArea-output")).to_have_count(0)
        self.choose("Run", "Run All Cells")
        prompts = self.panel.locator(".jp-CodeCell .jp-InputArea-prompt")
        last_has_run = prompts.last.filter(has_text=re.compile(r"\[\d+\]:"))
        last_has_run.or_(self.panel.locator(ERRORS)).first.wait_for(timeout=2 * PATIENCE)
        assert not (errors := self.panel.locator(ERRORS).all_text_contents()), errors[0][-1000:]
        open_cells = [
            f"[{number}]:"
            for number, cell in enumerate(self.lesson.code_cells, start=1)
            if not cell.metadata.get("jupyter", {}).get("source_hidden")  # a folded cell shows no number
        ]
        expect(prompts).to_have_text(open_cells)

    def close(self):
        self.page.locator(".lm-DockPanel .lm-TabBar-tab.jp-mod-current .lm-TabBar-tabCloseIcon").click()
        expect(self.panel).to_have_count(0)

    def save(self):
        self.page.keyboard.press("ControlOrMeta+S")
        expect(self.page.locator(".jp-mod-dirty")).to_have_count(0)


def title(lesson):
    return re.match("# (.+)", lesson.cells[0].source)[1]
