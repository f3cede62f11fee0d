"""What `rulekit odds` asks of several decks, plans or numbers of cards, and how that is printed."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulekit.cards.deck import Deck
from rulekit.cards.mixture import Mixture
from rulekit.commands.odds_asked import Asker, counted, draw
from rulekit.commands.odds_plan import print_plan, taken
from rulekit.rules import BadData

if TYPE_CHECKING:
    from rulekit.probability.plan import Plan
    from rulekit.probability.sweep import Compared, Sweep

MOST_VARIED = 1_000
OF_ONE = ("first_turn", "watch", "given", "by_turn", "together")
_SPAN = re.compile(r"(\d+)\s*(?:-|to)\s*(\d+)(?:\s*(?:by|step)\s*(\d+))?")


def vary(options: argparse.Namespace, asker: Asker, decks: Sequence[Deck | Mixture]) -> None:
    """Ask a deck with different numbers of cards of a kind, and print what comes of it."""
    _print(options, asker, [_swept(options, asker, decks, each) for each in _questions(options, counts=False)])


def compare(options: argparse.Namespace, asker: Asker, decks: Sequence[Deck | Mixture]) -> None:
    """Ask several decks or plans the same, and print their answers side by side."""
    pairs = _pairs(decks, asker.plans)
    labels = [f"plan {number}" for number, _ in enumerate(pairs, 1)]
    if len(decks) > 1:
        labels = [Path(source).stem if source != "-" else "standard input" for source in options.decks]
    _print(options, asker, [_compared(options, asker, pairs, labels, each) for each in _questions(options)])


def _pairs(decks: Sequence[Deck | Mixture], plans: Sequence[Plan]) -> list[tuple[Deck | Mixture, Plan]]:
    """Return each deck with its plan; one deck goes with every plan, and one plan with every deck."""
    if len(decks) > 1 < len(plans) != len(decks):
        told = f"{len(decks)} DECKs and {len(plans)} plans are no pairs."
        raise BadData(told, key="--versus", instead="One DECK, one plan, or as many plans as DECKs.")
    most = max(len(decks), len(plans))
    return [(decks[k % len(decks)], plans[k % len(plans)]) for k in range(most)]


def _questions(options: argparse.Namespace, counts: bool = True) -> list[str]:
    for name in OF_ONE:
        if getattr(options, name):
            instead = "Name one DECK and one plan, without --vary."
            if name == "first_turn":
                instead = f'--ask "{options.first_turn[0]}", which is answered for each turn.'
            raise BadData("this is asked of one deck.", key=f"--{name.replace('_', '-')}", instead=instead)
    questions = [*options.ask, *["lost = 1"] * options.lost, *(options.count if counts else [])]
    if not questions:
        what = "--count or --ask" if counts else "--ask CONDITION"
        raise BadData("nothing is asked of these decks.", key="--ask", instead=f"{what} says what is asked.")
    return questions


def _swept(options: argparse.Namespace, asker: Asker, decks: Sequence[Deck | Mixture], question: str) -> Sweep:
    from rulekit.probability.sweep import sweep

    deck = decks[0]
    if not options.vary or not options.over or isinstance(deck, Mixture) or len(decks) + len(asker.plans) > 2:
        told = "one DECK with one plan is varied, as --vary and --over say."
        raise BadData(told, key="--vary", instead="--vary land --over 20-28")
    span = _SPAN.fullmatch(options.over.strip())
    if span is None:
        raise BadData("these are no numbers.", key="--over", text=options.over, instead=("20-28", "10 to 30 by 5"))
    first, last, step = int(span[1]), int(span[2]), int(span[3] or 1)
    if step < 1 or not 0 <= last - first < MOST_VARIED:
        raise BadData(f"up to {MOST_VARIED:,} numbers, the smaller first.", key="--over", text=options.over)
    return sweep(
        deck, asker.plans[0], vary=options.vary, over=range(first, last + 1, step), question=question,
        count=counted(options.count, question), turn=options.turn, turns=asker.turns, ask=asker,
    )  # fmt: skip


def _compared(
    options: argparse.Namespace,
    asker: Asker,
    pairs: Sequence[tuple[Deck | Mixture, Plan]],
    labels: Sequence[str],
    question: str,
) -> Compared:
    from rulekit.probability.sweep import compare as compared

    return compared(
        *pairs, question=question, count=counted(options.count, question), turn=options.turn, turns=asker.turns,
        labels=labels, ask=asker,
    )  # fmt: skip


def _chart(options: argparse.Namespace, found: Sweep | Compared) -> Any:
    """Draw the first question, a count in the view that is asked for."""
    if not options.view:
        return found.plot()
    if not getattr(found, "values", None):
        raise BadData("a chart of this shows a count.", key="--view", instead="--count land, and no --ask")
    return found.plot(view=options.view)  # type: ignore[call-arg]


def _print(options: argparse.Namespace, asker: Asker, found: Sequence[Any]) -> None:
    if options.plot:
        draw(_chart(options, found[0]), options.plot)
    if options.csv:
        for number, each in enumerate(found):
            frame = each.frame()
            frame.insert(0, "question", each.question)
            frame.to_csv(sys.stdout, index=False, header=not number)
    elif options.json:
        rows = [{"question": each.question, "rows": each.frame().to_dict("records")} for each in found]
        plans = {"plans": [str(plan) for plan in asker.plans]} if len(asker.plans) > 1 else taken(asker.plans[0])
        print(json.dumps({"method": " ".join(asker.methods), **plans, "answers": rows}, indent=2, default=float))
    else:
        for number, plan in enumerate(asker.plans, 1):
            print_plan(plan, f"plan {number}: " if len(asker.plans) > 1 else "")
        print(*found, *asker.methods, sep="\n\n")
