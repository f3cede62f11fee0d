"""The gift lab: casting with a gift step by step, and what becomes of the gift."""

from __future__ import annotations

import pytest

from rulekit.rules import BadData
from rulekit.widgets.board import Board
from rulekit.widgets.gift_lab import COUNTERED, DEALT, DEALT_LATER, SOURCE_GONE, TARGET_GONE, GiftLab, gift_cards
from rulekit.widgets.view import offers


def outcomes(lab: GiftLab) -> list[tuple[str, ...]]:
    """What became of spell, gift and promised player in each way in which it can go."""
    return [row[1:] for row in lab.findings.grids[-1].rows]


def test_the_gift_is_promised_before_targets_are_chosen() -> None:
    """601.2b before 601.2c; a promise widens what can be the target (702.174m)."""
    lab = GiftLab(card="Into the Flood Maw", promised="Bob")

    assert ["601.2b", "601.2c"] == [asked.step for asked in lab.asked]
    assert "Bob's Millstone" in lab.asked[1].options
    assert "Bob's Millstone" not in GiftLab(card="Into the Flood Maw", promised="no one").asked[1].options


def test_the_timeline_says_what_can_still_be_chosen() -> None:
    """601.2b, 601.2c, 601.2h"""
    timeline = {row[0]: row[3] for row in GiftLab(card="Sazacap's Brew").findings.grids[0].rows}

    assert 9 == len(timeline)
    assert "promise" in timeline["601.2a"]
    assert "promise" not in timeline["601.2b"]
    assert "discard" == timeline["601.2c"]
    assert "nothing" == timeline["601.2h"]


def test_each_choice_knows_the_step_of_casting_in_which_it_is_made() -> None:
    """601.2b for the gift, 601.2c for targets, 601.2h for what is discarded: the game says so, not the lab."""
    game = GiftLab(card="Sazacap's Brew").position()
    steps = []
    cast = next(option for option in game.decision.options if option.kind == "cast")
    game = game.decide(cast, explicit=True)
    while game.decision.kind != "priority":
        steps.append((game.decision.kind, game.decision.step))
        game = game.decide(game.decision.options[-1])

    assert [("choose opponent", "601.2b"), ("choose target", "601.2c"), ("discard", "601.2h")] == list(
        dict.fromkeys(steps)
    )
    assert "" == game.decision.step


def test_an_instant_gives_the_gift_as_it_resolves() -> None:
    """702.174j: Bob's three cards and the one that he is given."""
    assert [("it resolves", "yes, by Alice to Bob", "cards in hand: 4, permanents: 2")] == outcomes(
        GiftLab(card="Dawn's Truce", promised="Bob")
    )


def responded(lab: GiftLab, player: str, spell: str, at: str) -> Board:
    """The lab's board after a player has answered the spell on the stack with another one, aimed at something."""
    board = lab.board
    assert board is not None
    board.index = next(
        place for place, frame in enumerate(board.frames)
        if frame.pending and frame.game.decision.player == player and frame.game.state.stack
        and f"cast {spell}" in (frame.game.decision.words or ())
    )  # fmt: skip
    board.decide(f"cast {spell}")
    if board.game.decision is not None and board.game.decision.kind == "choose target":
        board.decide(next(option for option, word in offers(board.game.decision, board.game.state) if word == at))
    while board.game.state.stack and not board.game.state.over:
        board.pass_all()
    return board


def happened(board: Board) -> list[str]:
    return [event.kind for event in board.game.log]


def test_bob_counters_the_spell_on_the_board_and_is_given_nothing() -> None:
    """702.174j: it is given as the spell resolves."""
    board = responded(GiftLab(card="Nocturnal Hunger", promised="Bob"), "Bob", "Counterspell", "Nocturnal Hunger")

    assert "countered" in happened(board)
    assert "gift given" not in happened(board)
    assert 2 == len(board.lines)


def test_bob_removes_the_target_on_the_board_and_is_given_nothing() -> None:
    """608.2b: every target has become illegal."""
    lab = GiftLab(card="Into the Flood Maw", promised="no one")
    assert "Bob's Grizzly Bears" in lab.asked[1].options
    lab.set(promised="Bob", first="Bob's Grizzly Bears")
    board = responded(lab, "Bob", "Murder", "Bob's Grizzly Bears")

    assert "did not resolve" in happened(board)
    assert "gift given" not in happened(board)


def test_alice_kills_the_promised_player_on_the_board_before_the_gift() -> None:
    """704.5a, 800.4a: three damage, three life."""
    board = responded(GiftLab(card="Nocturnal Hunger", promised="Bob", life=3), "Alice", "Lightning Bolt", "Bob")

    assert "Bob" not in board.game.state.in_game
    assert "token created" not in happened(board)


@pytest.mark.parametrize("then", [COUNTERED, TARGET_GONE])
def test_a_spell_that_does_not_resolve_gives_nothing(then: str) -> None:
    """702.174j, 608.2b, 701.6a"""
    ((fate, gift, _),) = outcomes(GiftLab(card="Nocturnal Hunger", then=then))

    assert fate != "it resolves"
    assert "no" == gift


def test_a_promise_to_nobody_gives_nothing() -> None:
    """702.174a"""
    assert "no" == outcomes(GiftLab(card="Dawn's Truce", promised="no one"))[0][1]


def test_the_promised_player_can_be_gone() -> None:
    """800.4b"""
    assert "has lost" == outcomes(GiftLab(card="Dawn's Truce", then=DEALT))[0][2]
    assert "has lost" == outcomes(GiftLab(card="Scrapshooter", then=DEALT_LATER))[0][2]


def test_a_permanent_gives_the_gift_by_a_trigger_that_outlives_it() -> None:
    """702.174b, 113.7a"""
    gifts = [row[1] for row in outcomes(GiftLab(card="Starforged Sword", then=SOURCE_GONE))]

    assert {"yes, by Alice to Bob"} == set(gifts)


def test_both_orders_of_the_triggers_are_shown() -> None:
    """603.3b"""
    lab = GiftLab(card="Starforged Sword")

    assert 2 == len(outcomes(lab))
    assert 2 == len(lab.board.lines)
    assert [True, True] == ["Alice, which resolves first" in row[0] for row in lab.findings.grids[-1].rows]


def test_a_spell_that_answers_another_is_cast_in_response() -> None:
    lab = GiftLab(card="Long River's Pull", promised="no one")

    assert "Grizzly Bears" in lab.asked[1].options
    assert "it resolves" == outcomes(lab)[0][0]


def test_every_gift_card_of_the_catalogue_can_be_cast_there() -> None:
    labs = [GiftLab(card=card) for card in gift_cards()]

    assert 25 == len(labs)
    assert [()] * 25 == [lab.findings.refusals for lab in labs]


def test_a_casting_against_a_rule_is_refused_with_it() -> None:
    """601.2c, 702.174m: with the promise two cards are needed."""
    lab = GiftLab(card="Peerless Recycling", graveyard=1)
    (refusal,) = lab.findings.refusals

    assert "601.2c" == refusal.rule
    assert "the game goes back" in lab.findings.head_html()
    assert () == lab.set(promised="no one").findings.refusals


def test_controls_offer_what_the_casting_asks() -> None:
    lab = GiftLab(card="Wear Down", promised="Bob")
    lab.controls["second"].value = "Carol's Millstone"
    assert "Carol's Millstone" in str(lab)
    lab.controls["promised"].value = "no one"

    assert "none" == lab.controls["second"].layout.display
    assert None is lab.controls["first"].layout.display
    assert "GiftLab(card='Wear Down', promised='no one')" == lab.code


def test_with_one_opponent_the_gift_can_go_to_nobody_else() -> None:
    """702.174a"""
    lab = GiftLab(promised="Carol")
    lab.controls["opponents"].value = 1

    assert ("no one", "Bob") == lab.controls["promised"].options
    with pytest.raises(BadData, match="cannot be chosen"):
        lab.set(promised="Carol")


def test_the_code_makes_the_same_lab() -> None:
    lab = GiftLab(card="Wear Down", second="Carol's Millstone", then=TARGET_GONE)

    assert str(lab) == str(eval(lab.code))


def test_a_notebook_gets_view_still_form_and_text() -> None:
    forms = GiftLab(card="Starforged Sword")._repr_mimebundle_()

    assert "application/vnd.jupyter.widget-view+json" in forms
    assert "Casting it, step by step" in forms["text/html"]
    assert "702.174c Bob is given the gift of Starforged Sword" in forms["text/plain"]
    assert all(len(line) <= 116 for line in forms["text/plain"].splitlines())
