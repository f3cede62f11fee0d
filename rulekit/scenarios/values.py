"""The values that stand in a scenario, each read as what must stand there or told as a mistake."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from rulekit import rules
from rulekit.engine import position
from rulekit.engine.events import KINDS
from rulekit.rules import BadData, Unknown, did_you_mean, nearest
from rulekit.scenarios import form
from rulekit.scenarios.known import Known
from rulekit.scenarios.nodes import Node, Source, flow

MOST_AMOUNT = 1_000_000
_RULE = re.compile(r"[1-9][0-9]{2}(\.[0-9]{1,3}[a-z]?)?")
_STACK = (" trigger", " ability")
_LISTS = {
    "numbers": "count", "targets": "target", "answers": "answer", "colors": "color", "types": "text",
    "stack": "stacked", "events": "event",
}  # fmt: skip
_ALONE = ("targets", "colors", "types")  # one may stand there without a list
_WORDS = {
    "zone": ("zone", form.FROM),
    "where": ("zone", form.WHERE),
    "step_name": ("step", (*position.GIVEN_STEPS, "untap", "cleanup")),
    "asked": ("kind of decision", form.ASKED),
    "color": ("color", form.COLORS),
}


class Values:
    """Reads values, one method for each kind of value that `form` names; a subclass may add more.

    Attributes:
        source: The text and the mistakes found in it.
        known: The names that mean something in this scenario.
        doubts: What is odd and no mistake: numbers that the index of rules lacks, texts of cards that are not
            understood; each with its line, its key and what can be done.
    """

    def __init__(self, source: Source) -> None:
        """Begin to read; nothing is known yet."""
        self.source = source
        self.known = Known()
        self.doubts: list[tuple[int, str, str, str]] = []

    # ---------------------------------------------------------------- telling mistakes

    def wrong(self, node: Node, key: str, message: str, instead: Iterable[str] = ()) -> None:
        """Remember a mistake."""
        self.source.wrong(node.line, message, key, instead)

    def stands(self, node: Node, key: str, wanted: str) -> None:
        """Remember that something of the wrong kind stands somewhere."""
        what = node.told if node.kind in ("list", "mapping", "nothing") else f"{node.told}, {flow(node.value)},"
        self.wrong(node, key, f"{what} stands where {wanted} must stand.")

    def unlisted(self, node: Node, key: str, what: str, name: str, may: Collection[str]) -> None:
        """Remember that a word is none of those that may stand there."""
        near = nearest(name, may)
        message = f"{name!r} is no {what}." + did_you_mean(near)
        self.wrong(node, key, message, may)

    def unnamed(self, node: Node, key: str, what: str, name: str, may: Iterable[str], also: Iterable[str] = ()) -> None:
        """Remember that nothing is called so; names that may stand there too, but are too many to tell, come last."""
        names = tuple(may)
        near = nearest(name, (*names, *also))
        message = f"no {what} is called {name!r}." + did_you_mean(near)
        self.wrong(node, key, message, names)

    # ---------------------------------------------------------------- parts of any value

    def mapping(self, node: Node, key: str, may: Collection[str], needed: Iterable[str] = ()) -> dict[str, Node]:
        """Return the values of a mapping by key; other keys are told, and so are those that are missing."""
        if node.kind != "mapping":
            self.stands(node, key, "a mapping")
            return {}
        written = {name for name, _, _ in node.pairs()}
        found = {}
        for name, at, value in node.pairs():
            if name in may:
                found[name] = value
                continue
            self.unlisted(at, key, "key that may stand here", name, may)
            meant = next((each for each in nearest(name, may) if each not in written), None)
            if meant is not None:  # so that what stands behind a misspelled key is read too
                found.setdefault(meant, value)
        for name in needed:
            if name not in found:
                self.wrong(node, key, f"{name!r} is missing.")
        return found

    def read(self, kind: str, node: Node, key: str) -> Any:
        """Return what stands somewhere as a plain value, and tell what is wrong with it.

        Args:
            kind: What must stand there: one of the kinds that `form` names.
            node: What stands there.
            key: Where it is, for messages.
        """
        if kind == "colors" and node.value == "colorless":
            return ()
        if kind in _ALONE and node.kind == "text":
            return (self.read(_LISTS[kind], node, key),)
        if kind in _LISTS:
            return self.listed(_LISTS[kind], node, key)
        if kind in _WORDS:
            return self.word(node, key, *_WORDS[kind])
        return getattr(self, kind)(node, key)

    def listed(self, kind: str, node: Node, key: str) -> tuple[Any, ...]:
        """Return what stands in a list, each of one kind."""
        if node.kind != "list":
            self.stands(node, key, "a list")
        return tuple(self.read(kind, item, key) for item in node.items())

    def text(self, node: Node, key: str) -> str:
        """Read a text; a number is one too."""
        if node.kind == "text" and node.value:
            return str(node.value)
        if node.kind == "number":
            return str(node.value)
        self.stands(node, key, "a text")
        return ""

    def number(self, node: Node, key: str, least: int = -MOST_AMOUNT) -> int:
        """Read a whole number."""
        if node.kind != "number":
            self.stands(node, key, "a number")
            return 0
        if not least <= node.value <= MOST_AMOUNT:
            self.wrong(node, key, f"{node.value:,} stands where a number from {least:,} to {MOST_AMOUNT:,} must stand.")
        return int(node.value)

    def count(self, node: Node, key: str) -> int:
        """Read a whole number of at least 0."""
        return self.number(node, key, 0)

    def truth(self, node: Node, key: str) -> bool:
        """Read yes or no."""
        if node.kind != "yes or no":
            self.stands(node, key, "true or false")
        return node.value is True

    def word(self, node: Node, key: str, what: str, may: Collection[str]) -> str:
        """Read one of some words."""
        text = self.text(node, key)
        if text and text not in may:
            self.unlisted(node, key, what, text, may)
        return text

    def player(self, node: Node, key: str) -> str:
        """Read the name of a player."""
        text = self.text(node, key)
        if text and text not in self.known.players:
            self.unnamed(node, key, "player", text, self.known.players)
        return text

    def object(self, node: Node, key: str) -> str:
        """Read a label, or the name of a card or token."""
        text = self.text(node, key)
        if text and text not in self.known:
            self.unnamed(node, key, "card or permanent", text, self.known.labels)
        return text

    def objects(self, node: Node, key: str) -> tuple[str, ...]:
        """Read one label or a list of them."""
        return self.listed("object", node, key) if node.kind == "list" else (self.object(node, key),)

    def target(self, node: Node, key: str) -> str:
        """Read what can be a target: an object, an ability on the stack, a player."""
        text = self.text(node, key)
        name = next((text.removesuffix(end) for end in _STACK if text.endswith(end)), text)
        if text and text not in self.known.players and text not in self.known and name not in self.known:
            self.unnamed(node, key, "card, permanent or player", text, (*self.known.labels, *self.known.players))
        return text

    def rule(self, node: Node, key: str) -> str:
        """Read the number of a rule; whether the index lacks it is told elsewhere."""
        text = self.text(node, key)
        if text and not _RULE.fullmatch(text):
            self.wrong(node, key, f"{text!r} is no number of a rule.", 'Write for example "701.17b".')
        elif text:
            try:
                rules.find(text)
            except Unknown as lacking:
                told = f"the index of rules has no {text}.{did_you_mean(lacking.near)}"
                self.doubts.append((node.line, key, told, 'Look for it with "rulekit rule WORDS".'))
        return text

    def words(self, node: Node, key: str) -> tuple[str | int, ...]:
        """Read a list of words and numbers, or one of them alone."""
        items = node.items() if node.kind == "list" else (node,)
        return tuple(self.ability(item, key) for item in items)

    def ways(self, node: Node, key: str) -> str | tuple[str, ...]:
        """Read how something is paid for: words of one way, or a list where several things are said of it."""
        return self.listed("text", node, key) if node.kind == "list" else self.text(node, key)

    def ability(self, node: Node, key: str) -> str | int:
        """Read words of a text, or a number counted from 1."""
        return self.number(node, key, 1) if node.kind == "number" else self.text(node, key)

    def answer(self, node: Node, key: str) -> Any:
        """Read an answer to a decision: a text, a number, yes or no, or a list of these."""
        if node.kind == "list":
            if not node.items():
                self.stands(node, key, "an answer, such as no or done,")
            return tuple(self.answer(item, key) for item in node.items())
        if node.kind == "yes or no":
            return "yes" if node.value else "no"
        return self.number(node, key) if node.kind == "number" else self.text(node, key)

    # ---------------------------------------------------------------- piles, amounts, names

    def name(self, node: Node, key: str) -> str:
        """Read a name that a zone may be said to have or to lack: of this scenario or of the catalogue."""
        text = self.text(node, key)
        if text and not self.known.could_be(text):
            self.unnamed(node, key, "card or token", text, self.known.labels, self.known.cards)
        return text

    def names(self, node: Node, key: str) -> tuple[str, ...]:
        """Read the names of several things; "3 Island" stands for three of that name."""
        if node.kind != "list":
            self.stands(node, key, "a list")
        return self._named(node.items(), key)

    def _named(self, items: Iterable[Node], key: str) -> tuple[str, ...]:
        found: list[str] = []
        for item in items:
            name, count = position.entry_count(str(item.value), self.known.cards)
            several = count > 1 and self.known.could_be(name)
            found += [name] * count if several else [self.name(item, key)]
        return tuple(found)

    def pile(self, node: Node, key: str) -> Any:
        """Read what a zone holds: a number, a list of names, {has}, {lacks}, or {count, of}."""
        if node.kind == "number":
            return self.number(node, key, 0)
        if node.kind == "list":
            return self.read("names", node, key)
        if node.kind != "mapping":
            self.stands(node, key, "a number, a list of names, {has: [..]}, {lacks: [..]} or {count: N, of: NAME}")
            return 0
        if any(name in ("count", "of") for name, _, _ in node.pairs()):
            found = self.mapping(node, key, ("count", "of"), ("count", "of"))
            kinds = {"count": "count", "of": "name"}
        else:
            found = self.mapping(node, key, ("has", "lacks"))
            return {name: self._named(_each(value), key) for name, value in found.items()}
        return {name: self.read(kinds[name], value, key) for name, value in found.items()}

    def mana(self, node: Node, key: str) -> int | str:
        """Read an amount of mana: a number, or symbols such as {2}{U}."""
        if node.kind == "number":
            return self.number(node, key, 0)
        text = self.text(node, key)
        try:
            if text:
                position.mana_in(text)
        except BadData as error:
            self.wrong(node, key, error.message, error.instead)
        return text

    def spent(self, node: Node, key: str) -> str | tuple[str, ...]:
        """Read how mana is paid: symbols such as {R}{G}, or a list of symbols and of what makes the mana."""
        if node.kind == "list":
            return tuple(
                str(self.mana(item, key)) if str(item.value).startswith("{") else self.mana_source(item, key)
                for item in node.items()
            )
        return str(self.mana(node, key))

    def mana_source(self, node: Node, key: str) -> str:
        """Read what makes mana: a label, and the mana behind a colon if it can make several kinds."""
        text = self.text(node, key)
        if text and text not in self.known and text.partition(": {")[0] not in self.known:
            self.unnamed(node, key, "permanent", text, self.known.labels)
        return text

    def promise(self, node: Node, key: str) -> str:
        """Read to whom a gift is promised: a player, or no, "" for nobody."""
        return "" if node.value in (False, "no", form.NOTHING) else self.player(node, key)

    def counters(self, node: Node, key: str) -> dict[str, int]:
        """Read counters by kind."""
        if node.value == form.NOTHING:
            return {}
        if node.kind != "mapping":
            self.stands(node, key, "a mapping such as {+1/+1: 2}")
        return {name: self.number(value, key, 0) for name, _, value in node.pairs()}

    def keywords(self, node: Node, key: str) -> dict[str, tuple[str, ...]]:
        """Read keywords that something has or lacks."""
        found = self.mapping(node, key, ("has", "lacks"))
        return {name: tuple(self.text(item, key) for item in _each(value)) for name, value in found.items()}

    def place(self, node: Node, key: str) -> str:
        """Read how far to go: a step, a player and a step, "next turn", a player, "next" and a step."""
        text = self.text(node, key)
        if not text or text == "next turn":
            return text
        step = next((s for s in position.GIVEN_STEPS if text == s or text.endswith(f" {s}")), None)
        if step is None:
            near = nearest(text, position.GIVEN_STEPS)
            did = did_you_mean(near)
            self.wrong(node, key, f"{text!r} names no step.{did}", (*position.GIVEN_STEPS, "next turn"))
            return text
        who = text.removesuffix(step).strip()
        name = who.removesuffix("next").strip() if who == "next" or who.endswith(" next") else who
        if name and name not in self.known.players:
            self.unnamed(node, key, "player", name, self.known.players)
        return text

    # ---------------------------------------------------------------- pairs, decisions, actions, events

    def attacks(self, node: Node, key: str) -> dict[str, str]:
        """Read who attacks whom: labels to players and planeswalkers."""
        return self._pairing(node, key, "target")

    def blocks(self, node: Node, key: str) -> dict[str, str]:
        """Read who blocks whom: labels to labels."""
        return self._pairing(node, key, "object")

    def _pairing(self, node: Node, key: str, kind: str) -> dict[str, str]:
        if node.kind != "mapping":
            self.stands(node, key, "a mapping of creatures")
        return {self.object(at, key): self.read(kind, value, key) for _, at, value in node.pairs()}

    def host(self, node: Node, key: str) -> str:
        """Read what something is attached to: a label, a player, or nothing."""
        return form.NOTHING if node.value == form.NOTHING else self.target(node, key)

    def stacked(self, node: Node, key: str) -> str:
        """Read the name of an object on the stack."""
        text = self.text(node, key)
        name = next((text.removesuffix(end) for end in _STACK if text.endswith(end)), text)
        if text and text != "rad counters trigger" and not (self.known.could_be(name) or self.known.could_be(text)):
            may = [f"{label}{end}" for label in self.known.labels for end in ("", *_STACK)]
            self.unnamed(node, key, "spell or ability", text, may)
        return text

    def decision(self, node: Node, key: str) -> Any:
        """Read a decision: nothing, or some of player, kind and options."""
        if node.value == form.NOTHING:
            return form.NOTHING
        if node.kind != "mapping":
            self.stands(node, key, "nothing, or {player: P, kind: K, options: [..]}")
        parts = self.mapping(node, key, ("player", "kind", "options")) if node.kind == "mapping" else {}
        kinds = {"player": "player", "kind": "asked", "options": "answers"}
        return {name: self.read(kinds[name], value, f"{key}: {name}") for name, value in parts.items()}

    def legal(self, node: Node, key: str) -> dict[str, dict[str, tuple[str, ...]]]:
        """Read what players could do now."""
        found = {}
        for player, value in self.mapping(node, key, self.known.players).items():
            parts = self.mapping(value, key, ("has", "lacks"))
            found[player] = {name: tuple(self.action(one, key) for one in _each(each)) for name, each in parts.items()}
        return found

    def action(self, node: Node, key: str) -> str:
        """Read what a player could do: cast NAME, activate LABEL equip, play NAME, suspend NAME, companion NAME."""
        text = self.text(node, key)
        verb, _, what = text.partition(" ")
        if text and (verb not in ("cast", "activate", "play", "suspend", "companion") or not what):
            instead = ("cast NAME", "activate LABEL equip", "play NAME", "suspend NAME", "companion NAME")
            self.wrong(node, key, f"{text!r} is nothing to do.", instead)
        elif text and not any(what == name or what.startswith(f"{name} ") for name in self.known.labels):
            self.unnamed(node, key, "card or permanent", what, self.known.labels)
        return text

    def event(self, node: Node, key: str) -> str | dict[str, Any]:
        """Read one kind of event, or a mapping of it and its details."""
        if node.kind != "mapping":
            return self.word(node, key, "kind of event", KINDS)
        kinds = [name for name, _, _ in node.pairs() if name in KINDS]
        if len(kinds) != 1:
            odd = next((name for name, _, _ in node.pairs() if name not in form.EVENT_DETAILS), "")
            self.unlisted(node, key, "kind of event", odd or " and ".join(kinds), KINDS)
            return {}
        parts = self.mapping(node, key, (kinds[0], *form.EVENT_DETAILS))
        detail = {name: self.read(form.EVENT_DETAILS[name], parts[name], key) for name in parts if name != kinds[0]}
        first = parts[kinds[0]]
        value = self.names(first, key) if first.kind == "list" else self.answer(first, key)
        return {kinds[0]: value, **detail}


def _each(node: Node) -> Iterable[Node]:
    """Return what stands in a list, or alone in the place of a list of one."""
    return node.items() if node.kind == "list" else (node,)
