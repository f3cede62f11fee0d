"""What several costs of a spell or ability lay claim to: nothing is tapped twice, nothing goes away twice (601.2h).

A word of the sort "cost" may have the fact ``uses``: from the frame, the player and its arguments it returns how many
objects it uses up and which could serve; its fact ``leaves`` says that they leave their zone, else they are tapped.
What is tapped for one cost may still leave for another: costs that tap are paid first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from rulekit.engine.abilities import WORDS, Term
from rulekit.engine.frame import Frame

Used = frozenset[tuple[bool, int]]  # what is used up: whether by leaving, and the object
MOST_WAYS = 2_000  # ways of setting objects aside that are tried before a cost counts as too large


@dataclass(frozen=True, slots=True)
class Claim:
    """What one cost needs.

    Attributes:
        leaves: Whether what it uses leaves its zone; else it is tapped.
        n: How many objects.
        among: Those that could serve.
    """

    leaves: bool
    n: int
    among: tuple[int, ...]

    def after(self, leaves: bool, *numbers: int) -> Claim:
        """Return the claim once objects have been used up."""
        if leaves != self.leaves:
            return self
        return Claim(leaves, self.n, tuple(one for one in self.among if one not in numbers))


def claimed(frame: Frame, player: str, costs: Sequence[Term]) -> tuple[Claim, ...]:
    """Return what costs that have not been paid yet lay claim to."""
    found = []
    for cost in costs:
        facts = WORDS[cost.op].facts
        if "uses" in facts:
            n, among = facts["uses"](frame, player, *cost.args)
            found.append(Claim(bool(facts.get("leaves")), n, tuple(among)))
    return tuple(found)


def met(claims: Sequence[Claim]) -> bool:
    """Return whether all claims can be met at once, each with objects of its own."""
    return all(_matched([claim for claim in claims if claim.leaves == leaves]) for leaves in (False, True))


def _matched(claims: Sequence[Claim]) -> bool:
    """Return whether each claim finds objects that serve no other one."""
    if len(claims) < 2 or not any(set(one.among) & set(two.among) for one, two in combinations(claims, 2)):
        return all(claim.n <= len(claim.among) for claim in claims)
    wanted = [claim for claim in claims for _ in range(claim.n)]
    serves: dict[int, int] = {}

    def place(index: int, tried: set[int]) -> bool:
        for number in wanted[index].among:
            if number not in tried:
                tried.add(number)
                if number not in serves or place(serves[number], tried):
                    serves[number] = index
                    return True
        return False

    return all(place(index, set()) for index in range(len(wanted)))


def set_aside(claims: Sequence[Claim], rather: Sequence[int] = ()) -> Iterator[Used]:
    """Yield ways of setting aside what claims need.

    Args:
        claims: The claims.
        rather: Objects that are better kept for something else: the ways without them come first.
    """
    dear = set(rather)

    def ways(index: int, used: Used) -> Iterator[Used]:
        if index == len(claims):
            yield used
            return
        claim = claims[index]
        free = sorted((one for one in claim.among if (claim.leaves, one) not in used), key=lambda one: one in dear)
        for numbers in combinations(free, claim.n):
            yield from ways(index + 1, used | {(claim.leaves, number) for number in numbers})

    for count, used in enumerate(ways(0, frozenset())):
        if count == MOST_WAYS:
            return
        yield used
