"""Use the static page in Chromium, cut off from the network: notebooks run, the board steps, a question is answered."""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import BrowserContext, expect
from playwright.sync_api import TimeoutError as TooLate

from tests.browser import Notebook, browser, chromium
from tests.lite import SERVER

KERNEL = "Python (Pyodide)"
SECONDS = 180
FAILED = '[data-mime-type="application/vnd.jupyter.error"], [data-mime-type="application/vnd.jupyter.stderr"]'
NOT_THERE = "No module named 'numpy'"  # offline; online it comes from Pyodide's server
KINDS = {".mjs": "text/javascript", ".wasm": "application/wasm", ".whl": "application/zip"}
STEPPED = "01-milling.ipynb"


class Handler(SimpleHTTPRequestHandler):
    """Serves the site as any static server would, and keeps silent."""

    def guess_type(self, path: str | os.PathLike[str]) -> str:
        """Return what a browser wants of JavaScript modules and of WebAssembly."""
        return KINDS.get(Path(path).suffix) or super().guess_type(path)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a folder on this machine; gives its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def run(site: Path) -> int:
    """Open each notebook of the site and run it; the status is 1 if anything failed but for want of numpy."""
    if chromium() is None:
        print("no Chromium is installed; on Debian: apt-get install chromium fonts-dejavu-core")
        return 1
    failures = 0
    with served(site) as address:
        for book in sorted(path.name for path in (site / "files").glob("*.ipynb")):
            started = time.monotonic()
            with tempfile.TemporaryDirectory() as profile, browser(Path(profile)) as context:  # knows no other page
                problems = tried(context, address, book)
            told = verdict(problems)
            failures += told == "failed"
            print(f"{told}  {time.monotonic() - started:5.1f} s  {book}", flush=True)
            if told == "failed":
                print(*(f"    {problem[-500:]}\n" for problem in problems), sep="", end="")
    return int(failures > 0)


def verdict(problems: list[str]) -> str:
    """Return what came of a notebook: one that stops where it needs numpy can do no more without a network."""
    if not problems:
        return "passed"
    return "numpy " if all(NOT_THERE in problem for problem in problems) else "failed"


def tried(context: BrowserContext, address: str, book: str) -> list[str]:
    """Run a notebook in the site, step its board, and return what went wrong."""
    context.set_default_timeout(SECONDS * 1000)
    notebook = Notebook(context.new_page(), failed=FAILED)
    page = notebook.page
    page.on("pageerror", lambda error: notebook.problems.append(f"page: {error}"))
    page.on("request", notebook._read_request)
    try:
        page.goto(f"{address}/lab/index.html?path={book}")
        page.locator(".jp-Notebook").first.wait_for()
        expect(page.locator(".jp-Toolbar-kernelName").first).to_have_text(KERNEL, timeout=SECONDS * 1000)
        page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').first.wait_for()
        notebook.run_all(SECONDS)
        notebook.problems += page.locator(FAILED).all_inner_texts()
        if book == STEPPED:
            step(notebook)
    except (TooLate, AssertionError) as failure:
        notebook.problems.append(str(failure))
    page.close()
    return [problem for problem in notebook.problems if SERVER not in problem]  # what is compiled is done without


def step(notebook: Notebook) -> None:
    """Go forward and back on the first board, and decide there: the answer comes from the Python in the page."""
    board = notebook.page.locator(".rk-board").filter(has=notebook.page.locator(".rk-forward")).first
    before = board.inner_text()
    board.locator(".rk-forward").first.click()
    expect(board).not_to_have_text(before, use_inner_text=True)
    board.locator(".rk-back").first.click()
    expect(board).to_have_text(before, use_inner_text=True)
