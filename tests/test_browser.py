"""JupyterLab in Chromium: the notebooks run there, the board can be used, and nothing fails in page or kernel."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import Notebook, started
from tests.conftest import ROOT
from tests.desk import Desk
from tests.test_browser_widgets import serious

BOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
COUNTER = """\
import ipywidgets

pressed = ipywidgets.HTML("0")
button = ipywidgets.Button(description="Mill three")
button.on_click(lambda _: setattr(pressed, "value", f"<b class='rk-pressed'>{int(6 / 2)}</b>"))
ipywidgets.VBox([button, pressed])"""
OUTSIDE = """\
from IPython.display import HTML

HTML("<img src='http://example.org/a.png'>")"""
FAILING_BUTTON = """\
import ipywidgets

button = ipywidgets.Button(description="Fail")
button.on_click(lambda _: 1 // 0)
button"""
FAILING_CELL = "{}['no such zone']"


pytestmark = pytest.mark.usefixtures("page_closed_afterwards")


def test_a_widget_answers_to_its_button(desk: Desk) -> None:
    notebook = desk.write("counter.ipynb", COUNTER)

    notebook.run_all()
    notebook.page.get_by_role("button", name="Mill three").click()

    expect(notebook.page.locator(".rk-pressed")).to_have_text("3")
    assert [] == notebook.problems


def test_whatever_fails_in_page_or_kernel_is_noticed(desk: Desk) -> None:
    notebook = desk.write("failing.ipynb", OUTSIDE, FAILING_BUTTON, FAILING_CELL)

    notebook.run_all()
    assert notebook.told_of("example.org")
    assert notebook.told_of("KeyError")
    assert not notebook.told_of("ZeroDivisionError", seconds=0)

    notebook.page.get_by_role("button", name="Fail", exact=True).click()
    assert notebook.told_of("ZeroDivisionError")


@pytest.mark.parametrize("name", BOOKS)
def test_each_notebook_runs(desk: Desk, name: str) -> None:
    notebook = desk.open(f"notebooks/{name}")

    notebook.run_all()

    assert [] == serious(notebook.page)
    assert [] == notebook.problems


@pytest.mark.skipif(os.name == "nt", reason="the browser that writes the address down is a shell script")
def test_a_newcomer_answers_the_first_question_without_typing_code(desk: Desk, tmp_path: Path) -> None:
    """From `python3 start.py` on: it opens the first notebook; Run All, a choice, a button."""
    with started(tmp_path) as address:
        page = desk.context.new_page()
        notebook = Notebook(page)
        notebook.watch()
        page.goto(address)
        notebook.wait()
        notebook.run_all()
        page.get_by_label("Your prediction: has Bob lost?").first.select_option("yes")
        page.get_by_role("button", name="Show what happens").first.click()

        expect(page.get_by_role("status").filter(has_text="has Bob lost")).to_contain_text("(right)")
        page.close()
    assert [] == notebook.problems


def unfold_the_first_solution(page: Page) -> None:
    """Open a solution, then its cell; both are folded before."""
    folded = page.locator(".jp-CodeCell").filter(has=page.locator(".jp-Placeholder")).first
    cell = page.locator(".jp-CodeCell[data-solution]")
    folded.evaluate("cell => cell.dataset.solution = ''")  # it stays the one that is meant when it is unfolded
    expect(cell).to_contain_text("The solution in code")
    expect(cell).not_to_contain_text("assert")
    page.get_by_text("Solution", exact=True).first.click()
    told = page.locator(".jp-RenderedMarkdown details p", has_text="press its three dots to unfold")
    expect(told.first).to_be_visible()
    cell.locator(".jp-Placeholder-content").first.click()
    expect(cell.locator(".cm-content")).to_contain_text("assert")


def test_a_solution_and_its_code_are_folded_until_they_are_unfolded(desk: Desk) -> None:
    notebook = desk.open("notebooks/01-milling.ipynb")
    notebook.run_all()
    unfold_the_first_solution(notebook.page)

    assert [] == notebook.problems


def test_the_board_of_the_milling_notebook_goes_forward_and_back(desk: Desk) -> None:
    notebook = desk.open("notebooks/01-milling.ipynb")
    notebook.run_all()
    board = notebook.page.locator(".rk-board").filter(has=notebook.page.locator(".rk-forward")).first
    before = board.inner_text()

    board.locator(".rk-forward").first.click()
    expect(board).not_to_have_text(before, use_inner_text=True)
    board.locator(".rk-back").first.click()
    expect(board).to_have_text(before, use_inner_text=True)

    assert [] == notebook.problems
