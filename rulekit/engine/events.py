"""What happens and what is asked: events, decisions, and the table on which instructions are carried out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from rulekit.cards.card import Card
from rulekit.engine.abilities import WORDS, Term, Word
from rulekit.engine.choosing import settled
from rulekit.engine.door import Door
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.happening import DECISIONS, KINDS, NUMBERS, Batch, Decision, Event, Move, Run, looks
from rulekit.engine.piles import arrival, relocated
from rulekit.engine.state import CHANCE, Cast, Effect, State
from rulekit.rules import Illegal

UNCOUNTED = ("each", "pile", "some of")  # groups of objects of which a text may then say "that many"

__all__ = ["DECISIONS", "KINDS", "NUMBERS", "Decision", "Event", "Move", "Run", "Table", "arrival"]


class Table(Door):
    """The game table: carries out instructions on a State, and yields a Decision wherever somebody is asked.

    Attributes:
        state, rule, cause: See `Door`.
        frame: What the words of the text being carried out mean.
        step: The step of casting or activating under way (601.2b to 601.2h), "" otherwise.
        explicit: Whether choices with one legal answer are asked too (a script that names its choices wants that).
        tells_chance: Whether chance is asked where one answer is possible, too.
        declaring: The same for attackers and blockers.
        batch: What is about to move at the same time.
        term: The instruction under way.
        owed: The costs that are still to be paid after the one that is being paid.
        chosen: What each of the players who carry out the instruction under way chose for it, if others than "you" do.
        applied: The replacement effects that have changed the event under way, so that none does it twice (614.5).
        following: The moves after which a replacement effect has something more done, once the happening is over.
    """

    def __init__(self, state: State, explicit: bool = False) -> None:
        super().__init__(state)
        self.frame = Frame(self, "", 0)
        self.step = ""
        self.explicit = explicit
        self.declaring = self.tells_chance = False
        self.batch = Batch(Counter())
        self.term: Term | None = None
        self.owed: tuple[Term, ...] = ()
        self.chosen: dict[str, tuple[int, ...]] = {}
        self.applied: frozenset[Any] = frozenset()
        self.following: list[Event] = []
        self._within = 0
        self._untold: list[Event] = []

    # ---------------------------------------------------------------- asking

    def ask(
        self,
        player: str,
        kind: str,
        options: Sequence[Any],
        *,
        rule: str,
        prompt: str = "",
        words: Sequence[str] = (),
        weights: Sequence[int] = (),
        why: Callable[[Any], Illegal | None] | None = None,
        always: bool = False,
        about: Sequence[int] = (),
    ) -> Run[Any]:
        """Ask a player; a question with one legal answer is not asked.

        Args:
            player: Who is asked, or `CHANCE`.
            kind: One of `DECISIONS`.
            options: The legal answers, at least one unless the table is explicit.
            rule: The rule that asks.
            prompt: The question in words.
            words: What each option is called; made from the options if left out.
            weights: For chance.
            why: Gives the refusal for an answer that is not among the options.
            always: Ask even where only one answer is legal.
            about: For each option the object that it is about, where the option is no object itself.

        Returns:
            The chosen option.

        Raises:
            Illegal: The answer is not among the options.
        """
        options = tuple(options)
        asked = always or len(options) > 1 or (self.tells_chance if player == CHANCE else self.explicit)
        if not asked and options:
            return options[0]
        if not words:
            words = tuple(str(option) if kind in NUMBERS else self.word_of(option) for option in options)
        step = rule if self.step and rule.startswith("601.2") else self.step
        decision = Decision(
            player, kind, options, rule, prompt, tuple(words), tuple(weights), self.frame.this or None, why, step,
            tuple(about),
        )  # fmt: skip
        if not asked:
            raise decision.refuse(None)
        answer = yield decision
        if answer not in options:
            is_object = isinstance(answer, int) and not isinstance(answer, bool) and kind not in NUMBERS
            raise decision.refuse(answer, self.word_of(answer) if is_object else "")
        return answer

    def word_of(self, option: Any) -> str:
        """Return what an option is called by a player."""
        if isinstance(option, bool) or not isinstance(option, int):
            return str(option)
        known = option in self.state.objects or option in self.state.past
        return (self.state.get(option).label or self.state.name(option)) if known else str(option)

    def may(self, player: str, prompt: str, rule: str = "603.5") -> Run[bool]:
        """Ask a player whether to do something that a text says they may do."""
        answer = yield from self.ask(player, "may", ("yes", "no"), rule=rule, prompt=prompt, always=True)
        return bool(answer == "yes")

    # ---------------------------------------------------------------- carrying out

    def do(self, term: Term) -> Run[Any]:
        """Carry out one effect term with the words of the current frame."""
        word = WORDS[term.op]
        outer, former, whole, self.chosen, self.term = self.rule, self.chosen, self.term, {}, term
        spoken, group = self.frame.said.get("it"), self.frame.said.get("those")
        args = yield from settled(self, word, term)
        self.rule = word.rule or outer
        result = yield from word.body(self, *args)
        yield from self.follow()
        self.rule, self.chosen, self.term = outer, former, whole
        if self.frame.said.get("it") is spoken:
            self._speak_of(word, term, args, self.frame.said.get("those") is group)
        if spoken is not None and self.frame.said.get("it") is not spoken:
            self.frame.said.setdefault("first it", spoken)
        if not word.facts.get("flow"):
            self.frame.said["done"] = result not in ((), False)  # for "if you do"
            if isinstance(result, tuple):
                self.frame.said["so many"] = self.how_many(result)
            elif isinstance(result, int) and not isinstance(result, bool):
                self.frame.said["so many"] = result  # as much damage as was dealt
        if isinstance(result, tuple) and any(isinstance(arg, Term) and arg.op in UNCOUNTED for arg in term.args):
            self.frame.said["number"] = self.how_many(result)
        return result

    def how_many(self, numbers: Sequence[int]) -> int:
        """Return the number of some objects, for "that many"."""
        return len(numbers)

    def _speak_of(self, word: Word, term: Term, args: list[Any], also_group: bool) -> None:
        """Let "it", "them" and "that player" mean what an effect was about, what the text is on last of all."""
        for (name, _), said, arg in zip(word.slots, (*term.args, *args[len(term.args) :]), args, strict=True):
            sort = word.sorts.get(name)
            gone = not arg and isinstance(said, Term) and said.op in ("target", "target player")  # 608.2b
            about = sort in ("objects", "recipients")
            if sort == "players" and (arg or gone) and isinstance(said, Term) and said.op != "you":
                self.frame.said["player"] = tuple(arg)
            numbers = tuple(one for one in arg if isinstance(one, int)) if about and arg else ()
            if gone and about:
                self.frame.said["it"] = ()  # an illegal target tells nothing: no other object is meant in its place
            elif numbers and not (isinstance(said, Term) and said.op == "this" and len(word.slots) > 1):
                self.frame.said["it"] = numbers
                if also_group and GRAMMAR.plural(said):
                    self.frame.said["those"] = numbers

    def said(self, slot: str) -> Any:
        """Return what the text says in one slot of the instruction under way, or None."""
        slots = WORDS[self.term.op].slots if self.term is not None else ()
        said = zip(slots, self.term.args if self.term is not None else (), strict=False)
        return next((arg for (name, _), arg in said if name == slot), None)

    def run(self, terms: tuple[Term, ...]) -> Run[Any]:
        """Carry out effects in the order in which they are written (608.2c)."""
        result = None
        for term in terms:
            result = yield from (self.run(term) if isinstance(term, tuple) else self.do(term))
        return result

    def count(self, amount: Any, player: str | None = None) -> int:
        """Return the value of an amount for a player."""
        return self.frame.count(amount, player)

    def would(self, event: Event) -> Run[Event | None]:
        """Let replacement and prevention effects change an event before it happens (614, 615, 616).

        Returns:
            The event as it will happen, or None if it will not.
        """
        from rulekit.engine.replacing import replaced

        return (yield from replaced(self, event))

    def did(self, event: Event, before: State | None = None) -> Run[Event]:
        """Log what has happened and find the abilities that it triggers (603.2).

        Args:
            event: What happened; its rule and cause are those of the instruction under way unless it has its own.
            before: The State right before it, for abilities that look back (603.10a).

        Returns:
            The event as it stands in the log.
        """
        from rulekit.engine.triggers import triggered

        logged = self.log(event)
        after = triggered(self.state, logged, before or self.state)
        self.state = self._kept_back(after) if self._within and after.log is not self.state.log else after
        return logged
        yield  # a generator like all that the table does

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Let what happens inside be one happening: its events stand in the log before what they trigger (603.2)."""
        self._within += 1
        try:
            yield
        finally:
            self._within -= 1
            if not self._within:
                self._tell_triggers()

    def _kept_back(self, after: State) -> State:
        """Take what has just triggered out of the log until the happening is over; it waits all the same."""
        entry, told = after.log, []
        while entry is not None and entry is not self.state.log:
            told.append(entry.event)
            entry = entry.before
        old = len(after.waiting) - len(told)
        waiting = (*after.waiting[:old], *(replace(each, cause=-1) for each in after.waiting[old:]))
        self._untold += reversed(told)
        return after.but(log=self.state.log, waiting=waiting)

    def _tell_triggers(self) -> None:
        """Write what has triggered during a happening into the log."""
        untold, self._untold = iter(self._untold), []
        waiting = [
            replace(each, cause=self.log(next(untold)).number) if each.cause < 0 else each
            for each in self.state.waiting
        ]
        if any(new is not old for new, old in zip(waiting, self.state.waiting, strict=True)):
            self.state = self.state.but(waiting=tuple(waiting))

    # ---------------------------------------------------------------- moves

    def add_effect(
        self, objects: tuple[int, ...] | None, subject: Term | None, changes: tuple[Any, ...], until: tuple[Any, ...]
    ) -> None:
        """Begin a continuous effect of what is being carried out (611.2)."""
        frame = self.frame
        effect = Effect(frame.this, frame.you, objects, subject, changes, until, self.stamp(), frame.memory().said)
        self.state = self.state.but(effects=(*self.state.effects, effect))
        detail = (("changes", changes), ("until", until))
        self.log(Event("effect begins", frame.you, objects or (), source=frame.this, detail=detail, rule="611.2a"))

    def put_on_stack(self, number: int, player: str, cast: Cast) -> Run[int]:
        """Put a card onto the stack as a spell under a player's control (601.2a); returns its new number."""
        before = self.state
        event = Event("moved", player, (number,), to="stack").with_detail(controller=player, cast=cast)
        move = self._relocate(number, event)
        item = move.new if move.new is not None else number
        yield from self.did(Event("moved", player, (item,), moves=(move,), rule="601.2a"), before)
        return item

    def take(self, player: str, n: int) -> Run[tuple[int, ...]]:
        """Look which cards are the top ones of a library; a smaller library gives all it has (701.17b).

        Args:
            player: Whose library.
            n: How many cards, at least 0.

        Returns:
            Their numbers, the top card first. They have not moved.
        """
        for place in range(min(n, len(self.state.zone("library", player)))):
            first, last = self.state.players[player].unknown
            if first <= place < last:
                yield from self._settle_card(player, place)
        return self.state.zone("library", player)[:n]

    def take_until(
        self, player: str, goal: int, what: Term | None = None, size: str = ""
    ) -> Run[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Look at cards from the top of a library until enough of them fit or their sizes add up, or all are seen.

        Args:
            player: Whose library.
            goal: How many must fit, or what their sizes must add up to.
            what: Which cards fit; None: any.
            size: "mana value" to add up instead of counting, else "".

        Returns:
            The numbers of all cards seen, the top card first, and of those among them that count. They have not moved.
        """
        seen: tuple[int, ...] = ()
        found: tuple[int, ...] = ()
        total = 0
        while total < goal and len(seen) < self.state.size("library", player):
            seen = yield from self.take(player, len(seen) + 1)
            worth = self.state.look(seen[-1]).mana_value if size else 1
            if worth and self.frame.fits(what, seen[-1]):
                found += (seen[-1],)
                total += worth
        return seen, found

    def _settle_card(self, player: str, place: int) -> Run[None]:
        """Let chance decide which card of the unordered part of a library lies at a place."""
        first, last = self.state.players[player].unknown
        library = self.state.zone("library", player)
        kinds: dict[tuple[Card | None, str], list[int]] = {}
        for number in library[first:last]:
            thing = self.state.objects[number]
            kinds.setdefault((thing.card, thing.label), []).append(number)
        options = [numbers[0] for numbers in kinds.values()]
        chosen = yield from self.ask(
            CHANCE, "random", options, rule="103.3", weights=[len(numbers) for numbers in kinds.values()],
            prompt=f"the next card of {player}'s library",
        )  # fmt: skip
        rest = [number for number in library[first:last] if number != chosen]
        zones = dict(self.state.zones)
        zones["library", player] = (*library[:first], chosen, *rest, *library[last:])
        self.state = self.state.but(zones=zones)
        self.change_player(player, unknown=(first + 1, last))

    def shuffle(self, player: str) -> Run[None]:
        """Shuffle a library: nobody knows its order any more (701.24a)."""
        size = len(self.state.zone("library", player))
        zones = dict(self.state.zones)
        zones["library", player] = tuple(sorted(zones.get(("library", player), ()), key=self._pile_order))
        self.state = self.state.but(zones=zones)
        self.change_player(player, unknown=(0, size))
        yield from self.did(Event("shuffled", player, rule="701.24a"))

    def _pile_order(self, number: int) -> tuple[str, int]:
        thing = self.state.objects[number]
        return (thing.card.name if thing.card else "", number)

    def reorder(self, player: str, top: tuple[int, ...] = (), bottom: tuple[int, ...] = ()) -> None:
        """Put cards of a library, looked at before, on its top or bottom in an order (401.4)."""
        library = self.state.zone("library", player)
        first, last = self.state.players[player].unknown
        moved = {*top, *bottom}
        middle = [number for number in library if number not in moved]
        gone = sum(number in moved for number in library[:first])
        zones = dict(self.state.zones)
        zones["library", player] = (*top, *middle, *bottom)
        self.state = self.state.but(zones=zones)
        shift = len(top) - gone
        self.change_player(player, unknown=(first + shift, last + shift))

    def move(
        self,
        numbers: Sequence[int],
        to: str,
        *,
        under: str | Mapping[int, str] | None = None,
        bottom: bool = False,
        place: int | None = None,
        rule: str = "",
        entering: dict[str, Any] | None = None,
    ) -> Run[tuple[int, ...]]:
        """Move objects to a zone at the same time; each move can be replaced on its own (400.6, 616.1g).

        Args:
            numbers: The objects, in the order in which they are put there. Those that are gone are passed over.
            to: The zone.
            under: For the battlefield: under whose control, also of each object its own; the owner's if left out.
            bottom: For a library: to the bottom, in this order.
            place: For a library: how many cards lie above it.
            rule: The rule, if not that of the instruction under way.
            entering: How permanents enter: fields of `Object`, such as ``tapped`` or ``face``, or ``attach_to``.

        Returns:
            The objects that they became, wherever they went, in the same order.
        """
        from rulekit.engine.until import entered

        planned = yield from self._planned(
            numbers, to, {"under": under, "bottom": bottom, "place": place}, rule, entering or {}
        )
        if planned and all(event.to != to and event.cause >= 0 for event in planned):
            rule = "614.6"  # what happens in its place
        before = self.state
        moves = []
        for event in planned:
            for number in event.objects:
                if number in self.state.objects:
                    moves.append(self._relocate(number, event))
                    if event.get("then"):
                        self.following.append(event)
        arrived = tuple(move.new for move in moves if move.new is not None)
        with self.at_once():
            if moves:
                yield from self.did(Event("moved", objects=arrived, moves=tuple(moves), rule=rule), before)
            yield from entered(self, moves, before)
        yield from self.follow()
        return tuple(self._end_of(number) for number in arrived)

    def follow(self) -> Run[None]:
        """Do what replacement effects have put behind moves, unless more belongs to the same happening (614.1a)."""
        while self.following and not self._within:
            event = self.following.pop(0)
            yield from event.get("then")(self, event)

    def _planned(
        self, numbers: Sequence[int], to: str, how: dict[str, Any], rule: str, entering: dict[str, Any]
    ) -> Run[list[Event]]:
        """Return the moves of objects as they will happen, each after the effects that replace it (616.1g)."""
        planned = []
        outer, self.batch = self.batch, Batch(Counter(looks(self.state.objects.get(number)) for number in numbers))
        for number in numbers:
            thing = self.state.objects.get(number)
            if thing is None:
                continue
            under = how["under"].get(number) if isinstance(how["under"], Mapping) else how["under"]
            event = Event(
                "moved", thing.owner, (number,), to=to, rule=rule, detail=tuple(sorted(entering.items())),
                moves=(Move(number, None, thing.owner, thing.zone, to, thing.kind == "card"),),
            )  # fmt: skip
            will = yield from self.would(event.with_detail(**how | {"under": under}))
            if will is not None:
                planned.append(will)
        self.batch = outer
        return planned

    def _end_of(self, number: int) -> int:
        while number not in self.state.objects and (past := self.state.past.get(number)) and past.became:
            number = past.became
        return number

    def _relocate(self, number: int, event: Event) -> Move:
        """Make one change of zone as the event says (400.7)."""
        self.state, move = relocated(self.state, number, event)
        return move
