"""Play scenarios and compare what they expect with what happens.

Folders are searched to the bottom; without a path the scenarios of the package are taken.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from rulekit.rules import BadData, nearest, shown
from rulekit.scenarios import report
from rulekit.scenarios.questions import falls_under
from rulekit.scenarios.report import Difference, Result
from rulekit.scenarios.scenario import BANK, Scenario
from rulekit.widgets.html import printable

EXAMPLES = """\
  rulekit check my-scenario.yaml
  rulekit check scenarios/ --json
  rulekit check --tag gift
  rulekit check --rule 701.17d --list
"""
STATUS: dict[int, str] = {1: "a scenario failed or could not be read"}
FAILED, NOTHING = 1, 2
ENDINGS = (".yaml", ".yml")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the files and folders, the selection, and the form of the answer."""
    parser.add_argument("paths", nargs="*", type=Path, metavar="FILE_OR_FOLDER", help="what to check")
    parser.add_argument("--tag", action="append", default=[], help="only scenarios with this tag")
    parser.add_argument("--rule", action="append", default=[], help="only scenarios about this rule")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object")
    form.add_argument("--list", action="store_true", help="print title, rules and tags, and play nothing")


def run(options: argparse.Namespace) -> int:
    """Read, select, play and print."""
    read = [_read(file) for file in _files(options.paths or [BANK])]
    chosen = _selected(read, options.tag, options.rule)
    if options.list or options.json:
        for each in chosen:
            _warn(each)
    if options.list:
        return _print_list(chosen)
    results = (_played(each) if isinstance(each, Scenario) else each for each in chosen)
    return _print_json(results) if options.json else _print_plain(results)


def _warn(each: Scenario | Result) -> None:
    """Print what is odd about a scenario and no mistake."""
    for warning in each.warnings:
        print(printable(warning), file=sys.stderr)


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the scenario files of files and folders, each once."""
    seen = set()
    for path in paths:
        if not path.exists():
            raise BadData("there is no such file or folder.", path)
        found = [path] if not path.is_dir() else sorted(p for p in path.rglob("*") if p.suffix.lower() in ENDINGS)
        if not found:
            raise BadData("there is no scenario in this folder.", path, instead="A scenario is a file NAME.yaml.")
        for file in found:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                yield file


def _read(file: Path) -> Scenario | Result:
    """Read a scenario; one that cannot be read counts as failed."""
    try:
        return Scenario.read(file)
    except BadData as error:
        mistakes = tuple(Difference(each.line or 0, "a scenario", str(each)) for each in error.mistakes)
    except OSError as error:
        mistakes = (Difference(0, "a scenario", f"{file}: {error.strerror or error}"),)
    return Result(str(file), report.UNREADABLE, mistakes)


def _played(scenario: Scenario) -> Result:
    """Play a scenario; one on which rulekit itself breaks counts as failed, and the others are played all the same."""
    try:
        return scenario.play()
    except Exception as error:  # noqa: BLE001 - a mistake of ours must not hide what the other scenarios say
        told = f"rulekit itself failed, please report it: {type(error).__name__}: {error}"
        return Result(scenario.file, report.FAILED, (Difference(0, "an answer", told),), scenario=scenario)


def _selected(read: list[Scenario | Result], tags: list[str], rules: list[str]) -> list[Scenario | Result]:
    """Return the scenarios with all of some tags and rules; what cannot be read stays when nothing is selected.

    Raises:
        BadData: No scenario is of that kind.
    """
    if not tags and not rules:
        return read
    scenarios = [each for each in read if isinstance(each, Scenario)]
    chosen = [
        each
        for each in scenarios
        if set(tags) <= set(each.tags) and all(any(falls_under(own, rule) for own in each.rules) for rule in rules)
    ]
    if not chosen:
        every = {word: 0 for each in scenarios for word in (*each.tags, *each.rules)}
        near = [name for word in (*tags, *rules) if word not in every for name in nearest(word, every)]
        instead = near or "rulekit check --list shows the tags and rules of each."
        raise BadData(f"no scenario is about {shown(' and '.join((*tags, *rules)))}.", instead=instead)
    return list(chosen)


def _print_list(chosen: list[Scenario | Result]) -> int:
    unreadable = [each for each in chosen if isinstance(each, Result)]
    for each in chosen:
        if isinstance(each, Scenario):
            about = f"rules: {', '.join(each.rules)}; tags: {', '.join(each.tags)}"
            print(printable(f"{each.file}\n    {each.title}\n    {about}"))
    for each in unreadable:
        print(printable(str(each)), file=sys.stderr)
    return FAILED if unreadable else 0


def _print_json(results: Iterable[Result]) -> int:
    done = list(results)
    passed, failed = _counted(done)
    plain = {"passed": passed, "failed": failed, "results": [each.as_plain() for each in done]}
    print(json.dumps(plain, indent=1, ensure_ascii=False))
    return FAILED if failed else 0


def _print_plain(results: Iterable[Result]) -> int:
    done = []
    for each in results:
        done.append(each)
        if each.status == report.PASSED:
            _warn(each)
        else:
            print(printable(str(each)), end="\n\n", flush=True)
    passed, failed = _counted(done)
    print(f"{passed} passed, {failed} failed")
    return FAILED if failed else 0


def _counted(results: list[Result]) -> tuple[int, int]:
    return sum(each.status == report.PASSED for each in results), sum(each.counts_as_failed for each in results)
