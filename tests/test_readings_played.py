"""What is prevented or replaced for a turn, and what a permanent enters with: it is for whom the text says."""

from __future__ import annotations

import pytest

from rulekit import Card, Game
from rulekit.engine.text import load_words, read_effect

load_words()


def cast(game: Game, *answers: object) -> Game:
    """Cast the one card in hand, answer what is asked in order, and let it resolve."""
    game = game.decide(next(action for action in game.decision.options if action.kind == "cast"))
    for answer in answers:
        options = {game.decision.word(option): option for option in game.decision.options}
        game = game.decide(options[str(answer)])
    while game.state.stack:
        game = game.decide(game.decision.options[0])
    return game


def names(game: Game, player: str, zone: str) -> list[str]:
    """The names of the cards in a player's zone."""
    return [game.state.name(number) for number in game.state.zone(zone, player)]


@pytest.mark.parametrize(
    "text",
    ["Prevent all damage that would be dealt to target creature this turn.",
     "Prevent all damage that would be dealt this turn to target creature."],
)  # fmt: skip
def test_damage_to_the_target_is_prevented_and_damage_to_others_is_not(text: str) -> None:
    """615.3, 611.2c"""
    shell = Card("Shell", "{W}", "Instant", text)
    heat = Card("Heat", "{R}", "Sorcery", "Heat deals 1 damage to each creature.")
    game = Game.of(Alice={"hand": [shell, heat], "battlefield": ["Grizzly Bears", "Hill Giant"]})

    hurt = cast(cast(game, "Grizzly Bears"))

    assert [("Grizzly Bears", 0), ("Hill Giant", 1)] == [
        (hurt.state.name(number), hurt.state.objects[number].damage) for number in hurt.state.permanents("Alice")
    ]


def test_what_would_die_this_turn_is_exiled_instead() -> None:
    """614.1a"""
    coil = Card("Coil", "{R}", "Sorcery", "Coil deals 4 damage to target creature. If that creature would die this "
                "turn, exile it instead.")  # fmt: skip
    game = cast(Game.of(Alice={"hand": [coil]}, Bob={"battlefield": ["Grizzly Bears", "Hill Giant"]}), "Grizzly Bears")

    assert [["Grizzly Bears"], []] == [names(game, "Bob", zone) for zone in ("exile", "graveyard")]


def test_a_permanent_enters_with_as_many_counters_as_the_x_of_its_spell() -> None:
    """107.3m"""
    hydra = Card(
        "Hydra", "{X}{G}", "Creature — Hydra", "Hydra enters with X +1/+1 counters on it.", power=0, toughness=0
    )
    game = cast(Game.of(Alice={"hand": [hydra]}), 4)

    assert [4] == [game.state.look(number).power for number in game.state.permanents("Alice")]


def test_an_unearthed_creature_is_exiled_when_it_would_leave_the_battlefield() -> None:
    """702.84a"""
    ghoul = Card("Ghoul", "{2}{B}", "Creature — Zombie", "Unearth {B}", power=2, toughness=2)
    game = Game.of(Alice={"graveyard": [ghoul]})
    game = game.decide(next(action for action in game.decision.options if action.kind == "activate"))
    while game.state.stack:
        game = game.decide(game.decision.options[0])
    game = game.instruct(*read_effect("destroy all creatures"))

    assert [["Ghoul"], []] == [names(game, "Alice", zone) for zone in ("exile", "graveyard")]


def test_the_later_chapters_of_a_saga_happen() -> None:
    """714.2b, 714.3b"""
    saga = Card(
        "Tale", "{1}{W}", "Enchantment — Saga", "I — You gain 1 life.\nII — You gain 2 life.\nIII — You gain 4 life."
    )
    game = cast(Game.of(Alice={"hand": [saga]}))
    lives = [game.state.players["Alice"].life]
    for _ in range(2):
        game = game.instruct(*read_effect("put a lore counter on each Saga"))
        while game.state.stack:
            game = game.decide(game.decision.options[0])
        lives.append(game.state.players["Alice"].life)

    assert [21, 23, 27] == lives
    assert ["Tale"] == names(game, "Alice", "graveyard")


def test_a_target_may_be_described_by_the_target_before_it() -> None:
    """601.2c"""
    blaze = Card("Blaze", "{R}", "Instant", "Blaze deals 5 damage to target creature. Exile up to one target Equipment "
                 "attached to that creature. If that creature would die this turn, exile it instead.")  # fmt: skip
    there = ["Grizzly Bears", {"card": "Bonesplitter", "attached to": "Grizzly Bears"}, "Fireshrieker"]
    game = cast(Game.of(Alice={"hand": [blaze]}, Bob={"battlefield": there}), "Bonesplitter")

    assert {"Bonesplitter", "Grizzly Bears"} == set(names(game, "Bob", "exile"))
    assert ["Fireshrieker"] == [game.state.name(number) for number in game.state.battlefield]


def test_x_of_an_additional_cost_is_chosen_and_paid() -> None:
    """601.2b"""
    deluge = Card("Flood", "{B}", "Sorcery", "As an additional cost to cast this spell, pay X life.\nAll creatures get "
                  "-X/-X until end of turn.")  # fmt: skip
    game = cast(Game.of(Alice={"hand": [deluge]}, Bob={"battlefield": ["Grizzly Bears", "Craw Wurm"]}), 3)

    assert 17 == game.state.players["Alice"].life
    assert ["Craw Wurm"] == [game.state.name(number) for number in game.state.battlefield]


def test_half_their_life_is_that_of_the_player_who_loses_it() -> None:
    """119.3"""
    curse = Card("Curse", "{B}", "Sorcery", "Target opponent loses half their life, rounded up.")
    game = cast(Game.of(Alice={"hand": [curse], "life": 20}, Bob={"life": 7}))

    assert [20, 3] == [game.state.players[name].life for name in ("Alice", "Bob")]


def test_a_spell_is_cast_from_where_the_trigger_says() -> None:
    """601.2a"""
    watcher = Card("Kelp", "{U}", "Enchantment", "Whenever a player casts a spell from a graveyard, you gain 1 life.")
    echo = Card("Echo", "{B}", "Sorcery", "Draw a card.\nFlashback {B}")
    there = {"battlefield": [watcher], "library": ["5 Island"]}

    lives = []
    for zone in ("hand", "graveyard"):
        game = cast(Game.of(Alice=there | {zone: [echo]}))
        lives.append(game.state.players["Alice"].life)

    assert [20, 21] == lives


def test_a_spell_that_may_be_cast_for_nothing_is_not_cast_as_it_resolves() -> None:
    """118.9"""
    free = "If you control an Island, you may cast this spell without paying its mana cost"
    dive = Card("Dive", "{4}{U}", "Instant", f"{free}.\nDraw a card.")
    game = Game.of(Alice={"hand": [dive], "battlefield": ["Island"], "mana": "lands"})

    words = [game.decision.word(option) for option in game.decision.options]
    assert [f"cast Dive ({free})"] == [word for word in words if "Dive" in word]


def test_other_targets_are_not_the_target_before_them() -> None:
    """601.2c, 115.4"""
    maw = Card(
        "Maw", "{R}", "Sorcery", "Maw deals 4 damage to any target and 3 damage to each of up to two other targets."
    )
    game = Game.of(Alice={"hand": [maw]}, Bob={"battlefield": ["Grizzly Bears"]})
    game = game.decide(next(action for action in game.decision.options if action.kind == "cast"))
    game = game.decide("Bob")

    assert {"Alice", "Grizzly Bears", "done"} == {game.decision.word(option) for option in game.decision.options}


def test_another_target_is_not_the_target_before_it() -> None:
    """601.2c"""
    ends = "until end of turn"
    text = f"Target creature gets +1/+0 {ends}. Another target creature gets +0/+1 {ends}."
    pair = Card("Pair", "{R}", "Sorcery", text)
    game = Game.of(Alice={"hand": [pair]}, Bob={"battlefield": ["Grizzly Bears", "Hill Giant", "Craw Wurm"]})
    game = game.decide(next(action for action in game.decision.options if action.kind == "cast"))
    chosen = game.decision.options[0]

    assert chosen not in game.decide(chosen).decision.options


@pytest.mark.parametrize(
    ("text", "lives"),
    [("Each player loses 1 life for each creature they control.", [19, 17]),
     ("Odd deals damage to each player equal to the number of creatures that player controls.", [19, 17])],
)  # fmt: skip
def test_each_player_has_a_number_of_their_own(text: str, lives: list[int]) -> None:
    """608.2i"""
    odd = Card("Odd", "{R}", "Sorcery", text)
    there = {"battlefield": ["Craw Wurm"]}, {"battlefield": ["3 Craw Wurm"]}
    game = cast(Game.of(Alice={"hand": [odd]} | there[0], Bob=there[1]))

    assert lives == [game.state.players[name].life for name in ("Alice", "Bob")]


@pytest.mark.parametrize(("top", "zone"), [("Island", "hand"), ("Grizzly Bears", "graveyard")])
def test_the_card_that_is_drawn_and_revealed_is_the_one_that_is_looked_at(top: str, zone: str) -> None:
    odd = Card("Odd", "{1}", "Creature — Human", "When Odd enters, draw a card and reveal it. If it isn't a land card, "
               "discard it.", power=1, toughness=1)  # fmt: skip
    game = cast(Game.of(Alice={"hand": [odd], "library": [top]}))

    assert [top] == names(game, "Alice", zone)


def test_nothing_is_done_to_what_was_not_found() -> None:
    """608.2c"""
    text = (
        "When Keeper dies, you may exile it. If you do, reveal cards from the top of your library until you reveal a "
        "creature card. Put that card onto the battlefield and put all other cards revealed this way into your "
        "graveyard."
    )
    keeper = Card("Keeper", "{1}", "Creature — Elf", text, power=1, toughness=1)
    game = Game.of(Alice={"battlefield": [keeper], "library": ["Island", "Grizzly Bears"]})
    game = game.instruct(*read_effect("destroy all creatures"))
    while game.decision is not None and (game.state.stack or game.action is not None):
        game = game.decide("no" if "no" in game.decision.options else game.decision.options[0])

    assert [] == [game.state.name(number) for number in game.state.battlefield]
    assert ["Keeper"] == names(game, "Alice", "graveyard")


@pytest.mark.parametrize(
    ("words", "alice", "bob", "carol", "drawn"),
    [
        ("an opponent has more cards in hand than you", 1, 0, 2, 1),
        ("an opponent has more cards in hand than you", 1, 1, 1, 0),
        ("you have more cards in hand than an opponent", 1, 0, 2, 1),
        ("you have more cards in hand than each opponent", 1, 0, 2, 0),
        ("you have more cards in hand than each opponent", 3, 0, 2, 1),
        ("each opponent has more cards in hand than you", 1, 2, 2, 1),
        ("each opponent has more cards in hand than you", 1, 2, 1, 0),
    ],
)
def test_who_has_more_cards_in_hand(words: str, alice: int, bob: int, carol: int, drawn: int) -> None:
    """ "An opponent" is any one of them, "each opponent" all of them; the spell itself has left the hand (601.2a)"""
    tally = Card("Tally", "{U}", "Sorcery", f"If {words}, draw a card.")
    hands = {"Bob": bob, "Carol": carol}
    others = {name: {"hand": ["Island"] * number} for name, number in hands.items()}
    game = Game.of(Alice={"hand": [tally, *["Island"] * alice], "library": ["Swamp"]}, **others)

    assert ["Swamp"] * drawn == [name for name in names(cast(game), "Alice", "hand") if name == "Swamp"]


def test_who_has_more_life_or_controls_more() -> None:
    """Each opponent with more life is one too many; lands are counted as the game sees them"""
    tally = Card("Tally", "{U}", "Sorcery", "If an opponent has more life than you, draw a card. If you control more"
                                            " lands than an opponent, draw a card.")  # fmt: skip
    alice = {"hand": [tally], "library": ["Swamp", "Swamp"], "battlefield": ["Island", "Grizzly Bears"]}
    poor = Game.of(Alice={**alice, "life": 19}, Bob={"battlefield": ["Hill Giant", "Grizzly Bears"]})
    even = Game.of(Alice=alice, Bob={"battlefield": ["Island"]})

    assert 2 == len(names(cast(poor), "Alice", "hand"))
    assert [] == names(cast(even), "Alice", "hand")


@pytest.mark.parametrize(
    ("condition", "met"),
    [
        ("an opponent has 10 or less life", True), ("each opponent has 10 or less life", False),
        ("an opponent controls a creature", True), ("each opponent controls a creature", False),
        ("each opponent has no cards in hand", False), ("each opponent has 3 or more life", True),
        ("an opponent has no cards in hand", True), ("each opponent controls no artifacts", True),
        ("each opponent controls no creatures", False),
    ],
)  # fmt: skip
def test_what_each_opponent_has_all_of_them_have_what_an_opponent_has_one(condition: str, met: bool) -> None:
    """Bob has 5 life and a creature, Carol 20 and a card in hand."""
    tally = Card("Tally", "{U}", "Sorcery", f"If {condition}, draw a card.")
    bob, carol = {"life": 5, "battlefield": ["Grizzly Bears"]}, {"hand": ["Hill Giant"]}
    game = cast(Game.of(Alice={"hand": [tally], "library": ["Island"]}, Bob=bob, Carol=carol))

    assert met == (["Island"] == names(game, "Alice", "hand"))
