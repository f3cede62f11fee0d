"""Everything shown has three forms: a live one, one that reads without a kernel, and a text with the same numbers."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from html import unescape
from typing import Any

import ipywidgets
import pytest

from rulekit import (
    Board,
    Card,
    CardPool,
    Deck,
    Distribution,
    EquipLab,
    Game,
    GiftLab,
    MillLab,
    OddsLab,
    Plan,
    ProgressBar,
    Question,
    Quiz,
    Scenario,
    Trainer,
    about,
    exact,
    question,
)  # fmt: skip
from rulekit.widgets import live, view

VIEW = "application/vnd.jupyter.widget-view+json"
EVIL = "<img src=x onerror=alert(1)>"
DECK = Deck({"Island": 24, "Grizzly Bears": 32, "Ruin Crab": 4})
PLAN = Plan().on_turn(1, "mill 10").permanent("Bruvac the Grandiloquent", from_turn=3)
LANDS = exact(Deck({"Island": 24, "Grizzly Bears": 36}), Plan().on_turn(1, "mill 10"), ["land"], turns=1)
NAME = "mill/701.17b-library-runs-out"
SHOWN: dict[str, Callable[[], Any]] = {
    "a game": lambda: Game.of(Bob={"library": ["12 Island"]}),
    "a scenario": lambda: question(NAME),
    "a result": lambda: question(NAME).play(),
    "a card": lambda: CardPool.catalogue().find("Grizzly Bears"),
    "a pool": CardPool.catalogue,
    "a deck": lambda: DECK,
    "a plan": lambda: PLAN,
    "a plan of cards": lambda: Plan.from_cards(["Ruin Crab"]),
    "an answer": lambda: LANDS,
    "a distribution": lambda: LANDS.distribution("land"),
    "a joint distribution": lambda: LANDS.distribution(["land", "library"]),
    "a chart": lambda: LANDS.plot("land"),
    "the mill lab": MillLab,
    "the gift lab": GiftLab,
    "the equip lab": EquipLab,
    "the odds lab": OddsLab,
    "a question": lambda: Question(question(NAME)),
    "a quiz": lambda: Quiz(about(rule="701.17d")[:2], "Two"),
    "the trainer": lambda: Trainer(number=2),
}


def words(said: str) -> str:
    return unescape(re.sub("<[^>]+>", " ", said))


@pytest.mark.parametrize("name", SHOWN)
def test_everything_shown_has_a_live_a_still_and_a_text_form_with_a_number(name: str) -> None:
    thing = SHOWN[name]()
    forms = thing._repr_mimebundle_()

    assert VIEW in forms
    assert re.search(r"\d", forms["text/plain"])
    assert re.search(r"\d", words(forms["text/html"]))
    assert " object at 0x" not in repr(thing) + forms["text/plain"]


def test_the_bar_of_a_simulation_says_what_it_will_show() -> None:
    assert "trials are counted" in repr(ProgressBar())


def test_where_there_are_no_widgets_the_still_and_the_text_form_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "find_spec", lambda name: None)

    assert {"text/html", "text/plain"} == DECK._repr_mimebundle_().keys()


def test_a_distribution_is_asked_by_a_condition_and_by_a_bar_that_is_pressed() -> None:
    asked = live._Distribution(LANDS.distribution("land"))
    assert "mean 4" in asked.said.value

    asked.press(4)
    expected = LANDS.p("land >= 4")
    assert "land >= 4" == asked.condition.value
    assert f"land >= 4: {100 * expected:.1f} %" in words(asked.said.value)
    asked.condition.value = "lands >= 4"
    assert 'role="alert"' in asked.error.value


def test_what_the_mean_of_a_distribution_that_is_cut_off_leaves_out_is_shown_not_warned_of() -> None:
    """Half of the time nothing happens in the one turn that is looked at."""
    once = exact(Deck({"Island": 60}), Plan().each_turn("mill 60", chance="1/2"), turns=1).first_turn("library = 0")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Deprecated in traitlets")  # ipywidgets 8.1.1 beside the traitlets of today
        asked = live._Distribution(once)

    assert "leaves out 50" in asked.said.value


def test_an_answer_is_asked_for_another_number_at_the_end_of_another_turn() -> None:
    asked = live._Answer(LANDS)
    asked.name.value = "library"
    assert "mean 50" in asked.said.value

    asked.turn.value = 0
    assert "mean 60" in asked.said.value
    assert ["60"] == [row["value"] for row in asked.bars.data["rows"]]


def test_a_deck_is_looked_into_by_words_and_counted_in_three_ways() -> None:
    seen = live._Deck(DECK)
    seen.words.value = "crab"
    assert "main: 4 cards" in words(seen.said.value)
    assert "Island" not in words(seen.said.value)

    seen.by.value = "color"
    assert "green" in words(seen.said.value)


def test_a_pool_is_searched_by_part_of_a_name() -> None:
    found = live._Pool(CardPool.catalogue())
    found.words.value = "sword body"

    assert "1 card is called so." in words(found.said.value)
    assert "Sword of Body and Mind" in words(found.said.value)


def test_a_plan_says_what_it_does_in_a_turn() -> None:
    plan = live._Plan(PLAN)
    assert words(plan.said.value).split("In turn 1:")[1].split() == ["turn", "1:", "mill", "10"]

    plan.turn.value = 2
    assert "nothing is done" in plan.said.value
    plan.turn.value = 3
    assert "Bruvac the Grandiloquent is on an opponent's side" in words(plan.said.value).split("In turn 3:")[1]


def test_what_a_plan_of_cards_takes_for_granted_stands_below_a_heading() -> None:
    said = live._Plan(Plan.from_cards(["Ruin Crab", "Bonesplitter"])).said.value

    assert ["Plan, on the draw", "not in the plan:", "In turn 1:"] == [
        words(each) for each in re.findall("<b>(.*?)</b>", said) if not each.startswith("taken")
    ]
    assert "<b>taken for granted; " in said


def test_a_chart_can_be_kept_as_a_file() -> None:
    assert re.findall('download="([^"]+)"', live.live(LANDS.plot("land")).value) == ["chart.png", "chart.svg"]


def test_a_chart_of_an_answer_asks_its_question() -> None:
    asked = {
        "How many: land milled at the end of turn 1?": LANDS.plot("land"),
        "At least how many: land milled at the end of turn 1?": LANDS.plot("land", view="at least"),
        "In which turn is land >= 4 among milled cards for the first time?": LANDS.plot("land >= 4"),
        "How long until library = 0?": LANDS.plot("library = 0", view="survival"),
        "How many cards are left in the library after each turn?": LANDS.plot("library"),
        "Lands?": LANDS.plot("land", title="Lands?"),
    }

    assert list(asked) == [chart.get_title(loc="left") for chart in asked.values()]


def test_a_plan_says_whose_instruction_it_is() -> None:
    plan = Plan().each_turn("each opponent mills 3").on_turn(2, "mill 5")

    assert "each turn, by an opponent: each opponent mills 3" in str(plan)
    assert "turn 2: mill 5" in str(plan)


def test_a_card_says_what_of_it_is_understood() -> None:
    card = Card("Odd", "", "Artifact", "Flying. Your opponents feel uneasy.")

    assert "no, from" in words(live.live(card).value)


def test_names_like_pictures_are_inert_in_all_live_forms() -> None:
    card = Card(EVIL, "", "Artifact", EVIL)
    deck = Deck({EVIL: 2})
    seen = [live.live(card).value, live._Deck(deck).said.value, live._Plan(Plan().known(top=[EVIL])).said.value]
    pool = live._Pool(CardPool([card]))
    pool.words.value = "<img"

    assert not any("<img" in each for each in [*seen, pool.said.value])
    assert EVIL in words(pool.said.value)


def all_html(widget: Any) -> str:
    """All HTML that a widget and what stands in it show."""
    inside = "".join(all_html(each) for each in getattr(widget, "children", ()))
    return inside + (widget.value if isinstance(widget, ipywidgets.HTML) else "")


LABS: dict[str, Callable[[], Any]] = {
    "mill": MillLab, "gift": GiftLab, "equip": EquipLab, "odds": OddsLab, "trainer": lambda: Trainer(number=1),
}  # fmt: skip


@pytest.mark.parametrize("name", LABS)
def test_whatever_is_typed_into_a_lab_is_inert(name: str) -> None:
    """Into each place where one can write, also where it is refused: the refusal repeats it."""
    lab = LABS[name]()
    written = 0
    shown = lab._live()
    for control in every(shown):  # also where a number is predicted
        if isinstance(control, ipywidgets.Text | ipywidgets.Textarea):
            control.value = f"4 {EVIL}" if isinstance(control, ipywidgets.Textarea) else EVIL
            written += 1
            assert "<img" not in all_html(shown) + lab._repr_mimebundle_()["text/html"], control.description
            assert "&lt;img" in all_html(shown) or control.placeholder == "a number", control.description
    assert written >= {"mill": 3, "gift": 0, "equip": 0, "odds": 7, "trainer": 1}[name]


def every(widget: Any) -> list[Any]:
    """A widget and all that stands in it."""
    return [widget, *(inner for each in getattr(widget, "children", ()) for inner in every(each))]


def test_a_question_whose_every_name_is_markup_is_inert() -> None:
    """Title, question, answer, players, cards and labels, before and after what happens is shown and varied."""
    said, player, label = json.dumps(EVIL), json.dumps(f"{EVIL} one"), json.dumps(f"{EVIL} two")
    scenario = Scenario.read_text(f"""
        title: {said}
        rules: ["701.17a"]
        question: {said}
        answer: {said}
        given:
          players: [{player}, Bob]
          cards:
            {said}: {{types: Artifact, abilities: [{{activated: "{{T}}: each player mills 1"}}]}}
          {player}:
            battlefield: [{{card: {said}, as: {label}}}]
            library: [{said}]
        do:
          - activate: {label}
          - resolve
        expect:
          {json.dumps(f"{EVIL} one.library")}: 0
    """)
    asked = Question(scenario)
    quiz = Quiz([scenario], EVIL)
    asked.reveal()
    for change in asked._offered():
        asked.vary(change)
        assert "<img" not in all_html(asked._live())
    for shown in (asked, quiz, scenario):
        assert "<img" not in shown._repr_mimebundle_()["text/html"]
    assert "<img" not in all_html(quiz._live())
    assert "&lt;img" in all_html(asked._live())
    board = next(each for each in every(asked._live()) if isinstance(each, Board))
    assert "<img" not in json.dumps([board.play["faces"], board.play["parts"]])


def test_a_mean_is_told_in_four_digits() -> None:
    """7 cards of 60 of which 24 are lands: 2.8; a third of a card is cut off."""
    third = Distribution.of({0: 2, 1: 1})
    assert "mean 0.3333<" in live._Distribution(third).said.value

    answer = exact(Deck({"Island": 24, "Grizzly Bears": 36}), Plan().draw(7), ["land in hand"], turns=1)
    assert "land in hand 2.8" in str(answer)
    assert "mean at the end of turn 1: library 53, hand 7," in str(answer)
