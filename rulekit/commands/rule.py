"""Show what a rule says, in our words, by its number or by words that occur in it.

With --official FILE the official wording stands beside ours, read from a rules text that you have.
"""

from __future__ import annotations

import argparse
import re
import shutil
from pathlib import Path

from rulekit import rules

EXAMPLES = """\
  rulekit rule 701.17b
  rulekit rule 702.6 301.5
  rulekit rule library empty
  rulekit rule 701.17d --official MagicCompRules.txt
"""
STATUS: dict[int, str] = {}
MOST_SHOWN = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the numbers or words, and the file of the official text."""
    parser.add_argument("words", nargs="+", metavar="NUMBER|WORDS", help="rule numbers, or words that a rule holds")
    parser.add_argument("--official", type=Path, metavar="FILE", help="the official rules text, as plain text")
    parser.add_argument("--all", action="store_true", help=f"show all rules found, not only the first {MOST_SHOWN}")


def run(options: argparse.Namespace) -> int:
    """Print the rules with these numbers, or those that hold these words."""
    if options.official:
        found = rules.load(options.official)
        print(f"{found:,} of {len(rules.every()):,} numbers have their wording in {options.official}.\n")
    words: list[str] = options.words
    width = min(100, shutil.get_terminal_size((100, 24)).columns)
    if all(re.match(r"(?i)(cr|rule)?\s*\d", word) or word.lower() in ("cr", "rule") for word in words):
        numbers = [word for word in words if word.lower() not in ("cr", "rule")]
        print("\n\n".join(_with_letters(number, width) for number in numbers))
        return 0
    print(_search(" ".join(words), len(rules.every()) if options.all else MOST_SHOWN, width))
    return 0


def _with_letters(number: str, width: int) -> str:
    return "\n".join([rules.find(number).page(width), *(_short(each, width) for each in rules.below(number))])


def _search(words: str, most: int, width: int) -> str:
    hits = rules.search(words)
    if not hits:
        raise rules.Unknown("rule", words, _vocabulary(), "by words or number")
    lines = [_short(rule, width) for rule in hits[:most]]
    if len(hits) > most:
        lines.append(f"and {len(hits) - most} more: add a word, or --all.")
    return "\n".join(lines)


def _short(rule: rules.Rule, width: int) -> str:
    return rules.wrapped(f"{rule.number}  {rule.text}", width)


def _vocabulary() -> list[str]:
    return sorted({word for rule in rules.every() for word in re.findall(r"[a-z]{3,}", rule.text.casefold())})
