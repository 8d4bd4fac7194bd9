"""What `make hub` (tools/hub.py) lays out in its folder: what is handed out, the settings, and what JupyterHub is told.

Nothing is installed or started here, and what learners wrote stays.
"""

import json
import os
import secrets
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

import my_notebooks

ROOT = Path(__file__).resolve().parent.parent
HERE = "127.0.0.1"
PROXY = ROOT / "build" / "hub" / "proxy" / "node_modules" / ".bin" / "configurable-http-proxy"
CONFIG = "jupyterhub_config.json"
BRANCH = "class"
COURSE = "course"  # the folder in each learner's home
# What each file of tools/ is called in a folder of settings that stands before all others.
HOSTED = {
    "hosted/jupyter_server_config.py": "jupyter_server_config.py",
    "lab/custom.css": "custom/custom.css",
    "hosted/overrides.json": "labconfig/default_setting_overrides.json",
    "hosted/page_config.json": "labconfig/page_config.json",
}


def lay_out(folder, port, threads=1):
    """Bring the hub's folder up to date; what learners wrote stays. Returns the password, new at each start."""
    (folder / "learners").mkdir(parents=True, exist_ok=True)
    hand_out(folder / "class")
    for name, place in HOSTED.items():
        target = folder / "settings" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "tools" / name, target)
    password = secrets.token_hex(4)
    config = folder / CONFIG
    config.touch(mode=0o600)
    config.write_text(json.dumps(configuration(folder, port, password, threads), indent=1), encoding="utf-8")
    return password


def hand_out(folder):
    """The branch for the class, as docs/hosting.md has a teacher make it, from the course as it stands here."""
    git = ("git", "-C", folder, "-c", "user.name=teacher", "-c", "user.email=teacher@localhost")
    if not (folder / ".git").exists():
        subprocess.run(["git", "init", "--quiet", f"--initial-branch={BRANCH}", folder], check=True)
    shutil.rmtree(folder / "notebooks", ignore_errors=True)
    for name in ("pe_lib", "pe_clinic", "pe_course"):  # what the lessons link to
        shutil.rmtree(folder / name, ignore_errors=True)
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "notebooks").mkdir()
    for lesson in my_notebooks.COURSE.glob("*.ipynb"):  # and no other file: a teacher may have tried the test there
        my_notebooks.hand_out(lesson, folder / "notebooks" / lesson.name)
    subprocess.run([*git, "add", "--all"], check=True)
    if subprocess.run([*git, "diff", "--cached", "--quiet"]).returncode:
        subprocess.run([*git, "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", "A new version"], check=True)


def ports(port):
    """The hub's public door, the hub itself, and the door by which it talks to its proxy."""
    return range(port, port + 3)


def page(folder):
    """The page of a learner's server that fetches the course and opens lesson 00: the end of nbgitpuller's link."""
    lesson = f"lab/tree/{COURSE}/notebooks/{my_notebooks.FIRST_LESSON}"
    place = (folder / "class").as_uri()
    return "git-pull?" + urlencode({"repo": place, "branch": BRANCH, "targetpath": COURSE, "urlpath": lesson})


def link(folder, port):
    """What learners get by mail; with your own hub's address it is the link in docs/hosting.md."""
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
            "log_level": "WARN",
        },
        "ConfigurableHTTPProxy": {
            "api_url": api,
            "command": [str(PROXY)],
            "log_level": "warn",
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
