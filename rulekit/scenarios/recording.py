"""Writing down a game that was played: its first position, its actions and answers, and where it came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count, groupby
from typing import Any

from rulekit.cards.pool import CardPool
from rulekit.engine.abilities import Term
from rulekit.engine.events import NUMBERS
from rulekit.engine.game import Action, Game, Instruct
from rulekit.engine.offers import legal_actions
from rulekit.engine.position import GIVEN_STEPS, ZONES
from rulekit.engine.state import Object, State
from rulekit.rules import BadData
from rulekit.scenarios import naming
from rulekit.scenarios.acting import DONE, KICKER, key_of
from rulekit.scenarios.form import NOTHING, STEPS, Check, Given, Step
from rulekit.scenarios.instruct import said_of

USUAL_LIBRARY = [{"card": "Filler", "count": 20}]
UNSAID = {  # of an object, and what it must be in a position that can be written
    "damage": 0, "deathtouched": False, "phased": "", "copies": None, "chosen": (), "granted": (), "cast": None,
}  # fmt: skip


class Recording:
    """A game on its way into a scenario.

    What is called the same in the first position gets a label of its own as soon as something refers to it; so the
    steps and the expectations are written before the position.

    Attributes:
        games: All games from the first position to the last.
        labels: What the objects of the first position are called to which something has referred.
    """

    def __init__(self, game: Game) -> None:
        """Take a game, with all that was decided in it."""
        game = _announced(_undeclared(game))
        self.games = game.path()
        self.first, self.last = self.games[0].state, game.state
        self.origin = naming.origins(self.last)
        self.labels: dict[int, str] = {}
        given = self.first.objects
        self.made = {
            name: [number for number in numbers if number not in given]
            for name, numbers in naming.made(self.last).items()
        }
        self.shared = Counter(thing.label for thing in given.values())
        self.shared += Counter({name: len(numbers) for name, numbers in self.made.items()})
        self.taken = {self.last.get(n).label for n in (*self.last.objects, *self.last.past)} | set(self.shared)
        for number, thing in given.items():
            if thing.kind in naming.MADE:  # so that those made later are counted by themselves
                self._label(number)

    # ---------------------------------------------------------------- names

    def _label(self, number: int) -> str:
        """Return the label of a card of the first position; one that no other has, for it is referred to."""
        label = self.first.objects[number].label
        if self.shared[label] > 1 and number not in self.labels:
            own = next(name for n in count(1) if (name := f"{label} {n}") not in self.taken)
            self.taken.add(own)
            self.labels[number] = own
        return self.labels.get(number, label)

    def name(self, state: State, number: int) -> str:
        """Return what an object is called in the scenario."""
        thing = state.get(number)
        if thing.kind == "ability":
            this = thing.memory.this if thing.memory else 0
            end = "trigger" if thing.ability is not None and thing.ability.kind == "triggered" else "ability"
            return f"{self.name(state, this)} {end}" if this else naming.names_of(state, number)[0]
        origin = self.origin.get(number, number)
        called = thing.label or state.name(number)
        if origin in self.made.get(called, ()):
            return f"{called} #{self.made[called].index(origin) + 1}" if self.shared[called] > 1 else called
        return self._label(origin) if origin in self.first.objects else called

    def word(self, state: State, answer: Any) -> Any:
        """Return an object or a player as it is written."""
        return self.name(state, answer) if isinstance(answer, int) else answer

    def answer(self, game: Game) -> Any:
        """Return the last answer of a game as it is written."""
        if _asked_before(game).kind in NUMBERS:
            return game.given
        if isinstance(game.given, tuple):  # a mana ability: whose, and which
            return self.name(game.state, game.given[0])
        return self.word(game.state, game.given)

    # ---------------------------------------------------------------- the position

    def given(self) -> Given:
        """Return the first position, with labels for what was referred to by then.

        Raises:
            BadData: Something in it cannot be written.
        """
        state = self.first
        _writable(state)
        for thing in state.objects.values():
            if isinstance(thing.attached_to, int):
                self.name(state, thing.attached_to)
        cards = [thing.card for thing in state.objects.values() if thing.card is not None]
        pool = CardPool(cards) | CardPool.catalogue()
        zones = {player: dict(self._of_player(player)) for player in state.players}
        return Given(tuple(state.players), state.turn.active, state.turn.step, zones, pool)

    def _of_player(self, name: str) -> Iterator[tuple[str, Any]]:
        player = self.first.players[name]
        if player.life != 20:
            yield "life", player.life
        if player.mana != "any":
            pool = "".join(f"{{{symbol}}}" for symbol in player.pool) or "{0}"
            yield "mana", "lands" if player.mana == "lands" else pool
        if player.counters:
            yield "counters", dict(player.counters)
        for zone in ZONES:
            entries = _joined([self._entry(number, name) for number in self._pile(zone, name)])
            if entries != (USUAL_LIBRARY if zone == "library" else []):
                yield zone, entries

    def _pile(self, zone: str, player: str) -> list[int]:
        """Return the objects of a zone; of a library in the order in which its cards turned out to lie."""
        if zone == "battlefield":
            here = self.first.zone("battlefield")
            return [number for number in here if self.first.objects[number].controller == player]
        pile = list(self.first.zone(zone, player))
        if zone != "library" or self.first.players[player].unknown == (0, 0):
            return pile
        taken = [move.old for event in self._log() for move in event.moves if move.origin == "library"]
        left = [number for number in self.last.zone("library", player) if number in pile]
        return [*(number for number in taken if number in pile), *left]

    def _log(self) -> list[Any]:
        return list(self.last.history(since_turn=False))[::-1]

    def _entry(self, number: int, player: str) -> dict[str, Any]:
        thing = self.first.objects[number]
        label = self.labels.get(number, thing.label)
        host = thing.attached_to
        said = {
            "card": _card_name(thing), "as": label if label != _card_name(thing) else None,
            "owner": thing.owner if thing.owner != player else None, "token": thing.kind == "token" or None,
            "facedown": thing.facedown or None, "tapped": thing.tapped or None,
            "attached to": host if isinstance(host, str) else self.name(self.first, host) if host is not None else None,
            "summoning sick": (thing.zone == "battlefield" and thing.since >= self.first.turn.number) or None,
            "counters": dict(thing.counters) or None,
        }  # fmt: skip
        return {"card": said["card"], "count": 1} | {key: value for key, value in said.items() if value is not None}

    # ---------------------------------------------------------------- what was done

    def steps(self) -> tuple[Step, ...]:
        """Return the actions and answers of the game as steps."""
        steps: list[Step] = []
        games = self.games[1:]
        place = 0
        while place < len(games):
            end = place + 1
            while end < len(games) and _within_action(games[end]):
                end += 1
            steps += [*self._by_chance(games[place:end]), *self._of_action(games[place:end])]
            place = end
        return tuple(steps)

    def _by_chance(self, games: tuple[Game, ...]) -> list[Step]:
        """Return what chance decided in an action, to be said before it; not in which order a library lay at first."""
        begun = _length(games[0].before)
        shuffled = {event.player for event in games[-1].log[:begun] if event.kind == "shuffled"}
        state = games[-1].state
        names = [self.name(state, n) for n in games[-1].decided if not self._lay_so(n, shuffled)]
        return [Step("at random", tuple(names))] if names else []

    def _lay_so(self, number: int, shuffled: set[str | None]) -> bool:
        """Return whether a card of a library lay where it was from the beginning: the first position says it then."""
        thing = self.first.objects.get(number)
        if thing is None or thing.zone != "library" or thing.owner in shuffled:
            return False
        return self.first.players[thing.owner].unknown != (0, 0)

    def _of_action(self, games: tuple[Game, ...]) -> list[Step]:
        """Return the steps of one action: it and the answers within it."""
        action = games[0].given
        if isinstance(action, Instruct):
            return [*(Step("instruct", self._instruction(term)) for term in action.terms), *self._answers(games[1:])]
        if action.kind == "pass":
            return self._of_pass(games)
        return self._of_act(action, games)

    def _of_pass(self, games: tuple[Game, ...]) -> list[Step]:
        """Return a pass, or the declaration of attackers or blockers to which it leads."""
        declared: dict[str, dict[str, Any]] = {}
        rest = []
        for game in games[1:]:
            asked = _asked_before(game)
            if asked.kind not in ("attack", "block"):
                rest.append(game)
                continue
            mapping = declared.setdefault(asked.kind, {})
            if game.given != "no" and asked.source is not None:
                mapping[self.name(game.state, asked.source)] = self.answer(game)
        first = [Step(kind, mapping) for kind, mapping in declared.items()] or [Step("pass")]
        return [*first, *self._answers(rest)]

    def _of_act(self, action: Action, games: tuple[Game, ...]) -> list[Step]:
        """Return casting, activating or playing with the choices that belong to it."""
        state = games[0].before.state if games[0].before is not None else self.first
        number = action.number or 0
        beside: dict[str, Any] = {}
        zone = state.get(number).zone
        if action.kind != "companion" and zone != ("battlefield" if action.kind == "activate" else "hand"):
            beside["from"] = zone
        if action.kind == "activate" and action.ability is not None:
            places = [place for place, _ in naming.activated(state, number)]
            if len(places) > 1:
                beside["ability"] = places.index(action.ability) + 1
        elif action.kind == "cast" and (action.way or len(self._ways(state, action)) > 1):
            beside["paying"] = action.way or "its mana cost"
        own, rest = self._own_choices(games)
        if "paying" in beside and "paying" in own:
            own["paying"] = (beside["paying"], *_each(own["paying"]))
        own |= self._settled(games[-1], DONE.get(action.kind), _length(games[0].before))
        name = self.name(state, number)
        card = state.get(number).card
        if card is not None and action.face:
            name = card.faces[action.face].name
        return [Step(action.kind, name, beside | own), *self._answers(rest)]

    def _ways(self, state: State, action: Action) -> set[str]:
        """Return the ways in which a spell that is cast could be paid for."""
        spell = (action.kind, action.number, action.face)
        offered = legal_actions(state, state.priority or "")
        return {each.way for each in offered if spell == (each.kind, each.number, each.face)}

    def _own_choices(self, games: tuple[Game, ...]) -> tuple[dict[str, Any], list[Game]]:
        """Return what stands beside an action, and the answers that come later."""
        own: dict[str, list[Any]] = {}
        rest: list[Game] = []
        kind, length = games[0].given.kind, _length(games[0].before)
        for game in games[1:]:
            asked, before = _asked_before(game), game.before
            key = "mana" if asked.kind == "choose color" and "mana" in own else key_of(asked)
            key = "paying" if asked.rule == KICKER else key
            if before is None or rest or key not in STEPS[kind][1] or _has_happened(before, DONE.get(kind), length):
                rest.append(game)
            elif asked.rule == KICKER:
                own.setdefault(key, []).extend([asked.prompt.rstrip("?")] if game.given == "yes" else [])
            elif key == "paying":
                own.setdefault(key, []).extend([game.given] if len(asked.options) > 1 else [])
            elif key == "mana":
                own.setdefault(key, []).extend(self._payment(game, asked))
            elif game.given not in ("no", "done"):
                own.setdefault(key, []).append(game.given + 1 if key == "modes" else self.answer(game))
        return {key: _alone(key, value) for key, value in own.items() if value}, rest

    def _payment(self, game: Game, asked: Any) -> list[str]:
        """Return how mana was made or spent, where there was a choice."""
        if len(asked.options) == 1 or isinstance(game.given, int):
            return []
        if isinstance(game.given, str):
            return [f"{{{game.given}}}"]
        name = self.name(game.state, game.given[0])
        several = sum(option[0] == game.given[0] for option in asked.options) > 1
        return [f"{name}: {asked.word(game.given).rpartition(': ')[2]}" if several else name]

    def _settled(self, game: Game, kind: str | None, since: int) -> dict[str, Any]:
        """Return the choices that a spell or ability was left with, also those of which nobody was asked."""
        item = next((event.objects[0] for event in game.log[since:] if event.kind == kind), None)
        cast = game.state.get(item).cast if item is not None else None
        if cast is None:
            return {}
        found = {
            "gift": cast.promised,
            "targets": tuple(self.word(game.state, one) for _, chosen in cast.targets for one in chosen),
            "modes": tuple(mode + 1 for mode in cast.modes),
            "divide": tuple(share for _, shares in cast.divided for share in shares),
        }
        return {key: value for key, value in found.items() if value}

    def _answers(self, games: tuple[Game, ...] | list[Game]) -> list[Step]:
        """Return answers as choices; the order of triggers that was asked one after the other is one list."""
        steps = []
        for (kind, _), run in groupby(games, key=lambda game: (_asked_before(game).kind, _asked_before(game).player)):
            if kind == "order triggers":
                steps.append(Step("choose", self._order(list(run))))
            else:
                steps += [
                    Step("choose", self.answer(game))
                    for game in run
                    if game.given != "done"
                    and len(_asked_before(game).options) > 1  # one answer alone is not asked for
                ]
        return steps

    def _order(self, games: list[Game]) -> tuple[str, ...]:
        """Return the triggers in their order, by their text, and where others say the same also by whose they are."""
        last = _asked_before(games[-1])
        whose = {option: (source, word.partition(": ")[2] or word) for asked in map(_asked_before, games)
                 for option, source, word in zip(asked.options, asked.about, asked.words, strict=True)}  # fmt: skip
        chosen = [game.given for game in games]
        chosen += [option for option in last.options if option != games[-1].given]
        texts = Counter(text for _, text in dict.fromkeys(whose.values()))
        return tuple(
            f"{self.name(games[-1].state, source)}: {text}" if texts[text] > 1 else text
            for source, text in (whose[option] for option in chosen)
        )

    def _instruction(self, term: Term) -> Mapping[str, Any]:
        """Return an instruction as it is written.

        Raises:
            BadData: The format has no words for it.
        """
        said = said_of(term, lambda number: self.name(self.last, number))
        if said is None:
            raise BadData(f"the instruction {term!r} cannot be written in a scenario.")
        return said

    # ---------------------------------------------------------------- where it came to

    def checks(self) -> tuple[Check, ...]:
        """Return the last position as expectations."""
        state, asked = self.last, self.games[-1].decision
        found: list[Check] = []
        for name, player in state.players.items():
            found += [Check(name, "life", player.life), Check(name, "library", len(state.zone("library", name)))]
            found += [Check(name, zone, tuple(self._names(zone, name))) for zone in ("hand", "graveyard", "exile")]
            found.append(Check(name, "battlefield", tuple(self._names("battlefield", name))))
            found += [Check(name, "lost", True)] if player.lost else []
            found += [Check(name, "won", True)] if player.won else []
            found += [Check(name, "mana", len(player.pool))] if player.mana != "any" else []
        for number in state.battlefield:
            found += self._of_permanent(number)
        found.append(Check("", "stack", tuple(naming.name_of(state, number) for number in state.stack)))
        asks = asked is not None and asked.kind != "priority"
        said = {"player": asked.player, "kind": asked.kind} if asked is not None and asks else NOTHING
        turn = state.turn.number - self.first.turn.number + 1
        found += [
            Check("", "decision", said),
            Check("turn", "active", state.turn.active),
            Check("turn", "number", turn),
        ]
        return tuple(found)

    def _names(self, zone: str, player: str) -> Iterator[str]:
        state = self.last
        pile = state.permanents(player) if zone == "battlefield" else state.zone(zone, player)
        return (naming.name_of(state, number) for number in pile)

    def _of_permanent(self, number: int) -> list[Check]:
        """Return what is expected of a permanent."""
        state = self.last
        label = self.name(state, number)
        thing, seen = state.objects[number], state.look(number)
        found = [Check(label, "controller", seen.controller), Check(label, "tapped", thing.tapped)]
        if "Creature" in seen.types:
            found += [Check(label, "power", seen.power), Check(label, "toughness", seen.toughness)]
        if thing.counters:
            found.append(Check(label, "counters", dict(thing.counters)))
        if thing.attached_to is not None:
            found.append(Check(label, "attached to", self.word(state, thing.attached_to)))
        return found


def rules_of(game: Game) -> tuple[str, ...]:
    """Return the rules that made most happen in a game, the most frequent first."""
    counted = Counter(event.rule for event in game.log if event.rule)
    return tuple(rule for rule, _ in counted.most_common(3))


def _undeclared(game: Game) -> Game:
    """Return a game that stops in the middle of declaring attackers or blockers as it was before the declaration."""
    declaring = ("attack", "block")
    while game.decision is not None and game.decision.kind in declaring and _asked_before(game).kind in declaring:
        game = game.undo()
    return game


def _announced(game: Game) -> Game:
    """Return a game that stops in the middle of casting or activating (601.2, 602.2) as it was before that began."""
    begun, action = game, game.action
    while begun.action is not None and begun.before is not None:
        begun = begun.before
    kind = DONE.get(action.kind) if isinstance(action, Action) else None
    return begun if kind and not _has_happened(game, kind, _length(begun)) else game


def _writable(state: State) -> None:
    """Refuse a first position of which something would be lost.

    Raises:
        BadData: What cannot be written.
    """
    wrong = {
        "something on the stack": state.stack,
        "effects that last": state.effects,
        "triggers that wait": (*state.waiting, *state.delayed),
        "attackers": state.turn.attackers,
        "extra turns": state.turn.extra,
        f"the {state.turn.step} step": state.turn.step not in GIVEN_STEPS,
        "a pool of mana that empties": any(player.pool and player.mana != "pool" for player in state.players.values()),
        "a player who has left": len(state.in_game) < len(state.players),
        "permanents with a history": any(
            getattr(thing, key, value) != value for thing in state.objects.values() for key, value in UNSAID.items()
        ),
    }
    found = [what for what, there in wrong.items() if there]
    if found:
        instead = "Begin the game at an earlier position, at best one that was set up."
        raise BadData(f"this game cannot be written as a scenario: it begins with {', '.join(found)}.", instead=instead)


def _card_name(thing: Object) -> str:
    if thing.card is None:
        return thing.label
    faces = thing.card.faces
    return faces[thing.face].name if thing.face and len(faces) > thing.face else thing.card.name


def _joined(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Join neighbours that are the same."""
    runs = [(entry, len(list(run))) for entry, run in groupby(entries)]
    return [{**entry, "count": number} if number > 1 else _single(entry) for entry, number in runs]


def _single(entry: dict[str, Any]) -> dict[str, Any]:
    plain = len(entry) == 2
    return entry if plain else {key: value for key, value in entry.items() if key != "count"}


def _within_action(game: Game) -> bool:
    """Return whether the last answer of a game was given in the middle of an action."""
    return game.before is not None and game.before.action is not None


def _asked_before(game: Game) -> Any:
    """Return the decision that the last answer of a game answered."""
    return game.before.decision if game.before is not None else None


def _length(game: Game | None) -> int:
    return game.state.log.length if game is not None and game.state.log is not None else 0


def _has_happened(game: Game, kind: str | None, since: int) -> bool:
    return any(event.kind == kind for event in game.log[since:])


def _each(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _alone(key: str, values: list[Any]) -> Any:
    return (
        values[0]
        if key in ("gift", "x") or (len(values) == 1 and key not in ("targets", "modes", "divide", "mana"))
        else tuple(values)
    )
