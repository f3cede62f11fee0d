"""Mana: what can pay for what, and paying it (106, 601.2f-h, 605)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, islice, product
from typing import Any

from rulekit.engine.abilities import Ability, Term
from rulekit.engine.claims import MOST_WAYS, Claim, Used, claimed, set_aside
from rulekit.engine.costs import can_change_life, life_in, pay, symbols_of, unpayable
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.frame import Frame
from rulekit.engine.layers import rules
from rulekit.engine.state import State
from rulekit.rules import Illegal

COLORS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}
ORDER = "WUBRGC"
ANY = frozenset("WUBRG")
ALL = frozenset(ORDER)
LIFE = "P"  # a Phyrexian symbol that will be paid with life
TWO_LIFE = 2  # what a Phyrexian symbol costs instead (107.4f)


@dataclass(frozen=True)
class Bill:
    """One way to pay a mana cost: for each mana what it may be, and life for Phyrexian symbols."""

    needs: tuple[frozenset[str], ...]
    life: int = 0


def bills(symbols: Sequence[str], x: int = 0, reduction: int = 0, any_type: bool = False) -> list[Bill]:
    """Return the ways in which a mana cost can be paid (107.4), the one with the most mana first.

    Args:
        symbols: Mana symbols without braces.
        x: The value of X.
        reduction: By how much generic mana is reduced (118.7); negative for an increase.
        any_type: Whether mana of any type can be spent (609.4b).

    Returns:
        At least one bill.
    """
    choices: list[list[tuple[tuple[frozenset[str], ...], int, int]]] = []  # (coloured needs, generic, life)
    for symbol in symbols:
        if symbol.isdigit():
            choices.append([((), int(symbol), 0)])
        elif symbol == "X":
            choices.append([((), x, 0)])
        elif symbol == LIFE:
            choices.append([((), 0, TWO_LIFE)])
        elif "/" not in symbol:
            choices.append([((frozenset(symbol),), 0, 0)] if symbol in ORDER else [((), 1, 0)])
        else:
            halves = symbol.split("/")
            options: list[tuple[tuple[frozenset[str], ...], int, int]] = []
            colored = frozenset(half for half in halves if half in ORDER)
            if colored:
                options.append(((colored,), 0, 0))
            options += [((), int(half), 0) for half in halves if half.isdigit()]
            if "P" in halves:
                options.append(((), 0, TWO_LIFE))
            choices.append(options)
    found = []
    for picked in product(*choices):
        colored_needs = [need for needs, _, _ in picked for need in needs]
        generic = max(0, sum(n for _, n, _ in picked) - reduction)
        needs = [ALL] * len(colored_needs) if any_type else colored_needs
        found.append(Bill((*needs, *[ALL] * generic), sum(life for _, _, life in picked)))
    return sorted(set(found), key=lambda bill: (bill.life, len(bill.needs), [sorted(n) for n in bill.needs]))


def forms(symbols: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the mana costs as which one can be announced, the one with least life and then least mana first (601.2b).

    A symbol such as {2/W} becomes either of its halves, a Phyrexian one its color or life (107.4e, 107.4f). A symbol
    of two colors stays: whichever of them is spent pays it, and which one that is, is asked as it is spent.
    """
    choices = []
    for symbol in symbols:
        halves = symbol.split("/")
        colored = "/".join(half for half in halves if half in ORDER)
        others = [half for half in halves if half.isdigit() or half == LIFE]
        choices.append([colored, *others] if colored and others else [symbol])
    found = dict.fromkeys(_summed(picked) for picked in product(*choices))
    return sorted(found, key=lambda form: (form.count(LIFE), sum(int(s) if s.isdigit() else 1 for s in form)))


def _summed(symbols: Sequence[str]) -> tuple[str, ...]:
    """Return a mana cost as one writes it: X, one number, the colors, then life."""
    generic = sum(int(symbol) for symbol in symbols if symbol.isdigit())
    colored = [symbol for symbol in symbols if not symbol.isdigit() and symbol not in ("X", LIFE)]
    number = [str(generic)] if generic else []
    every = [*["X"] * symbols.count("X"), *number, *colored, *[LIFE] * symbols.count(LIFE)]
    return tuple(every or ["0"])


def choose_form(
    t: Table,
    player: str,
    symbols: Sequence[str],
    able: Callable[[Sequence[str]], bool],
    what: str,
    rule: str = "601.2b",
) -> Run[tuple[str, ...]]:
    """Let a player announce how {2/W} and Phyrexian symbols will be paid, where more than one way is open (107.4e-f).

    Where every mana payment can be made, only the life is a question.

    Args:
        t: The table.
        player: Who pays.
        symbols: The mana symbols of all costs together.
        able: Whether one of the `forms` of that cost could be paid.
        what: What is paid for.
        rule: The rule that asks: 601.2b, or that of the symbol where something is paid as it resolves.

    Returns:
        The mana cost without a choice; without life in it where none can be paid.
    """
    found = forms(symbols)
    if t.state.players[player].mana == "any":
        found = [next(group) for _, group in groupby(found, key=lambda form: form.count(LIFE))]
    payable_forms = [form for form in found if able(form)]
    if len(found) == 1 or not payable_forms:
        return found[0]
    told = {_told_form(form): form for form in found}
    options = tuple(words for words, form in told.items() if form in payable_forms)
    printed = "".join(f"{{{symbol}}}" for symbol in symbols)

    def why(answer: Any) -> Illegal:
        """Say which rule keeps a way from being announced: one that does not exist, or one that cannot be paid."""
        meant = next((form for words, form in told.items() if words.endswith(str(answer))), None)
        if meant is None:
            return Illegal(rule, f"{player} cannot pay {printed} for {what} with {answer}.")
        life = TWO_LIFE * meant.count(LIFE)
        reason, why_not = "118.3", "that cannot all be paid"
        if life and not can_change_life(t.state, player):
            reason, why_not = "119.8", f"{player}'s life total can't change"
        elif life > t.state.players[player].life:
            reason, why_not = "119.4", f"{player} has too little life"
        return Illegal(reason, f"{player} cannot pay {_told_form(meant)} for {what}: {why_not}.")

    prompt = f"announce how to pay {printed} for {what}"
    return told[(yield from t.ask(player, "pay cost", options, rule=rule, prompt=prompt, why=why))]


def _told_form(form: Sequence[str]) -> str:
    return _with_life("".join(f"{{{symbol}}}" for symbol in form if symbol != LIFE), TWO_LIFE * form.count(LIFE))


def _with_life(mana: str, life: int) -> str:
    return " and ".join(part for part in (mana, f"{life} life" if life else "") if part)


def covers(units: Sequence[frozenset[str]], needs: Sequence[frozenset[str]]) -> bool:
    """Return whether units of mana, each of one of some types, can meet all needs at once."""
    if len(units) < len(needs):
        return False
    used_by: dict[int, int] = {}

    def place(need: int, tried: set[int]) -> bool:
        for unit, types in enumerate(units):
            if unit not in tried and types & needs[need]:
                tried.add(unit)
                if unit not in used_by or place(used_by[unit], tried):
                    used_by[unit] = need
                    return True
        return False

    strict_first = sorted(range(len(needs)), key=lambda need: len(needs[need]))
    return all(place(need, set()) for need in strict_first)


@dataclass(frozen=True)
class Source:
    """A mana ability that could help to pay: whose, which, the mana it makes, and what and how much life it takes."""

    number: int
    ability: int
    units: tuple[frozenset[str], ...]
    uses: Used = frozenset()
    life: int = 0


@dataclass(frozen=True)
class Beside:
    """What other costs leave for mana: the objects to which they lay claim, and how much life can still be paid."""

    claims: tuple[Claim, ...]
    life: int


def beside(frame: Frame, player: str, costs: Sequence[Term]) -> Beside:
    """Return what costs leave for mana; no life can be paid by who has too little or whose total can't change (119)."""
    life = frame.state.players[player].life - life_in(frame, player, costs)
    return Beside(claimed(frame, player, costs), max(0, life) if can_change_life(frame.state, player) else 0)


def made_by(ability: Ability) -> tuple[frozenset[str], ...]:
    """Return the mana that a mana ability certainly makes, unit by unit; nothing where that depends on more."""
    units: tuple[frozenset[str], ...] = ()
    for term in ability.effect:
        if term.op == "add mana":
            units += tuple(frozenset(symbol) for symbol in term.args[0])
        elif term.op == "add one of these" and all(len(option) == 1 for option in term.args[0]):
            units += (frozenset(option[0] for option in term.args[0]),)
        elif term.op == "add one of any color":
            units += (ANY,)
    return units


def forbidden_to_activate(state: State, player: str, number: int, ability: Ability) -> Illegal | None:
    """Return the refusal by an effect that forbids activating (602.5, 702.61a), or None."""
    if not ability.mana and split_second(state):
        named = state.name(number)
        return Illegal("702.61a", f"{player} cannot use {named}: a spell with split second is on the stack.")
    for term, frame in rules(state, "can't activate"):
        what, but_mana = term.args
        if frame.fits(what, number) and not (but_mana and ability.mana):
            return Illegal(
                "602.5", f"{player} cannot activate abilities of {state.name(number)}: an effect forbids it."
            )
    return None


def split_second(state: State) -> bool:
    """Return whether a spell with split second is on the stack (702.61a)."""
    return any(state.look(number).has("split second") for number in state.stack)


def sources(state: State, player: str, without: Used = frozenset()) -> Iterator[Source]:
    """Yield the mana abilities that a player could activate now for a known amount of mana, but for what is used up."""
    key = ("sources", player)
    if key not in state.seen_cache:
        state.seen_cache[key] = tuple(_all_sources(state, player))
    for source in state.seen_cache[key]:
        if not source.uses & without:
            yield source


def _all_sources(state: State, player: str) -> Iterator[Source]:
    for number in state.permanents(player):
        for index, ability in enumerate(state.look(number).abilities):
            if ability.mana and not any(cost.op == "mana" for cost in ability.cost):
                if forbidden_to_activate(state, player, number, ability) is not None:
                    continue
                units = made_by(ability)
                table = Table(state)
                table.frame = Frame(table, player, number)
                if units and unpayable(table, player, ability.cost) is None:
                    itself = [claim for claim in claimed(table.frame, player, ability.cost) if claim.among == (number,)]
                    uses = frozenset((claim.leaves, number) for claim in itself)
                    yield Source(number, index, units, uses, life_in(table.frame, player, ability.cost))


def payable(frame: Frame, player: str, ways: Sequence[Bill], costs: Sequence[Term] = ()) -> bool:
    """Return whether a player could pay one of the bills with the pool and mana abilities.

    Args:
        frame: Of what is paid for.
        player: Who pays.
        ways: From `bills`.
        costs: All costs; what they use up makes no mana (or does so before it goes), and what life they take is gone.
    """
    state, others = frame.state, beside(frame, player, costs)
    owner = state.players[player]
    affordable = [bill for bill in ways if bill.life <= others.life]
    if owner.mana == "any":
        return bool(affordable)
    pool = [frozenset(symbol) for symbol in owner.pool]
    if any(covers(pool, bill.needs) for bill in affordable):
        return True
    return owner.mana != "pool" and _covered(state, player, pool, affordable, others)


def _covered(
    state: State, player: str, pool: list[frozenset[str]], ways: Sequence[Bill], others: Beside,
    spent: Source | None = None,
) -> bool:  # fmt: skip
    """Return whether units of mana and what more could be made meet a bill, with enough left for other costs."""
    used, claims = spent.uses if spent is not None else frozenset(), others.claims
    for leaves, number in used:
        claims = tuple(claim.after(leaves, number) for claim in claims)
    makers = [source.number for source in sources(state, player)] if claims else []
    for kept in set_aside(claims, makers):
        left = [s for s in sources(state, player, kept) if spent is None or s.number != spent.number]
        for bill in ways:
            life = others.life - bill.life - (spent.life if spent is not None else 0)
            if any(covers([*pool, *_best_units(some)], bill.needs) for some in _within(left, life)):
                return True
    return False


def _within(every: Sequence[Source], life: int) -> Iterator[Sequence[Source]]:
    """Yield the largest choices of sources that take no more life together than there is, if it is enough at all."""
    costly = [source for source in every if source.life]
    if sum(source.life for source in costly) <= life:
        yield every
        return
    free = [source for source in every if not source.life]
    choices = (some for n in range(len(costly) - 1, -1, -1) for some in combinations(costly, n))
    for some in islice(choices, MOST_WAYS):
        if sum(source.life for source in some) <= life:
            yield [*free, *some]


def _best_units(some: Sequence[Source]) -> list[frozenset[str]]:
    """Return one unit for each mana that sources could make, each permanent used once."""
    by_permanent: dict[int, list[tuple[frozenset[str], ...]]] = {}
    for source in some:
        by_permanent.setdefault(source.number, []).append(source.units)
    units: list[frozenset[str]] = []
    for options in by_permanent.values():
        most = max(len(option) for option in options)
        fullest = [option for option in options if len(option) == most]
        units += [frozenset().union(*(option[i] for option in fullest)) for i in range(most)]
    return units


WHILE_CASTING, ON_RESOLUTION = ("601.2g", "601.2h"), ("605.3a", "118.12")


def pay_mana(
    t: Table,
    player: str,
    bill: Bill,
    what: str,
    costs: tuple[Term, ...] = (),
    rules: tuple[str, str] = WHILE_CASTING,
) -> Run[None]:
    """Let a player activate mana abilities and pay (601.2g, 601.2h).

    Args:
        t: The table.
        player: Who pays.
        bill: The one way to pay that was announced (`choose_form`); no life is taken but what it says.
        what: What is paid for, in words that stand behind the amount: "for Murder".
        costs: All costs; what they use up makes no mana.
        rules: By which rules mana is made and paid: as something is cast or activated, or as something resolves.

    Raises:
        Illegal: The bill cannot be paid (118.3).
    """
    if not payable(t.frame, player, (bill,), costs):
        raise Illegal("118.3", f"{player} cannot pay {_told(bill)}{_behind(what)}.", _mana_at_hand(t.state, player))
    while not _pool_pays(t.state, player, bill):
        others = beside(t.frame, player, costs)
        useful = [s for s in sources(t.state, player) if _helps(t.state, player, s, bill, others)]
        different = {(t.word_of(s.number), s.units): s for s in reversed(useful)}
        options = [(s.number, s.ability) for s in useful if different[t.word_of(s.number), s.units] is s]
        words = [f"{t.word_of(number)}: {_makes(t.state, number, index)}" for number, index in options]
        number, index = yield from t.ask(
            player,
            "pay cost",
            options,
            rule=rules[0],
            prompt=f"pay {_told(bill)}{_behind(what)}: tap for mana",
            words=words,
        )
        chosen = next(s for s in useful if (s.number, s.ability) == (number, index))
        yield from activate_mana(t, player, number, index, _useful_colors(t.state, player, chosen, bill, others))
    yield from _spend(t, player, bill, _behind(what), rules[1])
    if bill.life:
        yield from t.do(Term("lose life", (player, bill.life)))


def _behind(words: str) -> str:
    return f" {words}" if words else ""


def _pool_pays(state: State, player: str, bill: Bill) -> bool:
    owner = state.players[player]
    return owner.mana == "any" or covers([frozenset(symbol) for symbol in owner.pool], bill.needs)


def _helps(state: State, player: str, source: Source, bill: Bill, others: Beside) -> bool:
    """Return whether after using a source all costs can still be paid, and the source is of use."""
    made = [*(frozenset(symbol) for symbol in state.players[player].pool), *source.units]
    return _covered(state, player, made, (bill,), others, source)


def _useful_colors(state: State, player: str, source: Source, bill: Bill, others: Beside) -> tuple[str, ...]:
    """Return the colors of a source's mana with which all costs can still be paid."""
    pool = [frozenset(symbol) for symbol in state.players[player].pool]
    units = [unit for unit in source.units if unit != ANY]
    choosable = source.units.count(ANY)
    return tuple(
        letter for letter in "WUBRG"
        if _covered(state, player, [*pool, *units, *[frozenset(letter)] * choosable], (bill,), others, source)
    )  # fmt: skip


def activate_mana(t: Table, player: str, number: int, index: int, colors: tuple[str, ...] = ()) -> Run[None]:
    """Activate a mana ability: it is paid and resolves at once, without the stack (605.3b).

    Args:
        t: The table.
        player: Who activates it.
        number: The object with the ability.
        index: Which of its abilities.
        colors: While a cost is being paid: the colors that help, of which mana of any color will be one.
    """
    outer, rule, cause = t.frame, t.rule, t.cause
    ability = t.state.look(number).abilities[index]
    t.frame = Frame(t, player, number, said={"colors": colors} if colors else None)
    reason = unpayable(t, player, ability.cost)
    if reason is not None:
        raise reason
    symbols, named = symbols_of(ability.cost), t.state.name(number)
    if symbols:
        frame = t.frame
        form = yield from choose_form(
            t, player, symbols, lambda form: payable(frame, player, bills(form), ability.cost), named
        )
        yield from pay_mana(t, player, bills(form)[0], f"for {named}", ability.cost)
    t.rule = "605.3b"
    logged = yield from t.did(Event("mana ability", player, (number,), rule="605.3b"))
    t.cause = logged.number
    yield from pay(t, player, ability.cost)
    yield from t.run(ability.effect)
    t.frame, t.rule, t.cause = outer, rule, cause


def _spend(t: Table, player: str, bill: Bill, what: str, rule: str) -> Run[None]:
    """Take the mana from the pool, asking where different mana would do; where all can be paid, nothing is taken."""
    owner = t.state.players[player]
    if owner.mana == "any":
        return
    left = list(owner.pool)
    needs = sorted(bill.needs, key=len)
    for place, need in enumerate(needs):
        rest = needs[place + 1 :]
        options = [s for s in sorted(set(left), key=lambda s: (s != "C", -left.count(s), ORDER.index(s))) if s in need]
        fitting = [s for s in options if covers([frozenset(u) for u in _less(left, s)], rest)]
        spent = yield from t.ask(
            player,
            "pay cost",
            fitting,
            rule=rule,
            prompt=f"pay{what} with",
            words=[f"{{{s}}}" for s in fitting],
        )
        left.remove(spent)
    t.change_player(player, pool=tuple(left))


def _less(pool: Sequence[str], symbol: str) -> list[str]:
    left = list(pool)
    left.remove(symbol)
    return left


def add_to_pool(t: Table, player: str, symbols: Sequence[str]) -> None:
    """Put mana into a player's pool (106.4)."""
    pool = (*t.state.players[player].pool, *symbols)
    t.change_player(player, pool=tuple(sorted(pool, key=ORDER.index)))


def _told(bill: Bill) -> str:
    """Return a bill in mana symbols."""
    generic = sum(need == ALL for need in bill.needs)
    colored = [f"{{{'/'.join(sorted(need, key=ORDER.index))}}}" for need in bill.needs if need != ALL]
    mana = (f"{{{generic}}}" if generic or not (colored or bill.life) else "") + "".join(colored)
    return _with_life(mana, bill.life)


def _makes(state: State, number: int, index: int) -> str:
    return " ".join(
        "{" + ("any color" if unit == ANY else "/".join(sorted(unit, key=ORDER.index))) + "}"
        for unit in made_by(state.look(number).abilities[index])
    )


def _mana_at_hand(state: State, player: str) -> str:
    units = len(state.players[player].pool)
    if state.players[player].mana == "lands":
        units += len(_best_units(list(sources(state, player))))
    return f"{player} can pay at most {units} mana now." if units else f"{player} has no mana."
