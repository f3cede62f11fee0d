"""The walls: who may import whom, and what an import costs.

ROOMS is the drawing. A module imports what stands above it, and a room (its `__init__`) stands below its modules. A new
module gets its line here; until then it counts as the last of its room.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulekit
from tests.conftest import ROOT

ROOMS = {
    "rules": [],
    "cards": ["printed", "reading", "card", "pool", "deck"],
    "engine": [
        "state", "events", "instructions", "abilities", "keywords", "text", "layers", "casting", "combat", "turn",
        "game",
    ],
    "scenarios": ["scenario"],
    "probability": ["distribution", "plan", "program", "exact", "kernel", "simulate"],
    "widgets": ["view", "charts", "board"],
    "commands": ["lab"],
    "cli": [],
}  # fmt: skip
SHOWN_BY = ("rulekit.widgets.view", "rulekit.widgets.charts")
LIGHT = ["rulekit", "rulekit.rules", "rulekit.cards", "rulekit.engine", "rulekit.scenarios", "rulekit.cli"]

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


def imports(module: str) -> Iterator[tuple[str, bool]]:
    """Every module of ours that a module imports, and whether a method that shows something does so inside itself."""
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    showing = {
        id(inner)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and (function.name.startswith("_repr_") or function.name == "plot")
        for inner in ast.walk(function)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are written in full, from rulekit"
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in MODULES else str(node.module) for name in whole]
        else:
            continue
        yield from ((name, id(node) in showing) for name in names if name.partition(".")[0] == "rulekit")


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_stands_above_it(module: str) -> None:
    wrong = [
        name
        for name, to_show in imports(module)
        if place(name) >= place(module) and not (to_show and name in SHOWN_BY)
        and not (name == "rulekit" and module.startswith(("rulekit.cli", "rulekit.commands")))
    ]  # fmt: skip

    assert [] == wrong, f"{module} stands above {wrong} in ROOMS of {Path(__file__).name}"


@pytest.mark.parametrize("module", LIGHT)
def test_rules_need_nothing_but_the_standard_library_and_yaml(module: str) -> None:
    program = f"import sys; before = set(sys.modules); import {module}; print(*(set(sys.modules) - before))"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    packages = {name.partition(".")[0] for name in said.stdout.split()}

    assert set() == packages - sys.stdlib_module_names - {"rulekit", "yaml", "_yaml"}


def test_every_public_name_can_be_had_and_explains_itself() -> None:
    names = [name for name in getattr(rulekit, "__all__", []) if not name.startswith("_")]

    assert [] == [name for name in names if not getattr(rulekit, name).__doc__]
