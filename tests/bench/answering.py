"""Answering: from an answer to the next question with its options, ten permanents a side, three Equipment attached."""

from __future__ import annotations

import random
import statistics
import time

from rulekit.engine.game import Game

ANSWERS = 1_500
WARM = 300  # answers before the clock runs: cards are read once
LANDS = ("Plains", "Island", "Swamp", "Mountain", "Forest")
CREATURES = ("Grizzly Bears", "Hill Giant", "White Knight", "Serra Angel", "Savannah Lions")
EQUIPMENT = ("Sword of Body and Mind", "Bonesplitter", "Loxodon Warhammer")
HAND = ("Lightning Bolt", "Giant Growth", "Unsummon", "Crumb and Get It", "Wind Drake", "Murder", "Thought Scour")


def position() -> Game:
    """Return the position: for each player five lands, and creatures of which three carry Equipment between them."""

    def side(carried: tuple[str, ...]) -> dict[str, object]:
        creatures = [{"card": name, "as": name} for name in CREATURES[: 5 - len(carried)]]
        equipment = [{"card": name, "attached to": CREATURES[index]} for index, name in enumerate(carried)]
        return {
            "mana": "lands", "battlefield": [*LANDS, *creatures, *equipment], "hand": list(HAND),
            "library": ["20 Island", "20 Grizzly Bears"],
        }  # fmt: skip

    return Game.of(Alice=side(EQUIPMENT[:2]), Bob=side(EQUIPMENT[2:]))


def measure() -> None:
    """Play random answers from the position, each game for some turns, and print median and 99th percentile."""
    dice = random.Random(1)
    start = position()
    seconds: list[float] = []
    game = start
    for number in range(-WARM, ANSWERS):
        decision = game.decision
        if decision is None or number % 60 == 0:
            game = start
            decision = game.decision
        assert decision is not None
        answer = dice.choice(decision.options)
        began = time.perf_counter()
        game = game.decide(answer)
        _ = game.decision
        if number >= 0:
            seconds.append(time.perf_counter() - began)
    seconds.sort()
    middle, last = statistics.median(seconds), seconds[int(len(seconds) * 0.99)]
    print(
        f"  median {1000 * middle:.2f} ms (at most 2), 99th percentile {1000 * last:.2f} ms (at most 10), "
        f"{ANSWERS} answers"
    )


if __name__ == "__main__":
    measure()
