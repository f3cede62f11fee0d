"""The mill lab: how many cards, of which library, how, and what changes it; what then happens, by which rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import ipywidgets

from rulekit.cards.card import Card
from rulekit.engine import telling
from rulekit.engine.actions import Action
from rulekit.engine.events import Decision
from rulekit.engine.game import Game
from rulekit.engine.text import read_card
from rulekit.rules import BadData, Illegal
from rulekit.widgets.html import printable
from rulekit.widgets.lab import Findings, Grid, Lab
from rulekit.widgets.lines import Lines, followed
from rulekit.widgets.panel import WIDE, choice, tick, whole

NAME = "The card of the lab"
LIBRARY = "Island\nGrizzly Bears\n2 Forest\nLightning Bolt\n15 Filler"
AMOUNTS = (
    ("a number of cards", "number"),
    ("half the library, rounded down", "half down"),
    ("half the library, rounded up", "half up"),
    ("revealed until that many lands", "until lands"),
)
WAYS = (
    ("as an effect: Alice's artifact, Bob is the target", "effect"),
    ("as a cost of Bob's artifact", "cost"),
    ("as a choice: Bob's artifact says that he may", "may"),
)
BRUVAC, CRYSTAL = "Bruvac the Grandiloquent", "The Water Crystal"
ON_ALICES_SIDE = {
    "bruvac": BRUVAC,
    "crystal": CRYSTAL,
    "leyline": "Leyline of the Void",
    "rest_in_peace": "Rest in Peace",
}
RULES = {
    "number": ("701.17a", "701.17b"),
    "half down": ("701.17a", "107.1a"),
    "half up": ("701.17a", "107.1a"),
    "until lands": ("701.17a", "701.20a"),
    "effect": (),
    "cost": ("601.2h", "118.3", "701.17b"),
    "may": ("608.2d", "701.17b"),
    "replaced": ("614.1a", "614.5", "616.1"),
}
UNASKED = "nothing is to be chosen"
MORE = "These are {} of the ways in which it can go; more can be tried on the board."
NOT_OFFERED = "Bob is not asked whether he does it, since he could not (701.17b): {}"
PILES = ("library", "hand", "graveyard")
ZONES = ("library", "hand", "graveyard", "exile")
MOST_CARDS = 200


class MillLab(Lab):
    """What happens to Bob's library when he mills (701.17), for any library, amount, way, and what replaces it.

    The controls, which are also the arguments: `amount` (0 to 999), `measure` ("number", "half down", "half up",
    "until lands"), `how` ("effect", "cost", "may"), `library`, `hand`, `graveyard` (a card or a number and a card in
    each line, the top card first), and whether there are `bruvac`, `crystal`, `leyline`, `rest_in_peace` (Alice
    controls them), `other_bruvac` (a third player, Carol, controls it), `wheel` (it enchants Bob).
    """

    def __init__(self, **values: Any) -> None:
        """Make the lab.

        Args:
            values: What stands in the controls.
        """
        controls = {
            "measure": choice("Bob mills", AMOUNTS),
            "amount": whole("Number of cards or lands", 4),
            "how": choice("How", WAYS),
            "library": _pile("Bob's library, top card first", LIBRARY),
            "hand": _pile("Bob's hand", ""),
            "graveyard": _pile("Bob's graveyard", ""),
            "bruvac": tick(f"{BRUVAC}: opponents of Alice mill twice as many"),
            "other_bruvac": tick(f"Another {BRUVAC}: opponents of Carol mill twice as many"),
            "crystal": tick(f"{CRYSTAL}: opponents of Alice mill four more"),
            "leyline": tick("Leyline of the Void: cards of Alice's opponents are exiled instead"),
            "rest_in_peace": tick("Rest in Peace: all cards are exiled instead"),
            "wheel": tick("Wheel of Sun and Moon on Bob: his cards go to the bottom of his library instead"),
        }
        super().__init__(controls, **values)

    def _prepare(self) -> None:
        half = self.value("measure").startswith("half")
        self.controls["amount"].layout.display = "none" if half else None  # half of a library is no number

    def _groups(self) -> Iterable[Any]:
        row = {"flex_flow": "row wrap"}
        first = [each for name, each in self.controls.items() if name in ("measure", "amount", "how")]
        ticks = [each for name, each in self.controls.items() if isinstance(each.value, bool)]
        yield ipywidgets.HBox(first, layout=row)
        yield ipywidgets.HBox([self.controls[name] for name in PILES], layout=row)
        yield ipywidgets.VBox(ticks)

    # ---------------------------------------------------------------- the position

    @property
    def card(self) -> Card:
        """The card that makes Bob mill."""
        amount, measure, how = self.value("amount"), self.value("measure"), self.value("how")
        cards = f"{amount} card{'' if amount == 1 else 's'}"
        if measure == "until lands":
            text = _until(amount, how)
        else:
            whose = "their" if how == "effect" else "your"
            rounded = "up" if measure == "half up" else "down"
            what = cards if measure == "number" else f"half {whose} library, rounded {rounded}"
            text = {
                "effect": f"{{1}}: Target player mills {what}.",
                "cost": f"Mill {what}: You gain 1 life.",
                "may": f"{{1}}: You may mill {what}. If you do, you gain 1 life.",
            }[how]
        card = Card(NAME, "{1}", "Artifact", text)
        unread = [sentence for sentence in read_card(card).sentences if not sentence.understood]
        if unread:
            raise BadData(f"this is not understood: {unread[0].text}", key="measure")
        return card

    def position(self) -> Game:
        """Return the position before anything is done."""
        how = self.value("how")
        alice = [name for key, name in ON_ALICES_SIDE.items() if self.value(key)]
        bob: dict[str, list[Any]] = {
            zone: _entries(self.value(zone), zone) for zone in ("library", "hand", "graveyard")
        }
        wheel = [{"card": "Wheel of Sun and Moon", "attached to": "Bob"}] if self.value("wheel") else []
        carol = {"Carol": {"battlefield": [BRUVAC]}} if self.value("other_bruvac") else {}
        if how != "effect":
            bob["battlefield"] = [self.card]
        mine = {"battlefield": [*alice, *wheel, *([self.card] if how == "effect" else [])]}
        return Game.of(active="Alice" if how == "effect" else "Bob", Alice=mine, Bob=bob, **carol)

    def played(self) -> Lines:
        """Return the game after the card was used, in every order that Bob can choose.

        Raises:
            Illegal: A rule forbids to use it.
        """
        game = self.position()
        number = next(n for n, thing in game.state.objects.items() if thing.label == NAME)
        return followed(game.decide(Action("activate", number, ability=0)), _at_bob)

    # ---------------------------------------------------------------- what follows

    def _find(self) -> Findings:
        begun = self.position()
        said = f"{NAME} says: {self.card.text}"
        try:
            lines = self.played()
        except Illegal as refusal:
            return Findings(
                (said, "It cannot be used."), games=(("", begun),), refusals=(refusal,), about=self._about()
            )
        head = ("what is chosen", "cards milled", *(f"{zone} after" for zone in ZONES))
        rows = tuple(
            (line.name or "nothing is to be chosen", str(_milled(line.game)), *_sizes(line.game))
            for line in lines.found
        )
        caption = f"Bob's cards; before, his library has {len(begun.state.zone('library', 'Bob'))}"
        more = (MORE.format(len(rows)),) if lines.more else ()
        if self.value("how") == "may" and not any(_was_offered(game) for game in lines.games):
            more = (NOT_OFFERED.format(telling.paraphrase("701.17b")), *more)
        games = tuple((line.name, line.game) for line in lines.found)
        return Findings((said, *more), (Grid(caption, head, rows),), games, about=self._about())

    def _about(self) -> tuple[str, ...]:
        """Return the rules that speak of what the controls say."""
        replaced = any(each.value is True for each in self.controls.values())
        return (*RULES[self.value("measure")], *RULES[self.value("how")], *(RULES["replaced"] if replaced else ()))


def _pile(words: str, value: str) -> ipywidgets.Textarea:
    pile = ipywidgets.Textarea(
        value, description=printable(words), continuous_update=False, rows=5, style=WIDE, layout={"width": "18em"}
    )
    pile.add_class("rk-below")
    return pile


def _entries(text: str, zone: str) -> list[str]:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_CARDS:
        raise BadData(f"there are at most {MOST_CARDS} lines.", key=zone)
    return lines


def _until(amount: int, how: str) -> str:
    """Return a text that reveals cards until there are enough lands, which is no milling (701.17a)."""
    lands = f"{amount} land card{'' if amount == 1 else 's'}"
    if how == "effect":
        return (
            f"{{1}}: Target player reveals cards from the top of their library until they reveal {lands}, "
            "then puts all cards revealed this way into their graveyard."
        )
    if how == "may":
        return (
            f"{{1}}: You may reveal cards from the top of your library until you reveal {lands}. "
            "If you do, put all cards revealed this way into your graveyard."
        )
    raise BadData("no card reveals cards until there are lands as a cost.", key="how", instead=("effect", "may"))


def _at_bob(_: Game, decision: Decision) -> str | None:
    return "Bob" if decision.kind == "choose target" else None


def _milled(game: Game) -> int:
    return sum(event.n for event in game.log if event.kind == "milled" and event.player == "Bob")


def _was_offered(game: Game) -> bool:
    """Return whether somebody was asked on the way whether to do something."""
    return any(each.decision is not None and each.decision.kind == "may" for each in game.path())


def _sizes(game: Game) -> tuple[str, ...]:
    return tuple(str(len(game.state.zone(zone, "Bob"))) for zone in ZONES)
