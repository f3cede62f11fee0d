"""Instructions about libraries: mill, draw, reveal, look at, shuffle (701.17, 121, 701.20, 701.24)."""

from __future__ import annotations

from typing import Any, TypeAlias

from rulekit.engine.abilities import Term, word
from rulekit.engine.events import Event, Run, Table

YOU = Term("you")


_OWN = ("their", "your", "his or her")
_AS_OF_OLD = tuple(  # how cards said it before the word "mill"
    (f"{who}put[s] the top {n} of {own} library into {own} graveyard", said | how)
    for own in _OWN
    for who, said in (("{who:players} ", {}), ("", {"who": YOU}))
    for n, how in (("{n:number} cards", {}), ("card", {"n": 1}))
)


@word("effect", "{who:players} mill[s] {n:cards}", ("mill {n:cards}", {"who": YOU}), *_AS_OF_OLD,
      rule="701.17a", library=True)  # fmt: skip
def mill(t: Table, who: tuple[str, ...], n: Any) -> Run[tuple[int, ...]]:
    """Put the top cards of libraries into graveyards, those of all players at the same time.

    Args:
        t: The table.
        who: Whose libraries.
        n: Number of cards for each, at least 0; a smaller library is milled whole (701.17b).

    Returns:
        The cards in the zone they moved to, the former top card first (701.17c).
    """
    cards: list[int] = []
    owners: dict[str, int] = {}
    causes: dict[str, int] = {}
    for player in who:
        if player in t.state.in_game:
            event = yield from t.would(Event("milled", player, n=t.count(n, player)))
            if event is not None and event.player is not None:
                taken = yield from t.take(event.player, event.n)
                cards += taken
                owners[event.player], causes[event.player] = len(taken), event.cause
    with t.at_once():
        moved = yield from t.move(cards, "graveyard")
        t.frame.said["milled"] = t.frame.said["those"] = moved
        t.frame.said["to milled"] = tuple(player for player, number in owners.items() if number)
        for player, number in owners.items():
            if number:
                own = tuple(card for card in moved if t.state.get(card).owner == player)
                yield from t.did(Event("milled", player, own, n=number, cause=causes[player]))
    return moved


@word("effect", "{who:players} draw[s] {n:cards}", ("draw {n:cards}", {"who": YOU}),
      rule="121.1", library=True)  # fmt: skip
def draw(t: Table, who: tuple[str, ...], n: Any) -> Run[tuple[int, ...]]:
    """Draw cards one at a time, the players one after another (121.2).

    Args:
        t: The table.
        who: Who draws.
        n: Number of cards for each, at least 0.

    Returns:
        The cards drawn, in their owners' hands.
    """
    drawn: list[int] = []
    for player in who:
        for _ in range(t.count(n, player)):
            if player in t.state.in_game:
                drawn += yield from draw_one(t, player)
    t.frame.said["drawn"] = tuple(drawn)
    return tuple(drawn)


def draw_one(t: Table, player: str) -> Run[tuple[int, ...]]:
    """Draw one card, or try to (121.4); replacement effects come first, also with an empty library (121.6a)."""
    event = yield from t.would(Event("drew", player, n=1, rule="121.1"))
    if event is None or event.player is None:
        return ()
    top = yield from t.take(event.player, 1)
    if not top:
        t.change_player(event.player, drew_from_empty=True)
        yield from t.did(Event("could not draw", event.player, rule="121.4"))
        return ()
    with t.at_once():
        moved = yield from t.move(top, "hand", rule="121.1")
        yield from t.did(event.but(objects=moved))
    yield from t.follow()
    return moved


@word("effect", "{who:players} shuffle[s] [library]", ("shuffle [your library]", {"who": YOU}),
      "{who:players} shuffle[s] their library", rule="701.24a", library=True)  # fmt: skip
def shuffle(t: Table, who: tuple[str, ...]) -> Run[None]:
    """Shuffle libraries (701.24a)."""
    for player in who:
        yield from t.shuffle(player)


@word("effect", "{who:players} shuffle[s] {what:objects} into their library",
      "{who:players} shuffle[s] {what:objects} into library",
      ("shuffle {what:objects} into (its owner 's library|your library|their owner 's library|their library)",
       {"who": None}),
      "{who:players} shuffle[s] {what:objects} into its owner 's library", rule="701.24d", library=True,
      op="shuffle into library", to_owner=True)  # fmt: skip
def shuffle_into_library(t: Table, who: Any, what: tuple[int, ...]) -> Run[None]:
    """Shuffle objects into their owners' libraries; a library is shuffled even if nothing goes there (701.24d)."""
    here = [number for number in what if number in t.state.objects]
    owners = [t.state.objects[number].owner for number in here]
    number = t.how_many(here)
    yield from t.move(here, "library")
    t.frame.said["number"] = number
    shuffling = dict.fromkeys([*(owners or who or (t.frame.you,))])
    for player in shuffling:
        if player in t.state.in_game:
            yield from t.shuffle(player)


@word("effect",
      "{who:players} reveal[s] cards from the top of (their|your) library until {n:number} {what:filter} "
      "(is|are) revealed [this way]",
      "{who:players} reveal[s] cards from the top of (their|your) library until they reveal {n:number} {what:filter}",
      "{who:players} reveal[s] cards until {n:number} {what:filter} (is|are) revealed [this way]",
      ("reveal cards [from the top of your library] until {n:number} {what:filter} (is|are) revealed [this way]",
       {"who": YOU}),
      ("reveal cards from the top of your library until you reveal {n:number} {what:filter}", {"who": YOU}),
      rule="701.20a", library=True, op="reveal until")  # fmt: skip
def reveal_until(t: Table, who: tuple[str, ...], n: Any, what: Term) -> Run[tuple[int, ...]]:
    """Reveal cards from the top until so many fitting ones are revealed, or all are (701.20a).

    Returns:
        The revealed cards, still in the library, the top one first.
    """
    shown: list[int] = []
    fitting: list[int] = []
    for player in who:
        seen, found = yield from t.take_until(player, t.count(n, player), what)
        shown += seen
        fitting += found
        if seen:
            yield from t.did(Event("revealed", player, seen, n=len(seen)))
    t.frame.said["it"] = tuple(fitting)
    t.frame.said["those"] = t.frame.said["revealed"] = tuple(shown)
    return tuple(shown)


_Said: TypeAlias = tuple[str, dict[str, Any]]
# How the top cards of whose library are said, behind who does it or alone.
_TOP: tuple[_Said, ...] = (
    ("{who:players} exile[s] the top {n:cards} of (their|your) library", {}),
    ("exile the top {n:cards} of your library", {"who": YOU}),
    ("exile the top card of your library", {"who": YOU, "n": 1}),
    ("{who:players} exile[s] the top card of (their|your) library", {"n": 1}),
    ("exile the top {n:cards} of {who:players} ('s|') (library|libraries)", {}),
    ("exile the top card of {who:players} ('s|') (library|libraries)", {"n": 1}),
)


@word("effect", *_TOP, *((f"{said} face down", how | {"facedown": True}) for said, how in _TOP),
      rule="701.13a", library=True, op="exile from library")  # fmt: skip
def exile_from_library(t: Table, who: tuple[str, ...], n: Any, facedown: bool = False) -> Run[tuple[int, ...]]:
    """Exile the top cards of libraries, as many as there are; that is no milling (701.17a).

    Args:
        t: The table.
        who: Whose libraries.
        n: Number of cards for each.
        facedown: Whether nobody may look at them (406.3).

    Returns:
        The cards in exile, the former top card first.
    """
    cards: list[int] = []
    for player in who:
        cards += yield from t.take(player, t.count(n, player))
    moved = yield from t.move(cards, "exile")
    for number in moved if facedown else ():
        if t.state.objects[number].zone == "exile":
            t.change(number, facedown=True)
    t.frame.said["it"] = t.frame.said["those"] = t.frame.said["exiled"] = moved
    if moved:
        yield from t.did(Event("exiled", objects=moved))
    return moved


_SO_MUCH = "exiled cards with total mana value {n:number} or (more|greater)"


@word("effect",
      ("{who:players} exile[s] cards from the top of (their|your) library until (that player has|they have|you have)"
       f" {_SO_MUCH}", {"size": "mana value"}),
      (f"exile cards from the top of your library until (you have|you've) {_SO_MUCH}",
       {"who": YOU, "size": "mana value"}),
      "{who:players} exile[s] cards from the top of (their|your) library until they exile {n:number} {what:filter}",
      "{who:players} exile[s] cards from the top of (their|your) library until {n:number} {what:filter} "
      "(is|are) exiled [this way]",
      ("exile cards from the top of your library until you exile {n:number} {what:filter}", {"who": YOU}),
      ("exile cards from the top of your library until {n:number} {what:filter} (is|are) exiled [this way]",
       {"who": YOU}),
      rule="701.13a", library=True, op="exile until")  # fmt: skip
def exile_until(
    t: Table, who: tuple[str, ...], n: Any, what: Term | None = None, size: str = ""
) -> Run[tuple[int, ...]]:
    """Exile cards from the top until so many of them fit or their mana values add up, or all are exiled (701.13a).

    Args:
        t: The table.
        who: Whose libraries.
        n: How many must fit, or what their mana values must come to (202.3).
        what: Which cards fit; None: any.
        size: "mana value" if those are added up, else "".

    Returns:
        The cards in exile, the former top card first.
    """
    cards: list[int] = []
    fitting: list[int] = []
    for player in who:
        seen, found = yield from t.take_until(player, t.count(n, player), what, size)
        cards += seen
        fitting += found
    moved = yield from t.move(cards, "exile")
    t.frame.said["exiled"] = t.frame.said["those"] = moved
    if not size:
        t.frame.said["it"] = tuple(now for number in fitting if (now := t.frame.current(number)) is not None)
        t.frame.said["looked at"] = t.frame.said["revealed"] = ()  # "the rest" is what was exiled
    if moved:
        yield from t.did(Event("exiled", objects=moved))
    return moved


@word("effect", "{who:players} scr(y|ies) {n:amount}", ("scry {n:amount}", {"who": YOU}), rule="701.22a", library=True)
def scry(t: Table, who: tuple[str, ...], n: Any) -> Run[None]:
    """Look at the top cards of your library, put any of them on the bottom and the rest on top in any order."""
    for player in who:
        number = t.count(n, player)
        if number:
            yield from look_and_place(t, player, number, "library")
            yield from t.did(Event("scried", player, n=number))


@word("effect", "{who:players} surveil[s] {n:amount}", ("surveil {n:amount}", {"who": YOU}), rule="701.25a",
      library=True)  # fmt: skip
def surveil(t: Table, who: tuple[str, ...], n: Any) -> Run[None]:
    """Look at the top cards of your library, put any of them into your graveyard and the rest on top in any order."""
    for player in who:
        number = t.count(n, player)
        if number:
            with t.at_once():
                yield from look_and_place(t, player, number, "graveyard")
                yield from t.did(Event("surveilled", player, n=number))


def look_and_place(t: Table, player: str, n: int, away: str) -> Run[None]:
    """Let a player put the top cards either away (to the bottom, or into the graveyard) or back on top in any order."""
    top = yield from t.take(player, n)
    keep: list[int] = []
    gone: list[int] = []
    for number in top:
        where = "graveyard" if away == "graveyard" else "bottom"
        prompt = f"where does {t.word_of(number)} go?"
        choice = yield from t.ask(player, "choose mode", ("top", where), rule=t.rule, prompt=prompt)
        (keep if choice == "top" else gone).append(number)
    if away == "graveyard":
        yield from t.move(gone, "graveyard")
    else:
        t.reorder(player, bottom=(yield from in_any_order(t, player, gone)))
    t.reorder(player, top=(yield from in_any_order(t, player, keep)))


def in_any_order(t: Table, player: str, numbers: list[int]) -> Run[tuple[int, ...]]:
    """Let a player put cards in any order, asking for the top one first (401.4)."""
    left, order = list(numbers), []
    while left:
        chosen = yield from t.ask(player, "choose card", left, rule="401.4", prompt="which card is on top?")
        order.append(chosen)
        left.remove(chosen)
    return tuple(order)
