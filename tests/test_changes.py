"""Continuous effects: their words, their layers, and the statements that other rooms look for (611, 613)."""

from __future__ import annotations

import random

import pytest

from rulekit.cards.pool import CardPool
from rulekit.engine import layers
from rulekit.engine.abilities import WORDS, Term
from rulekit.engine.continuous import Part
from rulekit.engine.game import Game
from rulekit.engine.layers import LAYERS, rules
from rulekit.engine.text import load_words, read_ability, read_effect

load_words()

WORDINGS = [
    ("this can't be blocked", "This creature can't be blocked."),
    ("this Equipment can be attached only to a legendary creature", "~ can be attached only to a legendary creature."),
    ("creatures you control get +1/+1 and have vigilance", "Creatures you control get +1/+1, and have vigilance."),
    ("blue spells you cast cost {1} less", "blue spells you cast cost {1} less to cast"),
    ("equip costs you pay cost {1} less", "equip abilities you activate cost {1} less to activate"),
    ("you may cast Aura and Equipment spells as though they had flash",
     "you may cast Aura spells and Equipment spells as though they had flash"),
]  # fmt: skip


@pytest.mark.parametrize(("short", "printed"), WORDINGS)
def test_two_wordings_of_a_static_ability_are_the_same_ability(short, printed):
    assert read_ability(short) == read_ability(printed)


def test_every_change_names_its_layer():
    """613.1"""
    changes = [word for word in WORDS.values() if word.sort == "change" and "parts" not in word.facts]

    assert [] == [word.op for word in changes if word.op != "where x" and word.facts.get("layer") not in LAYERS]


def numbers(game: Game, name: str) -> list[int]:
    """Return the objects of a name."""
    return [number for number in game.state.objects if game.state.name(number) == name]


def under(text: str, name: str, **players: object) -> Game:
    """Return a game in which an effect of a text has resolved; its only target is the object of a name."""
    game = Game.of(**players)
    (target,) = numbers(game, name)
    return game.instruct(*(_aimed(term, target) for term in read_effect(text)))


def _aimed(term: object, target: int) -> object:
    if isinstance(term, Term):
        return (target,) if term.op == "target" else Term(term.op, tuple(_aimed(arg, target) for arg in term.args))
    return tuple(_aimed(part, target) for part in term) if isinstance(term, tuple) else term


def test_setting_comes_before_changing_and_switching_comes_last():
    """613.4b-d: in whatever order the effects began"""
    game = under("target creature gets +3/+1 until end of turn", "Grizzly Bears",
                 Alice={"battlefield": ["Grizzly Bears"]})  # fmt: skip
    (bears,) = numbers(game, "Grizzly Bears")
    for text in ("switch target creature's power and toughness until end of turn",
                 "until end of turn, target creature has base power and toughness 0/1"):  # fmt: skip
        game = game.instruct(*(_aimed(term, bears) for term in read_effect(text)))
    seen = game.state.look(bears)

    assert (1 + 1, 0 + 3) == (seen.power, seen.toughness)


def test_an_amount_is_worked_out_once_as_an_effect_begins():
    """608.2h, 611.2d"""
    game = under("target creature gets +1/+1 for each Island until end of turn", "Grizzly Bears",
                 Alice={"battlefield": ["Grizzly Bears", "Island", "Island"]})  # fmt: skip
    (bears,) = numbers(game, "Grizzly Bears")
    fewer = game.do("destroy", (numbers(game, "Island")[0],))

    assert [2 + 2, 2 + 2] == [each.state.look(bears).power for each in (game, fewer)]


def test_a_static_bonus_is_worked_out_again_and_again():
    """604.2"""
    blade = {"card": "Blackblade Reforged", "attached to": "Isamaru, Hound of Konda"}
    game = Game.of(Alice={"battlefield": ["Island", "Island", "Isamaru, Hound of Konda", blade]})
    (dog,) = numbers(game, "Isamaru, Hound of Konda")
    fewer = game.do("destroy", (numbers(game, "Island")[0],))

    assert [2 + 2, 2 + 1] == [each.state.look(dog).power for each in (game, fewer)]


def test_a_card_type_that_goes_takes_its_subtypes_along():
    """205.1a, 208.5"""
    jace = {"card": "Jace Beleren", "counters": {"loyalty": 3}}
    game = Game.of(Alice={"battlefield": [jace, {"card": "Luxior, Giada's Gift", "attached to": "Jace Beleren"}]})
    seen = game.state.look(numbers(game, "Jace Beleren")[0])

    assert (("Creature",), (), 3) == (seen.types, seen.subtypes, seen.power)


def test_an_artifact_creature_keeps_what_it_was():
    """205.1b"""
    game = Game.of(Alice={"battlefield": ["March of the Machines", "Bonesplitter"]})
    seen = game.state.look(numbers(game, "Bonesplitter")[0])

    assert ({"Artifact", "Creature"}, ("Equipment",), 1) == (set(seen.types), seen.subtypes, seen.toughness)


def test_colors_are_replaced_unless_the_text_adds_them():
    """105.3"""
    frog = under("until end of turn, target creature loses all abilities and becomes a blue Frog with base power and"
                 " toughness 1/1", "Serra Angel", Bob={"battlefield": ["Serra Angel"]})  # fmt: skip
    seen = frog.state.look(numbers(frog, "Serra Angel")[0])

    assert (("blue",), ("Frog",), (), 1) == (seen.colors, seen.subtypes, seen.abilities, seen.power)


def test_control_lasts_as_long_as_the_aura():
    """613.1b"""
    game = Game.of(Alice={"battlefield": [{"card": "Kitnap", "attached to": "Hill Giant"}]},
                   Bob={"battlefield": ["Hill Giant"]})  # fmt: skip
    (giant,) = numbers(game, "Hill Giant")
    freed = game.do("destroy", tuple(numbers(game, "Kitnap")))

    assert ["Alice", "Bob"] == [each.state.look(giant).controller for each in (game, freed)]


def test_players_gain_hexproof_beside_their_permanents():
    """702.11b, 702.11c"""
    (term,) = read_effect("you and permanents you control gain hexproof until end of turn")
    game = Game.of(Alice={"battlefield": ["Grizzly Bears"]})
    game = game.decide(next(option for option in game.decision.options if option.kind == "pass"))
    after = _by(game, "Alice", term)
    guarded = [who for rule, frame in rules(after.state, "player has hexproof") for who in frame.players(rule.args[0])]

    assert ["Alice"] == guarded
    assert after.state.look(numbers(after, "Grizzly Bears")[0]).has("hexproof")


def _by(game: Game, player: str, term: Term) -> Game:
    """Carry out an effect as though a player's spell said it."""

    def owned(value: object) -> object:
        if value == Term("you"):
            return Term("these players", ((player,),))
        if isinstance(value, Term):
            return Term(value.op, tuple(map(owned, value.args)))
        return tuple(map(owned, value)) if isinstance(value, tuple) else value

    return game.instruct(owned(term))


OPS = {  # what stands on the cards, and the op by which other rooms find it
    "The Water Crystal": "spells cost less",
    "Auriok Steelshaper": "equip costs less",
    "Fervent Champion": "equip that targets costs less",
    "Leonin Shikari": "may activate equip at instant speed",
    "Forge Anew": "first equip may cost nothing",
    "Sigarda's Aid": "may cast as though it had flash",
    "Omniscience": "may cast from hand for free",
    "Null Rod": "can't activate",
    "Platinum Angel": "can't lose",
    "Leyline of Sanctity": "player has hexproof",
    "Stranglehold": "can't search libraries",
    "Panharmonicon": "triggers an additional time",
    "Torpor Orb": "entering triggers nothing",
}


@pytest.mark.parametrize("card", OPS)
def test_a_statement_on_a_card_is_found_by_its_op(card):
    game = Game.of(Alice={"battlefield": [card]})

    assert ["Alice"] == [frame.you for _, frame in rules(game.state, OPS[card])]


def test_a_restriction_is_kept_with_the_object_that_it_concerns():
    """613.11"""
    game = Game.of(Alice={"battlefield": ["Goblin Brawler", "Rot Farm Skeleton", "The Mindskinner"]})
    found = [[term.op for term, _ in game.state.look(numbers(game, name)[0]).rules]
             for name in ("Goblin Brawler", "Rot Farm Skeleton", "The Mindskinner")]  # fmt: skip

    assert [["can't be equipped"], ["can't block"], ["can't be blocked"]] == found


def test_an_ability_that_is_lost_makes_no_statement():
    """613.1f"""
    game = under("until end of turn, target creature loses all abilities", "Platinum Angel",
                 Alice={"battlefield": ["Platinum Angel"]})  # fmt: skip

    assert [] == rules(game.state, "can't lose")


LOOKS_AT_TYPES = ("Bludgeon Brawl", "March of the Machines", "Mutavault", "Puresteel Paladin", "Painter's Servant")


@pytest.mark.parametrize("seed", [3, 14, 20_360_418])
def test_what_the_search_for_dependencies_leaves_out_changes_nothing(seed, monkeypatch):
    """613.8: every effect held against every other, on everything, gives the same characteristics"""
    dice, states = random.Random(seed), []
    pool = CardPool.catalogue()
    permanents = [name for name in pool if {*pool[name].types.types} & {"Artifact", "Creature", "Enchantment", "Land"}]
    for _ in range(12):
        game = Game.of(Alice={"battlefield": [*LOOKS_AT_TYPES, *dice.choices(permanents, k=8)]},
                       Bob={"battlefield": dice.choices((*LOOKS_AT_TYPES, *permanents), k=12)})  # fmt: skip
        for _ in range(6):
            game = game.decide(dice.choice(game.decision.options)) if game.decision is not None else game
        states.append(game.state)
    quick = [layers._Layering(state).run() for state in states]
    monkeypatch.setattr(Part, "alone", lambda part: False)
    monkeypatch.setattr(layers, "goes_by", lambda part, layer: not part.fixed() and not part.steady())
    monkeypatch.setattr(layers, "does_by", lambda part, layer: True)
    monkeypatch.setattr(layers, "_does", lambda part, place: (place,))

    assert [layers._Layering(state).run() for state in states] == quick
