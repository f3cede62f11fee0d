"""The plan that the words of `rulekit odds` say."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from typing import Any

from rulekit.cards.pool import CardPool
from rulekit.probability.plan import Plan
from rulekit.rules import BadData

OF_HANDS = ("keep", "down_to", "free", "bottom")
UNSAID: dict[str, Any] = {"on_the_play": False, **dict.fromkeys(("draw", "hand", "keep", "down_to", "free"))}
UNSAID |= {name: [] for name in ("bottom", "steps", "permanent", "from_card", "assume", "known_top", "known_bottom")}
"""What the options of a plan are before they are given."""
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


class _Ordered(argparse.Action):
    """Remember steps of several options in the order in which they are written."""

    def __call__(self, parser: Any, namespace: argparse.Namespace, value: Any, option: str | None = None) -> None:
        """Add one step."""
        namespace.steps = [*namespace.steps, (self.option_strings[0], value)]


class _Another(argparse.Action):
    """Put what was said of a plan aside, and begin another one."""

    def __call__(self, parser: Any, namespace: argparse.Namespace, value: Any, option: str | None = None) -> None:
        """End a plan."""
        said = argparse.Namespace(**{name: getattr(namespace, name) for name in UNSAID})
        namespace.plans = [*namespace.plans, said]
        for name, nothing in UNSAID.items():
            setattr(namespace, name, nothing)


def declare(plan: argparse._ArgumentGroup) -> None:
    """Declare what is done to the library."""
    plan.add_argument("--on-the-play", action="store_true", help="skip the draw of the first turn")
    plan.add_argument("--draw", type=int, metavar="N", help="draw an opening hand without mulligans")
    plan.add_argument("--hand", type=int, metavar="N", help="draw an opening hand with London mulligans, see --keep")
    plan.add_argument("--keep", metavar="HANDS", help='which hands are kept: "2 to 5 lands"')
    plan.add_argument("--down-to", type=int, metavar="N", help="smallest hand that mulligans lead to (4)")
    plan.add_argument("--free", type=int, metavar="N", help="mulligans that cost no card (0)")
    _many(plan, "--bottom", "CARDS", 'put on the bottom first after a mulligan: "lands above 3"')
    _step_of(plan, "--mill", "N", "mill so many cards in turn 1", int)
    _step_of(plan, "--on-turn", "T:STEP", '"3: mill four cards"')
    _step_of(plan, "--each-turn", "STEP", '"draw 1", "mill 10; chance 0.7"')
    _many(plan, "--permanent", "CARD", '"Bruvac...; from turn 5"')
    _many(plan, "--from-card", "CARD", "a card whose text says what happens; what it takes for granted is printed")
    _many(plan, "--assume", "NAME=VALUE", "another value of what a --from-card takes for granted")
    _many(plan, "--known-top", "CARD", "known on top, the next first")
    _many(plan, "--known-bottom", "CARD", "known at the bottom")
    plan.add_argument(
        "--versus", action=_Another, nargs=0, help="another plan begins, to be compared with the one before"
    )
    plan.set_defaults(plans=[], **UNSAID)


def _many(plan: argparse._ArgumentGroup, name: str, what: str, told: str) -> None:
    plan.add_argument(name, action="append", metavar=what, help=told)


def _step_of(plan: argparse._ArgumentGroup, name: str, what: str, told: str, kind: type = str) -> None:
    plan.add_argument(name, action=_Ordered, dest="steps", type=kind, metavar=what, help=told)


def read_plans(options: argparse.Namespace, pool: CardPool | None) -> tuple[Plan, ...]:
    """Return the plans that the options say, one more than --versus stands among them.

    Args:
        options: The words of the command line, as `declare` has them.
        pool: Where the cards of --from-card are looked up before the catalogue.

    Raises:
        BadData: A word says nothing that a plan can do.
        Unknown: No card, or no assumption of these cards, is called so.
    """
    return tuple(_read_plan(said, pool) for said in (*options.plans, options))


def _read_plan(options: argparse.Namespace, pool: CardPool | None) -> Plan:
    plan = _beginning(options, pool)
    for text in options.permanent:
        name, more = _step(text, "--permanent")
        said = _only(more, ("from_turn", "to_turn", "by"), "--permanent")
        plan = plan.permanent(name, controller=said.pop("by", "opponent"), **said)
    for option, said in options.steps:
        plan = _with_step(plan, option, said)
    return plan


def _with_step(plan: Plan, option: str, said: Any) -> Plan:
    """Return a plan with what one of --mill, --each-turn and --on-turn says."""
    if option == "--mill":
        if said < 0:
            raise BadData(f"{said} cards cannot be milled.", key=option, instead="Write a number of at least 0.")
        return plan.on_turn(1, f"mill {said}")
    turn, colon, rest = said.partition(":") if option == "--on-turn" else ("", "", said)
    if option == "--on-turn" and (not colon or not turn.strip().isdecimal()):
        raise BadData("a step of one turn names the turn first.", key=option, text=said, instead='"3: mill 4".')
    step, more = _step(rest, option)
    draw = _DRAW.fullmatch(step)
    if not step or (draw and not int(draw[1])):
        raise BadData("a step says what is done.", key=option, text=said, instead=('"draw 1"', '"mill 10"'))
    what: dict[str, Any] = {"draw": int(draw[1])} if draw else {"text": step}
    if option == "--each-turn":
        return plan.each_turn(**what, **more)
    return plan.on_turn(int(turn), **what, **_only(more, ("chance", "by", "keep", "enough"), option))


def _beginning(options: argparse.Namespace, pool: CardPool | None) -> Plan:
    """Return the plan up to the opening hand, with what its cards do."""
    if options.from_card:
        plan = Plan.from_cards(options.from_card, pool, **dict(map(_assumed, options.assume)))
        plan = replace(plan, on_the_play=options.on_the_play)
    elif options.assume:
        raise BadData("what is taken for granted is asked of --from-card.", key="--assume", instead="--from-card NAME")
    else:
        plan = Plan(on_the_play=options.on_the_play)
    plan = plan.known(top=options.known_top, bottom=options.known_bottom)
    said = {name: getattr(options, name) for name in OF_HANDS if getattr(options, name) not in (None, [])}
    if options.hand is not None:
        plan = plan.opening_hand(options.hand, **said)
    elif said:
        key = f"--{next(iter(said)).replace('_', '-')}"
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


def taken(plan: Plan) -> dict[str, Any]:
    """Return what a plan that was read from cards takes for granted, and what of them is not in it."""
    found = getattr(plan, "assumptions", ())
    if not found:
        return {}
    return {"assumptions": {each.name: str(each.value) for each in found}, "left_out": list(plan.left_out)}  # type: ignore[attr-defined]


def print_plan(plan: Plan, label: str = "") -> None:
    """Print a plan if it is one of several, and what one that was read from cards takes for granted."""
    assumptions = getattr(plan, "assumptions", ())
    if label or assumptions:
        print(f"{label}{Plan.__str__(plan)}")
    if assumptions:
        left_out = getattr(plan, "left_out", ())
        print("taken for granted; --assume NAME=VALUE gives another value:", *(f"  {each}" for each in assumptions),
              *["not in the plan:"] * bool(left_out), *(f"  {each}" for each in left_out), sep="\n")  # fmt: skip
    if label or assumptions:
        print()
