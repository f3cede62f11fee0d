"""Trials against exact answers for every kind of row: chi-square over all that is recorded, `--trials N` of them."""

from __future__ import annotations

import time

from rulekit.probability.exact import evaluate
from rulekit.probability.simulate import play_trials
from tests.test_exact_programs import PROGRAMS
from tests.work_items import WORK

TRIALS = 2_000_000
LEAST = 1e-4


def measure(trials: int = TRIALS) -> None:
    """Print for each program the p-value at each turn, and how many of all are below some levels.

    Args:
        trials: Number of trials of each program.
    """
    print(f"  {trials:,} trials each; p-values at the marked turns (all axes together)")
    found: list[float] = []
    began = time.perf_counter()
    for name, program in {**PROGRAMS, **WORK}.items():
        known = evaluate(program)
        played = play_trials(program, trials, seed=20_261_129)
        turns = program.turns if len(program.turns) <= 4 else program.turns[-1:]
        values = [played.distribution(program, turn).compare(known[turn]).p_value for turn in turns]
        found += values
        verdict = "agrees" if min(values) > LEAST else "DIFFERS"
        print(f"      {name:<40} {verdict}   {'  '.join(f'{p:.3f}' for p in values)}", flush=True)
    for level in (0.5, 0.1, 0.01, LEAST):
        print(f"  below {level:g}: {sum(p < level for p in found)} of {len(found)}, {level * len(found):.1f} by chance")
    print(f"  {time.perf_counter() - began:.0f} s")
