"""Work out the odds of a deck: what a plan does to its library, turn by turn, and what is counted.

DECK is a deck list, or - for one on standard input. Several are compared, or with --weight are the decks one of which
it is. Steps are instructions in the words of rules text. Behind a step may stand, each after a semicolon: chance 0.7,
from turn 4, to turn 9, every 2 turns, by opponent, by player, keep land, enough 4.
"""

from __future__ import annotations

import argparse
import json
import re
import secrets
import sys
import warnings
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulekit.cards.deck import Deck
from rulekit.cards.deck_source import MOST_BYTES
from rulekit.cards.mixture import Mixture
from rulekit.cards.pool import CardPool
from rulekit.commands import odds_plan
from rulekit.rules import BadData

if TYPE_CHECKING:
    from rulekit.probability.answer import Answer
    from rulekit.probability.plan import Plan
    from rulekit.probability.sweep import Compared, Sweep

EXAMPLES = """\
  rulekit odds deck.txt --draw 7 --mill 10 --count land --count creature
  rulekit odds deck.txt --draw 7 --each-turn "draw 1" --each-turn "mill 10; chance 0.7; from turn 4" --turns 12 \\
      --first-turn "library = 0" --plot empty.png
  rulekit odds deck.txt --hand 7 --keep "2 to 5 lands" --count "land in hand" --ask "land in hand >= 3" --turn 0
  rulekit odds deck.txt --mill 10 --count land --simulate 100000 --seed 1 --json
  rulekit odds deck.txt --draw 7 --each-turn "mill 3" --from-card "Ruin Crab" --assume ruin_crab_chance=0.8 --lost
  rulekit odds deck.txt --draw 7 --count "land in hand" --ask "land in hand = 3" --turn 0 --vary land --over 20-28
  rulekit odds mine.txt theirs.txt --draw 7 --mill 10 --ask "land >= 4" --count land
  rulekit odds control.txt combo.txt --weight 3 --weight 1 --seen Island --mill 10 --ask "land >= 4" --count land
  rulekit odds deck.txt --draw 7 --mill 10 --count land --simulate 1000 --seed 1 --watch "land = 0"
  rulekit odds mine.txt --draw 7 --turns 6 --ask "library <= 40" --simulate 100 --policy eager --against theirs.txt
"""
STOPPED = 130
STATUS: dict[int, str] = {STOPPED: "stopped with Ctrl-C; what was simulated of one deck has been printed"}
_SPAN = re.compile(r"(\d+)\s*(?:-|to)\s*(\d+)(?:\s*(?:by|step)\s*(\d+))?")
MOST_VARIED = 1_000


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the decks, the plan, the questions and the form of the answer."""
    parser.add_argument("decks", nargs="+", metavar="DECK", help="a deck list in any form that people export, or -")
    parser.add_argument("--pool", type=Path, metavar="CARDS", help="a file of card data of Scryfall or MTGJSON")
    several = parser.add_argument_group("several decks")
    several.add_argument(
        "--weight", action="append", default=[], metavar="W", help="how likely each DECK is, in their order: 3, 0.6"
    )
    several.add_argument("--seen", action="append", default=[], metavar="CARD", help="seen of it: changes the weights")
    several.add_argument("--vary", metavar="KIND", help="ask with different numbers of such cards, as --over says")
    several.add_argument("--over", metavar="A-B", help='these numbers: "20-28", "10 to 30 by 5"')
    odds_plan.declare(parser.add_argument_group("plan"))
    asked = parser.add_argument_group("questions")
    asked.add_argument("--count", action="append", default=[], metavar="WHAT", help='"land", "creature in graveyard"')
    asked.add_argument("--ask", action="append", default=[], metavar="CONDITION", help='"land >= 3 and library <= 40"')
    asked.add_argument("--first-turn", action="append", default=[], metavar="CONDITION", help='"library = 0"')
    asked.add_argument("--lost", action="store_true", help="how likely a draw from an empty library has lost")
    asked.add_argument("--turn", type=int, metavar="T", help="the turn that is asked about; the last without")
    asked.add_argument("--turns", type=int, metavar="N", help="the last turn")
    _declare_answer(parser.add_argument_group("answer"))


def _declare_answer(how: argparse._ArgumentGroup) -> None:
    how.add_argument("--fractions", action="store_true", help="exact rational numbers")
    how.add_argument("--simulate", type=int, metavar="TRIALS", help="play trials instead of working it out")
    how.add_argument("--seed", type=int, metavar="N", help="seed of the trials")
    how.add_argument(
        "--policy", action="append", default=[], metavar="NAME",
        help="play trials on the board: passive, eager or random decides; for one player opponent=eager",
    )  # fmt: skip
    how.add_argument("--against", type=Path, metavar="DECK", help="the opponent's deck, for whole games on the board")
    how.add_argument("--watch", metavar="TRIAL", help="deal a trial on the board: its number, or a condition it meets")
    how.add_argument("--plot", type=Path, metavar="FILE", help="draw the first question into a .png or .svg file")
    form = how.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print the distributions of all counts by turn as CSV")
    form.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace) -> int:
    """Read decks, plan and questions, work them out, and print."""
    if options.plot and options.plot.suffix.lower() not in (".png", ".svg"):
        raise BadData("a chart is a .png or a .svg file.", options.plot, key="--plot")
    pool = CardPool.read(options.pool) | CardPool.catalogue() if options.pool else None
    decks = [_deck(source, pool) for source in options.decks]
    asker = _Asker(options, pool)
    if options.vary or options.over:
        _print_several(options, asker, [_swept(options, asker, decks, each) for each in _asked(options, counts=False)])
    elif len(decks) > 1 and not options.weight:
        _print_several(options, asker, [_compared(options, asker, decks, each) for each in _asked(options)])
    else:
        deck = _mixed(options, decks) if options.weight or options.seen else decks[0]
        _print_one(options, deck, asker.plan, asker(deck, asker.plan, _counts(options), asker.turns))
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
    return mixture.given(options.seen) if options.seen else mixture


class _Asker:
    """Asks `exact` or `simulate`, as the options say.

    Attributes:
        plan: The plan.
        turns: The last turn, if the options say one.
        seed: The seed of trials.
        stopped: Whether Ctrl-C ended a simulation before its last trial.
        methods: How the answers were found.
    """

    def __init__(self, options: argparse.Namespace, pool: CardPool | None) -> None:
        self.options, self.pool = options, pool
        self.plan = odds_plan.read_plan(options, pool)
        self.turns = options.turns if options.turns is not None else options.turn or None
        # one seed for all: decks that meet the same luck are the better compared
        self.seed = secrets.randbits(32) if options.seed is None else options.seed
        self.stopped = False
        self.methods: dict[str, None] = {}
        if options.simulate is None:
            for key in ("seed", "policy", "against", "watch"):
                if getattr(options, key) not in (None, []):
                    raise BadData(
                        "this belongs to a simulation.", key=f"--{key}", instead=f"--simulate 1000 --{key} ..."
                    )
        elif options.fractions:
            raise BadData("a simulation has no exact fractions.", key="--fractions", instead="Leave out --simulate.")

    def __call__(self, deck: Any, plan: Plan, count: Any, turns: int | None = None) -> Answer:
        """Answer for one deck; with several decks Ctrl-C ends the whole."""
        options = self.options
        if options.simulate is None:
            from rulekit.probability.exact import exact

            answer = exact(deck, plan, count, turns, pool=self.pool, as_fractions=options.fractions)
        else:
            from rulekit.probability.simulate import simulate

            if self.stopped:
                raise KeyboardInterrupt
            answer = simulate(
                deck, plan, count, turns, trials=options.simulate, seed=self.seed, pool=self.pool,
                progress=sys.stderr.isatty(), policy=_policies(options.policy),
                against=_deck(options.against, self.pool) if options.against else None,
            )  # fmt: skip
            self.stopped = getattr(answer.source, "trials", options.simulate) < options.simulate
        self.methods[answer.method] = None
        return answer


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


# -------------------------------------------------------------------- several decks


def _asked(options: argparse.Namespace, counts: bool = True) -> list[str]:
    """Return the questions that are put to several decks."""
    if options.first_turn:
        instead = f'--ask "{options.first_turn[0]}", which is answered for each turn.'
        raise BadData("a first turn is asked of one deck.", key="--first-turn", instead=instead)
    if options.watch:
        raise BadData("a trial is watched of one deck.", key="--watch", instead="Name one DECK.")
    questions = [*options.ask, *["lost = 1"] * options.lost, *(options.count if counts and not options.ask else [])]
    if not questions:
        what = "--count or --ask" if counts else "--ask CONDITION"
        raise BadData("nothing is asked of these decks.", key="--ask", instead=f"{what} says what is asked.")
    return questions


def _swept(options: argparse.Namespace, asker: _Asker, decks: list[Deck], question: str) -> Sweep:
    from rulekit.probability.sweep import sweep

    if not options.vary or not options.over or len(decks) > 1:
        raise BadData("one DECK is varied, as --vary and --over say.", key="--vary", instead="--vary land --over 20-28")
    span = _SPAN.fullmatch(options.over.strip())
    if span is None:
        raise BadData("these are no numbers.", key="--over", text=options.over, instead=("20-28", "10 to 30 by 5"))
    first, last, step = int(span[1]), int(span[2]), int(span[3] or 1)
    if step < 1 or not 0 <= last - first < MOST_VARIED:
        raise BadData(f"up to {MOST_VARIED:,} numbers, the smaller first.", key="--over", text=options.over)
    numbers = range(first, last + 1, step)
    return sweep(
        decks[0], asker.plan, vary=options.vary, over=numbers, question=question, count=options.count or None,
        turn=options.turn, turns=asker.turns, ask=asker,
    )  # fmt: skip


def _compared(options: argparse.Namespace, asker: _Asker, decks: list[Deck], question: str) -> Compared:
    from rulekit.probability.sweep import compare

    labels = [Path(source).stem if source != "-" else "standard input" for source in options.decks]
    return compare(
        *decks, plan=asker.plan, question=question, count=options.count or None, turn=options.turn,
        turns=asker.turns, labels=labels, ask=asker,
    )  # fmt: skip


def _print_several(options: argparse.Namespace, asker: _Asker, found: list[Any]) -> None:
    if options.plot:
        _draw(found[0].plot(), options.plot)
    if options.csv:
        for number, each in enumerate(found):
            frame = each.frame()
            frame.insert(0, "question", each.question)
            frame.to_csv(sys.stdout, index=False, header=not number)
    elif options.json:
        rows = [{"question": each.question, "rows": each.frame().to_dict("records")} for each in found]
        told = {"method": " ".join(asker.methods), **_taken(asker.plan), "answers": rows}
        print(json.dumps(told, indent=2, default=float))
    else:
        _print_taken(asker.plan)
        print(*found, *asker.methods, sep="\n\n")


# -------------------------------------------------------------------- one deck, or one of several


def _print_one(options: argparse.Namespace, deck: Deck | Mixture, plan: Plan, answer: Answer) -> None:
    found = _found(options, answer)
    if options.plot:
        what = options.first_turn[0] if options.first_turn else (options.count or ["library"])[0]
        turn = None if options.first_turn else options.turn if options.turn is not None else answer.turns
        _draw(answer.plot(what, turn), options.plot)
    if options.csv:
        answer.frame().to_csv(sys.stdout, index=False)
    elif options.json:
        print(json.dumps(_as_json(deck, plan, answer, found), indent=2))
    else:
        _print_taken(plan)
        if isinstance(deck, Mixture):
            print(deck, end="\n\n")
        for name, number in found["probabilities"].items():
            print(f"{name}: {_shown(number)}")
        for each in found["distributions"]:
            print(each, end="\n\n")
        print(answer.method)
    if options.watch:
        _watch(options, answer)


def _counts(options: argparse.Namespace) -> list[str]:
    """Return what is counted: what is said, or without what the questions name."""
    from rulekit.probability.sweep import counted_in

    watched = [options.watch] if options.watch and not options.watch.strip().isdecimal() else []
    named = [name for each in (*options.ask, *options.first_turn, *watched) for name in counted_in(each)]
    return options.count or list(dict.fromkeys(named))


def _found(options: argparse.Namespace, answer: Answer) -> dict[str, Any]:
    turn = options.turn
    counts = answer.names[5:] if options.count else ()
    distributions = [answer.first_turn(each) for each in options.first_turn]
    if len(counts) == 2:
        distributions.append(answer.distribution(list(counts), turn))
    distributions += [answer.distribution(name, turn) for name in counts]
    if not distributions and not options.ask and not options.lost:
        distributions.append(answer.distribution("library", turn))
    numbers = {each: answer.p(each, turn) for each in options.ask}
    if options.lost:
        numbers["lost = 1"] = answer.lost_by(turn)
    return {"probabilities": numbers, "distributions": distributions}


def _watch(options: argparse.Namespace, answer: Answer) -> None:
    """Deal a trial again on the board and print what happens; beside a table it goes to the error stream."""
    from rulekit.engine import telling
    from rulekit.probability.replay import replay

    said = options.watch.strip()
    trial = int(said) if said.isdecimal() else answer.example(said, options.turn)
    game = replay(answer, trial)
    stream = sys.stderr if options.csv or options.json else sys.stdout
    print(f"\nTrial {trial}, dealt on the board:", telling.text(game.state, game.log), sep="\n", file=stream)


def _draw(axes: Any, path: Path) -> None:
    from rulekit.widgets.charts import picture

    path.write_bytes(picture(axes, path.suffix.lower().removeprefix(".")))


def _as_json(deck: Deck | Mixture, plan: Plan, answer: Answer, found: dict[str, Any]) -> dict[str, Any]:
    weights = deck.decks if isinstance(deck, Mixture) else {}
    decks = list(weights) or [deck]
    return {
        "deck": " or ".join(deck.name for deck in decks),
        "cards": max(map(len, decks)),
        **({"weights": {each.name: float(weight) for each, weight in weights.items()}} if weights else {}),
        "unread": [list(each) for deck in decks for each in deck.unread],
        "unknown": list(dict.fromkeys(name for deck in decks for name in deck.unknown)),
        "method": answer.method,
        **_taken(plan),
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
    if isinstance(number, Fraction):
        return {"value": float(number), "fraction": str(number)}
    if not hasattr(number, "trials"):
        return float(number)
    return {"value": float(number), "low": number.low, "high": number.high, "trials": number.trials}


def _shown(number: Any) -> str:
    from rulekit.probability.tables import percent

    if isinstance(number, Fraction):
        return f"{percent(float(number))} = {number}"
    return str(number) if hasattr(number, "trials") else percent(float(number))


def _taken(plan: Plan) -> dict[str, Any]:
    """Return what a plan that was read from cards takes for granted, and what of them is not in it."""
    taken = getattr(plan, "assumptions", ())
    if not taken:
        return {}
    return {"assumptions": {each.name: str(each.value) for each in taken}, "left_out": list(plan.left_out)}  # type: ignore[attr-defined]


def _print_taken(plan: Plan) -> None:
    from rulekit.probability.plan import Plan

    assumptions = getattr(plan, "assumptions", ())
    if assumptions:
        left_out = getattr(plan, "left_out", ())
        print(Plan.__str__(plan), "taken for granted; --assume NAME=VALUE gives another value:", sep="\n")
        print(*(f"  {each}" for each in assumptions), sep="\n")
        print(*(["not in the plan:"] * bool(left_out)), *(f"  {each}" for each in left_out), "", sep="\n")
