"""What the odds lab is asked, and its exact answers, which are kept while controls are moved."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rulekit.cards.deck import Deck, DeckWarning
from rulekit.rules import TooMany
from rulekit.widgets.odds_plan import Call, plan_code, plan_of

if TYPE_CHECKING:
    from rulekit.probability.answer import Answer
    from rulekit.probability.plan import Plan

FURTHEST = 50  # the last turn that can be asked
MOST_KEPT = 24  # answers


@dataclass(frozen=True)
class Asked:
    """One question: a deck, a plan, what is counted, and when.

    Attributes:
        text: The deck list.
        on_the_play: Whether the first turn has no draw.
        steps: The calls that build the plan.
        count: What is counted.
        turns: The last turn.
    """

    text: str
    on_the_play: bool
    steps: tuple[Call, ...]
    count: str
    turns: int

    @property
    def deck(self) -> Deck:
        """The deck; what was not understood of its list is in its `unread`."""
        return deck_of(self.text.encode())

    @property
    def plan(self) -> Plan:
        """The plan."""
        return plan_of(self.on_the_play, self.steps)

    def code(self, suffix: str = "") -> list[str]:
        """Return the lines of code that make deck and plan."""
        return [f"deck{suffix} = Deck.read({self.text!r})",
                f"plan{suffix} = {plan_code(self.on_the_play, self.steps)}"]  # fmt: skip


def deck_of(data: bytes) -> Deck:
    """Read a deck list; what was not understood is told by the lab, not by a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeckWarning)
        return Deck.read(data)


class Exacts:
    """Exact answers, the latest of them kept.

    What is true at the end of a turn does not hang on the turns after it. So where another turn of the same question is
    asked, the answer is worked out for twice as many turns at once, and serves for each turn up to there.
    """

    def __init__(self) -> None:
        """Keep nothing yet."""
        self._kept: OrderedDict[Asked, Answer] = OrderedDict()

    def has(self, asked: Asked) -> bool:
        """Return whether the answer to a question is here already."""
        known = self._kept.get(replace(asked, turns=0))
        return known is not None and asked.turns <= known.turns

    def answer(self, asked: Asked) -> Answer:
        """Return the exact answer to a question, up to its last turn or a later one.

        Raises:
            RulekitError: Deck, plan or question cannot be, or it would need too many cells.
        """
        key = replace(asked, turns=0)
        known = self._kept.get(key)
        if known is None:
            known = _worked_out(asked, asked.turns)
        elif known.turns < asked.turns:
            known = _ahead(asked, min(FURTHEST, max(asked.turns, 2 * known.turns)))
        self._kept[key] = known
        self._kept.move_to_end(key)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return known


def _ahead(asked: Asked, turns: int) -> Answer:
    """Return the answer up to a later turn, or where that is too much up to the one that is asked."""
    try:
        return _worked_out(asked, turns)
    except TooMany:
        return _worked_out(asked, asked.turns)


def _worked_out(asked: Asked, turns: int) -> Answer:
    from rulekit.probability.answer import Answer
    from rulekit.probability.exact import Exact
    from rulekit.probability.programs import question_of

    answer = Answer(question_of(asked.deck, asked.plan, (asked.count,), turns, pool=None), Exact())
    answer.distribution(asked.count, turns)  # so that what is too much is refused here
    return answer
