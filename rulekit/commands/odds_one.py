"""What `rulekit odds` asks of one deck, or of one of several, and how that is printed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rulekit.cards.deck import Deck
from rulekit.cards.mixture import Mixture
from rulekit.commands.odds_asked import Asker, counted, draw
from rulekit.commands.odds_plan import print_plan, taken
from rulekit.rules import BadData

if TYPE_CHECKING:
    from rulekit.probability.answer import Answer
    from rulekit.probability.distribution import Distribution

ZONES = ("library", "hand", "graveyard")


def ask(options: argparse.Namespace, asker: Asker, deck: Deck | Mixture) -> None:
    """Ask a deck all questions, and print the answers."""
    answer = asker(deck, asker.plans[0], counted(options.count, *_conditions(options)), asker.turns)
    found = _found(options, answer)
    if options.plot:
        draw(_chart(options, answer, found["distributions"]), options.plot)
    if options.csv:
        answer.frame().to_csv(sys.stdout, index=False)
    elif options.json:
        print(json.dumps(_as_json(deck, asker, answer, found), indent=2))
    else:
        print_plan(asker.plans[0])
        _print(deck, answer, found)
    if options.watch:
        _watch(options, answer)


def _conditions(options: argparse.Namespace) -> list[str]:
    """Return every condition that the questions hold; they are checked to be ones."""
    from rulekit.probability.sweep import counted_in

    watched = [options.watch] if options.watch and not options.watch.strip().isdecimal() else []
    given = [] if options.given is None else [options.given]
    found = []
    for key, said in (("ask", options.ask), ("first-turn", options.first_turn), ("watch", watched), ("given", given)):
        for each in said:
            if not each.strip() or each.strip() in counted_in(each):
                told = "a condition compares a count with a number."
                raise BadData(told, key=f"--{key}", text=each, instead='"land >= 3 and library <= 40"')
            found.append(each)
    if given and (options.first_turn or options.by_turn or options.csv):
        key = "--first-turn" if options.first_turn else "--by-turn" if options.by_turn else "--csv"
        raise BadData("what is given is given at one turn.", key=key, instead="--count and --ask take --given.")
    return found


def _found(options: argparse.Namespace, answer: Answer) -> dict[str, Any]:
    """Return the answers: chances, distributions, and what there is to say of each turn."""
    spelled = {name.casefold(): name for name in answer.names}
    names = list(dict.fromkeys(spelled[name.strip().casefold()] for name in options.count))
    distributions = [answer.first_turn(each) for each in options.first_turn]
    if len(names) == 2 or (options.together and len(names) > 2):
        distributions.append(_at(options, answer, names))
    distributions += [_at(options, answer, [name]) for name in names]
    if not distributions and not options.ask and not options.lost and not options.by_turn:
        distributions.append(_at(options, answer, ["library"]))
    chances = {each: _chance(options, answer, each) for each in (*options.ask, *["lost = 1"] * options.lost)}
    return {"probabilities": chances, "distributions": distributions, "by_turn": _turns(options, answer, names)}


def _at(options: argparse.Namespace, answer: Answer, names: Sequence[str]) -> Distribution:
    """Return what is told of counts together at the turn, of those outcomes in which what is given holds."""
    if options.given is None:
        return answer.distribution(names, options.turn)
    found = _given(options, answer, names).map(lambda *point: point[: len(names)], names)
    title = answer.distribution(names, options.turn).title
    return found.titled(f"{title}, given {answer.said(options.given)}")


def _given(options: argparse.Namespace, answer: Answer, names: Sequence[str]) -> Distribution:
    """Return the distribution of counts, and of those that what is given compares, where it holds."""
    from rulekit.probability.condition import read_condition

    given = read_condition(options.given, answer.names)
    return answer.distribution(list(dict.fromkeys((*names, *given.names))), options.turn).given(given)


def _chance(options: argparse.Namespace, answer: Answer, condition: str) -> Any:
    from rulekit.probability.condition import read_condition

    if options.given is None:
        return answer.p(condition, options.turn)
    read = read_condition(condition, answer.names)
    return _given(options, answer, read.names).p(read)


def _turns(options: argparse.Namespace, answer: Answer, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return for each turn the means of what is counted, and how likely each condition is by then."""
    if not options.by_turn:
        return []
    asked = [*options.ask, *["lost = 1"] * options.lost]
    return [
        {
            "turn": turn,
            "means": {name: answer.mean(name, turn) for name in dict.fromkeys((*ZONES, *names))},
            "probabilities": {each: answer.p(each, turn) for each in asked},
        }
        for turn in range(answer.turns + 1)
    ]


def _chart(options: argparse.Namespace, answer: Answer, distributions: Sequence[Distribution]) -> Any:
    """Draw the first question: a distribution, or a condition turn by turn."""
    from rulekit.widgets import charts

    small = [each for each in distributions if len(each.names) == 1 or (len(each.names) == 2 and not options.view)]
    if options.count or options.first_turn:
        return small[0].plot(view=options.view)
    if options.view or options.given is not None:
        key = "--view" if options.view else "--given"
        raise BadData("a chart of this shows a count.", key=key, instead="--count land, or --first-turn CONDITION")
    asked = [*options.ask, *["lost = 1"] * options.lost]
    if asked:
        by_turn = [(turn, answer.p(asked[0], turn)) for turn in range(1, answer.turns + 1)]
        return charts.plot_curve({"": by_turn}, "turn", f"{asked[0]} at the end of each turn")
    return answer.plot("library", options.turn)


def _print(deck: Deck | Mixture, answer: Answer, found: dict[str, Any]) -> None:
    if isinstance(deck, Mixture):
        print(deck, end="\n\n")
    for name, number in found["probabilities"].items():
        print(f"{name}: {_shown(number)}")
    for each in found["distributions"]:
        print(each, end="\n\n")
    if found["by_turn"]:
        print(_turn_table(found["by_turn"]), end="\n\n")
    print(answer.method)


def _turn_table(turns: Sequence[dict[str, Any]]) -> str:
    from rulekit.probability.distribution import shown
    from rulekit.probability.tables import text_table

    head = ["turn", *(f"mean of {name}" for name in turns[0]["means"]), *turns[0]["probabilities"]]
    rows = [
        [str(each["turn"]), *map(_mean, each["means"].values()), *map(shown, each["probabilities"].values())]
        for each in turns
    ]
    return text_table(head, rows)


def _mean(number: Any) -> str:
    return str(number.short()) if hasattr(number, "trials") else f"{float(number):.2f}"


def _watch(options: argparse.Namespace, answer: Answer) -> None:
    """Deal a trial again on the board and print what happens; beside a table it goes to the error stream."""
    from rulekit.engine import telling
    from rulekit.probability.replay import replay

    said = options.watch.strip()
    trial = int(said) if said.isdecimal() else answer.example(said, options.turn)
    game = replay(answer, trial)
    stream = sys.stderr if options.csv or options.json else sys.stdout
    print(f"\nTrial {trial}, dealt on the board:", telling.text(game.state, game.log), sep="\n", file=stream)


def _as_json(deck: Deck | Mixture, asker: Asker, answer: Answer, found: dict[str, Any]) -> dict[str, Any]:
    weights = deck.decks if isinstance(deck, Mixture) else {}
    decks = list(weights) or [deck]
    return {
        "deck": " or ".join(deck.name for deck in decks),
        "cards": max(map(len, decks)),
        **({"weights": {each.name: float(weight) for each, weight in weights.items()}} if weights else {}),
        "unread": [list(each) for deck in decks for each in deck.unread],
        "unknown": list(dict.fromkeys(name for deck in decks for name in deck.unknown)),
        "method": answer.method,
        **taken(asker.plans[0]),
        "turns": answer.turns,
        "probabilities": _numbers(found["probabilities"]),
        "distributions": [
            {
                "title": each.title,
                "names": list(each.names),
                "outcomes": [[list(point), _number(each.number(weight))] for point, weight in each.points()],
                "missing": float(each.missing),
            }
            for each in found["distributions"]
        ],
        "by_turn": [
            {"turn": each["turn"], "means": _numbers(each["means"]), "probabilities": _numbers(each["probabilities"])}
            for each in found["by_turn"]
        ],
    }


def _numbers(named: dict[str, Any]) -> dict[str, Any]:
    return {name: _number(number) for name, number in named.items()}


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
