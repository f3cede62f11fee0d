"""How far a step goes: which step of which turn `go to` means, and whether it is reached."""

from __future__ import annotations

from rulekit.engine.game import Game
from rulekit.engine.position import GIVEN_STEPS
from rulekit.engine.state import State

MOST_TURNS = 30  # that `go to` goes through
COMBAT_DAMAGE = ("first combat damage", "combat damage")


class Wrong(Exception):
    """Stop a scenario: something is not as it should be."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(expected, found)
        self.expected = expected
        self.found = found


class Goal:
    """How far `go to` goes."""

    def __init__(self, state: State, text: str) -> None:
        """Read where to go, from where the game is."""
        self.start = state.turn
        self.text = text
        self.step = next((step for step in GIVEN_STEPS if text == step or text.endswith(f" {step}")), "")
        who = text.removesuffix(self.step).strip() if self.step else ""
        self.later_turn = text == "next turn" or who == "next" or who.endswith(" next")
        self.player = who.removesuffix("next").strip() if self.later_turn else who

    def is_reached(self, game: Game) -> bool:
        """Return whether a game in which a player has priority is there.

        Raises:
            Wrong: It cannot be reached any more.
        """
        now = game.state.turn
        if now.number > self.start.number + MOST_TURNS or (now.number > self.start.number and self._was_this_turn):
            raise Wrong(f"go to: {self.text}", f"it is {now.active}'s {now.step} step, and it was not reached")
        if self.later_turn and now.number == self.start.number:
            return False
        if (now.number, now.step) == (self.start.number, self.start.step) or self.player not in ("", now.active):
            return False
        return not self.step or now.step == self.step or (self.step == "combat damage" and now.step in COMBAT_DAMAGE)

    @property
    def _was_this_turn(self) -> bool:
        return not self.later_turn and not self.player
