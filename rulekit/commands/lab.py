"""Start JupyterLab on a copy of the notebooks in the current folder, with the first one open.

A copy that you have changed is kept, and you are told so; what is behind -- goes to JupyterLab.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from pathlib import Path

EXAMPLES = """\
  rulekit lab
  rulekit lab --fresh
  rulekit lab --folder evening -- --no-browser --port 8899
"""
STATUS: dict[int, str] = {}
FIRST = "00-start-here.ipynb"
RECORD = ".rulekit-copied.json"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the folder, whether copies are renewed, and the options of JupyterLab."""
    parser.add_argument("--folder", type=Path, default=Path("rulekit-notebooks"), help="where the copies go")
    parser.add_argument("--fresh", action="store_true", help="copy anew; what you changed stays under a new name")
    parser.add_argument("options", nargs="*", metavar="-- OPTIONS", help="options of JupyterLab")


def run(options: argparse.Namespace) -> int:
    """Copy the notebooks, then hand over to JupyterLab until it ends."""
    try:
        from jupyterlab.labapp import main as jupyterlab
    except ImportError as missing:
        print(f"rulekit lab needs JupyterLab ({missing}): pip install 'rulekit[lab]'", file=sys.stderr)
        return 2
    for line in copy_notebooks(shipped_notebooks(), options.folder, fresh=options.fresh):
        print(line)
    jupyterlab([str(options.folder / FIRST), *options.options])
    return 0


def shipped_notebooks() -> Path:
    """Return the folder of the notebooks: inside an installed package, or beside it in a clone."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "notebooks"
    return inside if inside.is_dir() else package.parent / "notebooks"


def copy_notebooks(source: Path, folder: Path, fresh: bool = False) -> list[str]:
    """Copy what is new; never touch a copy that somebody changed, except to rename it when asked.

    Args:
        source: The notebooks as they ship, with the files that they read.
        folder: Where the copies go; made when it is not there.
        fresh: Take a new copy of everything; a changed copy stays beside it as "NAME (yours).ipynb".

    Returns:
        A line for each copy that was made, kept or renamed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    record = folder / RECORD
    copied, said = _recorded(record), []
    try:
        for original in sorted(each for each in source.rglob("*") if each.is_file()):
            name = original.relative_to(source)
            if _ships(name):
                said += _copy(original, folder / name, copied, name.as_posix(), fresh)
    finally:
        _write(record, (json.dumps(copied, indent=1, sort_keys=True) + "\n").encode())
    return said


def _copy(original: Path, copy: Path, copied: dict[str, str], name: str, fresh: bool) -> list[str]:
    """Copy one file if that is due, and record it; return what there is to say."""
    data = original.read_bytes()
    now = _digest(copy.read_bytes()) if copy.exists() else None
    if now == _digest(data):
        copied[name] = now
        return []
    said = []
    if now is not None and now != copied.get(name):
        if not fresh:
            return [f"kept your changed copy: {copy} (rulekit lab --fresh takes a new one and keeps yours)"]
        said.append(f"kept your changed copy as: {copy.rename(_free_name(copy))}")
    copy.parent.mkdir(parents=True, exist_ok=True)
    _write(copy, data)
    copied[name] = _digest(data)
    return [*said, f"copied: {copy}"]


def _recorded(record: Path) -> dict[str, str]:
    """Return what was copied before; nothing if that cannot be read, so that every copy that differs is kept."""
    try:
        found = json.loads(record.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(file: Path, data: bytes) -> None:
    """Write a file wholly or not at all."""
    part = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        part.write_bytes(data)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def _ships(name: Path) -> bool:
    return not any(part.startswith((".", "__")) for part in name.parts)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _free_name(copy: Path) -> Path:
    number = 1
    while True:
        free = copy.with_name(f"{copy.stem} (yours{'' if number == 1 else f' {number}'}){copy.suffix}")
        if not free.exists():
            return free
        number += 1
