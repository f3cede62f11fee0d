"""JupyterLab in Chromium: the notebooks run there, the board can be used, and nothing fails in page or kernel."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import ROOT
from tests.desk import Desk

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
