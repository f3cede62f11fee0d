"""A sentence for each event of the log, as a judge would say it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

from rulekit.engine.abilities import Ability, Term
from rulekit.engine.events import Event
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.state import State
from rulekit.engine.text import load_words

# A sentence is a template. {player}, {what} (the objects), {n}, {to}, {source} ... come from the event; in
# (one|many) the second stands where there are several objects, and in <one|many> where n is not 1.
TEMPLATES = {
    "gift promised": "{player} promises the gift of {what} to {to}",
    "announced": "{player} announces an ability of {what}",
    "ability triggered": "{what} triggers{text}",
    "trigger removed": "{what} trigger is removed: it has no legal target",
    "put on the stack": "{player} puts {what} on the stack{targets}",
    "target changed": "{player} changes the target of {what}{targets}",
    "resolved": "{what} resolves",
    "countered": "{what} is countered",
    "could not draw": "{player} cannot draw: the library is empty",
    "left": "{player} leaves the game",
    "won": "{player} wins the game",
    "draw": "the game is a draw",
    "attached": "{what} becomes attached to {to}",
    "unattached": "{what} becomes unattached from {to}",
    "dies": "{what} (dies|die)",
    "destroyed": "{what} (is|are) destroyed",
    "sacrificed": "{player} sacrifices {what}",
    "not understood": "nothing is done for words of {what} that were not understood{text}",
    "extra turn": "{player} will take an extra turn after this one",
    "turn skipped": "the extra turn of {player} is skipped because of {source}",
    "shuffled": "{player} shuffles their library",
    "discarded": "{player} discards {what}",
    "life gained": "{player} gains {n} life",
    "life lost": "{player} loses {n} life",
    "copied": "{player} copies {source}",
    "control gained": "{player} gains control of {what}",
    "transformed": "{what} transforms",
    "tapped": "{what} (becomes|become) tapped",
    "untapped": "{what} (untaps|untap)",
    "phased out": "{what} (phases|phase) out",
    "phased in": "{what} (phases|phase) in",
    "counters removed": "{n} {kind} <counter|counters> <is|are> removed from {what}",
    "mana added": "{player} adds {mana}",
    "mana ability": "{player} uses the mana ability of {what}",
    "attack": "{player} declares (an attacker|attackers): {what}",
    "attacks": "{what} (attacks|attack) {to}",
    "blocks": "{what} blocks {to}",
    "becomes blocked": "{what} becomes blocked",
    "turn": "{player} begins a turn",
    "stays": "{what} stays where it is: it can't enter the battlefield",
    "played": "{player} plays {what}",
    "companion": "{player} puts the companion {what} into their hand",
    "suspended": "{player} suspends {what} with {n} time <counter|counters>",
    "chosen": "{player} chooses {choice} for {what}",
    "searched": "{player} searches their library",
    "scried": "{player} scries {n}",
    "surveilled": "{player} surveils {n}",
    "damage dealt": "{n} {combat}damage is dealt in all",
}
LOST_BECAUSE = {
    "704.5a": "0 or less life", "704.5b": "a draw from an empty library", "704.5c": "ten poison counters",
    "104.3a": "conceding",
}  # fmt: skip
CHECKED = {  # what state-based actions have found, by their rule
    "704.5f": "{what} has toughness 0 or less",
    "704.5i": "{what} has no loyalty",
    "704.5j": "{what} goes: a second legendary permanent of that name",
    "704.5m": "{what} enchants nothing that it may enchant",
    "704.5n": "{what} may not stay attached to {to}",
    "704.5p": "{what} may not be attached to anything",
}
UNRESOLVED_BECAUSE = {
    "603.4": "its condition is no longer true", "608.2b": "every target has become illegal",
    "608.3b": "what it would enchant is no longer legal",
}  # fmt: skip
IN_PLAY = ("battlefield", "stack")


class Teller:
    """Says events in words; objects are called by their names, with label or player where several share a name."""

    def __init__(self, state: State) -> None:
        """Look which names are shared.

        Args:
            state: A State since the events that are told.
        """
        self.state = state
        labels: dict[str, set[str]] = {}
        holders: dict[str, set[str]] = {}
        for thing in (*state.objects.values(), *(past.object for past in state.past.values())):
            if thing.card is not None and thing.kind != "copy":
                labels.setdefault(thing.card.name, set()).add(thing.label)
                if thing.zone in IN_PLAY:
                    holders.setdefault(thing.card.name, set()).add(thing.controller)
        self._labelled = {name for name, own in labels.items() if len(own) > 1}
        self._held = {name for name, own in holders.items() if len(own) > 1}

    def tell(self, event: Event) -> str:
        """Return an event as a sentence without a full stop."""
        special = SPECIAL.get(event.kind)
        if special is not None:
            return special(self, event)
        return self.fill(TEMPLATES[event.kind], event)

    def fill(self, template: str, event: Event) -> str:
        """Return a template with what an event says."""
        mana = "".join(f"{{{symbol}}}" for symbol in event.get("mana", ())) or "no mana"
        text = event.get("text", "")
        return _agreed(template, event).format(
            player=event.player, what=self.what(event) or event.player or "something", n=event.n, mana=mana,
            to=self.name(event.to), kind=event.get("counter") or event.get("kind"),
            combat="combat " if event.combat else "", targets=self.targets(event),
            text=f": {text}" if text else "", source=self.name(event.source),
            where=INTO.get(str(event.to), "elsewhere"), choice=event.get("choice"),
        )  # fmt: skip

    def name(self, ref: int | str | None) -> str:
        """Return what an object or a player is called."""
        if not isinstance(ref, int):
            return ref or "something"
        if ref not in self.state.objects and ref not in self.state.past:
            return "something"
        return self._told_apart(ref, self.state.name(ref))

    def _told_apart(self, number: int, name: str) -> str:
        thing = self.state.get(number)
        if thing.kind == "ability":
            keyword = thing.ability.keyword if thing.ability is not None else ""
            return name.replace(" trigger", f" {keyword} trigger") if keyword and name.endswith(" trigger") else name
        if thing.kind == "copy":
            return f"{thing.controller}'s copy of {name}"
        whose = f"{thing.controller}'s " if name in self._held and thing.zone in IN_PLAY else ""
        label = f" ({thing.label})" if name in self._labelled and thing.label not in ("", name) else ""
        return f"{whose}{name}{label}"

    def what(self, event: Event) -> str:
        """Return what the objects of an event are called."""
        return listed(self.names(event))

    def names(self, event: Event) -> list[str]:
        """Return the names of the objects of an event, as they were called then."""
        here = self.state.objects.keys() | self.state.past.keys()
        if len(event.names) == len(event.objects):
            pairs = zip(event.objects, event.names, strict=True)
            return [self._told_apart(number, name) if number in here else name for number, name in pairs]
        return list(event.names) or [self.name(number) for number in event.objects]

    def targets(self, event: Event) -> str:
        """Return what a spell or ability on the stack targets, as the end of a sentence."""
        number = event.objects[0] if event.objects else None
        if number is None or (number not in self.state.objects and number not in self.state.past):
            return ""
        cast = self.state.get(number).cast
        chosen = [one for _, some in cast.targets for one in some] if cast is not None else []
        return f", targeting {listed([self.name(one) for one in chosen])}" if chosen else ""

    def zone_of(self, number: int) -> str:
        """Return the zone in which an object is or was."""
        there = number in self.state.objects or number in self.state.past
        return self.state.get(number).zone if there else "nowhere"

    def by_zone(self, event: Event, usual: str) -> str:
        """Return the objects of an event, with the zone of those that went elsewhere than usual, if anything is."""
        parts = []
        pairs = list(zip(event.objects, self.names(event), strict=True))
        for zone, some in groupby(sorted(pairs, key=lambda pair: self.zone_of(pair[0]) != usual),
                                  key=lambda pair: self.zone_of(pair[0])):  # fmt: skip
            named = listed([name for _, name in some])
            parts.append(named if zone == usual else f"{named} ({INTO[zone]}{' instead' if usual else ''})")
        return "; ".join(parts)


def _agreed(template: str, event: Event) -> str:
    """Return a template with its words in the singular or the plural."""
    said = re.sub(r"\((.*?)\|(.*?)\)", lambda found: found[1 + (len(event.objects) > 1)], template)
    return re.sub(r"<(.*?)\|(.*?)>", lambda found: found[1 + (event.n != 1)], said)


INTO = {
    "graveyard": "into the graveyard", "exile": "into exile", "hand": "into the hand", "library": "into the library",
    "battlefield": "onto the battlefield", "stack": "onto the stack", "nowhere": "into nothing",
}  # fmt: skip


def _cast(teller: Teller, event: Event) -> str:
    thing = teller.state.get(event.objects[0]) if teller.zone_of(event.objects[0]) != "nowhere" else None
    cast = thing.cast if thing is not None else None
    origin = event.get("from", "hand")
    said = f"{event.player} casts {teller.what(event)}"
    said += f" from {'exile' if origin == 'exile' else f'the {origin}'}" if origin != "hand" else ""
    if cast is not None:
        said += f" ({cast.way})" if cast.way else ""
        said += f", X = {cast.x}" if cast.x else ""
        said += f", mode {' and '.join(str(mode + 1) for mode in cast.modes)}" if cast.modes else ""
    return said + teller.targets(event)


def _activated(teller: Teller, event: Event) -> str:
    source = teller.name(event.objects[1]) if len(event.objects) > 1 else teller.what(event)
    granter = event.get("granter")
    text = (event.get("text") or "its ability").replace("~", teller.name(granter) if granter else "this")
    aimed = teller.targets(event)
    return f"{event.player} activates {source}: {text.rstrip('.') if aimed else text}{aimed}"


def _unresolved(teller: Teller, event: Event) -> str:
    reason = UNRESOLVED_BECAUSE.get(event.rule)
    return f"{teller.what(event)} does not resolve" + (f": {reason}" if reason else "")


def _milled(teller: Teller, event: Event) -> str:
    return f"{event.player} mills {cards(event.n)}: {teller.by_zone(event, 'graveyard')}"


def _drew(teller: Teller, event: Event) -> str:
    return f"{event.player} draws {teller.by_zone(event, 'hand') or 'a card'}"


def _exiled(teller: Teller, event: Event) -> str:
    plural = len(event.objects) > 1
    gone = all(teller.zone_of(number) == "exile" for number in event.objects)
    verb = "are" if plural else "is"
    return f"{teller.what(event)} {verb} exiled" if gone else f"exiled: {teller.by_zone(event, 'exile')}"


def _returned(teller: Teller, event: Event) -> str:
    """Say where cards were put; whether they had been there before is nothing that the event knows."""
    zones = {teller.zone_of(number) for number in event.objects}
    if zones == {"exile"}:
        return _exiled(teller, event)
    if len(zones) > 1:
        return f"put: {teller.by_zone(event, '')}"
    zone, put = zones.pop(), "are put" if len(event.objects) > 1 else "is put"
    there = [teller.state.get(number) for number in event.objects if zone != "nowhere"]
    owners = {thing.owner for thing in there}
    controllers = {thing.controller for thing in there}
    if zone == "hand":
        return f"{teller.what(event)} {put} into {_whose(owners)} hand{'s' if len(owners) > 1 else ''}"
    under = f" under {_whose(controllers)} control" if zone == "battlefield" and controllers - owners else ""
    return f"{teller.what(event)} {put} {INTO[zone]}{under}"


def _whose(names: Iterable[str]) -> str:
    return " and ".join(f"{name}'s" for name in sorted(names))


def _damaged(teller: Teller, event: Event) -> str:
    """Say who deals damage; what a scenario deals by itself has no source."""
    return teller.fill(
        "{n} {combat}damage is dealt to {to}" if not event.source else "{source} deals {n} {combat}damage to {to}",
        event,
    )


def _gift(teller: Teller, event: Event) -> str:
    gift = f"the gift of {event.names[0].removesuffix(' trigger')}"
    if event.get("left"):  # that nobody got it does not matter to what waits for a gift (702.174c)
        return f"{gift} counts as given, though {event.to} has left the game"
    return f"{event.to} is given {gift}"


def _targeted(teller: Teller, event: Event) -> str:
    aimed_at = teller.what(event) if event.objects else event.to
    return f"{aimed_at} becomes a target of {teller.name(event.source)}"


def _effect(teller: Teller, event: Event) -> str:
    """Say what a continuous effect does; one that no phrase says is told by where it comes from."""
    load_words()
    begins = f"an effect of {teller.name(event.source)} begins"
    until = _until(event.get("until"))
    try:
        said = " and ".join(said for change in event.get("changes", ()) if (said := _change(teller, event, change)))
    except (LookupError, ValueError):  # what the engine made for itself need not have words
        return begins + until
    if not said:
        said = _spell_text(teller, event.source)
        until = "" if until.strip() and said.endswith(until.strip()) else until
    if not event.objects:
        told = said.split(" ", 1)[0].removesuffix("'s") in teller.state.players
        return said + until if told else f"{begins}: {said}{until}" if said else begins + until
    return f"{teller.what(event)} {said}{until}"


def _spell_text(teller: Teller, number: int | None) -> str:
    """Return what a spell says, for an effect that it made and that has no words of its own."""
    there = number is not None and (number in teller.state.objects or number in teller.state.past)
    texts = [ability.words for ability in teller.state.look(number or 0).abilities if ability.kind == "spell"]
    return texts[0] if there and len(texts) == 1 else ""


OF_PLAYERS = {  # what effects say of players, by their words
    "player has hexproof": "{who} has hexproof", "player has shroud": "{who} has shroud",
    "player has protection": "{who} has protection from {quality}",
    "life total can't change": "{who}'s life total can't change", "can't cast": "{who} can't cast {what}",
}  # fmt: skip


def _change(teller: Teller, event: Event, change: Ability | Term) -> str:
    if isinstance(change, Ability):
        return change.words
    if change.op == "may play them":
        lands = any(teller.state.look(number).is_a("land") for number in change.args[0])
        verb = "play" if lands else "cast"
        return f"{event.player} may {verb} {listed([teller.name(number) for number in change.args[0]])}"
    if change.op == "controlled by" and isinstance(change.args[0], tuple):
        return f"is controlled by {listed(change.args[0])}"
    if change.op == "switched":
        return "has its power and toughness switched"
    if change.op not in OF_PLAYERS:
        return GRAMMAR.say(change)
    rest = change.args[1] if len(change.args) > 1 else None
    quality = "everything" if rest in (None, "everything", Term("anything"), Term("everything")) else GRAMMAR.say(rest)
    who, what = _players(event, change.args[0]), "spells" if rest is None else quality
    return OF_PLAYERS[change.op].format(who=who, quality=quality, what=what)


def _players(event: Event, who: Term) -> str:
    if who.op == "you":
        return str(event.player)
    if who.op == "these players":
        return listed(who.args[0])
    return {"each player": "players", "each opponent": f"{event.player}'s opponents"}.get(who.op) or GRAMMAR.say(who)


def _checked(teller: Teller, event: Event) -> str:
    return teller.fill(CHECKED[event.rule], event)


def _until(until: tuple[Any, ...] | None) -> str:
    kind = until[0] if until else ""
    if kind == "end of turn":
        return " until end of turn"
    if kind in ("your next turn", "your next untap step"):
        return f" until {(until or ('', 'its controller'))[1]}'s {kind.removeprefix('your ')}"
    return f" {kind}" if kind in ("this turn", "this combat") else ""


def _revealed(teller: Teller, event: Event) -> str:
    return f"{event.player} reveals {teller.what(event) or 'an empty hand'}"


def _lost(teller: Teller, event: Event) -> str:
    reason = LOST_BECAUSE.get(event.rule)
    return f"{event.player} loses the game" + (f": {reason}" if reason else "")


def _tokens(teller: Teller, event: Event) -> str:
    made = []
    for name, some in groupby(event.names or teller.names(event)):
        n = len(list(some))
        made.append(f"{article(name)} {name} token" if n == 1 else f"{n} {name} tokens")
    return f"{event.player} creates {', '.join(made[:-1])}{' and ' if made[1:] else ''}{made[-1]}"


def _counters(teller: Teller, event: Event) -> str:
    kind = event.get("counter") or event.get("kind")
    counters = f"{article(kind)} {kind} counter" if event.n == 1 else f"{event.n} {kind} counters"
    if not event.objects:
        return f"{event.player} gets {counters}"
    return f"{teller.what(event)} gets {counters}"


def _step(teller: Teller, event: Event) -> str:
    step = event.get("step")
    name = {"precombat main": "precombat main phase", "postcombat main": "postcombat main phase"}.get(
        step, f"{'first-strike combat damage' if step == 'first combat damage' else step} step"
    )
    return f"{event.player}'s {name}"


def _moved(teller: Teller, event: Event) -> str:
    sentences = []
    for (origin, to, owner), some in groupby(event.moves, key=lambda move: (move.origin, move.to, move.owner)):
        moves = list(some)
        names = listed([teller.name(move.old) for move in moves])
        verb = "is" if len(moves) == 1 else "are"
        if to == "battlefield":
            sentences.append(f"{names} {'enters' if len(moves) == 1 else 'enter'} the battlefield")
        elif to == "graveyard" and origin == "battlefield" and all(_creature(teller, m.old) for m in moves):
            sentences.append(f"{names} {'dies' if len(moves) == 1 else 'die'}")
        elif to == "stack":
            sentences.append(f"{event.player} puts {names} on the stack")
        elif to == "exile":
            sentences.append(f"{names} {verb} exiled")
        elif to == "outside":
            sentences.append(f"{names} {'leaves' if len(moves) == 1 else 'leave'} the game with {owner}")
        else:
            whose = INTO[to].replace("the", f"{owner}'s", 1)
            sentences.append(f"{names} {verb} put {whose}")
    return "; ".join(sentences)


def _creature(teller: Teller, number: int) -> bool:
    return teller.state.look(number).is_a("creature")


def _replaced(teller: Teller, event: Event) -> str:
    if event.get("copied"):
        return f"{teller.what(event)} enters as a copy of {event.get('copied')}"
    entering = event.get("what") == "moved" and event.to == "battlefield"
    template = "{what} would enter" if entering else WOULD.get(event.get("what"), "something would happen")
    would = teller.fill(template, event.with_detail(text=""))
    text = event.get("text")
    verb = "prevents" if event.rule.startswith(("615", "702.16")) else "changes"
    if event.rule == "702.16e":
        return f"{would}, but {'it' if event.objects else event.to} has {text} and that prevents it"
    if not event.get("by"):  # a rule, which says what happens instead
        return f"{would}, but {text}"
    of_itself = event.objects == (event.source,) and would.startswith(teller.what(event))
    by = "its own ability" if of_itself else event.get("by")
    return f"{would}, but {by} {verb} that" + (f": {text}" if text else "")


WOULD = {
    "milled": "{player} would mill {n} <card|cards>",
    "drew": "{player} would draw a card",
    "moved": "{what} would go {where}",
    "damage": "{n} damage would be dealt to {to}",
    "token created": "{player} would create {n} <token|tokens>",
    "counters": "{what} would enter with {n} {kind} <counter|counters>",
    "counters put": "{what} would get {n} {kind} <counter|counters>",
    "life gained": "{player} would gain {n} life",
    "destroyed": "{what} would be destroyed",
    "untapped": "{what} would untap",
}


def _unattached(teller: Teller, event: Event) -> str:
    why = "enters unattached" if event.rule == "301.5e" else "does not move"
    return f"{teller.what(event)} {why}: it cannot be attached to {teller.name(event.to)}"


SPECIAL: dict[str, Callable[[Teller, Event], str]] = {
    "cast": _cast, "ability activated": _activated, "did not resolve": _unresolved, "milled": _milled, "drew": _drew,
    "exiled": _exiled, "returned": _returned, "revealed": _revealed, "lost": _lost, "gift given": _gift,
    "effect begins": _effect, "damage": _damaged, "targeted": _targeted,
    "checked": _checked, "token created": _tokens,
    "counters put": _counters, "counters": _counters, "step begins": _step, "step": _step, "moved": _moved,
    "replaced": _replaced, "not attached": _unattached,
}  # fmt: skip
KINDS_TOLD = TEMPLATES.keys() | SPECIAL.keys()


def cards(n: int) -> str:
    """Return a number of cards in words."""
    return "1 card" if n == 1 else f"{n} cards"


def spoken_to(text: str) -> str:
    """Return words of an effect with the verb that "you" wants: you mill, you have; terms are said of others."""
    odd = {"has": "have", "is": "are", "does": "do", "goes": "go"}

    def verb(found: re.Match[str]) -> str:
        word = found[1]
        plain = re.sub(r"es$", "", word) if re.search(r"(ch|sh|ss|x)es$", word) else word.removesuffix("s")
        return f"you {odd.get(word, plain)}"

    return re.sub(r"\byou (\w+s)\b", verb, text)


def article(name: str) -> str:
    """Return the indefinite article for a name."""
    return "an" if name[:1].lower() in "aeiou" or name[:1] == "8" else "a"


def listed(names: Iterable[str]) -> str:
    """Return names with commas, equal neighbours counted: ``Island, Filler ×7, Forest``."""
    parts = []
    for name, some in groupby(names):
        n = len(list(some))
        parts.append(name if n == 1 else f"{name} ×{n}")
    return ", ".join(parts)
