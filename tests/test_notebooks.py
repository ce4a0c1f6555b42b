"""Every notebook runs from top to bottom, and is committed with the outputs that it has."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def kinds_of_output(cell):
    """What a cell shows: the kinds of data, text on the screen; no warnings."""
    assert all(output.get("name") != "stderr" for output in cell.outputs), cell.source
    return [sorted(output.get("data", {"stream": None})) for output in cell.outputs]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs_and_shows_what_was_committed(file):
    committed = nbformat.read(file, as_version=4)
    again = nbformat.read(file, as_version=4)
    NotebookClient(again, timeout=300, kernel_name="python3").execute()
    for old, new in zip(code_cells(committed), code_cells(again), strict=True):
        assert kinds_of_output(old) == kinds_of_output(new), old.source
        for before, after in zip(old.outputs, new.outputs, strict=True):
            assert before.get("data", {}).get("text/html") == after.get("data", {}).get("text/html")
            assert before.get("text") == after.get("text")


def test_the_first_notebook_shows_three_pictures():
    notebook = nbformat.read(NOTEBOOKS[0], as_version=4)
    pictures = [
        output
        for cell in code_cells(notebook)
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    ]
    assert len(pictures) == 3
