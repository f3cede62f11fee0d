"""The board in plain Python: what is pressed in the page arrives as a message."""

from __future__ import annotations

from typing import Any

import pytest

from rulekit.engine.game import Game
from rulekit.rules import BadData, Illegal, Unknown
from rulekit.scenarios.questions import about, named
from rulekit.scenarios.scenario import Scenario
from rulekit.widgets.board import Board

SWORD = "mill/701.17a-sword-of-body-and-mind"
THROWN_OFF = ("Sword of Body and Mind", "Rancor")


def press(board: Board, **message: Any) -> None:
    """Send what the page sends."""
    board._told(board, {"frame": board.index, **message}, [])


def duel() -> Game:
    return Game.of(
        Alice={"battlefield": ["Grizzly Bears"], "hand": ["Lightning Bolt"]}, Bob={"library": ["Island", "Forest"]}
    )


def said(board: Board) -> list[str]:
    return [frame["said"] for frame in board.play["frames"]]


def options(board: Board) -> list[str]:
    return [str(word) for word in board.play["frames"][board.index]["decision"]["options"]]


def test_frames_go_from_the_beginning_to_the_pending_decision_event_by_event() -> None:
    board = Board(duel().do("mill", "Bob", 1).do("mill", "Bob", 1))

    assert ["The beginning", "Bob mills 1 card: Island", "Bob mills 1 card: Forest"] == said(board)
    assert [2, 1, 0] == [len(frame.state.zone("library", "Bob")) for frame in board.frames]


def test_the_frames_of_every_question_end_in_the_game_itself() -> None:
    for scenario in about(tag="gift")[:12]:
        result = scenario.play()
        board = Board(result)
        assert result.game is board.frames[-1].game
        assert len(board.frames) == len(board.play["frames"])


def test_a_piece_of_html_is_sent_once() -> None:
    parts = Board(named(SWORD)).play["parts"]

    assert len(set(parts)) == len(parts)


def test_stepping_stops_at_both_ends() -> None:
    board = Board(duel().do("mill", "Bob", 1))
    board.back()
    assert 0 == board.index
    board.forward()
    board.forward()
    assert 1 == board.index


def test_a_decision_is_offered_in_the_words_of_the_game_and_goes_on() -> None:
    board = Board(duel())
    assert ["pass", "cast Lightning Bolt"] == options(board)

    press(board, do="decide", option=1)
    assert "Alice begins to cast Lightning Bolt" == said(board)[-1]
    assert {"Alice", "Bob", "Grizzly Bears"} == set(options(board))

    board.decide("Bob")
    assert {} == board.said
    assert "Alice casts Lightning Bolt, targeting Bob" == said(board)[-1]


def test_another_answer_at_an_earlier_step_begins_a_new_line_of_play() -> None:
    board = Board(duel())
    board.decide("pass")
    board.decide("pass")
    first = said(board)
    board.index = 0
    board.decide("cast Lightning Bolt")

    assert ("first line", "line 2, from step 1: Alice begins to cast Lightning Bolt") == board.lines
    assert 1 == board.play["line"]

    press(board, do="switch", to=0)
    assert first == said(board)
    assert 0 == board.index, "the last step that both lines have in common"


def test_the_same_answer_at_an_earlier_step_goes_on_in_the_same_line() -> None:
    board = Board(duel())
    board.decide("pass")
    board.decide("pass")
    frames = board.frames
    board.index = 0
    board.decide("pass")

    assert ("first line",) == board.lines
    assert 1 == board.index
    assert frames == board.frames


def test_an_answer_tried_before_returns_to_its_line() -> None:
    board = Board(duel())
    board.decide("pass")
    board.index = 0
    board.decide("cast Lightning Bolt")
    board.index = 0
    board.decide("pass")

    assert 2 == len(board.lines)
    assert 0 == board.play["line"]


def test_everybody_passes_until_something_happens() -> None:
    board = Board(duel())
    press(board, do="pass all")

    assert "Alice's beginning of combat step" == said(board)[-1]
    assert "beginning of combat" == board.game.state.turn.step


def test_the_answer_that_was_given_is_marked() -> None:
    board = Board(duel())
    board.decide("cast Lightning Bolt")

    assert 1 == board.play["frames"][0]["taken"]


def test_at_a_step_on_the_way_the_choice_that_led_there_can_be_made_otherwise() -> None:
    """The bears attack Bob; at the step that tells it they can stay at home, in a line of play of its own."""
    board = Board(named(SWORD))
    place = next(place for place, frame in enumerate(board.frames) if not frame.rest)
    seen = board.play["frames"][place]
    assert (["no", "Bob"], True, 1) == (seen["decision"]["options"], seen["decision"]["answered"], seen["taken"])

    press(board, do="decide", option=0, frame=place)
    assert {} == board.said
    assert 2 == len(board.lines)
    assert "attacks" not in [event.kind for event in board.game.log]


def test_every_step_but_the_beginning_of_a_game_that_is_over_has_something_to_decide() -> None:
    """Stepping through any question, one can branch at each step."""
    for name in (SWORD, "gift/603.3b-attach-before-the-gift", "mill/701.17b-library-runs-out"):
        frames = Board(named(name)).play["frames"]
        assert all(frame["decision"] for frame in frames[1:])
        assert all(frame["taken"] >= 0 for frame in frames if frame["decision"] and frame["decision"]["answered"])


def test_a_refusal_is_shown_and_changes_nothing() -> None:
    """704.5b: a game that is over from its first step on asks nothing."""
    board = Board(Game(Game.of(Bob={"library": []}).do("draw", "Bob", 1).state))
    before = said(board)
    press(board, do="pass all", frame=0)
    assert before == said(board)

    with pytest.raises(BadData, match="nothing is asked at this step"):
        board.decide("pass")


def test_an_error_of_ours_is_shown_too() -> None:
    board = Board(duel())
    press(board, do="decide", option="first")

    assert "ValueError" in board.said["error"]


def test_an_unknown_option_is_refused_with_those_there_are() -> None:
    with pytest.raises(Unknown, match="Did you mean 'pass'"):
        Board(duel()).decide("pas")


def test_why_leads_from_what_a_player_did_to_what_happened() -> None:
    board = Board(named(SWORD))
    board.index = next(place for place, words in enumerate(said(board)) if words.startswith("Bob mills"))
    chain = board.why()

    assert any("Sword of Body and Mind triggers" in each for each in chain)
    assert chain[-1].startswith("Bob mills 10 cards")
    assert chain[-1].endswith("(701.17a)")


def test_causes_in_the_page_are_those_of_the_game() -> None:
    board = Board(named(SWORD))

    assert [event.cause for event in board.frames[-1].game.log] == [event["cause"] for event in board.play["log"]]


def test_each_rule_that_is_shown_is_sent_with_what_it_says() -> None:
    play = Board(named(SWORD)).play
    cited = {event["rule"] for event in play["log"] if event["told"]} | {frame["rule"] for frame in play["frames"]}

    assert "Damage to a player makes that player lose that much life" in play["rules"]["120.3a"]
    assert cited - {""} <= play["rules"].keys()


def test_a_line_of_play_is_saved_as_a_scenario_that_passes() -> None:
    board = Board(named(SWORD))
    press(board, do="save")
    (file,) = board.said["files"]

    assert "scenario.yaml" == file["name"]
    assert "passed" == Scenario.read_text(file["text"]).play().status


def test_the_answer_sheet_comes_as_markdown_and_as_a_page() -> None:
    board = Board(named(SWORD))
    press(board, do="sheet")
    markdown, page = board.said["files"]

    assert "| 701.17a | Bob mills 10 cards: Island ×10 |" in markdown["text"]
    assert page["text"].startswith("<!doctype html>")
    assert "Bob mills 10 cards" in page["text"]


def test_a_notebook_gets_view_still_form_and_text_of_a_board() -> None:
    forms, _ = Board(named(SWORD))._repr_mimebundle_()

    assert "application/vnd.jupyter.widget-view+json" in forms
    assert "How it began" in forms["text/html"]
    assert "701.17a  Bob mills 10 cards: Island ×10" in forms["text/plain"]


def test_a_game_in_progress_starts_where_the_board_is_told_to() -> None:
    assert 1 == Board(duel().do("mill", "Bob", 1), at=-1).index


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(BadData, match="a board shows a game or a scenario"):
        Board("a game")


def test_an_illegal_action_cannot_be_offered() -> None:
    """602.5: what the page offers comes from the engine alone."""
    game = duel()
    assert game.decision is not None
    for option in game.decision.options:
        try:
            game.decide(option)
        except Illegal as refusal:
            pytest.fail(f"{option} was offered and refused: {refusal}")


def test_nobody_acts_before_state_based_actions_have_been_applied() -> None:
    """117.5, 704.3: the Aura that the Sword's protection throws off is gone before Alice may do anything."""
    worn = [{"card": "Grizzly Bears", "as": "bears"}, *({"card": name, "attached to": "bears"} for name in THROWN_OFF)]
    board = Board(Game.of(Alice={"battlefield": worn, "hand": ["Lightning Bolt"]}))
    assert [None] * (len(board.frames) - 1) == [frame.asked for frame in board.frames[:-1]]
    with pytest.raises(BadData, match="nothing is asked at this step"):
        board.decide("cast Lightning Bolt")

    board.index = len(board.frames) - 1
    board.decide("cast Lightning Bolt")
    board.decide("Bob")
    assert "passed" == Scenario.read_text(board.scenario("Thrown off")).play().status
    assert "1. Alice begins to cast Lightning Bolt\n" in board.sheet().markdown


def test_an_answer_sheet_tells_who_passed() -> None:
    players = ("Alice", "Bob", "Carol")
    game = Game.of(players=players, Alice={"hand": ["Lightning Bolt"]})
    board = Board(game.decide(game.decision.options[1]).decide("Bob"))
    board.index = len(board.frames) - 1
    for _ in players:
        board.decide("pass")

    assert "3. Alice, Bob and Carol pass\n" in board.sheet().markdown
