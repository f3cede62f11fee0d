"""What nbval does not look at: a notebook without outputs passes it with nothing compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from tests.conftest import ROOT
from tests.notebooks import METADATA, VIEW

FOLDER = ROOT / "notebooks"
BOOKS = sorted(FOLDER.glob("**/*.ipynb"))
NOT_COMPARED = {"nbval-ignore-output", "nbval-skip"}
LARGEST = 400 * 1024
LONGEST_CELL = 10
SOLUTION = "<details><summary>Solution</summary>"
FOLDED = {"source_hidden": True, "outputs_hidden": True}


@pytest.fixture(scope="module", params=BOOKS, ids=lambda path: path.name)
def book(request: pytest.FixtureRequest) -> NotebookNode:
    return nbformat.read(request.param, as_version=4)


def code(book: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in book.cells if cell.cell_type == "code"]


def prose(book: NotebookNode) -> list[str]:
    return [cell.source for cell in book.cells if cell.cell_type == "markdown"]


def tags(cell: NotebookNode) -> set[str]:
    return set(cell.metadata.get("tags", []))


def data(cell: NotebookNode) -> Iterator[NotebookNode]:
    yield from (output.data for output in cell.outputs if "data" in output)


def texts(cell: NotebookNode) -> list[str]:
    streams = [output.text for output in cell.outputs if output.output_type == "stream"]
    return streams + [text for each in data(cell) for kind, text in each.items() if kind.startswith("text/")]


def test_every_cell_ran_once_from_top_to_bottom(book: NotebookNode) -> None:
    cells = code(book)

    assert list(range(1, len(cells) + 1)) == [cell.execution_count for cell in cells]


def test_nine_of_ten_outputs_are_compared_and_a_number_is_among_them(book: NotebookNode) -> None:
    shown = [cell for cell in code(book) if cell.outputs]
    compared = [cell for cell in shown if not NOT_COMPARED & tags(cell)]

    assert shown, "no output is stored, so nothing would be compared"
    assert 0.9 * len(shown) <= len(compared)
    assert any(re.search(r"\d", text) for cell in compared for text in texts(cell)), "no number is compared"


def test_no_cell_failed_or_warned(book: NotebookNode) -> None:
    for cell in code(book):
        errors = [output.ename for output in cell.outputs if output.output_type == "error"]
        warned = [output.text for output in cell.outputs if output.get("name") == "stderr"]

        assert not errors or "raises-exception" in tags(cell), errors
        assert not warned, warned
        assert not any("UsageError" in text for text in texts(cell)), "a magic failed, the rest of its cell never ran"


def test_nothing_is_stored_that_changes_by_itself(book: NotebookNode) -> None:
    for cell in code(book):
        assert not cell.source.rstrip().endswith(";"), "what a semicolon hides in a browser is shown to nbval"
        assert not [text for text in texts(cell) if re.search(r"\bat 0x[0-9a-f]{6,}", text)], "an address of an object"
        assert not any("image/svg+xml" in each for each in data(cell)), "SVG as an output is compared byte by byte"


def test_only_the_name_of_the_kernel_is_stored_about_the_machine(book: NotebookNode) -> None:
    assert METADATA == book.metadata
    assert not [cell.metadata for cell in book.cells if set(cell.metadata) - {"tags", "jupyter"}]


def test_what_a_widget_shows_can_be_read_without_a_kernel(book: NotebookNode) -> None:
    for cell in code(book):
        for each in data(cell):
            assert VIEW not in each, f"cell {cell.execution_count}: a live view is stored, not its still form"


def test_cells_are_short(book: NotebookNode) -> None:
    long = [cell.source for cell in code(book) if len(cell.source.strip().splitlines()) > LONGEST_CELL]

    assert [] == long


@pytest.mark.parametrize("path", [book for book in BOOKS if book.parent == FOLDER], ids=lambda path: path.name)
def test_each_notebook_lets_one_predict_change_and_exercise(path: Path) -> None:
    text = "\n".join(prose(nbformat.read(path, as_version=4)))

    assert "**Predict" in text
    assert "**Now change this.**" in text
    assert 3 <= text.count("**Exercise") == len(re.findall(r"<details><summary>Solution</summary>\n\n", text))


@pytest.mark.parametrize("path", [book for book in BOOKS if book.parent == FOLDER], ids=lambda path: path.name)
def test_the_code_of_each_solution_is_folded_and_holds_what_the_solution_says(path: Path) -> None:
    cells = nbformat.read(path, as_version=4).cells
    solutions = [after for before, after in pairwise(cells) if SOLUTION in before.source]

    assert 3 <= len(solutions)
    assert all("assert" in cell.source for cell in solutions)
    assert not [cell.outputs for cell in solutions if cell.outputs], "it would stand below the folded cell, once run"
    assert solutions == [cell for cell in cells if cell.metadata.get("jupyter") == FOLDED]
    assert all("press its three dots to unfold" in cell.source for cell in cells if SOLUTION in cell.source)


def test_headings_go_down_one_level_at_a_time_from_one_title(book: NotebookNode) -> None:
    text = "\n".join(re.sub(r"```.*?```", "", each, flags=re.DOTALL) for each in prose(book))
    levels = [len(signs) for signs in re.findall(r"^(#+) ", text, flags=re.MULTILINE)]

    assert levels
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels)), levels


def test_every_picture_has_a_text_in_its_place(book: NotebookNode) -> None:
    shown = [text for cell in code(book) for each in data(cell) for text in [each.get("text/html", "")]]

    for text in prose(book) + shown:
        assert not re.search(r"!\[\s*\]\(", text)
        assert not re.search(r'<img(?![^>]*\balt="[^"]+")', text)
    for cell in code(book):
        assert not [each for each in data(cell) if "image/png" in each and "alt=" not in each.get("text/html", "")]


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.name)
def test_a_notebook_is_small(path: Path) -> None:
    assert path.stat().st_size <= LARGEST
