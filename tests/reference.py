"""Write docs/reference.md from the docstrings: python -m tests.reference (--check tells whether it is current)."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import rulekit
from rulekit import cli
from rulekit.engine.abilities import WORDS, Word
from rulekit.engine.telling import paraphrase
from rulekit.engine.text import load_words

FILE = Path(__file__).resolve().parents[1] / "docs" / "reference.md"
HEAD = """\
# Reference

Made from the docstrings by `python -m tests.reference`; change them, not this page. `help(rulekit.Game)` in Python says
more of each, with its arguments, `rulekit COMMAND --help` does in a terminal.
"""
SORTS = {"effect": "Instructions", "keyword": "Keywords"}
ALREADY = {"index", "count"}  # of tuples and the like: not ours


def main(words: Sequence[str] | None = None) -> int:
    """Write the page, or tell whether it is current."""
    parser = argparse.ArgumentParser(prog="python -m tests.reference", description="Write docs/reference.md.")
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 if it is not current")
    options = parser.parse_args(words)
    text = page()
    if options.check:
        return int(not FILE.exists() or FILE.read_text(encoding="utf-8") != text)
    FILE.write_text(text, encoding="utf-8")
    return 0


def page() -> str:
    """Return the whole page."""
    load_words()
    lines = [HEAD, "## In Python", "", "All of these are in `rulekit`.", ""]
    for name in sorted(rulekit.__all__, key=str.casefold):
        lines += thing(name, getattr(rulekit, name))
    lines += ["## In a terminal", ""]
    for command in cli.commands():
        examples = inspect.cleandoc(command.EXAMPLES)
        lines += [f"### `rulekit {command.__name__.rpartition('.')[2]}`", "", f"{command.__doc__}".strip(), ""]
        lines += ["```", examples, "```", ""]
    for sort, title in SORTS.items():
        said = sorted((word for word in WORDS.values() if word.sort == sort and word.phrases), key=lambda word: word.op)
        lines += [f"## {title}", "", "As rules text says them; what stands in braces is filled in.", ""]
        lines += ["| phrase | rule | what it does |", "| --- | --- | --- |", *map(row, said), ""]
    return "\n".join(lines).rstrip() + "\n"


def thing(name: str, what: object) -> list[str]:
    """Return the lines of one public name: what it is, and what can be done with it."""
    lines = [f"### `{name}`", "", told(what), ""]
    if inspect.isclass(what):
        lines += [f"- {code(f'.{each}', member)}: {told(member)}" for each, member in members(what)] + [""]
    else:
        lines += [code(name, what), ""]
    return lines


def members(of: type) -> Iterator[tuple[str, object]]:
    """Yield the public methods and properties that a class of ours has itself or from a class of ours, by name."""
    ours = [each for each in of.__mro__ if each.__module__.startswith("rulekit")]
    names = {name for each in ours for name in vars(each) if not name.startswith("_")} - ALREADY
    for name in sorted(names):
        member = inspect.getattr_static(of, name)
        if isinstance(member, classmethod | staticmethod):
            member = member.__func__
        if (callable(member) or isinstance(member, property)) and inspect.getdoc(member):
            yield name, member


def code(name: str, what: Any) -> str:
    """Return how something is written: with its arguments, if it takes any."""
    if isinstance(what, property):
        return f"`{name}`"
    given = inspect.signature(what).parameters.values()
    return f"`{name}({', '.join(spelled(each) for each in given if each.name not in ('self', 'cls'))})`"


def spelled(argument: inspect.Parameter) -> str:
    """Return an argument as it is called, without its type; one that may be left out has dots for its value."""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(argument.kind, "")
    return stars + argument.name + ("=…" if argument.default is not inspect.Parameter.empty else "")


def told(what: object) -> str:
    """Return the first paragraph of a docstring, in one line."""
    return " ".join((inspect.getdoc(what) or "").partition("\n\n")[0].split())


def row(word: Word) -> str:
    """Return the line of an instruction or keyword."""
    phrase = word.phrases[0].replace("|", "\\|")
    return f"| `{phrase}` | {word.rule} | {told(word.body) or paraphrase(word.rule)} |".replace("\n", " ")


if __name__ == "__main__":
    raise SystemExit(main())
