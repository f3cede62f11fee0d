"""The rule index and the four refusals: what they say, and that nothing of ours cites a rule that is not there."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulekit import cli, rules
from rulekit.engine.abilities import WORDS
from rulekit.engine.text import load_words
from rulekit.rules import BadData, Illegal, RulekitError, TooMany, Unknown
from tests.conftest import ROOT, unavailable

BANK = ROOT / "rulekit" / "scenarios" / "bank"
SWORD = "Alice cannot activate equip of Sword of Body and Mind in Bob's end step."
OFFICIAL = """Made-up rules

These rules are effective as of April 17, 2026.

Contents

701. Keyword Actions

701. Keyword Actions

701.17. Mill

701.17a To mill is <b>made up</b> here.
Example: Bob mills one card.

701.17b And here, with “quotes”.

999.9z A number that nobody knows.

Glossary

Mill
See rule 701.17.
"""
REFUSALS = [
    Illegal("702.6a", SWORD, lambda: ["pass", "cast Lightning Bolt"]),
    Illegal("302.6", "Bears cannot attack.", "Wait for Alice's next turn."),
    BadData("no permanent is called 'bear'.", "a.yaml", 14, "attack", "- attack: {bear: Bob}", ["bears"]),
    BadData("nothing stands here.", line=3, instead="Write a title."),
    Unknown("permanent", "bear", ["bears"], "on the battlefield"),
    TooMany("this question needs 41,000,000 cells, the limit is 20,000,000.", "Count fewer things at once."),
]


@pytest.fixture(autouse=True)
def _without_official_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "_official", rules._Official())


@pytest.fixture
def official(tmp_path: Path) -> Path:
    path = tmp_path / "official.txt"
    path.write_text(OFFICIAL, encoding="utf-8")
    return path


def by_number(number: str) -> tuple[int, int, str]:
    section, _, rest = number.partition(".")
    digits = rest.rstrip("abcdefghijklmnopqrstuvwxyz")
    return int(section), int(digits or 0), rest[len(digits) :]


def cited(entry: Any) -> Iterator[str]:
    """Every number below a key `rules` or `because`, at any depth of a scenario."""
    if isinstance(entry, dict):
        for key, value in entry.items():
            if key in ("rules", "because"):
                yield from value if isinstance(value, list) else [value]
            else:
                yield from cited(value)
    elif isinstance(entry, list):
        for each in entry:
            yield from cited(each)


def numbers_in(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w.])[1-9]\d\d\.\d+[a-z]?(?![\w])", text))


# --- the index -------------------------------------------------------------------------------------------------------


def test_a_rule_is_found_by_its_number() -> None:
    rule = rules.find("701.17d")

    assert "701.17d" == rule.number
    assert "17 April 2026" == rule.edition == rules.EDITION
    assert "milled" in rule.text
    assert "April 2026" in rule.changed


@pytest.mark.parametrize("written", ["CR 701.17a", "cr 701.17a", " 701.17a. ", "rule 701.17A", "CR701.17a"])
def test_a_number_may_be_written_as_people_write_it(written: str) -> None:
    assert rules.find("701.17a") == rules.find(written)
    assert rules.known(written)


@pytest.mark.parametrize("number", ["701.17d", "702.174a", "733", "733.1", "728.1", "701.17", "603.10a", "613.7g"])
def test_what_changed_lately_says_how(number: str) -> None:
    assert re.search(r"202[56]", rules.find(number).changed)


def test_an_unknown_number_names_the_nearest() -> None:
    with pytest.raises(Unknown, match=r"no rule is called '701.17e' in the index .*'701.17d'"):
        rules.find("701.17e")
    assert not rules.known("701.17e")


def test_the_letters_l_and_o_name_no_rule() -> None:
    assert not [rule.number for rule in rules.every() if rule.number[-1] in "lo"]


@pytest.mark.parametrize("number", ["", ".", "mill", "1e5", "701.x", "9" * 10_000, "\u202e701.17a", "701.17a\n701.17b"])
def test_nonsense_is_unknown_and_quickly_so(number: str) -> None:
    started = time.perf_counter()
    with pytest.raises(Unknown) as refusal:
        rules.find(number)

    assert len(str(refusal.value)) < 300
    assert time.perf_counter() - started < 1


def test_the_index_stands_in_order_and_says_something_everywhere() -> None:
    numbers = [rule.number for rule in rules.every()]

    assert sorted(numbers, key=by_number) == numbers
    assert len(set(numbers)) == len(numbers) >= 600
    assert [] == [rule.number for rule in rules.every() if not re.fullmatch(r"[\w\"+].*[.!)\"]", rule.text)]


def test_each_letter_stands_below_a_number_and_each_number_below_a_section() -> None:
    above = {re.sub(r"(?:\.\d+|[a-z])$", "", rule.number) for rule in rules.every() if "." in rule.number}

    assert [] == sorted(number for number in above if not rules.known(number))


def test_below_a_rule_stand_its_letters() -> None:
    assert ["701.17a", "701.17b", "701.17c", "701.17d"] == [rule.number for rule in rules.below("701.17")]
    assert ["733.1", "733.2"] == [rule.number for rule in rules.below("733")]
    assert () == rules.below("733.1")


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("library empty", "704.5b"),
        ("empty libraries", "121.4"),
        ("milled card never dies", "700.4"),
        ("Equipment unattached battlefield", "704.5n"),
        ("701.17 mill", "701.17"),
        ("gift opponent", "702.174a"),
    ],
)
def test_words_find_rules_in_any_order_and_form(words: str, number: str) -> None:
    assert number in [rule.number for rule in rules.search(words)]


def test_the_rules_under_a_heading_that_is_asked_for_come_first_by_number() -> None:
    assert ["701.17a", "701.17b", "701.17c", "701.17d"] == [rule.number for rule in rules.search("mill cards")][:4]


def test_words_that_no_rule_holds_find_nothing() -> None:
    assert () == rules.search("banana split")
    assert () == rules.search("")
    assert () == rules.search("x" * 100_000)


def test_loading_costs_nothing_until_a_rule_is_asked_for() -> None:
    program = "import rulekit.rules as r; print(r._index.cache_info().currsize); r.find('101.1'); print(len(r.every()))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)

    assert "0" == done.stdout.split()[0]


def test_a_rule_reads_as_text_and_as_html() -> None:
    rule = rules.Rule("701.17d", "Say <b>\"x\"</b> & 'y'.", "New <i>.")

    assert "701.17d (edition of 17 April 2026): Say <b>\"x\"</b> & 'y'.\n  Changed: New <i>." == str(rule)
    assert "&lt;b&gt;&quot;x&quot;&lt;/b&gt; &amp; &#x27;y&#x27;" in rule._repr_html_()
    assert "New &lt;i&gt;." in rule._repr_html_()
    assert 0 == len([line for line in str(rules.find("601.2c")).splitlines() if len(line) > 100])


# --- what cites it ---------------------------------------------------------------------------------------------------


def test_the_bank_cites_only_rules_of_the_index() -> None:
    missing = {
        f"{path.relative_to(BANK)}: {number}"
        for path in sorted(BANK.rglob("*.yaml"))
        for number in cited(yaml.safe_load(path.read_text(encoding="utf-8")))
        if not rules.known(str(number))
    }

    assert set() == missing


def test_the_shared_pages_cite_only_rules_of_the_index() -> None:
    shared = ROOT.parent / "shared"
    pages = [*sorted((shared / "rules").glob("*.md")), shared / "scenario-format.md", shared / "style.md"]
    if not all(page.is_file() for page in pages) or len(pages) < 6:
        unavailable("there are no rules pages beside the clone")
    there_is_none = {"702.174l"}

    assert set() == {
        f"{page.name}: {number}"
        for page in pages
        for number in numbers_in(page.read_text(encoding="utf-8")) - there_is_none
        if not rules.known(number)
    }


def test_the_code_cites_only_rules_of_the_index() -> None:
    """In what it logs and refuses with, and in the comments and docstrings that say why."""
    found = {
        (path.name, number)
        for room in ("cards", "engine", "probability", "scenarios", "widgets")
        for path in (ROOT / "rulekit" / room).rglob("*.py")
        for number in numbers_in(path.read_text(encoding="utf-8"))
    }
    no_such = "701.170"  # an example of a number that begins like another

    assert set() == {(name, number) for name, number in found if not rules.known(number) and number != no_such}


def test_each_keyword_that_is_played_has_all_its_rules_up_to_the_last() -> None:
    """A number below a keyword that a refusal or a reader names is there; the letters l and o are not used."""
    load_words()
    played = {word.rule.rstrip("abcdefghijk") for word in WORDS.values() if word.sort == "keyword"}
    gaps = {}
    for number in played:
        letters = "".join(rule.number[-1] for rule in rules.below(number))
        gaps[number] = [letter for letter in "abcdefghijkmnp"[: len(letters)] if letter not in letters]

    assert {} == {number: gap for number, gap in gaps.items() if gap}
    assert len(played) >= 45


def test_the_page_of_words_is_in_order_and_cites_only_rules_of_the_index() -> None:
    page = (ROOT / "docs" / "words.md").read_text(encoding="utf-8")
    words = re.findall(r"^\| (.+?) \| .+ \| ([1-9][\d., a-z]+) \|$", page, re.MULTILINE)

    assert len(words) >= 100
    assert sorted((word for word, _ in words), key=str.casefold) == [word for word, _ in words]
    assert [] == [number for _, numbers in words for number in numbers.split(", ") if not rules.known(number)]


def test_the_index_refers_only_to_its_own_rules() -> None:
    """Numbers in `changed` are numbers of earlier editions and need not exist."""
    missing = {(rule.number, each) for rule in rules.every() for each in numbers_in(rule.text) if not rules.known(each)}

    assert set() == missing


# --- the official text of somebody who has it ------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_an_official_text_is_read_in_any_encoding(tmp_path: Path, encoding: str, line_end: str) -> None:
    path = tmp_path / "official.txt"
    path.write_bytes(OFFICIAL.replace("\n", line_end).encode(encoding))

    assert 4 == rules.load(path)  # 701, 701.17, 701.17a, 701.17b
    assert "Mill" == rules.find("701.17").official
    assert "And here, with “quotes”." == rules.find("701.17b").official
    assert "" == rules.find("701.17c").official


def test_the_official_wording_stands_beside_ours(official: Path) -> None:
    rule = rules.find("701.17a")
    assert "" == rule.official
    rules.load(str(official))

    assert "To mill is <b>made up</b> here.\nExample: Bob mills one card." == rule.official
    assert "\n  Official wording: To mill is <b>made up</b> here.\n    Example: Bob mills one card." in str(rule)
    assert "&lt;b&gt;made up&lt;/b&gt; here.<br>Example" in rule._repr_html_()
    assert "701.17b" in [each.number for each in rules.search("quotes here")]


def test_another_edition_is_named(official: Path) -> None:
    official.write_text(OFFICIAL.replace("April 17, 2026", "June 19, 2026"), encoding="utf-8")
    rules.load(official)

    assert "Official wording, edition of 19 June 2026 (numbers may have moved): " in str(rules.find("701.17b"))


def test_a_second_text_replaces_the_first(official: Path) -> None:
    rules.load(official)
    official.write_text("701.17b Other.", encoding="utf-8")

    assert 1 == rules.load(official)
    assert ("", "Other.") == (rules.find("701.17a").official, rules.find("701.17b").official)


@pytest.mark.parametrize("content", [b"", b"no rules in here\n", b"\x00\xff" * 1000, b"\xff\xfe\x00"])
def test_a_text_without_rules_is_refused_and_changes_nothing(official: Path, tmp_path: Path, content: bytes) -> None:
    rules.load(official)
    other = tmp_path / "other.bin"
    other.write_bytes(content)

    with pytest.raises(BadData, match=r"other.bin: no rule was found in this file.\n  A rule is a line such as"):
        rules.load(other)
    assert "Mill" == rules.find("701.17").official


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"absent\.txt: the file cannot be read: No such file or directory\."):
        rules.load(tmp_path / "absent.txt")
    with pytest.raises(BadData, match="the file cannot be read"):
        rules.load(tmp_path)


def test_an_enormous_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "enormous.txt"
    with path.open("wb") as file:
        file.truncate(100_000_000)

    with pytest.raises(
        TooMany, match=r"enormous.txt has 100,000,000 bytes, the limit is 20,000,000\.\n  Give the plain"
    ):
        rules.load(path)


# --- the command -----------------------------------------------------------------------------------------------------


def test_the_command_shows_a_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == cli.main(["rule", "701.17b"])
    assert capsys.readouterr().out.startswith("701.17b (edition of 17 April 2026): ")


def test_the_command_shows_the_letters_below_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == cli.main(["rule", "CR", "701.17", "733"])

    out = capsys.readouterr().out
    assert ["701.17 ", "701.17a ", "701.17d ", "733 ", "733.1 "] == [
        each for each in ("701.17 ", "701.17a ", "701.17d ", "733 ", "733.1 ") if f"\n{each}" in f"\n{out}"
    ]


def test_the_command_finds_words_and_says_how_many_it_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == cli.main(["rule", "library", "empty"])
    assert "704.5b  " in capsys.readouterr().out

    assert 0 == cli.main(["rule", "creature"])
    few = capsys.readouterr().out
    assert 0 == cli.main(["rule", "creature", "--all"])
    every = capsys.readouterr().out
    left_out = len(rules.search("creature")) - 20
    assert f"and {left_out} more: add a word, or --all." == few.splitlines()[-1]
    assert "more: add a word" not in every


def test_the_command_refuses_what_it_does_not_find(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == cli.main(["rule", "701.17e"])
    assert "Did you mean '701.17'" in capsys.readouterr().err
    assert 2 == cli.main(["rule", "milld"])
    assert "no rule is called 'milld' by words or number. Did you mean 'mill" in capsys.readouterr().err


def test_the_command_sets_the_official_wording_beside_ours(official: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == cli.main(["rule", "701.17a", "--official", str(official)])

    out = capsys.readouterr().out
    assert out.startswith(f"4 of {len(rules.every()):,} numbers have their wording in ")
    assert "  Official wording: To mill is <b>made up</b> here." in out


# --- the four refusals -----------------------------------------------------------------------------------------------


def test_illegal_reads_as_the_style_page_shows() -> None:
    refusal = Illegal("702.6a", SWORD, ["pass", "cast Lightning Bolt"])

    assert f"Illegal (702.6a): {SWORD}\n  Alice may: pass, cast Lightning Bolt." == str(refusal)
    assert ("702.6a", SWORD, ("pass", "cast Lightning Bolt")) == (refusal.rule, refusal.message, refusal.instead)
    assert f"Illegal (702.6a): {SWORD}" == str(Illegal("702.6a", SWORD))


def test_what_is_legal_instead_is_worked_out_once_and_only_when_shown() -> None:
    asked: list[str] = []
    refusal = Illegal("702.6a", SWORD, lambda: asked.append("asked") or ["pass"])
    assert [] == asked

    assert str(refusal) == str(refusal)
    assert ["asked"] == asked


def test_bad_data_reads_as_the_style_page_shows() -> None:
    instead = "On Alice's battlefield: bears, Sword of Body and Mind. Did you mean 'bears'?"
    refusal = BadData(
        "no permanent is called 'bear'.", "scenarios/mill/doubled.yaml", 14, "attack", "- attack: {bear: Bob}", instead
    )

    assert (
        "scenarios/mill/doubled.yaml:14: attack: no permanent is called 'bear'.\n"
        "    - attack: {bear: Bob}\n"
        f"  {instead}"
    ) == str(refusal)
    assert "line 3: bad.\n  May stand here: a, b." == str(BadData("bad.", line=3, instead=["a", "b"]))
    assert "bad." == str(BadData("bad."))


def test_unknown_names_the_nearest() -> None:
    assert "no card is called 'Grizly Bears'. Did you mean 'Grizzly Bears'?" == str(
        Unknown("card", "Grizly Bears", ["Island", "Grizzly Bears"])
    )
    assert "no player is called 'Zoe'. There is: Alice, Bob." == str(Unknown("player", "Zoe", ["Alice", "Bob"]))
    assert {"aab", "aac", "aad"} == set(Unknown("card", "aa", ["aab", "zzz", "aac", "aad"]).near)


def test_unknown_takes_bounded_time_for_enormous_input() -> None:
    started = time.perf_counter()
    refusal = Unknown("card", "y" * 1_000_000, (f"{'y' * 5_000}{number}" for number in range(5_000)))

    assert len(str(refusal)) < 1_000
    assert time.perf_counter() - started < 2


def test_unknown_finds_the_near_one_among_forty_thousand() -> None:
    names = [f"Card {number:05}" for number in range(40_000)]
    started = time.perf_counter()

    assert "Grizzly Bears" in str(Unknown("card", "Grizly Bears", [*names, "Grizzly Bears"]))
    assert time.perf_counter() - started < 2


def test_too_many_reads_as_the_style_page_shows() -> None:
    assert (
        "TooMany: this question needs 41,000,000 cells, the limit is 20,000,000.\n"
        "  Count fewer things at once, or use simulate(...)."
    ) == str(
        TooMany(
            "this question needs 41,000,000 cells, the limit is 20,000,000.",
            "Count fewer things at once, or use simulate(...).",
        )
    )


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: type(refusal).__name__)
def test_a_refusal_travels_between_processes_and_its_repr_has_no_address(refusal: RulekitError) -> None:
    travelled = pickle.loads(pickle.dumps(refusal))

    assert str(refusal) == str(travelled) == str(copy.copy(refusal))
    assert repr(refusal) == repr(travelled)
    assert " at 0x" not in repr(refusal)


def test_a_message_shows_nothing_invisible_and_stays_short() -> None:
    refusal = str(Unknown("card", "Bear\u202es\x1b[31m\n" + "x" * 10_000))

    assert "\\u202e" in refusal
    assert refusal.isprintable()
    assert len(refusal) < 300
