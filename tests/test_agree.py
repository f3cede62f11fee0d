"""Exact answers and trials tell the same: fixed mills, chances, halves, and cards until something."""

from __future__ import annotations

import pytest

from rulekit import Deck, Plan, exact, simulate

DECK = Deck(
    {"Island": 20, "Mutavault": 4, "Grizzly Bears": 12, "Hill Giant": 8, "Lightning Bolt": 10, "Bonesplitter": 6}
)
DRAWS = Plan().draw(7).each_turn(draw=1)
REVEAL = "reveal cards until 2 land cards are revealed, then put them into the graveyard"
EXILE = "exile cards from the top of your library until you have exiled cards with total mana value 9 or more"
PLANS = {
    "a fixed mill": DRAWS.on_turn(2, "mill ten cards"),
    "chances": DRAWS.each_turn("mill four cards", chance=0.3).each_turn("mill 7", chance="2/3", from_turn=2),
    "halves and doubling": DRAWS.permanent("Bruvac the Grandiloquent", from_turn=3).each_turn(
        "mill half your library, rounded up", chance=0.5
    ),
    "until lands": DRAWS.each_turn(REVEAL, chance=0.5),
    "until mana values": DRAWS.on_turn(1, EXILE),
}
COUNT = ["land", "creature in graveyard", "land in hand", "card types in graveyard", "total mana value in exile"]
ASKED = (["library", "land in hand"], ["land", "creature in graveyard"], ["card types in graveyard", "lost"])


@pytest.mark.parametrize("name", PLANS)
def test_trials_agree_with_the_exact_answer(name):
    known = exact(DECK, PLANS[name], COUNT, turns=4)
    played = simulate(DECK, PLANS[name], COUNT, turns=4, trials=50_000, seed=11)

    for turn in (1, 4):
        for names in ASKED:
            assert played.distribution(names, turn).compare(known.distribution(names, turn)).p_value > 1e-4
    for condition in ("library <= 40 and not land in hand = 4", "lost = 1"):
        first = known.first_turn(condition)
        assert played.first_turn(condition).compare(first).p_value > 1e-4
