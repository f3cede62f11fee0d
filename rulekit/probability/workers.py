"""Who does the work of a simulation: any executor, in order, interruptible, with progress; seeds and shares."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np

from rulekit.cards.whole import is_whole, whole_number
from rulekit.probability.estimate import Estimate
from rulekit.rules import BadData

WAITING = 2
MOST_THREADS = 1 << 12
MOST_TRIALS = 1 << 48
Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Progress:
    """Say how far a simulation is.

    Attributes:
        done: Trials played.
        trials: Trials asked for.
        name: The first number that is counted.
        estimate: Its mean at the last turn so far, with its error.
    """

    done: int
    trials: int
    name: str
    estimate: Estimate


def key_of(seed: int, part: int = 0) -> int:
    """Return the key of the random streams of a seed, and of a part of a mixture.

    Raises:
        BadData: The seed is below 0, or no whole number.
    """
    if not is_whole(seed) or seed < 0:
        raise BadData(f"a seed is a whole number of at least 0, not {seed!r}.", key="seed")
    return int(np.random.SeedSequence(seed, spawn_key=(part,)).generate_state(1, np.uint64)[0])


def in_order(
    does: Callable[[Task], Result],
    works: Iterable[Task],
    number: int,
    executor: Executor | None = None,
    workers: int | None = None,
) -> Generator[Result, None, None]:
    """Have a number of works done and yield the results in order; nothing is left running when this is ended."""
    if executor is not None and not hasattr(executor, "submit"):
        raise BadData(
            f"{executor!r} is no executor.", key="executor", instead="concurrent.futures.ProcessPoolExecutor(4)."
        )
    threads = min(workers or _processors(), number)
    if executor is None and (threads < 2 or sys.platform == "emscripten"):
        yield from map(does, works)
        return
    pool = executor or ThreadPoolExecutor(threads)
    most = number if executor else threads + WAITING
    waiting: deque[Future[Result]] = deque()
    try:
        for work in works:
            waiting.append(pool.submit(does, work))
            if len(waiting) >= most:
                yield waiting[0].result()
                waiting.popleft()
        while waiting:
            yield waiting[0].result()
            waiting.popleft()
    finally:
        wait([each for each in waiting if not each.cancel()])
        if executor is None:
            pool.shutdown()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shares(weights: Sequence[Fraction], trials: int) -> list[int]:
    """Share trials out by weights, the largest remainders first."""
    total = sum(weights)
    if not weights or total <= 0 or any(weight < 0 for weight in weights):
        raise BadData("a mixture needs weights of at least 0, not all 0.", key="parts")
    exact = [Fraction(weight) * trials / total for weight in weights]
    whole = [int(each) for each in exact]
    for part in sorted(range(len(whole)), key=lambda k: whole[k] - exact[k])[: trials - sum(whole)]:
        whole[part] += 1
    return whole


def trial_of(number: int, sizes: Sequence[int], what: str) -> tuple[int, int]:
    """Return which part of a mixture a trial belongs to, and its number there; those of a part follow each other.

    Args:
        number: The number of the trial among all, from 0.
        sizes: How many trials of each part were played.
        what: What the trials are called.

    Raises:
        BadData: No such trial was played.
    """
    left = whole_number("trial", number, 0, MOST_TRIALS)
    for part, size in enumerate(sizes):
        if left < size:
            return part, left
        left -= size
    played = sum(sizes)
    raise BadData(
        f"there is no trial {number:,} among the {played:,} {what}.", key="trial", instead=f"0 to {played - 1:,}."
    )


@contextmanager
def shown(progress: bool | Callable[[Progress], None], trials: int) -> Iterator[Callable[[Progress], None] | None]:
    """Give the function that is told of progress; None if nobody wants to know."""
    if callable(progress):
        yield progress
    elif progress and sys.stderr.isatty():
        from tqdm import tqdm

        with tqdm(total=trials, unit=" trials", unit_scale=True) as bar:

            def tell(now: Progress) -> None:
                bar.set_postfix_str(f"{now.name} {now.estimate.short()}", refresh=False)
                bar.update(now.done - bar.n)

            yield tell
    elif progress and _in_notebook():
        from IPython.display import display

        from rulekit.widgets.progress import ProgressBar

        below = ProgressBar()
        display(below)  # type: ignore[no-untyped-call]
        yield below
    else:
        yield None


def _in_notebook() -> bool:
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return hasattr(shell, "kernel")
