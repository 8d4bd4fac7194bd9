"""Try the class before the class: a JupyterHub on this machine alone, that hands out the course (`make hub`).

Learners log in by the link that is printed, each with a name of their own and the one password; nbgitpuller copies the
course into their home, as docs/hosting.md says, and the settings of tools/hosted/ hold. Ctrl-C stops everything.

    build/hub/class/      what is handed out: these lessons, without the answers to predictions, as a git repository
    build/hub/learners/   the learners' homes; they stay when the hub stops, and go with `make clean`
    build/hub/proxy/      configurable-http-proxy, by npm
    build/hub/log         what the hub and the learners' servers say

    python tools/hub.py --port 8000     the next two ports are taken as well

It answers on 127.0.0.1 only. All learners are processes of your own account: it is for a trial, not for a class.
"""

import argparse
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

from hub_layout import CONFIG, HERE, PROXY, ROOT, lay_out, link, ports

HUB = ROOT / "build" / "hub"
PROXY_VERSION = "5.3.0"
PATIENCE = 600  # seconds that the hub may take to start


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--port", type=int, default=8000)
    port = parser.parse_args(arguments).port
    refuse_unusable_machine(port)
    install()
    for signalled in (signal.SIGTERM, signal.SIGHUP):  # a closed window stops the learners' servers, too
        signal.signal(signalled, lambda *_: sys.exit())
    print("Starting JupyterHub (seconds).", flush=True)
    try:
        with running(HUB, port) as (process, password):
            print(f"Log in with any name, and the password {password}, at\n\n    {link(HUB, port)}\n")
            print("It answers this machine alone, and Ctrl-C stops it.", flush=True)
            process.wait()
            sys.exit(f"The hub has stopped by itself: see {HUB / 'log'}.")
    except KeyboardInterrupt:
        print(f"\nStopped. What the learners wrote stays in {HUB / 'learners'}.")


def refuse_unusable_machine(port):
    """One line for what is missing, or taken."""
    if os.name == "nt":
        sys.exit("JupyterHub needs Linux or macOS; on Windows, use the Windows Subsystem for Linux.")
    if shutil.which("git") is None:
        sys.exit("No git here, with which learners fetch the course: install it, then try again.")
    if shutil.which("npm") is None or shutil.which("node") is None:
        sys.exit("No npm here: JupyterHub's proxy is a program for Node.js. Install Node.js 22 or newer, with npm.")
    for number in ports(port):
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind((HERE, number))
            except (OSError, OverflowError) as error:
                sys.exit(f"Port {number} cannot be taken ({error}): choose another, as in `make PORT=9000 hub`.")


def install():
    """What learners do not need: JupyterHub and what hands out, into this Python, and the proxy into build/."""
    if any(importlib.util.find_spec(name) is None for name in ("jupyterhub", "nbgitpuller")):
        print("Installing JupyterHub (seconds).", flush=True)
        pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, "--constraint", "constraints.txt", "--editable", ".[hub]"], cwd=ROOT, check=True)
    if not PROXY.exists():
        print("Installing its proxy (seconds).", flush=True)
        npm = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", str(HUB / "proxy")]
        subprocess.run([*npm, f"{PROXY.name}@{PROXY_VERSION}"], check=True)


@contextmanager
def running(folder, port, threads=1):
    """A hub in a folder, until the end of the block: its process, and the password of all learners."""
    password = lay_out(folder, port, threads)
    command = [sys.executable, "-m", "jupyterhub", "--config", str(folder / CONFIG)]
    with open(folder / "log", "w", encoding="utf-8") as log:
        # In a session of its own: Ctrl-C is for us, and JupyterHub is then asked to stop its proxy and all servers.
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, start_new_session=True)
        try:
            wait_for(process, port, folder)
            yield process, password
        finally:
            process.terminate()
            process.wait()


def wait_for(process, port, folder):
    """The proxy opens its door first; until the hub stands behind it, what comes is an error."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < end:
        try:
            return direct.open(f"http://{HERE}:{port}/hub/login", timeout=PATIENCE).close()
        except OSError:
            time.sleep(0.1)
    sys.exit("The hub did not start:\n" + (folder / "log").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main(sys.argv[1:])
