"""A deck that nobody knows: several that it may be, each with its weight."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb
from types import MappingProxyType
from typing import Any

from rulekit.cards.whole import is_whole
from rulekit.rules import BadData, Unknown


class Mixture:
    """Several decks one of which is the one, each with its weight; it never changes.

    Attributes:
        decks: The decks and their weights, fractions that add up to 1.
    """

    def __init__(self, decks: Mapping[Any, float | Fraction]) -> None:
        """Put decks together; `Deck.mixture` does it.

        Args:
            decks: Decks and their weights, at least 0 and not all 0; they are divided by their sum.

        Raises:
            BadData: There is no deck, or a weight is below 0 or no number.
        """
        if not isinstance(decks, Mapping) or not decks:
            raise BadData(
                "a mixture needs decks with weights.", key="mixture", instead="Deck.mixture({deck: 2, other: 1})."
            )
        weights = {deck: _exact(weight) for deck, weight in decks.items()}
        total = sum(weights.values())
        if not total:
            raise BadData("the weights of a mixture are not all 0.", key="mixture")
        kept = {deck: weight / total for deck, weight in weights.items() if weight}
        self.decks: Mapping[Any, Fraction] = MappingProxyType(kept)

    def given(self, seen: Iterable[str] | Mapping[str, int], *, remove: bool = False) -> Mixture:
        """Return the mixture after cards of the deck were seen: each weight times the chance to see just these.

        Args:
            seen: Names, each as often as it was seen, or names and numbers.
            remove: Whether the cards seen are taken out of the decks, because they are in no library any more.

        Returns:
            The mixture of the decks that can hold these cards.

        Raises:
            Unknown: No deck has a card of that name.
            BadData: No deck has so many, or something else stands where names and numbers must stand.
        """
        counted = _counted(seen)
        names = {name.casefold(): name for deck in self.decks for name in deck.main}
        for name in counted:
            if not isinstance(name, str) or name.casefold() not in names:
                raise Unknown("card", str(name), names.values(), "in these decks")
        cards = {names[name.casefold()]: number for name, number in counted.items()}
        weights = {deck: weight * _likelihood(deck.main, cards) for deck, weight in self.decks.items()}
        if not any(weights.values()):
            shown = ", ".join(f"{number} {name}" for name, number in cards.items())
            raise BadData(f"none of these decks holds {shown}.", key="given")
        if not remove:
            return Mixture(weights)
        left: dict[Any, Fraction] = {}
        for deck, weight in weights.items():
            if weight:
                rest = deck.without(cards)
                left[rest] = left.get(rest, Fraction(0)) + weight
        return Mixture(left)

    def __len__(self) -> int:
        return len(self.decks)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mixture) and dict(self.decks) == dict(other.decks)

    def __hash__(self) -> int:
        return hash(frozenset(self.decks.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Mixture, (dict(self.decks),))

    def _rows(self) -> list[tuple[str, str]]:
        return [(f"{100 * float(weight):.1f} %", repr(deck)) for deck, weight in self.decks.items()]

    def __repr__(self) -> str:
        return "\n".join(["Mixture of decks", *(f"  {weight:>7}  {deck}" for weight, deck in self._rows())])

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th scope="row">{html.escape(deck)}</th><td>{weight}</td></tr>' for weight, deck in self._rows()
        )
        head = '<tr><th scope="col">deck</th><th scope="col">weight</th></tr>'
        return f"<table><caption>Mixture of decks</caption><thead>{head}</thead><tbody>{rows}</tbody></table>"


def _counted(seen: Iterable[str] | Mapping[str, int]) -> Counter[str]:
    """Return how often each name was seen, and refuse what is none."""
    if isinstance(seen, str) or not isinstance(seen, Iterable):
        one = repr(seen) if isinstance(seen, str) else "'Island'"
        raise BadData(f"{seen!r} stands where names of cards must stand.", key="seen", instead=f"[{one}].")
    counted = Counter(dict(seen) if isinstance(seen, Mapping) else list(seen))
    for name, number in counted.items():
        if not is_whole(number) or number < 0:
            raise BadData(f"{number!r} is no number of cards.", key=f"seen: {name}", instead="0 or more.")
    return counted


def _exact(weight: Any) -> Fraction:
    try:
        exact = Fraction(str(weight)) if isinstance(weight, float) else Fraction(weight)
    except (TypeError, ValueError):
        raise BadData(f"{weight!r} is no weight.", key="mixture", instead="A number of at least 0.") from None
    if exact < 0:
        raise BadData(f"a weight is at least 0, not {weight}.", key="mixture")
    return exact


def _likelihood(main: Mapping[str, int], cards: Mapping[str, int]) -> Fraction:
    """Return the chance that as many cards of a deck as were seen are just these (multivariate hypergeometric)."""
    ways = 1
    for name, number in cards.items():
        ways *= comb(main.get(name, 0), number)
    total = comb(sum(main.values()), sum(cards.values()))
    return Fraction(ways, total) if total else Fraction(0)
