"""YAML as it stands in a scenario: texts, numbers, yes and no, lists and mappings, each with its line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from rulekit.cards.reading import Marked
from rulekit.rules import BadData

LONGEST = 200_000  # characters of a file
DEEPEST = 12  # mappings and lists within each other
_NUMBER = re.compile(r"[-+]?[0-9]{1,9}")
_PLAIN = re.compile(r"[^\W_](?:[^\n,\[\]{}#\"\\]*[^\s,\[\]{}#\"\\])?|[+-][0-9]+/[+-][0-9]+")
_TRUTH = {"yes": True, "true": True, "no": False, "false": False}
_NOTHING = ("", "~", "null")


@dataclass(frozen=True)
class Node:
    """What stands at one place of a file.

    Attributes:
        kind: "text", "number", "yes or no", "nothing", "list" or "mapping".
        value: A str, int, bool or None; for a list a tuple of nodes; for a mapping a tuple of pairs of nodes.
        line: The line in which it begins, the first is 1.
    """

    kind: str
    value: Any
    line: int

    @property
    def told(self) -> str:
        """What kind of thing it is, in words: "a list", "nothing"."""
        return self.kind if self.kind in ("nothing", "yes or no") else f"a {self.kind}"

    def items(self) -> tuple[Node, ...]:
        """Return what stands in a list; in anything else, nothing."""
        return self.value if self.kind == "list" else ()

    def pairs(self) -> Iterator[tuple[str, Node, Node]]:
        """Yield the key as a text, the node of the key and that of the value of each pair of a mapping."""
        for key, value in self.value if self.kind == "mapping" else ():
            yield str(key.value), key, value

    def plain(self) -> Any:
        """Return it as plain values; mappings know the lines of their keys."""
        if self.kind == "list":
            return [item.plain() for item in self.value]
        if self.kind == "mapping":
            return Marked(
                ((key, value.plain()) for key, _, value in self.pairs()),
                {key: node.line for key, node, _ in self.pairs()},
            )
        return self.value


@dataclass
class _Open:
    """A list or mapping whose end has not come yet."""

    kind: str
    line: int
    found: list[Node]
    keys: set[str]

    def add(self, node: Node) -> str | None:
        """Take what stands next in it; returns what is wrong with it there."""
        as_key = self.kind == "mapping" and len(self.found) % 2 == 0
        self.found.append(node)
        if not as_key:
            return None
        if node.kind in ("list", "mapping"):
            return f"{node.told} stands where a key must stand."
        key = str(node.value)
        if key in self.keys:
            return f"the key {key!r} stands in this mapping a second time."
        self.keys.add(key)
        return None

    def closed(self) -> Node:
        if self.kind == "list":
            return Node("list", tuple(self.found), self.line)
        return Node("mapping", tuple(zip(self.found[::2], self.found[1::2], strict=True)), self.line)


class Source:
    """The text of one file, and the mistakes that were found in it.

    Attributes:
        file: Its name, for messages.
        text: What stands in it.
        mistakes: What was found wrong so far.
    """

    def __init__(self, text: str, file: str) -> None:
        """Open a text; nothing is read yet."""
        self.file = file
        self.text = text
        self.lines = text.split("\n")
        self.mistakes: list[BadData] = []

    def wrong(self, line: int | None, message: str, key: str | None = None, instead: Iterable[str] = ()) -> BadData:
        """Remember a mistake, and return it.

        Args:
            line: The line in which it stands.
            message: What is wrong, as a sentence.
            key: Where it stands within the scenario: "given: Alice: hand".
            instead: What may stand there, or a sentence that says so.
        """
        shown = self.lines[line - 1] if line is not None and 0 < line <= len(self.lines) else None
        mistake = BadData(message, self.file, line, key, shown, instead)
        if all((mistake.line, mistake.key, message) != (m.line, m.key, m.message) for m in self.mistakes):
            self.mistakes.append(mistake)
        return mistake

    def check(self) -> None:
        """Raise what was found wrong, in the order of the lines."""
        if self.mistakes:
            raise BadData.several(sorted(self.mistakes, key=lambda mistake: mistake.line or 0))


def read_nodes(source: Source) -> Node | None:
    """Read the one YAML document of a text; nothing in it can name, repeat, build or fetch anything.

    Args:
        source: The text, at most `LONGEST` characters; it takes the mistakes: a text that is too long or no YAML, that
            nests too deeply, or holds an alias, a tag, a second document, or a key twice.

    Returns:
        What stands in it, as far as it can be read; None if nothing can.
    """
    if len(source.text) > LONGEST:
        one = "A scenario is one question; one file holds one scenario."
        source.wrong(None, f"this file has more than {LONGEST:,} characters, too many for a scenario.", instead=one)
        return None
    try:
        source.text.encode()
        root = _build(source)
    except UnicodeEncodeError as error:
        source.wrong(source.text.count("\n", 0, error.start) + 1, "this is no text: half of a sign stands alone in it.")
    except yaml.YAMLError as error:
        _not_yaml(error, source)
    else:
        if root is None and not source.mistakes:
            source.wrong(None, "nothing stands in this file.", instead="A scenario begins with its title.")
        return root
    return None


def _build(source: Source) -> Node | None:
    """Put the tree together from the events of the parser."""
    opened: list[_Open] = []
    root: Node | None = None
    for event in yaml.parse(source.text.removeprefix("\ufeff"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        if isinstance(event, yaml.DocumentStartEvent) and root is not None:
            source.wrong(_line(event), "a second document begins here.", instead="One file holds one scenario.")
            return root
        if not isinstance(event, yaml.NodeEvent | yaml.CollectionEndEvent):
            continue
        node = opened.pop().closed() if isinstance(event, yaml.CollectionEndEvent) else _begun(event, source)
        if isinstance(event, yaml.CollectionStartEvent):
            opened.append(_Open(node.kind, node.line, [], set()))
            if len(opened) > DEEPEST:
                source.wrong(node.line, f"this nests deeper than {DEEPEST} levels.")
                return None
        elif opened:
            problem = opened[-1].add(node)
            if problem:
                source.wrong(node.line, problem)
        else:
            root = node
    return root


def _begun(event: Any, source: Source) -> Node:
    """Return the node that an event begins, empty if it is a list or a mapping."""
    line = _line(event)
    if event.anchor is not None:
        name = f"{'*' if isinstance(event, yaml.AliasEvent) else '&'}{event.anchor}"
        source.wrong(line, f"{name} is a reference, and a scenario has none.", instead="Write out what it stands for.")
    if getattr(event, "tag", None) is not None:
        source.wrong(line, f"{event.tag} is a tag, and a scenario has none.")
    if isinstance(event, yaml.SequenceStartEvent):
        return Node("list", (), line)
    if isinstance(event, yaml.MappingStartEvent):
        return Node("mapping", (), line)
    if isinstance(event, yaml.AliasEvent):
        return Node("nothing", None, line)
    return _scalar(event.value, plain=event.style in (None, ""), line=line)


def _scalar(text: str, plain: bool, line: int) -> Node:
    """Read a text; unquoted it may be a number, yes or no, or nothing."""
    if plain and text.lower() in _NOTHING:
        return Node("nothing", None, line)
    if plain and text.lower() in _TRUTH:
        return Node("yes or no", _TRUTH[text.lower()], line)
    if plain and _NUMBER.fullmatch(text):
        return Node("number", int(text), line)
    return Node("text", text.strip(), line)


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _not_yaml(error: yaml.YAMLError, source: Source) -> None:
    mark = getattr(error, "problem_mark", None)
    line = mark.line + 1 if mark else None
    problem = getattr(error, "problem", None) or str(error)
    if isinstance(error, yaml.reader.ReaderError):
        sign = error.character if isinstance(error.character, str) else chr(error.character)
        problem = f"the sign {sign!a} may not stand in it"
        line = source.text.count("\n", 0, error.position) + 1
    source.wrong(line, f"this is not YAML: {problem}.")


def flow(value: Any) -> str:
    """Return a plain value as it would stand in one line of a scenario: [Island, Forest], {+1/+1: 2}, true."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{flow(key)}: {flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    return _quoted(value) if isinstance(value, str) else str(value)


def _quoted(text: str) -> str:
    plain = _scalar(text, plain=True, line=0) == Node("text", text, 0) and _PLAIN.fullmatch(text) and ": " not in text
    return text if plain and not text.endswith(":") else json.dumps(text, ensure_ascii=False)
