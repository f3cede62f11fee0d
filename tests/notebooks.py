"""Run the notebooks: python3 start.py notebooks [--refresh | --check | --repeat N] [NOTEBOOK ...]."""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parents[1]
VIEW = "application/vnd.jupyter.widget-view+json"
STILL = {"text/html", "image/png"}
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_SECONDS = 120


def main(words: Sequence[str] | None = None) -> int:
    """Do what was asked and return the exit status: 1 when a notebook differs or a run failed."""
    parser = argparse.ArgumentParser(prog="start.py notebooks", description="Run the notebooks from top to bottom.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--refresh", action="store_true", help="store the outputs; a second time changes no byte")
    what.add_argument("--check", action="store_true", help="tell which notebooks --refresh would change")
    what.add_argument(
        "--repeat", type=int, metavar="N", help="compare the stored outputs N times, and count the failures"
    )
    parser.add_argument("notebooks", nargs="*", type=Path, help="these only")
    options = parser.parse_args(words)
    books = options.notebooks or every_book()
    if not books:
        parser.error("there is no notebook in the folder notebooks")
    if options.repeat is not None:
        return repeat(books, options.repeat)
    unsettled = [book for book in books if not settled(book, options.refresh)]
    return 1 if unsettled else 0


def every_book() -> list[Path]:
    """Return all notebooks, those of the pages too, without what Jupyter keeps of them."""
    return sorted(book for book in (ROOT / "notebooks").rglob("*.ipynb") if ".ipynb_checkpoints" not in book.parts)


def settled(book: Path, refresh: bool) -> bool:
    """Run a notebook and say what came of it; whether its file is now what a run stores."""
    try:
        text = refreshed(book)
    except CellExecutionError as failure:
        print(f"failed: {book}\n{failure}")
        return False
    same = text.encode() == book.read_bytes()
    if refresh and not same:
        book.write_bytes(text.encode())
    print(f"{'as stored' if same else 'written' if refresh else 'differs'}: {book}", flush=True)
    return same or refresh


def refreshed(book: Path) -> str:
    """Run a notebook in a fresh kernel, and return the file as it is to be stored."""
    node = nbformat.read(book, as_version=4)
    if sys.platform == "win32":
        asyncio.set_event_loop_policy(asyncio.WindowsSelectorEventLoopPolicy())
    client = NotebookClient(
        node,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        resources={"metadata": {"path": str(book.parent)}},
    )
    client.execute(env={**os.environ, "PYTHONHASHSEED": "0"})
    return stored_form(node)


def stored_form(node: NotebookNode) -> str:
    """Return the text of a notebook without what changes by itself or only a running kernel can show."""
    node.metadata = nbformat.from_dict(METADATA)
    for cell in node.cells:
        cell.metadata = nbformat.from_dict(
            {key: cell.metadata[key] for key in ("tags", "jupyter") if key in cell.metadata}
        )
        if "outputs" in cell:
            cell.outputs = _joined(cell.outputs)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if VIEW in data and STILL & set(data):
                del data[VIEW]
    return nbformat.writes(node) + "\n"


def _joined(outputs: Sequence[NotebookNode]) -> list[NotebookNode]:
    """Return outputs with what was printed in one piece: a kernel sends it in pieces of any length."""
    found: list[NotebookNode] = []
    for output in outputs:
        last = found[-1] if found else {}
        if output.output_type == "stream" and last.get("name") == output.name:
            last.text += output.text
        else:
            found.append(output)
    return found


def repeat(books: Sequence[Path], times: int) -> int:
    """Compare the stored outputs again and again, each time in fresh kernels."""
    failed = 0
    for number in range(1, times + 1):
        ended = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "--nbval", *map(str, books)], cwd=ROOT, check=False
        )
        failed += ended.returncode != 0
        print(f"run {number} of {times}: {failed} failed so far", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
