"""What happens and what is asked, as data: events, the moves within them, and decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from rulekit.engine.state import Frozen, Object
from rulekit.rules import Illegal

T = TypeVar("T")
Run = Generator["Decision", Any, T]

KINDS = (  # of events that scenarios may name; the rest are the engine's own
    "gift promised", "gift given", "cast", "ability activated", "ability triggered", "resolved", "countered",
    "did not resolve", "milled", "drew", "lost", "token created", "attached", "unattached", "damage", "dies",
    "destroyed", "sacrificed", "exiled", "returned", "extra turn", "shuffled", "discarded", "life gained",
    "life lost", "replaced", "revealed", "copied",
)  # fmt: skip
DECISIONS = (
    "priority", "choose target", "choose card", "choose player", "choose number", "choose mode", "may",
    "order triggers", "order replacement effects", "choose opponent", "pay cost", "discard", "choose color",
    "choose name", "divide", "attack", "block", "random",
)  # fmt: skip

NUMBERS = ("choose number", "choose mode", "divide")  # decisions whose options are numbers, not objects


@dataclass(frozen=True)
class Move:
    """One object's change of zone: what it was, what it became (None: nothing), and between which zones."""

    old: int
    new: int | None
    owner: str
    origin: str
    to: str
    card: bool = True


@dataclass(frozen=True)
class Event(Frozen):
    """Something that happens, or would happen.

    Attributes:
        kind: One of `KINDS` or of the engine's own: moved, tapped, untapped, counters, attacks, blocks, step, ...
        player: The player it happens to or who does it.
        objects: The objects it happens to.
        n: How much or how many.
        source: The object that does it.
        to: The player or object that receives it.
        moves: The changes of zone within it.
        combat: Whether it is combat damage.
        detail: What else matters, by name.
        rule: The rule by which it happens.
        cause: Number of the event that caused it, or -1 for a player's own action.
        number: Its place in the log.
        turn: The number of the turn.
        names: What its objects were called, for the log.
    """

    kind: str
    player: str | None = None
    objects: tuple[int, ...] = ()
    n: int = 0
    source: int | None = None
    to: int | str | None = None
    moves: tuple[Move, ...] = ()
    combat: bool = False
    detail: tuple[tuple[str, Any], ...] = ()
    rule: str = ""
    cause: int = -1
    number: int = -1
    turn: int = 0
    names: tuple[str, ...] = ()

    def get(self, name: str, default: Any = None) -> Any:
        """Return a detail by name."""
        return next((value for key, value in self.detail if key == name), default)

    def with_detail(self, **more: Any) -> Event:
        """Return a copy with some details set."""
        return self.but(detail=tuple(sorted((dict(self.detail) | more).items())))


@dataclass(frozen=True)
class Decision:
    """A question to a player.

    Attributes:
        player: Who is asked; "chance" where nobody chooses.
        kind: One of `DECISIONS`.
        options: The legal answers: object numbers, player names, numbers, "yes" and "no", actions.
        rule: The rule that asks.
        prompt: The question in words.
        words: What each option is called.
        weights: For chance: how often each option comes up.
        source: The object whose text asks, if any.
        step: While a spell is cast or an ability activated: the step of it in which this is asked (601.2b to 601.2h).
        about: Of the order of triggers: for each option the object whose ability it is.
    """

    player: str
    kind: str
    options: tuple[Any, ...]
    rule: str
    prompt: str = ""
    words: tuple[str, ...] = ()
    weights: tuple[int, ...] = ()
    source: int | None = None
    why: Callable[[Any], Illegal | None] | None = field(default=None, compare=False, repr=False)
    step: str = ""
    about: tuple[int, ...] = ()

    def word(self, option: Any) -> str:
        """Return what an option is called."""
        return self.words[self.options.index(option)] if self.words else str(option)

    def refuse(self, answer: Any, named: str = "") -> Illegal:
        """Return the refusal of an answer that is not among the options, with what is legal instead.

        Args:
            answer: What was answered.
            named: What it is called by a player, where that is known.
        """
        offered = self.words or tuple(map(str, self.options))
        try:
            reason = self.why(answer) if self.why is not None else None
        except (KeyError, TypeError):  # an answer that is no object or player of this game
            reason = None
        if reason is not None:
            return reason if reason.instead else Illegal(reason.rule, reason.message, offered)
        said = named or repr(answer)
        return Illegal(
            self.rule, f"{self.player} cannot answer {said} to: {(self.prompt or self.kind).rstrip('?')}.", offered
        )


@dataclass
class Batch:
    """Objects that are about to move at the same time.

    Attributes:
        equal: How many of them look the same.
        chosen: Which replacement effect was chosen for those that do, by their looks, where they go and the options.
    """

    equal: Counter[Any]
    chosen: dict[Any, int | str] = field(default_factory=dict)


def looks(thing: Object | None) -> Any:
    """Return what tells an object from others that move with it; its label is nothing that the rules see."""
    return (thing.card, thing.owner, thing.zone, thing.counters) if thing is not None else None
