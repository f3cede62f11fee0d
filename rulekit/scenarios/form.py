"""What a scenario may say: its steps, what may be expected, and the words for each; version 1 of the format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rulekit.cards.pool import CardPool
from rulekit.scenarios.nodes import flow

TOP = ("title", "rules", "tags", "question", "answer", "given", "do", "expect", "disputed")
NEEDED = ("title", "rules", "expect")
NOTHING = "nothing"
PLAIN_STEPS = ("pass", "resolve", "resolve all")

COSTS = ("sacrifice", "discard", "exile", "tap", "return")
"""Choices of objects that pay for a spell or ability; the key is the verb of the cost."""

CHOICES = {
    "gift": "promise", "targets": "targets", "modes": "words", "x": "count", "divide": "numbers", "paying": "ways",
    "mana": "spent",
    **dict.fromkeys(COSTS, "objects"), "by": "player",
}  # fmt: skip
STEPS: dict[str, tuple[str, dict[str, str]]] = {
    "cast": ("object", {"from": "zone", **CHOICES}),
    "activate": ("object", {"ability": "ability", "from": "zone", **CHOICES}),
    "play": ("object", {"from": "zone", "by": "player"}),
    "suspend": ("object", {"x": "count", "mana": "spent", **dict.fromkeys(COSTS, "objects"), "by": "player"}),
    "companion": ("object", {"mana": "spent", "by": "player"}),
    "attack": ("attacks", {"by": "player"}),
    "block": ("blocks", {"by": "player"}),
    "go to": ("place", {}),
    "at random": ("objects", {}),
    "choose": ("answer", {"by": "player"}),
    "instruct": ("instruction", {}),
    "illegal": ("step", {"because": "rule"}),
    "expect": ("checks", {}),
}
"""For each step what stands behind it, and what may stand beside it."""

INSTRUCTIONS: dict[str, tuple[str, dict[str, str]]] = {
    "mill": ("count", {"player": "player"}),
    "draw": ("count", {"player": "player"}),
    "surveil": ("count", {"player": "player"}),
    "scry": ("count", {"player": "player"}),
    "destroy": ("object", {}),
    "exile": ("object", {}),
    "return to hand": ("object", {}),
    "sacrifice": ("object", {}),
    "phase out": ("object", {}),
    "gain control": ("object", {"player": "player"}),
    "create": ("text", {"player": "player"}),
    "counter spell": ("target", {}),
    "set types": ("object", {"types": "types"}),
    "set colors": ("object", {"colors": "colors"}),
    "add ability": ("object", {"ability": "text"}),
    "attach": ("object", {"to": "target"}),
    "deal damage": ("count", {"to": "target", "combat": "truth", "from": "object"}),
    "shuffle": ("player", {}),
    "leave game": ("player", {}),
}
"""For each instruction what stands behind it, and what stands beside it; what is not `OPTIONAL` must."""

OPTIONAL = ("combat", "from")
OF_PLAYER = {
    "life": "number", "poison": "count", "lost": "truth", "won": "truth", "library": "pile", "hand": "pile",
    "graveyard": "pile", "exile": "pile", "battlefield": "pile", "mana": "mana", "counters": "counters",
}  # fmt: skip
OF_OBJECT = {
    "zone": "where", "power": "number", "toughness": "number", "mana value": "number", "tapped": "truth",
    "controller": "player", "owner": "player", "types": "types", "colors": "colors", "subtypes": "types",
    "attached to": "host", "keywords": "keywords", "counters": "counters", "phased out": "truth",
}  # fmt: skip
OF_TURN = {"active": "player", "step": "step_name", "number": "count"}
OF_GAME = {
    "stack": "stack", "next turn": "player", "priority": "player", "decision": "decision", "legal": "legal",
    "events": "events",
}  # fmt: skip
EVENT_DETAILS = {"player": "player", "to": "target", "from": "object", "amount": "number", "combat": "truth"}
WHERE = ("library", "hand", "graveyard", "exile", "battlefield", "stack", "outside", "nowhere")
FROM = ("library", "hand", "graveyard", "exile", "battlefield", "stack")
COLORS = ("white", "blue", "black", "red", "green")
TYPES = (
    "Artifact", "Battle", "Creature", "Enchantment", "Instant", "Kindred", "Land", "Planeswalker", "Sorcery", "Tribal",
)  # fmt: skip
ASKED = (
    "choose target", "choose card", "choose player", "choose number", "choose mode", "may", "order triggers",
    "order replacement effects", "choose opponent", "pay cost", "discard", "choose color", "choose name", "divide",
    "attack", "block", "priority",
)  # fmt: skip


@dataclass(frozen=True)
class Check:
    """One thing that is expected.

    Attributes:
        of: The player or the label whose it is; "" for what belongs to the game, "turn" for the turn.
        what: The key: "library", "power", "stack" ...
        value: What is expected, as plain values.
        line: The line in which it stands.
    """

    of: str
    what: str
    value: Any
    line: int = 0

    @property
    def key(self) -> str:
        """The key as it stands in the file."""
        return f"{self.of}.{self.what}" if self.of else self.what

    def __str__(self) -> str:
        return f"{self.key}: {flow(self.value)}"


@dataclass(frozen=True)
class Step:
    """One step of `do`.

    Attributes:
        kind: One of `STEPS` or `PLAIN_STEPS`.
        value: What stands behind it, as plain values; for "illegal" a Step, for "expect" a tuple of Checks.
        beside: What stands beside it.
        line: The line in which it stands.
    """

    kind: str
    value: Any = None
    beside: Mapping[str, Any] = field(default_factory=dict)
    line: int = 0

    def __str__(self) -> str:
        if self.kind in PLAIN_STEPS:
            return self.kind
        value = f"{{{self.value}}}" if isinstance(self.value, Step) else flow(self.value)
        return ", ".join([f"{self.kind}: {value}", *(f"{key}: {flow(each)}" for key, each in self.beside.items())])


@dataclass(frozen=True)
class Given:
    """The position before the first step, checked, as `rulekit.engine.position` takes it."""

    players: tuple[str, ...] = ("Alice", "Bob")
    active: str = "Alice"
    step: str = "precombat main"
    zones: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    cards: CardPool = field(default_factory=CardPool.catalogue)
