"""YAML read safely and strictly: every key knows its line, and what may not stand there is refused."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import yaml

from rulekit.rules import BadData, nearest

T = TypeVar("T")

_KINDS = {
    dict: "a mapping",
    list: "a list",
    str: "a text",
    bool: "yes or no",
    int: "a number",
    float: "a number",
}


class Marked(dict[Any, Any]):
    """A mapping of a YAML file whose keys know the line they stand in.

    Attributes:
        lines: Key to line number, the first line is 1.
    """

    lines: dict[Any, int]

    def __init__(
        self,
        pairs: Iterable[tuple[Any, Any]] = (),
        lines: Mapping[Any, int] | None = None,
    ) -> None:
        """Make a mapping of pairs of key and value."""
        super().__init__(pairs)
        self.lines = dict(lines or {})


def read_yaml(text: str, file: str | Path = "") -> Any:
    """Read one YAML document with nothing in it but texts, numbers, yes and no, lists and mappings.

    Args:
        text: The document.
        file: Its name, for messages.

    Returns:
        What stands in it; every mapping is a Marked.

    Raises:
        BadData: The text is no YAML, has a key twice, or holds a tag.
    """
    loader = _loader_class()(text)
    try:
        return loader.get_single_data()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        raise BadData(
            f"this is not YAML: {problem}.",
            file or None,
            mark.line + 1 if mark else None,
        ) from None
    except RecursionError:
        raise BadData("this is not YAML that can be read: it is nested too deeply.", file or None) from None
    finally:
        loader.dispose()


@cache
def _loader_class() -> Any:
    """Make the loader: PyYAML's safe one, in C where there is one, that keeps line numbers and refuses twins."""

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        pass

    def mapping(loader: Any, node: yaml.MappingNode) -> Iterator[Marked]:
        made = Marked()
        yield made
        loader.flatten_mapping(node)
        for at, value in node.value:
            key = loader.construct_object(at, deep=True)
            problem = "a key is a text or a number" if isinstance(key, dict | list) else None
            if not problem and key in made:
                problem = f"the key {key!r} stands here a second time"
            if problem:
                raise yaml.constructor.ConstructorError(None, None, problem, at.start_mark)
            made[key] = loader.construct_object(value, deep=True)
            made.lines[key] = at.start_mark.line + 1

    Loader.add_constructor("tag:yaml.org,2002:map", mapping)
    return Loader


def kind_of(value: object) -> str:
    """Say in words what kind of value stands somewhere."""
    if value is None:
        return "nothing"
    return (
        "an empty text" if isinstance(value, str) and not value.strip() else _KINDS.get(type(value), "something else")
    )


class Entry:
    """A mapping with a name, read strictly: each question says what must stand there, or refuses.

    Args:
        name: What the entry is about, for messages.
        mapping: What stands in the file.
        where: The file, or `FILE:LINE`.
    """

    def __init__(self, name: str, mapping: Any, where: str = "") -> None:
        """Open an entry; refuse what is no mapping."""
        file, _, line = where.rpartition(":")
        self.name = name
        self.file = (file if line.isdigit() else where) or None
        self.line = int(line) if line.isdigit() else None
        if not isinstance(mapping, Mapping):
            raise BadData(
                f"{kind_of(mapping)} stands where a mapping must stand.",
                self.file,
                self.line,
                name,
            )
        self.mapping = mapping

    def __contains__(self, key: str) -> bool:
        return key in self.mapping

    def bad(self, key: str, message: str, value: object = None, instead: Iterable[str] = ()) -> BadData:
        """Give the refusal of what stands at a key, with its place."""
        line = getattr(self.mapping, "lines", {}).get(key, self.line)
        text = None if value is None else str(value)
        return BadData(message, self.file, line, f"{self.name}: {key}", text, instead)

    def wrong(self, key: str, wanted: str, value: object) -> BadData:
        """Give the refusal of a value of the wrong kind."""
        return self.bad(key, f"{kind_of(value)} stands where {wanted} must stand.", value)

    def only(self, keys: Collection[str]) -> None:
        """Refuse every key but these, and name the nearest."""
        for key in self.mapping:
            if key not in keys:
                raise self.bad(
                    str(key),
                    "this key is unknown.",
                    instead=nearest(str(key), keys) or keys,
                )

    def text(self, key: str, default: str = "") -> str:
        """Give a text that is not empty, or the default where the key is not there."""
        value = self.mapping.get(key, default)
        if not isinstance(value, str) or (key in self.mapping and not value.strip()):
            raise self.wrong(key, "a text", value)
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Give a list of texts; one text alone is a list of one."""
        value = self.mapping.get(key, [])
        found = [value] if isinstance(value, str) else value
        if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
            raise self.wrong(key, "a text or a list of texts", value)
        return tuple(found)

    def number(self, key: str) -> int | str | None:
        """Give a number or a text such as `*`, None where the key is not there."""
        value = self.mapping.get(key)
        if isinstance(value, bool) or (not isinstance(value, int | str) and key in self.mapping):
            raise self.wrong(key, "a number or a text such as *", value)
        return value

    def parsed(self, key: str, parse: Callable[[str], T]) -> T | None:
        """Give what a reader makes of a text, None where the key is not there; its refusal gets the place."""
        if key not in self.mapping:
            return None
        try:
            return parse(self.text(key))
        except BadData as error:
            if error.file or error.key:
                raise
            raise self.bad(key, error.message, instead=error.instead) from None

    def pairs(self, key: str, kinds: Collection[str]) -> list[tuple[str, str]]:
        """Give a list of mappings with one key each as pairs of that key and its text."""
        items = self.mapping.get(key, [])
        if not isinstance(items, list):
            raise self.wrong(key, "a list", items)
        found = []
        for item in items:
            if not isinstance(item, Mapping) or len(item) != 1:
                raise self.bad(key, "each line of this list is one key with its text.", item, kinds)
            ((kind, value),) = item.items()
            inner = Entry(
                f"{self.name}: {key}",
                item,
                f"{self.file or ''}:{self.line}" if self.line else self.file or "",
            )
            inner.only(kinds)
            if isinstance(value, bool) or not isinstance(value, str | int):
                raise inner.wrong(kind, "a text", value)
            found.append((kind, str(value).strip()))
        return found

    def named(self, key: str) -> list[Entry]:
        """Give one mapping or a list of mappings that have a `name`, each as an entry without that key."""
        value = self.mapping[key]
        found = []
        for item in value if isinstance(value, list) else [value]:
            if not isinstance(item, Mapping) or not isinstance(item.get("name"), str):
                raise self.bad(key, "what stands here has a name of its own.", item)
            lines = getattr(item, "lines", {})
            line = lines.get("name", self.line)
            rest = Marked(((at, each) for at, each in item.items() if at != "name"), lines)
            found.append(
                Entry(
                    item["name"],
                    rest,
                    f"{self.file or ''}:{line}" if line else self.file or "",
                )
            )
        return found
