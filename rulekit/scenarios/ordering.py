"""In which order triggers are put on the stack and replacement effects applied, as a step of a scenario says it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulekit.engine.events import Decision
from rulekit.engine.game import Game
from rulekit.engine.state import State
from rulekit.rules import Unknown
from rulekit.scenarios import naming
from rulekit.scenarios.form import Step
from rulekit.scenarios.goal import Wrong


def trigger_meant(state: State, asked: Decision, entry: Any) -> Any:
    """Return the waiting trigger that an entry means: a keyword's, that of an object, one whose text has the words.

    Where an object has several of them, and others have the same, words stand behind it: `crab: mill three cards`.
    """
    wanted = str(entry)
    of, _, words = wanted.partition(": ")
    whole, part = _first_called(state, wanted), _first_called(state, of) if words else None
    number = naming.find(state, wanted)
    names = naming.names_of(state, number) if number is not None else ()
    tests: tuple[Callable[[str, str, int], bool], ...] = (
        lambda name, text, source: text.casefold() == wanted.casefold(),
        lambda name, text, source: source == part and naming.whole_words(words, text),
        lambda name, text, source: name == wanted,
        lambda name, text, source: source == whole,
        lambda name, text, source: name in names,
        lambda name, text, source: wanted in _names_of_source(state, name),
        lambda name, text, source: naming.whole_words(wanted, text),
        lambda name, text, source: naming.whole_words(wanted, name),
    )
    origin = naming.origins(state)
    said = [(*word.partition(": ")[::2], origin.get(at, at)) for word, at in zip(asked.words, asked.about, strict=True)]
    for fits in tests:
        for option, (name, text, source) in zip(asked.options, said, strict=True):
            if fits(name, text, source):
                return option
    return None


def _first_called(state: State, called: str) -> int | None:
    """Return the first object of what is, or was last, called so and nothing else is; None if there are several."""
    numbers = naming.fitting(state, called)
    try:
        number = numbers[0] if numbers else naming.find_or_last(state, called)
    except Unknown:
        return None
    return naming.origins(state).get(number, number) if len(numbers) < 2 else None


def _names_of_source(state: State, label: str) -> tuple[str, ...]:
    """Return all that an object with a label is called, or last was called."""
    try:
        return naming.names_of(state, naming.find_or_last(state, label))
    except Unknown:
        return ()


def ordered(game: Game, asked: Decision, step: Step) -> Game:
    """Answer in which order triggers resolve, the first one first; what is settled by itself is not asked."""
    first = asked
    for entry in step.value if isinstance(step.value, tuple) else (step.value,):
        option = trigger_meant(game.state, asked, entry)
        if option is None:
            raise Wrong(str(step), f"no trigger is called {entry!r}; there are {', '.join(asked.words)}")
        if asked is not game.decision:  # what is left is the same, and nobody was asked
            continue
        game = game.decide(option)
        after = game.decision
        goes_on = after is not None and (after.kind, after.player) == (first.kind, first.player)
        asked = after if after is not None and goes_on else _without(asked, option)
    if asked is game.decision:
        raise Wrong(str(step), f"each trigger is named: {', '.join(asked.words)} also wait")
    return game


def _without(asked: Decision, option: Any) -> Decision:
    """Return a question without one of its options, which no player is asked because one is left."""
    left = [each for each in zip(asked.options, asked.words, asked.about, strict=True) if each[0] != option]
    options, words, about = (tuple(part) for part in zip(*left, strict=True)) if left else ((), (), ())
    return replace(asked, options=options, words=words, about=about)


# -------------------------------------------------------------------- the order of replacement effects


def question_of(asked: Decision) -> tuple[str, tuple[int, ...]]:
    """Return what makes two questions for the order of replacement effects the same: who is asked about which."""
    return asked.player, tuple(each for each in asked.options if isinstance(each, int))


def was_settled(game: Game, since: int, answer: Any) -> bool:
    """Return whether an answer is one that made no difference, so that it was not asked for.

    It names effects that replaced something in whichever order (616.1), or leaves a copy the only targets that it can
    have (707.10c).

    Args:
        game: The game as it stands.
        since: How many events the log had before what happened last.
        answer: What a step chooses: the name of an object, or several.
    """
    answers = answer if isinstance(answer, tuple) else (answer,)
    asked = game.decision
    if asked is not None and asked.kind != "priority" and naming.option(game.state, asked, answers[0]) is not None:
        return False
    if set(answers) == {"no"}:
        return any(event.kind == "copied" for event in game.log[since:])
    among = [n for event in game.log[since:] if event.kind == "replaced" for n in event.get("among", ())]
    return all(naming.find(game.state, str(each), dict.fromkeys(among)) is not None for each in answers)
