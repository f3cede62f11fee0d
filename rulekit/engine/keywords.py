"""Keywords: each is short for abilities, as its rule says, or is known to the engine by name (702).

A word of the sort "keyword" has a body ``(permanent, ...)`` that returns the abilities; ``permanent`` says whether the
object is a permanent card or spell.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rulekit.engine.abilities import WORDS, Ability, Term, term, word
from rulekit.engine.filters import all_of, say_filter
from rulekit.engine.grammar import GRAMMAR

YOU, THIS, DONE = Term("you"), Term("this"), Term("it was done")

PLAIN = {  # keywords that other rooms of the engine ask for by name
    "deathtouch": "702.2", "defender": "702.3", "double strike": "702.4", "first strike": "702.7", "flash": "702.8",
    "flying": "702.9", "haste": "702.10", "hexproof": "702.11", "indestructible": "702.12", "intimidate": "702.13",
    "lifelink": "702.15", "reach": "702.17", "shroud": "702.18", "trample": "702.19", "vigilance": "702.20",
    "phasing": "702.26", "fear": "702.36", "shadow": "702.28", "wither": "702.80",
    "infect": "702.90", "menace": "702.111", "skulk": "702.118", "split second": "702.61",
    "horsemanship": "702.31", "partner": "702.124", "choose a Background": "702.124",
}  # fmt: skip


def _declare_plain(name: str, rule: str) -> None:
    def keyword(permanent: bool) -> tuple[Ability, ...]:
        return (Ability("keyword", name, rule, keyword=name),)

    word("keyword", name, rule=rule, op=name)(keyword)


for _name, _rule in PLAIN.items():
    _declare_plain(_name, _rule)


def _declare_defining(name: str, rule: str, change: Term) -> None:
    """Declare a keyword that defines a characteristic of its card in every zone (604.3)."""

    def keyword(permanent: bool) -> tuple[Ability, ...]:
        defined = Ability("static", name, rule, keyword=name, effect=(Term("apply", (THIS, (change,))),),
                          zones=("battlefield", "stack"))  # fmt: skip
        return (defined,)

    word("keyword", name, rule=rule, op=name)(keyword)


_declare_defining("changeling", "702.73a", Term("every creature type"))
_declare_defining("devoid", "702.114a", Term("set colors", ((),)))


@word("keyword", "companion", "companion — your starting deck contains only {what:filter}", rule="702.139a")
def companion(permanent: bool, what: Any = None) -> tuple[Ability, ...]:
    """Come from outside the game once, if the starting deck was as the card asks, which is a matter of its building."""
    said = "" if what is None else f" — your starting deck contains only {say_filter(what, many=True)}"
    return (Ability("keyword", f"companion{said}", "702.139a", keyword="companion",
                    value=() if what is None else (what,)),)  # fmt: skip


def expand(keyword: Term, permanent: bool) -> tuple[Ability, ...]:
    """Return the abilities that a keyword term stands for."""
    found: tuple[Ability, ...] = WORDS[keyword.op].body(permanent, *keyword.args)
    return found


def keyword_abilities(name: str, *args: Any) -> tuple[Ability, ...]:
    """Return the abilities of a keyword on a permanent or card, by its name and what stands beside it."""
    return expand(term(name, *args), True)


@lru_cache(maxsize=256)
def say(sort: str, text: str) -> Any:
    """Return the term that a text of our own means, so that a keyword can be written as its rule says it."""
    return GRAMMAR.read(sort, text)


def _cost_text(cost: tuple[Term, ...]) -> str:
    return ", ".join(GRAMMAR.say(part) for part in cost)


@word("keyword", "equip {cost:costs}", "equip — {cost:costs}", "equip {quality:filter} {cost:costs}",
      "equip {quality:filter} — {cost:costs}", rule="702.6a")  # fmt: skip
def equip(permanent: bool, cost: tuple[Term, ...], quality: Term | None = None) -> tuple[Ability, ...]:
    """Pay the cost, attach this to such a creature you control, at sorcery speed (702.6a, 702.6c, 702.6e)."""
    planeswalker = quality is not None and GRAMMAR.say(quality) == "planeswalker"
    yours = say("filter", f"{'planeswalker' if planeswalker else 'creature'} you control")
    target = Term("target", (0, yours if quality is None else all_of(yours, quality), 1, 1))
    named = f"equip {GRAMMAR.say(quality)} " if quality is not None else "equip "
    rule = "702.6e" if planeswalker else "702.6a" if quality is None else "702.6c"
    attach = term("attach as a creature" if planeswalker else "attach", THIS, target)
    return (
        Ability(
            "activated", named + _cost_text(cost), rule, keyword="equip", value=(quality,) if quality else (),
            cost=cost, timing="sorcery", effect=(attach,),
        ),
    )  # fmt: skip


@word("keyword", "fortify {cost:costs}", "fortify — {cost:costs}", rule="702.67a")
def fortify(permanent: bool, cost: tuple[Term, ...]) -> tuple[Ability, ...]:
    """Pay the cost, attach this to a land you control, at sorcery speed (702.67a, 301.6)."""
    attach = term("attach", THIS, Term("target", (0, say("filter", "land you control"), 1, 1)))
    text = f"fortify {_cost_text(cost)}"
    return (Ability("activated", text, "702.67a", keyword="fortify", cost=cost, timing="sorcery", effect=(attach,)),)


@word("keyword", "reconfigure {cost:costs}", rule="702.151a")
def reconfigure(permanent: bool, cost: tuple[Term, ...]) -> tuple[Ability, ...]:
    """Attach this to another creature you control, or unattach it, at sorcery speed; no creature meanwhile."""
    other = say("filter", "other creature you control")
    text = f"reconfigure {_cost_text(cost)}"
    shared: dict[str, Any] = {"rule": "702.151a", "keyword": "reconfigure", "cost": cost, "timing": "sorcery"}
    no_creature = Term("apply", (THIS, (Term("isn't a type", ("Creature",)),)))
    return (
        Ability("activated", text, effect=(term("attach", THIS, Term("target", (0, other, 1, 1))),), **shared),
        Ability(
            "activated", text, effect=(term("unattach", THIS),), condition=Term("attached", (THIS,)), **shared
        ),
        Ability(
            "static", "as long as this is attached, this isn't a creature", "702.151b",
            condition=Term("attached", (THIS,)),
            effect=(no_creature,),
        ),
    )  # fmt: skip


GIFTS = {  # 702.174d-i: what the chosen player gets, as an effect of our own wording
    "a Food": ("702.174d", "the chosen player creates a Food token"),
    "a card": ("702.174e", "the chosen player draws a card"),
    "a tapped Fish": ("702.174f", "the chosen player creates a tapped 1/1 blue Fish creature token"),
    "an extra turn": ("702.174g", "the chosen player takes an extra turn after this one"),
    "a Treasure": ("702.174h", "the chosen player creates a Treasure token"),
    "an Octopus": ("702.174i", "the chosen player creates an 8/8 blue Octopus creature token"),
}


@GRAMMAR.lexer("gift kind")
def _gift_kind(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read what a gift is."""
    return [
        (gift, place + len(gift.split()))
        for gift in GIFTS
        if " ".join(words[place : place + len(gift.split())]).lower() == gift.lower()
    ]


@word("keyword", "gift {what:gift kind}", rule="702.174a")
def gift(permanent: bool, what: str) -> tuple[Ability, ...]:
    """Promise a gift to an opponent while casting; that player gets it as the spell resolves or it enters."""
    rule, text = GIFTS[what]
    promised = say("condition", "the gift was promised")
    gives = Term("give gift", (say("effects", text),))
    offer = Ability("additional cost", f"gift {what}", "702.174a", keyword="gift", value=(what,), zones=("stack",))
    if permanent:
        enters = say("event", "this enters")
        given = Ability(
            "triggered", f"gift {what}", rule, keyword="gift", event=enters,
            condition=promised, effect=(gives,),
        )  # fmt: skip
    else:
        given = Ability("spell", f"gift {what}", rule, keyword="gift", zones=("stack",),
                        effect=(Term("if", (promised, (gives,), ())),))  # fmt: skip
    return (offer, given)


@word("keyword", "living weapon", rule="702.92a")
def living_weapon(permanent: bool) -> tuple[Ability, ...]:
    """When this enters, create a 0/0 black Phyrexian Germ creature token, then attach this to it."""
    effect = say("effects", "you create a 0/0 black Phyrexian Germ creature token, then attach this to it")
    return (
        Ability("triggered", "living weapon", "702.92a", keyword="living weapon", event=say("event", "this enters"),
                effect=effect),
    )  # fmt: skip


@word("keyword", "kicker {cost:costs}", "kicker — {cost:costs}", rule="702.33a")
def kicker(permanent: bool, cost: tuple[Term, ...]) -> tuple[Ability, ...]:
    """Let an additional cost be paid while casting; the text says what then happens (702.33d)."""
    return (Ability("additional cost", f"kicker {_cost_text(cost)}", "702.33a", keyword="kicker", value=cost,
                    zones=("stack",)),)  # fmt: skip


def _arming(name: str, phrase: str, rule: str, token: str) -> None:
    """Declare a keyword of Equipment that brings its own creature."""

    def keyword(permanent: bool) -> tuple[Ability, ...]:
        effect = say("effects", f"create {token}, then attach this to it")
        return (Ability("triggered", name, rule, keyword=name, event=say("event", "this enters"), effect=effect),)

    word("keyword", phrase, rule=rule, op=name)(keyword)


_arming("for Mirrodin!", "for Mirrodin !", "702.163a", "a 2/2 red Rebel creature token")
_arming("job select", "job select", "702.182a", "a 1/1 colorless Hero creature token")


@word("keyword", "prowess", rule="702.108a")
def prowess(permanent: bool) -> tuple[Ability, ...]:
    """Whenever you cast a noncreature spell, this gets +1/+1 until end of turn."""
    return (Ability("triggered", "prowess", "702.108a", keyword="prowess",
                    event=say("event", "you cast a noncreature spell"),
                    effect=say("effects", "this gets +1/+1 until end of turn")),)  # fmt: skip


@word("keyword", "exalted", rule="702.83a")
def exalted(permanent: bool) -> tuple[Ability, ...]:
    """Whenever a creature you control attacks alone, it gets +1/+1 until end of turn."""
    return (Ability("triggered", "exalted", "702.83a", keyword="exalted",
                    event=say("event", "a creature you control attacks alone"),
                    effect=say("effects", "it gets +1/+1 until end of turn")),)  # fmt: skip


@word("keyword", "undying", rule="702.93a")
def undying(permanent: bool) -> tuple[Ability, ...]:
    """When this dies without a +1/+1 counter, it returns with one."""
    return (_returning("undying", "702.93a", "+1/+1"),)


@word("keyword", "persist", rule="702.79a")
def persist(permanent: bool) -> tuple[Ability, ...]:
    """When this dies without a -1/-1 counter, it returns with one."""
    return (_returning("persist", "702.79a", "-1/-1"),)


def _returning(name: str, rule: str, kind: str) -> Ability:
    effect = say("effects", f"return it to the battlefield under its owner's control with a {kind} counter on it")
    without = Term("not so", (Term("was", (Term("with counter", (kind,)),)),))
    return Ability("triggered", name, rule, keyword=name, event=say("event", "this dies"), condition=without,
                   effect=effect)  # fmt: skip


@word("keyword", "cycling {cost:costs}", "cycling — {cost:costs}", rule="702.29a")
def cycling(permanent: bool, cost: tuple[Term, ...]) -> tuple[Ability, ...]:
    """Pay the cost and discard this card: draw a card."""
    paid = (*cost, Term("discard it as a cost", (THIS,)))
    return (Ability("activated", f"cycling {_cost_text(cost)}", "702.29a", keyword="cycling", value=cost, cost=paid,
                    effect=say("effects", "draw a card"), zones=("hand",)),)  # fmt: skip


@word("keyword", "unearth {cost:costs}", "unearth — {cost:costs}", rule="702.84a")
def unearth(permanent: bool, cost: tuple[Term, ...]) -> tuple[Ability, ...]:
    """Return this from the graveyard for a turn; it is exiled then, or if it would leave the battlefield."""
    effect = say("effects", "return this card from your graveyard to the battlefield. it gains haste. exile it at the "
                 "beginning of the next end step. if it would leave the battlefield, exile it instead")  # fmt: skip
    return (Ability("activated", f"unearth {_cost_text(cost)}", "702.84a", keyword="unearth", value=cost, cost=cost,
                    timing="sorcery", effect=effect, zones=("graveyard",)),)  # fmt: skip


@word("keyword", "crew {n:number}", rule="702.122a")
def crew(permanent: bool, n: int) -> tuple[Ability, ...]:
    """Tap untapped creatures with that much power: this becomes an artifact creature until end of turn."""
    cost = (Term("crew as a cost", (n,)),)
    return (Ability("activated", f"crew {n}", "702.122a", keyword="crew", value=(n,), cost=cost,
                    effect=say("effects", "this becomes an artifact creature until end of turn")),)  # fmt: skip


@word("keyword", "ward {cost:costs}", "ward — {cost:costs}", rule="702.21a")
def ward(permanent: bool, cost: tuple[Term, ...]) -> tuple[Ability, ...]:
    """When an opponent's spell or ability targets this, it is countered unless that player pays."""
    return (
        Ability(
            "triggered", f"ward {_cost_text(cost)}", "702.21a", keyword="ward", value=cost,
            event=Term("becomes the target of an opponent", (THIS,)), effect=(Term("counter unless paid", (cost,)),),
        ),
    )  # fmt: skip


@word("keyword", "dredge {n:number}", rule="702.52a", library=True)
def dredge(permanent: bool, n: int) -> tuple[Ability, ...]:
    """From the graveyard, a draw may be replaced by milling N and returning this; `replacing` asks (702.52a, b)."""
    return (Ability("keyword", f"dredge {n}", "702.52a", keyword="dredge", value=(n,), zones=("graveyard",)),)


@word("keyword", "flashback {cost:costs}", "flashback — {cost:costs}", rule="702.34a")
def flashback(permanent: bool, cost: tuple[Term, ...]) -> tuple[Ability, ...]:
    """Cast it from the graveyard for this cost; it is exiled as it leaves the stack. `casting` knows it."""
    return (
        Ability("alternative cost", f"flashback {_cost_text(cost)}", "702.34a", keyword="flashback", cost=cost,
                zones=("graveyard",)),
    )  # fmt: skip


@word("keyword", "aftermath", rule="702.127a")
def aftermath(permanent: bool) -> tuple[Ability, ...]:
    """Cast this half from the graveyard only; it is exiled as it leaves the stack. `permissions` knows it."""
    return (Ability("alternative cost", "aftermath", "702.127a", keyword="aftermath", zones=("graveyard",)),)


@word("keyword", "enchant {what:target what}", rule="702.5a", op="enchant")
def enchant(permanent: bool, what: Term) -> tuple[Ability, ...]:
    """Target such an object or player with the Aura spell; the Aura may be attached to no other (702.5a, 303.4)."""
    return (Ability("keyword", f"enchant {GRAMMAR.say(what)}", "702.5a", keyword="enchant", value=(what,)),)


@word("keyword", "protection from {quality:quality}", rule="702.16a", op="protection")
def protection(permanent: bool, quality: Any) -> tuple[Ability, ...]:
    """No damage, enchanting, equipping, blocking or targeting by what has the quality (702.16b-f)."""
    text = f"protection from {GRAMMAR.say(quality, 'quality')}"
    return (Ability("keyword", text, "702.16a", keyword="protection", value=(quality,)),)


@word("keyword", "hexproof from {quality:quality}", rule="702.11d", op="hexproof from")
def hexproof_from(permanent: bool, quality: Any) -> tuple[Ability, ...]:
    """No target of what opponents control and has the quality (702.11d)."""
    text = f"hexproof from {GRAMMAR.say(quality, 'quality')}"
    return (Ability("keyword", text, "702.11d", keyword="hexproof", value=(quality,)),)


@word("keyword", "annihilator {n:number}", rule="702.86a")
def annihilator(permanent: bool, n: int) -> tuple[Ability, ...]:
    """Whenever this attacks, the defending player sacrifices that many permanents."""
    return (
        Ability("triggered", f"annihilator {n}", "702.86a", keyword="annihilator", value=(n,),
                event=say("event", "this attacks"), effect=say("effects", f"defending player sacrifices {n} "
                                                                          f"permanents")),
    )  # fmt: skip


@word("keyword", "suspend {n:number} — {cost:costs}", rule="702.62a")
def suspend(permanent: bool, n: int, cost: tuple[Term, ...]) -> tuple[Ability, ...]:
    """Exile this from the hand with time counters; each upkeep takes one, and after the last it may be cast free."""
    text = f"suspend {n}—{_cost_text(cost)}"
    shared: dict[str, Any] = {"rule": "702.62a", "keyword": "suspend", "zones": ("exile",)}
    haste = say("effects", "if it is a creature, it gains haste for as long as you control it")
    return (
        Ability("keyword", text, "702.62a", keyword="suspend", value=(n, cost), zones=("hand",)),
        Ability("triggered", text, printed="suspend: remove a time counter from this",
                event=say("event", "the beginning of your upkeep"),
                condition=Term("is suspended", (THIS,)), effect=say("effects", "remove a time counter from this"),
                **shared),
        Ability("triggered", text, printed="suspend: you may cast this without paying its mana cost",
                event=say("event", "the last time counter is removed from this"),
                condition=Term("is exiled", (THIS,)),
                effect=(term("may", YOU, (term("cast without paying", YOU, THIS),)), Term("if", (DONE, haste, ()))),
                **shared),
    )  # fmt: skip
