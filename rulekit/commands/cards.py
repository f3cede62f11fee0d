"""Read the rules text of cards and say what is understood.

FILE holds card data (Scryfall or MTGJSON); --catalogue takes the cards that ship with the kit. A card is understood if
every sentence of its text is: every word of it accounted for, reminder text apart.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rulekit.cards.card import Card
from rulekit.cards.pool import CardPool
from rulekit.commands.kept_readings import readings_of
from rulekit.engine.parsing import in_words
from rulekit.engine.text import CardReading, Sentence, read_card, reads_as_clause
from rulekit.rules import BadData, listed
from rulekit.widgets.html import printable

EXAMPLES = """\
  rulekit cards oracle-cards.json                    # how much of which group is understood
  rulekit cards oracle-cards.json --unread           # the commonest phrases that are not
  rulekit cards oracle-cards.json --card "Ruin Crab"
  rulekit cards --catalogue
"""
STATUS: dict[int, str] = {1: "with --catalogue: the text of a card there is not understood"}
GROUPS = {  # what a card of the group has, and which sentences are clauses of the keyword itself
    "gift": (r"^gift an? ", r"^gift an? |\bgift (was|wasn't) "),
    "dredge": (r"^dredge \d", r"^dredge \d"),
    "mill": (r"\b(mills?|milled|milling)\b", r"\b(mills?|milled|milling)\b"),
    "equipment": (r"", r"^(.+ — )?equip\b|^reconfigure\b|\battach(ed)? (it|this|that|.* to)\b"),
}
REMINDER = re.compile(r"\([^()]*\)")
_BEFORE = re.compile(r"""[,:—"•] ?|\b(then|and|may|unless|have) """)
_BEHIND = re.compile(r"""[.;"]|,(?! where)| (then|and|instead)\b""")
MOST_UNREAD = 20
MOST_WORDS = 4
MOST_EXPECTED = 12


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the file or the catalogue, which cards, and what to print."""
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="a file of card data")
    parser.add_argument(
        "--catalogue", action="store_true", help="the cards that ship with the kit, each with its lines"
    )
    parser.add_argument("--card", action="append", default=[], metavar="NAME", help="show these cards only")
    parser.add_argument("--unread", action="store_true", help="print the commonest phrases that could not be read")
    parser.add_argument("--json", action="store_true", help="print one JSON object: cards, groups")


def run(options: argparse.Namespace) -> int:
    """Read the cards and print what was understood; the status is 1 if a card of the catalogue is not."""
    from tqdm import tqdm

    if (options.file is None) != options.catalogue:
        raise BadData("give either FILE or --catalogue.", key="rulekit cards", instead="rulekit cards --help says how.")
    pool = CardPool.catalogue() if options.catalogue else CardPool.read(options.file)
    names = [pool.find(name).full_name for name in options.card] or list(pool)
    cards = [pool[name] for name in names]
    shown = tqdm(cards, disable=None, leave=False, unit="card")
    by_card = options.catalogue or options.card  # shown with what could stand there, which is not kept
    readings = [read_card(card) for card in shown] if by_card else readings_of(shown)
    if options.json:
        print(json.dumps(as_data(cards, readings), ensure_ascii=False, indent=1))
    elif by_card:
        print(printable("\n".join(_lines_of(readings))))
    else:
        print("\n".join(_table(cards, readings)))
    if options.unread and not options.json:
        print(printable("\n".join(_unread(readings))))
    return int(options.catalogue and any(reading.status != "understood" for reading in readings))


def groups_of(card: Card) -> tuple[str, ...]:
    """Return the groups of cards that a card belongs to: gift, dredge, mill, equipment."""
    faces = card.faces or (card,)
    texts = "\n".join(face.text for face in faces)
    plain = REMINDER.sub("", texts)
    found = [name for name in ("gift", "dredge") if re.search(GROUPS[name][0], plain, re.IGNORECASE | re.MULTILINE)]
    if re.search(GROUPS["mill"][0], texts, re.IGNORECASE):
        found.append("mill")
    if any("Equipment" in face.types.subtypes for face in faces):
        found.append("equipment")
    return tuple(found)


def clauses_understood(group: str, sentence: Sentence) -> bool:
    """Return whether what a sentence says with a group's keyword itself is understood, if it says anything with it.

    Where the sentence as a whole is not, the clause is: from a comma, colon, dash, "then" or "and" before the keyword
    to one behind it ("each opponent mills two cards" of a trigger that is not understood).
    """
    text = REMINDER.sub("", sentence.text)
    found = list(re.finditer(GROUPS[group][1], text, re.IGNORECASE))
    return sentence.understood or all(_clause_reads(text, match) for match in found)


def _clause_reads(text: str, match: re.Match[str]) -> bool:
    starts = [0, *(cut.end() for cut in _BEFORE.finditer(text, 0, match.start()))]
    ends = [*(cut.start() for cut in _BEHIND.finditer(text, match.end())), len(text)]
    return any(reads_as_clause(text[start:end]) for start in starts for end in ends)


def shares(cards: Iterable[Card], readings: Iterable[CardReading]) -> dict[str, dict[str, float]]:
    """Return for each group how many cards it has, and which part of them is understood.

    Returns:
        For each group `cards` (a number), `clauses` (the part of its cards of which every clause of the keyword is
        understood, from 0 to 1) and `whole` (the part of its cards that is understood wholly).
    """
    members: dict[str, list[CardReading]] = {name: [] for name in GROUPS}
    for card, reading in zip(cards, readings, strict=True):
        for name in groups_of(card):
            members[name].append(reading)
    return {
        name: {
            "cards": len(group),
            "clauses": _part(group, lambda r, name=name: all(clauses_understood(name, s) for s in r.sentences)),
            "whole": _part(group, lambda reading: reading.status == "understood"),
        }
        for name, group in members.items()
    }  # fmt: skip


def _part(group: list[CardReading], holds: Any) -> float:
    return sum(map(holds, group)) / len(group) if group else 1.0


def as_data(cards: list[Card], readings: list[CardReading]) -> dict[str, Any]:
    """Return everything as plain data: `cards` with their sentences, and `groups`."""
    return {
        "cards": [
            {
                "name": reading.name,
                "status": reading.status,
                "groups": list(groups_of(card)),
                "sentences": [
                    {"text": each.text, "understood": each.understood, "unread": each.unread or None}
                    for each in reading.sentences
                ],
            }
            for card, reading in zip(cards, readings, strict=True)
        ],
        "groups": shares(cards, readings),
    }


def _table(cards: list[Card], readings: list[CardReading]) -> list[str]:
    lines = [f"{'group':<10} {'cards':>6}   every clause of the keyword   the whole card"]
    for name, share in shares(cards, readings).items():
        lines.append(f"{name:<10} {share['cards']:>6,} {share['clauses']:>21.1%} {share['whole']:>22.1%}")
    counted = Counter(reading.status for reading in readings)
    told = ", ".join(f"{status} {counted[status]:,}" for status in ("understood", "partly", "not understood"))
    return [*lines, f"{'all':<10} {len(readings):>6,}   {told}"]


def _lines_of(readings: Iterable[CardReading]) -> list[str]:
    lines = []
    for reading in readings:
        lines.append(f"{reading.name}: {reading.status}")
        for sentence in reading.sentences:
            lines.append(f"    {'understood' if sentence.understood else 'not understood'}: {sentence.text}")
            if not sentence.understood:
                lines.append(f"        not read: {sentence.unread}{_instead(sentence)}")
    return lines


def _instead(sentence: Sentence) -> str:
    if sentence.near:
        return f"; did you mean {listed(sentence.near)}?"
    return f"; may stand here: {listed(in_words(sentence.expected[:MOST_EXPECTED]))}" if sentence.expected else ""


def _unread(readings: Iterable[CardReading]) -> list[str]:
    counted: Counter[str] = Counter()
    example: dict[str, str] = {}
    for reading in readings:
        for sentence in reading.sentences:
            if not sentence.understood:
                phrase = " ".join(sentence.unread.split()[:MOST_WORDS])
                counted[phrase] += 1
                example.setdefault(phrase, reading.name)
    lines = ["", "not read, by how often:"]
    return lines + [f"{n:>6,}  {phrase}  ({example[phrase]})" for phrase, n in counted.most_common(MOST_UNREAD)]
