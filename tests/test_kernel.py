"""Trials: the same in machine code, NumPy and plain Python, and as likely as they should be."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from rulekit.probability.condition import read_condition
from rulekit.probability.dealing import dealt, values_of
from rulekit.probability.desk import layout
from rulekit.probability.exact import evaluate
from rulekit.probability.integers import WORD
from rulekit.probability.kernel import play_one_by_one
from rulekit.probability.packed import GROUP, group_limits
from rulekit.probability.packing import looked_at, pack
from rulekit.probability.playing import Compiled, Vectors, machine_code
from rulekit.probability.program import Program
from rulekit.probability.rows import (
    LIBRARY,
    LOST,
    Add,
    Amount,
    Axis,
    CardClass,
    Coin,
    FirstTurn,
    Keep,
    Mark,
    Move,
    Mulligan,
    Shuffle,
    Surplus,
    Until,
    When,
    cards_in,
    counted,
    different,
    register,
    walk,
)
from rulekit.probability.simulate import play_trials
from rulekit.probability.word_arrays import Places
from rulekit.probability.words import GOLD, MIX_1, MIX_2, ODD, below, group, mix, stream
from rulekit.probability.workers import key_of
from tests.conftest import unavailable
from tests.test_exact_programs import PROGRAMS
from tests.work_items import WORK, AtRandom, closed_form

TRIALS = 200_000
KEY = key_of(20261129)


@pytest.fixture(scope="module")
def compiled():
    if not machine_code():
        unavailable("there is no llvmlite, or RULEKIT_NUMBA=0 switches it off")


def chi_square(counts, probabilities):
    """The p-value of Pearson's test of counts by cell; cells expected under eight times are taken together."""
    from scipy.stats import chi2

    trials = sum(counts.values())
    assert set(counts) <= {cell for cell, p in probabilities.items() if p > 0}
    expected = sorted(((p * trials, counts.get(cell, 0)) for cell, p in probabilities.items()), reverse=True)
    groups = [pair for pair in expected if pair[0] >= 8]
    rest = [pair for pair in expected if pair[0] < 8]
    if rest and (sum(due for due, _ in rest) >= 8 or not groups):
        groups.append((sum(due for due, _ in rest), sum(seen for _, seen in rest)))
    elif rest:
        last = groups.pop()
        groups.append((last[0] + sum(due for due, _ in rest), last[1] + sum(seen for _, seen in rest)))
    if len(groups) < 2:
        return 1.0
    statistic = sum((seen - due) ** 2 / due for due, seen in groups)
    return chi2.sf(statistic, len(groups) - 1)


def tally(found):
    return {point: weight for point, weight in found.points() if weight}


@pytest.mark.parametrize("name", WORK)
def test_the_work_items_come_out_as_closed_forms_say(name):
    program = WORK[name]
    last = program.turns[-1]

    found = play_trials(program, TRIALS, seed=1).distribution(program, last)

    assert 1e-4 < chi_square(tally(found), closed_form(name))


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_kind_of_row_comes_out_as_the_exact_answer_says(name):
    program = PROGRAMS[name]
    exact = evaluate(program)
    trials = play_trials(program, TRIALS, seed=2)

    for turn in program.turns:
        likely = {point: float(p) for point, p in exact[turn].points() if p}
        assert 1e-4 < chi_square(tally(trials.distribution(program, turn)), likely), turn


@pytest.mark.parametrize("start", range(0, 240, 40))
def test_machine_code_numpy_and_plain_python_play_the_same_trials(start, compiled):
    for seed in range(start, start + 40):
        program = AtRandom(seed).program()
        packed = pack(program, program.turns if seed % 3 else program.turns[-1:])
        p, places = layout(packed.arrays)
        out = [0] * (30 * len(packed.turns))
        play_one_by_one(p, [0] * places, out, 0, 30, 1_000_000_007, KEY)
        expected = np.array(out).reshape(-1, 30).T

        np.testing.assert_array_equal(expected, Compiled(packed).play(30, 1_000_000_007, KEY), f"seed {seed}")
        np.testing.assert_array_equal(expected, Vectors(packed).play(30, 1_000_000_007, KEY), f"seed {seed}")


def test_trials_whose_words_are_thrown_away_are_the_same_too(compiled):
    """Of 1,000 cards six places leave one word in twenty over, five one in twenty thousand."""
    classes = tuple(CardClass(size, (number % 2, number)) for number, size in enumerate((400, 300, 200, 50, 30, 20)))
    dealt = tuple(Move(many, "milled") for many in (1, 5, 6, 7, 13))
    rows = (Mulligan("hand", 7, (Keep("land", 3, 5),), 5), *dealt, Until("land", 8, "milled"), Mark(1))
    axes = (Axis("land", (counted("land", "milled"),)), Axis("value", (counted("value", "milled", "hand"),)))
    packed = pack(Program(classes, rows, axes, ("land", "value")))
    p, places = layout(packed.arrays)
    out = [0] * 400

    play_one_by_one(p, [0] * places, out, 0, 400, 77, KEY)

    np.testing.assert_array_equal(out, Compiled(packed).play(400, 77, KEY)[:, 0])
    np.testing.assert_array_equal(out, Vectors(packed).play(400, 77, KEY)[:, 0])


@pytest.mark.parametrize(("many", "size"), [(2, 64), (9, 7), (10, 6), (40, 2), (60, 1), (5, 40), (6, 40), (30, 8)])
def test_cards_of_few_or_many_classes_are_counted_alike(many, size, compiled):
    """Eight classes less one share a word in a library of up to 127 cards, four less one in a larger one."""
    classes = tuple(CardClass(size, (number % 2, number), 1 << number % 6) for number in range(many))
    rows = (
        Mulligan("hand", 7, (Keep("land", 3, 4),), 2, 0, (Surplus("land", 2),)),
        Until("land", 3, "milled", "hand"),
        Move(Amount((counted("land", "milled", "hand"),), Fraction(3, 2)), "milled"),
        Mark(1),
        Coin(Fraction(2, 3), (Until("value", 90, "milled"), Add("hits"))),
        When((register("hits"),), 1, None, (Move(9, "milled"),), (Move(1, "hand", draw=True),)),
        Mark(2),
        Move(many * size, "milled"),
        Move(1, "hand", draw=True),
        Mark(3),
    )
    axes = (
        Axis("land", (counted("land", "milled"),)),
        Axis("value", (counted("value", "milled", "hand"),)),
        FirstTurn("lost", (LOST,), 1),
    )
    packed = pack(Program(classes, rows, axes, ("land", "value"), tuple("abcdef")))
    p, places = layout(packed.arrays)
    out = [0] * 3 * 100

    play_one_by_one(p, [0] * places, out, 0, 100, 5, KEY)

    expected = np.array(out).reshape(3, 100).T
    assert packed.arrays.abreast
    np.testing.assert_array_equal(expected, Compiled(packed).play(100, 5, KEY))
    np.testing.assert_array_equal(expected, Vectors(packed).play(100, 5, KEY))


@pytest.mark.parametrize("name", WORK)
def test_many_trials_at_once_are_the_same_in_machine_code_and_numpy(name, compiled):
    packed = pack(WORK[name])
    fast, slow = Compiled(packed), Vectors(packed)
    first = 2**40 + 17

    np.testing.assert_array_equal(slow.play(slow.most, first, KEY)[:1000], fast.play(1000, first, KEY))


@pytest.mark.parametrize(("cards", "kinds"), [(60, 40), (99, 17), (250, 200), (300, 5), (300, 250), (1000, 3)])
@pytest.mark.parametrize("back", [(), ("hand",)])
def test_large_decks_and_many_kinds_of_cards_are_the_same_in_machine_code_and_numpy(cards, kinds, back, compiled):
    classes = tuple(
        CardClass(cards // kinds + (k < cards % kinds), (k % 3, k * k % 11), 1 << k % 5) for k in range(kinds)
    )
    rows = (
        Move(7, "hand"),
        Coin(Fraction(1, 2), (Move(5, "milled"),)),
        Until("value", 30, "milled", "hand", most=20),
        Coin(Fraction(1, 3), (Until("value", 9, "hand"),)),
        Mark(1),
        Shuffle(back),
        Move(4, "milled"),
        Mark(2),
    )
    axes = (
        Axis("value", (counted("value", "milled"),), 60),
        Axis("land", (counted("land", "hand"),)),
        Axis("kinds", (different(15, "milled"),)),
    )
    for given in (axes, axes[:2]):
        program = Program(classes, rows, given, ("land", "value"), tuple("abcde"))
        packed = pack(program, None, looked_at(program))
        trials = min(Compiled(packed).most, Vectors(packed).most)
        assert np.array_equal(Compiled(packed).play(trials, 3, KEY), Vectors(packed).play(trials, 3, KEY))


@pytest.mark.parametrize("name", [*PROGRAMS, *WORK])
def test_replayed_trials_add_up_to_the_tally(name):
    program = {**PROGRAMS, **WORK}[name]
    trials = play_trials(program, 300, seed=3)
    axes = [axis.name for axis in program.axes]

    replayed = [trials.dealt(number).marks for number in range(300)]

    for turn in program.turns:
        expected = Counter(tuple(marks[turn][axis] for axis in axes) for marks in replayed)
        assert dict(expected) == tally(trials.distribution(program, turn))


@pytest.mark.parametrize("seed", range(60))
def test_in_a_replayed_trial_every_card_is_in_one_place(seed):
    program = AtRandom(seed).program()
    names = [f"card {number}" for number in range(program.size)]
    classes, at = [], 0
    for one in program.classes:
        classes.append(CardClass(one.size, one.adds, one.features, tuple(names[at : at + one.size])))
        at += one.size
    named = Program(
        tuple(classes), program.rows, program.axes, program.counters, program.features, program.top, program.bottom
    )
    piles_back = {pile for row in walk(program.rows) if isinstance(row, Shuffle) for pile in row.back}

    trial = dealt(named, KEY, 5)

    where = {}
    for step in trial.steps:
        for moved in step.moved:
            assert names[moved.number] == moved.card
            where[moved.card] = moved.to
        if isinstance(step.row, Shuffle):
            where = {card: to for card, to in where.items() if to not in step.row.back}
    gone = [card for card, to in where.items() if to not in ("top", "bottom")]
    assert sorted(names) == sorted([*gone, *trial.library]), piles_back
    if not isinstance(program.rows[0], Mulligan) and not any(isinstance(row, Shuffle) for row in walk(program.rows)):
        taken = [moved for step in trial.steps for moved in step.moved]
        start = sum(one.size for one in program.classes[: program.top[0]]) if program.top else None
        assert start is None or not taken or taken[0].number == start


def test_every_order_of_a_library_is_dealt_equally_often():
    program = Program(
        tuple(CardClass(1, (number,)) for number in range(5)),
        (Move(2, "milled"), Move(1, "hand"), Mark(1)),
        (Axis("value", (counted("value", "milled"),)),),
        ("value",),
    )

    seen = Counter()
    for trial in range(24_000):
        one = dealt(program, KEY, trial)
        moved = [moved.number for step in one.steps for moved in step.moved]
        seen[*moved, *(int(name) for name in one.library)] += 1

    assert 1e-4 < chi_square(seen, dict.fromkeys(itertools.permutations(range(5)), 1 / 120))


def test_looking_at_cards_changes_neither_how_likely_other_cards_are_nor_their_number():
    """Cards that move unseen are dealt later, or never; cards that are looked at, at once."""
    program = WORK["W1"]
    seen = play_trials(program, TRIALS, seed=4).distribution(program, 1)
    packed = pack(program, looked=frozenset({"hand", "milled"}))
    cells = np.concatenate([Vectors(packed).play(8_000, first, KEY) for first in range(0, TRIALS, 8_000)])
    looked = Counter(tuple(values_of(packed, int(cell)).values()) for cell in cells[:, 0])

    assert frozenset({"milled"}) == looked_at(program)
    assert 1e-4 < chi_square(looked, closed_form("W1"))
    assert 1e-4 < chi_square(tally(seen), closed_form("W1"))


def test_a_coin_guards_all_its_rows_together():
    program = Program(
        (CardClass(9),),
        (Coin(AtRandom(0).coin_for_moves(0).chance, (Move(2, "milled"), Add("hits"), Move(3, "hand"))), Mark(1)),
        (Axis("milled", (cards_in("milled"),)), Axis("hand", (cards_in("hand"),)), Axis("library", (LIBRARY,))),
    )

    found = tally(play_trials(program, 1000, seed=5).distribution(program, 1))

    assert {(2, 3, 4), (0, 0, 9)} == set(found)


def test_the_words_of_a_trial_are_those_of_splitmix64():
    """The first outputs of the generator with seed 1234567 are published with it (S. Vigna)."""
    gold = 0x9E3779B97F4A7C15
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]

    assert published == [mix((1234567 + k * gold) % 2**64) for k in range(1, 5)]
    assert mix((7 + 3 * ODD) % 2**64) == stream(7, 3)


@pytest.mark.parametrize("bound", [1, 2, 3, 10, 2**31 + 11, 2**32 - 1])
def test_a_number_below_a_bound_is_exactly_uniform(bound):
    """Of the 2**64 words each number keeps the same count: those with a product below 2**64 mod bound go."""
    kept = (2**64 - 2**64 % bound) // bound
    for number in {0, bound // 2, bound - 1}:
        first = -(-(number << 64) // bound)
        low = first * bound % 2**64
        first += -(-(2**64 % bound - low) // bound) if low < 2**64 % bound else 0
        last = (((number + 1) << 64) - 1) // bound
        assert kept == last - first + 1
    assert below(5, 1)[1] == 0


@pytest.mark.parametrize("cards", [1, 5, 60, 250, 1000])
def test_the_places_that_share_a_word_are_exactly_uniform(cards):
    product, limit = group_limits(cards)

    for many, left in itertools.product(range(1, GROUP + 1), range(1, cards + 1)):
        whole, at = math.prod(max(1, left - i) for i in range(many)), (many - 1) * (cards + 1) + left
        assert whole == int(product[at])
        assert 2**64 % whole == int(limit[at])
        assert whole < 2**64


def unmixed(word):
    """The state of a random stream whose mixed bits are a word: each step of the mixing undone, the last one first."""
    for shift, factor in ((31, MIX_2), (27, MIX_1), (30, 1)):
        whole = word
        for _ in range(64 // shift):
            whole = word ^ whole >> shift
        word = whole * pow(factor, -1, 1 << 64) & WORD
    return word


@pytest.mark.parametrize("cards", [1, 2, 7, 60, 99, 250, 400])
def test_numpy_finds_the_places_of_words_whose_last_bits_decide(cards):
    """Words around multiples of 2**64 by the product of the numbers of cards, and those that share a word with them."""
    product, limit = group_limits(cards)
    dice = np.random.default_rng(5)
    for count, even in itertools.product(range(1, GROUP + 1), (True, False)):
        lefts = [cards] * 300 if even else dice.integers(1, cards + 1, 300).tolist()
        whole = [math.prod(max(1, left - i) for i in range(count)) for left in lefts]
        near = [-(-(int(dice.integers(p)) << 64) // p) + int(dice.integers(-3, 4)) for p in whole]
        starts = [unmixed(word & WORD) - GOLD & WORD for word in near]
        expected = []
        for start, left in zip(starts, lefts, strict=True):
            at = (count - 1) * (cards + 1) + left
            state, word = group(start, int(product[at]), int(limit[at]))
            places = []
            for i in range(count):
                places.append(word * max(1, left - i) >> 64)
                word = word * max(1, left - i) & WORD
            expected.append((state, places))
        streams = np.array(starts, np.uint64)
        left = cards if even else np.array(lefts, np.int16)
        places = Places(*np.empty((2, 300), np.uint64), product, limit).draw(streams, left, count, count, None)

        assert expected == list(zip(streams.tolist(), places.T.tolist(), strict=True))


def test_an_example_is_the_first_trial_in_which_a_condition_held():
    program = WORK["W1"]
    trials = play_trials(program, 2_000, seed=6)
    condition = read_condition("land = 0", ("land", "creature"))

    number = trials.example(program, 1, condition)

    held = [trials.dealt(each).marks[1]["land"] == 0 for each in range(number + 1)]
    assert [False] * number + [True] == held
    assert trials.example(program, 1, read_condition("land = 11", ("land", "creature"))) is None
