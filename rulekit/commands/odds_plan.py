"""The plan that the words of `rulekit odds` say."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from typing import Any

from rulekit.cards.pool import CardPool
from rulekit.probability.plan import Plan
from rulekit.rules import BadData

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


def declare(plan: argparse._ArgumentGroup) -> None:
    """Declare what is done to the library."""
    plan.add_argument("--on-the-play", action="store_true", help="skip the draw of the first turn")
    plan.add_argument("--draw", type=int, metavar="N", help="draw an opening hand without mulligans")
    plan.add_argument("--hand", type=int, metavar="N", help="draw an opening hand with London mulligans, see --keep")
    plan.add_argument("--keep", default="", metavar="HANDS", help='which hands are kept: "2 to 5 lands"')
    plan.add_argument("--down-to", type=int, default=4, metavar="N", help="smallest hand that mulligans lead to (4)")
    plan.add_argument("--free", type=int, default=0, metavar="N", help="mulligans that cost no card (0)")
    _many(plan, "--bottom", "CARDS", 'put on the bottom first after a mulligan: "lands above 3"')
    plan.add_argument("--mill", type=int, metavar="N", help="mill so many cards in turn 1")
    _many(plan, "--on-turn", "T:STEP", '"3: mill four cards"')
    _many(plan, "--each-turn", "STEP", '"draw 1", "mill 10; chance 0.7"')
    _many(plan, "--permanent", "CARD", '"Bruvac...; from turn 5"')
    _many(plan, "--from-card", "CARD", "a card whose text says what happens; what it takes for granted is printed")
    _many(plan, "--assume", "NAME=VALUE", "another value of what a --from-card takes for granted")
    _many(plan, "--known-top", "CARD", "known on top, the next first")
    _many(plan, "--known-bottom", "CARD", "known at the bottom")


def _many(plan: argparse._ArgumentGroup, name: str, what: str, told: str) -> None:
    plan.add_argument(name, action="append", default=[], metavar=what, help=told)


def read_plan(options: argparse.Namespace, pool: CardPool | None) -> Plan:
    """Return the plan that the options say.

    Args:
        options: The words of the command line, as `declare` has them.
        pool: Where the cards of --from-card are looked up before the catalogue.

    Raises:
        BadData: A word says nothing that a plan can do.
        Unknown: No card, or no assumption of these cards, is called so.
    """
    plan = _beginning(options, pool)
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


def _beginning(options: argparse.Namespace, pool: CardPool | None) -> Plan:
    """Return the plan up to the opening hand, with what its cards do."""
    if options.mill is not None and options.mill < 0:
        raise BadData(f"{options.mill} cards cannot be milled.", key="--mill", instead="Write a number of at least 0.")
    if options.from_card:
        plan = Plan.from_cards(options.from_card, pool, **dict(map(_assumed, options.assume)))
        plan = replace(plan, on_the_play=options.on_the_play)
    elif options.assume:
        raise BadData("what is taken for granted is asked of --from-card.", key="--assume", instead="--from-card NAME")
    else:
        plan = Plan(on_the_play=options.on_the_play)
    plan = plan.known(top=options.known_top, bottom=options.known_bottom)
    if options.hand is not None:
        plan = plan.opening_hand(
            options.hand, keep=options.keep, down_to=options.down_to, free=options.free, bottom=options.bottom or None
        )
    elif options.keep or options.bottom:
        key = "--keep" if options.keep else "--bottom"
        raise BadData("this is asked of --hand.", key=key, instead='--hand 7 --keep "2 to 5 lands".')
    return plan if options.draw is None else plan.draw(options.draw)


def _assumed(text: str) -> tuple[str, int | str]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name or not value:
        raise BadData(
            "an assumption has a name and a value.", key="--assume", text=text, instead='"ruin_crab_times=2".'
        )
    return name, int(value) if value.isdecimal() else value


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
