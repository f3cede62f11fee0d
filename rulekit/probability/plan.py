"""What is done to a library, turn by turn, in the game's own instructions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rulekit.cards.card import Card
from rulekit.cards.pool import CardPool
from rulekit.cards.whole import whole_number
from rulekit.engine.amounts import NUMBERS
from rulekit.probability import tables
from rulekit.rules import BadData

Chance = float | Fraction | str
MOST_TURNS = 200
MOST_DRAWN = 1_000
CONTROLLERS = ("opponent", "player")
_NUMBERS = ("no", *NUMBERS[1:11])
_N = rf"(?:\d+|{'|'.join(_NUMBERS)})"
_BETWEEN_AND = re.compile(rf"between\s+({_N})\s+and\s+({_N})\b")
_BETWEEN = re.compile(rf"(?P<low>{_N})\s*(?:to|-|–|or)\s*(?P<high>{_N})\s+(?P<what>.+)")
_LEAST = re.compile(rf"(?:at least\s+(?P<a>{_N})|(?P<b>{_N})\s+or\s+more)\s+(?P<what>.+)")
_MOST = re.compile(rf"(?:at most\s+(?P<a>{_N})|(?P<b>{_N})\s+or\s+fewer)\s+(?P<what>.+)")
_EXACTLY = re.compile(rf"(?:exactly\s+)?(?P<low>{_N})\s+(?P<what>.+)")
_AND = re.compile(rf"\s+and\s+(?=(?:at (?:least|most)\s+|exactly\s+)?{_N}\b)")
_ABOVE = re.compile(r"(?P<what>.+?)\s+above\s+(?P<above>\d+)")


@dataclass(frozen=True)
class Clause:
    """Ask of a hand that it holds a number of cards of a kind.

    Attributes:
        what: The kind, in the words of rules text.
        low: Smallest number.
        high: Largest number; None: no limit.
    """

    what: str
    low: int = 0
    high: int | None = None

    def and_also(self, other: Clause) -> Clause:
        """Return what both together ask of one kind."""
        highs = [each for each in (self.high, other.high) if each is not None]
        return Clause(self.what, max(self.low, other.low), min(highs, default=None))

    def __str__(self) -> str:
        if self.high is None:
            return f"at least {self.low} {self.what}"
        return f"{self.low} to {self.high} {self.what}" if self.low else f"at most {self.high} {self.what}"


@dataclass(frozen=True)
class Opening:
    """Draw an opening hand.

    Attributes:
        size: Cards in the hand.
        keep: All of these must hold, or a mulligan is taken; none: every hand is kept.
        down_to: Smallest hand that mulligans lead to.
        free: Mulligans for which no card goes to the bottom (103.5c).
        bottom: What goes to the bottom first: pairs of a kind and the number up to which it stays.
    """

    size: int
    keep: tuple[Clause, ...] = ()
    down_to: int = 0
    free: int = 0
    bottom: tuple[tuple[str, int], ...] | None = None

    def __str__(self) -> str:
        if not self.keep:
            return f"draw {self.size} cards"
        keeps = " and ".join(map(str, self.keep))
        return f"opening hand of {self.size}, keep {keeps}, London mulligans down to {self.down_to}"


@dataclass(frozen=True)
class Step:
    """Do something in some turns.

    Attributes:
        text: The instruction in the words of rules text; "" for a draw.
        draw: Number of cards drawn instead.
        chance: How likely it is done, each time anew.
        first: First turn.
        last: Last turn; None: the end.
        every: Every how many turns.
        by: Whose text it is: "player", "opponent", or "" for what the text suggests.
        keep: Which cards stay on top, or are taken, when it looks at cards.
        enough: From this number of such cards in hand on the other ones do.
        skips_first: Whether it is a draw that the player on the play skips (103.8a).
    """

    text: str
    draw: int = 0
    chance: Fraction = Fraction(1)
    first: int = 1
    last: int | None = None
    every: int = 1
    by: str = ""
    keep: str = ""
    enough: int | None = None
    skips_first: bool = False

    def in_turn(self, turn: int, on_the_play: bool) -> bool:
        """Tell whether it is done in a turn."""
        if turn < self.first or (self.last is not None and turn > self.last) or (turn - self.first) % self.every:
            return False
        return not (self.skips_first and on_the_play and turn == 1)

    def spoken(self) -> tuple[str, str]:
        """Return the instruction in the words of rules text, and whose text it is: "player" or "opponent"."""
        text = self.text or ("draw a card" if self.draw == 1 else f"draw {self.draw} cards")
        others = "opponent" in text.lower() or "target" in text.lower()
        return text, self.by or ("opponent" if others else "player")

    def __str__(self) -> str:
        does = self.text or f"draw {self.draw}"
        when = (
            f"turn {self.first}" if self.last == self.first else f"each turn{f' from {self.first}' * (self.first > 1)}"
        )
        if self.every > 1:
            when = f"every {self.every} turns from {self.first}"
        if self.last not in (None, self.first):
            when += f" to {self.last}"
        theirs = ", by an opponent" if self.spoken()[1] == "opponent" else ""
        return f"{when}{theirs}: {does}" + (f" with chance {float(self.chance):g}" if self.chance != 1 else "")


@dataclass(frozen=True)
class Permanent:
    """Let a permanent be on the battlefield in some turns."""

    card: Card | str
    first: int
    last: int | None
    controller: str

    def in_turn(self, turn: int) -> bool:
        """Tell whether it is there in a turn."""
        return self.first <= turn and (self.last is None or turn <= self.last)

    def __str__(self) -> str:
        name = self.card if isinstance(self.card, str) else self.card.name
        whose = "the player's" if self.controller == "player" else "an opponent's"
        return f"from turn {self.first}: {name} is on {whose} side"


@dataclass(frozen=True)
class Plan:
    """Say what is done to one player's library, turn by turn; every method returns a new plan.

    Turns are that player's, counted from 1. Within a turn things happen in the order in which they were written.

    Attributes:
        on_the_play: Whether the draw of the first turn is skipped (103.8a).
        opening: The opening hand, or None.
        steps: What is done in turns.
        permanents: What is on the battlefield.
        top: Names of the cards that are known to lie on top, the next one first.
        bottom: Names of the cards that are known to lie at the bottom, the last card of the library last.
    """

    on_the_play: bool = False
    opening: Opening | None = None
    steps: tuple[Step, ...] = ()
    permanents: tuple[Permanent, ...] = ()
    top: tuple[str, ...] = ()
    bottom: tuple[str, ...] = ()

    @classmethod
    def from_cards(
        cls, cards: Iterable[Card | str] | Mapping[Card | str, int], pool: CardPool | None = None, **assumptions: Any
    ) -> Plan:
        """Read from cards what they do to a library, and list everything that this takes for granted.

        Args:
            cards: Names or cards, one for each that is played; or a number of copies for each.
            pool: Where names are looked up before the catalogue.
            assumptions: Other values of what the plan takes for granted, by the names that it lists: how often
                something happens (`ruin_crab_times`), how likely (`ruin_crab_chance`), from which turn on
                (`ruin_crab_first`), what X is, who is meant, and who has the cards (`controller`).

        Returns:
            A plan that shows its assumptions with their values, and what of the cards is not in it; it goes on like
            any plan.

        Raises:
            Unknown: No card, or no assumption of these cards, is called so.
            BadData: A value cannot stand there.
        """
        from rulekit.probability.from_cards import plan_from_cards

        return plan_from_cards(cards, pool, **assumptions)

    def draw(self, n: int) -> Plan:
        """Draw an opening hand without mulligans, before turn 1.

        Args:
            n: Number of cards, at least 0.
        """
        self._no_opening()
        return replace(self, opening=Opening(whole_number("draw", n, 0, MOST_DRAWN)))

    def opening_hand(
        self,
        size: int = 7,
        mulligan: str = "london",
        keep: str = "",
        down_to: int = 4,
        free: int = 0,
        bottom: list[str] | tuple[str, ...] | None = None,
    ) -> Plan:
        """Draw an opening hand with mulligans, before turn 1 (103.5).

        Args:
            size: Cards in the hand, 1 to 32.
            mulligan: "london" (look at `size` cards each time, then put one on the bottom for each mulligan) or "none".
            keep: Which hands are kept: "2 to 5 lands", "at least 1 card named Ruin Crab and at most 4 lands".
            down_to: Smallest hand that mulligans lead to; every hand of that size is kept.
            free: Mulligans for which no card goes to the bottom (103.5c).
            bottom: What goes to the bottom first: "lands above 3", "nonland cards". Without: of what `keep` bounds
                above all above the middle of its range, then cards for which `keep` does not ask, then of what else it
                asks for all above the smallest number; else any card.

        Raises:
            BadData: A number is out of range, or a text is not understood.
        """
        self._no_opening()
        if mulligan not in ("london", "none"):
            raise BadData(f"no mulligan is called {mulligan!r}.", key="mulligan", instead=("london", "none"))
        size = whole_number("size", size, 1, 32)
        clauses = tuple(_clause(part) for part in _split(keep)) if keep.strip() else ()
        if mulligan == "none" and clauses:
            raise BadData("without mulligans every hand is kept.", key="keep", text=keep)
        first = None if bottom is None else tuple(_above(text) for text in bottom)
        down_to = whole_number("down_to", min(down_to, size) if down_to == 4 else down_to, 0, size)
        return replace(self, opening=Opening(size, clauses, down_to, whole_number("free", free, 0, 7), first))

    def each_turn(
        self,
        text: str = "",
        *,
        draw: int = 0,
        chance: Chance = 1,
        from_turn: int = 1,
        to_turn: int | None = None,
        every: int = 1,
        by: str = "",
        keep: str = "",
        enough: int | None = None,
    ) -> Plan:
        """Do something in each turn.

        Args:
            text: An instruction as a card would say it to its controller or to an opponent: "mill 10", "each opponent
                mills half their library, rounded up".
            draw: Number of cards to draw instead; on the play the first turn has none (103.8a).
            chance: How likely it is done, from 0 to 1, each turn anew: 0.7, "2/3", or a Fraction.
            from_turn: First turn, at least 1.
            to_turn: Last turn; without, the end.
            every: Every how many turns, at least 1.
            by: Whose text it is: "player" or "opponent"; without, an opponent's if it speaks of targets or opponents.
            keep: Which cards stay on top where the text lets the player look at cards (scry, surveil), and which are
                taken where it lets the player take some of them: "land".
            enough: From this number of such cards in hand on the other cards stay on top, or are taken.

        Raises:
            BadData: A number is out of range, or neither text nor draw is given.
        """
        first = whole_number("from_turn", from_turn, 1, MOST_TURNS)
        last = None if to_turn is None else whole_number("to_turn", to_turn, first, MOST_TURNS)
        step = _step(text, draw, chance, by, keep, enough)
        return replace(
            self,
            steps=(
                *self.steps,
                replace(step, first=first, last=last, every=whole_number("every", every, 1, MOST_TURNS)),
            ),
        )

    def on_turn(
        self,
        turn: int,
        text: str = "",
        *,
        draw: int = 0,
        chance: Chance = 1,
        by: str = "",
        keep: str = "",
        enough: int | None = None,
    ) -> Plan:
        """Do something in one turn; see `each_turn`."""
        at = whole_number("turn", turn, 1, MOST_TURNS)
        step = _step(text, draw, chance, by, keep, enough)
        return replace(self, steps=(*self.steps, replace(step, first=at, last=at, skips_first=False)))

    def permanent(
        self, card: Card | str, *, from_turn: int = 1, to_turn: int | None = None, controller: str = "opponent"
    ) -> Plan:
        """Let a permanent be on the battlefield, so that its replacement effects apply (614).

        Args:
            card: The card, or its name.
            from_turn: First turn, at least 1.
            to_turn: Last turn; without, the end.
            controller: "opponent" (an opponent of the player whose library it is) or "player".
        """
        first = whole_number("from_turn", from_turn, 1, MOST_TURNS)
        last = None if to_turn is None else whole_number("to_turn", to_turn, first, MOST_TURNS)
        if controller not in CONTROLLERS:
            raise BadData(f"nobody is called {controller!r}.", key="controller", instead=CONTROLLERS)
        if not isinstance(card, str | Card) or not card:
            raise BadData(f"{card!r} is no card.", key="permanent")
        return replace(self, permanents=(*self.permanents, Permanent(card, first, last, controller)))

    def known(self, *, top: list[str] | tuple[str, ...] = (), bottom: list[str] | tuple[str, ...] = ()) -> Plan:
        """Say which cards are known to lie on top and at the bottom of the library at the start.

        An opening hand with mulligans is dealt from a shuffled library (103.5): no card is known there any more.

        Args:
            top: Names, the next card first.
            bottom: Names, the last card of the library last.

        Raises:
            BadData: One name stands where names must stand.
        """
        for key, names in (("top", top), ("bottom", bottom)):
            if isinstance(names, str) or not all(isinstance(name, str) for name in names):
                raise BadData(f"{names!r} stands where names of cards must stand.", key=key, instead="['Island'].")
        return replace(self, top=tuple(top), bottom=tuple(bottom))

    def last_turn(self) -> int:
        """Return the last turn in which something single happens, or 12 if something goes on for good."""
        if any(step.last is None for step in self.steps):
            return max(12, *(step.first for step in self.steps))
        return max((step.last or step.first for step in self.steps), default=1)

    def __str__(self) -> str:
        lines = [f"Plan, {'on the play' if self.on_the_play else 'on the draw'}"]
        lines += [f"known on top: {', '.join(self.top)}"] * bool(self.top)
        lines += [f"known at the bottom: {', '.join(self.bottom)}"] * bool(self.bottom)
        lines += [f"before turn 1: {self.opening}"] * (self.opening is not None)
        return "\n  ".join([*lines, *map(str, self.permanents), *map(str, self.steps)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        title, *rest = str(self).split("\n  ")
        return tables.html_table(title, ["", "step"], [[str(place), step] for place, step in enumerate(rest, 1)])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from rulekit.widgets import view

        return view.forms(self, str(self), self._repr_html_())

    def _no_opening(self) -> None:
        if self.opening is not None:
            raise BadData(f"this plan has an opening hand already: {self.opening}.", key="opening_hand")


def _step(text: str, draw: int, chance: Chance, by: str, keep: str, enough: int | None) -> Step:
    if not isinstance(text, str) or bool(text.strip()) == bool(draw):
        raise BadData(
            "a step is either an instruction or a draw.",
            key="each_turn",
            instead="each_turn(draw=1), each_turn('mill 2').",
        )
    if by not in ("", *CONTROLLERS):
        raise BadData(f"nobody is called {by!r}.", key="by", instead=CONTROLLERS)
    drawn = whole_number("draw", draw, 1, MOST_DRAWN) if draw else 0
    most = None if enough is None else whole_number("enough", enough, 0, 100)
    return Step(" ".join(text.split()), drawn, as_chance(chance), by=by, keep=keep, enough=most, skips_first=bool(draw))


def as_chance(chance: Chance) -> Fraction:
    """Return a probability as the fraction that was meant: 0.7 is 7/10.

    Raises:
        BadData: It is no number from 0 to 1, its denominator is 2**32 or more, or it is too near to 0 or 1 for less.
    """
    try:
        percent = isinstance(chance, str) and chance.strip().endswith("%")
        exact = Fraction(str(chance).strip().removesuffix("%")) if isinstance(chance, float | str) else Fraction(chance)
        exact = exact / 100 if percent else exact
    except (ValueError, TypeError, ZeroDivisionError):
        raise BadData(
            f"{chance!r} is no probability.", key="chance", instead="0.7, '2/3', '70%' or a Fraction, from 0 to 1."
        ) from None
    if not 0 <= exact <= 1:
        raise BadData(f"a chance lies between 0 and 1, not {chance}.", key="chance")
    if exact.denominator < 1 << 32:
        return exact
    if not isinstance(chance, float):
        raise BadData(f"the denominator of a chance is less than 2**32, not {exact.denominator:,}.", key="chance")
    nearest = exact.limit_denominator((1 << 32) - 1)  # closer to the number meant than the float is to most fractions
    if nearest in (0, 1):
        raise BadData(
            f"{chance} would be taken for {nearest}.", key="chance", instead="0, 1, or at least 1 in 2**32 away."
        )
    return nearest


def _split(keep: str) -> list[str]:
    """Split what is kept at each "and" that a number follows."""
    return [part.strip() for part in _AND.split(_BETWEEN_AND.sub(r"\1 to \2", " ".join(keep.split())))]


def _clause(text: str) -> Clause:
    for pattern in (_BETWEEN, _LEAST, _MOST, _EXACTLY):
        found = pattern.fullmatch(text)
        if found is None:
            continue
        said = found.groupdict()
        if pattern is _LEAST:
            return Clause(said["what"], _said(said["a"] or said["b"]))
        if pattern is _MOST:
            return Clause(said["what"], 0, _said(said["a"] or said["b"]))
        low = _said(said["low"])
        high = _said(said.get("high") or said["low"])
        if low > high:
            break
        return Clause(said["what"], low, high)
    raise BadData(
        f"{text!r} does not say which hands are kept.", key="keep",
        instead="2 to 5 lands; at least 1 card named Ruin Crab; at most 4 lands; several joined by and.",
    )  # fmt: skip


def _said(number: str) -> int:
    return _NUMBERS.index(number) if number in _NUMBERS else int(number)


def _above(text: str) -> tuple[str, int]:
    found = _ABOVE.fullmatch(text.strip())
    return (found["what"], int(found["above"])) if found else (text.strip(), 0)
