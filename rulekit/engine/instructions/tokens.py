"""Creating tokens (111, 701.7, 707)."""

from __future__ import annotations

from typing import Any

from rulekit.cards.card import Card
from rulekit.engine.abilities import Term, word
from rulekit.engine.events import Event, Move, Run, Table
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.parsing import Unread
from rulekit.engine.phrases import listed
from rulekit.engine.players import last_seen
from rulekit.engine.replacing import token_enters
from rulekit.engine.seen import face_of
from rulekit.engine.state import Object, State

YOU = Term("you")
COLORS = ("white", "blue", "black", "red", "green", "colorless")
TYPES = ("artifact", "creature", "enchantment", "land", "planeswalker")
PREDEFINED = {  # 111.10: what the rules say of these tokens, in our own wording
    "Treasure": ("Artifact — Treasure", "{T}, sacrifice this: add one mana of any color"),
    "Food": ("Artifact — Food", "{2}, {T}, sacrifice this: you gain 3 life"),
    "Clue": ("Artifact — Clue", "{2}, sacrifice this: draw a card"),
    "Blood": ("Artifact — Blood", "{1}, {T}, discard a card, sacrifice this: draw a card"),
    "Gold": ("Artifact — Gold", "sacrifice this: add one mana of any color"),
    "Powerstone": ("Artifact — Powerstone", "{T}: add {C}"),
    "Map": ("Artifact — Map", "{1}, {T}, sacrifice this: target creature you control explores (only as a sorcery)"),
    "Junk": (
        "Artifact — Junk",
        "{T}, sacrifice this: exile the top card of your library; you may play that card this turn",
    ),
}
_COLOR_OF = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G"}


def predefined(name: str) -> Card:
    """Return one of the tokens that the rules define (111.10)."""
    types, text = PREDEFINED[name]
    return Card(name, None, types, text)


@GRAMMAR.lexer("token", say=lambda card: f"{_say_token(card)}")
def _token(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read what a token is: size, colors, subtypes, types, abilities (111.3)."""
    at, size = place, None
    legendary = at < len(words) and words[at].lower() == "legendary"
    at += legendary
    if at < len(words) and "/" in words[at] and words[at][0] in "0123456789X*":
        size, at = words[at].split("/"), at + 1
    colors: list[str] = []
    while at < len(words) and (words[at].lower() in COLORS or (colors and words[at].lower() in ("and", ","))):
        if words[at].lower() in COLORS:
            colors.append(words[at].lower())
        at += 1
    names: list[str] = []
    while at < len(words) and words[at][:1].isupper() and words[at].lower() not in TYPES:
        names.append(words[at])
        at += 1
    types: list[str] = []
    while at < len(words) and words[at].lower() in TYPES:
        types.append(words[at].capitalize())
        at += 1
    if at >= len(words) or words[at].lower() not in ("token", "tokens") or not names:
        return []
    if not types and len(names) == 1 and names[0] in PREDEFINED:
        return [(predefined(names[0]), at + 1)]
    if not types:
        return []
    line = f"{'Legendary ' if legendary else ''}{' '.join(types)} — {' '.join(names)}"
    return [(_card(" ".join(names), line, colors, size, text), end) for text, end in _abilities(words, at + 1)]


def _card(name: str, line: str, colors: list[str], size: list[str] | None, text: str) -> Card:
    indicator = tuple(color for color in COLORS if color in colors and color != "colorless")
    power, toughness = size or (None, None)
    return Card(name, None, line, text, power=power, toughness=toughness, color_indicator=indicator)


def _abilities(words: tuple[str, ...], at: int) -> list[tuple[str, int]]:
    """Read "with flying and haste" or with abilities in quotation marks after the word token, as lines of text."""
    found = [("", at)]
    if at < len(words) and words[at].lower() == "with":
        for _, end in GRAMMAR.prefixes("abilities", words, at + 1):
            found.insert(0, (_lines(words[at + 1 : end]), end))
    return found


def _lines(words: tuple[str, ...]) -> str:
    """Return a list of keywords and quoted abilities as the lines of a rules text."""
    lines: list[str] = []
    for place, part in enumerate(" ".join(words).split('"')):
        text = (
            part.strip(" ,.") if place % 2 else part.strip(" ,.").removesuffix(" and").removeprefix("and ").strip(" ,")
        )
        if text and text != "and":
            lines.append(text)
    return "\n".join(lines)


def _is_keyword(line: str) -> bool:
    """Return whether a line of a text is keywords, which need no quotation marks."""
    try:
        GRAMMAR.read("keyword line", line)
    except Unread:
        return False
    return True


def _say_token(card: Card) -> str:
    if card.name in PREDEFINED and card == predefined(card.name):
        return f"{card.name} token"
    size = f"{card.power}/{card.toughness} " if card.power is not None else ""
    colors = " and ".join(card.colors) or ("colorless" if size else "")
    kinds = " ".join(word.lower() for word in card.types.types)
    legendary = "legendary " if "Legendary" in card.types.supertypes else ""
    lines = [line if _is_keyword(line) else f'"{line}"' for line in card.text.split("\n") if line]
    text = f" with {listed(lines)}" if lines else ""
    return f"{legendary}{size}{colors}{' ' if colors else ''}{card.name} {kinds} token{text}"


GRAMMAR.several["token"] = lambda card: _say_token(card).replace(" token", " tokens", 1)


@word("effect",
      "{who:players} create[s] {n:counters} {card:token}",
      ("{who:players} create[s] {n:counters} tapped {card:token}", {"tapped": True}),
      ("create {n:counters} {card:token}", {"who": YOU}),
      ("create {n:counters} tapped {card:token}", {"who": YOU, "tapped": True}),
      ("create {n:counters} tapped and attacking {card:token}", {"who": YOU, "tapped": True, "attacking": True}),
      ("create {n:counters} {card:token} (that's|that are) tapped and attacking",
       {"who": YOU, "tapped": True, "attacking": True}),
      rule="701.7a", op="create")  # fmt: skip
def create(
    t: Table, who: tuple[str, ...], n: Any, card: Card, tapped: bool = False, attacking: bool = False, x: Any = None
) -> Run[tuple[int, ...]]:
    """Create tokens under players' control; who creates them owns them (111.2, 701.7a).

    Args:
        t: The table.
        who: Who creates; players who have left create nothing (800.4b).
        n: How many each.
        card: The tokens' characteristics (111.3).
        tapped: Whether they enter tapped.
        attacking: Whether they enter attacking.
        x: What X is in a size of X/X, where it is not the X of the spell or ability (107.3).

    Returns:
        The tokens.
    """
    made: list[int] = []
    for player in who:
        if player in t.state.in_game:
            card = _of_size(card, t.count(Term("X") if x is None else x, player)) if _has_x(card) else card
            made += yield from create_tokens(t, player, card, t.count(n, player), {"tapped": tapped})
    if attacking:
        _join_attack(t, made)
    t.frame.said["it"] = t.frame.said["created"] = t.frame.said["those"] = tuple(made)
    return tuple(made)


def _has_x(card: Card) -> bool:
    return "X" in (card.power, card.toughness)


def _of_size(card: Card, x: int) -> Card:
    """Return a token with numbers in the place of X; they are fixed as it is created (608.2h)."""
    size = {name: x for name in ("power", "toughness") if getattr(card, name) == "X"}
    return card.but(**size)


def _join_attack(t: Table, made: list[int]) -> None:
    turn = t.state.turn
    if turn.attackers:
        goal = dict(turn.attackers).get(t.frame.this, turn.attackers[0][1])
        t.change_turn(attackers=(*turn.attackers, *((number, goal) for number in made)))


def create_tokens(
    t: Table, player: str, card: Card, n: int, entering: dict[str, Any] | None = None
) -> Run[tuple[int, ...]]:
    """Create tokens after replacement effects on how many and which (614.1a), each entering as effects say (614.1c)."""
    event = yield from t.would(Event("token created", player, n=n, detail=(("tokens", ((card, n),)),)))
    if event is None:
        return ()
    numbers: list[int] = []
    for kind, number in event.get("tokens"):
        for _ in range(number):
            yield from _one_token(t, str(event.player), kind, entering or {}, numbers)
    if not numbers:
        return ()
    moves = tuple(Move(n, n, str(event.player), "nowhere", "battlefield", card=False) for n in numbers)
    yield from t.did(Event("token created", event.player, tuple(numbers), n=len(numbers), cause=event.cause))
    yield from t.did(Event("moved", objects=tuple(numbers), moves=moves, rule="111.1"))
    return tuple(numbers)


def _one_token(t: Table, player: str, card: Card, entering: dict[str, Any], numbers: list[int]) -> Run[None]:
    """Let one token enter; effects on how it enters apply to it as to any permanent (614.12)."""
    token = Object(0, "token", card, player, player, "battlefield", card.name).but(**entering)
    enters = yield from token_enters(t, token)
    if enters is not None:
        numbers.append(t.create(enters))


def copiable(state: State, number: int) -> Card | None:
    """Return the values of an object that a copy takes: printed or copied ones, nothing else (707.2)."""
    thing = state.get(number)
    return face_of(thing)


@word("effect",
      "{who:players} create[s] {n:number} token[s] that's a copy of {what:objects}",
      ("create {n:number} token[s] (that's a copy|that's copies|that are copies) of {what:objects}", {"who": YOU}),
      ("create {n:number} token that is a copy of {what:objects}", {"who": YOU}),
      ("create {n:number} token that is a copy of {what:objects}, except (the token|it) (is|'s) "
       "{size:size}", {"who": YOU}),
      ("create {n:number} token that's a copy of {what:objects}, except (it's|it is|the token is) "
       "{size:size}", {"who": YOU}),
      rule="707.2", op="create a copy")  # fmt: skip
def create_a_copy(
    t: Table, who: tuple[str, ...], n: Any, what: tuple[int, ...], size: Any = None
) -> Run[tuple[int, ...]]:
    """Create tokens that are copies of objects as they are or last were (707.2, 608.2h), each of their own choice."""
    made: list[int] = []
    what = last_seen(t.frame, t.said("what"), what)
    for player in who:
        for number in t.chosen.get(player, what):
            card = copiable(t.state, number)
            if card is not None and player in t.state.in_game:
                if size is not None:
                    card = card.but(power=size[0], toughness=size[1])
                made += yield from create_tokens(t, player, card, t.count(n, player))
    t.frame.said["it"] = t.frame.said["created"] = tuple(made)
    return tuple(made)


@GRAMMAR.lexer("size", say="/".join)
def _size(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read power and toughness such as 1/1."""
    if place < len(words) and words[place].count("/") == 1 and words[place][0] in "0123456789":
        return [(tuple(words[place].split("/")), place + 1)]
    return []
