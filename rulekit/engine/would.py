"""The words for what replacement and prevention effects look for: what would happen (614.1, 615.1).

Each event that the words here know, as `Table.would` brings it to `replacing`:

=============== =====================================================================================================
moved           objects: the one that would change zones; to; moves: from where; details: how it would go there
milled, drew    player; n (a draw is of one card)
damage          source; to; n; combat
token created   player; n; detail ``tokens``: (card, how many) for each kind
counters        objects: the permanent; n; detail ``kind``
life gained     player; n
untapped        objects: the permanent
=============== =====================================================================================================

A body of the sort "would" says whether an effect applies to such an event.
"""

from __future__ import annotations

from typing import Any

from rulekit.engine.abilities import Term, word
from rulekit.engine.events import Event
from rulekit.engine.frame import Frame
from rulekit.engine.state import Object
from rulekit.engine.trigger_events import groups, received

YOU = Term("you")


@word("would", "{who:players} would mill one or more cards", rule="614.1a", op="would mill", kinds=("milled",))
def would_mill(frame: Frame, event: Event, who: Term) -> bool:
    """Apply to milling at least one card (701.17a)."""
    return event.n > 0 and event.player in frame.players(who)


@word("would", "{what:watched} would be put into {where:pile} [from anywhere]",
      "{what:watched} would be put into {where:pile} from {origin:pile}",
      rule="614.1a", op="would be put into", kinds=("moved",))  # fmt: skip
def would_be_put_into(frame: Frame, event: Event, what: Term, where: Term, origin: Term | None = None) -> bool:
    """Apply to a move into somebody's graveyard or another zone."""
    (move,) = event.moves
    zone, whose = where.args
    fits = event.to == zone != move.origin and (origin is None or move.origin == origin.args[0])
    return fits and (whose is None or move.owner in frame.players(whose)) and bool(groups(frame, event.objects, what))


@word("would", "{what:watched} would die", rule="614.1a", op="would die", kinds=("moved",))
def would_die(frame: Frame, event: Event, what: Term) -> bool:
    """Apply to a move from the battlefield into a graveyard (700.4)."""
    from_there = event.moves[0].origin == "battlefield" and event.to == "graveyard"
    return from_there and bool(groups(frame, event.objects, what))


@word("would", "{what:watched} would leave the battlefield", rule="614.1a", op="would leave", kinds=("moved",))
def would_leave(frame: Frame, event: Event, what: Term) -> bool:
    """Apply to any move from the battlefield."""
    return event.moves[0].origin == "battlefield" != event.to and bool(groups(frame, event.objects, what))


@word("would", "{what:watched} would enter [the battlefield]", rule="614.1c", op="would enter", kinds=("enters",))
def would_enter(frame: Frame, event: Event, what: Term) -> bool:
    """Apply to a permanent that enters, as it will be on the battlefield (614.12)."""
    return bool(groups(frame, event.objects, what))


@word("would", ("an effect would create one or more tokens under your control", {"who": YOU}),
      ("one or more tokens would be created under your control", {"who": YOU}),
      "{who:players} would create one or more tokens",
      "{who:players} would create (a|an|one or more) {what:filter}",
      rule="614.1a", op="would create", kinds=("token created",))  # fmt: skip
def would_create(frame: Frame, event: Event, who: Term, what: Term | None = None) -> bool:
    """Apply to the creation of tokens under somebody's control."""
    player = event.player or ""
    if player not in frame.players(who):
        return False
    return what is None or any(_such_token(frame, player, card, what) for card, _ in event.get("tokens"))


def _such_token(frame: Frame, player: str, card: Any, what: Term) -> bool:
    """Return whether a token, once it is there, fits a description."""
    state, number = frame.state, frame.state.clock + 1
    token = Object(number, "token", card, player, player, "battlefield", card.name)
    zones = {**state.zones, ("battlefield", ""): (*state.zone("battlefield"), number)}
    there = state.but(objects={**state.objects, number: token}, zones=zones)
    return Frame(there, frame.you, frame.this).fits(what, number)


@word("would", ("an effect would put one or more counters on {what:watched}", {"effect": True}),
      "you would put one or more counters on {what:watched}",
      "one or more counters would be put on {what:watched}",
      ("an effect would put one or more {kind:counter kind} counters on {what:watched}", {"effect": True}),
      "you would put one or more {kind:counter kind} counters on {what:watched}",
      "one or more {kind:counter kind} counters would be put on {what:watched}",
      rule="614.1a", op="would put counters", kinds=("counters",))  # fmt: skip
def would_put_counters(frame: Frame, event: Event, what: Term, kind: str = "", effect: bool = False) -> bool:
    """Apply to counters put on permanents, those that one enters with included (122.6a); to all or those of effects."""
    fits = (not kind or event.get("kind") == kind) and (not effect or event.get("effect", True))
    return fits and event.n > 0 and bool(groups(frame, event.objects, what))


@word("would", "{who:players} would draw a card",
      ("{who:players} would draw a card except the first one (they draw in each of their|you draw in each of your) draw"
       " steps", {"but_first": True}),
      ("{who:players} would draw a card while (your|their) library has no cards in it", {"empty": True}),
      rule="614.11", op="would draw", kinds=("drew",))  # fmt: skip
def would_draw(frame: Frame, event: Event, who: Term, but_first: bool = False, empty: bool = False) -> bool:
    """Apply to a draw, also from an empty library (614.11, 121.6a)."""
    player = event.player or ""
    if player not in frame.players(who) or (empty and frame.state.zone("library", player)):
        return False
    return not (but_first and _first_of_draw_step(frame, player))


def _first_of_draw_step(frame: Frame, player: str) -> bool:
    """Return whether a draw would be the player's first in a draw step of that player."""
    turn = frame.state.turn
    if turn.step != "draw" or turn.active != player:
        return False
    for past in frame.state.history():
        if past.kind == "step begins":
            return True
        if past.kind == "drew" and past.player == player:
            return False
    return True


@word("would", "{source:watched} would deal damage", "{source:watched} would deal damage to {whom:receiver}",
      ("{source:watched} would deal combat damage", {"combat": True}),
      ("{source:watched} would deal combat damage to {whom:receiver}", {"combat": True}),
      ("{source:watched} would deal noncombat damage to {whom:receiver}", {"combat": False}),
      rule="614.1a", op="would deal damage", kinds=("damage",))  # fmt: skip
def would_deal_damage(
    frame: Frame, event: Event, source: Term, whom: Term | None = None, combat: bool | None = None
) -> bool:
    """Apply to damage by its source."""
    if not event.source or event.n <= 0 or combat not in (None, event.combat):
        return False
    return bool(groups(frame, (event.source,), source)) and (whom is None or received(frame, event.to, whom))


@word("would", "damage would be dealt to {whom:receiver}",
      ("combat damage would be dealt to {whom:receiver}", {"combat": True}),
      ("noncombat damage would be dealt to {whom:receiver}", {"combat": False}),
      rule="615.1", op="damage would be dealt", kinds=("damage",))  # fmt: skip
def damage_would_be_dealt(
    frame: Frame, event: Event, whom: Term | None = None, combat: bool | None = None, source: Term | None = None
) -> bool:
    """Apply to damage by who or what receives it; without a receiver to all damage."""
    if event.n <= 0 or combat not in (None, event.combat):
        return False
    if source is not None and (not event.source or not groups(frame, (event.source,), source)):
        return False
    return whom is None or received(frame, event.to, whom)


@word("would", "{who:players} would gain life", rule="614.1a", op="would gain life", kinds=("life gained",))
def would_gain_life(frame: Frame, event: Event, who: Term) -> bool:
    """Apply to gaining life (119.10)."""
    return event.n > 0 and event.player in frame.players(who)
