"""What the rules say, by number, and the four ways in which rulekit refuses.

RulekitError
|-- Illegal    against a rule of the game; always with the number of that rule
|-- BadData    a file or a text that cannot be read; file, line, key, and what may stand there
|-- Unknown    a name or phrase that nothing is called; the nearest one
`-- TooMany    more than fits in bounded time or memory; the way out
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import ascii_lowercase

EDITION = "17 April 2026"
LONGEST_SHOWN = 120
MOST_NAMES = 2_000
MOST_LISTED = 30
LARGEST_OFFICIAL = 20_000_000

_NUMBER = r"[1-9]\d\d(?:\.\d{1,3}[a-z]?)?"
_INDENT = "    "
_CHANGED = "    changed: "


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

    def with_instead(self, instead: Callable[[], Iterable[str]]) -> Illegal:
        """Return this refusal with what is legal instead, if it says nothing of it."""
        return self if self._instead else Illegal(self.rule, self.message, instead)

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
        self._several: tuple[BadData, ...] = ()

    @classmethod
    def several(cls, mistakes: Sequence[BadData]) -> BadData:
        """Return the mistakes of one file as one refusal that tells them all.

        Args:
            mistakes: At least one, in the order in which they are told.
        """
        if len(mistakes) == 1:
            return mistakes[0]
        first = mistakes[0]
        joined = cls(first.message, first.file, first.line, first.key, first.text, first._given())
        joined._several = tuple(mistakes)
        return joined

    @property
    def mistakes(self) -> tuple[BadData, ...]:
        """Every mistake that was found, this one alone if there is no other."""
        return self._several or (self,)

    def _given(self) -> Iterable[str]:
        return self.instead[0] if self._sentence and self.instead else self.instead

    def __str__(self) -> str:
        if self._several:
            return "\n".join(map(str, self._several))
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
        parts = (self.message, self.file, self.line, self.key, self.text, self._given())
        return (type(self), parts, {"_several": self._several})


class Unknown(RulekitError):
    """Refuse a name or phrase that nothing is called, and name the nearest, or all if they are few."""

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
        names = tuple(known)
        self.near = nearest(name, names)
        self.instead = self.near or (names if len(names) <= MOST_LISTED else ())

    def __str__(self) -> str:
        where = f" {self.where}" if self.where else ""
        head = f"no {self.kind} is called '{shown(self.name)}'{where}."
        if self.instead and not self.near:
            return f"{head} There is: {', '.join(map(shown, self.instead))}."
        return head + did_you_mean(self.near)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.kind, self.name, self.instead, self.where))


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


def did_you_mean(near: tuple[str, ...]) -> str:
    """Return the sentence that asks for what was probably meant, with a space before it; "" if nothing is near."""
    return f" Did you mean {_or(near)}?" if near else ""


def _or(names: tuple[str, ...]) -> str:
    quoted = [f"'{shown(each)}'" for each in names]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + f" or {quoted[-1]}"


def _as_tuple(instead: Iterable[str]) -> tuple[str, ...]:
    if isinstance(instead, str):
        return (instead,) if instead else ()
    return tuple(instead)


@dataclass
class _Official:
    """The official text that was loaded: its edition, and its wording by number."""

    edition: str = ""
    wording: dict[str, str] = field(default_factory=dict)


_official = _Official()


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the edition, in our words.

    Attributes:
        number: "701.17d", or "701.17" and "701" for what stands above it.
        text: What the rule says, in our words.
        changed: How the rule, or its number, changed since mid 2025; empty when it did not.
        edition: The day from which this edition holds.
    """

    number: str
    text: str
    changed: str = ""
    edition: str = EDITION

    @property
    def official(self) -> str:
        """The official wording, once `load` has read it from a file; else empty."""
        return _official.wording.get(self.number, "")

    def page(self, width: int = 100) -> str:
        """Return the rule as text: ours, what changed, and the official wording when that was loaded.

        Args:
            width: Length of the longest line, characters.
        """
        lines = [f"{self.number} (edition of {self.edition}): {self.text}"]
        lines += [f"  Changed: {self.changed}"] if self.changed else []
        wording, *examples = self.official.splitlines() or [""]
        lines += [f"  {self._wording()}: {wording}"] if wording else []
        lines += [f"{_INDENT}{example}" for example in examples]
        return "\n".join(wrapped(line, width) for line in lines)

    def __str__(self) -> str:
        return self.page()

    def _repr_html_(self) -> str:
        from html import escape

        number = escape(self.number)
        parts = [f"<p><b>{number}</b> {escape(self.text)}</p>"]
        parts += [f"<p><i>Changed:</i> {escape(self.changed)}</p>"] if self.changed else []
        if self.official:
            wording = "<br>".join(escape(part) for part in self.official.splitlines())
            parts.append(f"<p><i>{escape(self._wording())}:</i></p><blockquote>{wording}</blockquote>")
        return f'<section aria-label="Rule {number}, edition of {escape(self.edition)}">{"".join(parts)}</section>'

    def _wording(self) -> str:
        if _official.edition in ("", self.edition):
            return "Official wording"
        return f"Official wording, edition of {_official.edition} (numbers may have moved)"


def find(number: str) -> Rule:
    """Return the rule with a number.

    Args:
        number: Such as "701.17d", "701.17", "701" or "CR 701.17d".

    Raises:
        Unknown: The index has no such number; it names near ones.
    """
    wanted = _plain(number)
    rule = _index().get(wanted)
    if rule is None:
        raise Unknown("rule", number.strip(), _near(wanted), f"in the index (edition of {EDITION})")
    return rule


def known(number: str) -> bool:
    """Return whether the index has a rule with this number."""
    return _plain(number) in _index()


def every() -> tuple[Rule, ...]:
    """Return all rules of the index, by number."""
    return tuple(_index().values())


def below(number: str) -> tuple[Rule, ...]:
    """Return the rules that stand directly below a number: 701.17a to 701.17d below "701.17".

    Raises:
        Unknown: The index has no such number.
    """
    above = find(number).number
    step = rf"{re.escape(above)}[a-z]" if "." in above else rf"{above}\.\d+"
    return tuple(rule for rule in every() if re.fullmatch(step, rule.number))


def search(words: str) -> tuple[Rule, ...]:
    """Return the rules in which all words occur, in our words or in the official wording that was loaded.

    Args:
        words: Words in any order and in any form: "library empty", "milled cards".

    Returns:
        First the rules under a heading that is one of the words, by number (701.17, 701.17a and on for "mill"); then
        those that hold the words side by side; then the shorter ones. None when a word never occurs.
    """
    stems = [_stem(word) for word in _words(words[:LONGEST_SHOWN])]
    phrase = " ".join(stems)
    hits = []
    for rule in every() if stems else ():
        found = [_stem(word) for word in _words(f"{rule.number} {rule.text} {rule.changed} {rule.official}")]
        if all(any(each.startswith(stem) for each in found) for stem in stems):
            apart = not _stands_under(rule, stems)
            hits.append((apart, apart and phrase not in " ".join(found), len(found) if apart else 0, rule))
    return tuple(rule for *_, rule in sorted(hits, key=lambda hit: hit[:3]))


def _stands_under(rule: Rule, stems: Sequence[str]) -> bool:
    """Return whether a rule is, or stands right below, a heading of one word that was asked for: 701.17, "Mill."."""
    heading = _index().get(rule.number.rstrip(ascii_lowercase))
    words = _words(heading.text) if heading else []
    return len(words) == 1 and _stem(words[0]) in stems


def load(path: str | Path) -> int:
    """Read the official rules text from a file that a person has, so that `Rule.official` gives its wording.

    Args:
        path: The plain text of the Comprehensive Rules, in UTF-8, UTF-16 or Windows-1252; one rule a line.

    Returns:
        How many numbers of our index have a wording now.

    Raises:
        BadData: The file cannot be read, or holds no line such as "701.17a ...".
        TooMany: The file is larger than 20 MB.
    """
    wordings, edition = _read_official(Path(path))
    _official.edition = edition
    _official.wording = {number: text for number, text in wordings.items() if number in _index()}
    return len(_official.wording)


def _read_official(path: Path) -> tuple[dict[str, str], str]:
    try:
        size = path.stat().st_size
        if size > LARGEST_OFFICIAL:
            raise TooMany(
                f"{path.name} has {size:,} bytes, the limit is {LARGEST_OFFICIAL:,}.",
                "Give the plain text of the Comprehensive Rules, about 1 MB.",
            )
        text = _decoded(path.read_bytes())
    except OSError as failure:
        raise BadData(f"the file cannot be read: {failure.strerror or failure}.", file=path) from None
    wordings: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        start = re.match(rf"\s*({_NUMBER})\.?\s+(\S.*)", line)
        if start:
            lines = wordings.setdefault(start[1], [])
            lines[:] = [start[2].strip()]
        elif not line.strip():
            lines = []
        elif lines:
            lines.append(line.strip())
    if not any("." in number for number in wordings):
        raise BadData(
            "no rule was found in this file.",
            file=path,
            instead="A rule is a line such as '701.17a ...' in plain text.",
        )
    day = re.search(r"effective as of ([A-Z][a-z]+) (\d{1,2}), (\d{4})", text)
    return {number: "\n".join(each) for number, each in wordings.items()}, f"{day[2]} {day[1]} {day[3]}" if day else ""


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    if b"\0" in data[:200]:
        return data.decode("utf-16-le" if data[1:2] == b"\0" else "utf-16-be", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


@functools.cache
def _index() -> dict[str, Rule]:
    rules: dict[str, Rule] = {}
    number = ""
    for line in Path(__file__).with_name("rules.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(_CHANGED):
            rules[number] = Rule(number, rules[number].text, line.removeprefix(_CHANGED))
        elif line and not line.startswith("#"):
            number, _, text = line.partition(" ")
            rules[number] = Rule(number, text)
    return rules


def _near(number: str) -> list[str]:
    """Return the numbers of the same rule, else those of the same section, else all for what is a number at all."""
    section, _, rest = number.partition(".")
    rule = f"{section}.{re.sub('[a-z].*', '', rest)}"
    siblings = [each for each in _index() if re.fullmatch(rf"{re.escape(rule)}[a-z]?", each)]
    family = siblings or [each for each in _index() if each.partition(".")[0] == section]
    return family or (list(_index()) if number[:1].isdigit() else [])


def _plain(number: str) -> str:
    return re.sub(r"^\s*(?:cr|rules?)?\s*|[.\s]*$", "", number[:LONGEST_SHOWN].lower())


def _words(text: str) -> list[str]:
    return re.findall(r"[\w.+/-]*\w", text.casefold().replace("\u2019s ", " ").replace("'s ", " "))


def _stem(word: str) -> str:
    """Return what the forms of a word share: library, libraries; mill, mills, milled, milling."""
    return re.sub(r"(?:ies|ing|ed|es|y|s|e)$", "", word) if len(word) > 4 else word


def wrapped(text: str, width: int) -> str:
    """Return a paragraph in lines no longer than a width, all but the first indented."""
    import textwrap

    return textwrap.fill(text, width, subsequent_indent=_INDENT)
