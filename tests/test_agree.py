"""Exact answers and trials tell the same, for plans of every kind."""

from __future__ import annotations

import pytest

from rulekit import Deck, Plan, exact, simulate

DECK = Deck(
    {"Island": 20, "Mutavault": 4, "Grizzly Bears": 12, "Hill Giant": 8, "Lightning Bolt": 10, "Bonesplitter": 6}
)
DRAWS = Plan().draw(7).each_turn(draw=1)
REVEAL = "reveal cards until 2 land cards are revealed, then put them into the graveyard"
EXILE = "exile cards from the top of your library until you have exiled cards with total mana value 9 or more"
GRIND = "mill two cards. If two cards that share a color were milled this way, repeat this process"
PLANS = {
    "a fixed mill": DRAWS.on_turn(2, "mill ten cards"),
    "chances": DRAWS.each_turn("mill four cards", chance=0.3).each_turn("mill 7", chance="2/3", from_turn=2),
    "halves and doubling": DRAWS.permanent("Bruvac the Grandiloquent", from_turn=3).each_turn(
        "mill half your library, rounded up", chance=0.5
    ),
    "until lands": DRAWS.each_turn(REVEAL, chance=0.5),
    "until mana values": DRAWS.on_turn(1, EXILE),
    "while colors match": DRAWS.on_turn(1, GRIND),
    "surveil": DRAWS.each_turn("surveil 2", keep="land", enough=4),
    "scry": Plan().draw(7).each_turn("scry 1", keep="nonland card").each_turn(draw=1),
    "mulligans": Plan().opening_hand(7, keep="2 to 4 lands and at least 1 creature", down_to=4).each_turn("mill 3"),
    "shuffling back": DRAWS.each_turn("mill 3").each_turn("shuffle your graveyard into your library", chance=0.2),
    "known cards": Plan().known(top=["Lightning Bolt"], bottom=["Island", "Hill Giant"]).each_turn("mill 17"),
    "cards that go back": Plan().each_turn("mill four cards"),
    "out of cards": DRAWS.each_turn("mill 25"),
}
COUNT = ["land", "creature in graveyard", "land in hand", "card types in graveyard", "total mana value in exile"]
ASKED = (["library", "land in hand"], ["land", "creature in graveyard"], ["card types in graveyard", "lost"])


@pytest.mark.parametrize("name", PLANS)
def test_trials_agree_with_the_exact_answer(name):
    deck = Deck({**DECK.main, "Darksteel Colossus": 4}) if name == "cards that go back" else DECK
    known = exact(deck, PLANS[name], COUNT, turns=4)
    played = simulate(deck, PLANS[name], COUNT, turns=4, trials=50_000, seed=11)

    for turn in (1, 4):
        for names in ASKED:
            assert played.distribution(names, turn).compare(known.distribution(names, turn)).p_value > 1e-4
    for condition in ("library <= 40 and not land in hand = 4", "lost = 1"):
        first = known.first_turn(condition)
        assert played.first_turn(condition).compare(first).p_value > 1e-4


def test_mixtures_agree_too():
    mixture = Deck.mixture({DECK: 1, Deck({"Island": 17, "Hill Giant": 43}): 2})
    known = exact(mixture, DRAWS.on_turn(1, "mill ten cards"), ["land"])
    played = simulate(mixture, DRAWS.on_turn(1, "mill ten cards"), ["land"], trials=200_000, seed=3)

    assert played.distribution("land").compare(known.distribution("land")).p_value > 1e-4
    assert played.p("land >= 4").holds(known.p("land >= 4"))
