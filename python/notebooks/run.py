"""Runs the notebooks from beginning to end. If a folder is given, writes them there with their outputs."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent

for path in sorted(FOLDER.glob("*.ipynb")):
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()
    shown = sum(len(cell.get("outputs", [])) for cell in notebook.cells)
    print(f"{path.name}: {len(notebook.cells)} cells, {shown} outputs")
    if len(sys.argv) > 1:
        nbformat.write(notebook, Path(sys.argv[1]) / path.name)
