"""State, log, decision, card and rule as HTML and as text; the HTML escapes all that it shows.

The still forms read in a notebook that is not trusted, in a dark theme and without a kernel: they are built from what
JupyterLab's cleaner leaves (tables, lists, details), and have no colours of their own.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from rulekit.cards.card import Card
from rulekit.engine import sentences, telling
from rulekit.engine.events import Decision, Event
from rulekit.engine.state import State
from rulekit.engine.text import Sentence, abilities_of, read_card
from rulekit.rules import EDITION
from rulekit.scenarios.run import begin
from rulekit.widgets.html import Html, el, html, joined, printable
from rulekit.widgets.picture import ZONES, Picture, Seat, Thing, Zone, alike, picture

if TYPE_CHECKING:
    from rulekit.engine.game import Game
    from rulekit.scenarios.report import Result
    from rulekit.scenarios.scenario import Scenario

CELL = "text-align:left;vertical-align:top;padding:2px 8px;border-bottom:1px solid"
LINES = "line-height:1.4"
WIDTH = 110
SHOWN = 8  # things of a zone that are seen at once, the rest unfolds
LONG_LIST = 12  # options of a decision that are listed as text


class Shown:
    """Something with three forms: a live widget, still HTML, and text with the same numbers.

    A subclass has `_still` and `_text`, and `_live` if it has a widget.
    """

    def _still(self) -> Html:
        raise NotImplementedError

    def _text(self) -> str:
        raise NotImplementedError

    def _live(self) -> Any:
        """Return the widget, or None."""
        return None

    def _repr_html_(self) -> str:
        return self._still()

    def __str__(self) -> str:
        return self._text()

    __repr__ = __str__

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return bundle(self._text(), self._still(), self._live())


def bundle(text: str, still: str, widget: Any = None) -> dict[str, Any]:
    """Return the forms of one thing, as a notebook wants them.

    Args:
        text: What is compared when the notebook is tested.
        still: HTML for a page without a kernel.
        widget: The live form, of ipywidgets or anywidget, if there is one.
    """
    forms: dict[str, Any] = {}
    if widget is not None:
        view = widget._repr_mimebundle_()
        forms = dict(view[0] if isinstance(view, tuple) else view)
    return forms | {"text/html": str(still), "text/plain": text}


def forms(thing: object, text: str, still: str) -> dict[str, Any]:
    """Return the forms of something that is no widget: with a live one where widgets can be had.

    Args:
        thing: What is shown.
        text: Its text form.
        still: Its still form.
    """
    if not all(map(find_spec, ("anywidget", "ipywidgets"))):
        return bundle(text, still)
    from rulekit.widgets.live import live

    return bundle(text, still, live(thing))


# ---------------------------------------------------------------- a State


def state_html(state: State) -> Html:
    """Return the still form of a State: a table of the players and their zones, and the cards that are in it."""
    return el("div", board_table(picture(state)), cards_html(picture(state).cards), class_="rk-state", style=LINES)


def board_table(seen: Picture) -> Html:
    """Return the table of a picture: a column for each player, a row for each zone, the stack above them."""
    head = [el("th", "", scope="col", style=CELL)]
    head += [el("th", seat_html(seat), scope="col", style=CELL) for seat in seen.seats]
    stack = el("td", zone_html(seen.stack), colspan=len(seen.seats), style=CELL)
    rows = [el("tr", el("th", "stack", scope="row", style=CELL), stack)]
    for place, name in enumerate(ZONES):
        cells = [el("td", zone_html(seat.zones[place]), style=CELL) for seat in seen.seats]
        rows.append(el("tr", el("th", name, scope="row", style=CELL), *cells))
    caption = el("caption", f"{upper(seen.moment)}; {seen.priority}.", style="text-align:left;white-space:nowrap")
    body = el("tbody", *rows)
    return el("table", caption, el("thead", el("tr", *head)), body, style="border-collapse:collapse")


def seat_html(seat: Seat) -> Html:
    """Return a player's name and how the player stands."""
    return joined([el("b", seat.name), html(f" ({', '.join(seat.facts)})")])


def zone_html(zone: Zone, live: bool = False, known: dict[Card, int] | None = None, fresh: Iterable[int] = ()) -> Html:
    """Return the inside of a zone.

    Args:
        zone: The zone.
        live: Whether things can be pressed to see their cards; they are plain text otherwise.
        known: For the live form: the number of each card's face.
        fresh: Objects that have just come there, which is said beside them.
    """
    if not zone.count:
        return el("span", "empty", class_="rk-empty")
    new = set(fresh)
    items = [el("li", _thing_html(thing, live, known or {}, new)) for thing in zone.things]
    inside = _items(items[:SHOWN])
    if len(items) > SHOWN:
        rest = sum(thing.count for thing in zone.things[SHOWN:])
        inside = joined([inside, el("details", el("summary", f"and {rest} more"), _items(items[SHOWN:]))])
    note = f", {zone.note}" if zone.note else ""
    return joined([el("small", f"{zone.count}{note}", class_="rk-count"), inside])


def _items(items: Iterable[Html]) -> Html:
    return el("ul", *items, style="margin:0;padding-left:1.2em")


def _thing_html(thing: Thing, live: bool, known: dict[Card, int], fresh: set[int]) -> Html:
    face = known.get(thing.card) if thing.card is not None else None
    size = f" {thing.size}" if thing.size else ""
    name = joined([el("b", thing.name), size]) if thing.size else html(thing.name)
    if live and face is not None:
        name = el("button", thing.name, size, type="button", class_="rk-object", data_face=face)
    count = f" ×{thing.count}" if thing.count > 1 else ""
    tags = [*thing.tags, *(["just came here"] if thing.number in fresh else [])]
    said = el("small", f" ({'; '.join(tags)})", class_="rk-tags") if tags else ""
    inside = _items(el("li", _thing_html(each, live, known, fresh)) for each in thing.attached)
    return joined([name, count, said, inside if thing.attached else ""])


def state_text(state: State) -> str:
    """Return a State as text: the moment, the stack, and for each player the zones that are not empty."""
    seen = picture(state)
    lines = [f"{upper(seen.moment)}; {seen.priority}."]
    if seen.stack.count:
        lines.append(_zone_line(seen.stack, ""))
    for seat in seen.seats:
        lines.append(f"{seat.name} ({', '.join(seat.facts)})")
        lines += [_zone_line(zone, "  ") for zone in seat.zones if zone.count]
    return printable("\n".join(lines))


def zone_text(zone: Zone) -> str:
    """Return what is in a zone, in one line."""
    things = "; ".join(_thing_text(thing) for thing in zone.things[:SHOWN])
    rest = sum(thing.count for thing in zone.things[SHOWN:])
    return (f"{zone.note}: " if zone.note else "") + things + (f"; and {rest} more" if rest else "")


def _zone_line(zone: Zone, indent: str) -> str:
    line = f"{indent}{zone.name} {zone.count}: {zone_text(zone)}"
    return textwrap.fill(line, WIDTH, subsequent_indent=f"{indent}    ")


def _thing_text(thing: Thing) -> str:
    size = f" {thing.size}" if thing.size else ""
    count = f" ×{thing.count}" if thing.count > 1 else ""
    beside = [*thing.tags, *(f"with {_thing_text(each)}" for each in thing.attached)]
    return f"{thing.name}{size}{count}" + (f" ({'; '.join(beside)})" if beside else "")


def upper(text: str) -> str:
    """Return a sentence with a capital letter."""
    return text[:1].upper() + text[1:]


# ---------------------------------------------------------------- cards


def card_html(card: Card) -> Html:
    """Return a card as it is read aloud; sentences that were not understood are struck out and say so."""
    if card.faces:
        return joined([card_html(face) for face in card.faces], el("hr"))
    size = f"{card.power}/{card.toughness}" if card.power is not None else None
    numbers = [size] if size else []
    numbers += [f"{name} {getattr(card, name)}" for name in ("loyalty", "defense") if getattr(card, name) is not None]
    head = joined([el("b", card.name), f" {card.cost}" if card.cost else ""])
    return el(
        "div", el("div", head), el("div", str(card.types)), *(el("div", line) for line in _card_lines(card)),
        el("div", ", ".join(numbers)) if numbers else "", class_="rk-card",
    )  # fmt: skip


def card_read_html(card: Card) -> Html:
    """Return a card with its abilities as they are understood, and what could be meant where they are not."""
    faces = card.faces or (card,)
    read = [each.text.replace("~", face.name) for face in faces for each in abilities_of(face) if each.kind != "unread"]
    missed = [f"{sentence.unread}{_meant(sentence)}" for sentence in read_card(card).sentences if sentence.unread]
    told = [
        el("details", el("summary", heading), el("ul", *(el("li", line) for line in dict.fromkeys(lines))))
        for heading, lines in (("As understood", read), ("Not understood from here on", missed)) if lines
    ]  # fmt: skip
    return joined([card_html(card), *told])


def _meant(sentence: Sentence) -> str:
    return f" (did you mean {', '.join(sentence.near)}?)" if sentence.near else ""


def card_text(card: Card) -> str:
    """Return a card as text, with what was not understood."""
    unread = [sentence.text for sentence in read_card(card).sentences if not sentence.understood]
    return printable("\n".join([str(card), *(f"not understood: {sentence}" for sentence in unread)]))


def _card_lines(card: Card) -> list[Html]:
    """Return the text of a card, a line for each paragraph."""
    unread = {sentence.text for sentence in read_card(card).sentences if not sentence.understood}
    lines = []
    for paragraph in card.text.split("\n") if card.text else ():
        parts: list[object] = [paragraph]
        for sentence in unread:
            parts = [piece for part in parts for piece in _struck(part, sentence)]
        lines.append(joined(parts))
    return lines


def _struck(part: object, sentence: str) -> list[object]:
    """Return a part of a text with each place struck out where a sentence stands."""
    if isinstance(part, Html) or sentence not in str(part):
        return [part]
    pieces: list[object] = []
    for place, between in enumerate(str(part).split(sentence)):
        pieces += [joined([el("s", sentence), " (not understood)"])] if place else []
        pieces.append(between)
    return pieces


def cards_html(cards: Iterable[Card]) -> Html:
    """Return what is printed on cards, folded away."""
    faces = [el("li", card_html(card)) for card in cards]
    if not faces:
        return Html("")
    return el("details", el("summary", "What the cards say"), el("ul", *faces))


# ---------------------------------------------------------------- the log


def rule_html(rule: str) -> Html:
    """Return the number of a rule, with what the rule says as its title."""
    said = telling.paraphrase(rule)
    return el("code", rule, title=f"{rule} (edition of {EDITION}): {said}" if said else None)


def log_html(state: State, log: Sequence[Event]) -> Html:
    """Return the log as a list, grouped by cause; what a rule says stands in the title of its number."""
    teller = sentences.Teller(state)
    items = []
    for group in telling.grouped(state, log):
        lines = [joined([rule_html(event.rule), " ", upper(teller.tell(event))]) for event in group.events]
        if group.head:
            items.append(el("li", upper(group.head), el("ul", *(el("li", line) for line in lines))))
        elif group.one and len(lines) > 1:
            items.append(el("li", lines[0], el("ul", *(el("li", line) for line in lines[1:]))))
        else:
            items += [el("li", line) for line in lines]
    return el("ol", *items, class_="rk-log") if items else el("p", "Nothing has happened yet.")


def log_text(state: State, log: Sequence[Event]) -> str:
    """Return the log as text, with the rule of each line."""
    return printable(telling.text(state, log, WIDTH)) if log else "Nothing has happened yet."


# ---------------------------------------------------------------- decisions and games


def decision_words(decision: Decision | None) -> str:
    """Return the question of a decision: who is asked what, by which rule."""
    if decision is None:
        return "The game is over."
    if decision.kind == "priority":
        return f"{decision.player} has priority (117.1)."
    prompt = sentences.spoken_to(decision.prompt or decision.kind)
    return f"{decision.player} decides: {prompt.rstrip('.?')}? ({decision.rule})"


def offers(decision: Decision, state: State) -> tuple[tuple[Any, str], ...]:
    """Return the options of a decision with what each is called; of options that differ in nothing the first one.

    Args:
        decision: The decision.
        state: The State in which it is asked.
    """
    words = decision.words or tuple(map(str, decision.options))
    teller = sentences.Teller(state)
    found: dict[tuple[Any, ...], tuple[Any, str]] = {}
    for option, word in zip(decision.options, words, strict=True):
        number = getattr(option, "number", option)
        thing = number if isinstance(number, int) and number in state.objects else None
        several = thing is not None and words.count(word) > 1
        called = teller.name(thing) if several and thing == option else word
        found.setdefault((called, alike(state, thing) if several and thing is not None else option), (option, called))
    return tuple(found.values())


def decision_html(decision: Decision | None, state: State) -> Html:
    """Return the pending decision with its options."""
    if decision is None:
        return el("p", decision_words(decision))
    options = el("ul", *(el("li", word) for _, word in offers(decision, state)))
    return joined([el("p", decision_words(decision)), options])


def decision_text(decision: Decision | None, state: State) -> str:
    """Return the pending decision with its options as text."""
    if decision is None:
        return decision_words(decision)
    words = [word for _, word in offers(decision, state)]
    rest = f", and {len(words) - LONG_LIST} more" if len(words) > LONG_LIST else ""
    said = f"{decision_words(decision)} Possible: {', '.join(words[:LONG_LIST])}{rest}."
    return printable(textwrap.fill(said, WIDTH, subsequent_indent="    "))


def game_html(game: Game) -> Html:
    """Return the still form of a game: the State, what has happened, and the pending decision."""
    log = el("details", el("summary", "What has happened"), log_html(game.state, game.log), open=True)
    return el(
        "div", state_html(game.state), log, decision_html(game.decision, game.state), class_="rk-game", style=LINES
    )


def game_text(game: Game) -> str:
    """Return a game as text: the State, the log, and the pending decision."""
    parts = [state_text(game.state), *([log_text(game.state, game.log)] if game.log else [])]
    return "\n\n".join([*parts, decision_text(game.decision, game.state)])


# ---------------------------------------------------------------- scenarios


def scenario_html(scenario: Scenario) -> Html:
    """Return the still form of a scenario: the question, the position, and the answer folded away."""
    state = begin(scenario.given).state
    return el(
        "div", el("p", el("b", scenario.title)), el("p", scenario.question), state_html(state),
        el("details", el("summary", "The answer"), el("p", scenario.answer), _rules_html(scenario.rules)),
    )  # fmt: skip


def _rules_html(rules: Sequence[str]) -> Html:
    return el("ul", *(el("li", el("b", rule), f": {telling.paraphrase(rule)}") for rule in rules))


def scenario_text(scenario: Scenario) -> str:
    """Return a scenario as text: the question, the position, the rules that decide the answer."""
    question = textwrap.fill(scenario.question, WIDTH)
    rules = f"Rules: {', '.join(scenario.rules)}"
    return printable("\n".join([scenario.title, question, state_text(begin(scenario.given).state), rules]))


def result_html(result: Result) -> Html:
    """Return what became of a scenario: its status, what was not as expected, and the game as it ended."""
    differences = [
        el("li", f"line {each.line}: expected {each.expected}; found {each.found}") for each in result.differences
    ]
    head = el("p", el("b", result.scenario.title if result.scenario else result.file), f": {result.status}")
    game = game_html(result.game) if result.game is not None else ""
    return el("div", head, el("ul", *differences) if differences else "", game)


def result_text(result: Result) -> str:
    """Return what became of a scenario as text."""
    title = result.scenario.title if result.scenario else result.file
    lines = [f"{title}: {result.status}"]
    lines += [f"  line {each.line}: expected {each.expected}; found {each.found}" for each in result.differences]
    return printable("\n".join([*lines, *(["", game_text(result.game)] if result.game is not None else [])]))
