"""The odds lab: what its controls say, the exact and the simulated answer, comparison, files, one game to watch."""

from __future__ import annotations

import ast
import asyncio
import re
import time
from datetime import UTC, datetime
from html import unescape
from math import comb
from typing import Any

import pytest

from rulekit.cards.deck import Deck
from rulekit.probability.exact import exact
from rulekit.rules import BadData, RulekitError, Unknown
from rulekit.widgets.odds_lab import OddsLab
from rulekit.widgets.slider import Slider
from tests.plans import LONG, SIZES


def hypergeometric(lands: int, others: int, seen: int, wanted: int) -> float:
    return comb(lands, wanted) * comb(others, seen - wanted) / comb(lands + others, seen)


def load(lab: OddsLab, content: bytes) -> None:
    """Load a file with this content."""
    when = datetime(2026, 1, 1, tzinfo=UTC)
    file = {"name": "deck.txt", "type": "", "size": len(content), "content": memoryview(content), "last_modified": when}
    lab._upload.value = (file,)


def run(code: str) -> list[Any]:
    """Run code as a cell, and return the values of the lines that show one."""
    names: dict[str, Any] = {}
    shown = []
    for node in ast.parse(code).body:
        if isinstance(node, ast.Expr):
            shown.append(eval(compile(ast.Expression(node.value), "cell", "eval"), names))
        else:
            exec(compile(ast.Module([node], []), "cell", "exec"), names)
    return shown


@pytest.fixture
def lab() -> OddsLab:
    """Ten cards milled in turn 1 of a deck of 24 lands and 36 other cards."""
    return OddsLab(deck="24 Island\n36 Grizzly Bears", hand=0, draws=0, text="", once="mill 10", turns=1)


def test_the_exact_answer_is_the_law_of_drawing_without_putting_back(lab: OddsLab) -> None:
    found = lab.several()["exact"].outcomes()

    for lands in range(11):
        assert hypergeometric(24, 36, 10, lands) == pytest.approx(found[lands])


def test_a_condition_is_answered_beside_the_distribution(lab: OddsLab) -> None:
    lab.set(condition="land >= 1")

    assert f"{1 - hypergeometric(24, 36, 10, 0):.2%}".replace("%", " %") in lab.sentences()[-1]


def test_the_simulated_answer_stands_beside_the_exact_one_with_its_error(lab: OddsLab) -> None:
    lab.controls["trials"].value = 20_000
    lab._start()
    mean: Any = lab.simulated.mean("land", 1) if lab.simulated else None

    assert ["exact", "simulated"] == list(lab.several())
    assert abs(float(mean) - 4) < 0.1
    assert "±" in str(lab)


def test_a_simulation_goes_on_beside_the_page_and_shows_how_far_it_is(lab: OddsLab) -> None:
    async def played() -> None:
        lab._start()
        with pytest.raises(BadData, match="running already"):
            lab._start()
        assert lab._job is not None
        await lab._job

    lab.controls["trials"].value = 200_000
    asyncio.run(played())

    assert lab.simulated is not None
    assert "200,000 trials" in lab.simulated.method
    assert "" == lab._progress.value
    assert "" == lab.error.value


def test_a_stopped_simulation_tells_how_many_trials_it_played(lab: OddsLab) -> None:
    async def stopped() -> None:
        lab._start()
        lab.stop()
        assert lab._job is not None
        await lab._job

    lab.controls["trials"].value = 4_000_000
    asyncio.run(stopped())

    assert lab.simulated is not None
    assert "Interrupted before the 4,000,000 trials" in lab.simulated.method


def test_a_simulation_of_what_is_no_longer_asked_is_not_shown_and_that_is_told(lab: OddsLab) -> None:
    async def overtaken() -> None:
        lab._start()
        await asyncio.sleep(0)
        lab.controls["once"].value = "mill 5"
        assert lab._job is not None
        await lab._job

    asyncio.run(overtaken())

    assert lab.simulated is None
    assert ["exact"] == list(lab.several())
    assert "You have changed the question" in lab._progress.value


def test_another_deck_or_plan_is_compared_in_one_chart(lab: OddsLab) -> None:
    lab.keep()
    lab.set(once="mill 5")

    assert ["exact", "kept"] == list(lab.several())
    assert [4.0, 2.0] == [pytest.approx(lab.several()[name].mean()) for name in ("kept", "exact")]
    assert ["exact", "kept"] == lab._bars.data["series"]
    lab.forget()
    assert ["exact"] == list(lab.several())


def test_the_code_gives_the_same_numbers(lab: OddsLab) -> None:
    lab.set(chance="1/2", text="mill 2", turns=3, draws=1, permanent="Bruvac the Grandiloquent", since=2, play=True)
    names: dict[str, Any] = {}
    exec(lab.code, names)
    assert lab.several()["exact"] == names["answer"].distribution("land", 3)

    lab.keep()
    lab.set(keep="2 to 5 lands", hand=7)
    *lines, last = lab.code.replace("\ncompare(", "\nfound = compare(").splitlines()
    exec("\n".join([*lines, last]), names)
    assert lab.several()["kept"].outcomes() == names["found"].values["kept"].outcomes()


def test_the_code_gives_every_number_that_is_shown(lab: OddsLab) -> None:
    """The exact answer, the simulated one, what is compared and the chance of the condition."""
    lab.set(condition="land >= 4", trials=2_000)
    lab.keep()
    lab.set(once="mill 5")
    lab.simulate()
    compared, found, p, kept, p_kept, simulated, about = run(lab.code)
    assert lab.several()["kept"].outcomes() == compared.values["kept"].outcomes()
    assert lab.several()["exact"] == found
    assert lab.several()["simulated"] == simulated
    assert p == pytest.approx(sum(hypergeometric(24, 36, 5, lands) for lands in (4, 5)))
    assert lab.several()["kept"] == kept
    assert p_kept == pytest.approx(sum(hypergeometric(24, 36, 10, lands) for lands in range(4, 11)))
    assert "kept: mean 4.0000" in lab.sentences()[4]
    assert f"kept: land >= 4 at the end of turn 1: {p_kept:.1%}".replace("%", " %") == lab.sentences()[5]
    assert lab.sentences()[3].startswith(f"simulated: land >= 4 at the end of turn 1: {about.short()}")


def test_the_file_with_the_code_prints_the_numbers(lab: OddsLab, capsys: pytest.CaptureFixture[str]) -> None:
    """Of ten cards four are lands with 27.5 %."""
    lab.set(condition="land >= 4")
    (program,) = (data.decode() for name, _, data in lab.files() if name == "odds.py")
    exec(program, {})
    *table, p = capsys.readouterr().out.strip().splitlines()

    assert f"{hypergeometric(24, 36, 10, 4):.1%}".replace("%", " %") in next(row for row in table if " 4 " in row)
    assert float(p) == pytest.approx(sum(hypergeometric(24, 36, 10, lands) for lands in range(4, 11)))


def test_a_value_that_no_trial_had_is_told_with_how_sure_that_is(lab: OddsLab) -> None:
    """A share of no trial in n is below 1 - 0.025 ** (1 / n) with 97.5 %, which is at most 0.2 % for 2,000."""
    lab.set(trials=2_000)
    lab.simulate()
    row = next(row for row in lab._bars.data["rows"] if row["value"] == "10")

    assert [0.0, "0 % (at most 0.192 %)"] == list(row["parts"][1].values())


def test_each_control_of_the_plan_is_a_line_of_code() -> None:
    lab = OddsLab(keep="2 to 5 lands", draws=2, once="mill 4", at=3, text="mill 1", every=2, chance="0.7", play=True)

    for line in (
        "Plan(on_the_play=True)",
        ".opening_hand(7, keep='2 to 5 lands')",
        ".each_turn(draw=2)",
        ".each_turn('mill 1', chance='0.7', every=2)",
        ".on_turn(3, 'mill 4')",
    ):
        assert line in lab.code.splitlines() or f"    {line}" in lab.code.splitlines()


def test_what_was_not_read_of_a_deck_is_shown() -> None:
    lab = OddsLab(deck="24 Island\n4 Some Unknown Name\n4x\n32 Grizzly Bears")

    assert "Some Unknown Name" in lab._read.value
    assert "1 not understood" in lab._read.value
    assert "Some Unknown Name" in lab._still()


def test_a_file_is_loaded_as_a_deck(lab: OddsLab) -> None:
    load(lab, b"30 Island\n30 Swamp")

    assert "30 Island\n30 Swamp" == lab.value("deck")
    assert "60 cards" in lab._read.value


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-16-le", "utf-8-sig"])
def test_a_file_in_any_encoding_loses_no_line(lab: OddsLab, encoding: str) -> None:
    load(lab, "30 Island\n4x\n30 Lim-D\u00fbl's Vault".encode(encoding))

    assert "30 Island\n4x\n30 Lim-D\u00fbl's Vault" == lab.value("deck")
    assert "1 not understood" in lab._read.value


def test_a_file_that_is_no_text_is_refused_in_the_lab(lab: OddsLab) -> None:
    load(lab, b"\x89PNG\r\n\x1a\n\x00\x00\x81")

    assert "24 Island\n36 Grizzly Bears" == lab.value("deck")
    assert "this is no text" in lab.error.value


def test_a_deck_text_never_opens_a_file(tmp_path: Any) -> None:
    file = tmp_path / "deck.txt"
    file.write_text("60 Island")
    lab = OddsLab()

    with pytest.raises(RulekitError):
        lab.set(deck=str(file))


def test_a_bar_that_is_pressed_shows_one_such_game_on_the_board(lab: OddsLab) -> None:
    lab.controls["trials"].value = 20_000
    lab._bars._told(None, {"value": "3"}, [])
    assert lab._board is not None
    state = lab._board.games[0].state
    milled = [state.look(number) for number in state.zone("graveyard", "the player")]

    assert 10 == len(milled)
    assert 3 == sum(card.is_a("land") for card in milled)
    assert "land milled is 3" in lab._board.title
    assert (lab._board,) == lab._place.children


def test_a_game_of_any_plan_can_be_watched(lab: OddsLab) -> None:
    lab.set(permanent="Rest in Peace", trials=1_000)
    state = lab.watch_game(4).state
    exiled = [state.look(number) for number in state.zone("exile", "the player")]

    assert 4 == sum(card.is_a("land") for card in exiled)
    assert 10 == len(exiled)
    assert () == state.zone("graveyard", "the player")


def test_a_game_after_a_mulligan_shows_the_hand_that_was_kept(lab: OddsLab) -> None:
    lab.set(hand=7, keep="7 lands", trials=2_000)
    state = lab.watch_game(4).state

    assert len(state.zone("hand", "the player")) in range(4, 8)
    assert 10 == len(state.zone("graveyard", "the player"))
    assert 60 == sum(len(state.zone(zone, "the player")) for zone in ("hand", "graveyard", "library"))


def test_a_game_to_watch_is_found_without_playing_all_the_trials(lab: OddsLab) -> None:
    """A hundred million trials would take minutes; the first ones are the same with any number of trials."""
    lab.set(trials=100_000_000)
    game = lab.watch_game(3)

    assert lab.simulated is None
    assert 10 == len(game.state.zone("graveyard", "the player"))
    lab.set(trials=2_000)
    assert game.state.zones == lab.watch_game(3).state.zones


def test_a_value_that_no_trial_had_cannot_be_watched_and_the_lab_says_what_to_do(lab: OddsLab) -> None:
    lab.set(trials=1_000)
    lab._bars._told(None, {"value": "10"}, [])

    assert "in no trial was land = 10" in lab.error.value
    assert "Play more trials, or take another seed." in lab.error.value


def test_numbers_chart_and_code_are_kept_as_files(lab: OddsLab) -> None:
    lab.export()
    files = {name: data for name, _, data in lab.files()}

    assert {"odds.csv", "odds.png", "odds.svg", "odds.py"} == files.keys()
    assert b"land,probability,series" == files["odds.csv"].splitlines()[0]
    assert files["odds.png"].startswith(b"\x89PNG")
    assert b"<svg" in files["odds.svg"]
    assert 4 == lab._files.value.count("download=")


def test_the_still_form_has_the_chart_with_its_numbers_in_words_and_the_same_bytes_each_time(lab: OddsLab) -> None:
    """Of ten cards four are lands more often than any other number: 27.5 %."""
    lab.keep()
    lab.set(once="mill 5")
    first, second = lab._still(), OddsLab.set(lab)._still()
    (text,) = re.findall(r'<img alt="([^"]+)"[^>]+src="data:image/png;base64,', first)

    assert first == second
    assert f"kept: Highest at land 4: {hypergeometric(24, 36, 10, 4):.1%}".replace("%", " %") in text
    assert f"exact: Highest at land 2: {hypergeometric(24, 36, 5, 2):.1%}".replace("%", " %") in text


def test_an_error_is_shown_and_no_old_number_stays(lab: OddsLab) -> None:
    lab.controls["once"].value = "mil 10"

    assert 'role="alert"' in lab.error.value
    assert lab.answer is None
    assert "" == lab._said.value
    assert "has no answer" in lab._still()
    assert "has no answer" in str(lab)
    with pytest.raises(BadData, match="has no answer"):
        lab.files()
    lab.controls["once"].value = "mill 10"
    assert "" == lab.error.value
    assert lab.answer is not None


def test_a_deck_list_like_a_picture_is_inert() -> None:
    lab = OddsLab(deck="24 Island\n4 <img src=x onerror=alert(1)>\n32 Grizzly Bears")

    assert "<img" not in lab._read.value + lab._code.value
    assert "<img src=x" not in lab._still()


def test_a_notebook_gets_view_still_form_and_text(lab: OddsLab) -> None:
    forms = lab._repr_mimebundle_()

    assert "application/vnd.jupyter.widget-view+json" in forms
    assert "land milled at the end of turn 1" in forms["text/html"]
    assert "exact: mean 4.0000" in forms["text/plain"]


def test_each_control_shows_the_line_of_code_that_it_stands_for(lab: OddsLab) -> None:
    lab.set(condition="land >= 4", draws=1, keep="2 to 5 lands", hand=7, trials=20_000)

    shown = {names: unescape(re.sub("<[^>]+>", "", line.value)) for names, line in lab._lines.items()}
    assert {name for names in shown for name in names} == lab.controls.keys()
    assert ".opening_hand(7, keep='2 to 5 lands')" == lab.line("keep") == shown["hand", "keep"]
    assert ".on_turn(1, 'mill 10')" == shown["once", "at"]
    assert "" == shown["permanent", "since"], "nothing there adds a line"
    assert "Plan()" == shown["play",]
    assert "answer.p('land >= 4', 1)" == shown["condition",]
    for names, line in shown.items():
        assert names in (("deck",), ("trials", "seed"), ("count", "turns")) or line in lab.code
    with pytest.raises(Unknown, match="no control is called"):
        lab.line("colour")


def test_another_turn_of_the_same_question_is_not_worked_out_anew_and_is_the_same() -> None:
    lab = OddsLab(keep="2 to 5 lands", chance="0.7", turns=5)
    lab.set(turns=6)
    ahead = lab.answer
    lab.set(turns=9)

    assert lab.answer is ahead
    assert 10 == ahead.turns
    alone = exact(Deck.read(lab.value("deck")), lab.asked.plan, ["land"], 9)
    assert alone.distribution("land", 9) == lab.several()["exact"]


def test_a_long_plan_says_that_it_is_worked_out_and_then_its_answer() -> None:
    lab = OddsLab(turns=3)
    told: list[str] = []
    lab._said.observe(lambda change: told.append(change["new"]), "value")
    lab.set(turns=9)

    assert "Working it out" in told[0]
    assert "exact: mean" in told[-1]
    told.clear()
    lab.set(turns=8)
    assert not any("Working it out" in each for each in told)


def test_a_slider_answers_each_number_and_keeps_to_its_bounds() -> None:
    slider = Slider("up to turn", 6, 1, 50)
    slider.asked, slider.turn = 99, 1

    assert (50, 1) == (slider.value, slider.done)


@pytest.mark.parametrize("plan", LONG)
@pytest.mark.parametrize("cards", [60, 99])
def test_a_change_of_a_plan_of_fifty_turns_is_answered_within_a_tenth_of_a_second(cards: int, plan: str) -> None:
    """The quickest of some changes, in the time of this process alone: other programs may run beside this one."""
    lab = OddsLab(deck=SIZES[cards], turns=50, **LONG[plan])
    seconds = []
    for draws in (2, 1, 2, 1, 3, 2):
        deck = f"{lab.value('deck')}\n"  # a deck list that was not asked before
        started = time.process_time()
        lab.set(draws=draws, deck=deck)
        seconds.append(time.process_time() - started)

    assert lab.answer is not None
    assert 0.1 > min(seconds)
