"""Writing a scenario as a file that reads like one that somebody wrote."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rulekit.cards.card import Card
from rulekit.cards.pool import CardPool
from rulekit.engine.text import abilities_of
from rulekit.scenarios.form import Check, Given, Step
from rulekit.scenarios.nodes import flow

if TYPE_CHECKING:
    from rulekit.scenarios.scenario import Scenario

WIDTH = 108


def text_of(scenario: Scenario) -> str:
    """Return a scenario as the text of a file; reading it gives the same scenario."""
    lines = [
        f"title: {flow(scenario.title)}",
        "rules: [" + ", ".join(f'"{number}"' for number in scenario.rules) + "]",
        f"tags: {flow(scenario.tags)}",
    ]
    for key in ("question", "answer", "disputed"):
        lines += _prose(key, getattr(scenario, key))
    lines += _given(scenario.given)
    lines += ["do:", *(line for step in scenario.do for line in _step(step))] if scenario.do else ["do: []"]
    return "\n".join([*lines, "expect:", *_checks(scenario.expect, "  ")]) + "\n"


def _prose(key: str, text: str) -> list[str]:
    if not text:
        return []
    return [f"{key}: >", *textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")]


def _given(given: Given) -> list[str]:
    lines = ["given:"]
    if given.players != Given.players:
        lines.append(f"  players: {flow(given.players)}")
    if (given.active, given.step) != (given.players[0], Given.step):
        lines.append(f"  turn: {{active: {flow(given.active)}, step: {given.step}}}")
    own = [given.cards.find(name) for name in _names_in(given) if _is_own(name, given.cards)]
    if own:
        lines.append("  cards:")
        for card in dict.fromkeys(own):
            lines += _nested(card.name, _entry_of(card), "    ")
    for player, said in given.zones.items():
        if said:
            lines += _nested(player, said, "  ")
    return lines if len(lines) > 1 else ["given: {}"]


def _names_in(given: Given) -> Iterator[str]:
    for said in given.zones.values():
        for entries in said.values():
            for entry in entries if isinstance(entries, list) else ():
                yield entry["card"]


def _is_own(name: str, cards: CardPool) -> bool:
    """Return whether a card is another one than the catalogue has under this name."""
    return CardPool.catalogue().get(name) != cards.get(name)


def _entry_of(card: Card) -> dict[str, Any]:
    """Return a card as an entry of the catalogue format."""
    if card.layout == "split":
        return {"layout": "split", "halves": [{"name": half.name, **_entry_of(half)} for half in card.faces]}
    front = card.faces[0] if card.faces else card
    said: dict[str, Any] = {
        "cost": str(front.cost) if front.cost else None, "types": str(front.types), "power": front.power,
        "toughness": front.toughness, "loyalty": front.loyalty, "defense": front.defense,
        "color indicator": list(front.color_indicator) or None,
        "abilities": [{_kind_of(front, line): line} for line in front.text.splitlines()] or None,
    }  # fmt: skip
    entry: dict[str, Any] = {key: value for key, value in said.items() if value is not None}
    if len(card.faces) > 1:
        other: dict[str, Any] = {"name": card.faces[1].name, **_entry_of(card.faces[1])}
        entry |= {"layout": card.layout, "other face": other}
    return entry


def _kind_of(card: Card, line: str) -> str:
    """Return the key of the catalogue format under which a line of text stands."""
    read = abilities_of(Card(card.name, card.cost, card.types, line))
    first = read[0] if read else None
    if first is None:
        return "static"
    if first.keyword:
        return "keyword"
    if first.kind == "activated" and first.mana:
        return "mana"
    return first.kind if first.kind in ("spell", "triggered", "activated") else "static"


def _nested(name: str, said: Mapping[str, Any], indent: str) -> list[str]:
    """Write a mapping, a short list in its line, a long one with a line for each entry."""
    lines = [f"{indent}{flow(name)}:"]
    for key, value in said.items():
        told = [_told(entry) for entry in value] if isinstance(value, list) else []
        short = f"{indent}  {key}: " + (f"[{', '.join(told)}]" if isinstance(value, list) else flow(value))
        if len(short) <= WIDTH and not any(each.startswith("{") and len(told) > 1 for each in told):
            lines.append(short)
        else:
            lines += [f"{indent}  {key}:", *(f"{indent}    - {each}" for each in told)]
    return lines


def _told(entry: Any) -> str:
    """Return an entry of a zone as shortly as it can be said."""
    if isinstance(entry, Mapping) and set(entry) == {"card", "count"}:
        name, count = entry["card"], entry["count"]
        return flow(name if count == 1 else f"{count} {name}")
    return flow(entry)


def _step(step: Step) -> list[str]:
    if step.kind == "expect":
        return ["  - expect:", *_checks(step.value, "      ")]
    if step.kind == "illegal":
        lines = [f"  - illegal: {{{step.value}}}"]
    elif step.value is None:
        return [f"  - {step.kind}"]
    else:
        lines = [f"  - {step.kind}: {flow(step.value)}"]
    return lines + [f"    {key}: {flow(value)}" for key, value in step.beside.items()]


def _checks(checks: tuple[Check, ...], indent: str) -> list[str]:
    return [f"{indent}{flow(check.key)}: {flow(check.value)}" for check in checks]
