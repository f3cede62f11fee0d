"""`python3 start.py notebooks`: outputs are stored so that a second run writes the same bytes."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest

from tests import notebooks

SHOWN_TWICE = """\
import ipywidgets

class Panel:
    def __init__(self):
        self.widget = ipywidgets.Button(description="Mill three")

    def _repr_mimebundle_(self, **_):
        return {**self.widget._repr_mimebundle_(), "text/html": "<p>Mill three</p>", "text/plain": "Mill three"}

Panel()"""
CHART = """\
import io
from IPython.display import Image
from matplotlib.figure import Figure

figure, file = Figure(), io.BytesIO()
figure.subplots().bar([0, 1], [0.25, 0.75])
figure.savefig(file, format="png")
Image(file.getvalue())"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A notebook as JupyterLab leaves it: run out of order, with what it notes about machine and time."""
    cells = [nbformat.v4.new_code_cell(source) for source in (SHOWN_TWICE, CHART, "print(sorted({'b', 'a'}))")]
    cells[0].execution_count = 41
    cells[0].metadata["execution"] = {"iopub.execute_input": "2026-01-01T00:00:00Z"}
    cells[2].metadata["tags"] = ["kept"]
    path = tmp_path / "book.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"widgets": {}}), path)
    return path


def test_a_second_run_writes_the_same_bytes(book: Path) -> None:
    assert notebooks.main(["--check", str(book)]) == 1
    assert notebooks.main(["--refresh", str(book)]) == 0
    first = book.read_bytes()
    assert notebooks.main(["--refresh", str(book)]) == 0

    assert first == book.read_bytes()
    assert notebooks.main(["--check", str(book)]) == 0


def test_what_is_stored_reads_without_a_kernel_and_says_nothing_about_the_machine(book: Path) -> None:
    node = json.loads(notebooks.refreshed(book))
    panel, chart, last = node["cells"]

    assert [1, 2, 3] == [cell["execution_count"] for cell in node["cells"]]
    assert {"text/html", "text/plain"} == set(panel["outputs"][0]["data"])
    assert "image/png" in chart["outputs"][0]["data"]
    assert {} == panel["metadata"]
    assert {"tags": ["kept"]} == last["metadata"]
    assert notebooks.METADATA == node["metadata"]


def test_a_failing_cell_is_an_error_and_nothing_is_stored(book: Path) -> None:
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 // 0")]), book)
    before = book.read_bytes()

    assert notebooks.main(["--refresh", str(book)]) == 1
    assert before == book.read_bytes()
