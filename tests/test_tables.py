"""One instruction, two tables: what the board does in every way that chance may decide, and what is exact."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from rulekit import Card, Deck, Plan, exact, replay, simulate
from rulekit.engine.abilities import WORDS, walk
from rulekit.engine.events import Table
from rulekit.engine.frame import Frame
from rulekit.engine.position import position
from rulekit.engine.state import CHANCE
from rulekit.engine.text import read_effect
from rulekit.rules import BadData

PLAYER, OPPONENT = "the player", "an opponent"
DECK = {"Island": 2, "Grizzly Bears": 1, "Hill Giant": 1, "Lightning Bolt": 1, "Darksteel Colossus": 1}
PLAIN = {"Island": 2, "Grizzly Bears": 1, "Hill Giant": 1, "Lightning Bolt": 1, "Giant Growth": 1}
COUNT = ["land in hand", "land in graveyard", "total mana value in graveyard", "creature in exile", "land", "card"]
TEXTS = {
    "mill two cards": PLAIN,
    "mill ten cards": PLAIN,
    "mill two cards. Each opponent mills a card for each card in their graveyard": PLAIN,
    "draw two cards. Mill X cards, where X is the number of cards in your hand": PLAIN,
    "mill a card, then draw a card": PLAIN,
    "mill half your library, rounded down": PLAIN,
    "target player mills half their library, rounded up": PLAIN,
    "each opponent mills two cards": PLAIN,
    "each player mills a card": PLAIN,
    "draw two cards": PLAIN,
    "draw ten cards": PLAIN,
    "exile the top two cards of your library": PLAIN,
    "reveal cards until 2 land cards are revealed, then put them into the graveyard": PLAIN,
    "reveal cards until a creature card is revealed. Exile them": PLAIN,
    "exile cards from the top of your library until you have exiled cards with total mana value 4 or more": PLAIN,
    "reveal cards from the top of your library until you reveal a creature card. Put that card into your hand and the"
    " rest into your graveyard": PLAIN,
    "reveal cards from the top of your library until you reveal two land cards. Put those cards onto the battlefield"
    " and all other cards revealed this way into your graveyard": PLAIN,
    "surveil 2": PLAIN,
    "scry 2. Then draw a card": PLAIN,
    "mill two cards. If two cards that share a color were milled this way, repeat this process": PLAIN,
    "mill two cards. Shuffle your graveyard into your library. Mill a card": PLAIN,
    "mill three cards": DECK,
    "scry 2. Then mill a card. Draw a card": DECK,
    "mill three cards, then draw two cards": DECK,
    "exile cards from the top of your library until you have exiled cards with total mana value 3 or more. Exile the"
    " top card of your library. Mill half your library, rounded up": PLAIN,
    "mill two cards. Draw a card. Shuffle your graveyard into your library. Draw a card": DECK,
    "shuffle your library. Mill two cards": PLAIN,
    "mill two cards. Shuffle your library. Draw a card": PLAIN,
    "look at the top three cards of your library. Put one of them into your hand and the rest on the bottom of your"
    " library in any order. Mill three cards": PLAIN,
    "look at the top two cards of your library. Put one of them into your hand and the rest into your graveyard": PLAIN,
    "look at the top three cards of your library. You may put a creature card from among them onto the battlefield. Put"
    " the rest into your graveyard. Draw a card": PLAIN,
    "reveal the top three cards of your library. Put all land cards from among them into your hand and the rest on the"
    " bottom of your library in any order": PLAIN,
    "look at the top two cards of your library, then put them back in any order. Mill a card": PLAIN,
    "reveal cards from the top of your library until you reveal a creature card. Put that card onto the battlefield and"
    " shuffle the rest into your library. Mill a card": PLAIN,
    "reveal the top card of your library. Put it on the bottom of your library. Mill a card": PLAIN,
    "exile the top card of your library. Put the exiled card on top of your library. Draw a card": PLAIN,
    "exile the top card of your library. Mill a card. Put the exiled card into your hand": PLAIN,
    "exile the top card of your library. Put it on the bottom of your library. Mill five cards": PLAIN,
    "exile the top two cards of your library face down": PLAIN,
    "mill two cards, then exile them. Draw a card": PLAIN,
    "exile cards from the top of your library until you exile a creature card. Mill a card": PLAIN,
    "target player exiles cards from the top of their library until they exile two land cards": PLAIN,
    "exile cards from the top of your library until you exile a creature card. Put that card into your hand and the"
    " rest on the bottom of your library in a random order. Mill three cards": PLAIN,
    "each opponent reveals cards from the top of their library until two land cards are revealed this way, then puts"
    " those cards into their graveyard": PLAIN,
    "put the top card of your library on the bottom of your library. Mill five cards": PLAIN,
    "scry 1. Put the top two cards of your library on the bottom of your library in a random order. Mill five cards": (
        PLAIN
    ),
    "put the top two cards of your library into your hand. Mill a card": PLAIN,
    "put the top two cards of your library into exile": PLAIN,
    "target player mills a third of their library, rounded up": PLAIN,
    "mill a quarter of your library, rounded down, then mill a third of your library, rounded down": PLAIN,
    "look at the top four cards of your library. Put two of them into your hand and the rest on the bottom of your"
    " library in a random order. Mill three cards": PLAIN,
    "scry 2. Look at the top three cards of your library. You may put a creature card from among them into your hand."
    " Put the rest on the bottom of your library in a random order. Mill four cards": PLAIN,
    "mill three cards. Look at the top four cards of your library. You may reveal a land card from among them and put"
    " it into your hand. Put the rest on the bottom of your library in a random order. Draw a card": PLAIN,
    "reveal the top three cards of your library. Put all land cards revealed this way into your hand and the rest on"
    " the bottom of your library in a random order. Mill four cards": PLAIN,
    "scry 2. Look at the top three cards of your library. Put them on the bottom of your library in a random order."
    " Mill four cards": PLAIN,
    "target player mills cards until they mill two land cards": PLAIN,
    "search your library for a land card, put it into your hand, then shuffle. Mill two cards": PLAIN,
    "mill a card. Search your library for up to two land cards, reveal them, put them into your graveyard, then"
    " shuffle. Draw a card": PLAIN,
    "mill a card, then repeat this process until a creature card is milled this way. Draw a card": PLAIN,
    "mill three cards. You may put a creature card from among them into your hand. Draw a card": PLAIN,
    "look at the top three cards of your library. You may reveal any number of land cards from among them and put the"
    " revealed cards into your hand. Put the rest into your graveyard": PLAIN,
    "mill three cards. Put all land cards milled this way onto the battlefield. Mill a card": PLAIN,
    "reveal the top card of your library. If it's a land card, put it onto the battlefield. Otherwise, put it into your"
    " hand. Mill a card": PLAIN,
    "reveal the top card of your library. If it's a creature card, put it into your graveyard. Mill a card": PLAIN,
    "look at the top card of your library. You may put that card on the bottom of your library. Mill two cards": PLAIN,
    "look at the top card of your library. You may put that card into your graveyard. Draw a card": PLAIN,
    "look at the top card of your library. If it's a land card, you may put it onto the battlefield. Otherwise, put it"
    " into your hand. Draw a card": PLAIN,
    "mill two cards. Draw a card for each land card milled this way. Mill two cards. Draw a card for each land card"
    " milled this way": PLAIN,
    "mill half your library, rounded down. For each creature card milled this way, draw a card": PLAIN,
    "exile the top three cards of your library. For each land card exiled this way, draw a card": PLAIN,
    "mill two cards. If two or more land cards were milled this way, draw a card. Otherwise, mill a card": PLAIN,
    "mill two cards. Mill X cards, where X is the number of land cards milled this way": PLAIN,
    "mill three cards. If no land card was milled this way, draw two cards": PLAIN,
    "mill a card. Mill X cards, where X is the number of cards put into your graveyard from anywhere this turn": PLAIN,
    "reveal cards from the top of your library until you reveal a creature card. Put that card into your hand and the"
    " rest on the bottom of your library in any order. Draw a card": PLAIN,
}
PERMANENTS = [("Bruvac the Grandiloquent",), ("The Water Crystal",), ("Rest in Peace",), ("Leyline of the Void",)]


class Ways:
    """Every way in which a text may go on the board."""

    def __init__(self, text, deck, permanents):
        self.text, self.deck, self.permanents = text, deck, permanents
        self.found = Counter()
        self.path = []
        while True:
            self.once()
            while self.path and self.path[-1][0] + 1 == self.path[-1][1]:
                self.path.pop()
            if not self.path:
                break
            self.path[-1] = (self.path[-1][0] + 1, self.path[-1][1])

    def once(self):
        library = [name for name, number in self.deck.items() for _ in range(number)]
        state = position(
            players=(PLAYER, OPPONENT),
            **{PLAYER: {"library": library}, OPPONENT: {"library": [], "battlefield": list(self.permanents)}},
        )
        players = dict(state.players)
        players[PLAYER] = players[PLAYER].but(unknown=(0, len(library)))
        table = Table(state.but(players=players))
        effects = read_effect(self.text)
        by = OPPONENT if "opponent" in self.text or "target" in self.text else PLAYER
        table.frame = Frame(table, by, 0)
        for term in walk(effects):
            if term.op == "target player":
                table.frame.targets[term.args[0]] = (PLAYER,)
        weight, depth, answer, steps = Fraction(1), 0, None, table.run(effects)
        while True:
            try:
                decision = steps.send(answer)
            except StopIteration:
                break
            if decision.player == CHANCE:
                if depth == len(self.path):
                    self.path.append((0, len(decision.options)))
                taken = self.path[depth][0]
                depth += 1
                weight *= Fraction(decision.weights[taken], sum(decision.weights))
                answer = decision.options[taken]
            else:
                answer = self.answered(table, decision)
        self.found[self.cell(table)] += weight

    def answered(self, table, decision):
        """Keep a land if there is one, else what the deck names first."""
        state, named = table.state, list(self.deck)
        if decision.kind == "choose mode":
            number = next(n for n in state.zone("library", PLAYER) if str(state.name(n)) in decision.prompt)
            return decision.options[not state.look(number).is_a("land")]
        if decision.kind == "may" and decision.prompt.startswith(("put it", "return it")):
            taken = "hand" in decision.prompt or "battlefield" in decision.prompt
            return decision.options[state.look(state.zone("library", PLAYER)[0]).is_a("land") != taken]
        if decision.kind == "choose card" and decision.prompt == "choose":
            cards = [option for option in decision.options if isinstance(option, int)]
            return min(cards, key=lambda n: (not state.look(n).is_a("land"), named.index(state.look(n).name)))
        return decision.options[0]

    def cell(self, table):
        state = table.state

        def cards(zone, kind=""):
            return [n for n in state.zone(zone, PLAYER) if not kind or state.look(n).is_a(kind)]

        milled = [_now(state, n) for event in state.history() if event.kind == "milled" for n in event.objects]
        milled = [n for n in milled if n is not None and state.objects[n].owner == PLAYER]
        return (
            len(cards("library")),
            len(cards("hand", "land")),
            len(cards("graveyard", "land")),
            sum(state.look(n).mana_value for n in cards("graveyard")),
            len(cards("exile", "creature")),
            sum(state.look(n).is_a("land") for n in milled),
            len(milled),
            int(state.players[PLAYER].drew_from_empty),
        )


def _now(state, number):
    """The object that a milled card is now, None if it has been in the library meanwhile."""
    while number is not None and state.get(number).zone != "library":
        if number in state.objects:
            return number
        number = state.past[number].became
    return None


REPLACED = ("mill two cards", "mill half your library, rounded down", "surveil 2", "draw two cards", list(TEXTS)[10])
CASES = [(text, ()) for text in TEXTS] + [(text, each) for text in REPLACED for each in PERMANENTS]
CASES.append(("mill three cards", ("Bruvac the Grandiloquent",)))


@pytest.mark.parametrize(("text", "permanents"), CASES)
def test_the_board_and_the_exact_answer_tell_the_same(text, permanents):
    plan = Plan().on_turn(1, text, keep="land")
    for name in permanents:
        plan = plan.permanent(name)

    answer = exact(Deck(TEXTS[text]), plan, COUNT, turns=1, as_fractions=True)

    assert (
        dict(Ways(text, TEXTS[text], permanents).found) == answer.distribution(["library", *COUNT, "lost"]).outcomes()
    )


@pytest.mark.parametrize(
    "text",
    [
        "surveil 2",  # the Colossus would shuffle the library with the card that stays on top
        "mill two cards. If two cards that share a color were milled this way, repeat this process",
    ],
)
def test_what_no_program_can_say_of_a_card_that_moves_itself_is_refused(text):
    with pytest.raises(BadData, match="no library program can say this"):
        exact(Deck(DECK), Plan().on_turn(1, text, keep="land"), COUNT, turns=1)


UNSAID = {  # what touches a library and no program can say of a library that nobody has looked at, and why
    "search your library for a card, put it into your graveyard, then shuffle": "which card is found",
    "search your library for a land card, put it into your hand. Mill a card. Shuffle": "still lie in the library",
    "search your library for a land card, then shuffle and put that card on top": "back into the library",
    "create a 1/1 green Merfolk creature token. It explores": "the types of a card",
    "draw a card, then put a card from your hand on top of your library. Mill a card": "that lie in the hand",
    "draw two cards, then put a card from your hand on the bottom of your library": "that lie in the hand",
    "mill two cards. Put those cards on the bottom of your library": "puts some cards of a zone back",
    "draw two cards. Shuffle your hand into your library, then draw that many cards": "how often something is done",
    "mill half your library, rounded up. Mill X cards, where X is the number of cards put into your graveyard from "
    "anywhere this turn": "is not one number in all games",
    "mill a card. Draw X cards, where X is the number of cards put into your graveyard from anywhere this turn": (
        "what has happened this turn"
    ),
    "draw two cards, then mill that many cards": "how many cards those were",
    "exile the top card of your library. Mill a card. Put the exiled card on top of your library. Draw a card": (
        "puts some cards of a zone back"
    ),
    "exile the top two cards of your library. Mill cards equal to the number of cards in your hand. Put the exiled "
    "cards into your hand": "counts them in between",
    "mill three cards. You may put a land card from among them into your hand. If you don't, draw a card": (
        "whether there was such a card"
    ),
    "you may mill two cards": "without 'may'",
    "exile the top card of your library. You may cast it without paying its mana cost": "casts a card",
    "discard your hand, then draw seven cards": "only to be shuffled into the library",
    "draw two cards, then discard two cards at random": "that lie in the hand",
    "mill four cards, then return a creature card from your graveyard to your hand": "that lie in the graveyard",
    "exile the top three cards of your library. Put one of them into your hand": "the player must decide",
    "draw a card, then exile it": "'it' is something that is not named before",
    "exile all cards from your library": "which cards are in the library",
    "put your library into your graveyard": "which cards are in the library",
}


@pytest.mark.parametrize("text", UNSAID)
def test_what_depends_on_cards_that_nobody_has_seen_is_refused_by_name(text):
    """Never answered as though nothing were found: a search looks through the whole library (701.23a)."""
    with pytest.raises(BadData, match="no library program can say this") as refusal:
        exact(Deck(PLAIN), Plan().on_turn(1, text, keep="land"), COUNT, turns=1)

    assert UNSAID[text] in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("At the beginning of your upkeep, mill three cards", "it waits for a later time"),
        ("choose one — mill two cards; or draw a card", "for the player to choose a mode"),
        ("take an extra turn after this one", "it brings another turn"),
        ("you lose the game", "it ends the game"),
        ("each opponent mills cards equal to its power", "'it' is something that is not named before"),
        ("mill X cards", "what X is"),
        ("mill that many cards", "'that many' is something that is not named before"),
    ],
)
def test_what_a_step_cannot_mean_is_refused_whether_a_program_or_games_carry_it_out(text, why):
    """Never carried out as though it did nothing."""
    plan = Plan().on_turn(1, text)
    for asked in (
        lambda: exact(Deck(PLAIN), plan, turns=1),
        lambda: simulate(Deck(PLAIN), plan, turns=1, policy="eager", trials=1, seed=1),
    ):
        with pytest.raises(BadData, match="no step of a plan can say this") as refusal:
            asked()
        assert why in str(refusal.value)


def test_that_many_are_as_many_as_were_moved_before():
    """Two drawn and two milled of six; where the library has fewer, as many as there were."""
    for text, left in (("draw two cards, then mill that many cards", 2), ("mill ten cards. Mill that many cards", 0)):
        assert {left} == {cell[0] for cell in Ways(text, PLAIN, ()).found}


def test_the_player_whose_library_it_is_can_be_called_so():
    for text in ("the player mills two cards", "that player mills two cards", "target player mills two cards"):
        assert 1 == exact(Deck(PLAIN), Plan().on_turn(1, text), turns=1).p("library = 4")


AGELESS = Card.from_catalogue(
    "Ageless",
    {
        "types": "Enchantment",
        "text": "If you would draw a card except the first one you draw in each of your draw steps, draw two cards"
        " instead.",
    },
)


@pytest.mark.parametrize(("draws", "left"), [(1, 11 - 2), (2, 11 - 2 * (1 + 2))])
def test_the_first_draw_of_each_turn_is_that_of_the_draw_step(draws, left):
    """504.1"""
    plan = Plan().each_turn(draw=draws).permanent(AGELESS, controller="player")
    deck = Deck({"Island": 11})

    played = simulate(deck, plan, turns=2, trials=1, seed=1)

    assert 1 == exact(deck, plan, turns=2).p(f"library = {left}")
    assert left == len(replay(played, 0).state.zone("library", PLAYER))
    assert left == simulate(deck, plan, turns=2, policy="eager", trials=1, seed=1).mean("library")


MORE = "target player mills X plus two, where X is half the number of cards in that player's hand, rounded down"


@pytest.mark.parametrize(("hand", "milled"), [(0, 2), (1, 2), (4, 4)])
@pytest.mark.parametrize(
    ("permanents", "doubled", "added"),
    [
        ((), 1, 0),
        (("Bruvac the Grandiloquent",), 2, 0),
        (("The Water Crystal",), 1, 4),
        (("Bruvac the Grandiloquent", "The Water Crystal"), 2, 4),
    ],
)
def test_what_a_text_adds_to_a_number_is_there_also_where_the_number_is_none(permanents, doubled, added, hand, milled):
    """What replacement effects add needs a card that would be milled, and here there is one in any case (614.1a)."""
    plan, deck = Plan().draw(hand), Deck({"Island": 30})
    for name in permanents:
        plan = plan.permanent(name)
    plan = plan.on_turn(1, MORE)
    left = 30 - hand - (doubled * milled + added)

    played = simulate(deck, plan, turns=1, trials=1, seed=1)

    assert 1 == exact(deck, plan, turns=1).p(f"library = {left}")
    assert left == played.mean("library") == len(replay(played, 0).state.zone("library", PLAYER))


@pytest.mark.parametrize(("hand", "milled"), [(0, 0), (1, 0), (2, 1 + 4), (3, 3 + 4)])
def test_of_no_card_replacement_effects_make_no_more(hand, milled):
    """Four more are milled only where a card would be: twice two cards in hand minus three is one (614.1a)."""
    text = "target player mills X, where X is twice the number of cards in that player's hand minus three"
    plan = Plan().draw(hand).permanent("The Water Crystal").on_turn(1, text)
    deck = Deck({"Island": 30})

    played = simulate(deck, plan, turns=1, trials=1, seed=1)

    assert 1 == exact(deck, plan, turns=1).p(f"graveyard = {milled}")
    assert milled == played.mean("graveyard") == len(replay(played, 0).state.zone("graveyard", PLAYER))
    assert milled == simulate(deck, plan, turns=1, trials=1, seed=1, policy="passive").mean("graveyard")


@pytest.mark.parametrize("plan", [Plan().draw(3), Plan().each_turn("draw a card")])
def test_cards_drawn_before_the_draw_step_are_not_its_first(plan):
    """504.1: one card in the draw step of each of two turns, and two for the card drawn at another time."""
    plan = plan.permanent(AGELESS, controller="player").each_turn(draw=1)
    deck = Deck({"Island": 11})
    left = 11 - (2 * (2 + 1) if plan.opening is None else 3 + 2)

    played = simulate(deck, plan, turns=2, trials=1, seed=1)

    assert 1 == exact(deck, plan, turns=2).p(f"library = {left}")
    assert left == len(replay(played, 0).state.zone("library", PLAYER))
    assert left == simulate(deck, plan, turns=2, policy="eager", trials=1, seed=1).mean("library")


def test_each_instruction_that_touches_a_library_is_compared_or_refused():
    """What the words themselves say about the library; a new one needs a text here."""
    texts = (*TEXTS, *UNSAID)
    told = {term.op for text in texts for term in walk(read_effect(text))}
    missing = {op for op, word in WORDS.items() if word.sort == "effect" and word.facts.get("library")} - told

    assert set() == missing
