"""What the names of a scenario mean in a State: a label, a name, NAME trigger, or words of an ability's text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulekit.engine.abilities import Ability
from rulekit.engine.events import NUMBERS, Decision
from rulekit.engine.mana import COLORS
from rulekit.engine.state import State
from rulekit.rules import Unknown

MADE = ("token", "copy")
_NUMBERED = re.compile(r"(.+) #([1-9]\d*)( trigger| ability)?")
_NEAREST_FIRST = ("battlefield", "stack", "graveyard", "hand", "exile", "library", "outside")


def names_of(state: State, number: int) -> tuple[str, ...]:
    """Return what an object may be called, its label first.

    Args:
        state: Where it is, or last was.
        number: The object.

    Returns:
        Label, name, and the names printed on it; of an ability on the stack `NAME trigger` or `NAME ability` for each.
    """
    thing = state.get(number)
    if thing.kind != "ability":
        card = thing.card
        printed = (card.name, card.full_name, *(face.name for face in card.faces)) if card else ()
        return tuple(dict.fromkeys(name for name in (thing.label, state.look(number).name, *printed) if name))
    end = "trigger" if thing.ability is not None and thing.ability.kind == "triggered" else "ability"
    source = thing.memory.this if thing.memory else 0
    known = source in state.objects or source in state.past
    return tuple(dict.fromkeys(f"{name} {end}" for name in (thing.label, *(names_of(state, source) if known else ()))))


def name_of(state: State, number: int) -> str:
    """Return the name by which zones and the stack list an object."""
    return state.name(number)


def find(state: State, name: str, among: Iterable[int] | None = None) -> int | None:
    """Return the object that a name means.

    Args:
        state: Where to look.
        name: A label or a name.
        among: The objects that it may be; all that exist if left out, save copies of spells and abilities.

    Returns:
        The one whose label it is rather than its name, and of several the one on the battlefield first; None if nothing
        is called so.
    """
    return next(iter(fitting(state, name, among)), None)


def fitting(state: State, name: str, among: Iterable[int] | None = None) -> list[int]:
    """Return the objects that a name means equally well: all with that label, or else all with that name.

    Args:
        state: Where to look.
        name: A label or a name, or one with a number: `Wolf #2` is the second token or copy of that name that was made.
        among: The objects that it may be; all that exist if left out, save copies of spells and abilities.

    Returns:
        The likeliest first; empty if nothing is called so.
    """
    if among is None:
        among = [n for n, thing in state.objects.items() if thing.kind in ("card", "token")]
    numbered = _NUMBERED.fullmatch(name)
    if numbered is not None and not any(name in names_of(state, number) for number in among):
        plain, place = numbered[1] + (numbered[3] or ""), int(numbered[2])
        made = [number for number in among if plain in names_of(state, number)]
        return [number for number in made if _place_among_made(state, number) == place]
    ranked = sorted(
        (
            state.get(number).kind == "copy",  # a label means the card, and its copy only where the card cannot be
            names_of(state, number).index(name) > 0,
            _NEAREST_FIRST.index(state.get(number).zone),
            place,
            number,
        )
        for place, number in enumerate(among)
        if name in names_of(state, number)
    )
    return [number for is_copy, is_name, *_, number in ranked if (is_copy, is_name) == ranked[0][:2]]


def origins(state: State) -> dict[int, int]:
    """Return the first object of each card or token for each object that it became (400.7)."""
    origin: dict[int, int] = {}
    for number in sorted(state.past):
        became = state.past[number].became
        if became is not None:
            origin[became] = origin.get(number, number)
    return origin


def made(state: State) -> dict[str, list[int]]:
    """Return the tokens and copies of the game by what they are called, in the order in which they were made."""
    later = origins(state)
    found: dict[str, list[int]] = {}
    for number in sorted((*state.past, *state.objects)):
        thing = state.get(number)
        if number not in later and thing.kind in MADE:
            found.setdefault(thing.label or state.name(number), []).append(number)
    return found


def _place_among_made(state: State, number: int) -> int:
    """Return which of the tokens and copies of its name something is, or whose source is, counted from 1; 0 if none."""
    thing = state.get(number)
    of = thing.memory.this if thing.kind == "ability" and thing.memory else number
    first = origins(state).get(of, of)
    same = next((numbers for numbers in made(state).values() if first in numbers), [first - 1])
    return same.index(first) + 1 if first in same else 0


def find_or_last(state: State, name: str) -> int:
    """Return the object that a name means, or what was last called so and exists no more.

    Raises:
        Unknown: Nothing is or was called so.
    """
    number = find(state, name)
    if number is None:
        gone = sorted((n for n, past in state.past.items() if past.became is None), reverse=True)
        number = find(state, name, gone[:1000])
    if number is None:
        every = (label for number in state.objects for label in names_of(state, number)[:2])
        raise Unknown("card or permanent", name, dict.fromkeys(every))
    return number


def option(state: State, decision: Decision, answer: Any) -> Any:
    """Return the option of a decision that an answer means, or None.

    Args:
        state: Where the names are looked up.
        decision: What is asked.
        answer: A label, a name, a player, a number, yes or no, or words that the option is called by.
    """
    if decision.kind == "choose color" or (decision.kind == "choose mode" and isinstance(answer, int)):
        return _color_or_mode(decision, answer)
    numeric = decision.kind in NUMBERS
    if answer in decision.options and (numeric or not isinstance(answer, int)):
        return answer
    objects = [] if numeric else [n for n in decision.options if _is_object(state, n)]
    if isinstance(answer, str):
        found = find(state, answer, objects)
        if found is not None:
            return found
    words = list(decision.words or map(str, decision.options))
    for fits in (_same, whole_words):
        for each, said in zip(decision.options, words, strict=True):
            if fits(str(answer), said):
                return each
    return next((each for each in decision.options if _is_ability_of(state, each, str(answer))), None)


def are_alike(state: State, options: Sequence[Any]) -> bool:
    """Return whether nothing distinguishes the objects that may be chosen, so that any one of them is meant.

    Args:
        state: Where they are.
        options: The answers; what is no object is like nothing else.
    """
    if not all(_is_object(state, each) and each in state.objects for each in options):
        return False
    first, *others = (state.objects[each].but(number=0, timestamp=0, born=0) for each in options)
    return all(other == first for other in others) and not any(state.attachments(each) for each in options)


def told(state: State, decision: Decision) -> list[str]:
    """Return what the options of a decision are called."""
    objects = decision.kind not in (*NUMBERS, "order triggers")
    return [
        name_of(state, each) if objects and _is_object(state, each) else decision.word(each)
        for each in decision.options
    ]


def meant(state: State, answer: Any) -> Any:
    """Return the object that an answer means anywhere, so that it can be refused with its rule; else the answer."""
    found = find(state, answer) if isinstance(answer, str) and answer not in state.players else None
    if found is None and isinstance(answer, str):
        found = find(state, answer, state.stack)
    return answer if found is None else found


def _is_object(state: State, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and (value in state.objects or value in state.past)


def _color_or_mode(decision: Decision, answer: Any) -> Any:
    """Return the color that a name or a symbol means, or the mode with a number, counted from 1; None for neither."""
    if isinstance(answer, int):
        return answer - 1 if answer - 1 in decision.options else None
    said = str(answer).strip("{}")
    names = next((pair for pair in COLORS.items() if said in pair), (said,))
    return next((each for each in names if each in decision.options), None)


def _is_ability_of(state: State, option: Any, name: str) -> bool:
    """Return whether an option is an ability (its object and place) of what is called so."""
    return isinstance(option, tuple) and _is_object(state, option[0]) and bool(fitting(state, name, option[:1]))


def _same(answer: str, said: str) -> bool:
    return answer.casefold() == said.casefold()


def whole_words(words: str, text: str) -> bool:
    """Return whether words stand in a text as whole words, one behind the other."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE) is not None


# -------------------------------------------------------------------- abilities


def activated(state: State, number: int) -> Iterator[tuple[int, Ability]]:
    """Yield the activated abilities of an object with their places among all its abilities."""
    for place, ability in enumerate(state.look(number).abilities):
        if ability.kind == "activated":
            yield place, ability


def abilities_called(state: State, number: int, wanted: str | int | None) -> list[int]:
    """Return the places of the activated abilities of an object that a step means, the best first.

    Args:
        state: Where it is.
        number: The object.
        wanted: A keyword such as "equip" or "equip Knight", the number counted from 1, words of the text, or None.
    """
    every = list(activated(state, number))
    if wanted is None:
        return [place for place, _ in every]
    if isinstance(wanted, int) or wanted.isdigit():
        return _numbered([place for place, _ in every], int(wanted))
    keyword = [(place, ability) for place, ability in every if _is_keyword(ability, wanted)]
    if keyword:
        return [
            place for place, _ in sorted(keyword, key=lambda pair: bool(pair[1].value) and wanted == pair[1].keyword)
        ]
    said = [place for place, ability in every if _says(ability, wanted)]
    return said or [place for place, ability in every if _says(ability, f"{wanted}s")]  # mill: target player mills


def _numbered(places: Sequence[int], wanted: int) -> list[int]:
    """Return the activated ability with a number; one too high for them counts all the lines of the text."""
    if 1 <= wanted <= len(places):
        return [places[wanted - 1]]
    return [wanted - 1] if wanted - 1 in places else []


def _is_keyword(ability: Ability, wanted: str) -> bool:
    """Return whether words such as "equip", "equip Knight" or "equip {2}" name a keyword ability."""
    if not ability.keyword or not wanted.casefold().startswith(ability.keyword.casefold()):
        return False
    return _same(wanted, ability.keyword) or _says(ability, wanted)


def _says(ability: Ability, wanted: str) -> bool:
    """Return whether words stand in what an ability says, in our wording or as printed."""
    return whole_words(wanted, ability.text) or whole_words(wanted, ability.printed)


def keyword_words(abilities: Sequence[Ability]) -> tuple[str, ...]:
    """Return the words by which the keywords among abilities are known: flying, dredge and dredge 5, equip Knight."""
    words = (
        text
        for ability in abilities
        if ability.keyword
        for text in (ability.keyword, ability.text.partition(" {")[0], ability.text)
    )
    return tuple(dict.fromkeys(words))
