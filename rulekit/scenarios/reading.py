"""Reading a scenario strictly: whatever may not stand in it is told with its line and with what may stand there."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from rulekit.cards.card import Card
from rulekit.cards.pool import CardPool
from rulekit.engine import position
from rulekit.engine.text import read_card
from rulekit.rules import BadData, RulekitError, Unknown, did_you_mean, nearest
from rulekit.scenarios import form
from rulekit.scenarios.form import Check, Given, Step
from rulekit.scenarios.instruct import creates, gains
from rulekit.scenarios.nodes import Node
from rulekit.scenarios.values import Values

REFUSABLE = (
    "cast", "activate", "play", "suspend", "companion", "attack", "block",
    "choose", "pass", "resolve", "resolve all", "go to",
)  # fmt: skip
_INSTEAD = "A card of its own is written down under given: cards; a name with a comma in a list stands in quotes."
_QUOTED = "A name with a comma in a list stands in quotes."
_ENTRY_KINDS = {str: "text", int: "count", bool: "truth", dict: "counters"}


class Reader(Values):
    """One reading of one file."""

    # ---------------------------------------------------------------- the whole

    def top(self, root: Node) -> dict[str, Any]:
        """Read the whole file.

        Returns:
            The fields of a Scenario, as far as they can be read.
        """
        parts = self.mapping(root, "the scenario", form.TOP, form.NEEDED)
        found: dict[str, Any] = {
            name: self.text(parts[name], name) for name in ("title", "question", "answer", "disputed") if name in parts
        }
        if "rules" in parts:
            found["rules"] = self.listed("rule", parts["rules"], "rules")
        if "tags" in parts:
            found["tags"] = self.listed("text", parts["tags"], "tags")
        found["given"] = self.given(parts.get("given"))
        if "do" in parts:
            found["do"] = self.steps(parts["do"])
        if "expect" in parts:
            found["expect"] = self.checks(parts["expect"], "expect")
        return found

    def given(self, node: Node | None) -> Given:
        """Read the position; afterwards the names of the scenario are known."""
        if node is None or node.kind == "nothing":
            return Given()
        names = {name: value for name, _, value in node.pairs()}
        players = self._players(names.get("players"))
        self.known.players = players
        parts = self.mapping(node, "given", ("players", "turn", "cards", *players))
        cards = self._cards(parts["cards"]) if "cards" in parts else {}
        self.known.cards = CardPool(cards.values()) | CardPool.catalogue() if cards else CardPool.catalogue()
        turn = self.mapping(parts["turn"], "given: turn", ("active", "step")) if "turn" in parts else {}
        active = self.player(turn["active"], "given: turn: active") if "active" in turn else players[0]
        step = "precombat main"
        if "step" in turn:
            step = self.word(turn["step"], "given: turn: step", "step with priority", position.GIVEN_STEPS)
        zones = {name: self._of_player(parts[name], name) for name in players if name in parts}
        for label, line in self.known.hosts:
            if label not in self.known.on_battlefield and label not in players:
                may = (*self.known.on_battlefield, *players)
                self.unnamed(Node("text", label, line), "given: attached to", "permanent or player", label, may)
        return Given(players, active, step, zones, self.known.cards)

    def _players(self, node: Node | None) -> tuple[str, ...]:
        if node is None:
            return Given.players
        names = self.listed("text", node, "given: players")
        if not 2 <= len(names) <= position.MOST_PLAYERS or len(set(names)) < len(names):
            self.wrong(node, "given: players", f"a game has 2 to {position.MOST_PLAYERS} players with different names.")
        for name in names:
            if name in ("players", "turn", "cards", "stack", form.NOTHING):
                self.wrong(node, "given: players", f"no player can be called {name!r}.")
        return names if len(names) > 1 else Given.players

    def _cards(self, node: Node) -> dict[str, Card]:
        """Read the cards that only this scenario has."""
        cards = {}
        if node.kind != "mapping":
            self.stands(node, "given: cards", "a mapping of names and entries as in the catalogue")
        for name, at, value in node.pairs():
            try:
                cards[name] = Card.from_catalogue(name, value.plain(), f"{self.source.file}:{at.line}")
            except BadData as error:
                self.source.wrong(
                    error.line or at.line, error.message, f"given: cards: {error.key or name}", error.instead
                )
                self.known.add(name, "nowhere")
            else:
                self._doubt_the_text(cards[name], at.line)
        return cards

    def _doubt_the_text(self, card: Card, line: int) -> None:
        """Tell which words of a card's text are not understood, and what could be meant by the first of them."""
        for sentence in read_card(card).sentences:
            if not sentence.understood:
                told = f"not understood from {sentence.unread!r} on, so nothing will be done for it: {sentence.text}"
                self.doubts.append((line, f"given: cards: {card.name}", told + did_you_mean(sentence.near), ""))

    def _of_player(self, node: Node, player: str) -> dict[str, Any]:
        """Read what one player has."""
        key = f"given: {player}"
        found: dict[str, Any] = {}
        for name, value in self.mapping(node, key, position.PLAYER).items():
            where = f"{key}: {name}"
            if name == "life":
                found[name] = self.number(value, where)
            elif name == "counters":
                found[name] = self.counters(value, where)
            elif name == "mana":
                any_or_lands = value.value in ("any", "lands")
                found[name] = str(value.value) if any_or_lands else self._amount(value, where)
            else:
                if value.kind != "list":
                    self.stands(value, where, "a list of cards")
                found[name] = [entry for item in value.items() if (entry := self._entry(item, name, where)) is not None]
        return found

    def _amount(self, node: Node, key: str) -> str:
        if node.kind == "text" and node.value.startswith("{"):
            return str(self.mana(node, key))
        if node.kind == "number" and node.value == 0:
            return "{0}"
        self.stands(node, key, "any, lands or an amount such as {2}{U}")
        return "any"

    def _entry(self, node: Node, zone: str, key: str) -> Any:
        """Read one entry of a zone, and get to know its card and its label."""
        if node.kind == "mapping":
            parts = self.mapping(node, key, position.keys_in(zone), ("card",))
            said = {name: self.read(_ENTRY_KINDS[position.ENTRY[name]], value, key) for name, value in parts.items()}
            if "owner" in parts:
                self.player(parts["owner"], key)
            if "attached to" in parts:
                self.known.hosts.append((said["attached to"], parts["attached to"].line))
            name_node = parts.get("card", node)
        else:
            name, count = position.entry_count(self.text(node, key), self.known.cards)
            said, name_node = {"card": name, "count": count}, node
        if zone == "battlefield" and self._is_token(said.get("card", "")):
            said = {**said, "token": True}
        label = said.get("as", "")
        if label and (label in self.known.players or label == form.NOTHING):
            self.wrong(node, key, f"{label!r} cannot be a label, for it means something else.")
        card = self._card(name_node, key, said.get("card", ""), said.get("token") is True)
        self.known.add(label or said.get("card", ""), zone, card)
        if card is None:
            return None
        try:
            position.Entry.of(said, zone, self.known.cards)
        except RulekitError as error:
            self.wrong(node, key, getattr(error, "message", str(error)), getattr(error, "instead", ()))
        return said

    def _is_token(self, name: str) -> bool:
        """Return whether a name is no card's and that of a token, which only the battlefield can hold."""
        with suppress(Unknown):
            return bool(name) and self.known.cards.name_of(name) is None and position.token_called(name) is not None
        return False

    def _card(self, node: Node, key: str, name: str, token: bool) -> Card | None:
        """Return the card of a name that is written as it is printed, or a token of that name."""
        if not name:
            return None
        if token and name not in self.known.cards:
            try:
                return position.token_called(name)
            except Unknown as error:
                self.wrong(node, key, str(error))
                return None
        full = self.known.cards.name_of(name)
        card = self.known.cards.find(full) if full is not None else None
        if card is None or name not in (card.full_name, card.name, *(face.name for face in card.faces)):
            near = (card.name,) if card is not None else nearest(name, self.known.cards)
            did = did_you_mean(near)
            instead = _INSTEAD if not near else _QUOTED if any("," in each for each in near) else ()
            self.wrong(node, key, f"no card is called {name!r}.{did}", instead)
            for each in near:
                self.known.add(each, "nowhere", self.known.cards.find(each))
            return None
        return card

    # ---------------------------------------------------------------- steps

    def steps(self, node: Node) -> tuple[Step, ...]:
        """Read what is done."""
        if node.kind == "nothing":
            return ()
        if node.kind != "list":
            self.stands(node, "do", "a list of steps")
        return tuple(self.step(item) for item in node.items())

    def step(self, node: Node) -> Step:
        """Read one step."""
        every = (*form.PLAIN_STEPS, *form.STEPS)
        if node.kind != "mapping":
            text = self.word(node, "do", "step", form.PLAIN_STEPS if node.value not in form.STEPS else every)
            if text in form.STEPS:
                self.wrong(node, "do", f"something must stand behind {text!r}.")
            return Step(text, line=node.line)
        kinds = [name for name, _, _ in node.pairs() if name in form.STEPS]
        if len(kinds) != 1:
            self._no_step(node, kinds, every)
            return Step("", line=node.line)
        kind = kinds[0]
        wanted, may = form.STEPS[kind]
        parts = self.mapping(node, kind, (kind, *may))
        if wanted == "step":
            value: Any = self._refusable(parts[kind])
        else:
            value = self.read(wanted, parts[kind], kind)
        beside = {name: self.read(may[name], each, f"{kind}: {name}") for name, each in parts.items() if name != kind}
        if beside.get("gift") == "":  # promised to nobody, as though nothing were said
            del beside["gift"]
        return Step(kind, value, beside, node.line)

    def _refusable(self, node: Node) -> Step:
        """Read the step inside of illegal."""
        step = self.step(node)
        if step.kind in ("illegal", "expect", "instruct", "at random"):
            self.wrong(node, "illegal", f"{step.kind!r} is nothing that a rule could refuse.", REFUSABLE)
        return step

    def _no_step(self, node: Node, kinds: list[str], every: tuple[str, ...]) -> None:
        """Tell what is wrong with a mapping that is not one step."""
        if kinds:
            self.wrong(node, "do", f"{' and '.join(kinds)} are steps of their own.", "Begin each step with a dash.")
            return
        beside = {name for _, may in form.STEPS.values() for name in may}
        odd = [(name, at) for name, at, _ in node.pairs() if name not in beside]
        for name, at in odd:
            self.unlisted(at, "do", "step", name, every)
        if not odd:
            self.wrong(node, "do", "no step stands here, only what stands beside one.", every)

    def instruction(self, node: Node, key: str) -> dict[str, Any]:
        """Read one instruction."""
        if node.kind != "mapping":
            self.stands(node, key, "a mapping such as {mill: 3, player: Bob}")
            return {}
        kinds = [name for name, _, _ in node.pairs() if name in form.INSTRUCTIONS]
        if len(kinds) != 1:
            odd = next((name for name, _, _ in node.pairs() if name not in form.INSTRUCTIONS), "")
            self.unlisted(node, key, "instruction", odd or " and ".join(kinds), form.INSTRUCTIONS)
            return {}
        wanted, beside = form.INSTRUCTIONS[kinds[0]]
        may = {kinds[0]: wanted, **beside}
        parts = self.mapping(node, key, may, [name for name in may if name not in form.OPTIONAL])
        said = {name: self.read(may[name], value, f"{key}: {name}") for name, value in parts.items()}
        for name, understand in (("create", creates), ("ability", gains)):
            if said.get(name):
                self.known.say(said[name])
                try:
                    understand(said[name])
                except RulekitError as error:
                    self.wrong(parts[name], f"{key}: {name}", getattr(error, "message", str(error)))
        return {name: said[name] for name in may if name in said}

    # ---------------------------------------------------------------- expectations

    def checks(self, node: Node, key: str) -> tuple[Check, ...]:
        """Read what is expected."""
        if node.kind != "mapping":
            self.stands(node, key, "a mapping such as {Bob.library: 10}")
        if not node.value:
            self.wrong(node, key, "nothing is expected.")
        return tuple(check for _, at, value in node.pairs() if (check := self.check(at, value, key)) is not None)

    def check(self, at: Node, value: Node, key: str) -> Check | None:
        """Read one expectation."""
        name = str(at.value)
        of, dot, what = name.rpartition(".")
        if not dot:
            if name not in form.OF_GAME:
                likely = {f"{player}.{what}": 0 for player in self.known.players for what in form.OF_PLAYER}
                self.unlisted(at, key, "thing to expect", name, (*form.OF_GAME, "turn.step", *likely))
                return None
            return Check("", name, self.read(form.OF_GAME[name], value, name), at.line)
        if of == "turn" and of not in self.known:
            table = form.OF_TURN
        elif of in self.known.players:
            table = form.OF_PLAYER
        elif of in self.known:
            table = form.OF_OBJECT
        else:
            self.unnamed(at, key, "player, card or permanent", of, (*self.known.players, *self.known.labels))
            return None
        if what not in table:
            self.unlisted(at, name, f"thing to expect of {of}", what, tuple(table))
            return None
        return Check(of, what, self.read(table[what], value, name), at.line)
