"""Files kept in the user's cache folder: done without where there is none, it cannot be written or a file is gone."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def place(name: str) -> Path | None:
    """Give the place where a file of a name is kept, None where there is no folder for it."""
    try:
        from platformdirs import user_cache_path

        return user_cache_path("rulekit", appauthor=False) / name
    except (ImportError, OSError, RuntimeError, KeyError):
        return None


def read(name: str) -> bytes | None:
    """Give what a file holds, None if it is not there."""
    kept = place(name)
    try:
        return kept.read_bytes() if kept else None
    except OSError:
        return None


def write(name: str, data: bytes) -> None:
    """Keep a file, whole or not at all."""
    kept = place(name)
    if kept is None:
        return
    written = ""
    with contextlib.suppress(OSError):
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=kept.parent, delete=False) as file:
                written = file.name
                file.write(data)
            os.replace(written, kept)
        finally:  # Ctrl-C, too, leaves nothing half written; what was moved is no more there
            if written:
                with contextlib.suppress(OSError):
                    os.unlink(written)
