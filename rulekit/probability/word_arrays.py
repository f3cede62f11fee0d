"""The random numbers of many trials side by side: `words` with an array in place of each number."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rulekit.probability import words as single
from rulekit.probability.integers import WORD
from rulekit.probability.packed import GROUP, Numbers, Words
from rulekit.probability.words import GOLD, MIX_1, MIX_2

Narrow: TypeAlias = NDArray[np.unsignedinteger[Any]]

U = np.uint64
HALF, LOWER = U(32), U(0xFFFFFFFF)
STEP, WIDE = U(GOLD), 2.0**-53
SPARE_BITS = U(11)
SHIFTS, FACTORS = (U(30), U(27), U(31)), (U(MIX_1), U(MIX_2))
FEW_DOUBTS = 1 << 51
LAST_WORD = U(WORD)
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


class Places:
    """Draw places among cards, GROUP with a word, in arrays that are kept.

    A word by 2**64 is a fraction; multiplied by a number of cards it has a place before the point, and behind it the
    fraction for the next place. Numbers with 53 bits are quick to reckon with. Where the product of a word and all the
    numbers of cards comes so near a multiple of 2**64 that the last bits decide, or that the word will not do, the
    places are worked out from the word itself.
    """

    def __init__(self, words: Words, spare: Words, product: Words, limit: Words) -> None:
        """Make room for a number of trials.

        Args:
            words: An array of the size of most trials that is written over.
            spare: Another one.
            product: The first table of `packed.group_limits`.
            limit: The second one.
        """
        self.products: list[int] = product.tolist()
        self.limits: list[int] = limit.tolist()
        cards = len(product) - 1
        self.narrow = narrow_for(cards)
        self.size = GROUP if doubt(self.products[-1]) <= FEW_DOUBTS else GROUP // 2
        self.product, self.limit, self.bad = product, limit, max(self.limits)
        self.parts, self.thirds = product, [left * max(1, left - 1) * max(1, left - 2) for left in range(cards + 1)]
        if self.size < GROUP:
            self.parts = np.array(self.thirds, U)
        self.words, self.spare = words, spare
        self.before = spare.view(np.float64)  # the part of a fraction before the point
        self.fraction, self.bounds = np.empty((2, len(words)))
        self.pair, self.first = np.empty((2, len(words)), np.uint16)
        self.found = np.empty((GROUP, len(words)), self.narrow)

    def draw(self, s: Words, left: int | Numbers, count: int, going: NDArray[np.bool_] | None) -> Narrow:
        """Draw a word for each trial, and the first of its places.

        Args:
            s: The random streams, which are stepped on.
            left: Number of cards of which the first place is one, at least 1.
            count: Number of places, 0 to GROUP.
            going: Which trials draw, None for all; the other ones get any places.

        Returns:
            Array (count, trials), written over by the next call.
        """
        n = len(s)
        words, spare = self.words[:n], self.spare[:n]
        if going is None:
            s += STEP
        else:
            np.copyto(spare, going)
            spare *= STEP
            s += spare
        mix(s, words, spare)
        if self.narrow is not np.uint8:
            self.redraw(s, left, going)
        for first in range(0, GROUP, self.size):
            end = min(count, first + self.size)
            if first < end:
                np.right_shift(words, SPARE_BITS, out=spare)
                np.copyto(self.fraction[:n], spare.view(np.int64))
                if isinstance(left, int):
                    self.split_evenly(n, left, first, end)
                else:
                    self.split(n, left, first, end)
            self.look_closer(s, left, first, count, going)
        return self.found[:count, :n]

    def redraw(self, s: Words, left: int | Numbers, going: NDArray[np.bool_] | None) -> None:
        """Step on where the word of a trial would make some places likelier than others, if that is no rare thing."""
        words, at = self.words[: len(s)], np.broadcast_to(left, len(s))
        bad = words * self.product[at] < self.limit[at]
        some = np.flatnonzero(bad if going is None else bad & going)
        s[some], words[some] = redrawn(s[some], words[some], self.product[at[some]], self.limit[at[some]])

    def split_evenly(self, n: int, left: int, first: int, end: int) -> None:
        """Split fractions into some places of a word, with the same number of cards in all trials."""
        fraction, before, pair, lead = self.fraction[:n], self.before[:n], self.pair[:n], self.first[:n]
        scale, place = WIDE, first
        while place < end:
            bound, then = max(1, left - place), max(1, left - place - 1)
            both = place + 1 < end and self.narrow is np.uint8
            fraction *= bound * (then if both else 1) * scale
            if both:
                np.copyto(pair, fraction, casting="unsafe")
                np.floor_divide(pair, np.uint16(then), out=lead)
                np.copyto(self.found[place, :n], lead, casting="unsafe")
                lead *= np.uint16(then)
                pair -= lead
                np.copyto(self.found[place + 1, :n], pair, casting="unsafe")
            else:
                np.copyto(self.found[place, :n], fraction, casting="unsafe")
            scale, place = 1.0, place + 1 + both
            if place < end:
                np.floor(fraction, out=before)
                fraction -= before

    def split(self, n: int, left: Numbers, first: int, end: int) -> None:
        """Split fractions into some places of a word, with a number of cards for each trial."""
        fraction, before, bounds = self.fraction[:n], self.before[:n], self.bounds[:n]
        np.copyto(bounds, left if not first else np.maximum(left - first, 1))
        low = int(left.min())
        fraction *= WIDE
        for place in range(first, end):
            fraction *= bounds
            np.copyto(self.found[place, :n], fraction, casting="unsafe")
            if place + 1 < end:
                np.floor(fraction, out=before)
                fraction -= before
                bounds -= 1.0
                if low <= place + 1:
                    np.maximum(bounds, 1.0, out=bounds)

    def look_closer(
        self, s: Words, left: int | Numbers, first: int, count: int, going: NDArray[np.bool_] | None
    ) -> None:
        """Multiply words by the numbers of cards of a part; work places out from the word where they are in doubt."""
        words, spare = self.words[: len(s)], self.spare[: len(s)]
        if isinstance(left, int):
            high = max(1, left - first)
            words *= self.parts[high]
        else:
            high = max(1, int(left.max()) - first)
            self.parts.take(left if not first else np.maximum(left - first, 1), out=spare, mode="clip")
            words *= spare
        near = doubt(self.products[high] if self.size == GROUP else self.thirds[high])
        if first + self.size == GROUP and self.narrow is np.uint8:
            near = max(near, self.bad)
        np.add(words, U(near), out=spare)
        while spare[k := int(spare.argmin())] < 2 * near:
            spare[k] = LAST_WORD
            if going is None or going[k]:
                self.work_out(s, k, left if isinstance(left, int) else int(left[k]), count)

    def work_out(self, s: Words, k: int, left: int, count: int) -> None:
        """Work out the places of one trial."""
        s[k] = state = single.redraw(int(s[k]), self.products[left], self.limits[left])
        word = single.mix(state)
        for place in range(count):
            self.found[place, k] = word * left >> 64
            word, left = word * left & WORD, max(1, left - 1)


def doubt(product: int) -> int:
    """Return how near a multiple of 2**64 the product of a word and some numbers of cards leaves places in doubt.

    The fraction is that of the word, cut to 53 bits, times each of the numbers, rounded each time. That is off by less
    than 2 + 1 / a + 1 / ab + ... times product / 2**53, where a, b, ... are the numbers. What words that will not do
    leave is below the product of all.
    """
    return (product << 13) + (1 << 14)
