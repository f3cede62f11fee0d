"""When something happens: the moments of a game in the words of players, and the one that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulekit.engine import telling
from rulekit.engine.actions import Action
from rulekit.engine.events import Event
from rulekit.engine.game import Game
from rulekit.engine.sentences import Teller
from rulekit.scenarios.attempts import moment
from rulekit.widgets import point

NEVER = "never, up to the end"
MOST_MOMENTS = 8
ASKING = re.compile(
    r"\bwhen (?:do|does|is|are|can|will) [^?,;]*?"
    r"(?=[?,;]| and (?:what|when|who|whose|where|how|which|do|does|is|are)\b)",
    re.IGNORECASE,
)
PRONOUNS = {"she": ("Alice", "Carol", "Erin"), "he": ("Bob", "Dave")}
IT = re.compile(r"\b(?:it|they|them)\b")
HAPPENING: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("trigger", ("ability triggered",)),
    ("discard", ("discarded",)),
    ("mill", ("milled",)),
    ("draw", ("drew",)),
    ("untap", ("untapped",)),
    ("come back|comes back|return|phase in", ("phased in", "returned")),
    ("die", ("destroyed",)),
    ("lose", ("lost",)),
    ("move", ("attached",)),
    ("gone|in the graveyard", ("sacrificed", "discarded", "destroyed", "exiled")),
    ("get", ("token created", "mana added", "drew")),
)
"""Beginnings of words in a question, and the kinds of events that are meant by what is worded so."""


@dataclass(frozen=True)
class Clause:
    """What a question asks the time of.

    Attributes:
        words: Its words: "when does it trigger".
        before: What the question says before.
    """

    words: str
    before: str


NOTHING = Clause("", "")


def clauses(question: str) -> tuple[Clause, ...]:
    """Return what a question asks the time of, each time."""
    whole = " ".join(question.split())
    return tuple(Clause(f"when{each[0][4:]}", whole[: each.start()]) for each in ASKING.finditer(whole))


def answer(clause: Clause, game: Game) -> str:
    """Return when it happens in a game what a clause asks for, `NEVER` if it does not; several moments as a list."""
    return "; ".join(_when(clause, moments(game), game)) or NEVER


def options(clause: Clause, game: Game) -> tuple[str, ...]:
    """Return the moments to choose from for a clause; none where it happens at no moment or at several.

    Those that are told around the right one are offered, at most `MOST_MOMENTS` of them.
    """
    told = moments(game)
    found = _when(clause, told, game)
    if len(found) != 1:
        return ()
    every = tuple(dict.fromkeys(each.words for each in told))
    first = max(0, min(every.index(found[0]) - MOST_MOMENTS // 2, len(every) - MOST_MOMENTS))
    return (*every[first : first + MOST_MOMENTS], NEVER)


@dataclass(frozen=True)
class Moment:
    """An event that is told, and when it happens."""

    event: Event
    words: str


def moments(game: Game) -> tuple[Moment, ...]:
    """Return what is told of a game, each with the spell, ability or step in which it happens."""
    found = tuple(_moments(game))
    turns: dict[str, set[int]] = {}
    for each in found:
        turns.setdefault(each.words, set()).add(each.event.turn)
    several = {words for words, when in turns.items() if len(when) > 1}
    return tuple(
        Moment(each.event, f"{each.words} on turn {each.event.turn}") if each.words in several else each
        for each in found
    )


def _moments(game: Game) -> Iterator[Moment]:
    log, teller = game.log, Teller(game.state)
    announced = _announced(game, teller)
    step = moment(game.path()[0].state)
    within = ""  # the step, where it is not the first one
    after = step  # what has just been done, as the time of what follows from it
    for event in telling.told(log, every_step=True):
        root = telling.begun_by(log, event)
        if event.kind == "step begins":
            after = f"in {teller.tell(event)}"
            step, within = f"as {teller.tell(event)} begins", f" ({after})"
        elif event.kind in ("turn", "put on the stack"):
            continue
        elif event.number in announced:
            words, after = announced[event.number]
            yield Moment(event, words)
        elif event.rule.startswith("704") or root.rule.startswith("704"):
            yield Moment(event, f"as state-based actions are checked {after}")
        elif root.kind == "mana ability":
            yield Moment(event, f"while {teller.tell(root)}")
        elif root.kind in ("cast", "ability activated", "put on the stack"):
            after = f"after {teller.what(root)} has resolved"
            yield Moment(event, f"as {teller.what(root)} resolves{within}")
        else:
            yield Moment(event, step)


def _announced(game: Game, teller: Teller) -> dict[int, tuple[str, str]]:
    """Return for the events that belong to casting or activating something the time of that, and the time after it.

    What is paid is logged before the event that tells of the whole.
    """
    begun = [len(each.before.log) for each in game.path() if each.before is not None and isinstance(each.given, Action)]
    found: dict[int, tuple[str, str]] = {}
    for event in game.log:
        if event.kind in ("cast", "ability activated"):
            what, done = teller.what(event), "cast" if event.kind == "cast" else "activated"
            first = max((each for each in begun if each <= event.number), default=event.number)
            words = (f"while {what} is {done}", f"after {what} was {done}")
            found |= dict.fromkeys(range(first, event.number + 1), words)
    return found


def _when(clause: Clause, told: tuple[Moment, ...], game: Game) -> tuple[str, ...]:
    """Return the moments at which it happens what a clause asks for."""
    kinds = next((kinds for words, kinds in HAPPENING if re.search(rf"\b(?:{words})", clause.words)), ())
    among = [each for each in told if each.event.kind in kinds]
    about = _meant(clause, [name for each in among for name in each.event.names])
    among = [each for each in among if any(point.names_it(f"{about}?", name) for name in each.event.names)] or among
    players = _players(clause, game)
    among = [each for each in among if each.event.player in players] or among
    return tuple(dict.fromkeys(each.words for each in among))


def _meant(clause: Clause, names: list[str]) -> str:
    """Return what a clause names; where that is "it", what of some names the question has named last."""
    if not IT.search(clause.words):
        return clause.words
    return max(names, key=clause.before.rfind, default="")


def _players(clause: Clause, game: Game) -> list[str]:
    """Return the players that a clause names; where that is "she" or "he", the one that was named last."""
    named = [player for player in game.state.players if re.search(rf"\b{re.escape(player)}\b", clause.words)]
    for pronoun, people in PRONOUNS.items():
        if re.search(rf"\b{pronoun}\b", clause.words):
            named.append(max(people, key=clause.before.rfind))
    return named
