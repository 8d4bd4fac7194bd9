"""A class at once: learners log in at a real JupyterHub, run a lesson in JupyterLab's own way, save it and close it.

    python benchmarks/hub.py                 2, 4 and 8 learners, lesson 02
    python benchmarks/hub.py 4 --lesson 03_loop --threads 2

The hub is that of `make hub`, in a folder of its own, on free ports of 127.0.0.1. All learners come in the same second
and do what their browsers would: log in, wait for their server, pull the course, start the lesson's kernel, run its
code cells one after the other, save, and end the kernel. Nobody thinks or types, and no page is drawn: it is
a class at its worst minute. Then the first learner writes an answer, and the server is killed; the last learner's is
killed in the middle of a save. Both are started again, and what was saved must be there.

    first, done    seconds until the first cell has shown something, and until the lesson is saved and closed
    core, MB       seconds of a core until then, and memory at the end, of a learner's server and kernel together
    hub            seconds of a core of the hub itself, for each learner
    back, whole    seconds until the killed server answers again; what was whole after the kill in the middle of a save,
                   the file or the copy beside it

Seconds are those of the machine and of what else it does; seconds of a core and memory change less. Linux and macOS.
`make hub` installs what it needs.
"""

import argparse
import asyncio
import json
import socket
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

import aiohttp
import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import hub  # noqa: E402 (a tool, not a package)
import hub_layout  # noqa: E402

PATIENCE = 600  # seconds for anything to answer
ANSWER = "# an answer that must not be lost\n"


@dataclass(frozen=True)
class Lesson:
    """What one learner saw and took: until the first cell showed something, and until the lesson was saved and closed.

    Seconds since all came, seconds of a core, MB of server and kernel before the kernel ended, cells that raised.
    """

    first: float
    first_core: float
    done: float
    done_core: float
    memory: int
    errors: int


@dataclass
class Learner:
    """Somebody's browser: it keeps the cookies of the hub and of the own server."""

    name: str
    folder: Path
    port: int
    password: str

    async def __aenter__(self):
        jar = aiohttp.CookieJar(unsafe=True)  # "unsafe": also those of an address in numbers
        self.session = aiohttp.ClientSession(
            f"http://{hub_layout.HERE}:{self.port}", cookie_jar=jar, timeout=aiohttp.ClientTimeout(PATIENCE)
        )
        return self

    async def __aexit__(self, *error):
        await self.session.close()

    @property
    def home(self):
        return f"/user/{self.name}/"

    async def log_in(self):
        async with self.session.get("/hub/login"):
            form = {"username": self.name, "password": self.password, "_xsrf": self.token("/hub/")}
        async with self.session.post("/hub/login", data=form, allow_redirects=False) as answer:
            assert answer.status == 302, f"{self.name} cannot log in: {answer.status}"

    def token(self, path):
        cookies = self.session.cookie_jar.filter_cookies(self.session._base_url.with_path(path))
        return cookies["_xsrf"].value

    async def arrive(self):
        """Open the hub's page that starts the server, follow its progress, and go there; again, if it is not there."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            async with self.session.get(f"{self.home}api/status") as answer:
                if answer.status == 200 and answer.url.path.startswith(self.home):
                    return
            async with self.session.get(f"/hub/spawn/{self.name}"):
                progress = f"/hub/api/users/{self.name}/server/progress?_xsrf={self.token('/hub/')}"
            async with self.session.get(progress) as stream:
                await stream.text()  # it ends when the server is ready
            await asyncio.sleep(0.5)
        raise TimeoutError(f"The server of {self.name} does not answer.")

    async def pull(self):
        """The page that nbgitpuller's link opens, and the stream that it then reads."""
        page = hub_layout.page(self.folder)
        async with self.session.get(self.home + page) as answer:
            answer.raise_for_status()
        async with self.session.get(self.home + page.replace("git-pull?", "git-pull/api?")) as answer:
            said = await answer.text()
            assert '"phase": "finished"' in said, f"{self.name} did not get the course: {said[-500:]}"

    async def ask(self, method, path, **body):
        headers = {"X-XSRFToken": self.token(self.home)}
        async with self.session.request(method, self.home + path, headers=headers, **body) as answer:
            answer.raise_for_status()
            return await answer.json() if answer.status != 204 else None

    async def read(self, path):
        return (await self.ask("GET", f"api/contents/{path}"))["content"]

    async def save(self, path, notebook):
        await self.ask("PUT", f"api/contents/{path}", json={"type": "notebook", "content": notebook})

    async def open(self, path):
        body = {"path": path, "name": Path(path).name, "type": "notebook", "kernel": {"name": "python3"}}
        return await self.ask("POST", "api/sessions", json=body)


async def run(channels, code):
    """Run a cell, and return its outputs as a notebook holds them."""
    header = {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "username": "", "session": ""}
    content = {"code": code, "silent": False, "store_history": True, "allow_stdin": False, "stop_on_error": True}
    message = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
    await channels.send_json(message | {"buffers": []})
    outputs, waits_for = [], {"reply", "idle"}
    while waits_for:
        frame = await channels.receive(PATIENCE)
        if frame.type is aiohttp.WSMsgType.BINARY:
            continue  # the sliders' own messages
        answer = frame.json()
        if answer["parent_header"].get("msg_id") != header["msg_id"]:
            continue
        kind, content = answer["msg_type"], answer["content"]
        if kind == "execute_reply":
            waits_for.discard("reply")
        elif kind == "status" and content["execution_state"] == "idle":
            waits_for.discard("idle")
        elif kind in ("stream", "display_data", "execute_result", "error"):
            outputs.append({"output_type": kind} | {k: v for k, v in content.items() if k != "transient"})
    return outputs


async def learn(learner, path, start):
    """From the login to the closed lesson."""
    await learner.log_in()
    await learner.arrive()
    await learner.pull()
    notebook = await learner.read(path)
    session = await learner.open(path)
    first, errors = (), 0
    async with learner.session.ws_connect(
        f"{learner.home}api/kernels/{session['kernel']['id']}/channels", max_msg_size=0
    ) as channels:
        for number, cell in enumerate([cell for cell in notebook["cells"] if cell["cell_type"] == "code"], start=1):
            cell |= {"outputs": await run(channels, cell["source"]), "execution_count": number}
            errors += any(output["output_type"] == "error" for output in cell["outputs"])
            if cell["outputs"]:
                first = first or (time.monotonic() - start, core(learner))
    await learner.save(path, notebook)
    done_core = core(learner)
    memory = sum(process.memory_info().rss for process in servers(learner)) >> 20
    await learner.ask("DELETE", f"api/sessions/{session['id']}")
    return Lesson(*first, time.monotonic() - start, done_core, memory, errors)


def servers(learner):
    """The processes that the hub started for a learner: the server, and its kernels."""
    found = [process for process in psutil.Process().children(recursive=True) if belongs(process, learner)]
    return sorted(found, key=lambda process: process.create_time())


def belongs(process, learner):
    try:
        return process.environ().get("JUPYTERHUB_USER") == learner.name
    except psutil.Error:  # it has ended since
        return False


def core(learner):
    """Seconds of a core that the server and its kernels have taken since they started."""
    return sum(seconds(process) for process in servers(learner))


def seconds(process):
    times = process.cpu_times()
    return times.user + times.system


async def killed_at_work(learner, path):
    """Kill a server whose kernel runs, as when memory ends: the file must be as saved. Returns seconds to the next."""
    saved = await answered(learner, path)
    await learner.open(path)
    start = time.monotonic()
    servers(learner)[0].kill()
    await learner.arrive()
    assert texts(learner, path) == [cell["source"] for cell in saved["cells"]], "the file is not as it was saved"
    return time.monotonic() - start


async def killed_while_saving(learner, path):
    """Kill a server that has begun to write: what was saved before must be there, in the file or in the copy beside it.

    Jupyter copies the file to .~NAME, writes it anew, and removes the copy: in between, only the copy is whole.
    """
    saved = await answered(learner, path)
    longer = {**saved, "cells": [*saved["cells"], {**saved["cells"][0], "id": "one-more"}]}
    place = learner.folder / "learners" / learner.name / path
    copy = place.with_name(f".~{place.name}")
    server = servers(learner)[0]
    unfinished = asyncio.ensure_future(learner.save(path, longer))
    while not copy.exists() and not unfinished.done():
        await asyncio.sleep(0)
    server.kill()
    await asyncio.gather(unfinished, return_exceptions=True)
    await learner.arrive()
    kept = [[cell["source"] for cell in version["cells"]] for version in (saved, longer)]
    whole = [name for name in (path, f"{Path(path).parent}/{copy.name}") if texts(learner, name) in kept]
    assert whole, "what was saved is lost"
    return "file" if whole[0] == path else "copy"


async def answered(learner, path):
    """The lesson with an answer in it, saved."""
    notebook = await learner.read(path)
    notebook["cells"][0]["source"] = ANSWER + notebook["cells"][0]["source"]
    await learner.save(path, notebook)
    return notebook


def texts(learner, path):
    """The cells' texts as they lie on the disk; None where there is no notebook."""
    try:
        notebook = json.loads((learner.folder / "learners" / learner.name / path).read_text(encoding="utf-8"))
        return ["".join(cell["source"]) for cell in notebook["cells"]]
    except (OSError, ValueError):
        return None


def free_ports():
    """The first of three in a row that are free."""
    for port in range(18000, 28000, 3):
        try:
            for number in hub_layout.ports(port):
                with socket.socket() as one:
                    one.bind((hub_layout.HERE, number))
            return port
        except OSError:
            continue
    sys.exit("No three free ports in a row.")


async def a_class(learners, lesson, process):
    """All learn at once; then one server is killed. Prints a row of the table, and returns the failures."""
    path = f"{hub_layout.COURSE}/notebooks/{lesson}.ipynb"
    for learner in learners:
        await learner.__aenter__()
    try:
        start, before = time.monotonic(), seconds(process)
        done = await asyncio.gather(*(learn(one, path, start) for one in learners), return_exceptions=True)
        of_the_hub = (seconds(process) - before) / len(learners)
        lessons = [one for one in done if isinstance(one, Lesson)]
        failures = [repr(one) for one in done if not isinstance(one, Lesson)]
        failures += [f"{one.errors} cells raised" for one in lessons if one.errors]
        if not lessons:
            sys.exit("\n".join(failures))
        back = await killed_at_work(learners[0], path)
        kept = await killed_while_saving(learners[-1], path)
    finally:
        for learner in learners:
            await learner.__aexit__()
    print(row(len(learners), lessons, of_the_hub, len(failures), back, kept), flush=True)
    return failures


COLUMNS = {  # and how wide each is
    "learners": 8, "first: mean": 13, "slowest": 9, "core": 7, "done: mean": 13, "slowest ": 9, "core ": 7,
    "hub": 7, "MB": 6, "failures": 10, "back": 7, "whole": 7,
}  # fmt: skip


def row(size, lessons, of_the_hub, failures, back, kept):
    first, first_core, done, done_core, memory, _ = zip(*((*vars(one).values(),) for one in lessons), strict=True)
    numbers = [mean(first), max(first), mean(first_core), mean(done), max(done), mean(done_core)]
    rounded = [f"{number:.1f}" for number in numbers]
    return line([size, *rounded, f"{of_the_hub:.2f}", max(memory), failures, f"{back:.0f}", kept])


def line(texts):
    return "".join(f"{str(text).strip():>{width}}" for text, width in zip(texts, COLUMNS.values(), strict=True))


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("learners", nargs="*", type=int, default=[2, 4, 8])
    parser.add_argument("--lesson", default="02_formula")
    parser.add_argument("--threads", type=int, default=1, help="of NumPy and PyTorch, in each kernel")
    asked = parser.parse_args(arguments)
    hub.install()
    print(line(COLUMNS), flush=True)
    failures = []
    for size in asked.learners:
        with tempfile.TemporaryDirectory() as name:
            folder, port = Path(name), free_ports()
            with hub.running(folder, port, asked.threads) as (process, password):
                learners = [Learner(f"learner-{size}-{number}", folder, port, password) for number in range(size)]
                failures += asyncio.run(a_class(learners, asked.lesson, psutil.Process(process.pid)))
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main(sys.argv[1:])
