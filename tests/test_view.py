"""What is shown: nothing that a card or a player is called can become HTML, and each form says the same."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from rulekit.cards.card import Card
from rulekit.engine.game import Game
from rulekit.engine.position import position
from rulekit.scenarios.questions import named
from rulekit.widgets import view
from rulekit.widgets.board import Board
from rulekit.widgets.html import el, html, joined
from rulekit.widgets.picture import picture
from rulekit.widgets.sheet import Sheet

EVIL = "<img src=x onerror=alert(1)>"
DROPPED = {"script", "style", "iframe", "object", "svg", "math"}  # by the cleaner of a notebook that is not trusted


class Elements(HTMLParser):
    """The elements and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    @property
    def names(self) -> set[str]:
        return {name for name, _ in self.found}


@pytest.fixture(scope="module")
def evil() -> Game:
    """A game in which card, label, rules text and player are called something nasty, on every side."""
    card = Card(EVIL, "{1}", f"Creature — {EVIL}", f"When {EVIL} enters, {EVIL}.", power=1, toughness=1)
    zones = {zone: [card] for zone in ("battlefield", "hand", "graveyard", "exile", "library")}
    return Game(position(players=(EVIL, "Bob"), active=EVIL, **{EVIL: zones})).do("mill", EVIL, 1)


def shown(game: Game) -> dict[str, str]:
    sheet = Sheet(game, EVIL, EVIL)
    board = Board(game, title=EVIL)
    pages = {
        "game": view.game_html(game), "sheet": sheet.page, "board": str(board._still()),
        "sheet, shown": sheet._repr_html_(), "rule": view.rule_html(EVIL),
        "decision": view.decision_html(game.decision, game.state),
    }  # fmt: skip
    pages |= {f"part {place}": part for place, part in enumerate(board.play["parts"])}
    return pages | {f"face {place}": face for place, face in enumerate(board.play["faces"])}


def test_a_card_called_like_a_picture_is_no_picture(evil: Game) -> None:
    for name, page in shown(evil).items():
        parsed = Elements(page)
        assert "img" not in parsed.names, name
        assert not [attributes for _, attributes in parsed.found if "onerror" in attributes], name


def test_a_card_called_like_a_picture_is_plain_text_in_markdown(evil: Game) -> None:
    assert "<" not in Sheet(evil, EVIL, EVIL).markdown


def test_signs_that_steer_a_terminal_are_written_out() -> None:
    card = Card("\x1b[31mred\u202e", "", "Artifact")
    game = Game.of(Bob={"hand": [card]})

    for text in (view.game_text(game), view.game_html(game), Sheet(game).markdown):
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "x1b" in text


def test_attributes_are_escaped_and_absent_ones_left_out() -> None:
    assert '<p class="a&quot;b" hidden>&lt;i&gt;</p>' == el("p", "<i>", class_='a"b', hidden=True, title=None)
    assert "a<br>b" == joined(["a", "b"], el("br"))
    assert "&amp;amp;" == html("&amp;")


def test_still_forms_are_built_from_what_the_cleaner_leaves(evil: Game) -> None:
    page = view.game_html(evil) + view.scenario_html(named("701.17b-library-runs-out"))
    used = Elements(page)

    assert set() == used.names & (DROPPED | {"button", "input"})
    styles = " ".join(attributes["style"] or "" for _, attributes in used.found if "style" in attributes)
    assert not re.search(r"color|background", styles), "a colour of our own does not read in every theme"


def test_every_table_names_its_rows_and_columns(evil: Game) -> None:
    heads = [
        attributes.get("scope") for name, attributes in Elements(view.state_html(evil.state)).found if name == "th"
    ]

    assert heads
    assert None not in heads


def test_what_is_attached_stands_under_what_it_is_attached_to() -> None:
    """301.5a"""
    state = position(
        Alice={
            "battlefield": [
                {"card": "Grizzly Bears", "as": "bears"},
                {"card": "Sword of Body and Mind", "attached to": "bears"},
            ]
        }
    )
    (bears,) = picture(state).seats[0].zones[0].things

    assert "4/4" == bears.size
    assert ["Sword of Body and Mind"] == [thing.name for thing in bears.attached]
    assert "Grizzly Bears (bears) 4/4 (with Sword of Body and Mind)" in view.state_text(state)


def test_status_is_said_in_words() -> None:
    entry = {"card": "Grizzly Bears", "tapped": True, "token": True, "counters": {"+1/+1": 2}}
    (bears,) = picture(position(Alice={"battlefield": [entry]})).seats[0].zones[0].things

    assert ("tapped", "token", "2 +1/+1 counters") == bears.tags
    assert "4/4" == bears.size


def test_equal_neighbours_are_counted_and_a_long_zone_unfolds() -> None:
    names = ["Island", "Forest"] * 6
    state = position(Alice={"graveyard": names, "library": ["30 Island"]})

    assert (
        "graveyard 12: Island; Forest; Island; Forest; Island; Forest; Island; Forest; and 4 more"
        in view.state_text(state)
    )
    assert "library 30: Island ×30" in view.state_text(state)
    assert "details" in Elements(view.zone_html(picture(state).seats[0].zones[2])).names


def test_a_shuffled_library_says_that_nobody_knows_its_order() -> None:
    """701.24a"""
    game = Game.of(Bob={"library": ["Island", "Forest", "Island"]}).do("shuffle", "Bob")

    assert "library 3: in an order that nobody knows: Forest; Island ×2" in view.state_text(game.state)


def test_three_and_four_players_have_a_column_each() -> None:
    for players in (("Alice", "Bob", "Carol"), ("Alice", "Bob", "Carol", "Dan")):
        columns = [
            attributes
            for name, attributes in Elements(view.state_html(position(players=players))).found
            if name == "th" and attributes.get("scope") == "col"
        ]
        assert len(players) + 1 == len(columns)


def test_a_sentence_that_is_not_understood_is_struck_out_and_named() -> None:
    card = Card("Odd Thing", "{1}", "Artifact", "Flying\nFrobnicate all the gizmos.")

    assert "<s>Frobnicate all the gizmos.</s> (not understood)" in view.card_html(card)
    assert "not understood: Frobnicate all the gizmos." in view.card_text(card)
    assert "<s>" not in view.card_html(Card("Bird", "{W}", "Creature — Bird", "Flying", power=1, toughness=1))


def test_a_card_shows_its_abilities_as_understood_and_what_was_meant_where_they_are_not() -> None:
    card = Card("Odd <Blade>", "{2}", "Artifact", "Whenever Odd <Blade> enters, draw a card.\n{T}: Mils two cards.")
    shown = card._repr_html_()

    assert "<li>whenever this enters, draw a card</li>" in shown
    assert "did you mean mill" in shown
    assert "<Blade>" not in shown


def test_options_that_differ_in_nothing_are_offered_once() -> None:
    game = Game.of(Alice={"battlefield": ["3 Forest"], "mana": "lands"})
    assert game.decision is not None

    assert ["pass", "activate Forest {T}: add {G}"] == [word for _, word in view.offers(game.decision, game.state)]


def test_options_of_one_name_are_told_apart() -> None:
    """115.1: the two Bears are different targets."""
    given = {"battlefield": ["Grizzly Bears"], "hand": ["Lightning Bolt"]}
    game = Game.of(Alice=given, Bob={"battlefield": ["Grizzly Bears"]})
    assert game.decision is not None
    game = game.decide(next(option for option in game.decision.options if option.kind == "cast"))
    assert game.decision is not None
    words = [word for _, word in view.offers(game.decision, game.state)]

    assert {"Alice's Grizzly Bears", "Bob's Grizzly Bears"} <= set(words)


def test_the_log_names_the_rule_of_each_line_and_says_what_it_says() -> None:
    game = Game.of(Bob={"library": ["Island"]}).do("mill", "Bob", 1)
    lines = [attributes for name, attributes in Elements(view.log_html(game.state, game.log)).found if name == "code"]

    assert ["701.17a (edition of"] == [(attributes["title"] or "")[:19] for attributes in lines]
    assert "701.17a  Bob mills 1 card: Island" == view.log_text(game.state, game.log)


def test_text_and_html_of_a_game_say_the_same_numbers() -> None:
    game = named("701.17b-library-runs-out").play().game
    assert game is not None
    text = re.sub(r"<[^>]*>", " ", re.sub(r'title="[^"]*"', "", view.game_html(game)))

    for number in re.findall(r"\d+\.\d+[a-z]?|\d+ life", view.game_text(game)):
        assert number in text


def test_a_notebook_gets_all_forms_of_a_game_and_no_address() -> None:
    forms = Game.of(Bob={"library": ["Island"]})._repr_mimebundle_()

    assert {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"} == set(forms)
    assert " at 0x" not in forms["text/html"] + forms["text/plain"]


def test_a_sheet_has_position_deeds_log_rules_and_answer() -> None:
    scenario = named("701.17b-library-runs-out")
    game = scenario.play().game
    assert game is not None
    page = Sheet(game, scenario.question, scenario.answer).markdown

    for heading in ("Position", "What is done", "What happens", "How it stands", "Answer", "The rules"):
        assert f"\n## {heading}\n" in page
    assert "| 701.17a | Bob mills 3 cards: Island ×3 |" in page
    assert "He mills the three he has." in page
    assert "1. Alice begins to cast Glimpse the Unthinkable" in page
