"""A game as frames that a page can step through by itself: what was said, what was seen, and what may be decided."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from rulekit.cards.card import Card
from rulekit.engine import sentences, telling
from rulekit.engine.actions import Action
from rulekit.engine.events import Decision, Event
from rulekit.engine.game import Game, Instruct
from rulekit.engine.moments import Moment, latest
from rulekit.engine.sba import at_rest
from rulekit.engine.state import State
from rulekit.widgets import view
from rulekit.widgets.html import printable
from rulekit.widgets.picture import Picture, Seat, Zone, picture

BEGINNING = "The beginning"


@dataclass
class Store:
    """What several frames show: each piece of HTML, each card and each rule is sent once.

    Attributes:
        parts: Pieces of HTML.
        faces: Cards as HTML.
        rules: What rules say in our words, by number.
    """

    parts: list[str] = field(default_factory=list)
    faces: list[str] = field(default_factory=list)
    rules: dict[str, str] = field(default_factory=dict)
    _place: dict[str, int] = field(default_factory=dict)
    _known: dict[Card, int] = field(default_factory=dict)

    def part(self, html: str) -> int:
        """Return the place of a piece of HTML."""
        if html not in self._place:
            self._place[html] = len(self.parts)
            self.parts.append(html)
        return self._place[html]

    def known(self, seen: Picture) -> dict[Card, int]:
        """Return the places of the cards, those of a picture among them."""
        for card in seen.cards:
            if card not in self._known:
                self._known[card] = len(self.faces)
                self.faces.append(view.card_html(card))
        return self._known

    def rule(self, number: str) -> str:
        """Keep what a rule says, and return its number."""
        if number and number not in self.rules:
            self.rules[number] = telling.paraphrase(number)
        return number


@dataclass(frozen=True)
class Frame:
    """One step of the board.

    Attributes:
        game: The game up to the decision that is pending here, or that this frame leads to.
        rest: Whether that decision is pending here.
        state: What is seen.
        said: What has just happened.
        rule: By which rule.
        event: The event that has just happened, if it was one.
        quiet: Whether a player has only passed priority.
    """

    game: Game
    rest: bool
    state: State
    said: str
    rule: str
    event: Event | None = None
    quiet: bool = False

    @property
    def pending(self) -> bool:
        """Whether a decision is pending here."""
        return self.rest and self.game.decision is not None and _settled(self.game)

    @property
    def asked(self) -> Game | None:
        """The game in which one decides here: this one, or the one before the answer that is being carried out."""
        found = self.game if self.pending else self.game.before
        return found if found is not None and _settled(found) else None


def _settled(game: Game) -> bool:
    """Return whether a player may act: not at a beginning to which state-based actions apply first (117.5, 704.3)."""
    return game.before is not None or at_rest(game.state)


def frames(game: Game) -> tuple[Frame, ...]:
    """Return the frames of a game: the beginning, one for each event that is told, and one for each bare answer."""
    return tuple(frame for each in game.path() for frame in latest_frames(each))


def latest_frames(game: Game) -> tuple[Frame, ...]:
    """Return the frames since the last answer; of a game at its beginning the one frame of that."""
    if game.before is None:
        return (Frame(game, True, game.state, BEGINNING, ""),)
    *happened, rest = latest(game)
    teller = sentences.Teller(game.state)
    told = {event.number: event for event in telling.told(game.log, every_step=True)}
    found = []
    for moment in happened:
        event = told.get(moment.event.number) if moment.event is not None else None
        if event is not None:
            found.append(Frame(game, False, moment.state, view.upper(teller.tell(event)), event.rule, event))
    if not found:
        return (_bare(rest),)
    return (*found[:-1], replace(found[-1], rest=True, state=rest.state))


def _bare(moment: Moment) -> Frame:
    """Return the frame of an answer that nothing in the log tells."""
    before = moment.game.before
    if before is None or before.decision is None:
        return Frame(moment.game, True, moment.state, BEGINNING, "")
    said, rule = answer_words(before.decision, moment.game.given)
    return Frame(moment.game, True, moment.state, said, rule, quiet=rule == "117.3d")


def answer_words(decision: Decision, given: Any) -> tuple[str, str]:
    """Return what a player answered, in words, and the rule that let them."""
    player = decision.player
    if isinstance(given, Instruct):
        return view.upper(given.words), ""
    if isinstance(given, Action):
        if given.kind == "pass":
            return f"{player} passes", "117.3d"
        word = decision.word(given) if given in decision.options else given.kind
        rule = {"cast": "601.2a", "activate": "602.2a", "play": "305.1", "suspend": "116.2f", "companion": "116.2g"}[
            given.kind
        ]
        return f"{player} begins to {word}", rule
    word = decision.word(given) if given in decision.options else str(given)
    return f"{player}, {sentences.spoken_to(decision.prompt or decision.kind).rstrip('?')}: {word}", decision.rule


# ---------------------------------------------------------------- what the page is sent


def frame_data(frame: Frame, before: State | None, store: Store) -> dict[str, Any]:
    """Return a frame as plain data.

    Args:
        frame: The frame.
        before: The State of the frame before it, None at the beginning.
        store: Where pieces are kept that several frames share; it grows.
    """
    seen = picture(frame.state)
    known = store.known(seen)
    fresh = _moved(before, frame.state) if before is not None else frozenset()
    return {
        "said": printable(frame.said),
        "rule": store.rule(frame.rule),
        "quiet": frame.quiet,
        "event": frame.event is not None,
        "line": frame.event.number if frame.event is not None else _length(frame.state) - 1,
        "moment": printable(f"{view.upper(seen.moment)}; {seen.priority}."),
        "seats": [store.part(view.seat_html(seat)) for seat in seen.seats],
        "over": frame.state.over,
        "cells": _cells(seen, known, fresh, store),
        "decision": _asked_data(frame, store),
    }


def _length(state: State) -> int:
    return state.log.length if state.log is not None else 0


def _cells(seen: Picture, known: dict[Card, int], fresh: frozenset[int], store: Store) -> list[list[int]]:
    def cell(zone: Zone) -> int:
        return store.part(view.zone_html(zone, live=True, known=known, fresh=fresh))

    def column(seat: Seat) -> list[int]:
        return [cell(zone) for zone in seat.zones]

    return [[cell(seen.stack)], *(column(seat) for seat in seen.seats)]


def _moved(before: State, after: State) -> frozenset[int]:
    """Return the objects that came into a zone since another State, those in libraries aside."""
    came = after.objects.keys() - before.objects.keys()
    return frozenset(number for number in came if after.objects[number].zone != "library")


def _asked_data(frame: Frame, store: Store) -> dict[str, Any] | None:
    """Return what is asked at a frame, and whether it has been answered already."""
    asked = frame.asked
    data = decision_data(asked.decision, asked.state, store) if asked is not None else None
    return data | {"answered": not frame.pending} if data is not None else None


def decision_data(decision: Decision | None, state: State, store: Store) -> dict[str, Any] | None:
    """Return a decision as plain data."""
    if decision is None:
        return None
    store.rule(decision.rule)
    words = [printable(word) for _, word in view.offers(decision, state)]
    asks = printable(view.decision_words(decision))
    return {"asks": asks, "options": words, "passes": decision.kind == "priority"}


def log_data(game: Game, store: Store) -> list[dict[str, Any]]:
    """Return every event of the log as plain data: its rule, sentence and cause, and the group that it begins.

    Args:
        game: The game.
        store: Where the rules are kept.
    """
    teller = sentences.Teller(game.state)
    shown = {event.number: event for event in telling.told(game.log)}
    within: dict[int, bool] = {}
    heads: dict[int, str] = {}
    for group in telling.grouped(game.state, game.log):
        heads[group.events[0].number] = group.head
        within |= {event.number: group.within(place) for place, event in enumerate(group.events)}
    data = []
    for event in game.log:
        said = teller.tell(shown.get(event.number, event))
        head = heads.get(event.number, "")
        data.append({
            "rule": store.rule(event.rule), "said": printable(view.upper(said)), "cause": event.cause,
            "told": event.number in within, "head": printable(view.upper(head)),
            "within": within.get(event.number, False),
        })  # fmt: skip
    return data
