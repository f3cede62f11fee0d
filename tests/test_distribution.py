"""Distributions, estimates and conditions, against formulas and SciPy."""

import math
import pickle
from fractions import Fraction

import matplotlib
import matplotlib.style
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text
from scipy import stats

from rulekit.probability.condition import read_condition
from rulekit.probability.distribution import Distribution
from rulekit.probability.estimate import Estimate, chi_square_tail, wilson
from rulekit.probability.weighted import Span, Truncated
from rulekit.rules import BadData, Unknown
from rulekit.widgets import charts

LANDS = {k: math.comb(24, k) * math.comb(36, 10 - k) for k in range(11)}


def lands():
    return Distribution.of(LANDS, "land").titled("Lands among ten milled cards")


def counted(seed=1, trials=100_000):
    tally = np.bincount(np.random.default_rng(seed).hypergeometric(24, 36, 10, trials), minlength=11)
    return Distribution([Span("land", 0, 11)], tally.astype(np.int64), trials=trials, seed=seed)


def test_exact_weights_stay_fractions_until_floats_are_asked_for():
    four = Fraction(math.comb(24, 4) * math.comb(36, 6), math.comb(60, 10))

    assert four == lands().p("land = 4")
    assert float(four) == pytest.approx(lands().as_floats().p("land = 4"), rel=1e-15)


def test_mean_sd_and_quantiles_are_those_of_the_hypergeometric_distribution():
    known = stats.hypergeom(60, 24, 10)

    assert 4 == lands().mean()
    assert known.std() == pytest.approx(lands().sd(), rel=1e-12)
    assert [int(known.ppf(q)) for q in (0.05, 0.5, 0.95)] == [lands().quantile(q) for q in (0.05, 0.5, 0.95)]


def test_at_least_and_at_most_add_up():
    at_least, at_most = lands().at_least(), lands().cdf()

    assert all(1 == at_least[k] + at_most[k - 1] for k in range(1, 11))
    assert at_least[4] == lands().at_least(4)


def test_given_keeps_the_proportions():
    kept = lands().given("land >= 9")

    assert Fraction(LANDS[9], LANDS[9] + LANDS[10]) == kept.p("land = 9")
    with pytest.raises(BadData, match="probability 0"):
        lands().given("land > 10")


def test_convolving_two_dice_gives_seven_with_one_in_six():
    die = Distribution.of(dict.fromkeys(range(1, 7), 1), "eyes")

    assert Fraction(1, 6) == die.convolve(die).p("eyes = 7")
    assert Fraction(11, 36) == die.together(die).map(min, "least").p("least = 1")
    assert Fraction(1, 4) == die.together(die).p("eyes > 3 and other eyes > 3")


def test_three_may_stand_together():
    """The smallest of three dice is at least 5 with (2/6)**3."""
    die = Distribution.of(dict.fromkeys(range(1, 7), 1), "die")
    smallest = die.together(die).together(die).map(min, "smallest")

    assert Fraction(2, 6) ** 3 == smallest.p("smallest >= 5")


def test_a_mixture_weighs_its_parts():
    low, high = Distribution.of({1: 1}, "x"), Distribution.of({4: 1}, "x")

    assert Fraction(2, 3) == Distribution.mix([(1, low), (2, high)]).p("x = 4")
    assert 0.75 == pytest.approx(Distribution.mix([(0.25, low), (0.75, high)]).p("x > 2"))


def test_distributions_of_the_same_fractions_are_equal_whatever_their_denominators():
    coin = Distribution.of({0: Fraction(1, 2), 1: Fraction(1, 2)})
    mixed = Distribution.mix([(Fraction(1, 3), coin), (Fraction(2, 3), coin)])

    assert coin == mixed
    assert hash(coin) == hash(mixed)
    assert coin != Distribution.of({0: Fraction(1, 3), 1: Fraction(2, 3)})


def test_marginals_stand_in_the_order_asked():
    joint = Distribution.of({(1, 5, 0): 1, (2, 6, 0): 3}, ("a", "b", "c"))

    assert {(6, 2): Fraction(3, 4), (5, 1): Fraction(1, 4)} == joint.marginal("b", "a").outcomes()


def test_first_times_are_differences_and_say_what_is_missing():
    turn = Distribution.first_time([Fraction(0), Fraction(1, 5), Fraction(1, 2)])

    assert {2: Fraction(1, 5), 3: Fraction(3, 10)} == turn.outcomes()
    assert Fraction(1, 2) == turn.missing
    assert "50.0 % later than turn 3" in str(turn)
    with pytest.warns(Truncated, match="50.0 %"):
        assert Fraction(13, 5) == turn.mean()
    with pytest.raises(BadData, match="later than turn 3"):
        turn.quantile(0.9)


def test_a_simulated_distribution_agrees_with_the_exact_one_and_not_with_another():
    other = Distribution.of({k: math.comb(23, k) * math.comb(37, 10 - k) for k in range(11)}, "land")

    assert counted().compare(lands()).p_value > 1e-4
    assert counted().compare(other).p_value < 1e-4
    assert counted(1).compare(counted(2)).p_value > 1e-4
    assert lands().compare(lands()).largest == 0


def test_what_cannot_happen_and_did_fails_the_comparison():
    assert 0.0 == counted().compare(Distribution.of({3: 1, 4: 1}, "land")).p_value


def test_an_estimate_is_a_float_with_its_error():
    four = counted().p("land = 4")

    assert isinstance(four, float)
    assert four.low < math.comb(24, 4) * math.comb(36, 6) / math.comb(60, 10) < four.high
    assert f"{100 * four:.1f} % ± 0.3 (100,000 trials)" == str(four)
    assert "0 % (at most 0.00384 %) (100,000 trials)" == str(Estimate.of_hits(0, 100_000))
    assert four == pickle.loads(pickle.dumps(four))


def test_a_mean_of_a_simulation_has_the_error_of_the_mean():
    mean = counted().mean()

    assert 4 == pytest.approx(mean, abs=0.03)
    assert 1.96 * stats.hypergeom(60, 24, 10).std() / math.sqrt(100_000) == pytest.approx(mean.error, rel=0.02)


def test_the_error_of_a_mean_of_few_trials_is_that_of_a_sample():
    """The standard error of 2 and 4 is 1; one trial alone says nothing about how far off it is."""
    two = Distribution([Span("land", 2, 3)], np.array([1, 0, 1]), trials=2).mean()
    one = Distribution([Span("land", 2, 3)], np.array([0, 1, 0]), trials=1).mean()

    assert 1.96 == pytest.approx(two.error, rel=1e-4)
    assert (3, math.inf) == (one, one.error)
    assert "3.00 ± inf (1 trials)" == str(one)


@pytest.mark.parametrize(("hits", "trials"), [(0, 10), (3, 10), (27_450, 100_000), (10, 10)])
def test_intervals_are_those_of_wilson(hits, trials):
    known = stats.binomtest(hits, trials).proportion_ci(method="wilson")

    assert (known.low, known.high) == pytest.approx(wilson(hits, trials), abs=1e-12)


@pytest.mark.parametrize("freedom", [1, 2, 5, 30, 100])
@pytest.mark.parametrize("statistic", [0.1, 1, 5, 50, 150])
def test_the_tail_of_chi_square_is_that_of_scipy(statistic, freedom):
    assert stats.chi2.sf(statistic, freedom) == pytest.approx(chi_square_tail(statistic, freedom), rel=1e-11)


def test_trials_for_an_error_follow_from_the_normal_approximation():
    assert 1_000_000 >= Estimate.trials_for(0.00098) > 999_000


def test_a_condition_reads_names_with_spaces_and_words_such_as_and():
    names = ("land", "named Sword of Fire and Ice", "total mana value")
    read = read_condition("NOT land>=3 and (named Sword of Fire and Ice = 1 or total  mana value <= 20)", names)

    assert names == read.names
    assert read.holds({"land": 2, "named Sword of Fire and Ice": 0, "total mana value": 20})
    assert not read.holds({"land": 3, "named Sword of Fire and Ice": 1, "total mana value": 20})


def test_and_binds_closer_than_or():
    read = read_condition("a = 1 or b = 1 and c = 1", "abc")

    assert read.holds({"a": 1, "b": 0, "c": 0})
    assert read == read_condition("a = 1 or (b = 1 and c = 1)", "abc")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "land",
        "land >=",
        "land >= x",
        "land = 1.5",
        "land = 1 and",
        "(land = 1",
        "land = 1)",
        "land = 1 land = 2",
        "(" * 60,
    ],
)
def test_a_condition_that_cannot_be_read_is_refused(text):
    with pytest.raises(BadData):
        read_condition(text, ["land"])


def test_a_count_that_was_not_asked_is_named_with_the_nearest():
    with pytest.raises(Unknown, match="Did you mean 'land'"):
        read_condition("lnd >= 3", ["land", "creature"])


def test_a_condition_is_lasting_only_where_its_counts_run_one_way():
    def lasting(text):
        return read_condition(text, ["land", "library", "hand"]).lasting(["land"], ["library"])

    assert lasting("land >= 3 and library <= 5")
    assert lasting("not library > 5 or land > 2")
    assert not lasting("land = 3")
    assert not lasting("hand >= 3")
    assert not lasting("not land >= 3")


def test_a_distribution_does_not_change_and_survives_pickling():
    with pytest.raises(AttributeError):
        lands().axes = ()
    with pytest.raises(ValueError, match="read-only"):
        lands().weights[0] = 1
    assert lands() == pickle.loads(pickle.dumps(lands()))
    assert hash(lands()) == hash(pickle.loads(pickle.dumps(lands())))


def test_html_escapes_names_and_has_a_caption():
    html = Distribution.of({0: 1}, "<img src=x onerror=alert(1)>")._repr_html_()

    assert "<img" not in html
    assert "<caption style" in html


def test_a_frame_has_a_row_for_each_outcome():
    exact, estimate = lands().to_pandas(), counted().to_pandas()

    assert ["land", "probability"] == list(exact.columns)
    assert ["land", "probability", "low", "high", "times", "trials"] == list(estimate.columns)
    assert 100_000 == estimate["times"].sum()
    assert {100_000} == set(estimate["trials"])


def test_a_chart_gives_back_the_axes_and_tells_its_numbers():
    ax = lands().plot()

    assert ax is counted().plot(ax)
    assert "Lands among ten milled cards" == ax.get_title(loc="left")
    assert "27.5 %" in repr(ax)
    assert "alt=" in ax._repr_html_()
    assert "From 100.0 % at land 0 to " in repr(lands().plot(view="at least"))


def test_a_chart_on_other_axes_leaves_them_what_they_are():
    figure = Figure()
    ax = figure.subplots()

    assert ax is lands().plot(ax, view="at most")
    assert 11 == len(ax.patches)


def test_two_counts_become_a_heat_map():
    ax = Distribution.of({(0, 0): 1, (1, 2): 3}, ("hits", "library")).plot()

    assert ("hits", "library") == (ax.get_xlabel(), ax.get_ylabel())
    assert "Most likely: hits 1, library 2." in repr(ax)


def test_the_intervals_that_are_drawn_over_bars_are_seen_whole():
    ax = lands().plot()
    few = counted(trials=50)
    few.plot(ax)
    _, high = few.interval()

    assert max(high) <= ax.get_ylim()[1]
    assert 0 == ax.get_ylim()[0]


@pytest.mark.parametrize("style", ["default", "dark_background"])
def test_a_chart_can_be_read_in_the_style_that_is_on(style):
    """Words and ground are as far apart as WCAG 2.2 asks of text, 4.5 to 1 (criterion 1.4.3)."""

    def light(color):
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    with matplotlib.style.context(style):
        ax = lands().plot()
    words = [ax.xaxis.label, ax.yaxis.label, *ax.get_xticklabels(), *ax.get_yticklabels(), *ax.texts]
    for word in [*words, next(each for each in ax.findobj(Text) if each.get_text() == ax.get_title(loc="left"))]:
        for ground in (ax.get_facecolor(), ax.figure.get_facecolor()):
            dark, bright = sorted((light(word.get_color()), light(ground)))
            assert 4.5 <= (bright + 0.05) / (dark + 0.05)


def test_what_is_likelier_stands_out_from_the_ground_on_a_dark_one_too():
    several = dict.fromkeys("abc", lands())
    lightness = {}
    for ground in ("white", "black"):
        ax, other = Figure().subplots(1, 2)
        for each in (ax, other):
            each.set_facecolor(ground)
        Distribution.of({(0, 0): 1, (1, 2): 3}, ("hits", "library")).plot(ax)
        low, high = (sum(ax.collections[0].cmap(share)[:3]) for share in (0.0, 1.0))
        lightness[ground] = high - low
        charts.plot_comparison(several, other)
        assert other.get_facecolor() not in [bars.patches[0].get_facecolor() for bars in other.containers]

    assert lightness["white"] < 0 < lightness["black"]
