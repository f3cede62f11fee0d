"""Questions of the bank: found by name, tag and rule, and what can be predicted of each."""

from __future__ import annotations

import pytest

from rulekit.rules import BadData, Unknown
from rulekit.scenarios.questions import about, named, names
from rulekit.scenarios.scenario import Scenario
from rulekit.widgets.asks import LEGAL, MOST_ASKS, asks, played, variations
from rulekit.widgets.quiz import Question, Quiz

SUM = "mill/701.17d-sum-of-two-mana-values"
GIFT = "gift/702.174a-plain-promise"


@pytest.fixture
def question() -> Question:
    return Question(named(SUM))


@pytest.mark.parametrize("name", names()[::9])
def test_every_answer_is_found_in_the_game_as_it_was_played(name: str) -> None:
    scenario = named(name)
    game = scenario.play().game
    assert game is not None

    assert len(asks(scenario)) <= MOST_ASKS
    for ask in asks(scenario):
        assert ask.check is None or ask.answer == ask.found(game), ask.words


def test_a_refusal_is_asked_as_legal_or_illegal() -> None:
    refusals = [ask for ask in asks(named("equip/702.6a-not-an-opponents-creature")) if ask.options == LEGAL]

    assert ["illegal"] == [ask.answer for ask in refusals]


def test_right_and_wrong_predictions_are_told_apart(question: Question) -> None:
    right = [ask.answer for ask in question.asks]
    question.predict(*right)
    question.reveal()
    assert (len(right), len(right)) == question.score
    assert "(right)" in question._status.value

    question.predict("5")
    question.reveal()
    assert (len(right) - 1, len(right)) == question.score
    assert "(not 5)" in question._status.value


def test_what_was_not_predicted_is_not_right(question: Question) -> None:
    question.reveal()

    assert (0, len(question.asks)) == question.score
    assert "not predicted" in question._status.value


def test_an_answer_that_cannot_be_is_refused() -> None:
    question = Question(named("mill/701.17b-library-runs-out"))

    with pytest.raises(BadData, match="is no answer to: has Bob lost"):
        question.predict("perhaps")
    with pytest.raises(BadData, match="this question asks"):
        question.predict(*["yes"] * 9)


def test_yes_and_no_may_be_said_as_true_and_false() -> None:
    question = Question(named("mill/701.17b-library-runs-out")).predict(True, True)

    assert ("yes", "yes") == question.predictions()


def test_one_more_bruvac_changes_the_number(question: Question) -> None:
    """701.17d: twice as many milled; the Bruvac of the player who mills does nothing."""
    question.reveal()
    assert "6" == question.vary("Alice controls one more Bruvac the Grandiloquent")["number of cards in Alice's hand"]
    assert "before" in question._varied.value

    with pytest.raises(Unknown, match="no variation is called"):
        question.vary("a different game")


def test_without_the_promise_no_gift_is_given() -> None:
    game, stopped = played(variations(named(GIFT))["the gift is not promised"])

    assert "" == stopped
    assert "gift given" not in [event.kind for event in game.log]


def test_a_variation_that_stops_says_where() -> None:
    _, stopped = played(variations(named("gift/603.3b-attach-before-the-gift"))["the gift is not promised"])

    assert "choose" in stopped


def test_a_question_shows_what_happens_only_when_asked(question: Question) -> None:
    before = len(question._answer.children)
    question._reveal.click()

    assert 0 == before
    assert question.revealed
    assert "" == question.error.value
    assert "Answer" in question._answer.children[1].value


def test_the_three_forms_of_a_question(question: Question) -> None:
    forms = question._repr_mimebundle_()

    assert "application/vnd.jupyter.widget-view+json" in forms
    assert "<details>" in forms["text/html"]
    assert "predict: number of cards in Alice's hand -> 6" in forms["text/plain"]


def test_an_error_in_a_callback_is_shown_in_the_panel(question: Question) -> None:
    def fail() -> None:
        raise ValueError("<b>")

    question.button("Fail", fail).click()
    assert "rulekit failed here: ValueError: &lt;b&gt;" in question.error.value
    question.button("Do nothing", lambda: None).click()
    assert "" == question.error.value


def test_a_quiz_keeps_score_over_its_questions() -> None:
    quiz = Quiz([named(SUM), named("mill/701.17b-library-runs-out")], "Two")
    quiz.questions[0].predict(*[ask.answer for ask in quiz.questions[0].asks])
    quiz.questions[0]._reveal.click()
    quiz.next()
    assert 1 == quiz.place
    quiz.questions[1].predict("no")
    quiz.questions[1]._reveal.click()

    right = len(quiz.questions[0].asks)
    assert (right, right + len(quiz.questions[1].asks)) == quiz.score()
    assert f"{right} of {right + len(quiz.questions[1].asks)} predictions right" in quiz._score.value
    assert "2 of 2 questions answered" in quiz._score.value


def test_a_quiz_without_a_question_is_refused() -> None:
    with pytest.raises(BadData, match="there is no question"):
        Quiz(about(tag="nothing has this tag"))


def test_questions_are_found_by_name_tag_and_rule() -> None:
    assert named(SUM) is named("701.17d-sum-of-two-mana-values")
    assert all("gift" in scenario.tags for scenario in about(tag="gift"))
    assert all(any(rule.startswith("701.17") for rule in scenario.rules) for scenario in about(rule="701.17"))
    assert not [scenario for scenario in about(rule="702.6") if "702.62" in scenario.rules]
    with pytest.raises(Unknown, match="Did you mean"):
        named("mill/701.17d-sum-of-two-mana-valves")


def test_what_a_scenario_is_called_is_escaped() -> None:
    text = named(SUM).text.replace("title: ", 'title: "<img src=x onerror=alert(1)>" #')
    question = Question(Scenario.read_text(text))

    assert "<img" not in question._still()
    assert "<img" not in "".join(str(part.value) for part in question._parts() if hasattr(part, "value"))
