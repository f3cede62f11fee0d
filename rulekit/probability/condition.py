"""A condition on counts: NAME OP NUMBER, joined by and, or, not and parentheses."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rulekit.rules import BadData, Unknown

LONGEST_CONDITION = 10_000
DEEPEST = 50

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_SPELLINGS = {"==": "=", "≠": "!=", "≤": "<=", "≥": ">="}
_OPERATOR = re.compile(r"\s*(==|!=|<=|>=|=|<|>|≠|≤|≥)\s*")
_NUMBER = re.compile(r"[+-]?[0-9]{1,12}(?![0-9.])")
_WORD = re.compile(r"(and|or|not)(?![a-z0-9])", re.IGNORECASE)
_HOW = "NAME OP NUMBER, joined by and, or, not and parentheses; OP is one of =, !=, <, <=, >, >="


@dataclass(frozen=True)
class Condition:
    """Say what must be true of some counts.

    Attributes:
        kind: "compare", "and", "or" or "not".
        name: Which count is compared.
        operator: One of =, !=, <, <=, >, >=.
        number: What the count is compared with.
        parts: The conditions that "and", "or" and "not" join.
    """

    kind: str
    name: str = ""
    operator: str = ""
    number: int = 0
    parts: tuple[Condition, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The counts that are compared, each once, in the order in which they stand."""
        if self.kind == "compare":
            return (self.name,)
        return tuple(dict.fromkeys(name for part in self.parts for name in part.names))

    def holds(self, values: Mapping[str, Any]) -> Any:
        """Tell whether the condition is true.

        Args:
            values: For each name an integer, or an array of integers; arrays must broadcast together.

        Returns:
            A bool, or an array of bool of the common shape.
        """
        if self.kind == "compare":
            return _COMPARE[self.operator](values[self.name], self.number)
        found = [part.holds(values) for part in self.parts]
        if self.kind == "not":
            return found[0] ^ True
        result = found[0]
        for each in found[1:]:
            result = result & each if self.kind == "and" else result | each
        return result

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return the numbers with which one count is compared, each once, the smallest first."""
        if self.kind == "compare":
            return (self.number,) if self.name == name else ()
        return tuple(sorted({number for part in self.parts for number in part.numbers(name)}))

    def lasting(self, growing: Iterable[str], shrinking: Iterable[str], negated: bool = False) -> bool:
        """Tell whether the condition, once true, stays true.

        Args:
            growing: Names of counts that never fall.
            shrinking: Names of counts that never rise.
            negated: Ask the same of the opposite of the condition.

        Returns:
            True only where that follows from the form of the condition.
        """
        grow, shrink = set(growing), set(shrinking)
        if self.kind == "compare":
            upward, downward = (shrink, grow) if negated else (grow, shrink)
            return (self.operator in (">", ">=") and self.name in upward) or (
                self.operator in ("<", "<=") and self.name in downward
            )
        flipped = negated ^ (self.kind == "not")
        return all(part.lasting(grow, shrink, flipped) for part in self.parts)

    def __str__(self) -> str:
        if self.kind == "compare":
            return f"{self.name} {self.operator} {self.number}"
        if self.kind == "not":
            return f"not ({self.parts[0]})"
        return f" {self.kind} ".join(f"({part})" if part.kind in ("and", "or") else str(part) for part in self.parts)


def read_condition(text: str | Condition, names: Iterable[str]) -> Condition:
    """Read a condition such as "land >= 3 and not creature = 0".

    Args:
        text: The condition as written; one that has been read already is only checked.
        names: The counts that may be asked; upper and lower case are the same.

    Returns:
        The condition, its names spelled as in `names`.

    Raises:
        BadData: If it is not of the form NAME OP NUMBER joined by and, or, not.
        Unknown: If it compares something that is not counted.
    """
    known = tuple(dict.fromkeys(names))
    if isinstance(text, Condition):
        for name in text.names:
            if name not in known:
                raise Unknown("count", name, known, "in this question")
        return text
    if not isinstance(text, str) or not text.strip():
        raise BadData("a condition is a text.", text=repr(text), instead=_HOW)
    if len(text) > LONGEST_CONDITION:
        raise BadData(f"a condition has at most {LONGEST_CONDITION:,} characters, not {len(text):,}.", text=text)
    return _Reader(text, known).whole()


class _Reader:
    """Read one condition from left to right."""

    def __init__(self, text: str, names: tuple[str, ...]) -> None:
        self.text = text
        self.names = names
        self.at = 0
        self.depth = 0
        longest_first = sorted(names, key=len, reverse=True)
        self.spelled = [
            (name, re.compile(_loosely(name) + r"(?=\s*(?:[=!<>≠≤≥]|$))", re.IGNORECASE)) for name in longest_first
        ]

    def whole(self) -> Condition:
        found = self.joined("or")
        self.skip()
        if self.at < len(self.text):
            raise self.wrong("nothing more can stand here")
        return found

    def joined(self, word: str) -> Condition:
        parts = [self.joined("and") if word == "or" else self.single()]
        while self.word(word):
            parts.append(self.joined("and") if word == "or" else self.single())
        return parts[0] if len(parts) == 1 else Condition(word, parts=tuple(parts))

    def single(self) -> Condition:
        self.skip()
        if (compared := self.comparison()) is not None:
            return compared
        if self.depth >= DEEPEST:
            raise BadData(f"a condition is nested at most {DEEPEST} deep.", text=self.text, instead=_HOW)
        self.depth += 1
        found = self.grouped()
        self.depth -= 1
        return found

    def grouped(self) -> Condition:
        if self.text.startswith("(", self.at):
            self.at += 1
            found = self.joined("or")
            self.skip()
            if not self.text.startswith(")", self.at):
                raise self.wrong("a parenthesis is not closed")
            self.at += 1
            return found
        if self.word("not"):
            return Condition("not", parts=(self.single(),))
        raise self.nothing_called()

    def comparison(self) -> Condition | None:
        for name, pattern in self.spelled:
            if (found := pattern.match(self.text, self.at)) is None:
                continue
            sign = _OPERATOR.match(self.text, found.end())
            if sign is None:
                self.at = found.end()
                raise self.wrong(f"'{name}' is compared with nothing")
            number = _NUMBER.match(self.text, sign.end())
            if number is None:
                self.at = sign.end()
                raise self.wrong("a whole number must stand here")
            self.at = number.end()
            return Condition("compare", name, _SPELLINGS.get(sign[1], sign[1]), int(number[0]))
        return None

    def word(self, wanted: str) -> bool:
        self.skip()
        found = _WORD.match(self.text, self.at)
        if found is None or found[1].lower() != wanted:
            return False
        self.at = found.end()
        return True

    def skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def wrong(self, why: str) -> BadData:
        rest = self.text[self.at :].strip() or "the end"
        return BadData(f"{why}: {rest[:60]!r}.", key="condition", text=self.text, instead=_HOW)

    def nothing_called(self) -> Exception:
        rest = re.split(r"[=!<>≠≤≥()]", self.text[self.at :], maxsplit=1)[0].strip()
        if not rest:
            return self.wrong("a comparison must stand here")
        if _NUMBER.fullmatch(rest):
            return self.wrong("the name of a count must stand in front of the number")
        return unknown_count(rest, self.names)


def unknown_count(name: str, names: Iterable[str]) -> Unknown:
    """Return the refusal of a name that nothing counted has; it tells once what is counted."""
    known = tuple(names)
    refusal = Unknown("count", name, known, "in this question")
    if refusal.instead and not refusal.near:
        return refusal
    return Unknown("count", name, known, f"in this question, which counts {', '.join(known)}")


def _loosely(name: str) -> str:
    return r"\s+".join(re.escape(word) for word in name.split())
