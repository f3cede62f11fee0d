"""What the words of a text mean from where it stands: who "you" are, what "this" is, what was targeted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from rulekit.engine.abilities import WORDS, Term
from rulekit.engine.state import Cast, Memory, State

if TYPE_CHECKING:
    from rulekit.engine.events import Event
    from rulekit.engine.seen import Seen


MOVES = ("sacrificed", "destroyed")  # events of what moves to the graveyard right afterwards (701.21a, 701.8a)


class Place(Protocol):
    """Anything that has a current State: a State itself, or a table."""

    @property
    def state(self) -> State:
        """The State as it is now."""


class Frame:
    """One point of view from which terms are understood.

    Attributes:
        at: The table or State that is looked at.
        began: How far the State's clock had come as the text began to be carried out.
        you: The player that "you" means (109.5).
        this: The object that the text is on.
        event: The event that made the ability trigger, or that would be replaced.
        cast: The decisions made while the spell or ability was put on the stack.
        item: The spell or ability on the stack, or None.
        said: What was named before: "it" (objects), "player" (players), "milled", "X" ...
        targets: The chosen targets that are still legal, by their place in the text (608.2b).
    """

    __slots__ = ("at", "began", "cast", "event", "item", "said", "targets", "this", "you")

    def __init__(
        self,
        at: Place,
        you: str,
        this: int,
        *,
        event: Event | None = None,
        cast: Cast | None = None,
        item: int | None = None,
        said: dict[str, Any] | None = None,
    ) -> None:
        self.at = at
        self.you = you
        self.this = this
        self.event = event
        self.cast = cast
        self.item = item
        self.said = said if said is not None else {}
        self.began = at.state.clock
        self.targets: dict[int, tuple[int | str, ...]] = dict(cast.targets) if cast else {}

    @property
    def state(self) -> State:
        """The State as it is now."""
        return self.at.state

    def current(self, number: int) -> int | None:
        """Return what an object is now for this text: itself, or what its card became, if the text may find it there.

        A card that changed zones is found only if this very text moved it, or moving it paid the cost, or the text
        triggered on that move (400.7, 400.7j, 603.6).
        """
        state = self.state
        if number in state.objects:
            return number
        past = state.past.get(number)
        now = past.became if past is not None else None
        if now is None or now not in state.objects:
            return None
        moved_here = now > self.began
        paid = self.cast is not None and any(number == one or now == one for _, one in self.cast.paid)
        event = self.event
        triggered = event is not None and (
            any(move.new == now for move in event.moves) or (event.kind in MOVES and number in event.objects)
        )
        return now if moved_here or paid or triggered else None

    @property
    def x(self) -> int:
        """The value of X (107.3)."""
        if "X" in self.said:
            return int(self.said["X"])
        return self.cast.x if self.cast else 0

    def look(self, number: int) -> Seen:
        """Return the characteristics of an object as it is or last was."""
        return self.state.look(number)

    def players(self, term: Any) -> tuple[str, ...]:
        """Return the players that a term of that sort means; a name means that player."""
        if isinstance(term, Term):
            found: tuple[str, ...] = tuple(WORDS[term.op].body(self, *term.args))
            return found
        return (term,) if isinstance(term, str) else tuple(term)

    def objects(self, term: Any) -> tuple[int, ...]:
        """Return the numbers of the objects that a term of that sort means."""
        if isinstance(term, Term):
            found: tuple[int, ...] = tuple(WORDS[term.op].body(self, *term.args))
            return found
        return (term,) if isinstance(term, int) else tuple(term)

    def fits(self, term: Any, candidate: int | str) -> bool:
        """Return whether an object or a player is such a one as a filter term says; None fits everything."""
        if term is None:
            return True
        filtering = WORDS[term.op]
        if isinstance(candidate, str) and not filtering.facts.get("player"):
            return False
        return bool(filtering.body(self, candidate, *term.args))

    def fits_cast(self, term: Any, number: int) -> bool:
        """Return whether a card would be such a one as a filter term says if it were being cast (601.3)."""
        self.said["as a spell"] = number
        fits = self.fits(term, number)
        del self.said["as a spell"]
        return fits

    def count(self, term: Any, player: str | None = None) -> int:
        """Return the value of an amount; `player` is who "their" means.

        What is no plain number (a table may count what nobody has looked at) is handed on as it is.
        """
        value: int = WORDS[term.op].body(self, player or self.you, *term.args) if isinstance(term, Term) else term
        return int(value) if isinstance(value, bool | str) else value

    @contextmanager
    def about(self, number: int | None) -> Iterator[None]:
        """Let amounts be those of one object: "its power" is the power of what an effect is about."""
        outer = self.said.get("about")
        self.said["about"] = number
        try:
            yield
        finally:
            self.said["about"] = outer

    def holds(self, term: Any) -> bool:
        """Return whether a condition is so; None always is."""
        return term is None or bool(WORDS[term.op].body(self, *term.args))

    def memory(self) -> Memory:
        """Return what is remembered of this frame by an effect that lasts or a trigger that waits."""
        kept = {key: value for key, value in self.said.items() if isinstance(value, int | str | tuple)}
        if self.cast and "X" not in kept:
            kept["X"] = self.cast.x
        return Memory(self.you, self.this, self.event, tuple(sorted(kept.items())))
