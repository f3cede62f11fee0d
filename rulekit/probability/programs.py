"""From a deck, a plan and a question to library programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rulekit.cards.card import Card, TypeLine
from rulekit.cards.deck import Deck
from rulekit.cards.pool import CardPool
from rulekit.cards.whole import whole_number
from rulekit.engine.text import abilities_of, read_card
from rulekit.probability.asked import Asked
from rulekit.probability.drafts import Draft, Part, Question, Said, is_there, side
from rulekit.probability.plan import MOST_TURNS, Clause, Opening, Permanent, Plan, Step
from rulekit.probability.question import HITS, Count, Counts, fits, read_counts
from rulekit.probability.refusing import ACTING, nothing_replaced, telling
from rulekit.probability.rows import (
    Add,
    Check,
    Coin,
    Keep,
    Mark,
    Move,
    Mulligan,
    Row,
    Shuffle,
    Surplus,
    Value,
    counted,
    walk,
)
from rulekit.probability.spoken import left_out, not_read, read_step
from rulekit.probability.tables import some_of
from rulekit.probability.tracer import Tracer
from rulekit.probability.unseen import Keeping, Sorted, as_worded, buried_by, piles_in, traced_state
from rulekit.rules import BadData, Unknown


def question_of(
    deck: Any, plan: Plan, count: Count, turns: int | None, pool: CardPool | None, traced: bool = True
) -> Question:
    """Read a question.

    Args:
        deck: A Deck, or a Mixture of decks.
        plan: What is done.
        count: What is counted.
        turns: The last turn, 0 to 200; without, the last one that the plan names, or 12 if something goes on for good.
        pool: Where cards are looked up; without, what the deck knows of its cards.
        traced: Whether a library program says what is done; else games are played.

    Raises:
        BadData: Something is not understood or out of range, or no program can say it.
        Unknown: A permanent or a known card that nothing is called.
    """
    if not isinstance(plan, Plan):
        raise BadData(f"a plan is a Plan, not {type(plan).__name__}.", key="plan")
    last = whole_number("turns", plan.last_turn() if turns is None else turns, 0, MOST_TURNS)
    decks = getattr(deck, "decks", None)
    weighted = tuple(decks.items()) if decks is not None else ((deck, Fraction(1)),)
    notes: dict[str, None] = {}
    unknown: dict[str, None] = {}
    parts = []
    for one, weight in weighted:
        if not isinstance(one, Deck):
            raise BadData(
                f"a deck is a Deck, not {type(one).__name__}.", key="deck", instead="Deck.read(...) reads one."
            )
        maker = _Maker(cards_of(one, pool), plan, pool, traced)
        draft, asked = maker.draft(count, last)
        notes |= dict.fromkeys(maker.notes)
        unknown |= {card.name: None for card, _ in maker.cards if card == nameless(card.name)}
        parts.append(Part(weight, draft, asked))
    if unknown:
        notes[f"Nothing is known of {some_of(unknown)}: no description but their names fits them."] = None
    return Question(tuple(parts), last, plan, deck, tuple(notes), tuple(unknown))


def cards_of(deck: Deck, pool: CardPool | None = None) -> tuple[tuple[Card, int], ...]:
    """Return the different cards of a main deck and how many of each; of a card that nobody knows only its name."""
    found = []
    for name, number in deck.main.items():
        card = (pool.get(name) if pool is not None else None) or deck.cards.get(name)
        found.append((card or nameless(name), number))
    if not found:
        raise BadData("a library has at least one card, this deck has none in its main section.", key="deck")
    return tuple(found)


def nameless(name: str) -> Card:
    """Return a card of which nothing but the name is known."""
    return Card(name, None, TypeLine())


class _Maker:
    """Trace a plan for one deck."""

    def __init__(
        self, cards: tuple[tuple[Card, int], ...], plan: Plan, pool: CardPool | None, traced: bool = True
    ) -> None:
        self.cards = cards
        self.traced = traced
        self.plan = plan
        self.pool = pool
        self.counts = Counts(tuple(card for card, _ in cards), pool)
        self.notes: list[str] = []
        self.known: dict[Any, tuple[Row | Sorted, ...]] = {}

    def draft(self, count: Count, turns: int) -> tuple[Draft, dict[str, Asked]]:
        permanents = tuple((each, self._permanent(each)) for each in self.plan.permanents)
        rows: list[Row | Sorted] = []
        said: list[Said] = []
        if self.plan.opening is not None:
            rows.append(self._opening(self.plan.opening))
            said.append(Said(self.plan.opening, 0, range(1)))
        rows.append(Mark(0))
        for turn in range(1, turns + 1):
            there = tuple(each for each in self.plan.permanents if is_there(each, turn))
            drawn = False
            buried: int | None = 0
            for step in self.plan.steps:
                if step.in_turn(turn, self.plan.on_the_play):
                    in_draw_step = step.skips_first and not drawn
                    drawn = drawn or in_draw_step
                    more = self._step(step, there, in_draw_step, buried)
                    buried = buried_by(more, buried, [card for card, _ in self.cards])
                    said.append(Said(step, turn, range(len(rows), len(rows) + len(more)), in_draw_step))
                    rows += more
            rows.append(Mark(turn))
        if self.traced:
            self._tell_of_triggers()
        top, bottom = self._places(self.plan.top, "top"), self._places(self.plan.bottom, "bottom")
        for place in {*top, *bottom}:
            card, copies = self.cards[place]
            if (known := (top + bottom).count(place)) > copies:
                raise BadData(
                    f"the deck has {copies} {card.name}, and the plan knows where {known} of them lie.", key="known"
                )
        asked = read_counts(
            count, self.counts, self.cards
        )  # last: what the rows count is called alike for all questions
        coins = sum(isinstance(row, Coin) for row in rows)
        asked[HITS] = replace(asked[HITS], axes=(replace(asked[HITS].axes[0], high=coins),))
        return Draft(self.cards, tuple(rows), tuple(said), permanents, self.counts, top, bottom), asked

    def _opening(self, opening: Opening) -> Row:
        size = sum(number for _, number in self.cards)
        if not opening.keep:
            return Move(opening.size, "hand", draw=True)
        if opening.size > size:
            raise BadData(f"an opening hand of {opening.size} cards needs a larger deck than {size}.", key="deck")
        if self.plan.top or self.plan.bottom:
            self._note(
                "A hand that may be thrown back is dealt from a shuffled library: no card is known there any more."
            )
        keeps = tuple(Keep(self._counter(each.what), each.low, each.high) for each in opening.keep)
        away = opening.bottom if opening.bottom is not None else None
        if away is None:
            surplus = self._usual(opening)
        else:
            surplus = tuple(Surplus(self._counter(what), above) for what, above in away)
        return Mulligan("hand", opening.size, keeps, opening.down_to, opening.free, surplus)

    def _usual(self, opening: Opening) -> tuple[Surplus, ...]:
        """Put away what is above the middle of a range, then what was not asked for, then what is more than asked."""
        terms = [self.counts.described(each.what) for each in opening.keep]
        other = self.counts.function(
            "cards not asked for", lambda card: int(not any(fits(term, card) for term in terms))
        )
        asked: dict[str, Clause] = {}
        for each in opening.keep:
            counter = self._counter(each.what)
            asked[counter] = asked.get(counter, each).and_also(each)
        middle = {counter: (each.low + each.high) // 2 for counter, each in asked.items() if each.high is not None}
        said = [f"{asked[counter].what} above {above}" for counter, above in middle.items()]
        said += ["cards that it does not ask for"]
        self.notes.append(f"Mulligans put {', then '.join(said)} on the bottom first.")
        open_ended = (Surplus(counter, each.low) for counter, each in asked.items() if each.high is None)
        return (*(Surplus(*each) for each in middle.items()), Surplus(other), *open_ended)

    def _counter(self, text: str) -> str:
        return self.counts.counter(self.counts.described(text))

    def _step(
        self, step: Step, there: tuple[Permanent, ...], in_draw_step: bool, buried: int | None
    ) -> tuple[Row | Sorted, ...]:
        if not self.traced:
            with telling(step.spoken()[0], self.pool):
                read_step(step.spoken()[0])
            for what in left_out(step.spoken()[0]):
                self._note(f"Of '{step.spoken()[0]}' this is left out: {what}.")
            return () if step.chance == 1 else (Coin(step.chance, (Add(HITS),)),)
        buried = buried if "this turn" in step.text.lower() else None
        key = (step.text, step.draw, step.by, step.keep, step.enough, there, in_draw_step, buried)
        if key not in self.known:
            self.known[key] = self._trace(step, there, in_draw_step, buried)
        if step.chance == 1:
            return self.known[key]
        if (*key, step.chance) not in self.known:
            self.known[*key, step.chance] = (Coin(step.chance, (Add(HITS), *self.known[key])),)  # type: ignore[arg-type]
        return self.known[*key, step.chance]

    def _trace(
        self, step: Step, there: tuple[Permanent, ...], in_draw_step: bool, buried: int | None
    ) -> tuple[Row | Sorted, ...]:
        text, by = step.spoken()
        deck = [card for card, _ in self.cards]
        state = traced_state(self._controlled(there))
        tracer = Tracer(state, deck, self.counts.counter, self.counts.shared, self._keeping(step))
        tracer.buried, tracer.described = buried, fits
        tracer.size = sum(number for _, number in self.cards)
        if in_draw_step:
            tracer.change_turn(step="draw")
        with telling(text, self.pool):
            tracer.trace(text, side(by))
        self.notes += [note for note in tracer.notes if note not in self.notes]
        return _finished(_joined(tuple(map(as_worded, tracer.rows))))

    def _keeping(self, step: Step) -> Keeping | None:
        if not step.keep:
            return None
        term = self.counts.described(step.keep)
        by: tuple[Value, ...] = ()
        if step.enough is not None:
            by = (counted(self.counts.counter(term), *piles_in("hand")),)
        return Keeping(lambda card: fits(term, card), by, step.enough, fits)

    def _controlled(self, there: tuple[Permanent, ...]) -> tuple[tuple[Card, str], ...]:
        found = tuple((self._permanent(each), side(each.controller)) for each in there)
        for (card, _), times in Counter(found).items():
            if times > 1 and "Legendary" in card.types.supertypes:
                self._note(f"{card.name} applies {times} times; of one player's only one would stay (704.5j).")
        return found

    def _permanent(self, each: Permanent) -> Card:
        if isinstance(each.card, Card):
            card = each.card
        else:
            pools = (self.pool, CardPool(card for card, _ in self.cards), CardPool.catalogue())
            found = next((pool.get(each.card) for pool in pools if pool is not None and each.card in pool), None)
            if found is None:
                raise Unknown("card", each.card, CardPool.catalogue(), "in the pool or the catalogue")
            card = found
        reading = read_card(card)
        unread = " ".join(not_read(card))
        if unread:
            self._note(f"Of {card.name} this is not understood and left out: {unread}")
        if not self.traced:
            return card
        if not any(ability.kind == "replacement" for ability in reading.abilities):
            raise nothing_replaced(each.card, reading, unread)
        if any(ability.kind in ACTING for ability in reading.abilities):
            self._note(f"Of {card.name} only replacement effects apply; what else it does would be a step of its own.")
        return card

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def _tell_of_triggers(self) -> None:
        """Name cards of the deck that would do something by themselves once they are milled, which no program does."""
        names = [card.name for card, _ in self.cards if _acts_from_graveyard(card)]
        if names and any(not step.draw for step in self.plan.steps):
            shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
            self._note(f"What {shown} would do from the library or graveyard is left out.")

    def _places(self, names: Iterable[str], where: str) -> tuple[int, ...]:
        cards = [card for card, _ in self.cards]
        mine = CardPool(cards)
        found = []
        for name in names:
            if name not in mine:
                raise Unknown("card", name, mine, f"in the deck, to lie on its {where}")
            found.append(cards.index(mine.find(name)))
        return tuple(found)


def _acts_from_graveyard(card: Card) -> bool:
    text = card.text.lower()
    if "graveyard" not in text and "dredge" not in text:
        return False
    return any(
        ability.keyword == "dredge"
        or (
            ability.kind == "triggered"
            and ({"graveyard", "library"} & set(ability.zones) or _watches_its_mill(ability))
        )
        for ability in abilities_of(card)
    )


def _watches_its_mill(ability: Any) -> bool:
    words = ability.text.lower()
    return "put into a graveyard from anywhere" in words or "put into your graveyard from your library" in words


def _joined(rows: Sequence[Row | Sorted]) -> tuple[Row | Sorted, ...]:
    """Join draws that follow each other into one row."""
    found: list[Row | Sorted] = []
    for row in rows:
        last = found[-1] if found else None
        draws = [each for each in (last, row) if isinstance(each, Move) and each.draw and isinstance(each.n, int)]
        if len(draws) == 2:
            found[-1] = replace(draws[0], n=sum(each.n for each in draws if isinstance(each.n, int)))
        else:
            found.append(row)
    return tuple(found)


def _finished(rows: tuple[Row | Sorted, ...]) -> tuple[Row | Sorted, ...]:
    """Let a draw that loses leave the text finished first, where cards are shuffled back behind it (104.3c, 704.3)."""
    shuffles = [k for k, row in enumerate(rows) if not isinstance(row, Sorted) and _shuffles(row)]
    found: list[Row | Sorted] = []
    for place, row in enumerate(rows):
        later = isinstance(row, Move) and row.draw and place < max(shuffles, default=0)
        found.append(replace(row, later=True) if isinstance(row, Move) and later else row)
    return rows if tuple(found) == rows else (*found, Check())


def _shuffles(row: Row) -> bool:
    return any(isinstance(each, Shuffle) for each in walk((row,)))
