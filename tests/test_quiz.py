"""Questions: what can be predicted, what is then shown, what a variation changes, and the score of a set."""

from __future__ import annotations

import re
from html import unescape

import pytest

from rulekit.rules import BadData, Unknown
from rulekit.scenarios.questions import about, named
from rulekit.scenarios.scenario import Scenario
from rulekit.widgets.asks import asks, played
from rulekit.widgets.quiz import Question, Quiz
from rulekit.widgets.variations import variations

SWORD = "mill/701.17a-sword-of-body-and-mind"
REFUSED = "equip/702.6a-not-in-combat"
PROMISED = "gift/702.174a-plain-promise"


def names(question: Question) -> list[str]:
    return [ask.words for ask in question.asks]


def test_what_is_asked_is_what_the_game_finds() -> None:
    """The answer to each prediction is what the played scenario holds."""
    for scenario in about(rule="701.17b"):
        game = scenario.play().game
        assert game is not None
        assert [ask.answer for ask in asks(scenario) if ask.check] == [
            ask.found(game) for ask in asks(scenario) if ask.check
        ]


def test_a_step_that_is_illegal_is_a_question_of_legal_or_illegal() -> None:
    question = Question(named(REFUSED))

    assert ("legal", "illegal") == question.asks[0].options
    assert "illegal" == question.asks[0].answer


def test_the_answer_is_hidden_until_it_is_revealed() -> None:
    question = Question(named(SWORD))
    assert () == question._answer.children
    seen = unescape("".join(part.value for part in question._parts() if hasattr(part, "value")))
    assert question.scenario.question in seen
    assert question.scenario.answer not in seen
    assert question.scenario.title not in seen, "a title may tell the answer"

    question._reveal.click()
    assert question.revealed
    assert question.scenario.title in unescape(question._answer.children[1].value)
    assert len(question._answer.children[0].frames) > 1
    assert "Answer: " in question._answer.children[1].value


def test_right_and_wrong_predictions_are_told() -> None:
    question = Question(named(SWORD))
    right = [ask.answer for ask in question.asks]
    question.predict(right[0])
    question.reveal()

    assert (1, len(right)) == question.score
    assert f"{names(question)[0]}: {right[0]} (right)" in unescape(question._status.value)
    assert "not predicted" in question._status.value


def test_a_wrong_number_is_no_right_one() -> None:
    question = Question(named(SWORD))
    number = next(place for place, ask in enumerate(question.asks) if not ask.options)
    question._controls[number].value = "999"
    question.reveal()

    assert "not 999" in question._status.value
    assert question.score is not None
    assert 0 == question.score[0]


def test_what_cannot_be_an_answer_is_refused() -> None:
    with pytest.raises(BadData, match="is no answer to"):
        Question(named(REFUSED)).predict("perhaps")
    with pytest.raises(BadData, match="asks"):
        Question(named(REFUSED)).predict(*["legal"] * 9)


def test_one_more_card_in_the_library_is_one_more_card_there() -> None:
    question = Question(named(SWORD))
    question.reveal()
    name = next(name for name in question.variations if name.startswith("one more card in Bob"))
    before = {ask.words: ask.answer for ask in question.asks}
    after = question.vary(name)

    asked = "number of cards in Bob's library"
    assert int(before[asked]) + 1 == int(after[asked])
    assert f"If {name}:" in unescape(question._varied.value)


def test_a_gift_can_be_left_unpromised() -> None:
    """702.174a"""
    scenario = named(PROMISED)
    varied = variations(scenario, played(scenario))["the gift is not promised"]

    assert all("gift" not in step.beside for step in varied.do)
    assert varied.play().game is not None


def test_an_unknown_variation_is_refused_with_those_there_are() -> None:
    with pytest.raises(Unknown, match="no variation is called"):
        Question(named(SWORD)).vary("snow")


def test_a_quiz_keeps_score_over_its_questions() -> None:
    quiz = Quiz(about(rule="701.17b")[:2], "Empty libraries")
    for question in quiz.questions:
        question.predict(*(ask.answer for ask in question.asks))
        question._reveal.click()
        quiz.next()
    of = sum(len(question.asks) for question in quiz.questions)

    assert (of, of) == quiz.score()
    assert f"{of} of {of} predictions right, 2 of 2 questions answered" in quiz._score.value
    assert 0 == quiz.place, "after the last question comes the first"


def test_a_quiz_without_questions_is_refused() -> None:
    with pytest.raises(BadData, match="no question about this"):
        Quiz(about(tag="no such tag"))


def test_a_notebook_gets_view_still_form_and_text() -> None:
    for shown in (Question(named(SWORD)), Quiz(about(rule="701.17b")[:2], "A quiz")):
        forms = shown._repr_mimebundle_()
        assert "application/vnd.jupyter.widget-view+json" in forms
        assert "<details>" in forms["text/html"]
        assert "701.17" in forms["text/plain"]


def test_an_error_in_a_callback_is_shown() -> None:
    question = Question(named(SWORD))
    question.guarded(lambda: 1 // 0)()

    assert 'role="alert"' in question.error.value
    assert "ZeroDivisionError" in question.error.value


def test_a_quiz_offers_its_questions_without_their_titles() -> None:
    quiz = Quiz([named(SWORD), named(REFUSED)])

    assert ["1 of 2", "2 of 2"] == [words for words, _ in quiz._which.options]
    assert ["Question 1", "Question 2"] == re.findall("<summary>(Question [0-9])</summary>", quiz._repr_html_())


def test_a_scenario_without_a_question_is_called_by_its_title() -> None:
    text = named(SWORD).text
    asked = text[text.index("question:") : text.index("answer:")]

    assert "<b>The Sword connects</b>" in Question(Scenario.read_text(text.replace(asked, "")))._question_html()


def test_what_is_not_there_after_a_change_is_told_so() -> None:
    """702.174b: without the promise there is no Octopus."""
    (scenario,) = (each for each in about("gift") if each.title == "What the Octopus is")
    found = Question(scenario).vary("the gift is not promised")

    assert "there is none" == found["power of Octopus"]
