"""What the rules say, by number, and the four ways in which rulekit refuses.

RulekitError
|-- Illegal    against a rule of the game; always with the number of that rule
|-- BadData    a file or a text that cannot be read; file, line, key, and what may stand there
|-- Unknown    a name or phrase that nothing is called; the nearest one
`-- TooMany    more than fits in bounded time or memory; the way out
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from pathlib import Path

LONGEST_SHOWN = 120
MOST_NAMES = 2_000
MOST_LISTED = 30


class RulekitError(Exception):
    """Refuse what was asked; every error that rulekit raises on purpose is one of these."""


class Illegal(RulekitError):
    """Refuse something that a rule of the game forbids."""

    def __init__(self, rule: str, message: str, instead: Iterable[str] | Callable[[], Iterable[str]] = ()) -> None:
        """Say which rule forbids what, and what is legal.

        Args:
            rule: Number of the rule, such as "702.6a".
            message: What was tried, where and when, as a sentence.
            instead: What is legal, as "Alice may: ..." lists it; or a function that works it out when it is shown.
                Given as a text it is a sentence of its own.
        """
        super().__init__(rule, message)
        self.rule = rule
        self.message = message
        self._instead = instead
        self._sentence = isinstance(instead, str)

    @property
    def instead(self) -> tuple[str, ...]:
        """What is legal instead, worked out the first time that it is asked for."""
        if callable(self._instead):
            self._instead = self._instead()
        if not isinstance(self._instead, tuple):
            self._instead = _as_tuple(self._instead)
        return self._instead

    def __str__(self) -> str:
        head = f"Illegal ({self.rule}): {self.message}"
        if not self.instead:
            return head
        if self._sentence:
            return f"{head}\n  {self.instead[0]}"
        who, cannot, _ = self.message.partition(" cannot ")
        return f"{head}\n  {f'{who} may' if cannot else 'Possible instead'}: {listed(self.instead)}."

    def __reduce__(self) -> tuple[object, ...]:
        instead: Iterable[str] = self.instead[0] if self._sentence and self.instead else self.instead
        return (type(self), (self.rule, self.message, instead))


class BadData(RulekitError):
    """Refuse a file, a text or a value that cannot be read, with the place and what may stand there."""

    def __init__(
        self,
        message: str,
        file: str | Path | None = None,
        line: int | None = None,
        key: str | None = None,
        text: str | None = None,
        instead: Iterable[str] = (),
    ) -> None:
        """Say what cannot be read and where.

        Args:
            message: What is wrong, as a sentence.
            file: Path or name of the file.
            line: Number of the line, the first is 1.
            key: Key of the entry that is wrong.
            text: The line or value as it stands there.
            instead: What may stand there; given as a text it is a sentence of its own.
        """
        super().__init__(message)
        self.message = message
        self.file = None if file is None else str(file)
        self.line = line
        self.key = key
        self.text = text
        self.instead = _as_tuple(instead)
        self._sentence = isinstance(instead, str)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        if self.line is not None and self.file is None:
            place = f"line {self.line}"
        head = ": ".join(shown(part) for part in (place, self.key) if part)
        lines = [f"{head}: {self.message}" if head else self.message]
        if self.text:
            lines.append(f"    {shown(self.text.strip())}")
        if self.instead:
            lines.append(f"  {self.instead[0]}" if self._sentence else f"  May stand here: {listed(self.instead)}.")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:
        instead: Iterable[str] = self.instead[0] if self._sentence and self.instead else self.instead
        return (type(self), (self.message, self.file, self.line, self.key, self.text, instead))


class Unknown(RulekitError):
    """Refuse a name or phrase that nothing is called, and name the nearest."""

    def __init__(self, kind: str, name: str, known: Iterable[str] = (), where: str = "") -> None:
        """Say what is unknown and what comes nearest.

        Args:
            kind: What was looked for: "card", "player", "rule".
            name: The name that nothing has.
            known: The names there are.
            where: Where it was looked for, put behind the name: "in the catalogue".
        """
        super().__init__(kind, shown(name))
        self.kind = kind
        self.name = name
        self.where = where
        self.near = nearest(name, known)

    def __str__(self) -> str:
        where = f" {self.where}" if self.where else ""
        head = f"no {self.kind} is called '{shown(self.name)}'{where}."
        return head + (f" Did you mean {_or(self.near)}?" if self.near else "")

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.kind, self.name, self.near, self.where))


class TooMany(RulekitError):
    """Refuse what would not fit in bounded time or memory, with the number, the limit and the way out."""

    def __init__(self, message: str, instead: str = "") -> None:
        """Say what is too much and what to do.

        Args:
            message: The number that is needed and the limit, as a sentence.
            instead: The way out, as a sentence.
        """
        super().__init__(message)
        self.message = message
        self.instead = instead

    def __str__(self) -> str:
        return f"TooMany: {self.message}" + (f"\n  {self.instead}" if self.instead else "")

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.message, self.instead))


def nearest(name: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Return the names that are most like another, the best first.

    Args:
        name: What was written; of any length, and only its beginning is compared.
        known: The names there are; of many thousands only those that begin alike are compared.
        most: How many names are wanted.

    Returns:
        Up to `most` names, each once; none when nothing is alike.
    """
    written = name.strip()[:LONGEST_SHOWN].casefold()
    by_fold: dict[str, str] = {}
    for each in known:
        by_fold.setdefault(each[:LONGEST_SHOWN].casefold(), each)
    if not written or not by_fold:
        return ()
    folds = list(by_fold)
    if len(folds) > MOST_NAMES:
        folds = [fold for fold in folds if fold[:1] == written[:1] and abs(len(fold) - len(written)) <= 6]
        folds = sorted(folds, key=lambda fold: (fold[:3] != written[:3], fold))[:MOST_NAMES]
    return tuple(by_fold[fold] for fold in difflib.get_close_matches(written, folds, most, 0.6))


def shown(text: str) -> str:
    """Return a text as it may stand in a message: one line, at most 120 characters, nothing invisible."""
    short = text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in short)


def listed(names: Iterable[str]) -> str:
    """Return names with commas between them, at most 30 of them."""
    every = list(names)
    rest = len(every) - MOST_LISTED
    return ", ".join(shown(each) for each in every[:MOST_LISTED]) + (f" and {rest} more" if rest > 0 else "")


def _or(names: tuple[str, ...]) -> str:
    quoted = [f"'{shown(each)}'" for each in names]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + f" or {quoted[-1]}"


def _as_tuple(instead: Iterable[str]) -> tuple[str, ...]:
    if isinstance(instead, str):
        return (instead,) if instead else ()
    return tuple(instead)
