"""Questions of the bank: found by name, tag and rule, and what can be predicted of each."""

from __future__ import annotations

from itertools import product

import pytest

from rulekit.rules import BadData, Unknown
from rulekit.scenarios.questions import about, named, names
from rulekit.scenarios.scenario import Scenario
from rulekit.widgets.asks import LEGAL, MOST_ASKS, asks, played
from rulekit.widgets.quiz import Question, Quiz
from rulekit.widgets.variations import Outcome, outcome, variations

SUM = "mill/701.17d-sum-of-two-mana-values"
GIFT = "gift/702.174a-plain-promise"


def titled(name: str) -> Scenario:
    """The question of a title, or of a name."""
    return named(name) if "/" in name else next(scenario for scenario in about() if scenario.title == name)


def varied(name: str, change: str) -> Outcome:
    scenario = named(name)
    return outcome(variations(scenario, played(scenario))[change])


@pytest.fixture
def question() -> Question:
    return Question(named(SUM))


@pytest.mark.parametrize("name", names()[::9])
def test_every_answer_is_found_in_the_game_as_it_was_played(name: str) -> None:
    scenario = named(name)
    run = played(scenario)
    asked = asks(scenario, run)

    assert 1 <= len(asked) <= MOST_ASKS
    for ask in asked:
        assert ask.check is None or ask.when or ask.answer == ask.found(run.game), ask.words
        assert not ask.options or ask.answer in ask.options, ask.words


def test_an_attempt_is_asked_in_the_words_of_the_game_beside_one_that_goes_otherwise() -> None:
    """702.6a: the Memnite is Bob's, the Bears are Alice's."""
    attempts = [ask for ask in asks(named("equip/702.6a-not-an-opponents-creature")) if ask.options == LEGAL]
    tried = "legal or illegal: in Alice's precombat main phase, Alice activates equip of Skullclamp, targeting"

    assert [f"{tried} Memnite", f"{tried} Grizzly Bears"] == [ask.words for ask in attempts]
    assert ["illegal", "legal"] == [ask.answer for ask in attempts]


def test_what_is_tried_is_told_with_all_that_is_chosen_for_it() -> None:
    """702.174a: nobody promises a gift to themselves."""
    asked = asks(named("gift/702.174a-not-to-yourself"))[0]

    assert "Alice casts Dawn's Truce, promising the gift to Alice" in asked.words
    assert "illegal" == asked.answer


def test_that_legality_is_asked_does_not_give_the_answer_away() -> None:
    """Of one attempt alone both answers occur, and of two attempts all that can be."""
    missing = {("legal",), ("illegal",), *product(LEGAL, LEGAL)}
    for name in names():
        missing.discard(tuple(ask.answer for ask in asks(named(name)) if ask.check is None))
        if not missing:
            break

    assert set() == missing


def test_what_is_predicted_is_what_the_question_asks() -> None:
    """702.174g, 500.7: who takes the next turns; whether Bob has lost; not whether a spell may be cast then."""
    words = [ask.words for ask in asks(named("gift/702.174g-three-players"))]
    assert [f"who takes turn {number}?" for number in (2, 3, 4, 5)] == words

    words = [ask.words for ask in asks(named("mill/701.17b-library-runs-out"))]
    assert "has Bob lost?" in words
    assert not [each for each in words if each.startswith("legal or illegal")]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Prevented damage triggers nothing", [("does Sword of Body and Mind trigger?", "no")]),
        ("Grafted Wargear outlives its bearer", [("does Grafted Wargear trigger?", "yes")]),
        ("Ward and one's own equip", [("does Grizzly Bears trigger?", "no")]),
        ("One Sword, two bearers in one combat", [("how often does Sword of Body and Mind trigger in all?", "2")]),
        (
            "Two last wishes under Yixlid Jailer",
            [("does Emrakul, the Aeons Torn trigger?", "no"), ("does Rancor trigger?", "yes")],
        ),
        ("The controller orders the gift and the attach trigger", []),
    ],
)
def test_whether_it_triggers_is_asked_where_the_question_asks_it(name: str, expected: list[tuple[str, str]]) -> None:
    """603.2, 702.21a; a question about what a trigger that is there already does asks for something else."""
    asked = asks(next(scenario for scenario in about() if scenario.title == name))

    assert expected == [(ask.words, ask.answer) for ask in asked if "trigger" in ask.words]
    assert not [ask for ask in asked if "stack empty" in ask.words]


def test_how_often_it_has_triggered_is_read_from_the_game_as_it_stands() -> None:
    """603.2: not before the first damage, twice after the second."""
    twice = next(scenario for scenario in about() if scenario.title == "One Sword, two bearers in one combat")
    run = played(twice)
    ask = next(ask for ask in asks(twice, run) if "trigger" in ask.words)

    assert "never" == ask.found(run.moments[0])
    assert "2" == ask.found(run.game)


def test_a_moment_before_the_end_is_asked_about_by_what_is_there_then() -> None:
    """606.4: Jace has 3 x 2 and +2 as the ability waits; what he has later is another question."""
    scenario = named("equip/606.4-doubling-season-and-a-loyalty-cost")
    ask = next(ask for ask in asks(scenario) if ask.when)

    assert "in Alice's precombat main phase with Jace Beleren ability on the stack" == ask.when
    assert f"{ask.when}: number of loyalty counters on Jace Beleren" == ask.words
    assert str(3 * 2 + 2) == ask.answer


def test_an_attachment_that_has_no_other_place_is_not_asked_about() -> None:
    """608.2b: the only creature was sacrificed."""
    for name in names()[::3]:
        for ask in asks(named(name)):
            assert 1 != len(ask.options), ask.words
            assert len(set(ask.options)) == len(ask.options), ask.words


@pytest.mark.parametrize("name", [name for name in names() if name.startswith("equip/")][::13])
def test_questions_about_equipment_can_be_varied(name: str) -> None:
    """Each variation that is offered plays through at once."""
    question = Question(named(name))

    assert question._offered()
    assert {""} == {question._outcome(each).stopped for each in question._offered()}


def test_an_aura_is_varied_as_an_equipment_is() -> None:
    """303.4c: the Aura of what is no creature any more goes to the graveyard, and attaches to nothing."""
    change = "Grizzly Bears is an artifact and no creature"
    game = varied("equip/301.5f-equipped-creature-named-by-an-aura", change).game

    assert ["Rusty Harness"] == [game.state.name(each) for each in game.state.zone("graveyard", "Alice")]


def test_equip_is_refused_where_the_creature_has_shroud_and_not_where_it_has_hexproof() -> None:
    """702.18a, 702.11b: hexproof stops opponents only."""
    name = "equip/613.7e-starforged-sword-and-flying"

    refused = varied(name, "Grizzly Bears has shroud").refused
    assert "(702.18a)" in refused[0]
    assert refused[0].startswith("in Alice's precombat main phase, Alice activates equip of Starforged Sword")
    assert () == varied(name, "Grizzly Bears has hexproof").refused


def test_the_gift_of_an_extra_turn_goes_to_whom_it_is_promised_also_if_that_player_came_later() -> None:
    """702.174g, 500.7"""
    change = "Dave plays too, and the gift is promised to Dave"
    game = varied("gift/702.174g-three-players", change).game

    assert [("extra turn", "Dave")] == [(e.kind, e.player) for e in game.log if e.kind == "extra turn"]


WHENS = (
    ("mill/701.17b-library-runs-out", "when does Bob lose?", "as state-based actions are checked in Bob's draw step"),
    ("Life that is paid is lost", "when does Mindcrank trigger?", "while Sinister Concoction ability is activated"),
    ("Milling while a spell is being cast", "when is it milled?", "while Millstone ability is activated"),
    ("Millikin mills Narcomoeba", "when does she get the mana?", "while Alice uses the mana ability of Millikin"),
    ("On a permanent the gift is an enters trigger", "when does Bob get the Octopus?",
     "as Octomancer gift trigger resolves"),
    ("Giving a gift triggers after the spell has resolved", "when does she draw?",
     "as Jolly Gerbils trigger resolves"),
    ("The next end step is tomorrow's", "when does the Giant return?",
     "as Parting Gust trigger resolves (in Bob's end step)"),
    ("Phased out under a player who is gone", "when do the Bears come back?", "as Carol's untap step begins"),
    ("Mesmeric Orb in the untap step", "when does he mill for untapping it?",
     "as Mesmeric Orb trigger resolves (in Bob's upkeep step)"),
    ("The extra point of damage", "when does the Giant die?",
     "as state-based actions are checked after Wildfire Howl (second) has resolved"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "words", "expected"), WHENS)
def test_what_a_question_asks_the_time_of_can_be_predicted(name: str, words: str, expected: str) -> None:
    """601.2h, 603.3, 704.3, 502.1: the moments are those that the answer of each question tells."""
    (ask,) = (each for each in asks(titled(name)) if each.words == words)

    assert expected == ask.answer
    assert ask.answer in ask.options
    assert 3 <= len(ask.options) == len(set(ask.options)) <= 9
    assert "never, up to the end" == ask.options[-1]


def test_the_moments_do_not_tell_whose_turn_it_is_where_that_is_asked() -> None:
    words = [ask.words for ask in asks(titled("The promised turn out of turn order"))]

    assert any(each.startswith("who takes turn") for each in words)
    assert not any(each.startswith("when") for each in words)


def test_a_time_is_told_anew_when_something_is_changed() -> None:
    """702.174c, 608.2b: as long as the gift is given it is given then; to nobody it is never given."""
    question = Question(titled("A promised Food, given on resolution"))
    (asked,) = (ask for ask in question.asks if ask.words.startswith("when"))
    withheld = next(name for name in question.variations if "not promised" in name)

    assert "as Crumb and Get It resolves" == asked.answer
    assert "never, up to the end" == question.vary(withheld)[asked.words]


@pytest.mark.parametrize("title", ["No chill under Rest in Peace", "Exiled creatures do not die"])
def test_its_trigger_is_that_of_what_was_named_last(title: str) -> None:
    """Rest in Peace, which is named before, has an ability that triggers too."""
    asked = [ask.words for ask in asks(titled(title)) if "trigger" in ask.words]

    assert 1 == len(asked)
    assert "Rest in Peace" not in asked[0]


def test_rest_in_peace_is_taken_away_where_it_is_and_put_where_it_is_not() -> None:
    """614.6, 603.6c: without it the Chill goes to the graveyard, and its trigger is on the stack."""
    chill = Question(titled("No chill under Rest in Peace"))
    assert ["Rest in Peace is not on the battlefield"] == [each for each in chill.variations if "Rest in Peace" in each]
    found = chill.vary("Rest in Peace is not on the battlefield")
    assert ["yes", "0"] == [
        found[words] for words in ("does Creeping Chill trigger?", "number of cards in Alice's exile")
    ]

    other = Question(named("mill/701.17b-library-runs-out"))
    assert ["Rest in Peace is on the battlefield"] == [each for each in other.variations if "Rest in Peace" in each]


@pytest.mark.parametrize(
    ("name", "taken", "left"),
    [
        ("mill/107.1a-swallower-and-bruvac", "Bruvac the Grandiloquent", "4"),  # of 9, half of them rounded up
        ("mill/701.17a-said-in-full", "Bruvac the Grandiloquent", "1"),  # of 3, two are milled
        ("mill/701.17a-helm-and-the-wheel", "Wheel of Sun and Moon", "1"),  # of 3, as many as X
    ],
)
def test_what_replaces_milling_or_where_cards_go_is_taken_away(name: str, taken: str, left: str) -> None:
    """614.1a, 614.6"""
    varied = Question(named(name)).vary(f"{taken} is not on the battlefield")

    assert left == varied["number of cards in Bob's library"]


def test_a_card_that_replaces_only_where_it_goes_itself_is_left_where_it_is() -> None:
    """115.1: Darksteel Colossus stands among those that are destroyed."""
    question = Question(named("mill/115.1-rupture-on-both-players"))

    assert not any(each.startswith("Darksteel Colossus is not") for each in question.variations)


def test_right_and_wrong_predictions_are_told_apart(question: Question) -> None:
    right = [ask.answer for ask in question.asks]
    question.predict(*right)
    question.reveal()
    assert (len(right), len(right)) == question.score
    assert "(right)" in question._status.value

    number = next(place for place, ask in enumerate(question.asks) if not ask.options)
    question.predict(*right[:number], "5")
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
        question.predict(question.asks[0].answer, "perhaps")
    with pytest.raises(BadData, match="this question asks"):
        question.predict(*["yes"] * 9)


def test_yes_and_no_may_be_said_as_true_and_false() -> None:
    question = Question(named("mill/701.17b-library-runs-out"))
    first = question.asks[0].answer
    question.predict(first, True, True)

    assert (first, "yes", "yes") == question.predictions()[:3]


def test_one_more_bruvac_changes_the_number(question: Question) -> None:
    """701.17d: twice as many milled; the Bruvac of the player who mills does nothing."""
    question.reveal()
    assert "6" == question.vary("Alice controls one more Bruvac the Grandiloquent")["number of cards in Alice's hand"]
    assert "before" in question._varied.value

    with pytest.raises(Unknown, match="no variation is called"):
        question.vary("a different game")


def test_without_the_promise_no_gift_is_given() -> None:
    there = varied(GIFT, "the gift is not promised")

    assert "" == there.stopped
    assert "gift given" not in [event.kind for event in there.game.log]


def test_a_choice_that_nobody_asks_for_any_more_falls_away_and_is_told() -> None:
    """603.3b: without the gift there is one trigger, and no order."""
    there = varied("gift/603.3b-attach-before-the-gift", "the gift is not promised")

    assert "" == there.stopped
    assert there.refused[0].startswith("nobody asks any more: choose:")


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
    quiz.questions[1].predict("legal" if quiz.questions[1].asks[0].answer == "illegal" else "illegal")
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
