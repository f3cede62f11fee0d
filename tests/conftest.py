"""What several tests need: the folders of the project, and data from outside it."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any, NoReturn

import pytest

pytest_plugins = ["tests.desk"]
ROOT = Path(__file__).resolve().parents[1]


def pytest_configure(config: pytest.Config) -> None:
    """Choose the seed of what is taken at random in this run, once for all workers, unless it is given."""
    os.environ.setdefault("RULEKIT_SEED", str(random.randrange(1_000_000)))


def pytest_report_header() -> str:
    """Say the seed, so that a run can be repeated."""
    return f"RULEKIT_SEED={os.environ['RULEKIT_SEED']}"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what tests have to tell beside passing."""
    for report in terminalreporter.stats.get("passed", []):
        for name, text in report.user_properties:
            if name == "told":
                terminalreporter.write_line(f"{report.nodeid}: {text}")


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
