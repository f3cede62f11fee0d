"""Trials of the five work items beside other ways to play them, and exact answers beside other ways to get them."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from rulekit.probability.exact import evaluate
from rulekit.probability.playing import SWITCH, machine_code
from rulekit.probability.program import Program
from rulekit.probability.simulate import Trials, play_trials
from tests.bench import _other_ways as ways
from tests.test_kernel import chi_square
from tests.work_items import LONG, TITLES, WORK, closed_form

ROUNDS = 5
OURS, IN_NUMPY, ALIKE = "rulekit", "rulekit without machine code", "many at once in NumPy"
TRIALS = {OURS: 1_000_000, IN_NUMPY: 1_000_000, "random": 10_000}
OTHERS = 131_072
MOST_NS = {OURS: 80.0, IN_NUMPY: 300.0}
LEAST = {"random.sample": 60.0, ALIKE: 2.0}

Tally = Mapping[tuple[int, ...], int]
Play = Callable[[int, int], Tally]
Result = TypeVar("Result")


def measure() -> None:
    """Print for each work item the time of a trial and of an exact answer, ratios, and whether they agree."""
    print(f"  nanoseconds a trial, median of {ROUNDS} rounds in turn, one core; p: chi-square against the closed form")
    for name in WORK:
        print(f"  {name}  {TITLES[name]}")
        _print_trials(name)
    print("\n  longer plans, lands and creatures milled and lands in hand counted after each of twelve turns")
    for title, program in LONG.items():
        _print_long(title, program)
    print("\n  milliseconds an exact answer, median; difference: the largest between two probabilities")
    for name in WORK:
        _print_exact(name)
    print(f"\n  first simulation of a fresh process, machine code included: {_first():.2f} s (at most 2.5)")


def _print_trials(name: str) -> None:
    players = dict(_players(name))
    times: dict[str, list[float]] = {player: [] for player in players}
    tallies: dict[str, Counter[tuple[int, ...]]] = {player: Counter() for player in players}
    for seed in range(-1, ROUNDS):
        for player, (play, trials) in players.items():
            began = time.process_time()
            tally = play(trials if seed >= 0 else min(trials, 8_192), abs(seed))
            if seed >= 0:
                times[player].append((time.process_time() - began) / trials * 1e9)
                tallies[player].update(tally)
    ours = statistics.median(times[OURS])
    for player in players:
        middle = statistics.median(times[player])
        p = chi_square(tallies[player], closed_form(name))
        target = f"at most {MOST_NS[player]:.0f}" if player in MOST_NS else ""
        if player not in MOST_NS:
            least = next((each for start, each in LEAST.items() if player.startswith(start)), 0.0)
            target = f"{middle / ours:6.1f} times ours" + (f", at least {least:.0f}" if least else "")
        verdict = "agrees" if p > 1e-4 else "DIFFERS"
        print(
            f"      {player:<44} {middle:9.1f}  (best {min(times[player]):9.1f})  {target:<30} {verdict}, p = {p:.3f}"
        )


def _print_long(title: str, program: Program) -> None:
    print(f"  {title}")
    players: dict[str, Callable[..., Trials]] = {OURS: play_trials, IN_NUMPY: _in_numpy}
    for player, play in players.items():
        times = []
        for seed in range(ROUNDS):
            began = time.process_time()
            play(program, TRIALS[player], seed, workers=1)
            times.append((time.process_time() - began) / TRIALS[player] * 1e9)
        middle, aim = statistics.median(times), f"at most {MOST_NS[player]:.0f}"
        print(f"      {player:<44} {middle:9.1f}  (best {min(times):9.1f})  {aim}")


def _players(name: str) -> Iterator[tuple[str, tuple[Play, int]]]:
    if machine_code():
        yield OURS, (lambda trials, seed: _ours(name, trials, seed), TRIALS[OURS])
    yield IN_NUMPY, (lambda trials, seed: _without(name, trials, seed), TRIALS[IN_NUMPY])
    yield ways.PLAIN_TITLES[name], (lambda trials, seed: ways.plain(name, trials, seed), TRIALS["random"])
    for title, play in ways.in_numpy(name).items():
        yield title, (play, OTHERS)


def _ours(name: str, trials: int, seed: int) -> Tally:
    program = WORK[name]
    last = program.turns[-1]
    found = play_trials(program, trials, seed, workers=1, turns=(last,)).distribution(program, last)
    return {point: weight for point, weight in found.points() if weight}


def _without(name: str, trials: int, seed: int) -> Tally:
    return _switched_off(_ours, name, trials, seed)


def _in_numpy(program: Program, trials: int, seed: int, workers: int) -> Trials:
    return _switched_off(play_trials, program, trials, seed, workers=workers)


def _switched_off(play: Callable[..., Result], *what: object, **how: object) -> Result:
    before = os.environ.get(SWITCH)
    os.environ[SWITCH] = "0"
    try:
        return play(*what, **how)
    finally:
        if before is None:
            del os.environ[SWITCH]
        else:
            os.environ[SWITCH] = before


def _print_exact(name: str) -> None:
    true = closed_form(name)
    for title, answer in {"rulekit": _exact, **ways.exact_in_other_ways(name)}.items():
        if isinstance(answer, str):
            print(f"      {name}  {title:<44} {answer}")
            continue
        answer(name)
        seconds = []
        for _ in range(ROUNDS):
            began = time.process_time()
            found = answer(name)
            seconds.append(time.process_time() - began)
        apart = max(abs(found.get(cell, 0.0) - true.get(cell, 0.0)) for cell in {*found, *true})
        verdict = "agrees" if apart < 1e-9 else "DIFFERS"
        print(f"      {name}  {title:<44} {1000 * statistics.median(seconds):9.2f}   difference {apart:.0e}, {verdict}")


def _exact(name: str) -> Mapping[tuple[int, ...], float]:
    program = WORK[name]
    found = evaluate(program)[program.turns[-1]]
    return {point: float(p) for point, p in found.points() if p}


def _first() -> float:
    code = (
        "import time; began = time.perf_counter()\n"
        "from rulekit.probability.simulate import play_trials\n"
        "from tests.work_items import WORK\n"
        "play_trials(WORK['W1'], 100_000, 1)\n"
        "print(time.perf_counter() - began)"
    )
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
