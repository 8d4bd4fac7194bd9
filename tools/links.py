"""Write the course's public address into every link that holds it (`make links`).

docs/address.json is the one place where the address stands: the repository, its branch, and the JupyterHub of the
nbgitpuller link, if there is one. A repository that is not given is the one that this clone came from; a branch or a
hub that is not given stays as it was.

    python tools/links.py
    python tools/links.py ada/positions --branch 2027 --hub hub.example.edu

Standard library only.
"""

import argparse
import json
import re
import subprocess
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
ADDRESS = Path("docs/address.json")
PAGES = ("*.md", "docs/*.md", "CITATION.cff", ".github/ISSUE_TEMPLATE/*.yml", "notebooks/*.ipynb")
# The forms of link that hold the address. What comes after them, such as a lesson's name, is not touched.
FORMS = {
    "pages": "[Read the course](https://{owner}.github.io/{name}/)",
    "Binder": "https://mybinder.org/v2/gh/{repository}/{branch}?",
    "Colab": "https://colab.research.google.com/github/{repository}/blob/{branch}/",
    "nbgitpuller": "https://{hub}/hub/user-redirect/git-pull?repo=https%3A%2F%2Fgithub.com%2F{quoted}"
    "&branch={branch}&urlpath=lab%2Ftree%2F{name}%2F",
    "pip": "git+https://github.com/{repository}@{branch}",
    "clone": "https://github.com/{repository}.git",
    "ZIP": "https://github.com/{repository}/archive/refs/heads/{branch}.zip",
    "citation": 'repository-code: "https://github.com/{repository}"',
}
# What `git remote get-url` says of a repository on GitHub: https, ssh, and the short form of ssh.
ON_GITHUB = r"(?i:(?:\w+://)?(?:[^/@]+@)?(?:www\.|ssh\.)?github\.com)(?::\d+/|[:/])/?([\w.-]+/[\w.-]+?)(?:\.git)?/?"
# What may stand in a link that is rewritten. None ends in a full stop: that is the sentence's.
FOUND = {"repository": r"[\w.-]+/[\w.-]*[\w-]", "branch": r"[\w.-]*[\w-]", "hub": r"[\w.:-]*[\w-]"}
# What may be written. GitHub: 39 letters, digits and single hyphens, then 100 letters, digits, hyphens, points and
# underscores. A branch as git allows it, without a slash. A host as in RFC 1123, and a port.
OWNER = r"(?=.{1,39}/)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*"
NAME = r"(?!.*\.(?:git|wiki)$)[A-Za-z0-9._-]{0,99}[A-Za-z0-9_-]"
LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
PORT = r"(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])"
ALLOWED = {
    "repository": f"{OWNER}/{NAME}",
    "branch": r"(?![.-])(?!.*(?:\.\.|\.lock$))[A-Za-z0-9._-]{0,199}[A-Za-z0-9_-]",
    "hub": rf"(?=[^:]{{1,253}}(?::|$)){LABEL}(?:\.{LABEL})*(?::{PORT})?",
}


def read_address(root=ROOT):
    return json.loads((root / ADDRESS).read_text(encoding="utf-8"))


def origin(root=ROOT):
    """The owner/name on GitHub that this clone came from; a ValueError says what was found instead."""
    try:
        # Not of a repository around this folder, where a ZIP of the course may have been unpacked.
        command = ["git", "--git-dir", str(root / ".git"), "remote", "get-url", "origin"]
        url = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        raise ValueError("this folder has no origin that git knows") from None
    found = re.fullmatch(ON_GITHUB, url)
    if not found:
        raise ValueError(f"this clone's origin is not on GitHub: {re.sub('//[^/@]*@', '//', url)}")  # less a password
    return found[1]


def link(form, address):
    """The beginning of a link of that form."""
    repository = address["repository"]
    owner, _, name = repository.partition("/")
    return FORMS[form].format(**address, quoted=quote(repository, safe=""), owner=owner, name=name)


def pattern(form):
    """A regular expression for links of that form, whatever address they hold."""
    anything = {**FOUND, "quoted": r"[\w.-]+%2F[\w.-]+", "owner": r"[\w.-]+", "name": r"[\w.-]+"}
    return re.sub(r"\\{(\w+)\\}", lambda place: anything[place[1]], re.escape(FORMS[form]))


def pages(root=ROOT):
    return sorted(path for glob in PAGES for path in root.glob(glob))


def rewrite(address, root=ROOT):
    """Write the address into docs/address.json and every page; return the pages that changed."""
    changed = []
    for page in pages(root):
        before = after = page.read_bytes().decode()
        for form in FORMS:
            after = re.sub(pattern(form), lambda found, form=form: link(form, address), after)
        if after != before:
            page.write_bytes(after.encode())
            changed.append(page)
    (root / ADDRESS).write_bytes((json.dumps(address, indent=2) + "\n").encode())
    return changed


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("repository", nargs="?", help="owner/name on GitHub; else that of this clone's origin")
    parser.add_argument("--branch")
    parser.add_argument("--hub", help="host name of a JupyterHub")
    given = {name: value for name, value in vars(parser.parse_args(arguments)).items() if value}
    if "repository" not in given:
        try:
            given["repository"] = origin()
        except ValueError as problem:
            parser.error(f"{problem}; say where the course lives, as in `make links REPO=owner/name`")
    for name, value in given.items():
        if not re.fullmatch(ALLOWED[name], value, re.ASCII):
            example = {"repository": "owner/name", "branch": "main", "hub": "hub.example.edu"}[name]
            parser.error(f"{name} must look like {example}, but got {value!r}")
    address = {**read_address(), **given}
    changed = rewrite(address)
    print(f"Pages changed: {len(changed)}. Their links lead to {address['repository']}, branch {address['branch']}.")
    print(f"The link for nbgitpuller leads to the hub {address['hub']}.")


if __name__ == "__main__":
    main()
