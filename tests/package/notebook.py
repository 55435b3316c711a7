"""Runs a notebook to its end and keeps its pictures: notebook.py NOTEBOOK FOLDER. Needs nbclient and ipykernel."""
import pathlib
import sys
import tempfile

import nbclient
import nbformat


def main(notebook, folder):
    pages = nbformat.read(notebook, as_version=4)
    with tempfile.TemporaryDirectory() as place:
        nbclient.NotebookClient(pages, timeout=300, resources={"metadata": {"path": place}}).execute()
    pictures = [output["data"]["image/svg+xml"] for cell in pages.cells for output in cell.get("outputs", [])
                if "image/svg+xml" in output.get("data", {})]
    for number, picture in enumerate(pictures, 1):
        pathlib.Path(folder, f"{pathlib.Path(notebook).stem}-{number}.svg").write_text(picture, encoding="utf-8")
    shown = [cell for cell in pages.cells if cell.cell_type == "code" and "warplens.render" in cell.source]
    assert len(pictures) == len(shown), f"{len(shown)} cells draw, {len(pictures)} pictures came"
    print(f"{len(pages.cells)} cells, {len(pictures)} pictures")


if __name__ == "__main__":
    main(*sys.argv[1:])
