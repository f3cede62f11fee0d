"""Cards that are called understood are played: cast, each ability used, each trigger made to happen, and played on."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from rulekit.cards.card import Card
from rulekit.cards.pool import CardPool
from rulekit.engine.abilities import WORDS, Ability, Term, abilities_in, walk
from rulekit.engine.actions import Action
from rulekit.engine.game import Game, Instruct
from rulekit.engine.permissions import ways_to_cast
from rulekit.engine.text import abilities_of, load_words, read_card
from rulekit.rules import Illegal, RulekitError
from tests.card_events import HAPPEN, bearers, everyone, everyone_blocks, mine, moment, own, unknown
from tests.card_table import ALICE, BOB, dressing, examples, table
from tests.card_wishes import affordable, descriptions, equipped, fitting, fulfilled, modest, stirred, supplied
from tests.random_play import Violation, cards_of, check, options_of, story

ROOT = Path(__file__).resolve().parents[1]
MOST_ANSWERS = 400  # until the game has come to rest
MOST_TRIED = 400  # happenings until one makes an ability trigger
MOST_PASSES = 60  # until a step is reached
PLAYED_ON = 6  # decisions after all that was tried
COSTLY_EVERY = 60
MOST_THINGS = 14  # objects with which one kind of event is tried
PRESENT = "Human"
PERMANENTS = ("Artifact", "Battle", "Creature", "Enchantment", "Land", "Planeswalker")
TWO_SIDED = ("transform", "modal_dfc", "flip", "meld")
Answer = Callable[[Game], Any]


@dataclass
class Ran:
    """What one card did.

    Attributes:
        name: The card.
        ran: What was done, in the words of the card.
        not_set_up: What could not be made to happen, in the words of the card.
        violations: What should not have happened, each with the way there.
    """

    name: str
    ran: list[str] = field(default_factory=list)
    not_set_up: list[str] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)


def run_card(card: Card, seed: int = 1) -> Ran:
    """Cast a card, use its abilities, make its triggers happen and play on, each face of it.

    Args:
        card: The card.
        seed: Decides every answer.
    """
    load_words()
    result = Ran(card.full_name)
    for face in range(len(card.faces) or 1):
        try:
            _Run(card, face, seed, result).all()
        except (Violation, RulekitError) as found:  # no error of one card keeps the others from being run
            result.violations.append(f"{card.full_name}, seed {seed}: {found}")
    return result


def cards_known() -> list[Card]:
    """Return the cards of the catalogue, and of the card data beside the clone if it is there."""
    data = ROOT.parent / "shared" / "data" / "oracle_mill_gift_equip.json"
    pools = [CardPool.catalogue(), *([CardPool.read(data, use_cache=False)] if data.is_file() else [])]
    cards = {(place, name): pool[name] for place, pool in enumerate(pools) for name in pool}
    return list(cards.values())


def understood(cards: Iterable[Card]) -> list[Card]:
    """Return those of some cards that are understood."""
    return [card for card in cards if read_card(card).status == "understood"]


def told(results: list[Ran]) -> str:
    """Return what cards did, and each thing that could not be set up, as lines."""
    ran, left = (sum(len(getattr(each, name)) for each in results) for name in ("ran", "not_set_up"))
    broken = sum(bool(each.violations) for each in results)
    lines = [f"{len(results)} cards: {ran} things done, {left} could not be set up, {broken} cards broke a rule"]
    lines += [f"  not set up: {each.name}: {what}" for each in results for what in each.not_set_up]
    return "\n".join(lines)


class _Run:
    """The runs of one face of a card, each of which begins at a game that stands."""

    def __init__(self, card: Card, face: int, seed: int, result: Ran) -> None:
        self.card, self.face, self.result = card, face, result
        self.dice = random.Random(f"{card.full_name} {face} {seed}")
        self.printed = card.faces[face] if card.faces else card
        self.abilities = abilities_of(self.printed)
        self.dealt = examples(own for each in card.faces or (card,) for own in abilities_of(each))
        self.wanted = [
            each for own in self.abilities for each in abilities_in(own) if each.kind == "triggered" and each.event
        ]
        self.happened: set[str] = set()
        self.waits: Ability | None = None  # the ability that is to trigger
        self.after: list[Game] = []  # games in which an ability has been activated and has resolved

    def all(self) -> None:
        """Do everything that the face can do."""
        stands = self.cast()
        for ability in self.used():
            self.activate(stands, ability)
        self.suspend()
        for ability in dict.fromkeys(self.wanted):
            self.make_happen(stands, ability)
        for ability in self.abilities:
            if ability.kind == "unread":
                self.note(ability.words, False)
        self.play_on(stands[0])

    def note(self, what: str, done: bool) -> None:
        (self.result.ran if done else self.result.not_set_up).append(what)

    # ------------------------------------------------------------ carrying on

    def answered(self, game: Game, answer: Any, prefer: Answer | None = None, costly: bool = True) -> Game:
        """Answer, and everything else until a player has priority again, at random from what is offered."""
        game = self.taken(game, answer, costly)
        for _ in range(MOST_ANSWERS):
            if game.action is None:
                return game
            wish = prefer(game) if prefer is not None else None
            options = options_of(game.decision)
            game = self.taken(game, wish if wish in options else self.choice(options), costly)
        raise Violation(f"asked {MOST_ANSWERS} times and not at rest\n{story(game)}")

    def choice(self, options: tuple[Any, ...]) -> Any:
        """Take an option, more often what is done than what is not; an X is more than 0."""
        willing = [option for option in options if option not in ("no", "done", 0)]
        if PRESENT in options:  # of all creature types, one that is there
            return PRESENT
        numbers = all(isinstance(option, int) for option in options)
        return self.dice.choice(willing if willing and (numbers or self.dice.random() < 0.8) else options)

    def taken(self, game: Game, answer: Any, costly: bool = True) -> Game:
        """Answer one decision, and check what must hold."""
        try:
            after = game.decide(answer)
            check(after, cards_of(game.state), costly and self.dice.randrange(COSTLY_EVERY) == 0)
        except Violation as found:
            raise Violation(f"{found}\n{story(game)}") from found
        except Exception as found:
            raise Violation(f"{answer!r}: {type(found).__name__}: {found}\n{story(game)}") from found
        return after

    def tried(self, game: Game, action: Action, prefer: Answer | None = None) -> Game | None:
        """Begin an action if it is legal; None if it is not."""
        if game.state.over or game.action is not None:
            return None
        try:
            return self.answered(game, action, prefer, costly=False)
        except Violation as found:
            if isinstance(found.__cause__, Illegal) and action not in options_of(game.decision):
                return None
            raise

    def told(self, game: Game, *terms: Term) -> Game:
        """Carry out an instruction from outside, unless the game is over."""
        if game.state.over:
            return game
        return self.answered(game, Instruct(terms))

    def rest(self, game: Game, prefer: Answer | None = None) -> Game:
        """Pass until the stack is empty, and note which abilities have triggered and were carried out."""
        begun = game
        for _ in range(MOST_PASSES):
            if game.state.over or not game.state.stack:
                break
            game = self.answered(game, Action("pass"), prefer)
        self.note_events(begun, game)
        return game

    def note_events(self, begun: Game, game: Game) -> None:
        """Note what has triggered up to a game and was not removed for want of a target."""
        gone = {(event.objects, event.get("text")) for event in game.log if event.kind == "trigger removed"}
        for event in game.log:
            if event.kind == "ability triggered" and (event.objects, event.get("text")) not in gone:
                self.happened.add(event.get("text"))

    def passed(self, game: Game, step: str, active: str | None = None, prefer: Answer | None = None) -> Game:
        """Pass until a step has begun and the stack is empty."""
        for _ in range(MOST_PASSES):
            turn = game.state.turn
            if game.state.over or (turn.step == step and (active or turn.active) == turn.active):
                break
            game = self.answered(game, Action("pass"), prefer)
        return self.rest(game, prefer)

    # ------------------------------------------------------------ casting

    def cast(self) -> list[Game]:
        """Cast the card in every way that it has, and return the games in which it then stands, the best first."""
        found = [self.cast_in(way) for way in self.ways()]
        games = [game for game in found if game is not None and self.there(game) is not None]
        if not set(PERMANENTS) & set(self.printed.types.types):
            return [game for game in found if game is not None] or [self.begun()]
        games = games[:1] or [self.put()]
        stands = [stand for game in games for stand in self.stands(game)]
        return [*stands, self.put(bare=True)]

    def begun(self, bare: bool = False, gone: bool = False) -> Game:
        """Return the game at its beginning, with the card in hand or in the graveyard."""
        game = table(self.card, self.dealt, bare)
        if gone:
            game = self.told(game, Term("put into graveyard", ((self.lies(game, "hand"),),)))
        return game

    def lies(self, game: Game, *zones: str) -> int | None:
        """Return the number of the card in one of some zones of its owner."""
        piles = (game.state.zone(zone, ALICE) for zone in zones)
        return next((n for pile in piles for n in pile if game.state.objects[n].card == self.card), None)

    def there(self, game: Game) -> int | None:
        """Return the number of the card as a permanent of its owner, if it is one."""
        state = game.state
        mine = (n for n in state.battlefield if state.objects[n].card == self.card and state.objects[n].kind == "card")
        return next((n for n in mine if state.objects[n].face == self.face or not self.two_sided), None)

    @property
    def two_sided(self) -> bool:
        return bool(self.card.faces) and self.card.layout in TWO_SIDED

    def ways(self) -> list[tuple[str, bool]]:
        """Return the ways to cast the face, each with whether it is cast from the graveyard."""
        found = []
        for gone in (False, True):
            game = self.begun(gone=gone)
            number = self.lies(game, "graveyard" if gone else "hand")
            for way, face, _ in ways_to_cast(game.state, ALICE, number) if number is not None else ():
                if face == self.face:
                    found.append((way, gone))
        return found

    def cast_in(self, way: tuple[str, bool]) -> Game | None:
        """Cast or play the card in one way, in the first situation in which that can be done, and let it resolve."""
        name, gone = way
        told = f"cast {self.printed.name}{f' ({name})' if name else ''}"
        kind = "play" if "Land" in self.printed.types.types else "cast"
        for bare in (False, True):
            for game in self.situations(self.begun(bare, gone)):
                number = self.lies(game, "hand", "graveyard")
                action = Action(kind, number, way=name, face=self.face)
                after = self.tried(game, action, own) if number is not None else None
                if after is not None:
                    self.note(told, True)
                    return self.rest(after)
        self.note(told, False)
        return None

    def put(self, bare: bool = False) -> Game:
        """Return the game with the card put onto the battlefield."""
        game = self.begun(bare)
        term = Term("put onto the battlefield", ((self.lies(game, "hand"),), "owner", None, False, self.face, 0, ""))
        game = self.rest(self.told(game, term))
        if self.there(game) is None and not self.card.faces:  # what it did as it entered was its end
            game = table(self.card, self.dealt, bare, where="battlefield")
        return self.settled(game)

    def settled(self, game: Game) -> Game:
        """Return the game as though what has just entered had been there since before, untapped (302.6)."""
        state = game.state
        objects = {number: thing.but(since=0, tapped=False) for number, thing in state.objects.items()}
        return Game(state.but(objects=objects), chance=game.chance)

    def stands(self, game: Game) -> Iterator[Game]:
        """Yield the card as it stands: attached, with all that may lie on it, if it can be, and as it has entered."""
        game = self.settled(game)
        number = self.there(game)
        if number is not None and game.state.look(number).is_a("Equipment"):
            for host in mine(game, "creature"):
                attached = self.told(game, Term("attach", ((number,), (host,))))
                if attached.state.objects[number].attached_to == host:
                    yield attached
                    break
        if number is not None and game.state.look(number).is_a("creature"):
            yield self.told(game, Term("put counters", (1, "+1/+1", (number,))), *dressing(game, number))
        yield game

    # ------------------------------------------------------------ situations

    def situations(self, game: Game) -> Iterator[Game]:
        """Yield games in which the player has priority and different things are going on."""
        yield game
        for player in (BOB, ALICE):
            theirs = moment(game, player, "precombat main")
            for number in theirs.state.zone("hand", player)[:MOST_THINGS]:
                if theirs.state.objects[number].card != self.card:
                    yield from self.waiting(self.tried(theirs, Action("cast", number), own))
            for number in theirs.state.permanents(player):
                if theirs.state.look(number).is_a("planeswalker") or theirs.state.look(number).is_a("equipment"):
                    for place, ability in enumerate(theirs.state.look(number).abilities):
                        if ability.kind == "activated":
                            yield from self.waiting(self.tried(theirs, Action("activate", number, place)))
        for player in (ALICE, BOB):
            for step in ("declare attackers", "declare blockers", "end"):
                before = moment(game, player, "beginning of combat")
                wish = everyone_blocks if step == "declare blockers" else everyone
                yield from self.waiting(self.passed(before, step, prefer=wish))
        yield moment(game, ALICE, "upkeep")

    def waiting(self, game: Game | None) -> Iterator[Game]:
        """Yield a game whenever the player of the card has priority in it, until two objects have resolved."""
        for _ in range(4):
            if game is None or game.state.over:
                return
            mine = game.state.priority == ALICE
            if mine:
                yield game
            if mine and not game.state.stack:
                return
            game = self.answered(game, Action("pass"))

    # ------------------------------------------------------------ abilities

    def used(self) -> list[Ability]:
        """Return the activated abilities of the face and those that it gives to something."""
        every = (each for own in self.abilities for each in abilities_in(own))
        return list(dict.fromkeys(each for each in every if each.kind == "activated"))

    def activate(self, stands: list[Game], ability: Ability) -> None:
        """Activate an ability in the first situation in which that can be done, and let it resolve."""
        for stand in self.activatable(stands, ability):
            for game in self.situations(stand):
                for number, place in bearers(game, ability):
                    after = self.tried(game, Action("activate", number, place), modest)
                    if after is not None:
                        self.after.append(self.rest(after))
                        self.note(ability.words, True)
                        return
        self.note(ability.words, False)

    def activatable(self, stands: list[Game], ability: Ability) -> Iterator[Game]:
        """Yield games in which an ability might be activated, the plainest first."""
        if "battlefield" not in ability.zones:
            yield from (self.prepared(stand, ability) for stand in self.elsewhere(ability))
            return
        yield from (self.prepared(stand, ability) for stand in stands)
        for stand in (*stands[:1], *self.after):
            ready = affordable(self, self.prepared(stand, ability), ability)
            yield ready
            yield from (game for game in (fulfilled(self, ready, ability.condition),) if game is not None)
            yield self.settled(stirred(self, ready))

    def suspend(self) -> None:
        """Suspend the card, if it has suspend (116.2f)."""
        game = self.begun()
        number = self.lies(game, "hand")
        for place, ability in enumerate(game.state.look(number).abilities if number is not None else ()):
            if ability.keyword == "suspend" and ability.kind == "keyword" and not self.face:
                after = self.tried(game, Action("suspend", number, place))
                self.note(ability.words, after is not None)
                self.after += [after] if after is not None else []

    def elsewhere(self, ability: Ability) -> list[Game]:
        """Return games in which the card lies where an ability works that does not work on the battlefield."""
        return [self.begun(bare, "graveyard" in ability.zones) for bare in (False, True)]

    def prepared(self, game: Game, ability: Ability) -> Game:
        """Return the game with what the costs of an ability ask for: counters, energy, a tapped permanent."""
        for number, _ in list(bearers(game, ability))[:1]:
            for cost in ability.cost:
                if cost.op == "remove counters as a cost" and isinstance(cost.args[1], str):
                    game = self.told(game, Term("put counters", (5, cost.args[1], (number,))))
                elif cost.op == "loyalty":
                    game = self.told(game, Term("put counters", (9, "loyalty", (number,))))
                elif cost.op == "pay energy":
                    game = self.told(game, Term("player gets counters", ((ALICE,), 9, "energy")))
                elif cost.op == "untap symbol":
                    game = self.told(game, Term("tap", ((number,),)))
        return game

    # ------------------------------------------------------------ triggers

    def make_happen(self, stands: list[Game], ability: Ability) -> None:
        """Make what an ability waits for happen, in one way after another until it has triggered."""
        words = ability.words
        self.waits = ability
        described = descriptions(ability)
        before = (*stands[:1], self.begun())  # what a card does as it enters wants its condition met before that
        wished = [game for game in (fulfilled(self, stand, ability.condition) for stand in before) if game]
        for stand in stands[:1]:
            tokens = [what for what in described if Term("token") in what.walk()]
            wished += [self.settled(supplied(self, stand, what, 1)) for what in tokens]
            wished += equipped(self, stand, self.first(stand))
        tried = [self.happenings(stand, ability) for stand in (*stands, *wished, *self.after, self.begun(gone=True))]
        games = (game for together in zip_longest(*tried) for game in together if game is not None)
        for game in islice(games, MOST_TRIED):
            self.rest(game)
            if words in self.happened:
                break
        for game in self.situations(self.begun()) if words not in self.happened else ():
            number = self.lies(game, "hand")
            cast = self.tried(game, Action("cast", number, face=self.face), own) if number is not None else None
            if cast is not None:
                self.rest(cast)
        self.note(words, words in self.happened)

    def first(self, game: Game) -> list[int]:
        """Return what has the ability that is to trigger, and the permanents that fit what it waits for."""
        if self.waits is None:
            return []
        having = [number for number, _ in bearers(game, self.waits)]
        return [*having, *fitting(game, descriptions(self.waits), self.there(game))]

    def waited_for(self, game: Game, among: Sequence[int]) -> list[int]:
        """Return those of some cards that fit what the ability that is to trigger waits for."""
        return fitting(game, descriptions(self.waits), self.there(game), among) if self.waits is not None else []

    def happenings(self, stand: Game, ability: Ability) -> Iterator[Game]:
        """Yield games in which something has happened of a kind that an ability waits for."""
        kinds = {kind for term in walk(ability.event) for kind in WORDS[term.op].facts.get("kinds", ())}
        for kind in sorted(kinds):
            yield from (game for game in HAPPEN.get(kind, unknown)(self, stand) if game is not None)

    def play_on(self, game: Game) -> None:
        """Go on with a few decisions at random."""
        for _ in range(PLAYED_ON):
            if game.decision is None:
                return
            game = self.taken(game, self.choice(options_of(game.decision)))
