"""One trial dealt again by its number, card by card."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from rulekit.probability import rows
from rulekit.probability.desk import (
    ABOVE,
    BELOW,
    BEYOND,
    BOTTOM,
    DECK,
    HEAD,
    HELD,
    RING,
    RING_MASK,
    START,
    TAIL,
    TRIALS,
    layout,
)
from rulekit.probability.integers import Memory
from rulekit.probability.kernel import play_trial
from rulekit.probability.packed import TO_BOTTOM, TO_TOP, Arrays, Numbers, Packed, pool_words
from rulekit.probability.packing import pack
from rulekit.probability.pool import take_at
from rulekit.probability.program import Program
from rulekit.probability.taking import CARD, LEFT_OUT, ROW_BEGINS, SHUFFLED, TAKEN_UP, THROWN_BACK, UNSEEN
from rulekit.probability.words import below, stream


@dataclass(frozen=True, slots=True)
class Moved:
    """A card that a row moved.

    Attributes:
        number: Which card it is: its place among all cards, class after class.
        card: Its name; the number of its class where the program has no names.
        to: The pile, "top" or "bottom" that it went to.
    """

    number: int
    card: str
    to: str


@dataclass(frozen=True, slots=True)
class Step:
    """What one row did.

    Attributes:
        row: The row.
        place: Its place, or that of the row around it, among the outermost rows of the program.
        moved: The cards that it moved, in the order in which they moved.
        order: Which of the orders of the library holds when the row begins.
        looks: The looks of a mulligan that were thrown back, each as names of cards.
    """

    row: rows.Row
    place: int
    moved: tuple[Moved, ...]
    order: int
    looks: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Dealt:
    """One trial, card by card.

    Attributes:
        program: What was done.
        trial: Number of the trial.
        steps: Each row that was carried out, in order; a row that a coin or a condition left out is not among them.
        library: Names of the cards that were left in the library, the top card first.
        orders: Numbers of the cards of the library, the top card first, as it lay at the beginning and after each
            shuffle; between two shuffles only those that somebody came to see, above the others.
        marks: For each turn, the value of each axis.
    """

    program: Program
    trial: int
    steps: tuple[Step, ...]
    library: tuple[str, ...]
    orders: tuple[tuple[int, ...], ...]
    marks: dict[int, dict[str, int]]


def dealt(program: Program, key: int, trial: int, looked: frozenset[str] = frozenset()) -> Dealt:
    """Deal a trial again.

    Args:
        program: The program.
        key: Key of the seed, see `workers.key_of`.
        trial: Number of the trial.
        looked: As for `pack`.

    Returns:
        The trial with the very cards that moved. Cards that nobody looked at, and those left in the library, come into
        an order by the words of the random stream that follow.
    """
    packed, names, memory = _by_card(program, looked)
    desk = _Desk([0] * memory[1])
    desk[TRIALS] = 1
    out = [0] * len(packed.turns)
    play_trial(memory[0], desk, out, 0, stream(key, trial))
    desk.finish(memory[0])
    steps = tuple(desk.steps(packed, names))
    left = desk.library(memory[0])
    orders = tuple(map(tuple, desk.orders(memory[0], left)))
    library = tuple(names[card] for card in left)
    marks = {turn: values_of(packed, cell) for turn, cell in zip(packed.turns, out, strict=True)}
    return Dealt(program, trial, steps, library, orders, marks)


def values_of(packed: Packed, cell: int) -> dict[str, int]:
    """Return the value of each axis in a cell."""
    fields = zip(packed.program.axes, packed.shifts, packed.widths, strict=True)
    return {axis.name: cell >> shift & (1 << width) - 1 for axis, shift, width in fields}


class _Desk(list[int]):
    """Write down what the functions of `kernel` tell."""

    def __init__(self, places: list[int]) -> None:
        super().__init__(places)
        self.told: list[tuple[int, ...]] = []

    def listen(self, *what: int) -> None:
        self.told.append(what)

    def finish(self, p: Memory) -> None:
        """Bring the cards that are still in an unknown order into an order."""
        self.pos, self.top, s = self.told.pop()[1:]
        end = self[BEYOND]
        for place in range(self.pos + self[ABOVE], end):
            s, chosen = below(s, end - place)
            self[p[HELD]], self[place] = take_at(p, self, self[p[HELD]], chosen)

    def library(self, p: Memory) -> list[int]:
        """Return the cards left in the library, the top card first."""
        ring, mask = p[RING], p[RING_MASK]
        below = [self[ring + (k & mask)] for k in range(self[HEAD], self[TAIL])]
        return [*self[self.pos : self.top], *below]

    def steps(self, packed: Packed, names: list[str]) -> list[Step]:
        """Put what was told into words."""
        places = [*packed.program.piles, *[""] * (TO_BOTTOM + 1)]
        places[TO_TOP], places[TO_BOTTOM] = rows.TOP, rows.BOTTOM
        begun: list[tuple[int, list[Moved], int, list[str]]] = []
        order = 0
        left_out: set[int] = set()
        for kind, *what in self.told:
            if kind == ROW_BEGINS:
                begun.append((what[0], [], order, []))
            elif kind == LEFT_OUT:
                left_out.add(len(begun) - 1)
            elif kind == THROWN_BACK:
                begun[-1][3].append(names[what[0]])
            elif kind == SHUFFLED:
                order += 1
            elif kind in (CARD, UNSEEN):
                pile, *_ = what
                cards = self.cards(kind, what)
                begun[-1][1].extend(Moved(card, names[card], places[pile]) for card in cards)
        return [
            Step(packed.sources[row], packed.places[row], tuple(moved), at, _looks(packed.sources[row], thrown))
            for number, (row, moved, at, thrown) in enumerate(begun)
            if number not in left_out
        ]

    def cards(self, kind: int, what: list[int]) -> list[int]:
        """Return the cards of which something was told."""
        if kind == UNSEEN:
            _, first, count = what
            return self[first : first + count]
        return what[-1:] if kind in (CARD, TAKEN_UP) else []

    def orders(self, p: Memory, left: list[int]) -> list[list[int]]:
        """Return how the library lay at the beginning and after each shuffle."""
        start = [*p[p[DECK] + p[START] : p[BOTTOM]], *p[p[BOTTOM] : p[BOTTOM] + p[BELOW]]]
        found: list[dict[int, None]] = [{}]
        for kind, *what in self.told:
            if kind == SHUFFLED:
                found.append({})
            found[-1] |= dict.fromkeys(self.cards(kind, what))
        if len(found) > 1:
            found[0] |= dict.fromkeys(start)
        found[-1] |= dict.fromkeys(left)
        return [list(each) for each in found]


def _looks(row: rows.Row, thrown: list[str]) -> tuple[tuple[str, ...], ...]:
    size = getattr(row, "size", 1)
    return tuple(tuple(thrown[k : k + size]) for k in range(0, len(thrown), size))


@lru_cache(maxsize=16)
def _by_card(program: Program, looked: frozenset[str]) -> tuple[Packed, list[str], tuple[list[int], int]]:
    """Pack a program so that each card is a class of its own, with the same trials."""
    packed = pack(program, None, looked)
    arrays = packed.arrays
    kinds = np.repeat(np.arange(arrays.classes), [one.size for one in program.classes])
    names = [str(kind) for kind in kinds]
    at = 0
    for one in program.classes:
        names[at : at + one.size] = one.cards or names[at : at + one.size]
        at += one.size
    known = arrays.deck[arrays.start : arrays.known].tolist()
    lying = arrays.bottom[: arrays.below].tolist()
    rest = arrays.deck[arrays.known :].tolist()
    numbers = _numbered([*known, *lying, *rest], kinds)
    top, bottom = numbers[: len(known)], numbers[len(known) : len(known) + len(lying)]
    deck = np.array([*[0] * arrays.start, *top, *numbers[len(known) + len(lying) :]], np.int64)
    ring = np.array([*bottom, *[0] * (len(arrays.bottom) - len(bottom))], np.int64)
    spread: dict[str, Any] = {
        name: getattr(arrays, name).reshape(-1, arrays.classes)[:, kinds].ravel()
        for name in ("weights", "tally_weights", "features", "local")
    }
    if len(arrays.sends) > 1:
        spread["sends"] = arrays.sends.reshape(-1, arrays.classes)[:, kinds].ravel()
    sizes = np.bincount(deck[arrays.known :], minlength=len(kinds)).tolist()
    pool = pool_words(sizes, arrays.cards)
    single: Arrays = arrays._replace(looks=1, classes=len(kinds), pool=pool, deck=deck, bottom=ring, **spread)
    return packed, names, layout(single)


def _numbered(classes: list[int], kinds: Numbers) -> list[int]:
    """Give each card of a list of classes a number of its own, the first of its class first."""
    following = [int(place) for place in np.searchsorted(kinds, np.arange(int(kinds.max(initial=0)) + 1))]
    numbers = []
    for kind in classes:
        numbers.append(following[kind])
        following[kind] += 1
    return numbers
