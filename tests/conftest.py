"""What several tests need: the folders of the project, and data from outside it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import pytest

pytest_plugins = ["tests.desk"]
ROOT = Path(__file__).resolve().parents[1]


def unavailable(reason: str) -> NoReturn:
    """Skip with the reason; on CI, where nothing may be absent, fail."""
    if os.environ.get("CI"):
        pytest.fail(f"on CI this may not be absent: {reason}", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of third-party data beside the clone: deck lists and card files, never part of the project."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        unavailable(f"there is no folder {folder.parent.name}/{folder.name} beside the clone")
    return folder
