"""Carrying out a scenario: its steps on a game, its expectations against what is there, its refusals by their rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.engine.combat import refusal_of_blocks
from rulekit.engine.events import Decision
from rulekit.engine.game import Action, Game
from rulekit.engine.position import position
from rulekit.engine.sba import at_rest
from rulekit.engine.state import STEPS
from rulekit.rules import Illegal, RulekitError
from rulekit.scenarios import naming
from rulekit.scenarios.acting import Choices, actions_meant, key_of, useful
from rulekit.scenarios.expect import found_instead
from rulekit.scenarios.form import NOTHING, Check, Given, Step
from rulekit.scenarios.goal import Goal, Wrong
from rulekit.scenarios.instruct import terms_of
from rulekit.scenarios.nodes import flow
from rulekit.scenarios.ordering import ordered, question_of, trigger_meant, was_settled
from rulekit.scenarios.report import Difference

MOST_PASSES = 3_000  # within one step
OF_OBJECTS = ("choose target", "choose card", "pay cost", "discard")
PASS = Action("pass")
ORDER = "order replacement effects"


BROADER = {  # rules that say in general what another one says of a case
    "101.2": ("118.3", "601.2h"),
    "701.17b": ("118.3",),
    "701.21a": ("118.3", "601.2h"),
    "118.6": ("118.3", "601.3"),
    "301.5d": ("602.2",),
    "601.2h": ("118.3",),
    "606.3": ("602.5",),
    "606.6": ("118.3",),
    "119.4": ("118.3",),
    "119.8": ("118.3", "119.4"),
}


def begin(given: Given, chance: int = 0) -> Game:
    """Return the game before the first step; state-based actions come before anybody has priority (117.5, 704.3)."""
    state = position(players=given.players, active=given.active, step=given.step, cards=given.cards, **given.zones)
    game = Game(state, chance=chance)
    return game if at_rest(state) else game.instruct()


NOT_OFFERED = ("608.2d", "701.17b", "702.174a")  # why a choice may not be offered at all: it is impossible


class NotAsked(Wrong):
    """An answer was given that nobody asked for."""


Default = Callable[[Game, Decision], Any]


def _leave(game: Game, asked: Decision) -> Any:
    """Leave a decision to the steps."""
    return None


def _cites(rule: str, because: str) -> bool:
    """Return whether a refusal cites a rule: itself, a part of it (602.5d is one of 602.5), or a case of it."""
    return because in (rule, rule.rstrip("abcdefghijklmnopqrstuvwxyz"), *BROADER.get(rule, ()))


def _asked(game: Game) -> Decision:
    """Return the pending decision."""
    if game.decision is None:
        raise Wrong("somebody is asked something", "the game is over")
    return game.decision


def _has_priority(game: Game) -> bool:
    """Return whether a player has priority, without working out what that player may do."""
    return game.action is None and game.state.priority is not None


def _nothing_asked(game: Game) -> bool:
    return _has_priority(game) or game.decision is None


def _until(
    game: Game,
    is_there: Callable[[Game], bool],
    default: Default,
    explicit: bool = False,
) -> Game:
    """Let all players pass until the game is somewhere, is over, or asks what nothing answers.

    Args:
        game: Where to begin.
        is_there: Asked whenever a player has priority.
        default: The answer to a decision on the way, None if it must be answered by a step.
        explicit: Whether attacks and blocks are asked creature by creature.
    """
    for _ in range(MOST_PASSES):
        if _has_priority(game):
            if is_there(game):
                return game
            game = game.decide(PASS, explicit=explicit)
            continue
        asked = game.decision
        if asked is None:
            return game
        answer = default(game, asked)
        if answer is None:
            return game
        game = game.decide(answer)
    raise Wrong("players pass until it is reached", f"it was not reached after {MOST_PASSES:,} passes")


def _skipped(game: Game, asked: Decision) -> Any:
    """Return what is answered to a choice that `go to` skips over, or None."""
    if asked.kind in ("attack", "block"):
        return "no" if "no" in asked.options else asked.options[0]
    if asked.kind == "discard" and game.state.turn.step == "cleanup" and not game.state.stack:
        return asked.options[-1]
    return None


def _before_blocks(game: Game, asked: Decision) -> Any:
    """Return what is answered on the way to the first question about blocks."""
    return None if asked.kind == "block" else _skipped(game, asked)


class Run:
    """One run of the steps of a scenario.

    Attributes:
        game: The game as it stands.
        moments: The game as it stood before each step that was reached, in order.
        differences: What was not as expected.
    """

    def __init__(self, game: Game, do: tuple[Step, ...], expect: tuple[Check, ...]) -> None:
        """Take the game before the first step, the steps and what is expected in the end."""
        self.game = game
        self.do = do
        self.expect = expect
        self.moments: list[Game] = []
        self.differences: list[Difference] = []
        self.on_the_way: Callable[[Game], Game] | None = None  # what goes on once an answer has been given
        self.since = 0  # how long the log was before what the steps did last
        self.first_applied: dict[
            tuple[str, tuple[int, ...]], Any
        ] = {}  # what was answered for one card is for the next

    def play(self) -> None:
        """Carry out all steps, and check what is expected; stop at the first step that goes wrong."""
        for place, step in enumerate(self.do):
            if not self._went_well(step, self._settle, place):
                return
            self.moments.append(self.game)
            if not self._went_well(step, self._do, step):
                return
        end = self.do[-1] if self.do else Step("pass")
        if not self._went_well(end, self._settle, len(self.do)):
            return
        self._check(self.expect)
        if self.game.fate and _nothing_asked(self.game):
            left = ", ".join(self.game.fate)
            self.differences.append(Difference(0, f"chance decides: {left}", "nothing more was left to chance"))
        asked = None if _has_priority(self.game) else self.game.decision
        if asked is not None and not any(check.what == "decision" for check in self.expect):
            self.differences.append(Difference(0, "every decision is answered", self._unanswered(asked)))

    def _went_well(self, step: Step, deed: Callable[[Any], None], about: Any) -> bool:
        """Do something for a step, and note what goes wrong."""
        before = len(self.differences)
        try:
            deed(about)
        except Wrong as wrong:
            self.differences.append(Difference(step.line, wrong.expected, wrong.found))
        except RulekitError as refusal:
            self.differences.append(Difference(step.line, str(step), str(refusal)))
        return len(self.differences) == before

    def _do(self, step: Step) -> None:
        if step.kind == "expect":
            self._check(step.value)
        elif step.kind == "illegal":
            self._refused(step)
        else:
            if step.kind != "choose":
                self.since, self.first_applied = len(self.game.log), {}
            self.game = self.after(step)

    def _settle(self, place: int) -> None:
        """Answer what has a usual answer where no step does, and go on with a step that waited for an answer."""
        self._by_default(place)
        while self.on_the_way is not None and _nothing_asked(self.game):
            go_on, self.on_the_way = self.on_the_way, None
            self.game = go_on(self.game)
            self._by_default(place)

    def _check(self, checks: tuple[Check, ...]) -> None:
        for check in checks:
            try:
                found = found_instead(check, self.game)
            except RulekitError as refusal:
                found = str(refusal)
            if found is not None:
                self.differences.append(Difference(check.line, str(check), f"{check.key}: {found}"))

    def _refused(self, step: Step) -> None:
        """Carry out a step that must be refused; the game stays as it is."""
        because = step.beside.get("because")
        expected = f"{step.value} is refused" + (f" because of {because}" if because else "")
        on_the_way = self.on_the_way
        try:
            self._need_all_targets(step.value, self.after(step.value))
        except Illegal as refusal:
            if because and not _cites(refusal.rule, because):
                raise Wrong(expected, f"it is refused because of {refusal.rule}: {refusal.message}") from None
            return
        except NotAsked as refusal:
            if because and because not in NOT_OFFERED:
                raise Wrong(expected, refusal.found) from None
            return
        finally:
            self.on_the_way = on_the_way
        raise Wrong(expected, "it is legal")

    def _need_all_targets(self, step: Step, later: Game) -> None:
        """Refuse an action that needs more targets than its step names; they are all chosen at once (601.2c)."""
        named = len(step.beside.get("targets", ()))
        asked = later.decision
        if named and later.action is not None and asked is not None and key_of(asked) == "targets":
            raise Illegal("601.2c", f"{step.value} needs another target. {self._unanswered(asked)}")
        new = [later.state.objects[number] for number in later.state.stack[:1] if number not in self.game.state.stack]
        if named and any(named < sum(len(chosen) for _, chosen in each.cast.targets) for each in new if each.cast):
            raise Illegal("601.2c", f"{step.value} needs more targets than {named}.")

    def _unanswered(self, asked: Decision) -> str:
        options = ", ".join(naming.told(self.game.state, asked)[:12])
        return f"{asked.player} is asked ({asked.kind}): {asked.prompt} Options: {options}."

    # ---------------------------------------------------------------- what is answered by itself

    def _by_default(self, place: int) -> None:
        """Answer what has a usual answer, unless a step is about to answer it or to look at the question."""
        bill = ""
        while not _has_priority(self.game) and (asked := self.game.decision) is not None:
            if asked.kind == "order triggers":
                answer = asked.options[0]
            elif key_of(asked) == "mana" or (asked.kind == "choose color" and bill):
                bill = asked.prompt if key_of(asked) == "mana" else bill
                answer = useful(asked, bill)
            elif key_of(asked) == "paying":
                answer = asked.options[0]  # mana where it can be paid, life only where it cannot
            elif asked.kind in OF_OBJECTS and naming.are_alike(self.game.state, asked.options):
                answer = asked.options[0]
            elif asked.kind == ORDER and question_of(asked) in self.first_applied:
                answer = self.first_applied[question_of(asked)]
            else:
                return
            if self._is_awaited(asked, place):
                return
            self.game = self.game.decide(answer)

    def _is_awaited(self, asked: Decision, place: int) -> bool:
        """Return whether the next steps, before anything else is done, look at a question or answer it."""
        for step in (*self.do[place:], Step("expect", self.expect)):
            if step.kind == "expect":
                if any(c.what == "decision" and c.value != NOTHING for c in step.value):
                    return True
            elif step.kind == "choose":
                return self._answers(asked, step.value)
            elif step.kind != "illegal":
                return False
        return False

    def _answers(self, asked: Decision, answer: Any) -> bool:
        first = answer[0] if isinstance(answer, tuple) and answer else answer
        if asked.kind == "order triggers":
            return trigger_meant(self.game.state, asked, first) is not None
        return naming.option(self.game.state, asked, first) is not None

    # ---------------------------------------------------------------- steps

    def after(self, step: Step) -> Game:
        """Return the game after one step.

        Raises:
            Illegal: A rule forbids it.
            Wrong: It cannot be done as things stand.
        """
        game = self.game
        if step.kind == "choose":
            return self._chosen(game, step)
        if _has_priority(game):
            return _STEPS[step.kind](self, game, step)
        if game.decision is None and step.kind not in ("resolve", "resolve all", "go to"):
            raise Wrong(str(step), "the game is over")
        if game.decision is not None:
            raise Wrong(str(step), f"something must be answered first. {self._unanswered(game.decision)}")
        return _STEPS[step.kind](self, game, step)

    def _chosen(self, game: Game, step: Step) -> Game:
        """Answer the pending decision, and the ones that follow it if a list is given."""
        asked = game.decision
        if was_settled(game, self.since, step.value):
            return game
        if asked is None or asked.kind == "priority":
            raise NotAsked(str(step), "nothing is asked")
        if step.beside.get("by", asked.player) != asked.player:
            raise Wrong(str(step), f"{asked.player} is asked, not {step.beside['by']}")
        if asked.kind == "order triggers":
            return ordered(game, asked, step)
        answers = step.value if isinstance(step.value, tuple) else (step.value,)
        for place, answer in enumerate(answers):
            if game.decision is None or game.decision.kind == "priority":
                if asked.kind in ("divide", ORDER) and place == len(answers) - 1 > 0:
                    break  # what is left over is settled by itself
                raise NotAsked(str(step), f"nobody asks for {flow(answer)}")
            before, game = game.decision, _decided(game, answer)
            if before.kind == ORDER:
                self.first_applied[question_of(before)] = naming.option(game.state, before, answer)
        more = game.decision
        if more is not None and (more.kind, more.source, more.player) == (asked.kind, asked.source, asked.player):
            game = game.decide("done") if "done" in more.options else game
        return game

    def _passed(self, game: Game, _: Step) -> Game:
        return game.decide(PASS)

    def _resolved(self, game: Game, step: Step) -> Game:
        if game.decision is None:
            return game
        if not game.state.stack:
            raise Wrong(str(step), "the stack is empty")
        top = game.state.stack[0]
        return self._walk(game, lambda later: top not in later.state.stack)

    def _resolved_all(self, game: Game, _: Step) -> Game:
        return self._walk(game, lambda later: not later.state.stack)

    def _went(self, game: Game, step: Step) -> Game:
        return self._walk(game, Goal(game.state, step.value).is_reached, _skipped)

    def _walk(self, game: Game, is_there: Callable[[Game], bool], default: Default = _leave) -> Game:
        """Let all players pass until the game is somewhere; after an answer that is needed on the way it goes on."""
        game = _until(game, is_there, default)
        if not _nothing_asked(game):
            self.on_the_way = lambda later: self._walk(later, is_there, default)
        return game

    def _fated(self, game: Game, step: Step) -> Game:
        return game.fated(*game.fate, *step.value)

    def _instructed(self, game: Game, step: Step) -> Game:
        return game.instruct(*terms_of(game.state, step.value), words=flow(step.value))

    def _acted(self, game: Game, step: Step) -> Game:
        """Cast, activate or play; a refusal says what could be done instead."""
        try:
            return self._done(game, step)
        except Illegal as refusal:
            raise refusal.with_instead(game.offered) from None

    def _done(self, game: Game, step: Step) -> Game:
        """Cast, activate or play: try the ways that the step can mean until its choices fit."""
        player = game.state.priority or ""
        who = step.beside.get("by", player)
        if who != player:
            told = f"{who} cannot act now: {player} has priority."
            raise Illegal("117.1", told, f"{player} may act, or pass so that the next player may.")
        refusals: list[Illegal | Wrong] = []
        for action in actions_meant(game.state, player, step):
            choices = Choices(step, action)
            try:
                later = choices.made(game.decide(action, explicit=True), len(game.log))
                if not choices.left:
                    return later
                raise self._left(step, later, choices)
            except (Illegal, Wrong) as refusal:
                refusals.append(refusal)
        raise refusals[0]

    def _left(self, step: Step, later: Game, choices: Choices) -> Wrong:
        """Return what is wrong where a step says more than its action asks."""
        asked = later.decision
        if asked is not None and asked.kind != "priority":
            return Wrong(str(step), self._unanswered(asked))
        left = ", ".join(f"{key}: {flow(value)}" for key, value in choices.left.items())
        return NotAsked(str(step), f"nobody asks for {left}")

    def _attacked(self, game: Game, step: Step) -> Game:
        return self._declared(game, step, "attack", "declare attackers")

    def _blocked(self, game: Game, step: Step) -> Game:
        """Declare blockers; what is refused is refused for what the whole declaration breaks (509.1)."""
        try:
            return self._declared(game, step, "block", "declare blockers")
        except Illegal as refusal:
            asks = _until(game, lambda _: False, _before_blocks, explicit=True)
            state, there = asks.state, asks.state.battlefield
            pairs = [
                (naming.find(state, one, there), naming.find(state, whom, there)) for one, whom in step.value.items()
            ]
            known = [(one, whom) for one, whom in pairs if one is not None and whom is not None]
            raise (refusal_of_blocks(state, known) or refusal).with_instead(asks.offered) from None

    def _declared(self, game: Game, step: Step, kind: str, where: str) -> Game:
        """Go to the step of a declaration, and declare creature by creature."""
        turn = game.state.turn
        if STEPS.index(turn.step) >= STEPS.index(where):
            raise Wrong(str(step), f"it is the {turn.step} step already")
        declared: set[str] = set()
        asked_about: set[int | None] = set()

        def declare(later: Game, asked: Decision) -> Any:
            if asked.kind != kind:
                return _skipped(later, asked)
            asked_about.add(asked.source)
            mine = tuple(later.state.permanents(asked.player))
            for label in step.value:
                alike = naming.fitting(later.state, label, mine)
                if asked.source in alike and label not in declared:
                    answer = _answer(later, step.value[label])
                    if answer in asked.options or asked_about.issuperset(alike):  # another one of that name may be able
                        declared.add(label)
                        return answer
            return "no"

        def is_there(later: Game) -> bool:
            now = later.state.turn
            return now.number > turn.number or STEPS.index(now.step) >= STEPS.index(where)

        later = _until(game, is_there, declare, explicit=True)
        for label in step.value:
            if label not in declared:
                seen = later.state.look(naming.find_or_last(later.state, label))
                raise Illegal(f"50{8 if kind == 'attack' else 9}.1a", f"{seen.controller} cannot {kind} with {label}.")
        return later


_STEPS: dict[str, Callable[[Run, Game, Step], Game]] = {
    "pass": Run._passed,
    "resolve": Run._resolved,
    "resolve all": Run._resolved_all,
    "go to": Run._went,
    "at random": Run._fated,
    "instruct": Run._instructed,
    "cast": Run._acted,
    "activate": Run._acted,
    "play": Run._acted,
    "suspend": Run._acted,
    "companion": Run._acted,
    "attack": Run._attacked,
    "block": Run._blocked,
}


def _decided(game: Game, value: Any) -> Game:
    """Answer the pending decision; what is chosen says yes to a "may"."""
    asked = _asked(game)
    if asked.kind == "may" and value not in ("yes", "no"):
        later = game.decide("yes")
        if _needs_no_choice(game, later, value):
            return later
        if later.decision is None or later.decision.kind == "priority":
            raise asked.refuse(value)
        game = later
    return game.decide(_answer(game, value))


def _needs_no_choice(game: Game, later: Game, value: Any) -> bool:
    """Return whether a "yes" has done with the named object what was asked, because it was the only one."""
    asked, following = _asked(game), later.decision
    if following is not None and following.source == asked.source and following.kind not in ("may", "priority"):
        return False
    new = [event for event in later.state.history() if event.number >= len(game.log)]
    done = {number for event in new for number in (*event.objects, event.source) if number is not None}
    states = (game.state, later.state)
    return any(naming.find(state, str(value), [n for n in done if n in state.objects]) for state in states)


def _answer(game: Game, value: Any) -> Any:
    """Return the option that an answer means; one that is none is refused by the game with its rule."""
    meant = naming.option(game.state, _asked(game), value)
    return naming.meant(game.state, value) if meant is None else meant
