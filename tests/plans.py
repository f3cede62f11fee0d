"""Plans of every kind, for tests that hold exact answers, trials and games on the board against each other."""

from __future__ import annotations

from typing import Any

from rulekit import Deck, Plan

LANDS, CREATURES = {"Island": 20, "Mutavault": 4}, {"Grizzly Bears": 12, "Hill Giant": 8}
DECK = Deck({**LANDS, **CREATURES, "Lightning Bolt": 10, "Bonesplitter": 6})
COLOSSUS = Deck({"Island": 5, "Grizzly Bears": 4, "Lightning Bolt": 2, "Darksteel Colossus": 1})
DRAWS = Plan().draw(7).each_turn(draw=1)
REVEAL = "reveal cards until 2 land cards are revealed, then put them into the graveyard"
EXILE = "exile cards from the top of your library until you have exiled cards with total mana value 9 or more"
GRIND = "mill two cards. If two cards that share a color were milled this way, repeat this process"
BRUVAC, CRYSTAL, PEACE, VOID = (
    "Bruvac the Grandiloquent", "The Water Crystal", "Rest in Peace", "Leyline of the Void",
)  # fmt: skip
PLANS = {
    "a fixed mill": DRAWS.on_turn(2, "mill ten cards"),
    "chances": DRAWS.each_turn("mill four cards", chance=0.3).each_turn("mill 7", chance="2/3", from_turn=2),
    "chances of several things": DRAWS.each_turn("mill a card, then draw a card. Surveil 1", chance=0.4, keep="land"),
    "halves and doubling": DRAWS.permanent(BRUVAC, from_turn=3).each_turn(
        "target player mills half their library, rounded up", chance=0.5
    ),
    "halves rounded down": DRAWS.each_turn("mill half your library, rounded down", every=2),
    "doubling and four more": DRAWS.permanent(BRUVAC).permanent(CRYSTAL, from_turn=2).each_turn(
        "each opponent mills two cards"
    ),
    "four more and doubling": DRAWS.permanent(CRYSTAL).permanent(BRUVAC, to_turn=2).each_turn(
        "each opponent mills two cards"
    ),
    "until lands": DRAWS.each_turn(REVEAL, chance=0.5),
    "until mana values": DRAWS.on_turn(1, EXILE),
    "repeats": DRAWS.on_turn(2, GRIND),
    "exile from the top": DRAWS.each_turn("exile the top three cards of your library"),
    "graveyard replaced": DRAWS.permanent(PEACE, to_turn=2).each_turn("mill 3").each_turn("surveil 2", keep="land"),
    "graveyard of opponents replaced": DRAWS.permanent(VOID, from_turn=2).each_turn("mill 3"),
    "scry": DRAWS.each_turn("scry 3. Then draw a card", keep="land", enough=3),
    "surveil": DRAWS.each_turn("surveil 2", keep="creature", from_turn=2).each_turn("scry 1", keep="land"),
    "mulligans": Plan(on_the_play=True)
    .opening_hand(7, keep="2 to 5 lands", down_to=4).each_turn(draw=1).each_turn("mill 5"),
    "free mulligans": Plan()
    .opening_hand(7, keep="at least 3 lands and at least 1 creature", down_to=5, free=1, bottom=["lands above 4"])
    .each_turn(draw=1),
    "shuffled back": DRAWS.each_turn("mill 4").each_turn("shuffle your graveyard into your library", every=2),
    "shuffled": DRAWS.each_turn("scry 2", keep="land").each_turn("shuffle your library", chance=0.5),
    "known cards": DRAWS.known(top=["Island"] * 7 + ["Bonesplitter"], bottom=["Island"])
    .on_turn(1, "scry 2", keep="land").each_turn("mill 9").on_turn(3, "shuffle your library"),
    "losing in the middle of a text": DRAWS.on_turn(1, "mill 50")
    .on_turn(2, "draw seven cards, then shuffle your graveyard into your library").on_turn(2, "mill two cards"),
    "the rest at random below": Plan().on_turn(1, "mill 46").each_turn(
        "look at the top four cards of your library. You may put an artifact card from among them into your hand. Put"
        " the rest on the bottom of your library in a random order", keep="artifact",
    ).on_turn(4, "mill eleven cards"),
    "one of several, the rest at random": DRAWS.on_turn(2,
        "look at the top three cards of your library. Put one of them into your hand and the rest on the bottom of your"
        " library in a random order", keep="land",
    ),
    "taken of the milled": DRAWS.on_turn(1,
        "mill three cards. You may put a creature card from among them into your hand", keep="creature"
    ).on_turn(3, "mill four cards. Put all land cards milled this way onto the battlefield"),
    "one card decides": DRAWS.each_turn(
        "look at the top card of your library. If it's a land card, you may put it onto the battlefield. Otherwise, put"
        " it into your hand", keep="land", from_turn=2,
    ).each_turn("reveal the top card of your library. If it's a creature card, put it into your graveyard"),
    "put away or not": DRAWS.each_turn(
        "look at the top card of your library. You may put it on the bottom of your library", keep="land", enough=4
    ),
    "counted this way": DRAWS.each_turn("mill four cards. Draw a card for each land card milled this way", chance=0.5),
    "a condition": DRAWS.each_turn(
        "mill three cards. If there are seven or more cards in your graveyard, exile the top two cards of your library"
    ),
    "exiled until": DRAWS.each_turn(
        "exile cards from the top of your library until you exile a creature card. Put that card into your hand and the"
        " rest on the bottom of your library in a random order", every=2,
    ),
    "a third": DRAWS.each_turn("target player mills a third of their library, rounded up", chance=0.5),
    "losing": DRAWS.each_turn("mill 13").each_turn("draw 3 cards"),
}  # fmt: skip
COUNT = ["land", "creature in graveyard", "land in hand", "card types in graveyard", "total mana value in exile"]
TURNS = 4

# plans of many turns, as controls of the odds lab, and decks of several sizes
SIZES = {
    60: "24 Island\n4 Ruin Crab\n20 Grizzly Bears\n4 Lightning Bolt\n4 Murder\n4 Unsummon",
    99: "37 Island\n1 Mutavault\n30 Grizzly Bears\n10 Hill Giant\n11 Lightning Bolt\n5 Bonesplitter\n5 Murder",
    250: "95 Island\n5 Mutavault\n60 Grizzly Bears\n30 Hill Giant\n30 Lightning Bolt\n15 Bonesplitter\n15 Murder",
}
HALF = "target player mills half their library, rounded up"
LONG: dict[str, dict[str, Any]] = {
    "chance": {"chance": "0.7"},
    "mulligans": {"chance": "0.7", "keep": "2 to 5 lands"},
    "two conditions": {"chance": "0.7", "keep": "2 to 5 lands and at least 1 creature"},
    "half and doubled": {
        "chance": "0.5", "keep": "2 to 5 lands", "text": HALF, "permanent": "Bruvac the Grandiloquent", "since": 3,
    },
    "once half": {"chance": "0.7", "keep": "2 to 5 lands", "once": "mill half your library, rounded down", "at": 3},
    "until lands": {"keep": "2 to 5 lands", "text": REVEAL},
}  # fmt: skip
LONGEST: dict[str, dict[str, Any]] = {
    "until lands, by chance": {"chance": "0.5", "text": REVEAL},
    "until lands once": {"chance": "0.7", "text": "mill 2", "keep": "2 to 5 lands", "once": REVEAL, "at": 3},
    "until lands, by chance, mulligans": {"chance": "0.5", "text": REVEAL, "keep": "2 to 5 lands"},
}
