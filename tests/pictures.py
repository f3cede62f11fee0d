"""Make the pictures of the README anew: python -m tests.pictures (it needs Chromium).

The chart is what `rulekit odds --plot` draws, the board what JupyterLab shows in its light theme.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import nbformat
from playwright.sync_api import expect

from rulekit.cli import main as rulekit
from tests import browser
from tests.notebooks import METADATA

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "pictures"
QUESTION = "mill/701.17d-sum-of-two-mana-values"
CELL = f"from rulekit import Board, question\\n\\nBoard(question({QUESTION!r}))".replace("\\n", "\n")
RULE = "701.17a"  # of the step that is shown
CHART = ["odds", str(ROOT / "notebooks" / "hill-country.txt"), "--draw", "7", "--each-turn", "draw 1",
         "--each-turn", "mill 10; chance 0.7; from turn 4", "--turns", "16", "--first-turn", "library = 0"]  # fmt: skip


def main() -> int:
    """Make both."""
    FOLDER.mkdir(exist_ok=True)
    board(FOLDER / "board.png")
    return rulekit([*CHART, "--plot", str(FOLDER / "empty-library.svg")])


def board(file: Path) -> None:
    """Take the picture of a board in the middle of a question, with a card that is looked at."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as profile:
        cells = [nbformat.v4.new_code_cell(CELL)]
        nbformat.write(nbformat.v4.new_notebook(metadata=METADATA, cells=cells), Path(folder) / "board.ipynb")
        with browser.jupyterlab(Path(folder)) as address, browser.browser(Path(profile)) as context:
            notebook = browser.Notebook.open(context, address, "board.ipynb")
            notebook.run_all()
            shown = notebook.page.locator(".rk-board").first
            while RULE not in shown.get_by_role("status").inner_text():
                shown.locator(".rk-forward").click()
            shown.get_by_role("button", name=re.compile("^Bruvac")).first.hover()
            expect(shown.get_by_role("region", name="Card")).to_contain_text("Bruvac")
            shown.screenshot(path=file)


if __name__ == "__main__":
    raise SystemExit(main())
