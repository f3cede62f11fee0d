"""Statements about the game that change no object: the words of the sort "rule", found by `layers.rules`.

Each says in its docstring what its arguments are; the rooms that look for them know them by their op.
"""

from __future__ import annotations

from typing import Any

from rulekit.engine.abilities import Term, word
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.phrases import SUBJECT, replaced

YOU = Term("you")
EACH_PLAYER = Term("each player")


def _statement(op: str, *phrases: Any, rule: str, says: Any) -> None:
    """Declare a statement; `says` is a function whose arguments are its slots and whose docstring explains them."""
    word("rule", *phrases, op=op, rule=rule)(says)


# ---------------------------------------------------------------- casting and playing


def _who_what(frame: Frame, who: Any = YOU, what: Any = None) -> None:
    """Who: the players it is about. What: a filter that the spell must fit, or None."""


def _who(frame: Frame, who: Any = YOU) -> None:
    """Who: the players it is about."""


_statement(
    "can't cast",
    "{who:players} can't cast spells",
    "{who:players} can't cast {what:filter}",
    rule="601.3",
    says=_who_what,
)
_statement("may cast as though it had flash", "{who:players} may cast {what:filter} as though (they|it) had flash",
           rule="702.8a", says=_who_what)  # fmt: skip
_statement("skips extra turns", "if {who:players} would begin an extra turn, that player skips that turn instead",
           rule="614.10", says=_who)  # fmt: skip
_statement("may cast from hand for free", "{who:players} may cast spells from (your|their) hand[s] without "
                                          "paying their mana costs",
           rule="118.9", says=_who)  # fmt: skip


@word("rule", op="may play them", rule="601.3b")
def may_play_them(
    frame: Frame, what: Any = (), any_type: bool = False, free: bool = False, faces: tuple[int, ...] | None = None
) -> None:
    """Allow cards to be played.

    What: their numbers. Any_type: mana of any type pays. Free: without the mana cost. Faces: which, or None for all.
    """


@word("rule", ("{what:filter} you cast cost[s] {symbols:symbols} less [to cast]", {"who": YOU}),
      "{what:filter} {who:players} cast[s] cost[s] {symbols:symbols} less [to cast]",
      ("{what:filter} cost[s] {symbols:symbols} less to cast", {"who": EACH_PLAYER}), rule="601.2f",
      op="spells cost less")  # fmt: skip
def spells_cost_less(frame: Frame, who: Any = YOU, what: Any = None, symbols: tuple[str, ...] = ()) -> None:
    """Who: whose spells. What: a filter. Symbols: the reduction, generic mana."""


@word("rule", ("{what:filter} you cast cost[s] {symbols:symbols} more [to cast]", {"who": YOU}),
      "{what:filter} {who:players} cast[s] cost[s] {symbols:symbols} more [to cast]",
      ("{what:filter} cost[s] {symbols:symbols} more to cast", {"who": EACH_PLAYER}), rule="601.2f",
      op="spells cost more")  # fmt: skip
def spells_cost_more(frame: Frame, who: Any = EACH_PLAYER, what: Any = None, symbols: tuple[str, ...] = ()) -> None:
    """Who: whose spells. What: a filter. Symbols: the increase, generic mana."""


@word("rule", "this spell costs {symbols:symbols} less to cast "
              "{times:for each}", "this spell costs {symbols:symbols} less to cast",
      rule="601.2f", op="this spell costs less")  # fmt: skip
def this_spell_costs_less(frame: Frame, symbols: tuple[str, ...] = (), times: Any = 1) -> None:
    """Symbols: the reduction, generic mana. Times: how often."""


@word("rule", "{who:players} may play {n:number} additional land[s] [on each of your turns]", rule="305.2",
      op="additional land")  # fmt: skip
def additional_land(frame: Frame, who: Any = YOU, n: Any = 1) -> None:
    """Who: the players. N: how many more lands each of their turns."""


# ---------------------------------------------------------------- activating


@word("rule", "activated abilities of {what:filter} can't be activated",
      ("activated abilities of {what:filter} can't be activated unless they're mana abilities", {"but_mana": True}),
      rule="602.5", op="can't activate")  # fmt: skip
def can_not_activate(frame: Frame, what: Any = None, but_mana: bool = False) -> None:
    """Forbid activating. What: a filter of the sources. But_mana: whether mana abilities are spared."""


@word("rule", "you may activate equip abilities any time you could cast an instant", rule="702.6a",
      op="may activate equip at instant speed")  # fmt: skip
def may_equip_at_instant_speed(frame: Frame) -> None:
    """You may activate equip abilities whenever you have priority."""


@word("rule", "you may pay {symbols:symbols} rather than pay the equip cost of the first equip ability you "
              "activate during each of your turns",
      rule="118.9", op="first equip may cost nothing")  # fmt: skip
def first_equip(frame: Frame, symbols: tuple[str, ...] = ("0",)) -> None:
    """Symbols: what the first equip ability of each of your turns may cost instead."""


@word("rule", "equip costs you pay cost {symbols:symbols} less", "equip abilities you activate cost "
                                                                 "{symbols:symbols} less [to activate]",
      rule="601.2f", op="equip costs less")  # fmt: skip
def equip_costs_less(frame: Frame, symbols: tuple[str, ...] = ()) -> None:
    """Symbols: the reduction of your equip costs, generic mana."""


@word("rule", "equip abilities you activate that target {what:objects} cost {symbols:symbols} less "
              "[to activate]", rule="601.2f",
      op="equip that targets costs less")  # fmt: skip
def equip_that_targets_costs_less(frame: Frame, what: Any = None, symbols: tuple[str, ...] = ()) -> None:
    """Reduce costs. What: the objects that must be targeted. Symbols: the reduction, generic mana."""


# ---------------------------------------------------------------- players


_statement("life total can't change", "{who:players} 's life total[s] "
                                      "can't change", ("your life total can't change", {"who": YOU}),
           rule="119.7", says=_who)  # fmt: skip
_statement("can't gain life", "{who:players} can't gain life", rule="119.7", says=_who)
_statement("can't lose", "{who:players} can't lose the game", rule="104.3", says=_who)
_statement("can't win", "{who:players} can't win the game", rule="104.2b", says=_who)
_statement("can't search libraries", "{who:players} can't search libraries", rule="701.23a", says=_who)
_statement("can't draw cards", "{who:players} can't draw cards", rule="121.1", says=_who)
_statement("player has hexproof", rule="702.11c", says=_who)
_statement("player has shroud", rule="702.18a", says=_who)
_statement("no maximum hand size", "{who:players} (have|has) no maximum hand size", rule="402.2", says=_who)


@word("rule", op="player has protection", rule="702.16")
def player_has_protection(frame: Frame, who: Any = YOU, quality: Any = None) -> None:
    """Who: the players. Quality: a filter of the sources."""


def for_players(change: Term, who: Term) -> tuple[Term, ...]:
    """Return what an effect says of players; of abilities they have hexproof and protection alone (702.11c)."""
    if change.op != "has":
        return (replaced(change, SUBJECT, who),)
    found: list[Term] = []
    for ability in change.args[0]:
        if ability.keyword in ("hexproof", "shroud") and not ability.value:
            found.append(Term(f"player has {ability.keyword}", (who,)))
        elif ability.keyword == "protection":
            found.append(Term("player has protection", (who, ability.value[0])))
    return tuple(found)


GRAMMAR.rule("rule", "{who:players} (have|has|gain|gains) {abilities:abilities}",
             lambda who, abilities: for_players(Term("has", (abilities,)), who) or None)  # fmt: skip


# ---------------------------------------------------------------- triggers, damage, the beginning of the game


@word("rule", "{what:filter} entering [the battlefield] (don't|doesn't) cause abilities to trigger", rule="603.2",
      op="entering triggers nothing")  # fmt: skip
def entering_triggers_nothing(frame: Frame, what: Any = None) -> None:
    """Silence triggers. What: a filter of the permanents whose entering makes nothing trigger."""


@word("rule",
      "if (a|an) {what:filter} entering [the battlefield] causes a triggered ability of (a|an) {whose:filter} to "
      "trigger, that ability triggers an additional time",
      rule="603.2d", op="triggers an additional time")  # fmt: skip
def triggers_an_additional_time(frame: Frame, what: Any = None, whose: Any = None) -> None:
    """Trigger once more. What: a filter of what enters. Whose: a filter of whose abilities trigger once more."""


@word("rule", "damage can't be prevented", rule="615.12", op="damage can't be prevented")
def damage_can_not_be_prevented(frame: Frame) -> None:
    """No damage can be prevented."""


@word("rule", "if (this|this card|~) is in your opening hand , you may begin the game with it on the "
              "battlefield", rule="103.6a",
      op="may begin on the battlefield")  # fmt: skip
def may_begin_on_the_battlefield(frame: Frame) -> None:
    """Let the card begin the game on the battlefield."""


GRAMMAR.join("rule", ((",", "and"), ("and",), (",",)))
