"""Where a lesson can be run, and the copy of it to download: what its page offers to who wants to do more than read."""

from pathlib import Path, PurePosixPath

import links
import nbformat


def places_to_run(root: Path, file: PurePosixPath) -> dict[str, str]:
    """The links by which a lesson is run."""
    address = links.read_address(root)
    return {
        "binder": f"{links.link('Binder', address)}urlpath=lab/tree/{file}",
        "colab": f"{links.link('Colab', address)}{file}",
        "clone": links.link("clone", address),
        "pip": links.link("pip", address),
        "notebook": file.name,
    }


def public_address(root: Path) -> str:
    """Where the pages are on the web: what a shared link's picture needs."""
    owner, _, name = links.read_address(root)["repository"].partition("/")
    return f"https://{owner}.github.io/{name}/"


def to_download(path: Path) -> bytes:
    """The lesson without outputs: they show what is to be predicted, and would make the export too large to mail."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
    return (nbformat.writes(notebook).rstrip("\n") + "\n").encode()
