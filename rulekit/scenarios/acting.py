"""Casting, activating and playing as a step says: which action it means, and the answers to what that action asks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rulekit.engine import targets
from rulekit.engine.events import Decision
from rulekit.engine.frame import Frame
from rulekit.engine.game import Action, Game
from rulekit.engine.offers import legal_actions
from rulekit.engine.permissions import ways_to_cast
from rulekit.engine.special import WHERE as SPECIAL
from rulekit.engine.state import State
from rulekit.rules import Illegal, Unknown
from rulekit.scenarios import naming
from rulekit.scenarios.form import COSTS, Step

KICKER = "702.33a"
_ANNOUNCED = re.compile(r"(?:\{[^{}]+\})*(?: and )?(?:\d+ life)?")  # how symbols are paid, such as {1}{B} and 2 life
DONE = {
    "cast": "cast",
    "activate": "ability activated",
    "suspend": "exiled",
    "companion": "companion",
}  # the event with which the choices of an action end


SAID = {"exile": "in exile", "outside": "outside the game"}


class Unanswered(Exception):
    """Leave a decision open: the step does not answer it."""


# -------------------------------------------------------------------- which action


def actions_meant(state: State, player: str, step: Step) -> list[Action]:
    """Return the actions that a step can mean, the likeliest first; at least one, so that it can be refused.

    Args:
        state: Where the player has priority.
        player: Who acts.
        step: A step "cast", "activate", "play", "suspend" or "companion".

    Raises:
        Illegal: What is called so is not where it would have to be.
        Unknown: Nothing is called so.
    """
    if step.kind == "activate":
        return _activations(state, player, step)
    number = _card_meant(state, player, step)
    if step.kind in SPECIAL:
        places = [place for place, ability in enumerate(state.look(number).abilities) if ability.keyword == step.kind]
        return [Action(step.kind, number, place) for place in places[:1] or (None,)]
    card = state.objects[number].card
    names = [face.name for face in card.faces] if card is not None else []
    face = names.index(step.value) if step.value in names else 0
    ways = [way for way, its_face, _ in ways_to_cast(state, player, number) if its_face == face]
    return _by_way(state, player, [Action(step.kind, number, way=way, face=face) for way in ways], step) or [
        Action(step.kind, number, face=face)
    ]


def _by_way(state: State, player: str, actions: list[Action], step: Step) -> list[Action]:
    """Sort actions that differ in what is paid: what the step names, else the one alternative that can be used."""
    paying = _said_of_payment(step)
    if paying:
        return [each for each in actions if any(_names_way(said, each) for said in paying)] or actions
    offered = set(legal_actions(state, player))
    usable = [each for each in actions if each in offered]
    return sorted(usable, key=lambda each: not each.way) or actions


def _said_of_payment(step: Step) -> list[str]:
    """Return what a step says about how it is paid for."""
    said = step.beside.get("paying", ())
    return [said] if isinstance(said, str) else list(said)


def _names_way(said: str, action: Action) -> bool:
    return naming.whole_words(said, action.way or "its mana cost")


def _card_meant(state: State, player: str, step: Step) -> int:
    """Return the card that is cast or played: in the hand of the player, or where the step says."""
    zone = SPECIAL.get(step.kind) or step.beside.get("from", "hand")
    owners = (player,) if zone == "hand" else state.from_active(player)
    pile = [number for owner in owners for number in state.zone(zone, owner)]
    number = naming.find(state, step.value, dict.fromkeys(pile))
    if number is None:
        _refuse_from_elsewhere(state, player, step, {"cast": "601.3", "play": "305.1"}.get(step.kind))
        where = f"in {player}'s hand" if zone == "hand" else SAID.get(zone, f"in a {zone}")
        raise Unknown("card", step.value, [name for each in pile for name in naming.names_of(state, each)], where)
    return number


def _refuse_from_elsewhere(state: State, player: str, step: Step, rule: str | None) -> None:
    """Refuse a step about something that is not where the step would need it, if it is or was anywhere at all.

    Raises:
        Illegal: It is somewhere else, or exists no more.
    """
    try:
        number = naming.find_or_last(state, step.value)
    except Unknown:
        return
    if rule is not None:
        thing = state.get(number)
        shared = thing.zone in ("battlefield", "stack")
        place = f"on the {thing.zone}" if shared else f"in {thing.owner}'s {thing.zone}"
        where = f"it is {place}" if number in state.objects else "it exists no more"
        raise Illegal(rule, f"{player} cannot {step.kind} {step.value}: {where}.")


def _activations(state: State, player: str, step: Step) -> list[Action]:
    zone = step.beside.get("from", "battlefield")
    here = [number for number, thing in state.objects.items() if thing.zone == zone]
    own = [number for number in here if state.look(number).controller == player]
    numbers = naming.fitting(state, step.value, own) or naming.fitting(state, step.value, here)
    if not numbers and "from" not in step.beside:
        numbers = naming.fitting(state, step.value, [n for n in state.objects if _acts_from_where_it_is(state, n)])
    if not numbers:
        _refuse_from_elsewhere(state, player, step, "113.6")
        every = [name for each in here for name in naming.names_of(state, each)]
        raise Unknown("permanent" if zone == "battlefield" else "card", step.value, every)
    return [action for number in numbers for action in _abilities_meant(state, player, step, number)]


def _abilities_meant(state: State, player: str, step: Step, number: int) -> list[Action]:
    """Return the ways to activate what a step can mean of one object; at least one, so that it can be refused."""
    places = naming.abilities_called(state, number, step.beside.get("ability"))
    aimed = bool(step.beside.get("targets"))
    fitting = [place for place in places if _has_targets(state, number, place) == aimed] or places
    actions = [
        Action("activate", number, place, way=way) for place in fitting for way in _ways(state, player, number, place)
    ]
    return _by_way(state, player, actions, step) or [Action("activate", number)]


def _ways(state: State, player: str, number: int, place: int) -> list[str]:
    offered = [each.way for each in legal_actions(state, player) if (each.number, each.ability) == (number, place)]
    return list(dict.fromkeys((*offered, "")))


def _acts_from_where_it_is(state: State, number: int) -> bool:
    zone = state.objects[number].zone
    return any(zone in ability.zones for _, ability in naming.activated(state, number))


def _has_targets(state: State, number: int, place: int) -> bool:
    seen = state.look(number)
    return any(True for _ in targets.asked(Frame(state, seen.controller, number), seen.abilities[place].effect))


# -------------------------------------------------------------------- its choices


class Choices:
    """The answers that a step gives to what its own action asks.

    Attributes:
        left: The answers not asked for so far, by key.
    """

    def __init__(self, step: Step, action: Action) -> None:
        """Take the answers that stand beside a step."""
        self.step = step
        self.action = action
        self.left: dict[str, list[Any]] = {
            key: list(value) if isinstance(value, tuple) else [value]
            for key, value in step.beside.items()
            if key not in ("by", "from", "ability", "paying") and value != ()
        }
        if isinstance(step.beside.get("mana"), str):
            self.left["mana"] = re.findall(r"\{\w+\}", step.beside["mana"])
        self.paying = _said_of_payment(step)
        self.paying = [said for said in self.paying if not _names_way(said, action)]
        self.refusal: Illegal | None = None
        self.last: Any = None
        self.bill = ""  # the question for mana that was asked last
        self.needless: list[str] = []  # what is named for mana where nothing else would do

    def made(self, game: Game, since: int) -> Game:
        """Answer what the action asks, one decision after the other.

        Args:
            game: The game in the middle of the action.
            since: How many events the log had before it.

        Returns:
            The game after the action, or at the first decision that the step does not answer.

        Raises:
            Illegal: A rule forbids an answer, or one that is needed is not there.
        """
        while game.action is not None and (asked := game.decision) is not None and not self._is_done(game, since):
            try:
                answer = self._answer(game.state, asked)
            except Unanswered:
                return game
            try:
                game = game.decide(answer)
            except Illegal as refusal:
                if asked.kind != "choose target" or "done" not in asked.options or answer == "done":
                    raise
                self.refusal = self.refusal or refusal  # the target may be meant for the next target word
                self.left.setdefault("targets", []).insert(0, self.last)
                game = game.decide("done")
        self._drop_needless()
        unpaid = [said for said in self.paying if _ANNOUNCED.fullmatch(said) and said.endswith("life")]
        if unpaid:
            self.left["paying"] = unpaid
        if "targets" in self.left:
            told = ", ".join(map(str, self.left["targets"]))
            raise self.refusal or Illegal("601.2c", f"{self.step.value} has no target for {told}.")
        return game

    def _is_done(self, game: Game, since: int) -> bool:
        """Return whether the spell is cast or the ability activated, so that later decisions are none of its own."""
        wanted = DONE.get(self.action.kind)
        for event in game.state.history():
            if event.number < since:
                return False
            if event.kind == wanted:
                return True
        return False

    def _next(self, key: str) -> Any:
        """Take the next answer of a key."""
        answers = self.left[key]
        self.last = answers.pop(0)
        if not answers:
            del self.left[key]
        return self.last

    def _answer(self, state: State, asked: Decision) -> Any:
        key = key_of(asked)
        if key == "mana" or (asked.kind == "choose color" and self.bill):
            return self._mana(state, asked)
        if key == "paying":
            return self._announced(asked)
        if key in self.left:
            answer = self._next(key)
            if key == "modes":
                return _mode(asked, answer)
            meant = naming.option(state, asked, answer)
            return naming.meant(state, answer) if meant is None else meant
        if asked.rule == KICKER:
            return "yes" if any(naming.whole_words(said, asked.prompt) for said in self.paying) else "no"
        for unsaid in ("no", "done"):
            if unsaid in asked.options and key in ("gift", "targets", "modes"):
                return unsaid
        if len(asked.options) > 1:
            raise Unanswered
        return asked.options[0] if asked.options else None

    def _announced(self, asked: Decision) -> Any:
        """Return how symbols are paid: as the step says, else with mana where that can be, with life where not."""
        for place, said in enumerate(self.paying):
            same = [option for option in asked.options if said == option]
            meant = same or [option for option in asked.options if naming.whole_words(said, option)]
            if len(meant) == 1:
                del self.paying[place]
                return meant[0]
        refused = (said for said in self.paying if _ANNOUNCED.fullmatch(said))  # by the game, which tells what can be
        return next(refused, asked.options[0])

    def _mana(self, state: State, asked: Decision) -> Any:
        """Return which mana is made or spent: what the step names next where several would do, else the first."""
        self.bill = asked.prompt if key_of(asked) == "mana" else self.bill
        if len(asked.options) == 1:
            self.needless += [
                each for each in self.left.get("mana", ()) if naming.option(state, asked, each.strip("{}")) is not None
            ]
        named = self.left.get("mana", [""])[0]
        option = naming.option(state, asked, named.strip("{}")) if named and len(asked.options) > 1 else None
        if option is None:
            return useful(asked, self.bill)
        return naming.option(state, asked, self._next("mana").strip("{}"))

    def _drop_needless(self) -> None:
        """Take what is named for mana and was used without a question as said."""
        for named in self.needless:
            if named in self.left.get("mana", ()):
                self.left["mana"].remove(named)
        if not self.left.get("mana", [""]):
            del self.left["mana"]


def useful(asked: Decision, bill: str) -> Any:
    """Return the first option that a bill such as "pay {R} for ..." names, or else the first."""
    return next((option for option in asked.options if f"{{{option}}}" in bill), asked.options[0])


def key_of(asked: Decision) -> str:
    """Return the key of a step that answers a decision."""
    verb = asked.prompt.partition(" ")[0]
    if asked.kind in ("pay cost", "discard", "choose card"):
        return verb if verb in COSTS else {"pay": "mana", "announce": "paying"}.get(verb, "")
    kinds = {
        "choose opponent": "gift", "choose target": "targets", "choose mode": "modes", "choose number": "x",
        "divide": "divide",
    }  # fmt: skip
    return kinds.get(asked.kind, "")


def _mode(asked: Decision, answer: str | int) -> Any:
    """Return the option that a mode means: its number in the text, counted from 1, or words of it."""
    if isinstance(answer, int):
        return answer - 1
    words = list(_words(asked))
    return next((option for option, word in words if naming.whole_words(answer, word)), answer)


def _words(asked: Decision) -> Iterator[tuple[Any, str]]:
    return zip(asked.options, asked.words or map(str, asked.options), strict=True)
