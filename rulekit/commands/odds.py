"""Work out the odds of a deck: what a plan does to its library, turn by turn, and what is counted.

DECK is a deck list, or - for one on standard input. Several are compared, or with --weight are the decks one of which
it is. Steps are instructions in the words of rules text, carried out in the order in which they are written. Behind a
step may stand, each after a semicolon: chance 0.7, from turn 4, to turn 9, every 2 turns, by opponent, by player, keep
land, enough 4. Behind --versus begins another plan, which is compared with the one before.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from fractions import Fraction
from pathlib import Path

from rulekit.cards.deck import Deck
from rulekit.cards.deck_source import MOST_BYTES
from rulekit.cards.mixture import Mixture
from rulekit.cards.pool import CardPool
from rulekit.commands import odds_one, odds_plan, odds_several
from rulekit.commands.odds_asked import Asker
from rulekit.rules import BadData

EXAMPLES = """\
  rulekit odds deck.txt --draw 7 --mill 10 --count land --count creature
  rulekit odds deck.txt --draw 7 --each-turn "draw 1" --each-turn "mill 10; chance 0.7; from turn 4" --turns 12 \\
      --first-turn "library = 0" --plot empty.png
  rulekit odds deck.txt --hand 7 --keep "2 to 5 lands" --count "land in hand" --ask "land in hand >= 3" --turn 0
  rulekit odds deck.txt --mill 10 --count land --simulate 100000 --seed 1 --json
  rulekit odds deck.txt --draw 7 --each-turn "mill 3" --from-card "Ruin Crab" --assume ruin_crab_chance=0.8 --lost
  rulekit odds deck.txt --draw 7 --count "land in hand" --ask "land in hand = 3" --turn 0 --vary land --over 20-28
  rulekit odds mine.txt theirs.txt --draw 7 --mill 10 --ask "land >= 4" --count land
  rulekit odds deck.txt --each-turn "mill 2" --versus --each-turn "mill 5; chance 1/3" --ask "land >= 4" --turns 6
  rulekit odds deck.txt --draw 7 --mill 10 --count land --given "land in hand <= 1"
  rulekit odds deck.txt --draw 7 --each-turn "draw 1" --each-turn "mill 3" --count creature --lost --by-turn
  rulekit odds control.txt combo.txt --weight 3 --weight 1 --seen Island --mill 10 --ask "land >= 4" --count land
  rulekit odds deck.txt --draw 7 --mill 10 --count land --simulate 1000 --seed 1 --watch "land = 0"
  rulekit odds mine.txt --draw 7 --turns 6 --ask "library <= 40" --simulate 100 --policy eager --against theirs.txt
"""
STOPPED = 130
STATUS: dict[int, str] = {STOPPED: "stopped with Ctrl-C; what was simulated of one deck has been printed"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the decks, the plan, the questions and the form of the answer."""
    parser.add_argument("decks", nargs="+", metavar="DECK", help="a deck list in any form that people export, or -")
    parser.add_argument("--pool", type=Path, metavar="CARDS", help="a file of card data of Scryfall or MTGJSON")
    several = parser.add_argument_group("several decks")
    several.add_argument(
        "--weight", action="append", default=[], metavar="W", help="how likely each DECK is, in their order: 3, 0.6"
    )
    several.add_argument("--seen", action="append", default=[], metavar="CARD", help="seen of it: changes the weights")
    several.add_argument("--take-out", action="store_true", help="what was --seen is in the library no more")
    several.add_argument("--vary", metavar="KIND", help="ask with different numbers of such cards, as --over says")
    several.add_argument("--over", metavar="A-B", help='these numbers: "20-28", "10 to 30 by 5"')
    odds_plan.declare(parser.add_argument_group("plan"))
    _declare_questions(parser.add_argument_group("questions"))
    _declare_answer(parser.add_argument_group("answer"))


def _declare_questions(asked: argparse._ArgumentGroup) -> None:
    asked.add_argument(
        "--count", action="append", default=[], metavar="WHAT", help='"land", "creature in graveyard", "hand"'
    )
    asked.add_argument("--together", action="store_true", help="all counts jointly, as two are anyhow")
    asked.add_argument("--ask", action="append", default=[], metavar="CONDITION", help='"land >= 3 and library <= 40"')
    asked.add_argument("--first-turn", action="append", default=[], metavar="CONDITION", help='"library = 0"')
    asked.add_argument("--lost", action="store_true", help="how likely a draw from an empty library has lost")
    asked.add_argument("--given", metavar="CONDITION", help="answer --count and --ask for where this holds")
    asked.add_argument("--by-turn", action="store_true", help="the mean of each count, and each --ask, turn by turn")
    asked.add_argument("--turn", type=int, metavar="T", help="the turn that is asked about; the last without")
    asked.add_argument("--turns", type=int, metavar="N", help="the last turn")


def _declare_answer(how: argparse._ArgumentGroup) -> None:
    how.add_argument("--fractions", action="store_true", help="exact rational numbers")
    how.add_argument("--simulate", type=int, metavar="TRIALS", help="play trials instead of working it out")
    how.add_argument("--seed", type=int, metavar="N", help="seed of the trials")
    how.add_argument(
        "--policy", action="append", default=[], metavar="NAME",
        help="play trials on the board: passive, eager or random decides for the player; opponent=eager",
    )  # fmt: skip
    how.add_argument("--against", type=Path, metavar="DECK", help="the opponent's deck, for whole games on the board")
    how.add_argument("--watch", metavar="TRIAL", help="deal a trial on the board: its number, or a condition it meets")
    how.add_argument("--plot", type=Path, metavar="FILE", help="draw the first question into a .png or .svg file")
    how.add_argument(
        "--view", choices=("at least", "at most", "survival"), default="", help="what a --plot of one count shows"
    )
    form = how.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print the distributions of all counts by turn as CSV")
    form.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace) -> int:
    """Read decks, plan and questions, work them out, and print."""
    if options.plot and options.plot.suffix.lower() not in (".png", ".svg"):
        raise BadData("a chart is a .png or a .svg file.", options.plot, key="--plot")
    if options.view and not options.plot:
        raise BadData("this is how a chart looks.", key="--view", instead="--plot chart.png --view ...")
    if options.take_out and not options.seen:
        raise BadData("nothing was seen.", key="--take-out", instead="--seen CARD --take-out")
    if options.decks.count("-") > 1:
        raise BadData("standard input holds one deck list.", key="DECK", instead="Name a file for the other ones.")
    pool = CardPool.read(options.pool) | CardPool.catalogue() if options.pool else None
    read = [_deck(source, pool) for source in options.decks]
    asker = Asker(options, pool, _deck(options.against, pool) if options.against else None)
    decks = [_mixed(options, read)] if options.weight or options.seen else read
    with warnings.catch_warnings():
        from rulekit.probability.answer import NothingKnown

        warnings.simplefilter("ignore", NothingKnown)  # it is told beside the answer
        if options.vary or options.over:
            odds_several.vary(options, asker, decks)
        elif len(decks) > 1 or len(asker.plans) > 1:
            odds_several.compare(options, asker, decks)
        else:
            odds_one.ask(options, asker, decks[0])
    return STOPPED if asker.stopped else 0


def _deck(source: str | Path, pool: CardPool | None) -> Deck:
    """Read a deck; what was not understood of it is told on the error stream."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        deck = Deck.read(sys.stdin.buffer.read(MOST_BYTES + 1) if source == "-" else Path(source), pool)
    for warning in caught:
        print(warning.message, file=sys.stderr)
    return deck


def _mixed(options: argparse.Namespace, decks: list[Deck]) -> Mixture:
    """Return the decks with their weights, after what was seen."""
    weights = options.weight or ["1"] * len(decks)
    if len(weights) != len(decks):
        told = f"each DECK has one weight; these are {len(weights)}, and DECKs are {len(decks)}."
        raise BadData(told, key="--weight", instead="--weight 3 --weight 1")
    try:
        read = [Fraction(weight) for weight in weights]
    except (ValueError, ZeroDivisionError):
        raise BadData(
            "a weight is a number.", key="--weight", text=" ".join(weights), instead=("3", "0.6", "1/3")
        ) from None
    together: dict[Deck, Fraction] = {}
    for deck, weight in zip(decks, read, strict=True):
        together[deck] = together.get(deck, Fraction(0)) + weight
    mixture = Deck.mixture(together)
    return mixture.given(options.seen, remove=options.take_out) if options.seen else mixture
