"""Try the class before the class: a JupyterHub on this machine alone, that hands out the course (`make hub`).

Learners log in by the link that is printed, each with a name of their own and the one password; nbgitpuller copies the
course into their home, as TEACHING.md says, and the settings of tools/hosted/ hold. Ctrl-C stops everything.

    build/hub/class/      what is handed out: a git repository: these lessons, without the answers to predictions
    build/hub/learners/   the learners' homes; they stay when the hub stops, and go with `make clean`
    build/hub/proxy/      configurable-http-proxy, by npm

    python tools/hub.py --port 8000     the next two ports are taken as well

It answers on 127.0.0.1 only. All learners are processes of your own account: it is for a trial, not for a class.
"""

import argparse
import importlib.util
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

import my_notebooks

ROOT = Path(__file__).resolve().parent.parent
HUB = ROOT / "build" / "hub"
HERE = "127.0.0.1"
PROXY = "configurable-http-proxy"
PROXY_VERSION = "5.3.0"
CONFIG = "jupyterhub_config.json"
BRANCH = "class"
COURSE = "course"  # the folder in each learner's home
# What each file of tools/hosted/ is called in a folder of settings that stands before all others.
HOSTED = {
    "jupyter_server_config.json": "jupyter_server_config.json",
    "overrides.json": "labconfig/default_setting_overrides.json",
    "page_config.json": "labconfig/page_config.json",
}


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--port", type=int, default=8000)
    port = parser.parse_args(arguments).port
    refuse_unusable_machine(port)
    install()
    password = lay_out(HUB, port)
    print(f"A JupyterHub for this machine alone; Ctrl-C stops it. In half a minute, open\n\n    {link(HUB, port)}\n")
    print(f"and log in with any name, and the password {password}. Learners' folders: {HUB / 'learners'}", flush=True)
    os.chdir(HUB)
    os.execv(sys.executable, command(HUB))


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


def ports(port):
    """The hub's public door, the hub itself, and the door by which it talks to its proxy."""
    return range(port, port + 3)


def install():
    """What learners do not need: JupyterHub and what hands out, into this Python, and the proxy into build/."""
    if any(importlib.util.find_spec(name) is None for name in ("jupyterhub", "nbgitpuller")):
        print("Installing JupyterHub (seconds).", flush=True)
        pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, "--constraint", "constraints.txt", "--editable", ".[hub]"], cwd=ROOT, check=True)
    if not proxy().exists():
        print("Installing its proxy (seconds).", flush=True)
        npm = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", str(HUB / "proxy")]
        subprocess.run([*npm, f"{PROXY}@{PROXY_VERSION}"], check=True)


def proxy():
    return HUB / "proxy" / "node_modules" / ".bin" / PROXY


def lay_out(folder, port, threads=1):
    """Bring the hub's folder up to date; what learners wrote stays. Returns the password, new at each start."""
    (folder / "learners").mkdir(parents=True, exist_ok=True)
    hand_out(folder / "class")
    for name, place in HOSTED.items():
        target = folder / "settings" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "tools" / "hosted" / name, target)
    password = secrets.token_hex(4)
    config = folder / CONFIG
    config.touch(mode=0o600)
    config.write_text(json.dumps(configuration(folder, port, password, threads), indent=1), encoding="utf-8")
    return password


def hand_out(folder):
    """The branch for the class, as TEACHING.md has a teacher make it, from the course as it stands here."""
    git = ("git", "-C", folder, "-c", "user.name=teacher", "-c", "user.email=teacher@localhost")
    if not (folder / ".git").exists():
        subprocess.run(["git", "init", "--quiet", f"--initial-branch={BRANCH}", folder], check=True)
    for name in ("notebooks", "pe_lib"):  # the lessons, and what they link to
        shutil.rmtree(folder / name, ignore_errors=True)
    shutil.copytree(ROOT / "pe_lib", folder / "pe_lib", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "notebooks").mkdir()
    for lesson in my_notebooks.COURSE.glob("*.ipynb"):  # and no other file: a teacher may have tried the test there
        my_notebooks.hand_out(lesson, folder / "notebooks" / lesson.name)
    subprocess.run([*git, "add", "--all"], check=True)
    if subprocess.run([*git, "diff", "--cached", "--quiet"]).returncode:
        subprocess.run([*git, "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", "A new version"], check=True)


def page(folder):
    """The page of a learner's server that fetches the course and opens lesson 00: the end of nbgitpuller's link."""
    lesson = f"lab/tree/{COURSE}/notebooks/{my_notebooks.FIRST_LESSON}"
    place = (folder / "class").as_uri()
    return "git-pull?" + urlencode({"repo": place, "branch": BRANCH, "targetpath": COURSE, "urlpath": lesson})


def link(folder, port):
    """What learners get by mail; with your own hub's address it is the link in TEACHING.md."""
    return f"http://{HERE}:{port}/hub/user-redirect/{page(folder)}"


def configuration(folder, port, password, threads=1):
    """JupyterHub's own settings, as its JSON file holds them."""
    public, hub, api = (f"http://{HERE}:{number}" for number in ports(port))
    root = ["--allow-root"] if os.geteuid() == 0 else []  # as in a container, where Jupyter would refuse to start
    return {
        "JupyterHub": {
            "bind_url": public,
            "hub_bind_url": hub,
            "spawner_class": "simple",
            "authenticator_class": "shared-password",
            "db_url": f"sqlite:///{folder / 'jupyterhub.sqlite'}",
            "cookie_secret_file": str(folder / "cookie_secret"),
            "log_level": "ERROR",
        },
        "ConfigurableHTTPProxy": {
            "api_url": api,
            "command": [str(proxy())],
            "log_level": "error",
            "pid_file": str(folder / "proxy.pid"),
        },
        # A name becomes a folder.
        "Authenticator": {"allow_all": True, "username_pattern": "[a-z0-9][a-z0-9_-]*$"},
        "SharedPasswordAuthenticator": {"user_password": password},
        "Spawner": {
            "ip": HERE,
            "cmd": [sys.executable, "-m", "jupyterhub.singleuser"],
            "args": ["--log-level=WARN", *root],
            "default_url": f"/{page(folder)}",
            # Else NumPy takes a thread for every core, in each learner's kernel, and they wait for each other:
            # `python benchmarks/hub.py --threads 2` shows it on two cores.
            "environment": {"JUPYTER_CONFIG_PATH": str(folder / "settings"), "OMP_NUM_THREADS": str(threads)},
            "start_timeout": 600,  # a small machine that many come to at once
            "http_timeout": 600,
        },
        "SimpleLocalProcessSpawner": {"home_dir_template": str(folder / "learners" / "{username}")},
    }


def command(folder):
    return [sys.executable, "-m", "jupyterhub", "--config", str(folder / CONFIG)]


if __name__ == "__main__":
    main(sys.argv[1:])
