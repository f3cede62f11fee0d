"""Run the benchmarks: python3 start.py bench [NAME ...]."""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

NAMES = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))


def main(words: Sequence[str] | None = None) -> int:
    """Print where this runs, then the table of each benchmark."""
    parser = argparse.ArgumentParser(prog="start.py bench", description="Print how long things take.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"these only; there are: {', '.join(NAMES)}")
    parser.add_argument("--trials", type=int, metavar="N", help="number of trials of the chi-square tests")
    options = parser.parse_args(words)
    unknown = sorted(set(options.names) - set(NAMES))
    if unknown:
        parser.error(f"no benchmark is called {', '.join(unknown)}; there are: {', '.join(NAMES)}")
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores")
    for name in options.names or NAMES:
        module = importlib.import_module(f"tests.bench.{name}")
        print(f"\n{(module.__doc__ or name).strip().splitlines()[0]}", flush=True)
        module.measure(*([options.trials] if options.trials and name == "chi_square" else []))
    return 0


if __name__ == "__main__":
    sys.exit(main())
