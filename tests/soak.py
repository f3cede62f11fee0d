"""Run every card that is understood, then play random games: python3 start.py soak --minutes 60 [--seed N].

Each card is cast, its abilities are activated, its triggers made to happen, and the game is played on; what could not
be set up is listed. The cards are those of the card data beside the clone, where it is there, and of the catalogue.
"""

from __future__ import annotations

import argparse
import time

from tests.card_runs import Ran, cards_known, run_card, told, understood
from tests.random_play import Played, Violation, play

EVERY = 60  # seconds between two words on how far it is


def main() -> int:
    """Run the cards, play until the time is over, and print what was done and what does not hold."""
    parser = argparse.ArgumentParser(prog="python3 start.py soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long random games are played (10)")
    parser.add_argument("--seed", type=int, default=1, help="the first seed; each game takes the next one (1)")
    parser.add_argument("--card", action="append", default=[], help="a card that every hand holds; may be repeated")
    parser.add_argument("--games-only", action="store_true", help="do not run the cards one by one")
    given = parser.parse_args()
    broken = 0 if given.games_only or given.card else _cards(given.seed)
    return 1 if broken + _games(given.minutes, given.seed, tuple(given.card)) else 0


def _cards(seed: int) -> int:
    """Run each card and return how many things did not hold."""
    results: list[Ran] = []
    spoken = time.monotonic()
    cards = understood(cards_known())
    for card in cards:
        results.append(run_card(card, seed))
        for found in results[-1].violations:
            print(f"VIOLATION {found}", flush=True)
        if time.monotonic() - spoken > EVERY:
            spoken = time.monotonic()
            print(f"{len(results)} of {len(cards)} cards", flush=True)
    print(told(results))
    return sum(len(ran.violations) for ran in results)


def _games(minutes: float, seed: int, names: tuple[str, ...]) -> int:
    """Play random games until the time is over and return how many things did not hold."""
    until = time.monotonic() + minutes * 60
    played, first, spoken = Played(), seed, time.monotonic()
    while time.monotonic() < until:
        try:
            decisions, ended = play(seed, names=names)
            played.decisions += decisions
            played.ended += ended
        except Violation as found:
            played.violations.append(str(found))
            print(f"VIOLATION {found}", flush=True)
        played.games += 1
        seed += 1
        if time.monotonic() - spoken > EVERY:
            spoken = time.monotonic()
            print(
                f"{played.games} games, {played.decisions} decisions, {len(played.violations)} violations", flush=True
            )
    print(
        f"seeds {first} to {seed - 1}: {played.games} games ({played.ended} ended), "
        f"{played.decisions} decisions, {len(played.violations)} violations"
    )
    return len(played.violations)


if __name__ == "__main__":
    raise SystemExit(main())
