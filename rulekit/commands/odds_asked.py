"""How `rulekit odds` comes to its answers: what is counted, and whether they are worked out or played."""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulekit.cards.deck import Deck
from rulekit.cards.pool import CardPool
from rulekit.commands.odds_plan import read_plans
from rulekit.rules import BadData

if TYPE_CHECKING:
    from rulekit.probability.answer import Answer
    from rulekit.probability.plan import Plan


class Asker:
    """Asks `exact` or `simulate`, as the options say.

    Attributes:
        plans: The plans.
        turns: The last turn, if the options say one.
        seed: The seed of trials.
        stopped: Whether Ctrl-C ended a simulation before its last trial.
        methods: How the answers were found.
    """

    def __init__(self, options: argparse.Namespace, pool: CardPool | None, against: Deck | None) -> None:
        """Read the plans, and check what belongs to a simulation."""
        self.options, self.pool, self.against = options, pool, against
        self.plans = read_plans(options, pool)
        self.turns = options.turns if options.turns is not None else options.turn or None
        # one seed for all: decks that meet the same luck are the better compared
        self.seed = secrets.randbits(32) if options.seed is None else options.seed
        self.stopped = False
        self.methods: dict[str, None] = {}
        if options.simulate is None:
            for key in ("seed", "policy", "against", "watch"):
                if getattr(options, key) not in (None, []):
                    raise BadData(
                        "this belongs to a simulation.", key=f"--{key}", instead=f"--simulate 1000 --{key} ..."
                    )
        elif options.fractions:
            raise BadData("a simulation has no exact fractions.", key="--fractions", instead="Leave out --simulate.")

    def __call__(self, deck: Any, plan: Plan, count: Any, turns: int | None = None) -> Answer:
        """Answer for one deck; with several decks Ctrl-C ends the whole."""
        options = self.options
        if options.simulate is None:
            from rulekit.probability.exact import exact

            answer = exact(deck, plan, count, turns, pool=self.pool, as_fractions=options.fractions)
        else:
            from rulekit.probability.simulate import simulate

            if self.stopped:
                raise KeyboardInterrupt
            answer = simulate(
                deck, plan, count, turns, trials=options.simulate, seed=self.seed, pool=self.pool,
                progress=sys.stderr.isatty(), policy=_policies(options.policy), against=self.against,
            )  # fmt: skip
            self.stopped = getattr(answer.source, "trials", options.simulate) < options.simulate
        self.methods[answer.method] = None
        return answer


def counted(said: Sequence[str], *questions: str) -> list[str]:
    """Return what is counted: what is said, and what the questions name, each once; not what can always be asked."""
    from rulekit.probability.question import ALWAYS
    from rulekit.probability.sweep import counted_in

    named = [name for each in questions for name in counted_in(each)]
    folded = {name.casefold(): name for name in (*reversed(named), *reversed(said))}
    return [name for fold, name in reversed(folded.items()) if fold not in ALWAYS]


def draw(axes: Any, path: Path) -> None:
    """Write a chart as the file that its ending says."""
    from rulekit.widgets.charts import picture

    path.write_bytes(picture(axes, path.suffix.lower().removeprefix(".")))


def _policies(said: list[str]) -> Any:
    """Return the policy of the player, or of each one that is named, as `simulate` takes them."""
    if not said:
        return None
    named = [text.partition("=") for text in said]
    if len(said) == 1 and not named[0][1]:
        return said[0]
    for who, _, name in named:
        if who not in ("player", "opponent") or not name:
            raise BadData("this names no player and policy.", key="--policy", text=f"{who}={name}",
                          instead=("eager", "player=eager", "opponent=passive"))  # fmt: skip
    return {who: name for who, _, name in named}
