"""The same widgets elsewhere: the board in Notebook 7, the odds lab and the question trainer as pages of voila."""

from __future__ import annotations

import importlib.util
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Request, expect
from playwright.sync_api import TimeoutError as TookTooLong

from tests import browser
from tests.conftest import ROOT, unavailable
from tests.test_browser import unfold_the_first_solution
from tests.test_browser_widgets import DUEL, serious

FONTS = re.compile(r"https://cdn\.jsdelivr\.net/npm/@fortawesome/")  # voila asks for them, and does without

ITS_OWN = "page: Cannot read properties of undefined (reading 'schema')"  # Notebook 7.6 with an empty notebook, too


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    if browser.chromium() is None:
        unavailable("no Chromium is installed; on Debian: apt-get install chromium fonts-dejavu-core")
    with browser.browser(tmp_path_factory.mktemp("profile")) as context:
        yield context


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of voila over the pages."""
    if importlib.util.find_spec("voila") is None:
        unavailable("voila is not installed: pip install voila")
    folder = tmp_path_factory.mktemp("voila")
    shutil.copytree(ROOT / "notebooks" / "pages", folder / "pages")
    with browser.voila(folder / "pages") as address:
        yield address


def visit(context: BrowserContext, address: str, problems: list[str]) -> Page:
    """Open a page, and note what fails in it and what it asks of other machines."""

    def asked(request: Request) -> None:
        if not request.url.startswith(("http://127.0.0.1:", "data:", "blob:")) and not FONTS.match(request.url):
            problems.append(f"request to somewhere else: {request.url}")

    page = context.new_page()
    page.on("request", asked)
    page.on("pageerror", lambda error: problems.append(f"page: {error}"))
    page.goto(address)
    page.locator(".rk-panel").first.wait_for()
    return page


def test_the_odds_lab_is_a_page(context: BrowserContext, pages: str) -> None:
    problems: list[str] = []
    page = visit(context, f"{pages}/voila/render/odds-lab.ipynb", problems)
    chart = page.get_by_role("table", name="land milled at the end of turn 1")
    for name, value in {"Each turn": "", "Once": "mill 10", "up to turn": "1"}.items():
        page.get_by_label(name, exact=True).fill(value)
        page.get_by_label(name, exact=True).press("Tab")
    row = chart.get_by_role("row", name=re.compile("watch a game with land 4"))

    expect(row).to_contain_text("27.5 %")
    page.get_by_label("Trials", exact=True).fill("20000")
    page.get_by_role("button", name="Simulate").click()
    expect(chart).to_contain_text("simulated")
    chart.get_by_role("button", name="watch a game with land 4").click()
    expect(page.locator(".rk-board .rk-title")).to_contain_text("land milled is 4 at the end of turn 1")
    found = serious(page)
    page.close()
    assert [] == found
    assert [] == problems


def test_the_question_trainer_is_a_page(context: BrowserContext, pages: str) -> None:
    problems: list[str] = []
    page = visit(context, f"{pages}/voila/render/question-trainer.ipynb", problems)
    page.get_by_label("Topic", exact=True).select_option("gift")
    page.get_by_label("Rule, such as 701.17").fill("702.174g")
    page.get_by_label("Rule, such as 701.17").press("Tab")
    expect(page.locator(".rk-panel").first).to_contain_text("decided by rule 702.174g")
    page.get_by_role("button", name="Show what happens").click()
    expect(page.locator(".rk-score")).to_contain_text("1 of")
    board = page.locator(".rk-board").first
    board.locator(".rk-forward").click()
    expect(board.get_by_role("status")).to_contain_text(re.compile("Step [2-9] of"))
    other = board.locator(".rk-option:not([aria-current])")
    for _ in range(30):
        if other.count():
            break
        board.locator(".rk-forward").click()
    other.first.click()
    expect(board.locator(".rk-lines option")).to_have_count(2)
    board.get_by_role("button", name="Save as scenario").click()
    expect(board.get_by_role("textbox", name="scenario.yaml")).to_have_value(re.compile("recorded"))
    expect(board.get_by_role("alert")).to_be_hidden()
    found = serious(page)
    page.get_by_role("button", name="Another round").click()
    expect(page.locator(".rk-score")).to_contain_text("0 of 0 predictions right")
    page.close()
    assert [] == found
    assert [] == problems


def test_voila_tells_what_pages_there_are(context: BrowserContext, pages: str) -> None:
    page = context.new_page()
    page.goto(pages)
    listed = page.get_by_text("odds-lab.ipynb")
    for _ in range(3):  # voila's file browser now and then stays empty until the page is loaded anew
        if not appears(listed):
            page.reload()
    expect(listed).to_be_visible()
    expect(page.get_by_text("question-trainer.ipynb")).to_be_visible()
    page.close()


def appears(locator: Locator) -> bool:
    """Tell whether something comes to be seen in the page."""
    try:
        locator.wait_for(timeout=20_000)
    except TookTooLong:
        return False
    return True


def test_the_board_is_played_in_notebook_7(context: BrowserContext, tmp_path: Path) -> None:
    if importlib.util.find_spec("notebook") is None:
        unavailable("Jupyter Notebook is not installed: pip install notebook")
    import nbformat

    from tests.notebooks import METADATA

    cells = [nbformat.v4.new_code_cell(DUEL)]
    nbformat.write(nbformat.v4.new_notebook(metadata=METADATA, cells=cells), tmp_path / "duel.ipynb")
    with browser.notebook7(tmp_path) as address:
        notebook = browser.Notebook.open(context, address, "duel.ipynb", place="notebooks")
        notebook.run_all()
        board = notebook.page.locator(".rk-board").first
        status = board.get_by_role("status")
        board.locator(".rk-start").focus()
        notebook.page.keyboard.press("ArrowRight")
        expect(status).to_contain_text("Step 2 of 2: Bob mills 1 card: Island (701.17a)")
        board.get_by_role("button", name="cast Lightning Bolt").click()
        expect(status).to_contain_text("Step 3 of 3: Alice begins to cast Lightning Bolt")
        board.locator(".rk-back").click()
        board.get_by_role("button", name="everybody passes").click()
        expect(board.locator(".rk-lines option")).to_have_count(2)
        board.get_by_role("button", name="Save as scenario").click()
        expect(board.get_by_role("textbox", name="scenario.yaml")).to_have_value(re.compile("mill: 1"))
        found = serious(notebook.page)
        notebook.page.close()
    assert [] == found
    assert [] == [problem for problem in notebook.problems if problem != ITS_OWN]


def test_a_whole_notebook_runs_and_its_solutions_unfold_in_notebook_7(context: BrowserContext, tmp_path: Path) -> None:
    if importlib.util.find_spec("notebook") is None:
        unavailable("Jupyter Notebook is not installed: pip install notebook")
    shutil.copy(ROOT / "notebooks" / "01-milling.ipynb", tmp_path)
    with browser.notebook7(tmp_path) as address:
        notebook = browser.Notebook.open(context, address, "01-milling.ipynb", place="notebooks")
        notebook.run_all()
        found = serious(notebook.page)
        unfold_the_first_solution(notebook.page)
        notebook.page.close()
    assert [] == found
    assert [] == [problem for problem in notebook.problems if problem != ITS_OWN]
