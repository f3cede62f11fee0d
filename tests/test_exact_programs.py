"""Every kind of row, exact, against trying every order of a small library."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

from rulekit.probability.exact import Exact, evaluate
from rulekit.probability.program import Program
from rulekit.probability.rows import (
    LIBRARY,
    LOST,
    Add,
    Amount,
    Axis,
    CardClass,
    Check,
    Coin,
    FirstTurn,
    Keep,
    Look,
    Mark,
    Move,
    Mulligan,
    Pick,
    Shuffle,
    Surplus,
    Until,
    When,
    cards_in,
    counted,
    different,
    register,
)
from tests.every_order import every_order

HALF = Fraction(1, 2)
DECK = (CardClass(3, (1, 0, 0), 0b001), CardClass(2, (0, 1, 2), 0b010), CardClass(1, (0, 1, 3), 0b110), CardClass(1))
COUNTERS = ("land", "creature", "value")
FEATURES = ("land", "creature", "artifact")
AXES = (
    Axis("library", (LIBRARY,)),
    Axis("hand", (cards_in("hand"),)),
    Axis("lands milled", (counted("land", "milled"),)),
    Axis("creatures seen", (counted("creature", "milled", "hand"),)),
    Axis("value", (counted("value", "milled"),), 4),
    Axis("types", (different(0b111, "milled", "grave"),)),
    Axis("lost", (LOST,)),
    Axis("hits", (register("hits"),), 3),
    FirstTurn("first", (counted("land", "milled"),), 1, 1),
)


def deck(*rows, top=(), bottom=(), axes=AXES, classes=DECK):
    adds = [one if one.adds else CardClass(one.size, (0, 0, 0)) for one in classes]
    return Program(tuple(adds), rows, axes, COUNTERS, FEATURES, top, bottom)


MULLIGAN = Mulligan("hand", 2, (Keep("land", 1, 1),), 1, 0, (Surplus("land", 1), Surplus("creature")))
SMALL = (CardClass(2, (1, 0, 0), 0b001), CardClass(1, (0, 1, 2), 0b010), CardClass(1, (0, 1, 3), 0b110), CardClass(1))
PROGRAMS = {
    "move": deck(Move(2, "hand"), Mark(1), Move(3, "milled"), Mark(2)),
    "draw from an empty library": deck(
        Move(3, "hand", draw=True), Mark(1), Move(5, "milled"), Mark(2), Move(1, "hand", draw=True), Mark(3), Mark(4)
    ),
    "known top and bottom": deck(Move(2, "milled"), Mark(1), Move(4, "milled"), Mark(2), top=(1, 0), bottom=(2, 0)),
    "coin": deck(
        Coin(Fraction(2, 3), (Move(2, "milled"), Add("hits")), (Move(1, "hand"),)),
        Mark(1),
        Coin(Fraction(1, 4), (Move(3, "milled"), Add("hits"))),
        Mark(2),
    ),
    "half and doubled": deck(
        Move(Amount((LIBRARY,), HALF, up=True), "milled"),
        Mark(1),
        Move(Amount((LIBRARY,), HALF, False, 2, 1), "milled"),
        Mark(2),
    ),
    "nothing is doubled": deck(Move(7, "milled"), Move(Amount((LIBRARY,), HALF, False, 2, 1), "hand"), Mark(1)),
    "until lands": deck(Until("land", 2, "milled"), Mark(1), Until("land", 1, "grave", found="hand"), Mark(2)),
    "until values, other rows look too": deck(
        Until("value", 4, "milled"), Mark(1), Until("land", 1, "milled"), Mark(2)
    ),
    "until values, alone": deck(
        Move(1, "hand"), Mark(1), Until("value", 4, "milled"), Mark(2), Move(2, "hand"), Mark(3)
    ),
    "until values, by chance": deck(
        Coin(HALF, (Until("value", 3, "milled", most=4),)), Mark(1), Move(1, "hand", draw=True), Mark(2)
    ),
    "until, to the bottom": deck(Until("creature", 1, "bottom", found="hand"), Mark(1), Move(5, "milled"), Mark(2)),
    "until, all to the bottom": deck(Until("creature", 1, "bottom"), Mark(1), Move(4, "milled"), Mark(2)),
    "until, at most": deck(Until("land", 2, "milled", most=3), Mark(1), top=(3,)),
    "when cards decide": deck(
        Move(3, "hand"),
        When((counted("land", "hand"),), 2, None, (Move(2, "milled"),), (Move(1, "milled"),)),
        Mark(1),
        When((different(0b111, "milled"),), 0, 1, (Add("hits", 2),), (Add("hits", -1),)),
        Mark(2),
    ),
    "as many as there are creatures": deck(
        Move(3, "hand"), Move(Amount((counted("creature", "hand"),), Fraction(1), False, 2), "milled"), Mark(1)
    ),
    "shuffle": deck(
        Move(2, "hand"), Move(3, "milled"), Mark(1), Shuffle(("milled",)), Move(2, "milled"), Mark(2), bottom=(0,)
    ),
    "shuffle known cards": deck(
        Until("land", 1, "milled"), Move(1, "hand"), Shuffle(("milled",)), Move(3, "milled"), Mark(1)
    ),
    "a text is finished before the game is lost": deck(
        Move(2, "grave"),
        Move(3, "milled"),
        Mark(1),
        Move(3, "hand", draw=True, later=True),
        Shuffle(("milled",)),
        Move(1, "hand", draw=True, later=True),
        Move(1, "grave"),
        Check(),
        Move(1, "milled"),
        Mark(2),
        Mark(3),
        axes=(*AXES, FirstTurn("turn lost", (LOST,), 1)),
    ),
    "a text by chance is finished": deck(
        Move(5, "milled"),
        Coin(HALF, (Move(3, "hand", draw=True, later=True), Shuffle(("milled",)), Check())),
        Mark(1),
        Move(2, "milled"),
        When((LOST,), 0, 0, (Add("hits"),)),
        Mark(2),
    ),
    "a mark looks whether the game is lost": deck(
        Move(6, "milled"),
        Move(2, "hand", draw=True, later=True),
        When((LOST,), 1, 1, (Add("hits"),)),
        Mark(1),
        Shuffle(("milled",)),
        Mark(2),
    ),
    "again": deck(Move(2, "milled", again=0b011), Mark(1), Move(1, "hand"), Mark(2)),
    "scry": deck(
        Look(2, (("top", "bottom", "bottom", "bottom"),)), Move(2, "hand"), Mark(1), Move(4, "milled"), Mark(2)
    ),
    "surveil by lands in hand": deck(
        Move(2, "hand"),
        Look(2, (("top", "grave", "grave", "grave"), ("grave", "top", "top", "bottom")), (counted("land", "hand"),)),
        Move(3, "milled"),
        Mark(1),
    ),
    "pick": deck(
        Look(3, (("bottom", "grave", "bottom", "bottom"),), pick=Pick(1, (2, 1), "hand")),
        Mark(1),
        Move(3, "milled"),
        Mark(2),
    ),
    "mulligan": deck(MULLIGAN, Mark(0), Move(1, "hand", draw=True), Mark(1), Move(3, "milled"), Mark(2), classes=SMALL),
    "half to a pile that nobody looks at": deck(
        Move(Amount((LIBRARY,), HALF), "exile"), Move(2, "milled"), Mark(1), bottom=(1,)
    ),
    "mulligan to another pile": deck(
        Mulligan("grave", 2, (Keep("creature", 1),), 1), Mark(0), Move(2, "milled"), Mark(1), classes=SMALL
    ),
    "free mulligan": deck(
        Mulligan("hand", 2, (Keep("creature", 1),), 1, 1),
        Mark(0),
        Move(2, "milled"),
        Mark(1),
        top=(0,),
        bottom=(1,),
        classes=SMALL,
    ),
    "mulligan without conditions": deck(
        Mulligan("hand", 3, down_to=3), Mark(0), Move(2, "milled"), Mark(1), bottom=(0,)
    ),
}


@cache
def exact(name):
    return evaluate(PROGRAMS[name], as_fractions=True)


@pytest.mark.parametrize("name", PROGRAMS)
def test_exact_answers_are_those_of_every_order(name):
    program = PROGRAMS[name]
    expected = every_order(program)

    found = exact(name)

    assert list(expected) == list(found)
    for turn, cells in expected.items():
        outcomes = found[turn].outcomes()
        assert cells == outcomes
        assert 1 == sum(outcomes.values())


@pytest.mark.parametrize("name", PROGRAMS)
def test_floats_agree_with_fractions(name):
    floats = evaluate(PROGRAMS[name])

    for turn, found in exact(name).items():
        np.testing.assert_allclose(floats[turn].probabilities, found.probabilities, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(("name", "axis"), list(product(PROGRAMS, range(len(AXES)))))
def test_an_axis_asked_alone_is_the_marginal(name, axis):
    program = PROGRAMS[name]
    last = program.turns[-1]
    alone = Exact(fractions=True).distribution(replace(program, axes=(AXES[axis],)), last)

    assert exact(name)[last].marginal(AXES[axis].name).outcomes() == alone.outcomes()
