"""Play random games for as long as one likes: python3 start.py soak --minutes 60 [--seed N] [--card NAME ...]."""

from __future__ import annotations

import argparse
import time

from tests.random_play import Played, Violation, play


def main() -> int:
    """Play until the time is over and print games, decisions and violations."""
    parser = argparse.ArgumentParser(prog="python3 start.py soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (10)")
    parser.add_argument("--seed", type=int, default=1, help="the first seed; each game takes the next one (1)")
    parser.add_argument("--card", action="append", default=[], help="a card that every hand holds; may be repeated")
    given = parser.parse_args()
    until = time.monotonic() + given.minutes * 60
    played, seed, told = Played(), given.seed, time.monotonic()
    while time.monotonic() < until:
        try:
            decisions, ended = play(seed, names=tuple(given.card))
            played.decisions += decisions
            played.ended += ended
        except Violation as found:
            played.violations.append(str(found))
            print(f"VIOLATION {found}", flush=True)
        played.games += 1
        seed += 1
        if time.monotonic() - told > 60:
            told = time.monotonic()
            print(
                f"{played.games} games, {played.decisions} decisions, {len(played.violations)} violations", flush=True
            )
    print(
        f"seeds {given.seed} to {seed - 1}: {played.games} games ({played.ended} ended), "
        f"{played.decisions} decisions, {len(played.violations)} violations"
    )
    return 1 if played.violations else 0


if __name__ == "__main__":
    raise SystemExit(main())
