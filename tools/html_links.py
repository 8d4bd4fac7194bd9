"""The links of the exported pages: between pages of the export instead of between files of the repository."""

import base64
import mimetypes
import os
import posixpath
import re
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from bs4 import BeautifulSoup

README = PurePosixPath("README.md")


class BadLink(ValueError):
    """A link that leads nowhere in the export."""


def page_of(file: PurePosixPath) -> PurePosixPath:
    """Where the export shows a file of the repository."""
    if file == README:
        return PurePosixPath("index.html")
    is_text = file.suffix in (".ipynb", ".md")
    return file.with_suffix(".html") if is_text else file.with_name(f"{file.name}.html")


def relink(root: Path, file: PurePosixPath, soup: BeautifulSoup) -> list[PurePosixPath]:
    """Point the links of a page to pages of the export, put its pictures into it, and return the files linked to."""
    for image in soup("img"):
        if is_outside(image["src"]):
            image.replace_with(image["alt"])  # a badge, for example: without a network its words remain
        elif not image["src"].startswith("data:"):
            image["src"] = data_url(root / resolve(root, file, image["src"]))
    linked = {}  # a dictionary for its order, and to hold each file once
    for anchor in soup.main("a", href=True):
        path, hash_sign, heading = anchor["href"].partition("#")
        if path and not is_outside(path) and not anchor.has_attr("download"):
            target = resolve(root, file, path)
            anchor["href"] = relative(page_of(target), page_of(file)) + hash_sign + heading
            linked[target] = None
    return list(linked)


def is_outside(link: str) -> bool:
    return re.match(r"(https?|mailto):", link) is not None


def resolve(root: Path, file: PurePosixPath, link: str) -> PurePosixPath:
    """The file of the repository that a link on a page means; for a folder its __init__.py."""
    target = Path(os.path.normpath(root / file.parent / unquote(link)))
    if target.is_dir():
        target /= "__init__.py"
    if not (target.is_relative_to(root) and target.is_file()):
        raise BadLink(f"the link {link} leads to no file of the course")
    return PurePosixPath(target.relative_to(root).as_posix())


def relative(target: PurePosixPath, start: PurePosixPath) -> str:
    return posixpath.relpath(target, start.parent)


def data_url(path: Path) -> str:
    kind, _ = mimetypes.guess_type(path)
    return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"
