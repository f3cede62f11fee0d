"""The question trainer: which questions it asks, in which order, and what it says when there is none."""

from __future__ import annotations

import pytest

from rulekit.rules import BadData
from rulekit.scenarios.questions import about
from rulekit.widgets.trainer import Trainer


def titles(trainer: Trainer) -> list[str]:
    return [question.scenario.title for question in trainer.quiz.questions]


def test_every_question_asked_is_about_the_topic_and_the_rule() -> None:
    trainer = Trainer("gift", rule="702.174", number=5)

    assert 5 == len(trainer.quiz.questions)
    assert set(titles(trainer)) <= {each.title for each in about("gift", "702.174")}


def test_the_same_round_asks_the_same_and_the_next_one_something_else() -> None:
    first, again = Trainer("mill"), Trainer("mill")
    assert titles(first) == titles(again)

    again.another_round()
    assert titles(first) != titles(again)


def test_with_fewer_questions_than_wanted_all_are_asked() -> None:
    trainer = Trainer("mill", rule="701.17d", number=50)

    assert {each.title for each in about("mill", "701.17d")} == set(titles(trainer))
    assert f"{trainer.found} questions about mill, decided by rule 701.17d, round 1." in str(trainer)


def test_the_score_counts_the_questions_of_the_round() -> None:
    trainer = Trainer("mill", rule="701.17d", number=2)
    for question in trainer.quiz.questions:
        question.predict(*(ask.answer for ask in question.asks))
        question._reveal.click()
    right, of = trainer.quiz.score()

    assert right == of > 0
    assert f"{right} of {of} predictions right, 2 of 2 questions answered." in trainer.quiz._score.value


def test_a_rule_that_decides_nothing_is_told_and_the_questions_stay() -> None:
    trainer = Trainer("mill")
    before = titles(trainer)
    trainer._rule.value = "999.9"

    assert "no question about mill is decided by rule 999.9" in trainer.error.value
    assert before == titles(trainer)
    with pytest.raises(BadData, match="is no topic"):
        Trainer("milling")
