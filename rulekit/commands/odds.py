"""Work out the odds of a deck: what a plan does to its library, turn by turn, and what is counted.

DECK is a deck list, or - for one on standard input. Steps are instructions in the words of rules text. Behind a step
may stand, each after a semicolon: chance 0.7, from turn 4, to turn 9, every 2 turns, by opponent, by player, keep
land, enough 4.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulekit.cards.deck import Deck
from rulekit.cards.deck_source import MOST_BYTES
from rulekit.cards.pool import CardPool
from rulekit.rules import BadData

if TYPE_CHECKING:
    from rulekit.probability.answer import Answer
    from rulekit.probability.plan import Plan

EXAMPLES = """\
  rulekit odds deck.txt --draw 7 --mill 10 --count land --count creature
  rulekit odds deck.txt --draw 7 --each-turn "draw 1" --each-turn "mill 10; chance 0.7; from turn 4" --turns 12 \\
      --first-turn "library = 0" --plot empty.png
  rulekit odds deck.txt --hand 7 --keep "2 to 5 lands" --count "land in hand" --ask "land in hand >= 3" --turn 0
  rulekit odds deck.txt --mill 10 --count land --simulate 100000 --seed 1 --json
  rulekit odds mine.txt --draw 7 --turns 6 --ask "library <= 40" --simulate 100 --policy eager --against theirs.txt
"""
STOPPED = 130
STATUS: dict[int, str] = {STOPPED: "stopped with Ctrl-C; what was simulated by then has been printed"}
_DRAW = re.compile(r"draws? (\d+)(?: cards?)?")
_SUFFIXES = {
    "chance": re.compile(r"(?:with )?chance (?P<value>\S+)"),
    "from_turn": re.compile(r"from turn (?P<value>\d+)"),
    "to_turn": re.compile(r"to turn (?P<value>\d+)"),
    "every": re.compile(r"every (?P<value>\d+) turns?"),
    "by": re.compile(r"by (?:the |an )?(?P<value>player|opponent)"),
    "keep": re.compile(r"keep (?P<value>.+)"),
    "enough": re.compile(r"enough (?P<value>\d+)"),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the deck, the plan, the questions and the form of the answer."""
    parser.add_argument("deck", metavar="DECK", help="a deck list in any form that people export, or -")
    parser.add_argument("--pool", type=Path, metavar="CARDS", help="a file of card data of Scryfall or MTGJSON")
    _say_the_plan(parser.add_argument_group("plan"))
    asked = parser.add_argument_group("questions")
    asked.add_argument("--count", action="append", default=[], metavar="WHAT", help='"land", "creature in graveyard"')
    asked.add_argument("--ask", action="append", default=[], metavar="CONDITION", help='"land >= 3 and library <= 40"')
    asked.add_argument("--first-turn", action="append", default=[], metavar="CONDITION", help='"library = 0"')
    asked.add_argument("--turn", type=int, metavar="T", help="the turn that is asked about; the last without")
    asked.add_argument("--turns", type=int, metavar="N", help="the last turn")
    how = parser.add_argument_group("answer")
    how.add_argument("--simulate", type=int, metavar="TRIALS", help="play trials instead of working it out")
    how.add_argument("--seed", type=int, metavar="N", help="seed of the trials")
    how.add_argument(
        "--policy", action="append", default=[], metavar="NAME",
        help="play trials on the board: passive, eager or random decides; for one player opponent=eager",
    )  # fmt: skip
    how.add_argument("--against", type=Path, metavar="DECK", help="the opponent's deck, for whole games on the board")
    how.add_argument("--plot", type=Path, metavar="FILE", help="draw the first question into a .png or .svg file")
    form = how.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print the distributions of all counts by turn as CSV")
    form.add_argument("--json", action="store_true", help="print one JSON object")


def _say_the_plan(plan: argparse._ArgumentGroup) -> None:
    """Declare what is done to the library."""
    plan.add_argument("--on-the-play", action="store_true", help="skip the draw of the first turn")
    plan.add_argument("--draw", type=int, metavar="N", help="draw an opening hand without mulligans")
    plan.add_argument("--hand", type=int, metavar="N", help="draw an opening hand with London mulligans, see --keep")
    plan.add_argument("--keep", default="", metavar="HANDS", help='which hands are kept: "2 to 5 lands"')
    plan.add_argument("--down-to", type=int, default=4, metavar="N", help="smallest hand that mulligans lead to (4)")
    plan.add_argument("--mill", type=int, metavar="N", help="mill so many cards in turn 1")
    plan.add_argument("--on-turn", action="append", default=[], metavar="T:STEP", help='"3: mill four cards"')
    plan.add_argument(
        "--each-turn", action="append", default=[], metavar="STEP", help='"draw 1", "mill 10; chance 0.7"'
    )
    plan.add_argument("--permanent", action="append", default=[], metavar="CARD", help='"Bruvac...; from turn 5"')
    plan.add_argument("--free", type=int, default=0, metavar="N", help="mulligans that cost no card (0)")
    plan.add_argument("--known-top", action="append", default=[], metavar="CARD", help="known on top, the next first")
    plan.add_argument("--known-bottom", action="append", default=[], metavar="CARD", help="known at the bottom")


def run(options: argparse.Namespace) -> int:
    """Read deck, plan and questions, work them out, and print."""
    pool = CardPool.read(options.pool) | CardPool.catalogue() if options.pool else None
    source: Path | bytes = sys.stdin.buffer.read(MOST_BYTES + 1) if options.deck == "-" else Path(options.deck)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        deck = Deck.read(source, pool)
    for warning in caught:
        print(warning.message, file=sys.stderr)
    answer = _answer(options, deck, pool)
    found = _found(options, answer)
    if options.plot:
        _plot(options, answer)
    if options.csv:
        answer.frame().to_csv(sys.stdout, index=False)
    elif options.json:
        print(json.dumps(_as_json(deck, answer, found), indent=2))
    else:
        for name, number in found["probabilities"].items():
            print(f"{name}: {_shown(number)}")
        for each in found["distributions"]:
            print(each, end="\n\n")
        print(answer.method)
    played = getattr(answer.source, "trials", options.simulate)
    return 0 if played == options.simulate else STOPPED


def _answer(options: argparse.Namespace, deck: Deck, pool: CardPool | None) -> Answer:
    from rulekit.probability.exact import exact

    plan = _plan(options)
    turns = options.turns if options.turns is not None else options.turn or None
    if options.simulate is None:
        for key in ("seed", "policy", "against"):
            if getattr(options, key) not in (None, []):
                raise BadData("this belongs to a simulation.", key=f"--{key}", instead=f"--simulate 1000 --{key} ...")
        return exact(deck, plan, options.count, turns, pool=pool)
    from rulekit.probability.simulate import simulate

    return simulate(
        deck, plan, options.count, turns, trials=options.simulate, seed=options.seed, pool=pool,
        progress=sys.stderr.isatty(), policy=_policies(options.policy),
        against=Deck.read(options.against, pool) if options.against else None,
    )  # fmt: skip


def _policies(said: list[str]) -> Any:
    """Return the policy of both players, or of each one that is named, as `simulate` takes them."""
    if not said:
        return None
    named = [text.partition("=") for text in said]
    if len(said) == 1 and not named[0][1]:
        return said[0]
    for who, _, name in named:
        if who not in ("player", "opponent") or not name:
            raise BadData("this names no player and policy.", key="--policy", text=f"{who}={name}",
                          instead=("eager", "player=eager", "opponent=passive"))  # fmt: skip
    return {who: name for who, _, name in named}


def _plan(options: argparse.Namespace) -> Plan:
    from rulekit.probability.plan import Plan

    if options.mill is not None and options.mill < 0:
        raise BadData(f"{options.mill} cards cannot be milled.", key="--mill", instead="Write a number of at least 0.")
    plan = Plan(on_the_play=options.on_the_play).known(top=options.known_top, bottom=options.known_bottom)
    if options.hand is not None:
        plan = plan.opening_hand(options.hand, keep=options.keep, down_to=options.down_to, free=options.free)
    elif options.keep:
        raise BadData(
            "which hands are kept is asked of --hand.", key="--keep", instead='--hand 7 --keep "2 to 5 lands".'
        )
    if options.draw is not None:
        plan = plan.draw(options.draw)
    for text in options.permanent:
        name, more = _step(text, "--permanent")
        said = _only(more, ("from_turn", "to_turn", "by"), "--permanent")
        plan = plan.permanent(name, controller=said.pop("by", "opponent"), **said)
    for text in options.each_turn:
        step, more = _step(text, "--each-turn")
        draw = _DRAW.fullmatch(step)
        plan = plan.each_turn(draw=int(draw[1]), **more) if draw else plan.each_turn(step, **more)
    for text in options.on_turn:
        turn, colon, rest = text.partition(":")
        if not colon or not turn.strip().isdigit():
            raise BadData(
                "a step of one turn names the turn first.", key="--on-turn", text=text, instead='"3: mill 4".'
            )
        step, more = _step(rest, "--on-turn")
        plan = plan.on_turn(int(turn), step, **_only(more, ("chance", "by", "keep", "enough"), "--on-turn"))
    return plan.on_turn(1, f"mill {options.mill}") if options.mill is not None else plan


def _step(text: str, key: str) -> tuple[str, dict[str, Any]]:
    """Split a step from what is said of it behind semicolons."""
    step, *rest = (part.strip() for part in text.split(";"))
    more: dict[str, Any] = {}
    for part in rest:
        name, found = next(((n, m) for n, p in _SUFFIXES.items() if (m := p.fullmatch(part))), ("", None))
        if found is None:
            raise BadData(
                "this is not said of a step.", key=key, text=part, instead=("chance 0.7", "from turn 4", *_SUFFIXES)
            )
        more[name] = found["value"] if name in ("chance", "by", "keep") else int(found["value"])
    return step, more


def _only(more: dict[str, Any], allowed: tuple[str, ...], key: str) -> dict[str, Any]:
    wrong = [name for name in more if name not in allowed]
    if wrong:
        raise BadData(f"{wrong[0].replace('_', ' ')} is not said here.", key=key, instead=allowed)
    return more


def _found(options: argparse.Namespace, answer: Answer) -> dict[str, Any]:
    turn = options.turn
    counts = answer.names[5:] if options.count else ()
    distributions = [answer.first_turn(each) for each in options.first_turn]
    if len(counts) == 2:
        distributions.append(answer.distribution(list(counts), turn))
    distributions += [answer.distribution(name, turn) for name in counts]
    if not distributions and not options.ask:
        distributions.append(answer.distribution("library", turn))
    return {"probabilities": {each: answer.p(each, turn) for each in options.ask}, "distributions": distributions}


def _plot(options: argparse.Namespace, answer: Answer) -> None:
    from rulekit.widgets.charts import picture

    kind = options.plot.suffix.lower().removeprefix(".")
    if kind not in ("png", "svg"):
        raise BadData("a chart is a .png or a .svg file.", options.plot, key="--plot")
    what = options.first_turn[0] if options.first_turn else (options.count or ["library"])[0]
    turn = None if options.first_turn else options.turn if options.turn is not None else answer.turns
    options.plot.write_bytes(picture(answer.plot(what, turn), kind))


def _as_json(deck: Deck, answer: Answer, found: dict[str, Any]) -> dict[str, Any]:
    return {
        "deck": deck.name,
        "cards": len(deck),
        "unread": [list(each) for each in deck.unread],
        "unknown": list(deck.unknown),
        "method": answer.method,
        "turns": answer.turns,
        "probabilities": {name: _number(number) for name, number in found["probabilities"].items()},
        "distributions": [
            {
                "title": each.title,
                "names": list(each.names),
                "outcomes": [[list(point), _number(each.number(weight))] for point, weight in each.points()],
                "missing": float(each.missing),
            }
            for each in found["distributions"]
        ],
    }


def _number(number: Any) -> Any:
    if not hasattr(number, "trials"):
        return float(number)
    return {"value": float(number), "low": number.low, "high": number.high, "trials": number.trials}


def _shown(number: Any) -> str:
    from rulekit.probability.tables import percent

    return str(number) if hasattr(number, "trials") else percent(float(number))
