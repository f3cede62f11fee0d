"""The questions that ship with the kit: by name, by tag, by rule."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rulekit.rules import Unknown
from rulekit.scenarios.scenario import BANK, Scenario


@cache
def _files() -> dict[str, Path]:
    """Return the files of the bank by name: ``mill/701.17b-library-runs-out``."""
    return {path.relative_to(BANK).with_suffix("").as_posix(): path for path in sorted(BANK.rglob("*.yaml"))}


def names() -> tuple[str, ...]:
    """Return the names of all questions, such as ``mill/701.17b-library-runs-out``."""
    return tuple(_files())


def named(name: str) -> Scenario:
    """Return a question by its name, with or without its folder.

    Raises:
        Unknown: No question is called so.
    """
    short = {full.rpartition("/")[2]: full for full in _files()}
    full = name if name in _files() else short.get(name, "")
    if not full:
        raise Unknown("question", name, (*_files(), *short), "in the bank")
    return _read(full)


def about(tag: str = "", rule: str = "") -> tuple[Scenario, ...]:
    """Return the questions about something, in the order of their names.

    Args:
        tag: One of their tags; any if left out.
        rule: A rule that decides the answer; "701.17" also stands for 701.17a to 701.17d. Any if left out.
    """
    found = []
    for name, path in _files().items():
        text = path.read_text(encoding="utf-8")
        if tag in text and rule in text:  # most files need not be read at all
            scenario = _read(name)
            if (not tag or tag in scenario.tags) and (
                not rule or any(falls_under(each, rule) for each in scenario.rules)
            ):
                found.append(scenario)
    return tuple(found)


def falls_under(number: str, rule: str) -> bool:
    """Return whether a number is that of a rule or of one below it: 701.17d falls under 701.17, 701.170 does not."""
    rest = number.removeprefix(rule)
    return number.startswith(rule) and not rest[:1].isdigit()


@cache
def _read(name: str) -> Scenario:
    return Scenario.read(_files()[name])
