"""A JupyterLab with the notebooks and a browser beside it, one for all tests that want them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT, unavailable

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

    from tests.browser import Notebook


@dataclass(frozen=True)
class Desk:
    """A JupyterLab over a folder, and the browser beside it."""

    folder: Path
    address: str
    context: BrowserContext

    def open(self, name: str) -> Notebook:
        from tests.browser import Notebook

        return Notebook.open(self.context, self.address, name)

    def write(self, name: str, *cells: str) -> Notebook:
        import nbformat

        from tests.notebooks import METADATA

        book = nbformat.v4.new_notebook(metadata=METADATA, cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        nbformat.write(book, self.folder / name)
        return self.open(name)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    from tests.browser import browser, chromium, jupyterlab

    if chromium() is None:
        unavailable("no Chromium is installed; on Debian: apt-get install chromium fonts-dejavu-core")
    folder = tmp_path_factory.mktemp("desk")
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    with jupyterlab(folder) as address, browser(tmp_path_factory.mktemp("profile")) as context:
        yield Desk(folder, address, context)


@pytest.fixture
def page_closed_afterwards(desk: Desk) -> Iterator[None]:
    """Close the pages that a test opened."""
    yield
    for page in desk.context.pages[1:]:
        page.close()
