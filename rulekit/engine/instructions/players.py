"""Instructions about players: life, counters, mana, turns, winning and losing (119, 122, 106, 500.7, 104)."""

from __future__ import annotations

from typing import Any

from rulekit.engine.abilities import WORDS, Ability, Term, word
from rulekit.engine.damage import gain_life as gain
from rulekit.engine.damage import lose_life as lose
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.instructions.permanents import with_counters
from rulekit.engine.mana import add_to_pool
from rulekit.engine.phrases import SUBJECT, listed
from rulekit.engine.sba import leave, stop_if_over
from rulekit.engine.sba import lose as lose_game
from rulekit.engine.sba import win as win_game
from rulekit.engine.state import PUBLIC, Memory, State, Waiting

YOU = Term("you")
LETTERS = "WUBRG"


@word("effect", "{who:players} gain[s] {n:life}",
      ("gain {n:life}", {"who": YOU}), rule="119.3",
      op="gain life")  # fmt: skip
def gain_life(t: Table, who: tuple[str, ...], n: Any) -> Run[None]:
    """Let players gain life (119.3)."""
    before = t.state
    for player in who:
        yield from gain(t, player, t.count(n, player))
    t.frame.said["life gained"] = _life_between(before, t.state, who)


def _life_between(before: State, after: State, who: tuple[str, ...]) -> int:
    """Return by how much the life totals of players have risen in all."""
    return sum(after.players[player].life - before.players[player].life for player in who)


@word("effect", "{who:players} lose[s] {n:life}",
      ("lose {n:life}", {"who": YOU}), rule="119.3",
      op="lose life")  # fmt: skip
def lose_life(t: Table, who: tuple[str, ...], n: Any) -> Run[None]:
    """Let players lose life (119.3)."""
    before = t.state
    for player in who:
        if player in t.state.in_game:
            yield from lose(t, player, t.count(n, player))
    t.frame.said["life lost"] = -_life_between(before, t.state, who)


@word("effect", "{who:players} get[s] {n:counters} {kind:counter kind} counter[s]",
      ("get {n:counters} {kind:counter kind} counter[s]", {"who": YOU}), rule="122.1",
      op="player gets counters")  # fmt: skip
def player_gets_counters(t: Table, who: tuple[str, ...], n: Any, kind: str) -> Run[None]:
    """Give players counters, such as poison or rad counters (122.1)."""
    for player in who:
        number = t.count(n, player)
        if player in t.state.in_game and number:
            t.change_player(player, counters=with_counters(t.state.players[player].counters, kind, number))
            yield from t.did(Event("counters", player, n=number, detail=(("kind", kind),)))


GRAMMAR.rule("effect", "{who:players} get[s] {n:energy}",
             lambda who, n: Term("player gets counters", (who, n, "energy")))  # fmt: skip
GRAMMAR.rule("act", "get[s] {n:energy}", lambda n: Term("player gets counters", (SUBJECT, n, "energy")))


@word("effect", "{who:players} lose[s] {n:counters} {kind:counter kind} counter[s]", rule="122.1",
      op="player loses counters")  # fmt: skip
def player_loses_counters(t: Table, who: tuple[str, ...], n: Any, kind: str) -> Run[None]:
    """Take counters from players."""
    for player in who:
        have = t.state.players[player]
        left = with_counters(have.counters, kind, -t.count(n, player))
        t.change_player(player, counters=left)
        lost = have.count(kind) - t.state.players[player].count(kind)
        if lost:
            yield from t.did(Event("counters removed", player, n=lost, detail=(("kind", kind),)))


@word("effect", "add {symbols:symbols}", "{who:players} add[s] {symbols:symbols}", rule="106.4", op="add mana")
def add_mana(t: Table, symbols: tuple[str, ...], who: Any = None) -> Run[None]:
    """Add mana to a player's pool (106.4)."""
    for player in who or (t.frame.you,):
        made = [letter for symbol in symbols for letter in (["C"] * int(symbol) if symbol.isdigit() else [symbol])]
        add_to_pool(t, player, made)
        yield from t.did(Event("mana added", player, n=len(made), detail=(("mana", tuple(made)),)))


@word("effect", "add {options:mana options}", rule="106.4", op="add one of these")
def add_one_of_these(t: Table, options: tuple[tuple[str, ...], ...]) -> Run[None]:
    """Add one of several amounts of mana, as the player chooses."""
    useful = t.frame.said.get("colors")
    able = [option for option in options if not useful or option[0] in useful] or list(options)
    words = ["".join(f"{{{symbol}}}" for symbol in option) for option in able]
    place = yield from t.ask(
        t.frame.you, "choose color", range(len(able)), rule="106.4", prompt="which mana?", words=words
    )
    yield from t.do(Term("add mana", (able[place], None)))


GRAMMAR.rule("mana options", "{one:symbols} or {two:symbols}", lambda one, two: (one, two))
GRAMMAR.rule("mana options", "{one:symbols} , {two:symbols} , or {three:symbols}",
             lambda one, two, three: (one, two, three))  # fmt: skip
GRAMMAR.sayers["mana options"] = lambda options: listed([GRAMMAR.say(option, "symbols") for option in options], "or")


@word("effect", "add {n:number} mana of any [one] color", "{who:players} add[s] {n:number} mana of any [one] color",
      rule="106.1b", op="add one of any color")  # fmt: skip
def add_any_color(t: Table, n: Any = 1, who: Any = None) -> Run[None]:
    """Add mana of a color that its player chooses (106.1b)."""
    for player in who or (t.frame.you,):
        letters = t.frame.said.get("colors") or tuple(LETTERS)
        letter = yield from t.ask(player, "choose color", letters, rule="106.1b", prompt="mana of which color?")
        add_to_pool(t, player, [letter] * t.count(n, player))
        yield from t.did(Event("mana added", player, n=t.count(n, player), detail=(("mana", (letter,)),)))


@word("effect", "for each colored mana symbol in {what:objects} ('s|') mana cost, add one mana of that color",
      "add one mana of that color for each colored mana symbol in {what:objects} ('s|') mana cost", rule="107.4",
      op="add mana of its cost")  # fmt: skip
def add_mana_of_its_cost(t: Table, what: tuple[int, ...]) -> Run[None]:
    """Add a mana for each colored symbol in the mana costs of all objects meant (701.17d); hybrid symbols are asked."""
    made: list[str] = []
    for number in what:
        cost = t.state.look(number).cost
        for symbol in cost.symbols if cost is not None else ():
            colors = [letter for letter in symbol.split("/") if letter in LETTERS]
            if colors:
                made.append(
                    (yield from t.ask(t.frame.you, "choose color", colors, rule="107.4", prompt="mana of which color?"))
                )
    add_to_pool(t, t.frame.you, made)
    yield from t.did(Event("mana added", t.frame.you, n=len(made), detail=(("mana", tuple(made)),)))


@word("effect", "{who:players} take[s] an extra turn "
                "after this one", ("take an extra turn after this one", {"who": YOU}),
      rule="500.7", op="extra turn")  # fmt: skip
def extra_turn(t: Table, who: tuple[str, ...]) -> Run[None]:
    """Add an extra turn directly after this one; the latest added is taken first (500.7)."""
    for player in who:
        if player in t.state.in_game:
            turn = t.state.turn
            t.change_turn(extra=(*turn.extra, player), order=turn.order or turn.active)
            yield from t.did(Event("extra turn", player))


@word("effect", "{who:players} win[s] the game", rule="104.2b", op="win the game")
def win_the_game(t: Table, who: tuple[str, ...]) -> Run[None]:
    """Let a player win (104.2b)."""
    for player in who:
        yield from win_game(t, player)
    stop_if_over(t)


@word("effect", "{who:players} lose[s] the game", rule="104.3e", op="lose the game")
def lose_the_game(t: Table, who: tuple[str, ...]) -> Run[None]:
    """Let players lose (104.3e), unless they can't."""
    from rulekit.engine.sba import can_not_lose

    for player in who:
        if not can_not_lose(t.state, player):
            yield from lose_game(t, player, "104.3e")
    stop_if_over(t)


@word("effect", "{who:players} leave[s] the game", rule="800.4a", op="leave the game")
def leave_the_game(t: Table, who: tuple[str, ...]) -> Run[None]:
    """Let players leave the game, as by conceding (104.3a, 800.4a)."""
    for player in who:
        t.change_player(player, lost=True)
        yield from t.did(Event("lost", player, rule="104.3a"))
        yield from leave(t, player)
    stop_if_over(t)


@word("effect", op="give gift", rule="702.174b")
def give_gift(t: Table, gift: tuple[Term, ...]) -> Run[None]:
    """Do what a promised gift says for the chosen player; nothing for one who has left (702.174b, 800.4b)."""
    cast = t.frame.cast
    if cast is not None and cast.promised in t.state.in_game:
        yield from t.run(gift)


@word("effect", op="radiation", rule="728.1")
def radiation(t: Table, who: tuple[str, ...]) -> Run[None]:
    """Mill as many cards as rad counters; each nonland card milled this way costs 1 life and a rad counter (728.1)."""
    for player in who:
        milled = yield from t.do(Term("mill", (player, t.state.players[player].count("rad"))))
        found = [card for card in milled if t.state.objects[card].zone in PUBLIC]  # 701.17c
        nonland = sum(not t.state.look(card).is_a("land") for card in found)
        if nonland:
            yield from lose(t, player, nonland)
            yield from t.do(Term("player loses counters", (player, nonland, "rad")))


WORDS["radiation"].sorts["who"] = "players"


def radiation_trigger(t: Table, player: str) -> Run[None]:
    """Let the rules' own triggered ability of rad counters wait for the stack (728.1)."""
    ability = Ability("triggered", "mill a card for each rad counter", "728.1", effect=(Term("radiation", (YOU,)),))
    logged = yield from t.did(Event("ability triggered", player, rule="728.1", names=("the ability of rad counters",)))
    waiting = Waiting(ability, Memory(player, 0), logged.number, "rad counters")
    t.change_state(waiting=(*t.state.waiting, waiting))
