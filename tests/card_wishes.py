"""What a card asks for, worked out from its data: a condition made true, a cost that can be paid, things stirred up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulekit.engine.abilities import Ability, Term, walk
from rulekit.engine.frame import Frame
from rulekit.engine.game import Game
from rulekit.engine.phrases import replaced
from rulekit.engine.text import read_effect
from tests.card_events import Tries, mine
from tests.card_table import ALICE, BOB, dressing, example_of

MOST_MADE = 20  # tokens for a condition or a cost
FEW = 3  # tokens where X is asked for
MOST_DRESSED = 3  # creatures that are equipped and enchanted one after another
A_TOKEN = "you create a 1/1 white Soldier creature token"
WATCHED = ("watch each", "watch some")


def descriptions(ability: Ability) -> list[Term]:
    """Return the descriptions of what an ability waits for."""
    return [term.args[0] for term in walk(ability.event) if term.op in WATCHED]


def fitting(game: Game, described: list[Term], this: int | None, among: Iterable[int] | None = None) -> list[int]:
    """Return those of some objects, or of the permanents, that fit a description, as their own card sees them."""
    frame = Frame(game.state, ALICE, this or 0)
    among = game.state.battlefield if among is None else among
    return [n for n in among if any(frame.fits(each, n) for each in described)]


def fulfilled(tries: Tries, game: Game, condition: Term | None) -> Game | None:
    """Make a condition about how many of something are there true; None if it is about other things."""
    if condition is not None and condition.op == "has more than":
        return outdone(tries, game, *condition.args)
    if condition is None or condition.op not in ("at least", "at most") or not isinstance(condition.args[0], Term):
        return None
    amount, n = condition.args
    this = tries.there(game)
    if amount.op == "counters on" and amount.args[1] == Term("this") and this is not None:
        return tries.told(game, Term("put counters", (n, amount.args[0], (this,))))
    if amount.op != "number of" or not isinstance(n, int):
        return None
    what = amount.args[0]
    if condition.op == "at least":
        return supplied(tries, game, what, min(n, MOST_MADE))
    going = tuple(number for number in fitting(game, [what], this) if number != this)
    return tries.told(game, Term("exile", (going,)))


def outdone(tries: Tries, game: Game, who: Term, _: Term, what: Term | None, of: str) -> Game:
    """Let the one who must have more cards in hand, life or permanents have many."""
    player = ALICE if who == Term("you") else BOB
    if of == "battlefield":
        return supplied(tries, game, what, MOST_MADE, player)
    return tries.told(game, Term("gain life" if of == "life" else "draw", ((player,), MOST_MADE)))


def supplied(tries: Tries, game: Game, what: Any, n: int, player: str = ALICE) -> Game:
    """Create so many tokens that fit a description, such as it describes them."""
    card = example_of(what) if isinstance(what, Term) else None
    return game if card is None or not n else tries.told(game, Term("create", ((player,), n, card)))


def affordable(tries: Tries, game: Game, ability: Ability) -> Game:
    """Create what the costs of an ability ask to sacrifice or to tap."""
    for cost in ability.cost:
        if cost.op in ("sacrifice as a cost", "tap others as a cost"):
            n, what = cost.args[:2]
            game = supplied(tries, game, what, min(n, MOST_MADE) if isinstance(n, int) else FEW)
    return game


def modest(game: Game) -> Any:
    """Choose a small X, which can be paid and for which there are targets."""
    decision = game.decision
    if decision is None or decision.kind != "choose number":
        return None
    return next((n for n in (1, 2) if n in decision.options), None)


def stirred(tries: Tries, game: Game) -> Game:
    """Return the game after much has happened in this turn: cards milled, creatures dead, tokens created."""
    for player in (ALICE, BOB):
        game = tries.told(game, Term("mill", ((player,), 6)))
        game = tries.told(game, *replaced(read_effect(A_TOKEN), Term("you"), (player,)))
    dying = tuple(number for player in (ALICE, BOB) for number in mine(game, "creature", player)[1:3])
    return tries.told(game, Term("put into graveyard", (dying,)))


def equipped(tries: Tries, game: Game, first: list[int]) -> Iterator[Game]:
    """Yield the game with the plain Equipment and Aura on one of the first creatures that matter."""
    creatures = [number for number in dict.fromkeys(first) if game.state.look(number).is_a("creature")]
    for number in creatures[:MOST_DRESSED]:
        yield tries.told(game, *dressing(game, number))
