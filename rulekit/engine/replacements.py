"""The words for what replacement and prevention effects do: what happens instead (614.1, 615.1).

What they look for, and what each event carries, stands in `would`. A body of the sort "outcome" returns the event as it
will be, or None after something else has happened. The sort "replacement" is a whole sentence; it reads as an ability.
Within an effect "it" is the affected object, "player" the affected player, "number" how much or how many.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulekit.engine.abilities import WORDS, Ability, Term, walk, word
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.phrases import replaced
from rulekit.engine.seen import face_of

YOU, THIS = Term("you"), Term("this")
COLORS = ("white", "blue", "black", "red", "green")
COPY_FIRST = 2  # control-changing effects come before, all others after (616.1b, 616.1c)

# ---------------------------------------------------------------- another number

_DOES = ("(it|that player) (mills|creates|puts|draws|gains)", "(they|you) (mill|create|put|draw|gain)")
_MANY = ("that many [of those] [(tokens|counters|cards)] [on that (permanent|creature)]", "that much [life]")
_TIMES = (("twice", 2), ("double", 2), ("three times", 3), ("triple", 3))
_MULTIPLIED = [
    (phrase.format(times=said), {"factor": factor})
    for said, factor in _TIMES
    for phrase in (
        *(f"{does} {{times}} {many}" for does in _DOES for many in _MANY),
        "{times} that many [of those] (tokens|counters) are (created|put on (it|that permanent|that creature))",
        "(it|that source) deals {times} that (damage|much damage) [to that (player|permanent)]",
    )
]


@word("core", *_MULTIPLIED, rule="614.1a", op="so many times as many")
def times_as_many(t: Table, frame: Frame, event: Event, factor: int = 2) -> Run[Event | None]:
    """Let it be twice or three times as much or as many."""
    return _with_number(event, event.n * factor)
    yield


@word("core", *(does + " that many [cards] plus {more:amount}" for does in _DOES),
      *(does + " {more:amount} more [cards]" for does in _DOES), rule="614.1a", op="that many plus")  # fmt: skip
def that_many_plus(t: Table, frame: Frame, event: Event, more: Any = 1) -> Run[Event | None]:
    """Let it be so many more."""
    return _with_number(event, event.n + frame.count(more))
    yield


def _with_number(event: Event, n: int) -> Event:
    """Return an event with another number; of tokens there are as many more of each kind, or of the only kind."""
    tokens = event.get("tokens")
    if tokens is None or not event.n:
        return event.but(n=n)
    made = tuple((card, number * n // event.n) for card, number in tokens)
    made = ((made[0][0], n - sum(number for _, number in made[1:])), *made[1:])
    return event.but(n=n).with_detail(tokens=made)


@word("core", "create one of each", "create one of each of those tokens", rule="614.1a", op="one of each")
def one_of_each(t: Table, frame: Frame, event: Event) -> Run[Event | None]:
    """Create, for each such token, one of every kind that the effect names."""
    from rulekit.engine.instructions.tokens import PREDEFINED, predefined

    named = [term.args[0] for term in frame.said["would"].walk() if term.op == "kind"]
    kinds = [name for name in named if name in PREDEFINED]
    tokens: list[tuple[Any, int]] = []
    for card, n in event.get("tokens"):
        one_of_them = any(kind in card.types.subtypes for kind in kinds)
        tokens += [(predefined(kind), n) for kind in kinds] if one_of_them else [(card, n)]
    return event.but(n=sum(n for _, n in tokens)).with_detail(tokens=tuple(tokens))
    yield


# ---------------------------------------------------------------- another zone

_IT = "(it|that card|that creature|them|~|this card)"
_OWNERS = "(its owner's|that player's|their owner's|their)"


@word("core", f"exile {_IT}", f"{_IT} is exiled", rule="614.1a", op="it is exiled")
def it_is_exiled(t: Table, frame: Frame, event: Event, then: tuple[Term, ...] = ()) -> Run[Event | None]:
    """Exile it, and do something afterwards; the card is exiled with the source (607.2a)."""
    moved = event.but(to="exile").with_detail(chosen=(("exiled with", frame.this),), bottom=False, place=None)
    return afterwards(t, moved, frame, then)
    yield


@word("core", f"{_IT} is revealed and put on the bottom of {_OWNERS} library",
      f"reveal {_IT} and put {_IT} on the bottom of {_OWNERS} library",
      f"put {_IT} on the bottom of {_OWNERS} library", rule="614.1a", op="it goes to the bottom")  # fmt: skip
def it_goes_to_the_bottom(t: Table, frame: Frame, event: Event) -> Run[Event | None]:
    """Reveal it and put it on the bottom of its owner's library; several keep their order."""
    yield from t.did(Event("revealed", event.player, event.objects, rule="701.20a"))
    return event.but(to="library").with_detail(bottom=True)


@word("core", f"reveal {_IT} and shuffle {_IT} into {_OWNERS} library", f"shuffle {_IT} into {_OWNERS} library",
      rule="614.1a", op="it is shuffled in")  # fmt: skip
def it_is_shuffled_in(t: Table, frame: Frame, event: Event) -> Run[Event | None]:
    """Reveal it and shuffle it into its owner's library."""
    owner = event.moves[0].owner

    def then(table: Table, happened: Event) -> Run[None]:
        yield from table.shuffle(owner)

    yield from t.did(Event("revealed", owner, event.objects, rule="701.20a"))
    return _followed_by(event.but(to="library"), then)


@word("core", f"(return|put) {_IT} (to|into) {_OWNERS} hand", rule="614.1a", op="it goes to the hand")
def it_goes_to_the_hand(t: Table, frame: Frame, event: Event) -> Run[Event | None]:
    """Put it into its owner's hand."""
    return event.but(to="hand")
    yield


Then = Callable[[Table, Event], Run[None]]


def _followed_by(event: Event, then: Then) -> Event:
    """Return an event after which something more is done."""
    earlier: Then | None = event.get("then")

    def both(t: Table, happened: Event) -> Run[None]:
        if earlier is not None:
            yield from earlier(t, happened)
        yield from then(t, happened)

    return event.with_detail(then=both)


def afterwards(t: Table, event: Event, frame: Frame, effects: tuple[Term, ...]) -> Event:
    """Return an event after which effects are carried out, caused by the replacement (615.5)."""
    cause = t.cause

    def then(table: Table, happened: Event) -> Run[None]:
        outer = (table.frame, table.cause, table.rule)
        table.frame, table.cause = frame, cause
        yield from table.run(effects)
        table.frame, table.cause, table.rule = outer

    return _followed_by(event, then) if effects else event


# ---------------------------------------------------------------- nothing, or something else


@word("outcome", op="prevent that damage", rule="615.1", prevents=True)
def prevent_that_damage(
    t: Table, frame: Frame, event: Event, n: Any = None, then: tuple[Term, ...] = ()
) -> Run[Event | None]:
    """Prevent damage, all or some of it, and do what else the effect says right afterwards (615.5, 615.6)."""
    prevented = event.n if n is None else min(event.n, frame.count(n))
    frame.said["number"] = prevented
    left = event.but(n=event.n - prevented)
    return afterwards(t, left, frame, then) if then else left if left.n else None
    yield


@word("outcome", op="remove a stun counter instead", rule="122.1d")
def remove_a_stun_counter(t: Table, frame: Frame, event: Event) -> Run[Event | None]:
    """Remove a stun counter in place of untapping (122.1d)."""
    yield from t.do(Term("remove counters", (1, "stun", event.objects)))
    return None


@word("core", "{does:effects}", "that player skips that draw and {does:effects}", rule="614.1a", op="something else")
def something_else(t: Table, frame: Frame, event: Event, does: tuple[Term, ...] = ()) -> Run[Event | None]:
    """Do something else in its place; the event never happens (614.6)."""
    yield from t.run(does)
    return None


GRAMMAR.rule("outcome", "{what:core} instead", lambda what: what)
GRAMMAR.rule("outcome", "instead {what:core}", lambda what: what)
for _joint in ("and", ", and", ". "):
    GRAMMAR.rule("outcome", f"exile {_IT} instead {_joint} {{then:effects}}",
                 lambda then: Term("it is exiled", (then,)))  # fmt: skip
    GRAMMAR.rule("outcome", f"prevent that damage {_joint} {{then:effects}}",
                 lambda then: Term("prevent that damage", (None, then)))  # fmt: skip
GRAMMAR.rule("outcome", "prevent that damage", lambda: Term("prevent that damage", (None, ())))
GRAMMAR.rule("outcome", "prevent {n:amount} of that damage", lambda n: Term("prevent that damage", (n, ())))


# ---------------------------------------------------------------- how permanents enter


@word("outcome", op="it enters tapped", rule="614.1d", entering=True)
def it_enters_tapped(t: Table, frame: Frame, event: Event) -> Run[Event | None]:
    """Let it enter tapped."""
    return event.with_detail(tapped=True)
    yield


@word("outcome", op="it enters tapped unless paid", rule="614.1d", entering=True)
def it_enters_tapped_unless_paid(
    t: Table, frame: Frame, event: Event, cost: tuple[Term, ...] = ()
) -> Run[Event | None]:
    """Let it enter tapped unless its controller pays a cost as it enters (614.12a)."""
    from rulekit.engine.instructions.spells import may_pay

    outer, t.frame = t.frame, frame
    paid = yield from may_pay(t, frame.you, cost)
    t.frame = outer
    return event if paid else event.with_detail(tapped=True)


@word("outcome", op="it enters with counters", rule="614.1c", entering=True)
def it_enters_with_counters(t: Table, frame: Frame, event: Event, n: Any = 1, kind: str = "") -> Run[Event | None]:
    """Let it enter with counters on it (122.6a)."""
    counters = dict(event.get("counters") or ())
    counters[kind] = counters.get(kind, 0) + frame.count(n)
    return event.with_detail(counters=tuple(sorted(counters.items())))
    yield


_CHOICES = {"a color": "color", "a card name": "name", "a creature type": "type", "a player": "player",
            "an opponent": "opponent"}  # fmt: skip


@word("outcome", op="it enters with a choice", rule="614.1c", entering=True)
def it_enters_with_a_choice(t: Table, frame: Frame, event: Event, what: str = "color") -> Run[Event | None]:
    """Choose something as it enters (614.12a); its other abilities refer to the choice (607.2d)."""
    kind = {"color": "choose color", "name": "choose name", "opponent": "choose opponent"}.get(what, "choose player")
    kind = "choose name" if what == "type" else kind
    options = to_choose(t, frame.you, what)
    chosen = yield from t.ask(frame.you, kind, options, rule="614.12a", prompt=f"which {what} is chosen?")
    name = "player" if what == "opponent" else what
    t.log(Event("chosen", frame.you, event.objects, detail=(("choice", chosen),), rule="614.12a"))
    return event.with_detail(chosen=(*(event.get("chosen") or ()), (name, chosen)))


def to_choose(t: Table, you: str, what: str) -> tuple[str, ...]:
    """Return what may be chosen; of card names those of this game, for no other could matter (201.4)."""
    if what == "color":
        return COLORS
    if what in ("player", "opponent"):
        return t.state.in_game if what == "player" else t.state.opponents(you)
    cards = [thing.card for thing in t.state.objects.values() if thing.card is not None and thing.kind == "card"]
    if what == "type":
        kinds = {kind for card in cards if "Creature" in card.types.types for kind in card.types.subtypes}
        return tuple(sorted(kinds)) or ("Human",)
    return tuple(sorted({face.name for card in cards for face in (card.faces or (card,))}))


def _which_copy(t: Table, frame: Frame, event: Event, what: Term) -> Run[bool]:
    """Ask whether and of what it enters as a copy; nothing is asked where there is nothing to copy (707.5)."""
    options = [n for n in t.state.battlefield if n not in event.objects and frame.fits(what, n)]
    if not options:
        return False
    named = t.state.name(event.objects[0]) if event.objects[0] in t.state.objects else "it"
    if not (yield from t.may(frame.you, f"let {named} enter as a copy?", "614.12a")):
        return False
    chosen = options[0]
    if len(options) > 1:
        chosen = yield from t.ask(frame.you, "choose card", options, rule="707.5", prompt=f"what does {named} copy?")
    frame.said["copied"] = chosen
    return True


@word("outcome", op="it enters as a copy", rule="707.5", entering=True, asks=_which_copy, first=COPY_FIRST)
def it_enters_as_a_copy(t: Table, frame: Frame, event: Event, what: Term | None = None) -> Run[Event | None]:
    """Let it enter as a copy of a permanent: its copiable values and nothing else (707.2, 707.5)."""
    return event.with_detail(copies=face_of(t.state.objects[frame.said["copied"]]))
    yield


# ---------------------------------------------------------------- whole sentences


def _replacement(event: Term, outcome: Term, rule: str, condition: Term | None = None) -> Ability:
    if outcome.op == "prevent that damage":
        rule = "615.1a"
    return Ability("replacement", "", rule, event=event, effect=(outcome,), condition=condition)


def _enters(which: Term, outcome: Term, condition: Term | None = None) -> Ability:
    rule = "614.1c" if which.args[0] == THIS else "614.1d"
    return _replacement(Term("would enter", (which,)), outcome, rule, condition)


def _sentence(phrase: str, build: Callable[..., Ability]) -> None:
    GRAMMAR.rule("replacement", phrase, build)


_sentence("if {what:would}, {then:outcome}", lambda what, then: _replacement(what, then, "614.1a"))
_sentence("if {when:condition} and {what:would}, {then:outcome}",
          lambda when, what, then: _replacement(what, then, "614.1a", when))  # fmt: skip
_TAPPED = Term("it enters tapped")
for _enter in ("(enters|enter) [the battlefield]",):
    _sentence(f"{{which:watched}} {_enter} tapped", lambda which: _enters(which, _TAPPED))
    _sentence(f"{{which:watched}} {_enter} tapped unless {{if_not:condition}}",
              lambda which, if_not: _enters(which, _TAPPED, Term("not so", (if_not,))))  # fmt: skip
    _sentence(f"{{which:watched}} {_enter} with {{n:number}} [additional] {{kind:counter kind}} counter[s] [on it]",
              lambda which, n, kind: _enters(which, Term("it enters with counters", (n, kind))))  # fmt: skip
    _sentence(f"{{which:watched}} {_enter} with a number of [additional] {{kind:counter kind}} counters on it equal to"
              " {n:amount}",
              lambda which, kind, n: _enters(which, Term("it enters with counters", (n, kind))))  # fmt: skip
    _sentence(f"{{which:watched}} {_enter} with {{n:amount}} {{kind:counter kind}} counters on it",
              lambda which, n, kind: _enters(which, Term("it enters with counters", (n, kind))))  # fmt: skip
    _sentence(f"as {{which:watched}} {_enter} , you may {{cost:costs}} . if you don't , it enters tapped",
              lambda which, cost: _enters(which, Term("it enters tapped unless paid", (cost,))))  # fmt: skip
    for _said, _what in _CHOICES.items():
        _sentence(f"as {{which:watched}} {_enter} , choose {_said}",
                  lambda which, what=_what: _enters(which, Term("it enters with a choice", (what,))))  # fmt: skip
for _way in ("any", "a", "an"):
    _sentence(f"you may have {{which:watched}} enter [the battlefield] as a copy of {_way} {{what:filter}}",
              lambda which, what: _enters(which, Term("it enters as a copy", (what,))))  # fmt: skip

_PREVENT = Term("prevent that damage", (None, ()))


def _prevention(whom: Term | None, combat: bool | None, source: Term | None, when: Term | None) -> Ability:
    return _replacement(Term("damage would be dealt", (whom, combat, source)), _PREVENT, "615.1a", when)


_DAMAGE: tuple[tuple[str, bool | None], ...] = (("damage", None), ("combat damage", True), ("noncombat damage", False))
for _said, _combat in _DAMAGE:
    for _during, _when in (("", None), (" during your turn", Term("your turn"))):
        _sentence(f"prevent all {_said} that would be dealt{_during}",
                  lambda combat=_combat, when=_when: _prevention(None, combat, None, when))  # fmt: skip
        _sentence(f"prevent all {_said} that would be dealt to {{whom:receiver}}{_during}",
                  lambda whom, combat=_combat, when=_when: _prevention(whom, combat, None, when))  # fmt: skip
        _sentence(f"prevent all {_said} that would be dealt by {{source:watched}}{_during}",
                  lambda source, combat=_combat, when=_when: _prevention(None, combat, source, when))  # fmt: skip


@word("objects", op="the one met")
def the_one_met(frame: Frame) -> tuple[int, ...]:
    """Stand for whom or what an effect speaks of, until it begins and that is fixed."""
    return ()


MET = Term("the one met")
SPOKEN = ("target", "target player", "it", "that", "those", "them", "that player")  # what only the text knows


@word("effect", op="shield", rule="615.3")
def shield(t: Table, what: Ability, whom: tuple[Any, ...] | None = None) -> Run[None]:
    """Let a replacement or prevention effect apply until the turn ends (611.2, 615.3).

    Args:
        t: The table.
        what: The effect; `MET` in it stands for whom the text speaks of.
        whom: Whom that is: players and objects, fixed now.
    """
    fixed = replace(what, event=replaced(what.event, MET, whom or ()))
    t.add_effect(None, None, (fixed,), ("this turn", t.state.turn.number))
    return
    yield


WORDS["shield"].sorts["whom"] = "recipients"


def _shield(what: Ability) -> Term | None:
    """Return an effect that lets a replacement effect apply this turn; it may speak of one thing that is met now."""
    spoken = list(dict.fromkeys(term for term in walk(what.event) if term.op in SPOKEN))
    if len(spoken) > 1:
        return None
    for one in spoken:
        return Term("shield", (replace(what, event=replaced(what.event, one, MET)), one))
    return Term("shield", (what, None))


GRAMMAR.rule("effect", "{what:replacement} this turn", _shield)
GRAMMAR.rule("effect", "until end of turn , {what:replacement}", _shield)


@word("effect", "if {what:objects} would leave the battlefield, exile (it|them) instead [of putting (it|them) anywhere "
                "else]",
      ("if {what:objects} would die this turn, exile (it|them) instead", {"dies": True}),
      rule="614.1a", op="exiled instead")  # fmt: skip
def exiled_instead(t: Table, what: tuple[int, ...], dies: bool = False) -> Run[None]:
    """Let certain permanents be exiled when they would die this turn, or leave the battlefield at any time."""
    event = Term("would die" if dies else "would leave", (Term("watch these", (what,)),))
    ability = _replacement(event, Term("it is exiled", ((),)), "614.1a")
    t.add_effect(None, None, (ability,), ("this turn", t.state.turn.number) if dies else ("while there", what))
    return
    yield


@word("effect", "if {what:objects} would be put into (a|your|its owner 's) graveyard, exile it instead",
      ("if a spell cast this way would be put into (a|your|its owner 's) graveyard, exile it instead",
       {"what": Term("it")}),
      ("if (a|an) {such:filter} cast this way would be put into (a|your|its owner 's) graveyard, exile it instead",
       {"what": Term("it")}), rule="614.1a", op="spell exiled instead")  # fmt: skip
def spell_exiled_instead(t: Table, what: tuple[int, ...], such: Any = None) -> Run[None]:
    """Let spells that were just cast be exiled where they would be put into a graveyard from the stack."""
    what = tuple(number for number in what if t.frame.fits(such, number))
    event = Term("would be put into", (Term("watch these", (what,)), Term("zone of", ("graveyard", None)), None))
    ability = _replacement(event, Term("it is exiled", ((),)), "614.1a")
    t.add_effect(None, None, (ability,), ("while there", what))
    return
    yield


WORDS["spell exiled instead"].sorts["what"] = "objects"


def _shielded(whom: Term | None, combat: bool | None, source: Term | None) -> Term | None:
    return _shield(_prevention(whom, combat, source, None))


for _said, _combat in _DAMAGE:
    for _to in ("", " to {whom:receiver}"):
        GRAMMAR.rule("effect", f"prevent all {_said} that would be dealt this turn{_to}",
                     lambda whom=None, combat=_combat: _shielded(whom, combat, None))  # fmt: skip
    GRAMMAR.rule("effect", f"prevent all {_said} {{source:watched}} would deal this turn",
                 lambda source, combat=_combat: _shielded(None, combat, source))  # fmt: skip
    GRAMMAR.rule("effect", f"prevent all {_said} that would be dealt this turn by {{source:watched}}",
                 lambda source, combat=_combat: _shielded(None, combat, source))  # fmt: skip
