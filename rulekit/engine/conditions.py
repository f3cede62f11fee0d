"""Whether something is so: the words of the sort "condition", and how long an effect lasts: "duration"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.engine.abilities import Term, word
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.objects import found
from rulekit.engine.phrases import in_order
from rulekit.engine.state import Cast
from rulekit.engine.which import shares

YOU, THIS, IT = Term("you"), Term("this"), Term("it")


def _condition(
    *phrases: Any, op: str, rule: str = "", **facts: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return word("condition", *phrases, op=op, rule=rule, **facts)


@_condition(op="not so")
def _not_so(frame: Frame, what: Any = None) -> bool:
    """Hold if a condition does not."""
    return not frame.holds(what)


@_condition("{one:condition} and {two:condition}", op="both hold")
def _both(frame: Frame, one: Any, two: Any) -> bool:
    """Hold if two conditions do."""
    return frame.holds(one) and frame.holds(two)


@_condition("{one:condition} or {two:condition}", op="one holds")
def _either(frame: Frame, one: Any, two: Any) -> bool:
    """Hold if one of two conditions does."""
    return frame.holds(one) or frame.holds(two)


def _cast(frame: Frame) -> Cast | None:
    """Return how the spell was cast whose text this is, or the spell that this permanent was."""
    if frame.cast is not None and (frame.cast.promised or frame.item == frame.this):
        return frame.cast
    if not frame.this:
        return frame.cast
    thing = frame.state.get(frame.this)
    return thing.cast if thing.cast is not None else frame.cast


@_condition("the gift was promised", op="gift promised", rule="702.174b", while_casting=True)
def gift_promised(frame: Frame) -> bool:
    """Hold if the spell's gift was promised as it was cast (702.174b)."""
    cast = _cast(frame)
    return cast is not None and cast.promised is not None


GRAMMAR.rule("condition", "the gift (wasn't|was not) promised", lambda: Term("not so", (Term("gift promised"),)))


def _cast_as(frame: Frame, what: Any) -> Cast | None:
    """Return how a spell was cast: the one with the text, or what is spoken of, which may be a permanent now."""
    if what == THIS:
        return _cast(frame)
    numbers = [number for number in frame.objects(what) if isinstance(number, int)]
    return frame.state.get(numbers[0]).cast if numbers else None


@_condition("this spell was kicked", "(this creature|~) was kicked", ("it was kicked", {"what": IT}), op="was kicked",
            rule="702.33d", while_casting=True)  # fmt: skip
def was_kicked(frame: Frame, what: Any = THIS) -> bool:
    """Hold if the kicker was paid as the spell was cast (702.33d)."""
    cast = _cast_as(frame, what)
    return cast is not None and any(how == "kicked" for how, _ in cast.paid)


@_condition("(this spell|~) was cast from {where:pile}", ("(it|that spell) was cast from {where:pile}", {"what": IT}),
            op="was cast from")  # fmt: skip
def was_cast_from(frame: Frame, where: Any = None, what: Any = THIS) -> bool:
    """Hold if the spell was cast from a zone, by one of the players whose zone it is where that is said."""
    state, (zone, who) = frame.state, where.args
    items = (frame.item or frame.this,) if what == THIS else frame.objects(what)
    casts = (event for event in state.history(since_turn=False) if event.kind == "cast" and event.get("from") == zone)
    spells = {
        number for event in casts if who is None or event.player in frame.players(who) for number in event.objects
    }
    became = {state.past[number].became for number in spells if number in state.past}
    return any(item in spells or item in became for item in items)


@_condition("you cast this spell", ("(you cast it|it was cast)", {"what": IT}), op="was cast", rule="601")
def was_cast(frame: Frame, what: Any = THIS) -> bool:
    """Hold if the permanent was a spell that was cast."""
    return _cast_as(frame, what) is not None


@_condition("{what:objects} is exiled", op="is exiled", rule="406.1")
def is_exiled(frame: Frame, what: Any = None) -> bool:
    """Hold if an object is in exile."""
    return any(frame.state.get(number).zone == "exile" for number in frame.objects(what))


@_condition("{what:objects} is suspended", op="is suspended", rule="702.62b", zones=("exile",))
def is_suspended(frame: Frame, what: Any = None) -> bool:
    """Hold if a card is in exile, has suspend and a time counter on it (702.62b)."""
    exiled = (number for number in frame.objects(what) if frame.state.get(number).zone == "exile")
    return any(frame.look(number).has("suspend") and frame.state.get(number).count("time") for number in exiled)


# ---------------------------------------------------------------- turns


@_condition("it's your turn", "it is your turn", op="your turn")
def your_turn(frame: Frame) -> bool:
    """Hold during your turn."""
    return frame.state.turn.active == frame.you


GRAMMAR.rule("condition", "it's not your turn", lambda: Term("not so", (Term("your turn"),)))
GRAMMAR.rule("condition", "it (isn't|is not) your turn", lambda: Term("not so", (Term("your turn"),)))


# ---------------------------------------------------------------- counting


@_condition(op="at least")
def at_least(frame: Frame, amount: Any = 0, n: Any = 0) -> bool:
    """Hold if an amount is at least another."""
    return frame.count(amount) >= frame.count(n)


@_condition(op="at most")
def at_most(frame: Frame, amount: Any = 0, n: Any = 0) -> bool:
    """Hold if an amount is at most another."""
    return frame.count(amount) <= frame.count(n)


EVERY_ONE = ("each opponent", "each other player")  # "each player" also stands for "a player"


def _enough(who: Term, met: list[bool]) -> bool:
    """Return whether a condition holds for "each opponent", or for one player where any of them is enough."""
    return all(met) and bool(met) if who.op in EVERY_ONE else any(met)


@_condition(op="for one of them")
def for_one_of_them(frame: Frame, who: Any = YOU, what: Any = None) -> bool:
    """Hold if a condition does for one of the players, or for each opponent, each taken as "that player"."""
    outer = frame.said.get("player")
    met = []
    for name in frame.players(who):
        frame.said["player"] = (name,)
        met.append(bool(frame.holds(what)))
    frame.said["player"] = outer
    return _enough(who, met)


SEVERAL = ("each opponent", "an opponent of yours", "each player", "each other player")
THAT_PLAYER = Term("that player")


def _of_one(who: Term, made: Callable[[Term], Term]) -> Term:
    """Return a condition about a player; of several one is enough, unless they are "each opponent"."""
    return Term("for one of them", (who, made(THAT_PLAYER))) if who.op in SEVERAL else made(who)


def _group(what: Term, who: Term | None = None) -> Term:
    from rulekit.engine.filters import all_of

    return Term("number of", (what if who is None else all_of(what, Term("controlled", (who,))),))


def _lying(what: Term, where: Term) -> Term:
    from rulekit.engine.filters import all_of

    return all_of(what, Term(f"in {where.args[0]}", (where.args[1],)))


def _least(amount: Term, n: Any) -> Term:
    return Term("at least", (amount, n))


def _most(amount: Term, n: Any) -> Term:
    return Term("at most", (amount, n))


def _controls(who: Term, n: Any, what: Term) -> Term:
    return _of_one(who, lambda one: _least(_group(what, one), n))


def _controls_at_most(who: Term, n: Any, what: Term) -> Term:
    return _of_one(who, lambda one: _most(_group(what, one), n))


def _controls_some(who: Term, what: Term) -> Term:
    return _controls(who, 1, what) if who.op in EVERY_ONE else _least(_group(what, who), 1)


_MORE = ("{n:amount} or more", "at least {n:amount}")
for _n in _MORE:
    GRAMMAR.rule("condition", f"{{who:players}} (control|controls) {_n} {{what:filter}}", _controls)
    GRAMMAR.rule("condition", f"there are {_n} {{what:filter}}", lambda n, what: _least(_group(what), n))
    GRAMMAR.rule("condition", f"there are {_n} card types among {{what:filter}}",
                 lambda n, what: _least(Term("card types among", (what,)), n))  # fmt: skip
    GRAMMAR.rule("condition", f"there are {_n} mana values among {{what:filter}}",
                 lambda n, what: _least(Term("different mana values", (what,)), n))  # fmt: skip
    GRAMMAR.rule("condition", f"there are {_n} {{kind:counter kind}} counters on {{what:objects}}",
                 lambda n, kind, what: _least(Term("counters on", (kind, what)), n))  # fmt: skip
    GRAMMAR.rule("condition", f"{{what:objects}} (has|have) {_n} {{kind:counter kind}} counters on (it|them)",
                 lambda what, n, kind: _least(Term("counters on", (kind, what)), n))  # fmt: skip
    GRAMMAR.rule("condition", f"{{who:players}} (has|have) {_n} cards in {{where:pile}}",
                 lambda who, n, where: _has(where, who, n))  # fmt: skip
    GRAMMAR.rule("condition", f"{{who:players}} (has|have) {_n} cards in hand", lambda who, n: _has(None, who, n))
    GRAMMAR.rule("condition", f"{_n} {{what:filter}} (is|are) in {{where:pile}}",
                 lambda n, what, where: _least(_group(_lying(what, where)), n))  # fmt: skip
    GRAMMAR.rule("condition", f"a graveyard has {_n} cards in it",
                 lambda n: Term("has so many cards", (Term("each player"), "graveyard", n, None)))  # fmt: skip
    GRAMMAR.rule("condition", f"{{who:players}} (has|have) {_n} life",
                 lambda who, n: _of_one(who, lambda one: _least(Term("life total", (one,)), n)))  # fmt: skip
    GRAMMAR.rule("condition", f"{{size:amount}} is {_n}", in_order(_least))
    GRAMMAR.rule("condition", f"X is {_n}", lambda n: _least(Term("X"), n))
for _n in ("{n:amount} or fewer", "{n:amount} or less", "at most {n:amount}"):
    GRAMMAR.rule("condition", f"{{who:players}} (has|have) {_n} cards in {{where:pile}}",
                 lambda who, n, where: _has(where, who, 0, n))  # fmt: skip
    GRAMMAR.rule("condition", f"{{who:players}} (has|have) {_n} life",
                 lambda who, n: _of_one(who, lambda one: _most(Term("life total", (one,)), n)))  # fmt: skip
    GRAMMAR.rule("condition", f"{{size:amount}} is {_n}", in_order(_most))
    GRAMMAR.rule("condition", f"{{who:players}} (control|controls) {_n} {{what:filter}}", _controls_at_most)
for _a in ("a", "an", "another", ""):
    GRAMMAR.rule("condition", f"{{who:players}} (control|controls) {_a} {{what:filter}}",
                 lambda who, what, a=_a: _controls_some(who, _another(what, a)))  # fmt: skip
    GRAMMAR.rule("condition", f"there is {_a} {{what:filter}}", lambda what, a=_a: _least(_group(_another(what, a)), 1))
GRAMMAR.rule(
    "condition", "{who:players} (control|controls) no {what:filter}", lambda who, what: _controls_at_most(who, 0, what)
)


def _controls_either(who: Term, one: Term, two: Term) -> Term:
    from rulekit.engine.filters import any_of

    return _controls_some(who, any_of(one, two))


GRAMMAR.rule("condition", "{who:players} (control|controls) (a|an) {one:filter} or (a|an) {two:filter}",
             _controls_either)  # fmt: skip
for _n in _MORE:
    GRAMMAR.rule("condition", f"you have {_n} opponents",
                 lambda n: _least(Term("number of players", (Term("an opponent"),)), n))  # fmt: skip
GRAMMAR.rule("condition", "there are no {what:filter}", lambda what: _most(_group(what), 0))
GRAMMAR.rule(
    "condition", "{who:players} (has|have) no cards in {where:pile}", lambda who, where: _has(where, who, 0, 0)
)
GRAMMAR.rule("condition", "your library has no cards in it",
             lambda: Term("has so many cards", (YOU, "library", 0, 0)))  # fmt: skip
GRAMMAR.rule("condition", "{who:players} (has|have) no cards in hand", lambda who: _has(None, who, 0, 0))
GRAMMAR.rule("condition", "no {what:filter} (was|were) {how:done this way}",
             lambda what, how: _most(_group(_this_way(what, how)), 0))  # fmt: skip


@_condition(op="some this way")
def some_this_way(frame: Frame, what: Any = None, n: Any = 1) -> bool:
    """Hold if the effect under way did something to so many such objects; "them" means those."""
    numbers = tuple(found(frame, what))
    frame.said["those"] = numbers
    return len(numbers) >= frame.count(n)


def _some(what: Term, how: str, n: Any = 1) -> Term:
    return Term("some this way", (_this_way(what, how), n))


for _n in _MORE:
    GRAMMAR.rule("condition", f"{_n} {{what:filter}} (were|was|are|is|have been|has been) {{how:done this way}}",
                 lambda n, what, how: _some(what, how, n))  # fmt: skip
    GRAMMAR.rule("condition", f"{{who:players}} mill[s] {_n} {{what:filter}} this way",
                 lambda who, n, what: _some(what, "milled", n))  # fmt: skip
for _a in ("a", "an", "another", ""):
    GRAMMAR.rule("condition", f"{_a} {{what:filter}} (was|were|is|are|has been) {{how:done this way}}",
                 lambda what, how, a=_a: _some(_another(what, a), how))  # fmt: skip
    GRAMMAR.rule("condition", f"{{who:players}} mill[s] {_a} {{what:filter}} this way",
                 lambda who, what, a=_a: _some(_another(what, a), "milled"))  # fmt: skip
GRAMMAR.rule("condition", "{one:filter} or {n:amount} {other:filter} have been {how:done this way}",
             lambda one, n, other, how: Term("one holds", (_some(one, how), _some(other, how, n))))  # fmt: skip
GRAMMAR.rule("condition", "(a|an) {one:filter} or {n:amount} {other:filter} have been {how:done this way}",
             lambda one, n, other, how: Term("one holds", (_some(one, how), _some(other, how, n))))  # fmt: skip


def _another(what: Term, article: str) -> Term:
    from rulekit.engine.filters import all_of

    return all_of(Term("other"), what) if article == "another" else what


def _this_way(what: Term, how: str) -> Term:
    from rulekit.engine.filters import all_of

    return all_of(what, Term("this way", (how,)))


@_condition(op="has so many cards")
def has_so_many_cards(frame: Frame, who: Any = YOU, zone: str = "hand", low: Any = 0, high: Any = None) -> bool:
    """Hold if one of the players, or each opponent, has that many cards in a zone."""
    sizes = [len(frame.state.zone(zone, name)) for name in frame.players(who)]
    fits = [size >= frame.count(low) and (high is None or size <= frame.count(high)) for size in sizes]
    return _enough(who, fits)


def _has(where: Term | None, who: Term, low: Any = 0, high: Any = None) -> Term:
    return Term("has so many cards", (who, "hand" if where is None else where.args[0], low, high))


@_condition(
    ("{who:players} (has|have) more cards in hand than {whom:players}", {"of": "hand"}),
    ("{who:players} (has|have) more life than {whom:players}", {"of": "life"}),
    ("{who:players} (control|controls) more {what:filter} than {whom:players}", {"of": "battlefield"}),
    op="has more than",
)
def has_more_than(frame: Frame, who: Any = YOU, whom: Any = YOU, what: Any = None, of: str = "hand") -> bool:
    """Hold if players have more cards in hand, life or such permanents than others; "an opponent" is any one of them.

    Args:
        frame: Whose words these are.
        who: Who has more; each of them must where it is "each ...", else one of them.
        whom: Than whom; than all of them where it is "each ...", else than one of them.
        what: The permanents that are counted.
        of: "hand", "life" or "battlefield".
    """

    def many(player: str) -> int:
        if of == "life":
            return frame.state.players[player].life
        if of == "hand":
            return frame.state.size("hand", player)
        return sum(frame.fits(what, number) for number in frame.state.permanents(player))

    mine, theirs = [many(name) for name in frame.players(who)], [many(name) for name in frame.players(whom)]
    if not mine or not theirs:
        return False
    least = min(mine) if who.op.startswith("each") else max(mine)
    return least > (max(theirs) if whom.op.startswith("each") else min(theirs))


# ---------------------------------------------------------------- what something is


@_condition(op="is")
def _is(frame: Frame, what: Any = None, such: Any = None) -> bool:
    """Hold if objects are there and each fits a description, as it is or last was."""
    from rulekit.engine.players import looked_at

    numbers = looked_at(frame, what)
    fitting = [number for number in numbers if frame.fits(such, number)]
    one_is_enough = isinstance(what, Term) and what.op == "some of"
    return bool(fitting) and (one_is_enough or len(fitting) == len(numbers))


GRAMMAR.rule(
    "condition", "{what:objects} (is|was|are|were) {such:quality}", lambda what, such: Term("is", (what, such))
)
GRAMMAR.rule("condition", "it's {such:quality}", lambda such: Term("is", (Term("it"), such)))
GRAMMAR.rule("condition", "{what:objects} (isn't|is not|wasn't|aren't|weren't) {such:quality}",
             lambda what, such: Term("not so", (Term("is", (what, such)),)))  # fmt: skip
GRAMMAR.rule("condition", "it's not {such:quality}", lambda such: Term("not so", (Term("is", (Term("it"), such)),)))
GRAMMAR.rule("condition", "{what:objects} (has|had|have) {keyword:ability word}",
             lambda what, keyword: Term("is", (what, Term("with keyword", (keyword,)))))  # fmt: skip
GRAMMAR.rule("condition", "{what:objects} (is|are) attached to {host:objects}",
             lambda what, host: Term("is", (what, Term("attached to", (host,)))))  # fmt: skip


@_condition("{what:objects} is attached", op="attached", rule="301.5")
def attached(frame: Frame, what: Any = None) -> bool:
    """Hold while an object is attached to another."""
    return any(frame.state.get(number).attached_to is not None for number in frame.objects(what))


@_condition(("two {what:filter} that share all their card types were milled this way", {"shared": "all card types"}),
            "two {what:filter} that share a {shared:shared} were milled this way",
            "two cards that share a {shared:shared} were milled this way", op="two milled that share")  # fmt: skip
def two_milled_that_share(frame: Frame, shared: str = "color", what: Any = None) -> bool:
    """Hold if two cards that were milled have something in common."""
    from rulekit.engine.which import done

    cards = [number for number in done(frame, "milled") if frame.fits(what, number)]
    return any(shares(frame, one, two, shared) for i, one in enumerate(cards) for two in cards[i + 1 :])


# ---------------------------------------------------------------- what happened


@_condition(
    "you do", "they do", "that player does", "you did", "he or she does", "it does", op="it was done", rule="608.2c"
)
def it_was_done(frame: Frame) -> bool:
    """Hold if what was just said was done."""
    return bool(frame.said.get("done"))


GRAMMAR.rule("condition", "(you|they) (don't|didn't)", lambda: Term("not so", (Term("it was done"),)))
GRAMMAR.rule(
    "condition", "(that player|the player|it) (doesn't|didn't)", lambda: Term("not so", (Term("it was done"),))
)


@_condition(op="was")
def _was(frame: Frame, such: Any = None) -> bool:
    """Hold if what the event happened to was such a one as it last existed (603.10a)."""
    return all(frame.fits(such, number) for number in frame.said.get("it", ()))


@_condition("a creature died this turn", op="a creature died")
def a_creature_died(frame: Frame) -> bool:
    """Hold if a creature died this turn (the ability word morbid)."""
    return any(event.kind == "dies" for event in frame.state.history())


@_condition("you attacked this turn", "you attacked with a creature this turn", op="you attacked")
def you_attacked(frame: Frame) -> bool:
    """Hold if you attacked this turn (the ability word raid)."""
    history = frame.state.history()
    return any(e.kind == "attacks" and e.player == frame.you for e in history)


@_condition("you gained life this turn", op="you gained life")
def you_gained_life(frame: Frame) -> bool:
    """Hold if you gained life this turn."""
    return any(e.kind == "life gained" and e.player == frame.you for e in frame.state.history())


@_condition("{who:players} (lost|was dealt|were dealt) (life|damage) this turn",
            "{who:players} lost {n:amount} or more life this turn", op="lost life")  # fmt: skip
def lost_life(frame: Frame, who: Any = YOU, n: Any = 1) -> bool:
    """Hold if one of the players, or each opponent, lost so much life this turn."""
    lost = dict.fromkeys(frame.players(who), 0)
    for event in frame.state.history():
        if event.kind == "life lost" and event.player in lost:
            lost[event.player] += event.n
    return _enough(who, [amount >= frame.count(n) for amount in lost.values()])


@_condition("it is countered this way", "{what:objects} is countered this way", op="countered this way")
def countered_this_way(frame: Frame, what: Any = None) -> bool:
    """Hold if the spell was countered by the effect under way."""
    return bool(frame.said.get("countered"))


# ---------------------------------------------------------------- how long


def _duration(*phrases: Any, op: str, rule: str = "") -> None:
    def body(frame: Frame) -> None:
        """Last so long; what carries it out reads the op."""

    word("duration", *phrases, op=op, rule=rule)(body)


_duration("until end of turn", op="until end of turn", rule="514.2")
_duration("this turn", op="this turn", rule="514.2")
_duration("until your next turn", op="until your next turn")
_duration("until the end of your next turn", op="until the end of your next turn")
_duration("until end of combat", "this combat", op="until end of combat")
_duration("for as long as you control it", op="while you control it", rule="611.2b")
_duration("for the rest of the game", op="for the rest of the game")
_duration("for as long as it remains exiled", "for as long as (that card|those cards|they) (remains|remain) exiled",
          op="while exiled")  # fmt: skip
_THIS = "(this permanent|~|this creature|this artifact|this Equipment|this enchantment)"
_duration(f"for as long as {_THIS} remains on the battlefield", f"until {_THIS} leaves the battlefield",
          op="while this remains")  # fmt: skip
_duration(f"for as long as you control {_THIS}", op="while you control this")
_duration("during your next untap step", op="your next untap step", rule="502.3")
_duration("during (its|its controller 's|their controller 's) next untap step",
          "during (their|their controllers ') next untap steps", op="its next untap step", rule="502.3")  # fmt: skip


@word("duration", "for as long as {what:condition}", op="while it holds")
def while_it_holds(frame: Frame, what: Any = None) -> bool:
    """Last while a condition holds."""
    return frame.holds(what)
