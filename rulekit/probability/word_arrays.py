"""The random numbers of many trials side by side: `words` with an array in place of each number."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rulekit.probability import words as single
from rulekit.probability.integers import WORD
from rulekit.probability.packed import GROUP, Words
from rulekit.probability.words import GOLD, MIX_1, MIX_2

Narrow: TypeAlias = NDArray[np.unsignedinteger[Any]]
Small: TypeAlias = NDArray[np.int16]

U = np.uint64
HALF, LOWER = U(32), U(0xFFFFFFFF)
STEP, WIDE = U(GOLD), 2.0**-53
SPARE_BITS = U(11)
SHIFTS, FACTORS = (U(30), U(27), U(31)), (U(MIX_1), U(MIX_2))
FEW_DOUBTS = 2.0**-13
MOST_NARROW = 255


def mix(z: Words, out: Words | None = None, spare: Words | None = None) -> Words:
    """Mix the bits of words.

    Args:
        z: The words.
        out: Where the result goes; None: into a new array.
        spare: An array of the same size that is written over; None: a new one.
    """
    spare = np.right_shift(z, SHIFTS[0], out=spare)
    out = np.bitwise_xor(z, spare, out=out)
    for shift, factor in zip(SHIFTS[1:], FACTORS, strict=True):
        out *= factor
        np.right_shift(out, shift, out=spare)
        out ^= spare
    return out


def high(words: Words, bounds: Any) -> Words:
    """Return the upper 64 bits of products of words and bounds below 2**32."""
    upper: Words = (words >> HALF) * bounds
    low = (words & LOWER) * bounds
    low >>= HALF
    upper += low
    upper >>= HALF
    return upper


def redrawn(s: Words, words: Words, product: Any, limit: Any) -> tuple[Words, Words]:
    """Step on where a word would make some places likelier than others."""
    bad = words * product < limit
    while bad.any():
        s[bad] += STEP
        words[bad] = mix(s[bad])
        bad = words * product < limit
    return s, words


def below(s: Words, bounds: Any) -> tuple[Words, Words]:
    """Draw numbers below bounds: one bound, or one for each."""
    s = s + STEP
    words = mix(s)
    if (words * bounds < bounds).any():
        s, words = redrawn(s, words, bounds, (U(0) - bounds) % bounds)
    return s, high(words, bounds)


def chance_of(numerator: int, denominator: int) -> tuple[int, int, int]:
    """Return the first word with which a coin fails, what a word is multiplied by, and the least product that will do.

    A place below the numerator among so many as the denominator is the same as a word below the first of these numbers.
    """
    return -(-(numerator << 64) // denominator), denominator, (1 << 64) % denominator


def tossed_at(s: Words, end: int, bound: int, limit: int, words: Words, spare: Words) -> NDArray[np.bool_]:
    """Toss coins of a chance, see `chance_of`: the same numbers as `below`, compared with the numerator.

    Args:
        s: The random streams, which are stepped on.
        end: The first number of the chance.
        bound: The second one.
        limit: The third one.
        words: An array of the same size that is written over.
        spare: Another one.
    """
    s += STEP
    mix(s, words, spare)
    if limit and np.multiply(words, U(bound), out=spare).min() < limit:
        redrawn(s, words, U(bound), U(limit))
    return np.ones(len(s), bool) if end > WORD else words < U(end)


def narrow_for(cards: int) -> type[np.uint8 | np.uint16]:
    """Return the narrowest numbers that count so many cards."""
    return np.uint8 if cards <= MOST_NARROW else np.uint16


def step_on(s: Words, going: NDArray[np.bool_] | None, spare: Words) -> None:
    """Step random streams on, all or some; an array of the same size is written over."""
    if going is None:
        s += STEP
    else:
        np.copyto(spare, going)
        spare *= STEP
        s += spare


class Places:
    """Draw places among cards, up to GROUP with a word, in arrays that are kept.

    A word by 2**64 is a fraction; multiplied by a number of cards it has a place before the point, and behind it the
    fraction for the next place. Numbers with 53 bits are quick to reckon with. Where a fraction that is left is so near
    0 or 1 that the last bits decide, or that the word will not do, the places are worked out from the word itself.
    """

    def __init__(self, words: Words, spare: Words, product: Words, limit: Words) -> None:
        """Make room for a number of trials.

        Args:
            words: An array of the size of most trials that is written over.
            spare: Another one.
            product: The first table of `packed.group_limits`.
            limit: The second one.
        """
        self.product, self.limit = product, limit
        self.products: list[int] = product.tolist()
        self.limits: list[int] = limit.tolist()
        self.row = len(product) // GROUP
        self.narrow = narrow_for(self.row - 1)
        self.size = GROUP if doubt(self.products[-1]) <= FEW_DOUBTS else GROUP // 2
        self.unfair = max(self.limits) * 2.0**-64
        self.words, self.spare = words, spare
        self.before = spare.view(np.float64)  # the part of a fraction before the point
        self.fraction, self.bounds = np.empty((2, len(words)))
        self.pair, self.first = np.empty((2, len(words)), np.uint16)
        self.found = np.empty((GROUP, len(words)), self.narrow)

    def draw(
        self, s: Words, left: int | Small, cards: int | Narrow, count: int, going: NDArray[np.bool_] | None
    ) -> Narrow:
        """Draw a word for each trial, and its places.

        Args:
            s: The random streams, which are stepped on.
            left: Number of cards of which the first place is one, at least 1.
            cards: Number of cards that the word is for; it is for GROUP if there are more.
            count: The largest of these numbers, at most GROUP.
            going: Which trials draw, None for all; the other ones get any places.

        Returns:
            Array (places, trials), written over by the next call.
        """
        n = len(s)
        words, spare = self.words[:n], self.spare[:n]
        step_on(s, going, spare)
        mix(s, words, spare)
        if self.narrow is not np.uint8:
            self.redraw(s, left, cards, going)
        for first in range(0, count, self.size):
            if first:
                words *= self.product[(first - 1) * self.row :].take(left)
            np.right_shift(words, SPARE_BITS, out=spare)
            np.copyto(self.fraction[:n], spare.view(np.int64))
            if isinstance(left, int):
                self.split_evenly(n, left, first, min(count, first + self.size))
            else:
                self.split(n, left, first, min(count, first + self.size))
            self.look_closer(s, left, cards, going, first, count)
        return self.found[:count, :n]

    def redraw(self, s: Words, left: int | Small, cards: int | Narrow, going: NDArray[np.bool_] | None) -> None:
        """Step on where the word of a trial would make some places likelier than others, if that is no rare thing."""
        words, at = self.words[: len(s)], (np.clip(cards, 1, GROUP).astype(np.int64) - 1) * self.row + left
        product, limit = self.product[at], self.limit[at]
        bad = words * product < limit
        some = np.flatnonzero(bad if going is None else bad & going)
        if np.ndim(at):
            product, limit = product[some], limit[some]
        s[some], words[some] = redrawn(s[some], words[some], product, limit)

    def split_evenly(self, n: int, left: int, first: int, end: int) -> None:
        """Split fractions into some places of a word, with the same number of cards in all trials."""
        fraction, before, pair, lead = self.fraction[:n], self.before[:n], self.pair[:n], self.first[:n]
        scale, place = WIDE, first
        while place < end:
            bound, then = max(1, left - place), max(1, left - place - 1)
            both = place + 1 < end and self.narrow is np.uint8
            fraction *= bound * (then if both else 1) * scale
            np.floor(fraction, out=before)
            fraction -= before
            if both:
                np.copyto(pair, before, casting="unsafe")
                np.floor_divide(pair, np.uint16(then), out=lead)
                np.copyto(self.found[place, :n], lead, casting="unsafe")
                lead *= np.uint16(then)
                pair -= lead
                np.copyto(self.found[place + 1, :n], pair, casting="unsafe")
            else:
                np.copyto(self.found[place, :n], before, casting="unsafe")
            scale, place = 1.0, place + 1 + both

    def split(self, n: int, left: Small, first: int, end: int) -> None:
        """Split fractions into some places of a word, with a number of cards for each trial."""
        fraction, before, bounds = self.fraction[:n], self.before[:n], self.bounds[:n]
        np.copyto(bounds, left if not first else np.maximum(left - first, 1))
        low = int(left.min())
        fraction *= WIDE
        for place in range(first, end):
            if place > first:
                bounds -= 1.0
                if low <= place:
                    np.maximum(bounds, 1.0, out=bounds)
            fraction *= bounds
            np.floor(fraction, out=before)
            fraction -= before
            np.copyto(self.found[place, :n], before, casting="unsafe")

    def look_closer(
        self,
        s: Words,
        left: int | Small,
        cards: int | Narrow,
        going: NDArray[np.bool_] | None,
        first: int,
        count: int,
    ) -> None:
        """Work the places out from the word itself where a fraction that is left is near 0 or 1."""
        most = max(1, (left if isinstance(left, int) else int(left.max())) - first)
        near = doubt(self.products[(min(count - first, self.size) - 1) * self.row + most])
        near = max(near, self.unfair) if first else near
        fraction = self.fraction[: len(s)]
        while fraction[k := int(fraction.argmin())] < near or fraction[k := int(fraction.argmax())] > 1 - near:
            fraction[k] = 0.5
            if going is None or going[k]:
                own, number = (each if isinstance(each, int) else int(each[k]) for each in (left, cards))
                self.work_out(s, k, own, number, count)

    def work_out(self, s: Words, k: int, left: int, cards: int, count: int) -> None:
        """Work out the places of one trial."""
        at = (min(cards, GROUP) - 1) * self.row + left
        s[k] = state = single.redraw(int(s[k]), self.products[at], self.limits[at])
        word = single.mix(state)
        for place in range(count):
            self.found[place, k] = word * left >> 64
            word, left = word * left & WORD, max(1, left - 1)


def doubt(product: int) -> float:
    """Return how near a whole number the fraction left by some places must be to leave them in doubt.

    The fraction is that of the word, cut to 53 bits, times each of the numbers of cards, rounded each time. That is off
    by less than 2 + 1 / a + 1 / ab + ... times product / 2**53, where a, b, ... are these numbers. What a word leaves
    that will not do is below product / 2**64.
    """
    return product * 2.0**-51 + 2.0**-50
