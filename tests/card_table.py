"""A table at which any card can be tried: plain cards of two players, and examples of what the card speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulekit.cards.card import Card
from rulekit.cards.subtypes import ARTIFACT_TYPES, ENCHANTMENT_TYPES, LAND_TYPES, SPELL_TYPES
from rulekit.engine.abilities import Ability, Term, abilities_in, walk
from rulekit.engine.filters import SUPERTYPES, TYPES
from rulekit.engine.game import Game
from rulekit.engine.phrases import replaced
from rulekit.engine.text import read_effect

ALICE, BOB = "Alice", "Bob"
LIFE = 60
SYMBOLS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G"}
BOLT = Card("Plain Bolt", "{R}", "Instant", "Plain Bolt deals 1 damage to any target.")
POINT = Card("Plain Point", "{U}", "Instant", "Tap target permanent.")
RITE = Card("Plain Rite", "{B}", "Sorcery", "Gift a card\nYou gain 1 life.")
BEAR = Card("Plain Bear", "{1}{G}", "Creature — Bear", power=3, toughness=3)
GIANT = Card("Plain Giant", "{5}{R}", "Creature — Giant", "Trample", power=6, toughness=6)
LION = Card("Plain Lion", "{W}", "Creature — Cat", power=1, toughness=1)
DRAKE = Card("Plain Drake", "{2}{U}", "Creature — Drake", "Flying", power=2, toughness=2)
GOLEM = Card("Plain Golem", "{4}", "Artifact Creature — Golem", power=4, toughness=4)
LEGEND = Card("Plain Legend", "{2}{B}", "Legendary Creature — Human Knight", power=2, toughness=4)
ROCK = Card("Plain Rock", "{2}", "Artifact")
SHRINE = Card("Plain Charm", "{1}{W}", "Enchantment")
BLADE = Card("Plain Blade", "{1}", "Artifact — Equipment", "Equipped creature gets +1/+1.\nEquip {1}")
WAY = Card("Plain Way", "{W}", "Enchantment — Aura", "Enchant creature\nEnchanted creature gets +0/+1.")
PAIR = Card("Plain Pair", "{W}{B}", "Creature — Human Soldier", power=2, toughness=2)
CARER = Card(
    "Plain Carer", "{1}{W}", "Creature — Cleric", "When Plain Carer enters, you gain 1 life.", power=1, toughness=1
)
GLIMPSE = Card(
    "Plain Glimpse", "{R}", "Sorcery", "Exile the top two cards of your library. You may play those cards this turn."
)
ECHO = Card("Plain Echo", "{B}", "Sorcery", "You gain 1 life.\nFlashback {B}")
KEYWORDS = ("flying", "defender", "reach", "deathtouch", "trample", "first strike", "lifelink", "vigilance", "menace")
SHIFTER = Card.of_faces(
    "transform",
    (
        Card("Plain Shifter", "{1}{R}", "Creature — Human Werewolf", power=2, toughness=2),
        Card("Plain Howler", None, "Creature — Werewolf", power=3, toughness=3),
    ),
)
COLORS = (LION, DRAKE, LEGEND, GIANT, BEAR)  # one of each color
THERE = (
    *COLORS,
    PAIR,
    SHIFTER,
    GOLEM,
    ROCK,
    SHRINE,
    BLADE,
    "Jace Beleren",
    "Mutavault",
    "Forest",
    "Island",
    "Plains",
    "Swamp",
    "Mountain",
)
HELD = (CARER, PAIR, GIANT, ROCK, SHRINE, POINT, BOLT, RITE, GLIMPSE, "Mutavault", "Forest")
GONE = (BEAR, LEGEND, "Forest", "Island", ROCK, SHRINE, BLADE, BOLT, ECHO, WAY)
TOKENS = "you create a 1/1 white Soldier creature token. you create a Treasure token"
STACKED = (BEAR, "Forest", BOLT, ROCK, DRAKE, SHRINE, "Island", RITE, BLADE, "Swamp")
TYPE_OF = {
    **dict.fromkeys(ARTIFACT_TYPES, "artifact"),
    **dict.fromkeys(ENCHANTMENT_TYPES, "enchantment"),
    **dict.fromkeys(LAND_TYPES, "land"),
    **dict.fromkeys(SPELL_TYPES, "instant"),
}  # what has such a subtype, where it is no creature


def table(card: Card, dealt: Iterable[Card] = (), bare: bool = False, where: str = "hand") -> Game:
    """Return a game in the first player's main phase, with a card in one of that player's zones.

    That player has no other of that name on the battlefield if it is legendary (704.5j).

    Args:
        card: The card.
        dealt: Cards of which both players have one wherever it can lie.
        bare: Whether that player has nothing else in hand and graveyard, and little life.
        where: The zone of the card.
    """
    dealt = tuple(dealt)
    lying = [
        each
        for each in dealt
        if not {"Instant", "Sorcery"} & set(each.types.types) and each.types.subtypes != ("Aura",)
    ]
    spells = [each for each in dealt if "Land" not in each.types.types]
    common: dict[str, Any] = {
        "life": LIFE,
        "battlefield": [*lying, *THERE],
        "hand": [*spells, *HELD],
        "graveyard": [*dealt, *GONE],
        "library": [*dealt, *STACKED, *STACKED],
    }
    others = [each for each in common["battlefield"] if each != card.name or "Legendary" not in card.types.supertypes]
    mine = common | {"battlefield": others} | ({"hand": [], "graveyard": [], "life": 4} if bare else {})
    game = Game.of(**{ALICE: mine | {where: [card, *mine[where]]}, BOB: common})
    return game.instruct(*(term for player in (ALICE, BOB) for term in _dressed(game, player)))


def _dressed(game: Game, player: str) -> Iterator[Term]:
    """Yield instructions that give a player tokens, and creatures that are equipped, enchanted, or have a counter."""
    yield from replaced(read_effect(TOKENS), Term("you"), (player,))
    state = game.state
    lying = {state.name(number): number for number in state.permanents(player)}
    aura = next((n for n in state.zone("graveyard", player) if state.name(n) == WAY.name), None)
    yield Term("attach", ((lying[BLADE.name],), (lying[LEGEND.name],)))
    yield Term("put counters", (1, "+1/+1", (lying[PAIR.name],)))
    if aura is not None:
        yield Term("put onto the battlefield", ((aura,), "owner", (lying[DRAKE.name],)))


def dressing(game: Game, number: int) -> tuple[Term, ...]:
    """Return instructions that put the plain Equipment and Aura onto a creature."""
    state = game.state
    plain = [n for n in state.permanents(ALICE) if state.name(n) in (BLADE.name, WAY.name)]
    return tuple(Term("attach", ((each,), (number,))) for each in plain)


# ---------------------------------------------------------------- examples of what a card speaks of


def examples(abilities: Iterable[Ability]) -> tuple[Card, ...]:
    """Return a plain card for each kind of thing that abilities speak of, made from the descriptions themselves."""
    found: dict[Card, None] = {}
    for description in _descriptions(abilities):
        card = _example(description)
        if card is not None:
            found.setdefault(card)
    return tuple(found)


def _descriptions(abilities: Iterable[Ability]) -> Iterator[tuple[Term, ...]]:
    """Yield the parts of each description, of one that offers a choice each of the choices."""
    for ability in abilities:
        for each in abilities_in(ability):
            for term in (*each.terms(), *walk(each.value)):
                if term.op == "all of":
                    yield from _choices(term.args[0])
                elif term.op in ("kind", "color", "with keyword", "named"):
                    yield (term,)


def _choices(parts: tuple[Term, ...]) -> Iterator[tuple[Term, ...]]:
    choice = next((part for part in parts if part.op == "any of"), None)
    if choice is None:
        yield parts
        return
    rest = tuple(part for part in parts if part is not choice)
    for each in choice.args[0]:
        yield from _choices((*rest, *(each.args[0] if each.op == "all of" else (each,))))


def example_of(what: Term) -> Card | None:
    """Return a plain card that fits a description, however plain that is."""
    parts = next(_choices(what.args[0] if what.op == "all of" else (what,)))
    if what.op == "any of":
        return example_of(what.args[0][0])
    return _example(parts, plainest=True)


def _example(parts: tuple[Term, ...], plainest: bool = False) -> Card | None:
    kinds = [str(part.args[0]) for part in parts if part.op == "kind"]
    colors = [part.args[0] for part in parts if part.op == "color"]
    words = [str(part.args[0]) for part in parts if part.op == "with keyword" and part.args[0] in KEYWORDS]
    names = [str(part.args[0]) for part in parts if part.op == "named"]
    subtypes = [kind for kind in kinds if kind not in TYPES and kind not in SUPERTYPES]
    types = (
        [kind for kind in kinds if kind in TYPES]
        or [TYPE_OF.get(kind, "creature") for kind in subtypes[:1]]
        or ["creature"]
    )
    above = [kind for kind in kinds if kind in SUPERTYPES]
    power = next((part.args[2] for part in parts if part.op == "sized" and part.args[0] == "power"), 2)
    power = power if isinstance(power, int) else 2
    if any(part.op == "multicolored" for part in parts):
        colors = ["white", "green"]
    told = subtypes or colors or words or names or above or power != 2 or "battle" in types or len(types) > 1
    if not (told or plainest):
        return None
    line = " ".join(word.title() for word in (*above, *types)) + (" — " + " ".join(subtypes) if subtypes else "")
    plain = "Land" in line or "Battle" in line
    name = names[0] if names else "Plain " + " ".join((*colors, *above, *words, *subtypes, *types))
    name += f" of {power}" if power != 2 else ""
    creature = "creature" in types or "Vehicle" in subtypes
    text = "Enchant creature" if "Aura" in subtypes else "Crew 1" if "Vehicle" in subtypes else "\n".join(words)
    cost = "{2}" + "".join(f"{{{SYMBOLS[color]}}}" for color in dict.fromkeys(colors))
    sizes = (power, max(power, 2)) if creature else (None, None)
    return Card(name, None if plain else cost, line, text, power=sizes[0], toughness=sizes[1])
