"""What is counted: descriptions in the words of rules text, functions of a card, sums and kinds; and where."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np

from rulekit.cards.card import Card
from rulekit.cards.pool import CardPool
from rulekit.cards.printed import ManaCost
from rulekit.engine.abilities import Ability, Term
from rulekit.engine.frame import Frame
from rulekit.engine.parsing import Unread
from rulekit.engine.position import position
from rulekit.engine.state import State
from rulekit.engine.text import abilities_of, read_filter
from rulekit.probability.asked import Asked
from rulekit.probability.condition import Condition
from rulekit.probability.rows import LIBRARY, LOST, Axis, cards_in, counted, different, register
from rulekit.probability.unseen import EVERY_PILE, PLAYER, piles_in
from rulekit.rules import BadData, Unknown

CountOf = Callable[[Card], int]
Count: TypeAlias = Sequence[str | Callable[[Card], Any]] | Mapping[str, str | Callable[[Card], Any]]
HITS = "hits"
ALWAYS = ("library", "hand", "graveyard", "lost", HITS)
COLORS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}
_PLACE = re.compile(
    r"(?P<what>.+?)\s+(?:in\s+(?:(?:the|your|their)\s+)?(?P<zone>hand|graveyard|exile|library)|(?P<milled>milled))"
)
NAMED = re.compile(r"(?:cards? )?named (?P<name>.+)", re.IGNORECASE)
_TOTAL = re.compile(r"total mana value(?:\s+of\s+(?P<what>.+))?", re.IGNORECASE)
_KINDS = {"card types": "types", "types": "types", "colors": "colors"}
_CAN_CAST = re.compile(r"can (?:cast|pay)\s+(?P<cost>(?:\{[^{}]+\})+)", re.IGNORECASE)
_OF_NO_CARD = frozenset({  # what is true of permanents, spells, abilities, tokens and players alone
    "a player", "ability", "an opponent", "any other target", "any target", "attached to", "attacked this turn",
    "attacking", "blocked", "blocking", "blocking one", "controlled", "damaged this turn", "enchanted",
    "entered this turn", "equipped", "face-down", "modified", "not controlled", "on the battlefield", "permanent",
    "spell", "tapped", "targeting", "token", "unblocked", "untapped", "with a single target", "with any counter",
    "with counter",
})  # fmt: skip
_EXAMPLES = (
    "land", "creature card with mana value 3 or less", "named Narcomoeba", "total mana value",
    "card types in graveyard", "land in hand", "can cast {1}{U}", "a function of a Card",
)  # fmt: skip


@lru_cache(maxsize=4096)
def _alone(card: Card) -> tuple[State, int]:
    """Return a State in which a card lies in the player's library, and its number."""
    state = position(players=(PLAYER, "an opponent"), **{PLAYER: {"library": [card]}, "an opponent": {"library": []}})  # type: ignore[arg-type]
    return state, state.zone("library", PLAYER)[0]


@lru_cache(maxsize=65536)
def fits(term: Term, card: Card) -> bool:
    """Return whether a card in a library is such a one as a filter says."""
    state, number = _alone(card)
    return Frame(state, PLAYER, 0).fits(term, number)


@lru_cache(maxsize=4096)
def filter_of(text: str) -> Term:
    """Read the description of a card; "named X", "with flying" and "mana value 3 or less" may stand alone.

    Raises:
        BadData: It is not understood, or no card that lies in a library, hand or graveyard is such a one.
    """
    first: Unread | None = None
    elsewhere = False
    for said in (text, f"{text} card", f"card {text}", f"card with {text}"):
        try:
            found = read_filter(said)
        except Unread as unread:
            first = first or unread
            continue
        if _OF_NO_CARD.isdisjoint(term.op for term in found.walk()):
            return found
        elsewhere = True
    if elsewhere or first is None:
        raise BadData(f"no card in a library, hand or graveyard is a {text!r}.", key="count", instead=_EXAMPLES)
    at = f" at '{first.phrase}'" if first.phrase else ""
    raise BadData(f"{text!r} is not understood{at}.", key="count", instead=_EXAMPLES)


def described(text: str, cards: Iterable[Card], pool: CardPool | None = None) -> Term:
    """Read the description of a card of a deck; a name in it may be any that the deck or the pool knows.

    Args:
        text: The description, or "named NAME", "card named NAME".
        cards: The cards of the deck.
        pool: Where other names are looked up, beside the catalogue.

    Raises:
        BadData: It is not understood.
        Unknown: Nothing is called so.
    """
    named = NAMED.fullmatch(text.strip())
    mine = CardPool(cards)
    if named is None:
        try:
            return filter_of(text)
        except BadData as error:
            if text not in mine:
                raise
            raise BadData(error.message, key="count", instead=f"named {mine.find(text).name}") from None
    name = named["name"]
    for known in (mine, pool, CardPool.catalogue()):
        if known is not None and name in known:
            return Term("named", (known.find(name).name,))
    raise Unknown("card", name, [*mine, *CardPool.catalogue()], "in the deck or the catalogue")


def mana_value(card: Card) -> int:
    """Return the mana value that a card has in a library or graveyard (202.3)."""
    state, number = _alone(card)
    return state.look(number).mana_value


@lru_cache(maxsize=4096)
def mana_colors(card: Card) -> frozenset[str]:
    """Return the colors of mana that a card can make by its mana abilities, as W, U, B, R, G (605.1a)."""
    found: set[str] = set()
    for ability in abilities_of(card):
        if ability.mana:
            found |= _colors_made(ability)
    return frozenset(found & set(COLORS))


def _colors_made(ability: Ability) -> set[str]:
    made: set[str] = set()
    for term in ability.terms():
        if term.op == "add mana":
            made |= set(term.args[0])
        elif "any color" in term.op:
            made |= set(COLORS)
    return made


@dataclass
class Counts:
    """What is known of cards for a program: counters and features, found while a question and a plan are read.

    Attributes:
        cards: The different cards of the deck.
        pool: Where other names are looked up.
        counters: For each name what a card adds.
        features: Names of the features, and what cards have them.
    """

    cards: tuple[Card, ...] = ()
    pool: CardPool | None = None
    counters: dict[str, CountOf] = field(default_factory=dict)
    features: dict[str, Callable[[Card], bool]] = field(default_factory=dict)
    _terms: dict[tuple[Term | None, str], str] = field(default_factory=dict)

    def counter(self, what: Term | None, size: str = "", name: str = "") -> str:
        """Return the name of the counter of cards that fit, or of their mana values."""
        key = (what, size)
        if key not in self._terms:
            called = name or f"counter {len(self._terms) + 1}"
            self._terms[key] = called
            self.counters[called] = _adder(what, size)
        return self._terms[key]

    def described(self, text: str) -> Term:
        """Read the description of a card, see `described`."""
        return described(text, self.cards, self.pool)

    def function(self, name: str, of: CountOf) -> str:
        """Return the name of the counter of a function of a card, which is asked about each card of the deck at once.

        Raises:
            BadData: It gives something else than True, False or a number of at least 0.
        """
        found = {card: _given(name, of, card) for card in self.cards}
        self.counters[f"function {name}"] = lambda card: found[card] if card in found else _given(name, of, card)
        return f"function {name}"

    def mask(self, kind: str, what: Term | None = None) -> int:
        """Return the mask of the features of a kind, "types" or "colors", of cards that fit; without a term of all."""
        names = _TYPES if kind == "types" else tuple(COLORS.values())
        called = [f"{kind}: {name}" if what is None else f"{kind} of {what}: {name}" for name in names]
        for feature, name in zip(called, names, strict=True):
            self.features.setdefault(feature, _has(kind, name, what))
        places = list(self.features)
        return sum(1 << places.index(feature) for feature in called)

    def shared(self, kind: str, what: Term | None = None) -> int:
        """Return the mask of what cards that fit can share; without a term all cards.

        Raises:
            BadData: It is neither color nor card type.
        """
        named = {"color": "colors", "card type": "types"}.get(kind)
        if named is None:
            raise BadData(
                f"a program cannot tell which cards share a {kind}.", key="plan", instead=("color", "card type")
            )
        return self.mask(named, what)


_TYPES = ("Artifact", "Battle", "Creature", "Enchantment", "Instant", "Kindred", "Land", "Planeswalker", "Sorcery")


def _adder(what: Term | None, size: str) -> CountOf:
    if size:
        return lambda card: mana_value(card) if what is None or fits(what, card) else 0
    return lambda card: int(what is None or fits(what, card))


def _has(kind: str, name: str, what: Term | None) -> Callable[[Card], bool]:
    def has(card: Card) -> bool:
        state, number = _alone(card)
        return name in getattr(state.look(number), kind) and (what is None or fits(what, card))

    return has


def _given(name: str, of: Callable[[Card], Any], card: Card) -> int:
    """Return what a function gives for a card, a truth or a whole number of Python or NumPy."""
    found = of(card)
    if not isinstance(found, (int, np.integer, np.bool_)) or found < 0:
        raise BadData(
            f"the function {name} gives {found!r} for {card.name}, not True, False or a number of at least 0.",
            key="count",
        )
    return int(found)


def read_counts(count: Count, counts: Counts, cards: Sequence[tuple[Card, int]]) -> dict[str, Asked]:
    """Read what is to be counted.

    Args:
        count: Descriptions or functions of a card, or for each name one of these. "in hand", "in graveyard", "in exile"
            or "in library" behind it says where; else the cards that were milled count.
        counts: Takes the counters and features that are needed.
        cards: The different cards of the deck, and how many of each.

    Returns:
        For each name what it means, with library, hand, graveyard, lost and hits in front.

    Raises:
        BadData: A description is not understood, a name comes twice, or a function has none.
    """
    asked = {
        "library": Asked("library", (Axis("library", (LIBRARY,)),)),
        "hand": Asked("hand", (Axis("hand", (cards_in(*piles_in("hand")),)),)),
        "graveyard": Asked("graveyard", (Axis("graveyard", (cards_in(*piles_in("graveyard")),)),)),
        "lost": Asked("lost", (Axis("lost", (LOST,)),)),
        HITS: Asked(HITS, (Axis(HITS, (register(HITS),), 0),)),
    }
    if isinstance(count, str) or not isinstance(count, Sequence | Mapping):
        raise BadData("what is counted is given as a list, or as a mapping from names.", key="count", text=repr(count))
    pairs = count.items() if isinstance(count, Mapping) else ((_name(each), each) for each in count)
    for name, what in pairs:
        if not isinstance(name, str) or not name.strip():
            raise BadData(f"{name!r} cannot be the name of a count.", key="count", instead=_EXAMPLES)
        if name in asked:
            always = "always counted" if name in ALWAYS else "counted already"
            raise BadData(f"{name!r} is {always}.", key="count", instead="Give each count another name, each once.")
        asked[name] = _read_one(name, what, counts, cards)
    return asked


def _name(each: Any) -> str:
    if isinstance(each, str):
        return " ".join(each.split())
    name = getattr(each, "__name__", "")
    if not callable(each) or not name or name == "<lambda>":
        raise BadData(
            "a count is a description or a function with a name.", key="count", text=name or repr(each),
            instead="Give a function a name as in count={'cheap': lambda card: card.mana_value <= 2}.",
        )  # fmt: skip
    return name.replace("_", " ")


def _read_one(name: str, what: Any, counts: Counts, cards: Sequence[tuple[Card, int]]) -> Asked:
    text = what if isinstance(what, str) else name
    placed = _PLACE.fullmatch(text.strip())
    inner = placed["what"] if placed else text.strip()
    zone = (placed["zone"] if placed else None) or "milled"
    milled = zone == "milled" and not name.strip().endswith("milled")
    if not isinstance(what, str):
        if not callable(what):
            raise BadData(
                "a count is a description or a function of a Card.", key=name, text=repr(what), instead=_EXAMPLES
            )
        counter = counts.function(name, what)
    elif (castable := _CAN_CAST.fullmatch(inner)) is not None:
        return _castable(name, castable["cost"], zone if placed else "hand", counts)
    elif inner.lower() in _KINDS:
        if zone == "library":
            raise BadData("kinds are not counted in the library.", key=name)
        kinds = different(counts.mask(_KINDS[inner.lower()]), *piles_in(zone))
        return Asked(name, (Axis(name, (kinds,)),), milled=milled)
    elif (total := _TOTAL.fullmatch(inner)) is not None:
        counter = counts.counter(counts.described(total["what"]) if total["what"] else None, "mana value")
    else:
        counter = counts.counter(counts.described(inner))
    if zone != "library":
        return Asked(name, (Axis(name, (counted(counter, *piles_in(zone)),)),), milled=milled)
    total_of = sum(counts.counters[counter](card) * number for card, number in cards)
    return Asked(name, (Axis(f"{name} (gone)", (counted(counter, *EVERY_PILE),)),), total=total_of)


def _castable(name: str, cost: str, zone: str, counts: Counts) -> Asked:
    """Ask whether lands in a zone can pay a cost: for each set of colors there are enough lands that make one (Hall).

    Raises:
        BadData: The cost has symbols other than single colors and numbers.
    """
    symbols = re.findall(r"\{([^{}]+)\}", cost)
    needs = {color: symbols.count(color) for color in COLORS if color in symbols}
    if any(symbol not in COLORS and not symbol.isdigit() for symbol in symbols):
        raise BadData(f"{cost} has symbols other than colors and numbers.", key=name, instead="{2}{U}{B} for example.")
    axes = []
    for number in range(1, len(needs) + 1):
        for chosen in combinations(needs, number):
            axis = _lands(name, frozenset(chosen), sum(needs[color] for color in chosen), zone, counts)
            axes.append(axis)
    axes.append(_lands(name, frozenset(), ManaCost.parse(cost).mana_value, zone, counts))
    parts = [Condition("compare", axis.name, ">=", axis.high or 0) for axis in axes]
    return Asked(name, tuple(axes), when=Condition("and", parts=tuple(parts)))


def _lands(name: str, colors: frozenset[str], enough: int, zone: str, counts: Counts) -> Axis:
    land = filter_of("land")

    def makes(card: Card) -> int:
        return int(fits(land, card) and (not colors or bool(colors & mana_colors(card))))

    called = f"{name}: lands for {''.join(sorted(colors)) or 'all of it'}"
    return Axis(called, (counted(counts.function(called, makes), *piles_in(zone)),), enough)
