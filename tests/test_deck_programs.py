"""Deck lists as particular programs, sites and forums write them, every list of our own words."""

from __future__ import annotations

import gzip
import json
import warnings

import pytest

from rulekit.cards.card import Card
from rulekit.cards.deck import Deck, DeckWarning
from rulekit.cards.pool import CardPool
from rulekit.rules import BadData

Sections = dict[str, dict[str, int]]

COMMANDER = {"Bruvac the Grandiloquent": 1}
DECK = {"Hedron Crab": 4, "Island": 20}
SIDE = {"Murder": 2}
MAYBE = {"Opt": 1}
EVERY: Sections = {"main": DECK, "sideboard": SIDE, "commander": COMMANDER, "maybeboard": MAYBE}


def told(text: str | bytes, pool: CardPool | None = None) -> tuple[Sections, list[tuple[int, str]]]:
    """The sections of a list, and the lines that are told as not understood."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeckWarning)
        deck = Deck.read(text, pool)
    return {section: dict(deck.section(section)) for section in deck.sections}, [each[:2] for each in deck.unread]


JSON_DECKS = {
    "Moxfield, with the card that is shown first": {
        "main": {"name": "Bruvac the Grandiloquent"},
        "commanders": {"Bruvac the Grandiloquent": {"quantity": 1, "card": {"name": "Bruvac the Grandiloquent"}}},
        "mainboard": {
            "Hedron Crab": {"quantity": 4, "card": {"name": "Hedron Crab"}},
            "Island": {"quantity": 20, "card": {"name": "Island"}},
        },
        "sideboard": {"Murder": {"quantity": 2, "card": {"name": "Murder"}}},
        "maybeboard": {"Opt": {"quantity": 1, "card": {"name": "Opt"}}},
    },
    "Archidekt": {
        "categories": [
            {"name": "Commander", "includedInDeck": True},
            {"name": "Ideas", "includedInDeck": False},
        ],
        "cards": [
            {
                "quantity": number,
                "categories": categories,
                "card": {"collectorNumber": "7", "oracleCard": {"name": name}},
            }
            for number, name, categories in (
                (1, "Bruvac the Grandiloquent", ["Commander"]),
                (4, "Hedron Crab", ["Crabs"]),
                (20, "Island", None),
                (2, "Murder", ["Sideboard"]),
                (1, "Opt", ["Ideas"]),
            )
        ],
    },
    "Scryfall": {
        "object": "deck",
        "entries": {
            "commanders": [{"count": 1, "card_digest": {"name": "Bruvac the Grandiloquent"}}],
            "nonlands": [
                {"count": 4, "raw_text": "4 Hedron Crab", "card_digest": None},
                {"count": 0, "raw_text": "", "found": False, "card_digest": None},
            ],
            "lands": [{"count": 20, "card_digest": {"name": "Island"}}],
            "sideboard": [{"count": 2, "card_digest": {"name": "Murder"}}],
            "outside": [{"count": 1, "card_digest": {"name": "Opt"}}],
        },
    },
    "Deckstats": {
        "sections": [
            {
                "name": "Lands",
                "cards": [{"amount": 20, "name": "Island"}],
            },
            {
                "name": "Crabs",
                "cards": [
                    {"amount": 4, "name": "Hedron Crab"},
                    {"amount": 1, "name": "Bruvac the Grandiloquent", "isCommander": True},
                ],
            },
        ],
        "sideboard": [{"amount": 2, "name": "Murder"}],
        "maybeboard": [{"amount": 1, "name": "Opt"}],
    },
    "records of tournaments": {
        "Player": "somebody",
        "Mainboard": [{"Count": 4, "CardName": "Hedron Crab"}, {"Count": 20, "CardName": "Island"}],
        "Sideboard": [{"Count": 2, "CardName": "Murder"}],
        "Commander": [{"Count": 1, "CardName": "Bruvac the Grandiloquent"}],
        "Maybe": "1 Opt",
    },
    "records of Magic Online": {
        "main_deck": [
            {"qty": "4", "sideboard": "false", "card_attributes": {"card_name": "Hedron Crab"}},
            {"qty": "20", "sideboard": "false", "card_attributes": {"card_name": "Island"}},
        ],
        "sideboard_deck": [{"qty": "2", "sideboard": "true", "card_attributes": {"card_name": "Murder"}}],
        "commander": {"name": "Bruvac the Grandiloquent", "n": 1},
        "maybeboard": {"Opt": 1},
    },
    "a text with headings": {
        "decklist": "Commander\n1 Bruvac the Grandiloquent\n\nDeck\r\n4 Hedron Crab\n20 Island\n\n"
        "Sideboard\n2 Murder\n\nMaybeboard\n1 Opt\n"
    },
    "a deck beside its commander": {
        "commander": ["Bruvac the Grandiloquent"],
        "deck": ["4 Hedron Crab", {"name": "Island", "count": "20x"}],
        "sideboard": {"Murder": 2},
        "maybe": "Opt",
        "companion": None,
    },
    "cards that say where they stand": {
        "Cards": [
            {"Name": name, "Quantity": number, "Zone": zone}
            for name, number, zone in (
                ("Hedron Crab", 4, "Main"),
                ("Island", 20, "Main"),
                ("Murder", 2, "Side"),
                ("Bruvac the Grandiloquent", 1, "Commander"),
                ("Opt", 1, "Maybe"),
            )
        ]
    },
    "cards marked as those of the sideboard": [
        {"name": "Hedron Crab", "qty": 4, "sideboard": False},
        {"name": "Island", "qty": 20, "sideboard": False},
        {"name": "Murder", "qty": 2, "sideboard": True},
        {"name": "Bruvac the Grandiloquent", "isCommander": True},
        {"name": "Opt", "board": "maybeboard"},
    ],
    "texts": {
        "deck": {
            "main": "4 Hedron Crab\n20 Island\n",
            "sideboard": ["2 Murder"],
            "commander": "Bruvac the Grandiloquent",
            "maybe": ["Opt"],
        }
    },
}


@pytest.mark.parametrize("deck", JSON_DECKS.values(), ids=JSON_DECKS)
def test_json_of_a_program_is_read(deck: object) -> None:
    assert (EVERY, []) == told(json.dumps(deck) + "\n")


def test_a_list_of_cards_in_json_is_a_deck_and_other_lists_are_none() -> None:
    cards = [{"name": "Hedron Crab", "count": 4}, {"name": "Island", "count": 20}]

    assert ({"main": DECK}, []) == told(json.dumps(cards))
    assert ({"main": {"Hedron Crab": 2}}, []) == told(json.dumps(["Hedron Crab", "Hedron Crab"]))
    with pytest.raises(BadData, match="this JSON is no deck"):
        Deck.read('[{"price": 1}, {"price": 2}]')


def test_a_section_that_nobody_knows_is_told_and_its_cards_are_kept() -> None:
    boards = {"boards": {"mainboard": {"Island": 20}, "seventh board": {"Hedron Crab": 4}}}

    assert ({"main": DECK}, [(0, "seventh board")]) == told(json.dumps(boards))
    assert ({"main": DECK}, [(2, "seventh board")]) == told(
        "Section,Count,Name\nseventh board,4,Hedron Crab\nLands,20,Island\n"
    )


TABLES = {
    "boards, and a column for the commander": (
        "Board,Qty,Name,Printing,Commander\nmain,1,Bruvac the Grandiloquent,JMP,True\nmain,4,Hedron Crab,,\n"
        "main,20,Island,,\nside,2,Murder,,\nacquire,1,Opt,,\n"
    ),
    "sections of Scryfall": (
        "section,count,name,set_code\ncommanders,1,Bruvac the Grandiloquent,jmp\nnonlands,4,Hedron Crab,zen\n"
        "lands,20,Island,zen\nsideboard,2,Murder,m13\noutside,1,Opt,dom\n"
    ),
    "a column for each section": (
        "Card;Main;Sideboard;Commander;Maybeboard\nHedron Crab;4;;0;\nIsland;20;0;;\nMurder;;2;;\n"
        "Bruvac the Grandiloquent;;;1;\nOpt;;;;1\n"
    ),
    "a column of numbers for each section": (
        "Name,Main Qty,Side Qty,Maybeboard Qty,Commander Qty\nHedron Crab,4,0,0,0\nIsland,20,0,0,0\nMurder,0,2,0,0\n"
        "Opt,0,0,1,0\nBruvac the Grandiloquent,0,0,0,1\n"
    ),
    "columns that say yes or no": (
        "name,count,maybeboard,sideboard,commander\nHedron Crab,4,false,false,false\nIsland,20,false,false,false\n"
        "Murder,2,false,true,false\nBruvac the Grandiloquent,1,false,false,true\nOpt,1,true,false,false\n"
    ),
    "columns of a spreadsheet": (
        "Qty\tName\tBoard\n4\tHedron Crab\tMain\n20\tIsland\tMain\n2\tMurder\tSide\n"
        "1\tBruvac the Grandiloquent\tCommander\n1\tOpt\tMaybe\n"
    ),
}


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
def test_a_table_says_where_its_cards_stand(text: str) -> None:
    assert (EVERY, []) == told(text)


@pytest.mark.parametrize(
    "text",
    [
        "QuantityX,Name,Edition (code)\n4x,Hedron Crab,ZEN\n20x,Island,ZEN\n",
        "Anzahl;Kartenname\n4;Hedron Crab\n20;Island\n",
        "Quantité;Nom\n4;Hedron Crab\n20;Island\n",
        "Nombre;Nom\n4;Hedron Crab\n20;Island\n",
        "Cantidad;Nombre\n4;Hedron Crab\n20;Island\n",
        "Count,Name\nx4,Hedron Crab\n20,Island\n",
        "| Count | Name |\n|-------+------|\n| 4 | [Hedron Crab](https://example.org) |\n| 20 | [[Island]] |\n",
        "+----+------+\n| Qty | Name |\n+----+------+\n| 4 | Hedron Crab |\n+----+------+\n| 20 | Island |\n",
        "枚数,カード名\n4,Hedron Crab\n20,Island\n",
        'Name\n"4 Hedron Crab"\n20 Island\n',
        "Name\nHedron Crab\nHedron Crab\nHedron Crab\nHedron Crab\n20 Island\n",
    ],
)
def test_the_columns_of_a_table_have_many_names(text: str) -> None:
    assert ({"main": DECK}, []) == told(text)


def test_a_column_of_names_alone_may_hold_commas() -> None:
    pool = CardPool([Card("Ebb, Last of the Tide", "{U}", "Legendary Creature — Crab", power=1, toughness=1)])

    assert ({"main": {"Ebb, Last of the Tide": 2}}, []) == told(
        'Name\n"Ebb, Last of the Tide"\nEbb, Last of the Tide\n', pool
    )


def test_cards_of_lackey_have_their_name_inside() -> None:
    zone = "<card><name id='1'>{}</name><set>ZEN</set></card>"
    text = f"<deck><meta><game>mtg</game></meta><superzone name='Deck'>{zone.format('Island') * 2}</superzone>\n"
    text += f"<superzone name='Sideboard'>{zone.format('Murder')}</superzone></deck>"

    assert ({"main": {"Island": 2}, "sideboard": {"Murder": 1}}, []) == told(text)


FORUMS = {
    "tags of a forum": (
        "[deck=Crabs]\n[b]Creatures[/b]\n4 [card]Hedron Crab[/card]\n[b]Lands[/b]\n[*]20 [card]Island[/card]\n"
        "[size=2]Sideboard[/size]\n2 [card]Murder[/card]\n[/deck]\n"
    ),
    "tags in the lines of the cards": "[DECK]4 Hedron Crab\n20 Island\n\nSideboard\n2 Murder[/DECK]\n",
    "names that a bot looks up": "4 [[Hedron Crab]]\n20x [[Island|ZEN]]\n\n**Sideboard**\n\n2 [[Murder]]\n",
    "a name that a bot looks up in front": "[[Hedron Crab]] x4\n[[Island]] x20\nSideboard\n[[Murder]] x2\n",
    "brackets of Japanese shops": "4 《Hedron Crab》\n20《Island》\nサイドボード\n2 《Murder》\n",
    "headings in square brackets": "[CREATURES]\n4 Hedron Crab\n[LANDS]\n20 Island\n[SIDEBOARD]\n2 Murder\n",
    "a title and facts above the cards": (
        "Crabs for all\nFormat: Modern\n\n4 Hedron Crab\n20 Island\n\nSideboard\n2 Murder\n\nTotal: 26 cards\n"
    ),
    "bullets of a word processor": "– 4 Hedron Crab\n– 20 Island\n\nSideboard\n▪ 2 Murder\n",
    "other signs of multiplication": "4*Hedron Crab\n20 ×Island\nSB: 2×Murder\n",
    "set and number as shops have them": "4 Hedron Crab [ZEN] 47\n20 Island [ZEN] 230a\nSB: 2 Murder [PLST] M13-102\n",
    "version and set as markets have them": "4x Hedron Crab (V.2) (Zendikar)\n20 Island (V.1)\nSB: 2 Murder 0.05 tix\n",
    "UTF-8 that was decoded as Windows-1252": "4 Hedron Crab Â´\n20 Island\n\nRÃ©serve\n2 Murder\n".replace(" Â´", ""),
}


HEADINGS = [
    "Sideboard", "SIDEBOARD:", "(Sideboard)", "[Sideboard]", "'Sideboard'", "-- Sideboard --", "~~Sideboard~~",
    "#Sideboard", "// Sideboard", "Sideboard: 2", "Sideboard - 2 cards", "Sideboard (2)", "2 Sideboard", "Side-board:",
    "Side deck (2 cards)", "The Sideboard:", "**Sideboard**", "**Sideboard:**", "<b>Sideboard</b><br>", "Side:",
    "[b]Sideboard[/b]", "Réserve (2)", "== Sideboard ==", "__Sideboard__", "Wishboard",
]  # fmt: skip


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_sideboard_is_headed_in_many_ways(heading: str) -> None:
    assert ({"main": DECK, "sideboard": SIDE}, []) == told(f"4 Hedron Crab\n20 Island\n{heading}\n2 Murder\n")


@pytest.mark.parametrize(
    "text",
    [
        "COMMANDER: Bruvac the Grandiloquent\n", "Commander = Bruvac the Grandiloquent\n",
        "CMDR: 1 Bruvac the Grandiloquent\n",
        "Commander 1: Bruvac the Grandiloquent\n", "Commander Zone\n1 Bruvac the Grandiloquent\n\n",
        "Doctor's Companion\n1 Bruvac the Grandiloquent\n\n", "~~Commanders~~\nBruvac the Grandiloquent\n\n",
        "General: Bruvac the Grandiloquent\n\n",
    ],
)  # fmt: skip
def test_a_commander_is_named_in_many_ways(text: str) -> None:
    assert ({"commander": COMMANDER, "main": DECK}, []) == told(f"{text}4 Hedron Crab\n20 Island\n")


@pytest.mark.parametrize("between", [" & ", " + ", " / ", " // ", " and "])
def test_two_commanders_may_stand_in_one_line(between: str) -> None:
    both = f"Bruvac the Grandiloquent{between}Hedron Crab"
    expected = {"commander": {**COMMANDER, "Hedron Crab": 1}, "main": {"Island": 20}}

    assert (
        (expected, []) == told(f"Commanders: {both}\n20 Island\n") == told(f"Commander\n1 {both}\n\nDeck\n20 Island\n")
    )


@pytest.mark.parametrize("about", ["About", "Über", "À propos", "Acerca de", "情報"])
def test_arena_names_the_deck_on_top_in_any_language(about: str) -> None:
    text = f"{about}\nName Many crabs\n\nDeck\n4 Hedron Crab\n20 Island\n\nSideboard\n2 Murder\n"

    assert ({"main": DECK, "sideboard": SIDE}, []) == told(text)
    assert "Many crabs" == Deck.read(text).name


def test_lines_keep_their_numbers_where_tags_are_taken_off() -> None:
    assert ({"main": DECK}, [(4, "0 Opt")]) == told("4 Hedron Crab<br>\n<br>\n\n0 Opt<br>\n<b>20</b> Island\n")


def test_a_list_may_begin_with_markup_and_a_document_is_no_list() -> None:
    assert ({"main": DECK}, []) == told("<b>Creatures</b>\n4 Hedron Crab\n<b>Lands</b>\n20 Island\n")
    assert ({"main": DECK}, []) == told("<br>\n4 Hedron Crab<br>\n20 Island<br>\n")


@pytest.mark.parametrize("start", ["", "# Crabs\n"])
@pytest.mark.parametrize("mark", ["[ ] ", "[x] ", "- [ ] ", "> ", "> - ", "* [X] "])
def test_items_to_tick_off_and_quotes_are_cards(mark: str, start: str) -> None:
    assert ({"main": DECK}, []) == told(f"{start}{mark}4 Hedron Crab\n{mark}20 Island\n")


def test_quotes_round_a_name_end_behind_a_dot_or_a_bracket() -> None:
    pool = CardPool([Card("Agent of C.R.A.B.", "{U}", "Creature"), Card("Suit (Used)", "{U}", "Creature")])

    assert ({"main": {"Agent of C.R.A.B.": 4, "Suit (Used)": 3}}, []) == told(
        '4 "Agent of C.R.A.B.",\n3 "Suit (Used)",\n', pool
    )


def test_totals_above_and_below_are_no_cards() -> None:
    text = "4 Hedron Crab\n20 Island\n24 Main Deck\nSideboard (2)\n2 Murder\n2 Sideboard\n"

    assert ({"main": DECK, "sideboard": SIDE}, []) == told(text)
    assert ({"main": DECK}, []) == told("Quantity,Name\n4,Hedron Crab\n20,Island\n24,Total\n")


def test_rows_of_a_table_may_be_headings_and_a_title_may_stand_above() -> None:
    text = "My crabs,\nQuantity,Name\n,Mainboard\n4,Hedron Crab\n20,Island\n,Sideboard\n2,Murder\n"

    assert ({"main": DECK, "sideboard": SIDE}, []) == told(text)
    assert ("My crabs",) == Deck.read(text).comments


@pytest.mark.parametrize("text", ["**4** Hedron Crab\n**20** Island", "`4 Hedron Crab`\n`20 Island`",
                                  "'4 Hedron Crab',\n'20 Island',", '"4 Hedron Crab"\n"20 Island"',
                                  "4 Hedron Crab<br>\n20 Island<br/>", "4 Hedron Crab<br>20 Island"])  # fmt: skip
def test_signs_of_markup_stand_round_cards(text: str) -> None:
    assert ({"main": DECK}, []) == told(text)


def test_a_card_that_is_struck_out_and_a_guide_to_the_sideboard_are_told() -> None:
    text = "4 Hedron Crab\n20 Island\n~~3 Opt~~\n\nSideboard\n2 Murder\n\nSideboard Guide\nvs Burn: +2 Murder, -2 Opt\n"

    assert ({"main": DECK, "sideboard": SIDE}, [(3, "~~3 Opt~~"), (9, "vs Burn: +2 Murder, -2 Opt")]) == told(text)


@pytest.mark.parametrize("text", FORUMS.values(), ids=FORUMS)
def test_a_list_in_a_forum_or_shop_is_read(text: str) -> None:
    assert ({"main": DECK, "sideboard": SIDE}, []) == told(text)


def test_a_list_of_small_groups_keeps_its_headings_out_of_the_deck() -> None:
    text = (
        "Commander\n1x Bruvac the Grandiloquent\n\nCrabs\n4x Hedron Crab\n\nLand\n20x Island\n\nWays to win\n1x Opt\n"
    )
    expected = {"commander": COMMANDER, "main": {**DECK, "Opt": 1}}

    assert (expected, [(4, "Crabs"), (10, "Ways to win")]) == told(text)


def test_partners_and_backgrounds_are_commanders_wishes_the_sideboard_and_emblems_tokens() -> None:
    text = "Commander\n1 Murder\nBackground\n1 Millstone\n\nDeck\n20 Island\n\nWishboard\n1 Opt\n\nEmblems\n1 Any\n"

    assert (
        {
            "main": {"Island": 20},
            "sideboard": {"Opt": 1},
            "commander": {"Murder": 1, "Millstone": 1},
            "tokens": {"Any": 1},
        },
        [],
    ) == told(text)


def test_categories_of_the_builder_that_are_called_like_headings_are_no_sections() -> None:
    text = "1x Hedron Crab (zen) 47 [Background]\n1x Opt [Acquire]\n1x Murder [Partners,Removal]\n20x Island [Land]\n"

    assert ({"main": {"Hedron Crab": 1, "Opt": 1, "Murder": 1, "Island": 20}}, []) == told(text)


ODD = CardPool(
    [
        Card("X", "{U}{B}", "Legendary Creature — Spy", power=2, toughness=2),
        Card("_____", "{1}{U}", "Creature — Shapeshifter", power=1, toughness=1),
        Card("Opt", "{U}", "Instant"),
    ]
)


def test_marks_stand_behind_a_card_that_is_called_x() -> None:
    pool = CardPool([Card("X", "{U}", "Creature"), Card("X, Racer", "{R}", "Creature"), Card("Opt", "{U}", "Instant")])
    marks = ["", " (ABC) 12", " (ABC) 12 *F*", " [Ramp]", " #Ramp", "|ABC|1", " <ABC>", " $1.20"]
    text = "".join(f"1 X{mark}\n1 X, Racer{mark}\n" for mark in marks)

    assert ({"main": {"X": 8, "X, Racer": 8}}, []) == told(text, pool)
    assert ({"main": {"X": 2, "X, Racer": 2, "Opt": 2}}, []) == told("2 [[X]]\n2 [[X, Racer]]\n2 X Opt\n", pool)
    assert ({"main": {"X": 6, "X, Racer": 2, "Opt": 2}}, []) == told("2 X\n4 X (ABC) 12\n2 X, Racer\n2 X Opt\n")


def test_a_word_in_brackets_is_no_set_before_a_price_or_a_number_behind() -> None:
    pool = CardPool([Card("Used Suit (Used)", "{U}", "Creature"), Card("1996 World Crab", "{U}", "Creature")])

    assert ({"main": {"Used Suit (Used)": 5, "1996 World Crab": 4}}, []) == told(
        "2 Used Suit (Used) $1.20\nUsed Suit (Used) x3\n1996 World Crab x4\n", pool
    )


def test_names_that_are_headings_too_are_names_in_a_list_without_numbers() -> None:
    assert ({"main": {"Blorbo": 1, "Conspiracy": 1, "Cut": 1, "Acquire": 1, "TL;DR": 1}}, []) == told(
        "Blorbo\nConspiracy\nCut\nAcquire\nTL;DR\n"
    )
    assert ({"main": {"Island": 20, "Opt": 1}, "conspiracies": {"Blorbo": 1}}, []) == told(
        "20 Island\n1 Opt\n\nConspiracy\n1 Blorbo\n"
    )
    assert ({"main": {"Island": 20, "Conspiracy": 1, "sAnS tHe cRaB": 1}}, []) == told(
        "Island\t20\nConspiracy\t1\nsAnS tHe cRaB\t1\n"
    )


def test_a_card_is_called_x_and_another_has_only_a_line_as_its_name() -> None:
    assert ({"main": {"X": 7, "Opt": 4, "_____": 3}}, []) == told("2 X\n4x X\nX\n4 X Opt\n1 _____\n2x _____\n", ODD)
    assert ({"main": {"X": 2, "_____": 2, "Opt": 1}}, []) == told("2 X\n2 _____\n1 Opt\n")
    assert ({"main": {"_____": 1, "Opt": 1}}, []) == told("# Deck\n## Spells\n- _____\n- Opt\n", ODD)


def test_a_card_with_the_same_name_on_both_sides_is_that_card() -> None:
    assert ({"main": {"Opt": 3, "Blorbo": 1}}, []) == told("2 Opt // Opt (SLD) 12\nOpt//Opt\n1 Blorbo // Blorbo\n")


def test_a_deck_put_together_has_one_name_for_both_sides_too() -> None:
    deck = Deck({"Opt // Opt": 1, "Blorbo // Blorbo": 1, "Blorbo": 1})

    assert {"Opt": 1, "Blorbo": 2} == deck.main
    assert deck == Deck.read(deck.write("plain"))


def test_a_deck_without_cards_is_an_empty_list_and_a_name_that_hides_a_number_is_not_written() -> None:
    assert [""] * 3 == [Deck(name="Empty").write(form) for form in ("arena", "mtgo", "plain")]
    with pytest.raises(BadData, match="cannot be written"):
        Deck({"Island": 20}, tokens={"4 Murder": 1}).write("plain")


@pytest.mark.parametrize("number", ["1e9", "²", "1,000,000", "1'000", "99999999999999999999", "1000000000", "³"])
def test_what_is_no_number_of_cards_is_told_with_its_line(number: str) -> None:
    text = f"20 Island\n{number} Murder\n{number}0 Blorbo\n"

    assert ({"main": {"Island": 20}}, [(2, f"{number} Murder"), (3, f"{number}0 Blorbo")]) == told(text)


def test_a_list_in_small_letters_keeps_the_names_that_nobody_knows() -> None:
    text = "4 hedron crab\n20 island\n1 blorbo, friend of shows\n2 murder\nthis is not a card but a remark\n"

    assert (
        {"main": {**DECK, "blorbo, friend of shows": 1, "Murder": 2}},
        [(5, "this is not a card but a remark")],
    ) == told(text)


@pytest.mark.parametrize(
    "text",
    [
        "Hedron Crab (4)\nIsland (20)\nBlorbo (2)\n", "Hedron Crab: 4\nIsland: 20\nBlorbo: 2\n",
        "Hedron Crab, 4\nIsland, 20\nBlorbo, 2\n", "Hedron Crab = 4\nIsland = 20\nBlorbo = 2\n",
        "Hedron Crab 4\nIsland 20\nBlorbo 2\n", "# Deck\n- Hedron Crab (4)\n- *Island* (20)\n- Blorbo (2)\n",
    ],
)  # fmt: skip
def test_where_numbers_stand_behind_names_those_of_unknown_names_do_too(text: str) -> None:
    assert ({"main": {**DECK, "Blorbo": 2}}, []) == told(text)


@pytest.mark.parametrize(
    "form",
    ["{0} ({1} copies)", "{0}......{1}", "{0}={1}", "{0} * {1}", "{0} [x{1}]", "{0} … {1}", "{1}={0}", "{1}/{0}"],
)
def test_a_number_stands_behind_a_known_name_in_any_way(form: str) -> None:
    assert ({"main": DECK}, []) == told("".join(form.format(name, n) + "\n" for name, n in DECK.items()))


def test_a_number_behind_a_hash_may_be_that_of_a_printing_and_is_told() -> None:
    assert ({"main": {"Island": 20}}, [(2, "Hedron Crab #4")]) == told("20 Island #230\nHedron Crab #4\n")


@pytest.mark.parametrize("form", ["{} ({})", "{}: {}", "{}, {}", "{} = {}", "{} [{}]"])
def test_numbers_behind_names_are_seen_where_no_name_is_known_either(form: str) -> None:
    cards = {"Blorbo": 4, "Glup of the Deep": 12, "Zap 3": 1}

    assert ({"main": cards}, []) == told("".join(form.format(name, n) + "\n" for name, n in cards.items()))


FOREIGN = {
    "Héron des brumes du matin": 4, "Garza de la bruma sombría": 3, "Wächter am trüben Teich": 2, "青い鷺": 1,
    "Синяя цапля над водой": 2,
}  # fmt: skip


def test_names_in_other_languages_have_small_letters_and_are_kept() -> None:
    text = "Deck\n" + "".join(f"{n} {name} (XYZ) {n}\n" for name, n in FOREIGN.items())
    table = "Name,Count\n" + "".join(f"{name},{n}\n" for name, n in FOREIGN.items())

    assert ({"main": FOREIGN}, []) == told(text) == told(table)
    for form in ("arena", "mtgo", "plain"):
        assert {"main": FOREIGN} == told(Deck(FOREIGN).write(form))[0]


def test_a_sentence_that_begins_with_a_number_is_still_told() -> None:
    lines = ["2 of my friends play this", "3 Wins against red and two more."]

    assert ({"main": DECK}, [(3, lines[0]), (4, lines[1])]) == told("4 Hedron Crab\n20 Island\n" + "\n".join(lines))


def test_a_group_with_its_total_is_no_card_where_numbers_stand_behind_names() -> None:
    assert ({"main": DECK}, []) == told("Creatures (4)\nHedron Crab (4)\nLands (20)\nIsland (20)\n")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Main\t\tSideboard\n4\tHedron Crab\t2\tMurder\n20\tIsland\t1\tBlorbo\n1 Opt\n", [1, 2, 3]),
        ("4 Hedron Crab\t20 Island\n1 Opt\n", [1]),
        ("4 Hedron Crab | 20 Island | 2 Murder\n1 Opt\n", [1]),
    ],
)
def test_several_cards_in_the_columns_of_a_line_are_told(text: str, lines: list[int]) -> None:
    sections, unread = told(text)

    assert ({"main": MAYBE}, lines) == (sections, [line for line, _ in unread])


def test_a_single_line_may_hold_a_whole_deck() -> None:
    for between in (" | ", "\t", "; ", ", "):
        assert ({"main": {**DECK, "Murder": 2}}, []) == told(between.join(("4 Hedron Crab", "20 Island", "2 Murder")))


def test_a_mark_names_the_commander_or_a_token() -> None:
    text = "1 Bruvac the Grandiloquent{}\n4 Hedron Crab\n20 Island\n1 Treasure Token\n1 Wolf (Token)\n"
    expected = {"commander": COMMANDER, "main": DECK, "tokens": {"Treasure Token": 1, "Wolf": 1}}

    for mark in (" *CMDR*", " *COMMANDER*", " <Commander>", " (Commander)", " [Commander]", " # !Commander"):
        assert (expected, []) == told(text.format(mark))


@pytest.mark.parametrize("foil", ["foil", "Foil", "Foil Etched", "etched", "F", "E"])
def test_a_word_for_foil_stands_behind_the_number_of_a_printing(foil: str) -> None:
    assert ({"main": {**DECK, "Blorbo": 1}}, []) == told(
        f"4 Hedron Crab (ZEN) 47 {foil}\n20 Island (ZEN) 230a\n1 Blorbo (XYZ) 7 {foil}\n"
    )


def test_stars_stand_in_front_of_numbers() -> None:
    assert ({"main": DECK}, []) == told("★ 4 Hedron Crab\n☆ 20 Island\n")


def test_decks_of_json_stand_one_in_a_line() -> None:
    lines = '{"name":"One","mainboard":{"Hedron Crab":4,"Island":20}}\n{"name":"Two","mainboard":{"Opt":1}}\n'

    one, two = Deck.read_all(lines)

    assert (("One", DECK), ("Two", MAYBE)) == ((one.name, one.main), (two.name, two.main))
    assert ({"main": DECK}, []) == told('{"name":"Hedron Crab","count":4}\n{"name":"Island","count":20}\n')


def test_an_address_is_not_fetched_and_it_is_said() -> None:
    with pytest.raises(BadData, match="no page is fetched"):
        Deck.read("https://decks.example.org/my-deck")


def test_names_are_typed_without_their_quotes_and_with_and_for_its_sign() -> None:
    pool = CardPool(
        [
            Card('Henny "Crabcake" Torr', "{U}", "Creature"),
            Card("Crab & Co", "{U}", "Creature"),
            Card("Big (Crab)", "{U}", "Creature"),
        ]
    )
    text = "2 Henny Crabcake Torr\n1 Henny “Crabcake” Torr\n2 Crab and Co\n1 Crab &amp; Co\n3 Big (Crab) (Left half)\n"

    assert ({"main": {'Henny "Crabcake" Torr': 3, "Crab & Co": 3, "Big (Crab)": 3}}, []) == told(text, pool)


def test_a_set_in_round_brackets_stands_in_front_and_a_remark_may_name_a_section() -> None:
    text = "4 (ZEN) Hedron Crab\n20 (ZEN:230) Island\n1 Opt (maybe)\n2 Murder (sideboard)\n"

    assert ({"main": DECK, "sideboard": SIDE, "maybeboard": MAYBE}, []) == told(text)


def test_dots_in_a_name_are_written_in_many_ways() -> None:
    pool = CardPool([Card("Rumor of My Crab . . .", "{U}", "Sorcery")])

    for name in ("Rumor of My Crab . . .", "Rumor of my Crab...", "Rumor of My Crab…", "Rumor of My Crab ..."):
        assert ({"main": {"Rumor of My Crab . . .": 2}}, []) == told(f"2 {name}\n", pool)


def test_a_title_stands_over_a_line_that_divides() -> None:
    text = (
        "My crabs\n=========\nCreature: 4\n 4 Hedron Crab\nLand: 20\n 20 Island\n=========\nSideboard: 2\n 2 Murder\n"
    )

    assert "My crabs" == Deck.read(text).name
    assert ({"main": DECK, "sideboard": SIDE}, []) == told(text)


def test_signs_decoded_wrong_once_are_right_again() -> None:
    names = ["Séance", "Lim-Dûl's Vault", "Andúril, Flame of the West", "Bespoke Bō", "Ratonhnhaké꞉ton", "Jötun Grunt"]
    right = "".join(f"1 {name}\n" for name in names) + "1 Opt’s “End”\n1 Águas\n"
    wrong = "".join(chr(byte) if 0x80 <= byte < 0xA0 and byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else
                    bytes([byte]).decode("cp1252") for byte in right.encode())  # fmt: skip

    assert told(right) == told(wrong)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (gzip.compress(b"4 Island", mtime=0), "packed by gzip"), (b"PK\x03\x04 4 Island", "a zip archive"),
        (b"%PDF-1.7 4 Island", "a PDF"), ("%PDF-1.7\n4 Island\n", "a PDF"), (b"\x89PNG\r\n\x1a\n", "a picture"),
        (b"\xff\xd8\xff\xe0 JFIF", "a picture"), (b"GIF89a", "a picture"), ("{\\rtf1 4 Island\\par}", "rich text"),
        ("<!DOCTYPE html><p>4 Island</p>", "a web page"), ("<html><body>4 Island<br></body></html>", "a web page"),
    ],
)  # fmt: skip
def test_another_kind_of_file_is_refused_by_its_name(data: str | bytes, kind: str) -> None:
    with pytest.raises(BadData, match=kind):
        Deck.read(data)


def test_a_quote_that_never_ends_swallows_no_row_silently() -> None:
    sections, unread = told('Name,Count\nHedron Crab,4\n"Island,20\nMurder,2\n')

    assert ({"main": {"Hedron Crab": 4}}, [3]) == (sections, [line for line, _ in unread])


def test_names_with_signs_that_nobody_sees_are_cleaned_or_told() -> None:
    assert ({"main": DECK}, []) == told("4 \u200eHedron\u200d Crab\u200f\n20 Island\n")
    assert ({"main": {"Island": 20, "\ufffdOpt": 1}}, []) == told("20 Island\n1 \ud800Opt\n")

    sections, unread = told('{"main": {"Island": 20, "\\ud800Opt": 1, "Opt\\u0007s": 1}}')
    assert ({"main": {"Island": 20}}, [0, 0]) == (sections, [line for line, _ in unread])
    assert all(text.encode() for _, text in unread)


def test_names_that_nobody_knows_keep_the_numbers_at_their_end() -> None:
    assert ({"main": {"Blorbo 7": 1, "Glup 12": 1, "Zap 3": 1}}, []) == told("Blorbo 7\nGlup 12\nZap 3\n")


def test_cards_in_one_line_need_no_blank_between_them() -> None:
    assert ({"main": {**DECK, "Murder": 2}}, []) == told("4 Hedron Crab,20 Island,2 Murder")
    assert ({"main": {"Borrowing 100,000 Arrows": 4}}, []) == told("4 Borrowing 100,000 Arrows")
