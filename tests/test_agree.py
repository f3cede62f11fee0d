"""Exact answers and trials tell the same: every kind of plan, and every kind of row that there is."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import get_args, get_type_hints

import pytest

from rulekit import Deck, Plan, exact, simulate
from rulekit.probability.packed import Code
from rulekit.probability.packing import pack
from rulekit.probability.program import Program
from rulekit.probability.rows import Amount, Axis, FirstTurn, Row, Value, values_of, walk
from tests.plans import COLOSSUS, COUNT, DECK, PLANS, TURNS
from tests.test_exact_programs import PROGRAMS
from tests.work_items import WORK

TRIALS = 200_000
LEAST = 1e-4
ASKED = (["library", "land in hand"], ["land", "creature in graveyard"], ["card types in graveyard", "lost"])
FIRSTS = ("lost = 1", "library <= 40 and not land in hand = 4")
LONG = ("until mana values", "repeats", "known cards")  # to remember when lands in hand were so many takes minutes


def answers(deck, plan, turns=TURNS, seed=11):
    """The exact answer to a plan and that of trials."""
    return exact(deck, plan, COUNT, turns), simulate(deck, plan, COUNT, turns, trials=TRIALS, seed=seed)


@pytest.mark.parametrize("name", PLANS)
def test_trials_agree_with_the_exact_answer(name):
    known, played = answers(DECK, PLANS[name])

    for turn in (1, TURNS):
        for names in ASKED:
            assert LEAST < played.distribution(names, turn).compare(known.distribution(names, turn)).p_value
    for condition in FIRSTS[:1] if name in LONG else FIRSTS:
        assert LEAST < played.first_turn(condition).compare(known.first_turn(condition)).p_value


def test_trials_agree_with_the_exact_answer_where_a_card_shuffles_itself_into_the_library():
    known, played = answers(COLOSSUS, Plan().draw(2).each_turn("mill three cards"), turns=3)

    for turn in (1, 3):
        for names in ASKED:
            assert LEAST < played.distribution(names, turn).compare(known.distribution(names, turn)).p_value


OPPOSITES = [("land in hand = 3", "land in hand != 3"), ("lost = 0", "not lost = 0"), ("hand >= 9", "not hand >= 9")]


@pytest.mark.parametrize(("asked", "opposite"), OPPOSITES)
@pytest.mark.parametrize("how", [{}, {"policy": "passive"}])
def test_the_first_turn_of_a_condition_and_then_of_its_opposite_are_told_apart(asked, opposite, how):
    """At the end of turn 1 either the one has come or the other."""
    answer = simulate(
        DECK,
        Plan().draw(5).each_turn("draw two cards", chance="1/2"),
        ["land in hand"],
        turns=3,
        trials=200,
        seed=1,
        **how,
    )

    for condition in (asked, opposite):
        assert answer.p(condition, turn=1) == answer.first_turn(condition).outcomes().get(1, 0)


def test_trials_agree_with_the_exact_answer_of_a_mixture():
    decks = Deck.mixture({DECK: 2, Deck({"Island": 30, "Hill Giant": 10}): 1})
    known, played = answers(decks, PLANS["a fixed mill"])

    for names in ASKED:
        assert LEAST < played.distribution(names, 3).compare(known.distribution(names, 3)).p_value


def used(thing):
    """The fields of a row, an amount, an axis or a value in which it says more than its default."""
    return {
        (type(thing).__name__, each.name)
        for each in fields(thing)
        if each.default is MISSING or getattr(thing, each.name) != each.default
    }


def parts(program: Program):
    """All that a program is made of: rows, axes, amounts, and the values that these read."""
    for thing in (*walk(program.rows), *program.axes):
        yield thing
        yield from values_of(thing)
        yield from (
            each for each in (getattr(thing, "n", None), getattr(thing, "goal", None)) if isinstance(each, Amount)
        )


CHECKED = {**PROGRAMS, **WORK}  # their trials are compared with the exact answer in `test_kernel`


def test_each_kind_of_row_and_each_thing_that_it_can_say_is_checked():
    checked = set().union(*(used(thing) for program in CHECKED.values() for thing in parts(program)))
    kinds = (*get_args(Row), Axis, FirstTurn, Amount, Value)

    assert set() == {(kind.__name__, each.name) for kind in kinds for each in fields(kind)} - checked


def test_each_kind_of_packed_row_is_checked():
    packed = [pack(program) for program in CHECKED.values()]
    checked = {int(code) for each in packed for code in each.arrays.rows[:, 0]}

    assert set() == {code.name for code in Code if code not in checked}


def test_each_value_that_can_be_read_is_checked():
    read = {each.of for program in CHECKED.values() for each in parts(program) if isinstance(each, Value)}

    assert set() == set(get_args(get_type_hints(Value)["of"])) - read
