"""What can be predicted of a scenario: what may be done, and how the game stands in the end; no rule of the game."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from rulekit.engine.game import Game
from rulekit.engine.state import State
from rulekit.rules import Unknown
from rulekit.scenarios import form, naming
from rulekit.scenarios.attempts import Attempt, attempts, called, moment, others
from rulekit.scenarios.expect import found_instead
from rulekit.scenarios.form import Check
from rulekit.scenarios.run import Run, begin
from rulekit.scenarios.scenario import Scenario
from rulekit.widgets import point, whens

MOST_ASKS = 4
MOST_ATTEMPTS = 2
MOST_COUNTED = 200
MOST_TIMES = 4  # a trigger that comes oftener is not counted further
MOST_OTHERS = 6  # other targets that are looked at
LEGAL = ("legal", "illegal")
ABSENT = "there is none"
YES_NO = ("yes", "no")
ZONES = ("battlefield", "hand", "graveyard", "exile", "library", "stack", "nowhere")
NUMBERS = ("power", "toughness", "mana value")


@dataclass(frozen=True)
class Ask:
    """One thing that can be predicted.

    Attributes:
        words: The question.
        options: The answers to choose from; none where a number is asked.
        answer: What is true.
        check: What of the game it is about; None for whether an attempt is legal.
        values: What the check holds for each of the options; None stands for anything else.
        when: The moment it is about; "" for the end.
    """

    words: str
    options: tuple[str, ...]
    answer: str
    check: Check | None = None
    values: tuple[Any, ...] = ()
    when: str = ""

    @property
    def said(self) -> str:
        """The question as it stands before its answer: without its question mark."""
        return self.words.removesuffix("?")

    @property
    def asks(self) -> str:
        """What is asked about an attempt: "legal or illegal"; of anything else the whole question."""
        return self.words.partition(": ")[0]

    @property
    def told(self) -> str:
        """What is tried, where an attempt is asked about."""
        return self.words.partition(": ")[2]

    def found(self, game: Game) -> str:
        """Return what is true in a game; that there is none where nothing there is called so."""
        if self.check is None:
            return ABSENT
        try:
            return self._found(self.check, game)
        except Unknown:
            return ABSENT

    def _found(self, check: Check, game: Game) -> str:
        """Return the option that fits, or what there is instead: a player who came only with a variation."""
        for option, value in zip(self.options, self.values, strict=True):
            if value is None or found_instead(replace(check, value=value), game) is None:
                return option
        if self.options:
            return found_instead(replace(check, value=self.values[0]), game) or "?"
        if isinstance(check.value, Mapping):
            return _counted(check, game)
        return found_instead(replace(check, value=-1), game) or "?"


@dataclass(frozen=True)
class WhenAsk(Ask):
    """When something happens.

    Attributes:
        clause: What of the question asks for it.
    """

    clause: whens.Clause = whens.NOTHING

    def found(self, game: Game) -> str:
        """Return the moment at which it happens in a game."""
        return whens.answer(self.clause, game)


def played(scenario: Scenario) -> Run:
    """Return the run of a scenario, with the game as it stood before each step."""
    run = Run(begin(scenario.given), scenario.do, scenario.expect)
    run.play()
    return run


def asks(scenario: Scenario, run: Run | None = None) -> tuple[Ask, ...]:
    """Return what can be predicted of a scenario: what is legal in it, and what it expects, as its question asks it.

    Args:
        scenario: The scenario.
        run: A run of it, if there is one already.
    """
    run = run if run is not None else played(scenario)
    of = _Of(scenario, run.game)
    ends = [*of.triggers(scenario.question), *(ask for check in scenario.expect for ask in of.check(check))]
    ends += _times(scenario.question, run.game)
    tries = [
        Ask(f"legal or illegal: {each.words}", LEGAL, LEGAL[not each.legal])
        for each in _tried(scenario, run, bool(ends))
    ]
    chosen = _to_the_point(scenario.question, ends, list(_on_the_way(scenario, run)), MOST_ASKS - len(tries))
    once = {ask.words: ask for ask in (*tries, *chosen)}
    return tuple(once.values())


def _times(question: str, game: Game) -> Iterator[Ask]:
    """Yield when happens what a question asks the time of, unless it asks for turns, which the moments would tell."""
    if any("active" in keys for keys in point.topics(question)):
        return
    for clause in whens.clauses(question):
        options = whens.options(clause, game)
        if options:
            answer = whens.answer(clause, game)
            yield WhenAsk(f"{clause.words}?", options, answer, Check("", "time", answer), clause=clause)


# ---------------------------------------------------------------- what the question is about


def _to_the_point(question: str, ends: list[Ask], ways: list[Ask], most: int) -> list[Ask]:
    """Return what is asked of all that could be: one for each thing that a question asks, then what is near it.

    Args:
        question: The question of the scenario.
        ends: What could be asked about the end.
        ways: What could be asked about moments before it; it is where the end tells nothing of the thing.
        most: How many are asked.
    """
    topics = point.topics(question)
    named = [ask for ask in ways if _is_named(ask, question)]
    first = [ask for keys in topics for ask in (_under(keys, ends, question) or _under(keys, named, question))[:1]]
    first += [ask for ask in ways if _key(ask) == "active" and any("active" in keys for keys in topics)]
    near = [ask for keys in topics for ask in _under(keys, ends, question)]
    beside = sorted((ask for ask in ends if _key(ask) not in point.DULL), key=lambda ask: not _is_named(ask, question))
    chosen = list({ask.words: ask for ask in ([*first, *near, *beside] or ends)}.values())[:most]
    return [ask for ask in (*ways, *ends) if any(ask is each for each in chosen)]


def _key(ask: Ask) -> str:
    what = ask.check.what if ask.check is not None else ""
    return "triggers" if what == "events" else what


def _under(keys: tuple[str, ...], among: list[Ask], question: str) -> list[Ask]:
    """Return what can be asked under some keys, what the question names first."""
    return sorted((ask for ask in among if _key(ask) in keys), key=lambda ask: not _is_named(ask, question))


def _is_named(ask: Ask, question: str) -> bool:
    return ask.check is not None and point.names_it(question, ask.check.of)


def _when(state: State) -> str:
    turn = state.turn.number
    return moment(state) if turn == 1 else f"{moment(state)} (turn {turn})"


def _on_the_way(scenario: Scenario, run: Run) -> Iterator[Ask]:
    """Yield what can be asked about moments before the end that words tell from each other."""
    whens = [_when(game.state) for game in (*run.moments, run.game)]
    for place, (step, game) in enumerate(zip(run.do, run.moments, strict=False)):
        when = whens[place]
        for check in step.value if step.kind == "expect" else ():
            for ask in _Of(scenario, game).check(check):
                if check.what == "active":
                    yield replace(ask, when=when)
                elif when not in whens[place + 2 :] and check.what not in (*point.DULL, "legal"):
                    later = "later " if when in whens[:place] else ""
                    yield replace(ask, words=f"{later}{when}: {ask.words}", when=when)


# ---------------------------------------------------------------- what may be done


def _tried(scenario: Scenario, run: Run, briefly: bool) -> list[Attempt]:
    """Return the attempts that are asked about; that one is asked about says nothing about whether it is legal.

    Args:
        scenario: The scenario.
        run: A run of it.
        briefly: Whether something else is asked too; only what the question asks about is tried then.
    """
    every = attempts(run)
    refused = [each for each in every if not each.legal]
    done = [each for each in every if each.legal]
    if refused:
        first = refused[0]
        like = [each for each in done if (each.step.kind, each.step.value) == (first.step.kind, first.step.value)]
        if len(refused) > 1 and not _draw(scenario, 3):
            like = refused[1:]
        beside = like or [each for each in _varied(first, scenario) if each.legal] or done or refused[1:]
        chosen = [first, *beside[:1]]
        return sorted(chosen, key=lambda each: len(each.game.log))
    main = [each for each in done if each.step.kind in ("cast", "activate")] or done
    if briefly:
        main = [each for each in main if point.asks_whether_legal(scenario.question, each.step.kind)]
    varied = sorted(_varied(main[-1], scenario), key=lambda each: each.legal) if main else []
    chosen = [*main[-1:], *varied[:1]]
    if _draw(scenario, 2):
        chosen.reverse()
    return chosen[:MOST_ATTEMPTS]


def _varied(attempt: Attempt, scenario: Scenario) -> list[Attempt]:
    """Return the same attempt at other targets, beginning anywhere."""
    found = list(islice(others(attempt), MOST_OTHERS))
    first = _draw(scenario, len(found)) if found else 0
    return [*found[first:], *found[:first]]


def _draw(scenario: Scenario, sides: int) -> int:
    """Return a number from 0 to below `sides` that is the same for a scenario always and tells nothing about it."""
    return hashlib.sha256(scenario.title.encode()).digest()[0] % sides


# ---------------------------------------------------------------- how it ends


class _Of:
    """Makes questions of what a scenario expects in the end."""

    def __init__(self, scenario: Scenario, game: Game) -> None:
        self.players = scenario.given.players
        self.first: State = begin(scenario.given).state
        self.last = game

    def check(self, check: Check) -> Iterator[Ask]:
        """Yield the questions of a check; none if it is not short enough to say."""
        if check.of in self.players:
            yield from _of_player(check)
        elif check.of == "turn":
            yield from self.turn(check)
        elif check.of == "":
            yield from self.game(check)
        else:
            yield from self.thing(check, self.called(check.of))

    def triggers(self, question: str) -> Iterator[Ask]:
        """Yield whether, or how often, what a question names has triggered, if the question asks so of anything."""
        asking = point.asks_of_triggers(question)
        able = {**_that_trigger(self.first), **_that_trigger(self.last.state)} if asking else {}
        named = [label for label in able if point.names_it(question, label) or able[label] & set(_words(question))]
        for label in named or point.meant_by_it(question, list(able)):
            event, name = {"ability triggered": label}, self.called(label)
            check = Check("", "events", (event,))
            if asking == "whether":
                ask = _truth(f"does {name} trigger?", check, (event,), so=True)
            else:
                times = {f"{MOST_TIMES} or more": MOST_TIMES, **{str(n): n for n in range(MOST_TIMES - 1, 0, -1)}}
                values = (*((event,) * n for n in times.values()), None)
                ask = Ask(f"how often does {name} trigger in all?", (*times, "never"), "never", check, values)
            yield replace(ask, answer=ask.found(self.last))

    def called(self, label: str) -> str:
        """Return what players call something; a token, which was not there in the beginning, as in the end."""
        there = self.first if naming.find(self.first, label) is not None else self.last.state
        return called(there, label)

    def turn(self, check: Check) -> Iterator[Ask]:
        number = self.last.state.turn.number
        if check.what == "active" and number > 1:
            yield _one_of(f"who takes turn {number}?", self.players, check)
        elif check.what == "number":
            yield Ask("number of the turn in the end", (), str(check.value), check)

    def game(self, check: Check) -> Iterator[Ask]:
        if check.what == "next turn":
            yield _one_of("who takes the next turn?", self.players, check)
        elif check.what == "priority":
            yield _one_of("who has priority in the end?", (*self.players, form.NOTHING), check)
        elif check.what == "stack":
            yield _truth("is the stack empty in the end?", check, (), not check.value)
        elif check.what == "decision":
            yield _truth("is nobody asked anything in the end?", check, form.NOTHING, check.value == form.NOTHING)
        elif check.what == "legal":
            for player, parts in check.value.items():
                for key, texts in parts.items():
                    for text in texts:
                        yield self.offer(check, player, text, key == "has")

    def offer(self, check: Check, player: str, text: str, so: bool) -> Ask:
        """Return the question of whether a player may do something in the end."""
        verb, _, what = text.partition(" ")
        behind = ((label, _behind(what, label)) for label in _labels(self.first))
        name, keyword = next(((self.called(label), rest) for label, rest in behind if rest is not None), (what, ""))
        done = f"{verb} {keyword} of {name}" if keyword else f"{verb} {name}"
        value = {player: {"has": (text,)}}
        return _truth(f"may {player} {done} in the end?", replace(check, value=value), value, so)

    def thing(self, check: Check, name: str) -> Iterator[Ask]:
        kind = form.OF_OBJECT.get(check.what)
        if check.what in NUMBERS:
            yield Ask(f"{check.what} of {name}", (), str(check.value), check)
        elif check.what == "zone":
            yield _one_of(f"zone of {name}", ZONES, check)
        elif kind == "truth":
            yield _truth(f"is {name} {check.what}?", check, True, bool(check.value))
        elif kind == "player":
            yield _one_of(f"{check.what} of {name}", self.players, check)
        elif kind == "host":
            yield from self.host(check, name)
        elif kind in ("keywords", "counters"):
            yield from _of_several(check, name)

    def host(self, check: Check, name: str) -> Iterator[Ask]:
        """Yield the question of what something is attached to, if there is anything that it could be attached to."""
        state = self.last.state
        here = [state.objects[number].label for number in state.zones.get(("battlefield", ""), ())]
        mine = (check.of, form.NOTHING, "")
        labels = dict.fromkeys((form.NOTHING, *(each for each in here if each not in mine), check.value))
        once = {self.called(label): label for label in (*labels, check.value)}
        if len(once) > 1:
            answer = self.called(check.value)
            yield Ask(f"what is {name} attached to?", tuple(once), answer, check, tuple(once.values()))


def _that_trigger(state: State) -> dict[str, set[str]]:
    """Return what has an ability that triggers, by label, each with the keywords that are such abilities."""
    able: dict[str, set[str]] = {}
    for number, thing in state.objects.items():
        found = [ability for ability in state.look(number).abilities if ability.kind == "triggered"]
        if found and thing.label:
            able[thing.label] = {ability.keyword for ability in found if ability.keyword}
    return able


def _words(question: str) -> list[str]:
    return " ".join(point.asked(question)).replace("?", " ").replace(",", " ").split()


def _of_several(check: Check, name: str) -> Iterator[Ask]:
    """Yield the questions about keywords, or about counters of one kind."""
    if check.what == "keywords":
        for key, so in (("has", True), ("lacks", False)):
            for word in check.value.get(key, ()):
                yield _truth(f"does {name} have {word}?", check, {"has": (word,)}, so)
    elif len(check.value) == 1:
        for counter, number in check.value.items():
            yield Ask(f"number of {counter} counters on {name}", (), str(number), check)


def _labels(state: State) -> list[str]:
    return [thing.label for thing in state.objects.values() if thing.label]


def _behind(text: str, label: str) -> str | None:
    """Return what stands behind a label in a text, None if it does not begin with it."""
    return text.removeprefix(label).strip() if text == label or text.startswith(f"{label} ") else None


def _of_player(check: Check) -> Iterator[Ask]:
    kind = form.OF_PLAYER[check.what]
    if kind == "pile" and isinstance(check.value, Mapping):
        yield from _of_names(check)
    elif kind == "pile":
        number = check.value if isinstance(check.value, int) else _length(check.value)
        yield Ask(_number(check, ""), (), str(number), replace(check, value=number))
    elif kind == "truth":
        yield _truth(f"has {check.of} {check.what}?", check, True, bool(check.value))
    elif kind in ("number", "count"):
        yield Ask(f"{check.of}'s {check.what}", (), str(check.value), check)
    elif kind == "mana" and isinstance(check.value, int):
        yield Ask(f"amount of mana in {check.of}'s pool", (), str(check.value), check)
    elif kind == "counters" and len(check.value) == 1:
        for counter, number in check.value.items():
            yield Ask(f"number of {counter} counters that {check.of} has", (), str(number), check)


def _number(check: Check, named: str) -> str:
    """Return the question of how many things, or things of a name, a player has in a zone."""
    called = f" called {named}" if named else ""
    if check.what == "battlefield":
        return f"number of permanents{called} that {check.of} controls"
    return f"number of cards{called} in {check.of}'s {check.what}"


def _of_names(check: Check) -> Iterator[Ask]:
    """Yield the questions of whether or how often names are in a zone."""
    if "count" in check.value:
        yield Ask(_number(check, check.value["of"]), (), str(check.value["count"]), check)
        return
    for key, so in (("has", True), ("lacks", False)):
        for name in dict.fromkeys(check.value.get(key, ())):
            on = check.what == "battlefield"
            words = (
                f"does {check.of} control a permanent called {name}?"
                if on
                else f"is {name} in {check.of}'s {check.what}?"
            )
            yield _truth(words, check, {"has": (name,)}, so)


def _truth(words: str, check: Check, value: Any, so: bool) -> Ask:
    """Return a question of yes or no: yes is what the check says with a value."""
    return Ask(words, YES_NO, YES_NO[not so], check, (value, None))


def _one_of(words: str, options: tuple[str, ...], check: Check) -> Ask:
    return Ask(words, options, str(check.value), check, options)


def _counted(check: Check, game: Game) -> str:
    """Return how many things of a name are in a zone of a game, or how many counters of a kind somewhere."""
    key = "count" if "count" in check.value else next(iter(check.value))
    numbers = range(MOST_COUNTED)
    fitting = (n for n in numbers if found_instead(replace(check, value={**check.value, key: n}), game) is None)
    return str(next(fitting, "?"))


def _length(names: Sequence[Any]) -> int:
    """Return how many objects a list of names stands for; "20 Filler" is twenty."""
    return sum(int(str(name).split(" ", 1)[0]) if str(name)[:1].isdigit() else 1 for name in names)
