"""The walls: who may import whom, and what an import costs.

ROOMS is the drawing. A module imports what stands above it, and a room (its `__init__`) stands below its modules. A new
module gets its line here; until then it counts as the last of its room. Names in annotations are no imports. Where two
modules of one room need each other, the upper one imports the lower inside a function, and that is listed in LATE.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import rulekit
from tests.conftest import ROOT

ROOMS = {
    "rules": [],
    "cards": [
        "whole",
        "subtypes",
        "reading",
        "printed",
        "card",
        "json_stream",
        "card_data",
        "kept",
        "card_cache",
        "pool",
        "deck_source",
        "deck_draft",
        "deck_numbers",
        "deck_names",
        "deck_tags",
        "deck_blocks",
        "deck_text",
        "deck_markdown",
        "deck_table",
        "deck_xml",
        "deck_json",
        "deck_write",
        "mixture",
        "deck",
    ],
    "engine": [
        "abilities",
        "phrases",
        "parsing",
        "grammar",
        "once",
        "state",
        "frame",
        "happening",
        "players",
        "filters",
        "objects",
        "granting",
        "which",
        "amounts",
        "conditions",
        "statements",
        "nouns",
        "seen",
        "continuous",
        "layers",
        "changes",
        "actions",
        "piles",
        "choosing",
        "door",
        "events",
        "flow",
        "optional",
        "repeating",
        "lasting",
        "claims",
        "costs",
        "mana",
        "attaching",
        "damage",
        "phasing",
        "sagas",
        "until",
        "sba",
        "replacing",
        "trigger_events",
        "player_events",
        "would",
        "replacements",
        "triggers",
        "keywords",
        "antecedents",
        "saying",
        "wording",
        "standing",
        "plausible",
        "paragraphs",
        "text",
        "permissions",
        "targets",
        "announcing",
        "casting",
        "special",
        "offers",
        "combat",
        "resolving",
        "instructions.library",
        "instructions.zones",
        "instructions.permanents",
        "instructions.preventing",
        "instructions.regenerating",
        "instructions.players",
        "instructions.spells",
        "instructions.tokens",
        "instructions.looking",
        "instructions",
        "turn",
        "position",
        "game",
        "sentences",
        "telling",
        "moments",
    ],
    "scenarios": [
        "nodes",
        "form",
        "known",
        "naming",
        "instruct",
        "values",
        "reading",
        "acting",
        "goal",
        "ordering",
        "expect",
        "report",
        "run",
        "attempts",
        "writing",
        "recording",
        "scenario",
        "questions",
    ],
    "probability": [
        "condition",
        "estimate",
        "tables",
        "weighted",
        "distribution",
        "integers",
        "rows",
        "program",
        "packed",
        "sums",
        "packing",
        "translation",
        "native",
        "words",
        "desk",
        "pool",
        "taking",
        "kernel",
        "lanes",
        "abreast",
        "word_arrays",
        "side_by_side",
        "picking",
        "vectors",
        "playing",
        "dealing",
        "asked",
        "combinations",
        "ways",
        "until",
        "kinds",
        "crowd",
        "hands",
        "knowledge",
        "walks",
        "chain",
        "spread",
        "law",
        "unseen",
        "spoken",
        "refusing",
        "looks",
        "counting",
        "tracer",
        "question",
        "plan",
        "rhythms",
        "from_cards",
        "drafts",
        "programs",
        "replay",
        "answer",
        "exact",
        "policies",
        "recorded",
        "games",
        "workers",
        "matches",
        "tally",
        "simulate",
        "sweep",
    ],
    "widgets": [
        "html",
        "turns",
        "picture",
        "view",
        "charts",
        "frames",
        "sheet",
        "board",
        "panel",
        "point",
        "whens",
        "asks",
        "variations",
        "quiz",
        "trainer",
        "lines",
        "lab",
        "mill_lab",
        "gift_lab",
        "equip_lab",
        "bars",
        "slider",
        "live",
        "odds_plan",
        "odds_asked",
        "odds_lab",
    ],
    "commands": [
        "odds_plan",
        "odds_asked",
        "odds_one",
        "odds_several",
        "kept_readings",
        "cards",
        "check",
        "deck",
        "lab",
        "odds",
        "play",
        "rule",
    ],
    "cli": [],
}
LATE = {
    "rulekit.widgets.view": {"rulekit.widgets.live"},
    "rulekit.engine.abilities": {"rulekit.engine.grammar"},
    "rulekit.engine.state": {"rulekit.engine.layers"},
    "rulekit.engine.seen": {"rulekit.engine.text"},
    "rulekit.engine.events": {"rulekit.engine.replacing", "rulekit.engine.triggers", "rulekit.engine.until"},
    "rulekit.engine.optional": {"rulekit.engine.instructions.spells"},
    "rulekit.engine.replacements": {"rulekit.engine.instructions.spells", "rulekit.engine.instructions.tokens"},
    "rulekit.engine.replacing": {"rulekit.engine.text"},
    "rulekit.engine.triggers": {"rulekit.engine.text"},
    "rulekit.engine.resolving": {"rulekit.engine.instructions.spells"},
    "rulekit.probability.plan": {"rulekit.probability.from_cards"},
    "rulekit.probability.workers": {"rulekit.widgets.progress"},
}
SHOWN_BY = ("rulekit.widgets.view", "rulekit.widgets.charts")
LIGHT = ["rules", "cards", "engine", "scenarios", "commands", "cli"]

MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((ROOT / "rulekit").rglob("*.py"))
}


def place(module: str) -> tuple[int, int]:
    """Where a module stands in the drawing: its room, and its line there."""
    room, _, name = module.removeprefix("rulekit.").partition(".")
    if room == "rulekit":
        return (len(ROOMS), 0)
    lines = ROOMS[room]
    line = len(lines) if name not in lines else lines.index(name)
    return (list(ROOMS).index(room), line if name else len(lines) + 1)


@dataclass(frozen=True)
class Import:
    """One module of ours that another imports, and where: at the top, inside a function, inside one that shows."""

    name: str
    late: bool
    to_show: bool

    def stands(self, module: str) -> bool:
        """Whether the walls allow a module this import."""
        return (
            place(self.name) < place(module)
            or (self.to_show and self.name in SHOWN_BY)
            or (self.late and self.name in LATE.get(module, ()))
            or (self.name == "rulekit" and module.startswith(("rulekit.cli", "rulekit.commands")))
        )


def inside(tree: ast.AST, kind: type[ast.AST], shows: bool = False) -> set[int]:
    """The nodes inside functions, those of methods that show something alone, or inside `if TYPE_CHECKING`."""
    return {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, kind)
        and (not shows or node.name.startswith("_repr_") or node.name == "plot")
        and (not isinstance(node, ast.If) or "TYPE_CHECKING" in ast.unparse(node.test))
        for inner in ast.walk(node)
    }


def imports(module: str) -> Iterator[Import]:
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    annotating, late = inside(tree, ast.If), inside(tree, ast.FunctionDef)
    to_show = inside(tree, ast.FunctionDef, shows=True)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are written in full, from rulekit"
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in MODULES else str(node.module) for name in whole]
        else:
            continue
        if id(node) not in annotating:
            ours = [name for name in names if name.partition(".")[0] == "rulekit"]
            yield from (Import(name, id(node) in late, id(node) in to_show) for name in ours)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_stands_above_it(module: str) -> None:
    wrong = [each.name for each in imports(module) if not each.stands(module)]

    assert [] == wrong, f"{module} stands above {wrong} in ROOMS of {Path(__file__).name}"


@pytest.mark.parametrize("room", LIGHT)
def test_rules_need_nothing_but_the_standard_library_and_yaml(room: str) -> None:
    modules = [module for module in MODULES if f"{module}.".startswith(f"rulekit.{room}.")]
    program = f"""
import sys
before = set(sys.modules)
import {", ".join(modules)}
print(*(name for name in set(sys.modules) - before if getattr(sys.modules[name], "__file__", None)))"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    packages = {name.partition(".")[0] for name in said.stdout.split()}

    assert set() == packages - sys.stdlib_module_names - {"rulekit", "yaml", "_yaml"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each module is imported by a process that has imported none yet")
def test_whichever_module_of_the_scenarios_is_imported_first_it_finds_what_it_needs() -> None:
    """Those of the engine begin with the engine as a whole."""
    program = f"""
import os, yaml
for module in {[module for module in MODULES if module.startswith("rulekit.scenarios.")]}:
    child = os.fork()
    if not child:
        try:
            __import__(module)
        except Exception as fault:
            print(module, fault, sep=": ", flush=True)
        os._exit(0)
    os.waitpid(child, 0)"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)

    assert [] == said.stdout.splitlines()


FIRST = ("engine.text", "engine.nouns", "engine.wording", "engine.instructions.library", "probability.exact",
         "scenarios.reading", "cards.deck")  # fmt: skip


def test_whichever_module_is_imported_first_all_words_are_declared_in_the_same_order() -> None:
    """Where several phrases fit, the one declared first is meant: a card reads alike wherever a program begins."""
    program = """
import importlib, sys
importlib.import_module("rulekit." + sys.argv[1])
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.text import load_words
load_words()
print(*GRAMMAR.roots, *GRAMMAR.spoken)"""
    orders = {
        subprocess.run(
            [sys.executable, "-c", program, name], capture_output=True, text=True, check=True, cwd=ROOT
        ).stdout
        for name in FIRST
    }

    assert 1 == len(orders)


def test_every_public_name_can_be_had_and_explains_itself() -> None:
    names = [name for name in getattr(rulekit, "__all__", []) if not name.startswith("_")]

    assert [] == [name for name in names if not getattr(rulekit, name).__doc__]


def running(tree: ast.AST) -> set[str]:
    """The names of what runs on the table in a module or class: functions that return a `Run`."""
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.returns and ast.unparse(node.returns).startswith("Run[")
    }


def spelled(called: ast.expr) -> str:
    """How what is called is written: `mill`, or `t.move` for a method of the table."""
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        return f"{called.value.id}.{called.attr}"
    return called.id if isinstance(called, ast.Name) else ""


def imported(tree: ast.AST, trees: dict[str, ast.Module]) -> set[str]:
    """The names in a module of what runs on the table and stands in another module."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in trees
        for alias in node.names
        if alias.name in running(trees[node.module])
    }


def test_whatever_runs_on_the_table_is_called_with_yield_from() -> None:
    engine = [module for module in MODULES if module.startswith("rulekit.engine.")]
    trees = {module: ast.parse(MODULES[module].read_text(encoding="utf-8")) for module in engine}
    classes = [node for node in ast.walk(trees["rulekit.engine.events"]) if isinstance(node, ast.ClassDef)]
    (methods,) = [{f"t.{name}" for name in running(node)} for node in classes if node.name == "Table"]
    forgotten = []
    for module, tree in trees.items():
        names = methods | running(tree) | imported(tree, trees)
        handed_on = [node.value for node in ast.walk(tree) if isinstance(node, ast.YieldFrom | ast.Return)]
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and spelled(node.func) in names]
        forgotten += [f"{module}:{call.lineno}: {ast.unparse(call)}" for call in calls if call not in handed_on]

    assert methods
    assert [] == forgotten
