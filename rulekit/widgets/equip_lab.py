"""The equip lab: an Equipment and creatures; which may be its target, on which it may stay, and why; then a change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import ipywidgets

from rulekit.cards.pool import CardPool
from rulekit.engine import telling
from rulekit.engine.abilities import Ability
from rulekit.engine.actions import Action
from rulekit.engine.attaching import attach_refusal, forbidden
from rulekit.engine.events import Decision
from rulekit.engine.game import Game
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.targets import TARGETS
from rulekit.rules import Illegal
from rulekit.scenarios.instruct import terms_of
from rulekit.widgets import view
from rulekit.widgets.html import printable
from rulekit.widgets.lab import Findings, Grid, Lab, offer
from rulekit.widgets.lines import followed
from rulekit.widgets.panel import WIDE, choice

NOTHING, NOBODY = "nothing", "nobody"
LABEL = "the Equipment"
GONE = "no: {} is gone"
FORBIDDEN = "301.5b"  # a text of its own keeps an Equipment from being on something
LAST_COLUMNS = ("it may be on it", "it is on it")
EQUIPS = ("equip", "reconfigure")
BEARERS = ("Creature", "Planeswalker")
OTHERS = ("Millstone", "Forest")  # what is no creature
WHEN = {
    "Alice's main phase": ("Alice", "precombat main"),
    "Alice's beginning of combat": ("Alice", "beginning of combat"),
    "Alice's end step": ("Alice", "end"),
    "Bob's main phase": ("Bob", "precombat main"),
}
CHANGES: tuple[tuple[str, Mapping[str, Any] | None], ...] = (
    (NOTHING, None),
    ("it is an artifact and nothing else", {"set types": "it", "types": ["Artifact"]}),
    ("it is a creature and nothing else", {"set types": "it", "types": ["Creature"]}),
    ("it is an enchantment and nothing else", {"set types": "it", "types": ["Enchantment"]}),
    ("it phases out", {"phase out": "it"}),
    ("it gains shroud", {"add ability": "it", "ability": "shroud"}),
    ("it gains hexproof", {"add ability": "it", "ability": "hexproof"}),
    ("it gains protection from artifacts", {"add ability": "it", "ability": "protection from artifacts"}),
    ("it gains protection from everything", {"add ability": "it", "ability": "protection from everything"}),
    ("it is blue and no other color", {"set colors": "it", "colors": ["blue"]}),
    ("it is green and no other color", {"set colors": "it", "colors": ["green"]}),
    ("Bob gains control of it", {"gain control": "it", "player": "Bob"}),
    ("Alice gains control of it", {"gain control": "it", "player": "Alice"}),
    ("it is destroyed", {"destroy": "it"}),
    ("it is returned to its owner's hand", {"return to hand": "it"}),
)
HERS = ("Grizzly Bears", "White Knight", "Millstone")
THEIRS = ("Slippery Bogle", "Serra Angel")


@cache
def equipment() -> tuple[str, ...]:
    """Return the names of the Equipment of the catalogue (301.5)."""
    pool = CardPool.catalogue()
    return tuple(sorted(name for name in pool if "Equipment" in pool.find(name).types.subtypes))


@cache
def bearers() -> tuple[str, ...]:
    """Return the names of creatures and planeswalkers of the catalogue, and of something that is neither."""
    pool = CardPool.catalogue()
    fitting = (name for name in pool if set(BEARERS) & set(pool.find(name).types.types))
    first = (*HERS, *THEIRS)  # so that what is chosen at first is seen without scrolling
    rest = sorted(name for name in fitting if name not in (*equipment(), *first))
    return (*first, *rest, *(name for name in OTHERS if name not in first))


class EquipLab(Lab):
    """Which permanents an Equipment may target and be on (301.5, 702.6), and why; then something changes.

    The controls, which are also the arguments: `card`, the Equipment, which Alice controls; `hers` and `theirs`, the
    names of Alice's and of Bob's permanents; `when`; `on`, what it is attached to; `target`, what Alice equips;
    `changed` and `change`, what becomes of which permanent, in response if Alice equips.
    """

    def __init__(self, **values: Any) -> None:
        """Make the lab.

        Args:
            values: What stands in the controls.
        """
        controls = {
            "card": choice("Alice's Equipment", equipment(), "Sword of Body and Mind"),
            "hers": _several("Alice's permanents (hold Ctrl for several)", HERS),
            "theirs": _several("Bob's permanents (hold Ctrl for several)", THEIRS),
            "when": choice("When", tuple(WHEN)),
            "on": choice("It is on", (NOTHING,)),
            "target": choice("Alice equips", (NOBODY,)),
            "changed": choice("Then this changes", (LABEL,)),
            "change": choice("How", tuple(words for words, _ in CHANGES)),
        }
        super().__init__(controls, **values)

    def _prepare(self) -> None:
        names = self.labels()
        offer(self.controls["on"], "It is on", (NOTHING, *names))
        offer(self.controls["target"], "Alice equips", (NOBODY, *names))
        offer(self.controls["changed"], "Then this changes", (LABEL, *names))

    def labels(self) -> tuple[str, ...]:
        """Return what the permanents are called, Alice's first."""
        hers = self.value("hers")
        return (*hers, *(f"Bob's {name}" if name in hers else name for name in self.value("theirs")))

    # ---------------------------------------------------------------- what is played

    def position(self) -> Game:
        """Return the position before anything is done."""
        names, hers = self.labels(), self.value("hers")
        active, step = WHEN[self.value("when")]
        on = {"attached to": self.value("on")} if self.value("on") != NOTHING else {}
        mine = [{"card": name, "as": name} for name in hers]
        theirs = zip(self.value("theirs"), names[len(hers) :], strict=True)
        other = [{"card": name, "as": label} for name, label in theirs]
        sword = {"card": self.value("card"), **on}
        return Game.of(
            active=active, step=step, Alice={"battlefield": [*mine, sword], "hand": ["2 Forest"]},
            Bob={"battlefield": other},
        )  # fmt: skip

    def _equipped(self, game: Game) -> Game:
        """Let Alice equip with the first ability that allows the target.

        Raises:
            Illegal: No ability does; the refusal is that of the last one.
        """
        if self.value("target") == NOBODY:
            return game
        target = _number(game, self.value("target"))
        worn = self._worn(game)
        refusals = []
        for ability in worn.abilities():
            found = worn.tried(ability, target)
            if isinstance(found, Game):
                return found
            refusals.append(found)
        raise refusals[-1]

    def _worn(self, game: Game) -> _Worn:
        return _Worn(game, _number(game, self.value("card")))

    def _changed_by(self, game: Game) -> Game:
        said = dict(CHANGES)[self.value("change")]
        if said is None:
            return game
        it = self.value("card") if self.value("changed") == LABEL else self.value("changed")
        meant = {key: it if value == "it" else value for key, value in said.items()}
        words = f"{self.value('changed')}: {self.value('change')}"
        return game.instruct(*terms_of(game.state, meant), words=words)

    def _find(self) -> Findings:
        begun = self.position()
        about = ("702.6a", "301.5", "301.5c")
        before, reasons = self._table(begun, "Before anything changes")
        if self.value("target") == NOBODY and self.value("change") == NOTHING:
            return Findings(self._says(), (before, *_because(reasons)), (("", begun),), about=about)
        try:
            lines = followed(self._changed_by(self._equipped(begun)))
        except Illegal as refusal:
            grids = (before, *_because(reasons))
            return Findings(self._says(), grids, (("", begun),), (refusal,), about)
        after, more = self._table(lines.found[0].game, "Afterwards")
        games = tuple((line.name, line.game) for line in lines.found)
        return Findings(self._says(), (before, after, *_because({**reasons, **more})), games, about=about)

    def _says(self) -> tuple[str, ...]:
        card = CardPool.catalogue().find(self.value("card"))
        return (". ".join([f"{card.name} ({card.types})", *map(view.upper, card.text.splitlines())]) + ".",)

    def _table(self, game: Game, caption: str) -> tuple[Grid, dict[tuple[str, str], str]]:
        """Return what may be done with each permanent, and the reasons by rule and permanent."""
        reasons: dict[tuple[str, str], str] = {}
        worn = self._worn(game)
        rows = []
        for label in self.labels():
            host = _number(game, label)
            cells = [_cell(worn, ability, host, label, reasons) for ability in worn.abilities()]
            rows.append((label, *cells, _stays(worn, host, label, reasons), "yes" if worn.is_on(host) else "no"))
        head = ("permanent", *(f"may be the target of {words}" for words in worn.words()), *LAST_COLUMNS)
        return Grid(caption, head, tuple(rows)), reasons

    @property
    def title(self) -> str:
        """What stands above the board."""
        return "Step through it, and equip as you like"

    def _groups(self) -> Iterable[Any]:
        row = {"flex_flow": "row wrap"}
        yield ipywidgets.HBox([self.controls[name] for name in ("card", "when", "on")], layout=row)
        yield ipywidgets.HBox([self.controls[name] for name in ("hers", "theirs")], layout=row)
        yield ipywidgets.HBox([self.controls[name] for name in ("target", "changed", "change")], layout=row)


def _several(words: str, value: tuple[str, ...]) -> ipywidgets.SelectMultiple:
    return ipywidgets.SelectMultiple(
        options=bearers(), value=value, description=printable(words), rows=8, style=WIDE, layout={"width": "26em"}
    )


def _number(game: Game, label: str) -> int | None:
    """Return the permanent of a label, one that is phased out among them, or None if it is not there any more."""
    there = game.state.zones.get(("battlefield", ""), ())
    return next((number for number in there if game.state.objects[number].label == label), None)


@dataclass(frozen=True)
class _Worn:
    """An Equipment in a game.

    Attributes:
        game: The game.
        there: The Equipment, None if it is not on the battlefield.
    """

    game: Game
    there: int | None

    def abilities(self) -> tuple[int, ...]:
        """Return the places of its abilities that attach it to a target."""
        seen = self.game.state.look(self.there).abilities if self.there is not None else ()
        return tuple(place for place, each in enumerate(seen) if each.keyword in EQUIPS and _targets(each))

    def words(self) -> tuple[str, ...]:
        """Return the texts of these abilities."""
        seen = self.game.state.look(self.there).abilities if self.there is not None else ()
        return tuple(seen[place].text for place in self.abilities())

    def tried(self, ability: int, target: int | None) -> Game | Illegal:
        """Return the game after one of them was activated with a target, or why it cannot be."""
        game = _alices(self.game)
        try:
            later = game.decide(Action("activate", self.there, ability=ability), explicit=True)
            while later.decision is not None and later.decision.kind != "priority":
                later = later.decide(_answer(later.decision, target))
        except Illegal as refusal:
            return refusal
        return later

    def refusal(self, host: int | None) -> str | None:
        """Return the rule by which it may not be on something, None if it may."""
        return attach_refusal(self.game.state, self.there, host) if self.there is not None else None

    def why(self, rule: str, host: int) -> str:
        """Return why it may not be on something: what forbids it, in its own words, else what the rule says."""
        state = self.game.state
        if self.there is None or rule != FORBIDDEN or (term := forbidden(state, self.there, host)) is None:
            return telling.paraphrase(rule)
        subject = self.there if term.op == "can be attached only to" else host
        return f"{state.name(subject)} {GRAMMAR.say(term)}."

    def is_on(self, host: int | None) -> bool:
        """Return whether it is attached to something."""
        on = self.game.state.objects[self.there].attached_to if self.there is not None else None
        return on is not None and on == host


def _targets(ability: Ability) -> bool:
    return any(term.op in TARGETS for term in ability.terms())


def _alices(game: Game) -> Game:
    """Return the game as Alice has priority, who may have to wait for it."""
    while game.decision is not None and game.decision.player != "Alice":
        game = game.decide(Action("pass"))
    return game


def _answer(decision: Decision, target: int | None) -> Any:
    """Return the answer to a choice of the activation: the target, and the first way to pay."""
    if decision.kind == "choose target":
        return target
    return decision.options[0] if decision.options else None


def _cell(worn: _Worn, ability: int, host: int | None, label: str, reasons: dict[tuple[str, str], str]) -> str:
    """Say whether equipping is possible, and keep the reason why not."""
    if host is None:
        return GONE.format(label)
    tried = worn.tried(ability, host)
    if isinstance(tried, Game):
        return "yes"
    reasons.setdefault((tried.rule, label), tried.message)
    return f"no ({tried.rule})"


def _stays(worn: _Worn, host: int | None, label: str, reasons: dict[tuple[str, str], str]) -> str:
    """Say whether the Equipment may be on something, and keep the reason why not."""
    if worn.there is None or host is None:
        return GONE.format(label if host is None else LABEL)
    rule = worn.refusal(host)
    if rule is None:
        return "yes"
    reasons.setdefault((rule, label), worn.why(rule, host))
    return f"no ({rule})"


def _because(reasons: Mapping[tuple[str, str], str]) -> tuple[Grid, ...]:
    """Return the reasons as a table in which the same one is told once."""
    alike: dict[tuple[str, str], list[str]] = {}
    for (rule, label), why in reasons.items():
        alike.setdefault((rule, why), []).append(label)
    rows = tuple((rule, ", ".join(labels), why) for (rule, why), labels in alike.items())
    return (Grid("Why not", ("rule", "permanent", "because"), rows),) if rows else ()
