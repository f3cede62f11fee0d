"""The stories of the widgets in JupyterLab: played by hand and by the keyboard alone, read by axe, in both themes."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from rulekit import Scenario
from tests.browser import Notebook
from tests.desk import Desk

pytestmark = pytest.mark.usefixtures("page_closed_afterwards")

EVIL = "<img src=x onerror=document.title='pwned'>"
DUEL = """\
from rulekit import Board, Game

Board(Game.of(
    Alice={"battlefield": ["Grizzly Bears"], "hand": ["Lightning Bolt"]}, Bob={"library": ["Island", "Forest"]}
).do("mill", "Bob", 1))"""
FOUR = """\
from rulekit import Board, Game

bears = {"card": "Grizzly Bears", "as": "bears", "counters": {"+1/+1": 2}}
worn = [{"card": name, "attached to": "bears"} for name in ("Bonesplitter", "Rancor")]
wolves = {"card": "Wolf", "token": True, "count": 2}
Board(Game.of(
    players=["Alice", "Bob", "Carol", "Dave"],
    Alice={"battlefield": [bears, *worn, "Millstone", wolves], "hand": ["Reality Ripple"]},
    Bob={"battlefield": [{"card": "Hill Giant", "tapped": True}]},
    Dave={"counters": {"poison": 3}, "battlefield": ["Bruvac the Grandiloquent"]},
))"""
NASTY = f"""\
from rulekit import Board, Card, Game

card = Card({EVIL!r}, "", "Artifact", {EVIL!r})
game = Game.of(Alice={{"battlefield": [card], "hand": [card], "library": [card]}}).do("mill", "Alice", 1)
board = Board(game, title={EVIL!r})"""
NASTY_LABS = f"""\
from rulekit import Board, Deck, OddsLab, Question, Quiz, Scenario, Trainer

said = {EVIL!r}
scenario = Scenario.read_text(f'''
title: "{{said}}"
rules: ["701.17a"]
question: "{{said}}?"
answer: "{{said}}"
given:
  players: ["{{said}} one", Bob]
  cards:
    "{{said}}": {{{{types: Artifact, abilities: [{{{{activated: "{{{{T}}}}: each player mills 1"}}}}]}}}}
  "{{said}} one":
    battlefield: [{{{{card: "{{said}}", as: "{{said}} two"}}}}]
    library: ["{{said}}"]
do:
  - activate: "{{said}} two"
  - resolve
expect:
  "{{said}} one.library": 0
''')"""
QUESTION = """\
from rulekit import Question, question

Question(question("mill/701.17d-sum-of-two-mana-values"))"""
MOMENTS = """\
from rulekit import Quiz, about

asked = ("Life that is paid is lost", "No chill under Rest in Peace")
Quiz([each for each in about("mill") if each.title in asked])"""
BETWEEN = """\
from rulekit import Board, question

Board(question("mill/701.17a-sword-of-body-and-mind"))"""
LONG = BETWEEN.replace("mill/701.17a-sword-of-body-and-mind", "equip/301.5d-creature-stolen")
LINE_SEEN = """log => {
    const line = log.querySelector('[aria-current="step"]').getBoundingClientRect();
    const seen = log.getBoundingClientRect();
    return line.top >= seen.top - 1 && line.bottom <= seen.bottom + 1;
}"""
KERNELS_GONE = """async () => {
    const xsrf = document.cookie.match(/_xsrf=([^;]+)/)?.[1];
    for (const each of await (await fetch('/api/kernels')).json())
        await fetch('/api/kernels/' + each.id, {method: 'DELETE', headers: {'X-XSRFToken': xsrf}});
}"""
FOCUSED = "() => document.activeElement.className + '|' + document.activeElement.textContent"
LIGHT, DARK = "JupyterLab Light", "JupyterLab Dark"


def board_of(notebook: Notebook) -> tuple[Locator, Locator]:
    """The board, and the line that says where it stands."""
    notebook.run_all()
    board = notebook.page.locator(".rk-board").first
    board.wait_for()
    return board, board.get_by_role("status")


def serious(page: Page) -> list[str]:
    """What axe holds to be serious in the outputs, without the number that JupyterLab sets before them."""
    assert page.locator(".jp-OutputArea").count(), "there are no outputs"
    outputs = {"include": [".jp-OutputArea"], "exclude": [".jp-OutputPrompt"]}
    found = Axe().run(page, context=outputs, options={"resultTypes": ["violations"]})
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:200]}"
        for each in found.response["violations"]
        if each["impact"] in ("serious", "critical")
    ]


def dress(page: Page, theme: str) -> None:
    """Choose a theme in the menu."""
    page.get_by_role("menuitem", name="Settings", exact=True).click()
    page.locator('.lm-Menu-item[data-type="submenu"]', has_text=re.compile("^Theme$")).hover()
    page.locator('.lm-Menu-item[data-command="apputils:change-theme"]', has_text=theme).first.click()
    page.locator(f'body[data-jp-theme-name="{theme}"]').wait_for(state="attached")


def press_until(page: Page, key: str, focused: str) -> None:
    """Press a key until something has the focus."""
    for _ in range(60):
        if page.evaluate(FOCUSED).endswith(f"|{focused}"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} never leads to {focused!r}")


def test_the_board_is_stepped_decided_and_branched_by_the_keyboard_alone(desk: Desk) -> None:
    notebook = desk.write("keyboard.ipynb", DUEL)
    page = notebook.page
    board, status = board_of(notebook)
    board.locator(".rk-start").focus()

    page.keyboard.press("ArrowRight")
    expect(status).to_contain_text("Step 2 of 2: Bob mills 1 card: Island (701.17a)")
    page.keyboard.press("Home")
    expect(status).to_contain_text("Step 1 of 2")
    page.keyboard.press("End")
    expect(status).to_contain_text("Step 2 of 2")
    assert page.evaluate(FOCUSED).startswith("rk-start"), "the focus stays where it was"

    press_until(page, "Tab", "cast Lightning Bolt")
    page.keyboard.press("Enter")
    expect(status).to_contain_text("Step 3 of 3: Alice begins to cast Lightning Bolt")
    assert page.evaluate(FOCUSED).startswith("rk-option"), "the focus goes to the next decision"

    page.keyboard.press("ArrowLeft")
    expect(status).to_contain_text("Step 2 of 3")
    press_until(page, "Tab", "everybody passes")
    page.keyboard.press("Enter")
    expect(status).to_contain_text("beginning of combat")
    lines = board.locator(".rk-lines")
    expect(lines.locator("option")).to_have_count(2)
    lines.focus()
    page.keyboard.press("ArrowUp")
    expect(status).to_contain_text("Step 2 of 3")
    assert [] == notebook.problems


def test_the_log_follows_the_step(desk: Desk) -> None:
    notebook = desk.write("long.ipynb", LONG)
    board, status = board_of(notebook)
    log = board.locator(".rk-log")
    board.locator(".rk-end").click()
    notebook.page.wait_for_function(LINE_SEEN, arg=log.element_handle())
    assert log.evaluate("log => log.scrollHeight > log.clientHeight"), "there is more to tell than fits"
    assert log.evaluate("log => log.scrollTop > 0")
    board.locator(".rk-start").click()
    board.locator(".rk-forward").click()
    expect(status).to_contain_text("Step 2 of")
    board.locator(".rk-end").click()
    notebook.page.wait_for_function(LINE_SEEN, arg=log.element_handle())
    assert [] == notebook.problems


def test_a_game_is_kept_by_the_keyboard_alone(desk: Desk) -> None:
    notebook = desk.write("kept.ipynb", DUEL)
    page = notebook.page
    board, _ = board_of(notebook)
    board.locator(".rk-start").focus()
    press_until(page, "Tab", "Save as scenario")
    page.keyboard.press("Enter")
    expect(board.get_by_role("textbox", name="scenario.yaml")).to_have_value(re.compile("mill: 1"))
    assert page.evaluate(FOCUSED).startswith("rk-save"), "the focus stays where it was"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(board.get_by_role("textbox", name="answer-sheet.md")).to_have_value(re.compile("Bob mills 1 card"))
    assert [] == notebook.problems


def test_the_board_says_when_python_is_busy_and_no_more_when_it_has_answered(desk: Desk) -> None:
    notebook = desk.write("busy.ipynb", DUEL, "import time\n\ntime.sleep(20)")
    page = notebook.page
    page.locator(".jp-CodeCell").first.click()
    page.keyboard.press("Shift+Enter")
    board = page.locator(".rk-board").first
    board.wait_for()
    page.keyboard.press("Shift+Enter")
    board.get_by_role("button", name="cast Lightning Bolt").click()
    expect(board.get_by_role("alert")).to_contain_text("Python has not answered yet")
    expect(board.get_by_role("status")).to_contain_text("Alice begins to cast Lightning Bolt")
    expect(board.get_by_role("alert")).to_be_hidden()
    assert [] == notebook.problems


def test_the_board_branches_at_a_step_between_two_decisions(desk: Desk) -> None:
    notebook = desk.write("between.ipynb", BETWEEN)
    board, status = board_of(notebook)
    for _ in range(20):
        if board.get_by_text("This came of a choice").count():
            break
        board.locator(".rk-forward").click()
    expect(status).to_contain_text("becomes tapped")
    expect(board.locator(".rk-decision")).to_contain_text("This came of a choice")
    expect(board.get_by_role("button", name="Bob", exact=True)).to_have_attribute("aria-current", "true")
    board.get_by_role("button", name="no", exact=True).click()
    expect(board.locator(".rk-lines option")).to_have_count(2)
    assert [] == notebook.problems


def test_four_players_have_room_and_their_board_goes_on_without_the_kernel(desk: Desk) -> None:
    """702.26g: what is attached phases out with its permanent."""
    notebook = desk.write("four.ipynb", FOUR)
    page = notebook.page
    board, status = board_of(notebook)
    battlefield = board.get_by_role("row", name="battlefield")
    expect(battlefield.get_by_role("cell")).to_have_count(4)
    expect(battlefield.locator("li li")).to_have_text(["Bonesplitter", "Rancor"])
    expect(battlefield).to_contain_text("2 +1/+1 counters")
    expect(battlefield).to_contain_text("(tapped)")
    expect(battlefield).to_contain_text("(token)")
    expect(board.get_by_role("columnheader", name=re.compile("^Dave"))).to_have_text("Dave (20 life, 3 poison)")

    board.get_by_role("button", name="cast Reality Ripple").click()
    board.get_by_role("button", name="bears", exact=True).click()
    board.locator(".rk-all-pass").click()
    expect(battlefield.locator("li li").first).to_contain_text("phased out")
    name = board.locator(".rk-object", has_text="Bonesplitter")
    assert name.evaluate("each => each.getClientRects().length == 1 && each.clientHeight < 40"), "it is not broken"
    name.focus()
    expect(board.locator(".rk-face")).to_contain_text("Artifact — Equipment")
    assert [] == serious(page)
    board.get_by_role("button", name="Save as scenario").click()
    saved = board.get_by_role("textbox", name="scenario.yaml")
    expect(saved).to_have_value(re.compile("Reality Ripple"))
    assert "passed" == Scenario.read_text(saved.input_value()).play().status
    assert [] == notebook.problems

    page.evaluate(KERNELS_GONE)
    steps = int(status.inner_text().split(" of ")[1].split(":")[0])
    for press, step in (("start", 1), ("forward", 2), ("end", steps), ("back", steps - 1)):
        board.locator(f".rk-{press}").click()
        expect(status).to_contain_text(f"Step {step} of {steps}")


def test_a_game_is_kept_and_the_board_steps_on_without_the_kernel(desk: Desk) -> None:
    notebook = desk.write("keep.ipynb", DUEL)
    board, status = board_of(notebook)
    board.get_by_role("button", name="Save as scenario").click()
    expect(board.get_by_role("textbox", name="scenario.yaml")).to_have_value(re.compile("mill: 1"))
    board.get_by_role("button", name="Answer sheet").click()
    expect(board.get_by_role("textbox", name="answer-sheet.md")).to_have_value(re.compile("701.17a . Bob mills 1 card"))
    assert "answer-sheet.html" == board.locator("a[download]").last.get_attribute("download")
    assert [] == notebook.problems

    notebook.page.evaluate(KERNELS_GONE)
    board.locator(".rk-forward").click()
    expect(status).to_contain_text("Step 2 of 2")
    board.get_by_role("button", name="cast Lightning Bolt").click()
    expect(board.get_by_role("alert")).to_contain_text("Python has not answered yet")
    board.locator(".rk-back").click()
    expect(status).to_contain_text("Step 1 of 2")


def test_a_line_of_the_log_tells_its_rule_and_why_beside_itself(desk: Desk) -> None:
    notebook = desk.write("why.ipynb", BETWEEN.replace('body-and-mind")', 'body-and-mind"), at=-1'))
    board, status = board_of(notebook)
    said = board.get_by_role("region", name="Log").locator(".rk-rule")
    mills = board.locator(".rk-line", has_text="Bob mills 10 cards")
    expect(said).to_be_hidden()
    mills.focus()
    expect(said).to_contain_text("701.17a: To mill a number of cards")
    expect(said).to_contain_text("Why? Alice puts Sword of Body and Mind trigger on the stack (603.3); ")
    board.locator(".rk-line", has_text="Bob loses 4 life").hover()
    expect(said).to_contain_text("Why? Grizzly Bears deals 4 combat damage to Bob (120.3)")
    mills.press("Enter")
    expect(status).to_contain_text("Bob mills 10 cards")
    expect(said).to_contain_text("701.17a")
    assert [] == notebook.problems


def test_what_is_kept_is_inert_where_it_is_opened(desk: Desk) -> None:
    said = "compare((deck, plan), (deck, plan.draw(2)), question='land', turn=1, labels=[said, 'other'])"
    chart = (
        "import base64\n\nfrom rulekit import Plan, compare\nfrom rulekit.widgets import charts\n\n"
        "deck, plan = Deck({said: 4, 'Island': 20}), Plan().on_turn(1, 'mill 3')\n"
        f"drawn = charts.picture({said}.plot(), 'svg')\n"
        "print('data:image/svg+xml;base64,' + base64.b64encode(drawn).decode())"
    )
    notebook = desk.write("kept-nasty.ipynb", NASTY_LABS, "Board(scenario)", chart)
    notebook.run_all()
    board = notebook.page.locator(".rk-board")
    board.get_by_role("button", name="Answer sheet").click()
    sheet = board.get_by_role("textbox", name="answer-sheet.html").input_value()
    assert f"{EVIL} one" in sheet.replace("&lt;", "<").replace("&gt;", ">").replace("&#x27;", "'")
    svg = notebook.page.locator(".jp-OutputArea pre", has_text="data:image/svg").inner_text().strip()

    (desk.folder / "sheet.html").write_text(sheet, encoding="utf-8")
    for address in ((desk.folder / "sheet.html").as_uri(), svg):
        page = desk.context.new_page()
        page.goto(address)
        page.wait_for_timeout(300)
        assert 0 == page.locator("img").count()
        assert "pwned" != page.title()
        assert page.get_by_text("<img src=x").count() or "svg" in address
        if "svg" not in address:
            page.emulate_media(media="print")
            page.set_viewport_size({"width": 794, "height": 1123})  # A4
            assert page.evaluate("document.documentElement.scrollWidth <= 794"), "it fits on paper"
    assert [] == notebook.problems


def test_a_card_called_like_a_picture_is_inert_in_all_forms(desk: Desk) -> None:
    notebook = desk.write("nasty.ipynb", NASTY, "board", "game", "card", "board.sheet()", "print(board)")
    board, _ = board_of(notebook)
    board.locator(".rk-forward").click()
    for place in range(board.locator(".rk-object").count()):
        board.locator(".rk-object").nth(place).hover()
    board.get_by_role("button", name="Answer sheet").click()
    board.get_by_role("textbox", name="answer-sheet.html").wait_for()

    assert 0 == notebook.page.locator(".jp-OutputArea img").count()
    assert "pwned" != notebook.page.title()
    assert EVIL in board.locator(".rk-title").inner_text()
    assert [] == notebook.problems


def test_questions_decks_and_labs_full_of_markup_are_inert(desk: Desk) -> None:
    shown = (
        "Question(scenario)",
        "Deck({said: 4})",
        "OddsLab(deck=f'60 Island\\n4 {said}')",
        "Trainer(number=1)",
        "scenario",
    )
    notebook = desk.write("nasty-labs.ipynb", NASTY_LABS, *shown, "Quiz([scenario], said)")
    notebook.run_all()
    page = notebook.page
    page.get_by_role("button", name="Show what happens").first.click()
    page.get_by_role("button", name="one more card in").first.click()
    page.get_by_role("table").filter(has_text="before").wait_for()
    page.get_by_role("textbox", name="Rule, such as 701.17").fill(EVIL)
    page.get_by_role("textbox", name="Rule, such as 701.17").press("Tab")
    expect(page.get_by_role("alert")).to_contain_text(EVIL)
    page.get_by_role("textbox", name="Condition, such as land >= 4").fill(EVIL)
    page.get_by_role("textbox", name="Condition, such as land >= 4").press("Tab")
    expect(page.get_by_role("alert")).to_have_count(2)

    assert 0 == page.locator(".jp-OutputArea img").count()
    assert "pwned" != page.title()
    assert [] == notebook.problems


def test_the_moment_of_something_is_predicted_and_a_set_keeps_score(desk: Desk) -> None:
    """601.2h, 603.3: Mindcrank triggers while the life is paid; 614.6: without Rest in Peace the Chill triggers."""
    notebook = desk.write("moments.ipynb", MOMENTS)
    notebook.run_all()
    page = notebook.page
    page.get_by_label("Your prediction: when does Mindcrank trigger?").select_option(
        "while Sinister Concoction ability is activated"
    )
    page.get_by_role("button", name="Show what happens").click()
    expect(page.get_by_role("status").filter(has_text="when does Mindcrank trigger")).to_contain_text("(right)")
    expect(page.locator(".rk-score")).to_contain_text("1 of 3 predictions right, 1 of 2 questions answered.")

    page.get_by_role("button", name="Next question").click()
    asked = page.get_by_label("Your prediction: does Creeping Chill trigger?")
    asked.select_option("no")
    expect(page.get_by_label("does Rest in Peace trigger?")).to_have_count(0)
    page.get_by_role("button", name="Show what happens").click()
    expect(page.locator(".rk-score")).to_contain_text("2 of 7 predictions right, 2 of 2 questions answered.")
    page.get_by_role("button", name="Rest in Peace is not on the battlefield").click()
    changed = page.get_by_role("table").filter(has_text="before")
    expect(changed.get_by_role("row", name="does Creeping Chill trigger?")).to_contain_text("yes")
    assert [] == notebook.problems


def test_a_question_is_predicted_revealed_and_varied_and_axe_finds_nothing_serious(desk: Desk) -> None:
    notebook = desk.write("question.ipynb", QUESTION)
    notebook.run_all()
    page = notebook.page
    page.get_by_role("textbox", name="number of cards in Alice's hand").fill("6")
    page.get_by_role("button", name="Show what happens").click()
    verdict = page.get_by_role("status").filter(has_text="right")
    expect(verdict).to_contain_text("number of cards in Alice's hand: 6 (right)")
    expect(page.locator(".rk-board .rk-status")).to_contain_text("Step 1 of")
    page.get_by_role("button", name="one more card in Alice's library").click()
    assert 0 == page.get_by_role("button", name="Bob controls one more Bruvac").count()  # the legend rule stops it
    expect(page.get_by_role("table").filter(has_text="before")).to_contain_text("now")
    page.locator(".rk-board .rk-end").click()
    page.locator(".rk-board .rk-object").first.hover()
    assert [] == notebook.problems

    assert [] == serious(page)
    dress(page, DARK)
    found = serious(page)
    dress(page, LIGHT)
    assert [] == found
