"""What must hold at every step of any game, tried in random games with cards of the whole catalogue."""

from __future__ import annotations

import pytest

from tests.random_play import Violation, play

DECISIONS = 30_000
FIRST_SEED = 20_260_417


@pytest.mark.parametrize("part", range(4))
def test_random_games_hold_every_invariant(part: int) -> None:
    """Each part plays a quarter of the decisions; a failure prints its seed."""
    decisions, seed = 0, FIRST_SEED + part * 100_000
    while decisions < DECISIONS // 4:
        try:
            decisions += play(seed)[0]
        except Violation as found:
            pytest.fail(str(found))
        seed += 1
