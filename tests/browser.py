"""JupyterLab in a browser, as a person has it: its server, a page, and what is pressed there.

Nothing of the person who runs the tests is touched: the server keeps its settings in the folder of the test, the
browser has a fresh profile, and a request for anything but this machine fails.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebSocket, expect, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

ROOT = Path(__file__).resolve().parents[1]
SERVER_SECONDS = 90
PATIENCE = 60_000  # milliseconds, for a machine that has much else to do
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
OWN_FOLDERS = (
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_DATA_DIR",
    "JUPYTER_RUNTIME_DIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR",
    "IPYTHONDIR",
)
SETTINGS = {
    "apputils-extension/notification": '{"fetchNews": "false", "checkForUpdates": false}',
    "notebook-extension/tracker": '{"windowingMode": "none"}',
}
SERVER_WORDS = (
    "--no-browser", "--ip=127.0.0.1", "--allow-root", "--ServerApp.port_retries=0", "--IdentityProvider.token=",
)  # fmt: skip
PROMPTS = """[...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt:not(.jp-Placeholder-prompt)')]
    .map(each => each.textContent)"""  # a folded cell has no number
IDLE = '.jp-Notebook-ExecutionIndicator[data-status="idle"]'
FAILED = ", ".join(f'[data-mime-type="application/vnd.jupyter.{kind}"]' for kind in ("error", "stderr"))
CONNECTED = """async () => {
    const sessions = await (await fetch('/api/sessions')).json();
    return sessions.length > 0 && sessions.every(each => each.kernel.connections > 0);
}"""


def chromium() -> str | None:
    """The path of the system's Chromium, or of the one that RULEKIT_CHROMIUM names."""
    names = (os.environ.get("RULEKIT_CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    return next((path for path in map(shutil.which, filter(None, names)) if path), None)


def jupyterlab(folder: Path) -> contextlib.AbstractContextManager[str]:
    """A JupyterLab over a folder, with settings of its own; gives its address."""
    words = ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", "--LabApp.extension_manager=readonly"]
    return server(folder, ["jupyterlab", *SERVER_WORDS, f"--ServerApp.root_dir={folder}", *words])


def notebook7(folder: Path) -> contextlib.AbstractContextManager[str]:
    """A Jupyter Notebook 7 over a folder, with settings of its own; gives its address."""
    return server(folder, ["notebook", *SERVER_WORDS, f"--ServerApp.root_dir={folder}"])


def voila(folder: Path) -> contextlib.AbstractContextManager[str]:
    """Voila over a folder of notebooks, as `python3 start.py pages` starts it; gives its address."""
    return server(
        folder, ["voila", str(folder), "--no-browser", "--Voila.ip=127.0.0.1"], answers="voila/static/favicon.ico"
    )


@contextlib.contextmanager
def server(folder: Path, program: list[str], answers: str = "api/status") -> Iterator[str]:
    """A server over a folder until the block ends; gives its address.

    Args:
        folder: Where it keeps what it writes, in a folder of its own.
        program: The module and its options, but for the port.
        answers: What it answers once it stands.
    """
    own = _own_folders(folder)
    port = _free_port()
    log = folder / ".own" / "server.log"
    with log.open("w") as out:
        words = [sys.executable, "-m", *program, f"--port={port}"]
        server = subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT, env={**os.environ, **own})
        try:
            _wait_for(f"http://127.0.0.1:{port}/{answers}", server, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


@contextlib.contextmanager
def started(folder: Path) -> Iterator[str]:
    """What `python3 start.py` opens in a fresh clone, with the Python of the tests in its .venv; gives the address.

    Nothing is installed: the tests' own Python has all that start.py would install. What start.py hands to the
    person's browser is taken from it by a browser that only writes the address down.
    """
    for name in ("start.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    own = _own_folders(folder)
    opened = folder / ".own" / "opened"
    _script(folder / ".venv" / "bin" / "python", f'exec "{sys.executable}" "$@"')
    _script(folder / ".own" / "browser", f'echo "$1" > "{opened}.part" && mv "{opened}.part" "{opened}"')
    wanted = hashlib.sha256((folder / "pyproject.toml").read_bytes() + bytes(folder.resolve())).hexdigest()
    (folder / ".venv" / "installed-for").write_text(wanted)
    words = [sys.executable, "start.py", "lab", "--", "--allow-root", "--ip=127.0.0.1", f"--port={_free_port()}"]
    about = {**os.environ, **own, "PYTHONPATH": str(ROOT), "BROWSER": f"{folder / '.own' / 'browser'} %s"}
    log = folder / ".own" / "start.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            words, cwd=folder, stdout=out, stderr=subprocess.STDOUT, env=about, start_new_session=True
        )
        try:
            end = time.monotonic() + SERVER_SECONDS
            while not opened.exists() and time.monotonic() < end and process.poll() is None:
                time.sleep(0.1)
            if not opened.exists():
                raise RuntimeError(f"start.py opened nothing: {log.read_text(errors='replace')[-2000:]}")
            page = urllib.request.urlopen(opened.read_text().strip(), timeout=10).read().decode()
            yield re.search(r'href="(http[^"]+)"', page)[1].replace("&amp;", "&")  # type: ignore[index]
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(20)


def _script(file: Path, line: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{line}\n")
    file.chmod(0o755)


def _own_folders(folder: Path) -> dict[str, str]:
    """Make the folders in which Jupyter keeps what is its own, with quiet settings; give them by their variables."""
    own = {name: str(folder / ".own" / name.lower()) for name in OWN_FOLDERS}
    for place in own.values():
        Path(place).mkdir(parents=True, exist_ok=True)
    for name, text in SETTINGS.items():
        file = Path(own["JUPYTERLAB_SETTINGS_DIR"]) / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return own


@contextlib.contextmanager
def browser(profile: Path) -> Iterator[BrowserContext]:
    """A headless Chromium with a fresh profile that reaches this machine only."""
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=chromium(), headless=True, args=FLAGS, viewport={"width": 1280, "height": 1000}
        )
        context.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        yield context
        context.close()


@dataclass
class Notebook:
    """One notebook in one page of the browser, and everything that went wrong there."""

    page: Page
    problems: list[str] = field(default_factory=list)
    failed: str = FAILED  # what stands in the page where a cell failed

    @classmethod
    def open(cls, context: BrowserContext, address: str, name: str, place: str = "lab/tree") -> Notebook:
        """Open a notebook where JupyterLab, or what `place` says, has it, and wait until its kernel takes work."""
        notebook = cls(context.new_page())
        notebook.watch()
        notebook.page.goto(f"{address}/{place}/{name}?reset")
        notebook.wait()
        return notebook

    def watch(self) -> None:
        """Note from now on what goes wrong in the page, and in what a kernel tells it."""
        self.page.on("console", self._read_console)
        self.page.on("pageerror", lambda error: self.problems.append(f"page: {error}"))
        self.page.on("request", self._read_request)
        self.page.on("websocket", self._listen)

    def wait(self) -> None:
        """Wait until the notebook is there and its kernel takes work."""
        page = self.page
        page.locator(".jp-Notebook").first.wait_for()
        page.wait_for_function(CONNECTED, polling=200)
        expect(page.locator(".jp-Toolbar-kernelName").first).to_have_text("Python 3 (ipykernel)")
        page.locator(IDLE).first.wait_for()

    def run_all(self, seconds: float = 120) -> None:
        """Run every cell, up to one that fails, from empty outputs: stored numbers would look like a finished run.

        Pressed again when the page was not ready and swallowed the press, or asked for a kernel instead.
        """
        self._menu("Edit", "editmenu:clear-all")
        self.page.wait_for_function(f"() => {PROMPTS}.every(each => /\\[ \\]:/.test(each))")
        for _ in range(8):
            self._menu("Run", "runmenu:run-all")
            try:
                self.page.wait_for_function(f"() => {PROMPTS}.some(each => !/\\[ \\]:/.test(each))", timeout=1500)
                break
            except TooLate:
                self.page.keyboard.press("Escape")
        self.page.wait_for_function(
            f"failed => document.querySelector(failed) || {PROMPTS}.every(each => /\\[\\d+\\]:/.test(each))",
            arg=self.failed, timeout=seconds * 1000, polling=200,
        )  # fmt: skip
        self.page.locator(IDLE).first.wait_for(timeout=seconds * 1000)  # folded cells may be the last ones

    def told_of(self, word: str, seconds: float = 30) -> bool:
        """Wait until a problem that holds a word is known; whether it came to be known."""
        end = time.monotonic() + seconds
        while not any(word in problem for problem in self.problems) and time.monotonic() < end:
            self.page.wait_for_timeout(100)
        return any(word in problem for problem in self.problems)

    def _menu(self, name: str, command: str) -> None:
        self.page.get_by_role("menuitem", name=name, exact=True).click()
        self.page.locator(f'.lm-Menu-item[data-command="{command}"]').click()

    def _read_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.problems.append(f"console: {message.text}")

    def _read_request(self, request: Request) -> None:
        if not request.url.startswith(("http://127.0.0.1:", "data:", "blob:")):
            self.problems.append(f"request to somewhere else: {request.url}")

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._read_frame)

    def _read_frame(self, frame: str | bytes) -> None:
        """Find the errors that a kernel tells, those of a button among them, which JupyterLab shows nowhere."""
        raw = frame.encode() if isinstance(frame, str) else frame
        if b'"msg_type":"error"' in raw.replace(b" ", b""):
            self.problems.append(f"kernel: {raw.decode(errors='replace')}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + SERVER_SECONDS
    while time.monotonic() < end and server.poll() is None:
        with contextlib.suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            urllib.request.urlopen(address, timeout=2).close()
            return
        time.sleep(0.1)
    raise RuntimeError(f"the server did not answer: {log.read_text(errors='replace')[-2000:]}")
