"""Imports: the time that a fresh Python needs for each, beyond its own start (median of nine)."""

from __future__ import annotations

import statistics
import subprocess
import sys

ROOMS = ("rulekit", "rulekit.engine", "rulekit.scenarios", "rulekit.probability", "rulekit.widgets", "rulekit.cli")
TIMES = 9


def measure() -> None:
    """Print a line for each room."""
    for room in ROOMS:
        program = f"import time; start = time.perf_counter(); import {room}; print(time.perf_counter() - start)"
        seconds = [
            float(subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout)
            for _ in range(TIMES)
        ]
        print(f"  {room:<22} {1000 * statistics.median(seconds):7.1f} ms")
