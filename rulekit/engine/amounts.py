"""How many and how much: numbers, and the words of the sort "amount".

The sorts "cards", "life" and "damage" are amounts with their noun: `three cards`, `half their library, rounded down`,
`damage equal to its power`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from rulekit.engine.abilities import Term, word
from rulekit.engine.filters import all_of, say_filter
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.objects import found, it
from rulekit.engine.phrases import in_order
from rulekit.engine.players import looked_at
from rulekit.engine.which import SIZES, size_of

NUMBERS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
]  # fmt: skip
STYLE: ContextVar[frozenset[str]] = ContextVar("the ways of speaking that are tried", default=frozenset())
X_IS: ContextVar[list[Any] | None] = ContextVar("the amounts that a sentence says as X", default=None)
X, IT, THEM, THIS, YOU, A_PLAYER = Term("X"), Term("it"), Term("them"), Term("this"), Term("you"), Term("a player")


def say_number(n: Any) -> str:
    """Say a whole number as rules text does: in words up to twenty."""
    return NUMBERS[n] if isinstance(n, int) and 0 <= n < len(NUMBERS) else str(n)


def say_as_x(amount: Any) -> None:
    """Note that an amount was said as X, so that its sentence says behind what X is."""
    met = X_IS.get()
    if met is None:
        raise LookupError(f"no sentence says what X is: {amount!r}")
    met.append(amount)


def say_count(n: Any) -> str:
    """Say how many before a noun: a, two, X."""
    if isinstance(n, Term) and not _is_short(n) and X_IS.get() is not None:
        say_as_x(n)
        return "X"
    return "a" if n == 1 else say_number(n) if isinstance(n, int) else GRAMMAR.say(n)


@GRAMMAR.lexer("number", say=say_count)
def _number(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read a whole number; "another" is one of the others, and is read again as that."""
    if place >= len(words):
        return []
    text = words[place].lower()
    if text == "another":
        return [(1, place)]
    if text in ("a", "an"):
        return [(1, place + 1)]
    if text in NUMBERS:
        return [(NUMBERS.index(text), place + 1)]
    if text.isascii() and text.replace(",", "").isdigit() and len(text) < 10:
        return [(int(text.replace(",", "")), place + 1)]
    return []


@GRAMMAR.lexer("exact number", say=say_number)
def _exact_number(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read a whole number that is no article."""
    return [] if place < len(words) and words[place].lower() in ("a", "an", "another") else _number(words, place)


GRAMMAR.alias("amount", "{n:exact number}")
GRAMMAR.sayers["amount"] = lambda n: say_number(n) if isinstance(n, int) else GRAMMAR.say(n)


@word("amount", "X", rule="107.3", op="X")
def _x(frame: Frame, player: str) -> int:
    """Be the value of X."""
    return frame.x


@word("amount", "{n:exact number} X", "{n:exact number} times X", op="times")
def times(frame: Frame, player: str, n: int = 1, amount: Any = X) -> int:
    """Be a multiple of an amount."""
    return n * frame.count(amount, player)


def _multiplied(n: Any, factor: int) -> Term:
    """Return a multiple of an amount; of "twice one plus another" the first alone is meant."""
    if isinstance(n, Term) and n.op in ("plus", "minus"):
        return Term(n.op, (_multiplied(n.args[0], factor), n.args[1]))
    return Term("times", (factor, n))


GRAMMAR.rule("amount", "{factor:exact number} times {n:amount}", _multiplied)
for _said, _factor in (("twice", 2), ("three times", 3), ("double", 2)):
    GRAMMAR.rule("amount", f"{_said} {{n:amount}}", lambda n, factor=_factor: _multiplied(n, factor))
    GRAMMAR.rule("amount", f"{_said} X", lambda factor=_factor: Term("times", (factor, X)))
GRAMMAR.sayers["plus"] = lambda term: " plus ".join(GRAMMAR.say(part, "amount") for part in term.args)
GRAMMAR.sayers["times"] = lambda term: (
    {2: "twice"}.get(term.args[0], f"{say_number(term.args[0])} times") + " " + GRAMMAR.say(term.args[1], "amount")
)


@word("amount", "{one:amount} plus {two:amount}", "{one:amount} and {two:exact number} more", op="plus")
def plus(frame: Frame, player: str, one: Any, two: Any) -> int:
    """Be the sum of two amounts."""
    return frame.count(one, player) + frame.count(two, player)


@word("amount", "{one:amount} minus {two:amount}", op="minus")
def minus(frame: Frame, player: str, one: Any, two: Any) -> int:
    """Be a difference; less than nothing is nothing (107.1b)."""
    return max(0, frame.count(one, player) - frame.count(two, player))


_PARTS = (("half", 2), ("a third of", 3), ("one third of", 3), ("a quarter of", 4), ("one quarter of", 4))


@word("amount", *((f"{part} {{n:amount}} {comma}rounded {way}", {"up": way == "up", "parts": parts})
                  for part, parts in _PARTS for comma in (", ", "") for way in ("up", "down")), op="half",
      rule="107.1a")  # fmt: skip
def half(frame: Frame, player: str, n: Any, up: bool = True, parts: int = 2) -> int:
    """Be half an amount, or another part of it, rounded as the text says."""
    return (frame.count(n, player) + (parts - 1) * up) // parts


@word("amount", "that many", "that much", "that number", "the same number of", "the same amount of", op="that many")
def that_many(frame: Frame, player: str) -> int:
    """Be the number spoken of last, else how much or how many the event was about, else how many were done before.

    An event of one thing is about no number, so that what was done since comes before it.
    """
    event = frame.event
    counts = event is not None and (event.n or len(event.objects) > 1)
    for key in ("number", "n", *(() if counts else ("so many",))):
        if key in frame.said:
            number: int = frame.said[key]
            return number
    return 0 if event is None else event.n or len(event.objects)


@word("amount", ("the life lost this way", {"what": "life lost"}),
      ("the life gained this way", {"what": "life gained"}),
      ("the damage dealt this way", {"what": "damage"}),
      ("the amount of life lost this way", {"what": "life lost"}),
      ("the amount of life gained this way", {"what": "life gained"}),
      ("the amount of damage dealt this way", {"what": "damage"}),
      op="so much this way", rule="608.2c")  # fmt: skip
def so_much_this_way(frame: Frame, player: str, what: str = "") -> int:
    """Be how much life was lost or gained, or damage dealt, by the effect that was just carried out."""
    return int(frame.said.get(what, 0))


@word("amount", "the number of {what:filter}", "the total number of {what:filter}", "the amount of {what:filter}",
      op="number of")  # fmt: skip
def number_of(frame: Frame, player: str, what: Any = None) -> int:
    """Count objects that fit a description; "their" is the player whose number is worked out."""
    outer = frame.said.get("player")
    if player is not None and player != frame.you:
        frame.said["player"] = (player,)
    if (whole := _whole_zone(what)) is not None:
        zone, whose = whole
        n = sum(frame.state.size(zone, name) for name in frame.players(whose))
    else:
        n = sum(frame.state.cards_of(number) for number in found(frame, what))
    if outer is None:
        frame.said.pop("player", None)
    else:
        frame.said["player"] = outer
    return n


def _whole_zone(what: Any) -> tuple[str, Term] | None:
    """Return the zone and the players if a description is all cards in a zone of theirs, else None."""
    parts = what.args[0] if isinstance(what, Term) and what.op == "all of" else ()
    places = [part for part in parts if part.op.startswith("in ") and part.args and part.args[0] is not None]
    if len(parts) != 2 or len(places) != 1 or Term("card") not in parts:
        return None
    return places[0].op.removeprefix("in "), places[0].args[0]


@word("amount", "the number of {what:target player}", "the number of players", op="number of players")
def number_of_players(frame: Frame, player: str, what: Any = A_PLAYER) -> int:
    """Count the players or opponents in the game."""
    return sum(1 for name in frame.state.in_game if frame.fits(what, name))


@word("amount", "the number of {kind:counter kind} counters on {what:objects}", op="counters on", rule="122.1")
def counters_on(frame: Frame, player: str, kind: str = "", what: Any = THIS) -> int:
    """Count the counters of a kind on objects."""
    return sum(frame.state.get(number).count(kind) for number in looked_at(frame, what))


@word("amount", "the number of counters on {what:objects}", op="all counters on", rule="122.1")
def all_counters_on(frame: Frame, player: str, what: Any = IT) -> int:
    """Count all counters on objects."""
    return sum(n for number in looked_at(frame, what) for _, n in frame.state.get(number).counters)


@word("amount", "the number of card types among {what:filter}",
      op="card types among", rule="205.2")  # fmt: skip
def card_types_among(frame: Frame, player: str, what: Any = None) -> int:
    """Count different card types."""
    return len({kind for number in found(frame, what) for kind in frame.look(number).types})


@word("amount", "the number of colors among {what:filter}", "the number of colors of {what:filter}", op="colors among")
def colors_among(frame: Frame, player: str, what: Any = None) -> int:
    """Count different colors."""
    return len({color for number in found(frame, what) for color in frame.look(number).colors})


@word("amount", "the number of basic land types among {what:filter}",
      op="domain", rule="305.6")  # fmt: skip
def domain(frame: Frame, player: str, what: Any = None) -> int:
    """Count basic land types (the ability word domain)."""
    from rulekit.cards.subtypes import BASIC_LAND_TYPES

    kinds = {kind for number in found(frame, what) for kind in frame.look(number).subtypes}
    return len(kinds & set(BASIC_LAND_TYPES))


# ---------------------------------------------------------------- sizes


@word("objects", op="what it is done to or by", rule="608.2c")
def what_it_is_done_to_or_by(frame: Frame) -> tuple[int | str, ...]:
    """Mean the one that an effect is about, as it is asked how much; what has no power of its own speaks of another."""
    number = frame.said.get("about")
    if number is None or (number == frame.this and frame.look(number).power is None):
        return it(frame)
    return (number,)


GRAMMAR.sayers["what it is done to or by"] = lambda term: "it"


def _sizes(what: str) -> tuple[str, ...]:
    return (f"{{objects:objects}} 's {what}", f"its {what}", f"their {what}", f"the {what} of {{objects:objects}}")


@word("amount", *((phrase, {"size": size}) for size in SIZES for phrase in _sizes(size)),
      *(("{objects:objects} 's mana cost", {"size": "mana value"}),), op="size of")  # fmt: skip
def size_of_objects(frame: Frame, player: str, size: str = "", objects: Any = IT) -> int:
    """Be the power, toughness or mana value of an object, of several together (701.17d); hidden cards count 0."""
    return sum(size_of(frame, number, size) or 0 for number in looked_at(frame, objects))


@word("amount", op="size of this")
def size_of_this(frame: Frame, player: str, size: str = "") -> int:
    """Be the power, toughness or mana value of the object that the text is on."""
    return size_of(frame, frame.this, size) or 0


@word("amount", *((f"the total {size} of {{what:filter}}", {"size": size}) for size in SIZES),
      op="total size")  # fmt: skip
def total_size(frame: Frame, player: str, size: str = "", what: Any = None) -> int:
    """Add up the power, toughness or mana value of a group."""
    return sum(size_of(frame, number, size) or 0 for number in found(frame, what))


@word("amount",
      *((f"the {most} {size} among {{what:filter}}", {"size": size, "most": most})
        for size in SIZES for most in ("greatest", "highest")), op="greatest size")  # fmt: skip
def greatest_size(frame: Frame, player: str, size: str = "", most: str = "", what: Any = None) -> int:
    """Be the greatest power, toughness or mana value in a group, or 0."""
    return max((size_of(frame, number, size) or 0 for number in found(frame, what)), default=0)


def _say_among(named: str) -> Callable[[Term], str]:
    return lambda term: f"the number of {named} among {say_filter(term.args[0], many=True)}"


GRAMMAR.sayers["card types among"] = _say_among("card types")
GRAMMAR.sayers["colors among"] = _say_among("colors")
GRAMMAR.sayers["domain"] = _say_among("basic land types")
GRAMMAR.sayers["different mana values"] = _say_among("mana values")
GRAMMAR.sayers["total size"] = lambda term: f"the total {term.args[0]} of {say_filter(term.args[1], many=True)}"
GRAMMAR.sayers["greatest size"] = lambda term: (
    f"the {term.args[1]} {term.args[0]} among {say_filter(term.args[2], many=True)}"
)


# ---------------------------------------------------------------- players


@word("amount", "the (total|combined) mana value of {what:objects}", "the total mana value of {what:objects}",
      op="mana values of")  # fmt: skip
def mana_values_of(frame: Frame, player: str, what: Any = THEM) -> int:
    """Add up the mana values of certain objects, such as the cards that were milled (701.17d)."""
    return sum(frame.look(number).mana_value for number in frame.objects(what))


@word("amount", "the greatest mana value among {what:objects}", op="greatest mana value of")
def greatest_mana_value_of(frame: Frame, player: str, what: Any = THEM) -> int:
    """Be the greatest mana value among certain objects, or 0."""
    return max((frame.look(number).mana_value for number in frame.objects(what)), default=0)


@word("amount", "the number of mana values among {what:filter}", op="different mana values")
def different_mana_values(frame: Frame, player: str, what: Any = None) -> int:
    """Count different mana values."""
    return len({frame.look(number).mana_value for number in found(frame, what)})


@word("amount", ("the amount of life you gained this turn", {"kind": "life gained"}),
      ("the amount of life you lost this turn", {"kind": "life lost"}),
      ("the number of cards you've drawn this turn", {"kind": "drew"}),
      ("the amount of life you've gained this turn", {"kind": "life gained"}), op="this turn's")  # fmt: skip
def of_this_turn(frame: Frame, player: str, kind: str = "") -> int:
    """Add up what has happened to you this turn."""
    return sum(event.n for event in frame.state.history() if event.kind == kind and event.player == frame.you)


@word(
    "amount",
    "{who:players} 's life",
    "their life",
    ("your life", {"who": YOU}),
    "{who:players} 's life total",
    ("your life total", {"who": YOU}),
    "their life total",
    op="life total",
    rule="119",
)
def life_total(frame: Frame, player: str, who: Any = None) -> int:
    """Be a player's life total, that of the player who is "they" where nobody is named."""
    return sum(frame.state.players[name].life for name in (frame.players(who) if who is not None else (player,)))


@word("amount", "the number of cards put into {where:pile} from anywhere this turn",
      "the number of cards that were put into {where:pile} from anywhere this turn", op="buried this turn")  # fmt: skip
def buried_this_turn(frame: Frame, player: str, where: Any = None) -> int:
    """Count the cards put into graveyards this turn, wherever they are now; "their" is the player meant."""
    zone, who = where.args
    names = frame.state.from_active() if who is None else (player,) if who.op == "that player" else frame.players(who)
    moves = (move for event in frame.state.history() for move in event.moves)
    return sum(move.card and move.to == zone != move.origin and move.owner in names for move in moves)


def cards_in(zone: str, who: Term) -> Term:
    """Return the number of cards in a zone of some players."""
    return Term("number of", (all_of(Term("card"), Term(f"in {zone}", (who,))),))


def _hand(who: Term) -> Term:
    return cards_in("hand", who)


@word("amount", "their library", "his or her library", op="their library")
def their_library(frame: Frame, player: str) -> int:
    """Count the cards in the library of the player whose number is worked out."""
    return frame.state.size("library", player)


GRAMMAR.rule("amount", "{who:players} 's library", lambda who: cards_in("library", who))
GRAMMAR.rule("amount", "your library", lambda: cards_in("library", Term("you")))
GRAMMAR.rule("amount", "cards {who:players} has in hand", in_order(_hand))
GRAMMAR.rule("amount", "the number of cards {who:players} (has|have) in hand", in_order(_hand))


# ---------------------------------------------------------------- for each, and amounts with their noun


def _times(n: Any, each: Any) -> Any:
    return each if n == 1 else Term("times", (n, each))


GRAMMAR.rule("for each", "for each {what:filter}", lambda what: Term("number of", (what,)))
GRAMMAR.rule("for each", "for each {what:target player}", lambda what: Term("number of players", (what,)))
GRAMMAR.rule("for each", "for each opponent you have", lambda: Term("number of players", (Term("an opponent"),)))
GRAMMAR.rule("for each", "for each of {who:players}", lambda who: Term("number of players", (Term("an opponent"),)))
GRAMMAR.rule("for each", "for each {kind:counter kind} counter on {what:objects}",
             lambda kind, what: Term("counters on", (kind, what)))  # fmt: skip
GRAMMAR.rule("for each", "for each counter on {what:objects}", lambda what: Term("all counters on", (what,)))
GRAMMAR.rule("for each", "for each {kind:counter kind} counter removed this way",
             lambda kind: Term("that many"))  # fmt: skip
GRAMMAR.rule("for each", "for each card type among {what:filter}", lambda what: Term("card types among", (what,)))
GRAMMAR.rule("for each", "for each color among {what:filter}", lambda what: Term("colors among", (what,)))
GRAMMAR.rule("for each", "for each basic land type among {what:filter}", lambda what: Term("domain", (what,)))
GRAMMAR.rule("for each", "for each [1] damage dealt [to them]", lambda: Term("that many"))
GRAMMAR.rule("for each", "for each (1 life|life) (lost|gained)", lambda: Term("that many"))
GRAMMAR.rule("for each", "for each [1] damage dealt this way", lambda: Term("so much this way", ("damage",)))
GRAMMAR.rule("for each", "for each (1 life|life) lost this way", lambda: Term("so much this way", ("life lost",)))
GRAMMAR.rule("for each", "for each (1 life|life) gained this way", lambda: Term("so much this way", ("life gained",)))

_NOUNS: dict[str, tuple[str, ...]] = {
    "cards": ("{n:number} card[s]", "{n:amount} card[s]", "{n:number}", "{n:amount}", "as many cards as {n:amount}",
              "cards equal to {n:amount}", "a number of cards equal to {n:amount}"),
    "life": ("{n:amount} life", "{n:number} life", "life equal to {n:amount}", "{n:amount}"),
    "damage": ("{n:amount} damage", "damage equal to {n:amount}", "an amount of damage equal to {n:amount}"),
    "counters": ("{n:number}", "{n:amount}", "a number of"),
}  # fmt: skip
for _sort, _phrases in _NOUNS.items():
    for _said in _phrases:
        if "{n" in _said:
            GRAMMAR.rule(_sort, _said, lambda n: n)
GRAMMAR.rule("cards", "as many cards as {who:players} (has|have) cards in hand", in_order(_hand))
for _much in ("the", "the amount of"):
    GRAMMAR.rule("amount", f"{_much} (damage|life) (prevented|lost|gained|dealt)", lambda: Term("that many"))
    GRAMMAR.rule("amount", f"{_much} damage prevented this way", lambda: Term("that many"))
GRAMMAR.rule("amount", "that damage", lambda: Term("that many"))
for _sort, _noun in (("cards", "card[s]"), ("life", "life"), ("damage", "damage")):
    GRAMMAR.rule(_sort, f"{{n:number}} {_noun} {{each:for each}}", _times)
    GRAMMAR.rule(_sort, f"{{n:amount}} {_noun} {{each:for each}}", _times)


def say_cards(n: Any) -> str:
    """Say how many cards."""
    if isinstance(n, int):
        return "a card" if n == 1 else f"{say_number(n)} cards"
    if "as X" in STYLE.get() and not _is_short(n):
        say_as_x(n)
        return "X cards"
    return f"{GRAMMAR.say(n)} cards" if _is_short(n) else f"cards equal to {GRAMMAR.say(n)}"


def _is_short(n: Term) -> bool:
    """Return whether an amount stands well before its noun."""
    return n.op in ("X", "that many") or (n.op == "times" and n.args[1] == X)


def _say_quantity(noun: str) -> Callable[[Any], str]:
    def say(n: Any) -> str:
        if isinstance(n, int):
            return f"{n} {noun}"
        if "as X" in STYLE.get() and n != X:
            say_as_x(n)
            return f"X {noun}"
        return f"{GRAMMAR.say(n)} {noun}" if n == X else f"{noun} equal to {GRAMMAR.say(n)}"

    return say


GRAMMAR.sayers["cards"] = say_cards
GRAMMAR.sayers["counters"] = say_count
GRAMMAR.sayers["life"] = _say_quantity("life")
GRAMMAR.sayers["damage"] = _say_quantity("damage")
