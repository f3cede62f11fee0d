"""A plan read from cards: what they do to a library, and everything that this takes for granted, by name.

What a card does is taken from its abilities as data: the effects that say something with a library (`library=True`
beside their words), what those wait for or cost, and the replacement effects that change them. How often something
happens, from which turn on, what X is and who is meant stands on no card; each such thing is an `Assumption` with its
value shown, and whoever makes the plan may give another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rulekit.cards.card import Card
from rulekit.cards.pool import CardPool
from rulekit.engine.abilities import WORDS, Ability, Term, abilities_in, walk
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.parsing import Unread
from rulekit.engine.phrases import replaced
from rulekit.engine.text import abilities_of, read_effect
from rulekit.engine.wording import say_effects
from rulekit.probability import tables
from rulekit.probability.plan import CONTROLLERS, MOST_TURNS, Plan, as_chance
from rulekit.probability.rhythms import first_words, of_copies, rhythm, taps, turn_of
from rulekit.probability.spoken import not_read, said
from rulekit.probability.tracer import Tracer
from rulekit.probability.unseen import OPPONENT, PLAYER, Refused, traced_state
from rulekit.rules import BadData, Unknown

YOU, THAT_PLAYER, EACH_OPPONENT = Term("you"), Term("that player"), Term("each opponent")
AN_OPPONENT = Term("an opponent of yours")
THEY = ("that player", "defending player", "active player", "chosen player", "enchanted player", "controller", "owner")
MOST_TIMES = 20
MOST_CARDS = 60
MOST_X = 1_000
REPLACED = ("milled", "drew")  # kinds of events of a library that replacement effects change
HIDDEN = ("in graveyard", "in library", "in hand", "this way", "milled this turn")
THESE = ("this way", "them", "those", "among", "the one of them", "put the rest")  # of the cards just moved or seen
_WHO = ("you", "each opponent", "an opponent of yours", "each player", "target player", *THEY)
COSTS_MORE = ("was kicked", "was cast from")
LOOKS = ("scry", "surveil", "look at the top")
REPLACES = "what is done in the place of something else; write it as a step, such as each_turn('mill 3')"


@dataclass(frozen=True)
class Assumption:
    """Something that no card says, with the value that the plan takes for it.

    Attributes:
        name: By which another value is given.
        value: What is taken.
        words: What it means.
        given: Whether whoever made the plan gave the value.
    """

    name: str
    value: Any
    words: str
    given: bool = False

    def __str__(self) -> str:
        return f"{self.name} = {self.value!r}{' (given)' if self.given else ''}: {self.words}"


@dataclass(frozen=True, repr=False)
class PlanOfCards(Plan):
    """A plan that was read from cards, with what it takes for granted and what it leaves out.

    Attributes:
        assumptions: Everything that no card says.
        left_out: What is not in the plan, and why.
    """

    assumptions: tuple[Assumption, ...] = ()
    left_out: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [Plan.__str__(self), "taken for granted; Plan.from_cards(..., name=value) gives another value:"]
        lines += [f"  {each}" for each in self.assumptions]
        lines += ["not in the plan:"] * bool(self.left_out) + [f"  {each}" for each in self.left_out]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        steps = [[str(number + 1), str(each)] for number, each in enumerate((*self.permanents, *self.steps))]
        rows = [[each.name, str(each.value), each.words] for each in self.assumptions]
        parts = [tables.html_table("What the plan does", ["", "step"], steps)]
        parts += [tables.html_table("Taken for granted", ["name", "value", "what it means"], rows)]
        if self.left_out:
            parts.append(tables.html_table("Not in the plan", ["", "why"], [["", each] for each in self.left_out]))
        return "".join(parts)


def plan_from_cards(
    cards: Iterable[Card | str] | Mapping[Card | str, int], pool: CardPool | None = None, **given: Any
) -> PlanOfCards:
    """Read from cards what they do to a library; see `Plan.from_cards`."""
    if isinstance(cards, str):
        raise BadData("one name is no list of cards.", key="cards", instead=f"Plan.from_cards([{cards!r}])")
    reader = _Reader(_Given(given), pool)
    counted = dict(cards) if isinstance(cards, Mapping) else {}
    for each in cards if not isinstance(cards, Mapping) else ():
        counted[each] = counted.get(each, 0) + 1
    if not 1 <= len(counted) <= MOST_CARDS:
        raise BadData(f"a plan is read from 1 to {MOST_CARDS} cards, not from {len(counted)}.", key="cards")
    found = [(reader.card(name), copies) for name, copies in counted.items()]
    reader.choose_controller(card for card, _ in found)
    for card, copies in found:
        reader.read(card, copies)
    reader.given.all_used()
    return reader.plan()


class _Given:
    """The assumptions: the values that were given, and those that are taken where none was."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = dict(given)
        self.taken: dict[str, Assumption] = {}

    def number(self, name: str, unsaid: int, low: int, high: int, words: str) -> int:
        value = self._take(name, unsaid, words)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise BadData(f"{value!r} stands where a whole number from {low} to {high:,} must stand.", key=name)
        return value

    def chance(self, name: str, words: str) -> Fraction:
        value = self._take(name, 1, words)
        return as_chance(value)

    def choice(self, name: str, unsaid: Any, options: tuple[Any, ...], words: str) -> Any:
        value = self._take(name, unsaid, words)
        if value not in options:
            raise BadData(f"{value!r} cannot stand there.", key=name, instead=tuple(map(str, options)))
        return value

    def text(self, name: str, unsaid: str, words: str) -> str:
        value = self._take(name, unsaid, words)
        if not isinstance(value, str):
            raise BadData(f"{value!r} stands where a text must stand.", key=name)
        return value

    def _take(self, name: str, unsaid: Any, words: str) -> Any:
        value = self.given.get(name, unsaid)
        self.taken[name] = Assumption(name, value, words, name in self.given)
        return value

    def all_used(self) -> None:
        """Refuse a name that nothing here asks for."""
        for name in self.given:
            if name not in self.taken:
                raise Unknown("assumption", name, self.taken, "for these cards")


class _Said(Exception):
    """Why an ability that does something with a library is not in the plan."""


@dataclass
class _Reader:
    """Reads cards one after another into a plan."""

    given: _Given
    pool: CardPool | None
    made: Plan = field(default_factory=Plan)
    left_out: list[str] = field(default_factory=list)
    controller: str = "opponent"
    name: str = ""
    tapped: bool = False
    done: bool | None = None
    passed: list[Term] = field(default_factory=list)

    def card(self, name: Card | str) -> Card:
        """Return a card by its name."""
        if isinstance(name, Card):
            return name
        pools = [each for each in (self.pool, CardPool.catalogue()) if each is not None]
        return next((pool[name] for pool in pools if name in pool), None) or pools[0].find(name)

    def plan(self) -> PlanOfCards:
        made = self.made
        return PlanOfCards(
            steps=made.steps, permanents=made.permanents, assumptions=tuple(self.given.taken.values()),
            left_out=tuple(self.left_out),
        )  # fmt: skip

    def choose_controller(self, cards: Iterable[Card]) -> None:
        """Take the cards to be the player's own where all that they do, they do to their controller."""
        meant = {who.op for card in cards for ability in _every(card) for term in _of_library(ability)
                 for who in _players(term)}  # fmt: skip
        own = meant == {"you"}
        words = "who controls these cards: an opponent of the player whose library it is, or that player"
        self.controller = self.given.choice("controller", CONTROLLERS[int(own)], CONTROLLERS, words)

    # ------------------------------------------------------------ cards

    def read(self, card: Card, copies: int) -> None:
        """Put what a card does to a library into the plan, and say what is left out."""
        self.name = card.name
        unread = not_read(card)
        self.left_out += [f"{card.name}: not understood: {text}" for text in unread]
        slug = _slug(card)
        number, done, self.tapped = 0, False, False
        for ability in _every(card):
            if _changes_library(ability):
                self._permanent(card, ability, slug)
                done = True
            elif ability.kind == "replacement" and any(map(_speaks_of_library, ability.effect)):
                self.left_out.append(f"{card.name}: {ability.words}: {REPLACES}")
                done = True
            elif any(_of_library(ability)):
                number += 1
                name = slug if number == 1 else f"{slug}_{number}"
                try:
                    done = self._ability(card, ability, name, copies) or done
                except _Said as said:
                    self.left_out.append(f"{card.name}: {ability.words}: {said}")
                    done = True
            elif ability.keyword in WORDS and WORDS[ability.keyword].facts.get("library"):
                self.left_out.append(f"{card.name}: {ability.words}: no step of a plan says this")
                done = True
        if not done and not unread:
            self.left_out.append(f"{card.name} does nothing to this library{self._whose(number)}")

    def _whose(self, number: int) -> str:
        """Say that what a card does, it does to somebody else's library, if it does anything to one."""
        whose = "an opponent of the player" if self.controller == "opponent" else "the player"
        return f", as long as {whose} whose library it is controls it (controller)" if number else ""

    def _permanent(self, card: Card, ability: Ability, slug: str) -> None:
        words = f"first turn in which {card.name} is on the battlefield: {ability.words}"
        first = self.given.number(f"{slug}_first", turn_of(card, ability), 1, MOST_TURNS, words)
        self.made = self.made.permanent(card, from_turn=first, controller=self.controller)

    def _ability(self, card: Card, ability: Ability, name: str, copies: int) -> bool:
        """Put one ability into the plan as steps, and return whether it does anything to this library."""
        text = self._text(ability, name)
        if text is None:
            return False
        once, unsaid, late, how = rhythm(card, ability)
        if ability.loyalty and any(each.name.endswith("_times") and each.value for each in self._of(card)):
            unsaid, how = 0, how + "; of these abilities one each turn (606.3)"
        if taps(ability) and not once:
            unsaid, how = (0, how + "; tapped for another one already") if self.tapped else (unsaid, how)
            self.tapped = True
        turn = turn_of(card, ability)
        first = self.given.number(f"{name}_first", turn + late, 1, MOST_TURNS, first_words(turn, once, late))
        times = self.given.number(f"{name}_times", unsaid * copies, 0, MOST_TIMES, how + of_copies(copies))
        chance = self.given.chance(f"{name}_chance", "how likely it is each time, such as 0.7 or '2/3'")
        keep = self._kept(ability, name)
        for _ in range(times):
            if once:
                self.made = self.made.on_turn(first, text, chance=chance, by=self.controller, keep=keep)
            else:
                self.made = self.made.each_turn(text, chance=chance, from_turn=first, by=self.controller, keep=keep)
        return True

    def _of(self, card: Card) -> Iterator[Assumption]:
        """Yield the assumptions about a card so far."""
        return (each for each in self.given.taken.values() if each.name.startswith(_slug(card)))

    def _kept(self, ability: Ability, name: str) -> str:
        if not any(term.op in LOOKS for term in ability.terms()) or self.controller != "player":
            return ""
        words = "which cards stay on top or are taken where cards are looked at, as in each_turn(keep=...)"
        return self.given.text(f"{name}_keep", "land", words)

    # ------------------------------------------------------------ what is said, as an instruction

    def _text(self, ability: Ability, name: str) -> str | None:
        """Say what an ability does to this library, or None if it does nothing to it.

        Raises:
            _Said: It does something that a plan cannot say.
        """
        cost = tuple(Term("mill", (YOU, each.args[0])) for each in ability.cost if each.op == "mill as a cost")
        self.done = None
        self.passed.clear()
        does = self._settled((*cost, *ability.effect), name)
        does = self._players_named(_repeated(self._numbered(term, name) for term in does), name)
        alone = tuple(term for term in does if _speaks_of_library(term) and not self._of_others(term))
        rest = [term for term in self.passed if self._moves_more(term)]
        try:
            text = self._said(does) if does else None
        except _Said:
            if alone == does:
                raise
            text = self._said(alone) if alone else None
            rest = [term for term in does if term not in alone] + rest
        if text is not None and rest:
            self.left_out.append(f"{self.name}: {ability.words}: what else this does: {', '.join(map(said, rest))}")
        return text

    def _moves_more(self, term: Term) -> bool:
        """Return whether an effect that says nothing with a library does something with the player's other cards."""
        zones = [inner for inner in term.walk() if inner.op in ("in graveyard", "in hand", "zone of", "discard")]
        return any(who not in self._others() for zone in zones for who in zone.walk() if who.op in _WHO)

    def _of_others(self, term: Term) -> bool:
        """Return whether all that an effect does with libraries, it does with those of others."""
        meant = [who for inner in term.walk() if _is_of_library(inner) for who in _players(inner)]
        return bool(meant) and all(who in self._others() for who in meant)

    def _others(self) -> tuple[Term, ...]:
        """Return how a card speaks of players whose library it is not."""
        return (YOU,) if self.controller == "opponent" else (EACH_OPPONENT, AN_OPPONENT)

    def _said(self, does: tuple[Term, ...]) -> str | None:
        """Say effects as an instruction, or return None if they do nothing to this library."""
        try:
            text = say_effects(does)
            again = read_effect(text)
        except (LookupError, Unread):
            raise _Said("it has no wording as an instruction of its own") from None
        if _unnumbered(again) != _unnumbered(does):
            raise _Said("its wording as an instruction of its own would mean something else")
        return text if self._touches(text) else None

    def _touches(self, text: str) -> bool:
        """Return whether an instruction does anything to this library; what is refused there, is refused here."""
        tracer = Tracer(traced_state(()), (), lambda what, size: "cards", lambda *what: 1)
        try:
            tracer.trace(text, OPPONENT if self.controller == "opponent" else PLAYER)
        except Refused as refused:
            if "say keep=" not in str(refused):
                raise _Said(f"no library program can say this, because {refused}") from None
            return True
        return bool(tracer.rows)

    def _settled(self, does: Iterable[Term], name: str, before: tuple[Term, ...] = ()) -> tuple[Term, ...]:
        """Return effects behind others without what somebody may do or refuse, each as was assumed."""
        found: list[Term] = []
        for term in does:
            so_far = (*before, *found)
            these = (*THESE, "it") if any(each.op == "reveal until" for each in so_far) else THESE
            if _speaks_of_library(term) or (so_far and any(inner.op in these for inner in term.walk())):
                found += self._settled_one(term, name, so_far)
            else:
                self.passed.append(term)
                self.done = None if term.op == "may" else self.done
        return tuple(found)

    def _settled_one(self, term: Term, name: str, before: tuple[Term, ...]) -> tuple[Term, ...]:
        if term.op == "may":
            words = f"whether it is done: {GRAMMAR.say(term)}"
            done = self.given.choice(f"{name}_may", True, (True, False), words)
            self.done = done
            return self._settled(term.args[1], name, before) if done else ()
        if term.op in ("unless", "unless done"):
            words = "whether what would prevent it is done"
            instead = term.args[1] if term.op == "unless done" else ()
            unsaid = not any(map(_speaks_of_library, term.args[0])) and any(map(_speaks_of_library, instead))
            prevented = self.given.choice(f"{name}_prevented", unsaid, (True, False), words)
            return self._settled(instead if prevented else term.args[0], name, before)
        if term.op == "when done":
            return self._settled(term.args[0], name, before)
        if term.op == "if" and not _seen_in_library(term.args[0]):
            holds = self._holds(term.args[0], name)
            return self._settled(term.args[1] if holds else term.args[2], name, before)
        if term.op == "modes":
            able = [place for place, mode in enumerate(term.args[2]) if any(_is_of_library(t) for t in walk(mode))]
            words = "which of its modes is chosen, counted from 1"
            mode = self.given.number(f"{name}_mode", able[0] + 1, 1, len(term.args[2]), words)
            return self._settled(term.args[2][mode - 1], name, before)
        return (term,)

    def _holds(self, condition: Term, name: str) -> bool:
        """Return whether a condition holds: as was assumed, or as was assumed of the "may" that it speaks of."""
        asked = condition.args[0] if condition.op == "not so" else condition
        if asked == Term("it was done") and self.done is not None:
            return self.done == (asked is condition)
        unsaid = asked.op not in COSTS_MORE  # the turn of its mana value pays for no more than that
        return bool(self.given.choice(f"{name}_if", unsaid, (True, False), f"whether {said(condition)}"))

    def _numbered(self, value: Any, name: str) -> Any:
        """Put a number in the place of each amount that the library alone does not tell."""
        if isinstance(value, tuple):
            return tuple(self._numbered(part, name) for part in value)
        if not isinstance(value, Term) or WORDS[value.op].sort == "condition":
            return value
        seen = _seen_in_library(value) and not any(inner in self._others() for inner in value.walk())
        if WORDS[value.op].sort == "amount" and not seen:
            which = "x" if value.op == "X" else "number"
            words = "X" if value.op == "X" else said(value)
            return self.given.number(f"{name}_{which}", 1, 0, MOST_X, words)
        return Term(value.op, tuple(self._numbered(arg, name) for arg in value.args))

    def _players_named(self, does: tuple[Term, ...], name: str) -> tuple[Term, ...]:
        """Say for players whom the event or a choice decides, who they are."""
        opponent = AN_OPPONENT if len(does) == 1 else EACH_OPPONENT  # what comes after the first means the same one
        mine, others = (YOU, opponent) if self.controller == "player" else (opponent, YOU)
        for op in ("target player", *THEY):
            spoken = [term for term in walk(does) if term.op == op]
            if spoken:
                words = f"whether '{said(spoken[0])}' is the player whose library it is"
                meant = self.given.choice(f"{name}_who", "the player", ("the player", "somebody else"), words)
                for term in spoken:
                    does = replaced(does, term, mine if meant == "the player" else others)
        return does


# ---------------------------------------------------------------- what an ability says


def _slug(card: Card) -> str:
    """Return the name of a card as names of assumptions begin."""
    return "_".join(re.findall(r"[a-z0-9]+", card.name.lower().replace("'", "")))


def _every(card: Card) -> Iterator[Ability]:
    """Yield the abilities of a card, and those that it gives to other objects."""
    for face in card.faces or (card,):
        for ability in abilities_of(face):
            yield ability
            if ability.kind == "static":
                yield from (each for each in abilities_in(ability) if each is not ability)


def _is_of_library(term: Term) -> bool:
    in_it = term.op == "in library" or (term.op == "zone of" and term.args[0] == "library")
    return in_it or bool(WORDS[term.op].facts.get("library"))


def _of_library(ability: Ability) -> Iterator[Term]:
    """Yield what an ability says with a library, in its effect or its cost."""
    if ability.kind in ("spell", "activated", "triggered"):
        yield from (term for part in (ability.cost, ability.effect) for term in walk(part) if _is_of_library(term))


def _speaks_of_library(term: Term) -> bool:
    return any(_is_of_library(inner) for inner in term.walk())


def _players(term: Term) -> Iterator[Term]:
    """Yield the players whom an effect is about; a cost is paid by "you"."""
    if WORDS[term.op].sort == "cost":
        yield YOU
        return
    for (slot, _), arg in zip(WORDS[term.op].slots, term.args, strict=False):
        if WORDS[term.op].sorts.get(slot) == "players" and isinstance(arg, Term):
            yield arg


def _changes_library(ability: Ability) -> bool:
    """Return whether an ability replaces drawing, milling, or where cards go from a library."""
    if ability.kind != "replacement" or ability.event is None or ability.event.op == "would enter":
        return False
    kinds = WORDS[ability.event.op].facts.get("kinds", ())
    return any(kind in REPLACED for kind in kinds) or ability.event.op == "would be put into"


def _seen_in_library(value: Any) -> bool:
    """Return whether what a term asks can be told from a library and the cards that came from it."""
    terms = list(walk(value))
    return any(term.op in HIDDEN or term.op in ("their library", "two milled that share", "half") for term in terms)


def _repeated(does: Iterable[Term]) -> tuple[Term, ...]:
    """Write down each effect as often as it is done, where that is a number."""
    found: list[Term] = []
    for term in does:
        times = term.args[0] if term.op == "several times" else None
        found += _repeated(term.args[1]) * times if isinstance(times, int) else (term,)
    return tuple(found)


def _unnumbered(does: Any) -> Any:
    """Return effects with every target in the first place, so that two readings can be compared."""
    if isinstance(does, Term):
        args = does.args
        if does.op in ("target", "target player") and args:
            args = (0, *args[1:])
        return Term(does.op, tuple(map(_unnumbered, args)))
    return tuple(map(_unnumbered, does)) if isinstance(does, tuple) else does
