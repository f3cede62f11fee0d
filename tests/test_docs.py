"""The pages: links lead somewhere, examples run, the reference is current, and what a page tells to do works."""

from __future__ import annotations

import doctest
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulekit import Card, Scenario
from rulekit.engine.text import read_card
from tests import reference
from tests.conftest import ROOT

DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md"))]
BOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)")
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
NEW_WORDS = """
from rulekit import Game
from rulekit.engine.text import load_words
load_words()
from rulekit.engine.abilities import Ability, Term, word
from rulekit.engine.events import Run, Table
from rulekit.engine.keywords import say
"""


def text_of(page: Path) -> str:
    """The text of a page; of a notebook that of its cells of prose."""
    text = page.read_text(encoding="utf-8")
    if page.suffix != ".ipynb":
        return text
    cells = json.loads(text)["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def fences(name: str, language: str) -> list[str]:
    """The blocks of a language on a page."""
    found = FENCE.findall(text_of(DOCS / name))
    return [inspect.cleandoc(f"\n{block}") + "\n" for _, spoken, block in found if spoken == language]


def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in links."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text_of(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def leads_nowhere(page: Path) -> Iterator[str]:
    for link in LINK.findall(FENCE.sub("", text_of(page))):
        if not re.match(r"[a-z]+:", link):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
                yield link


@pytest.mark.parametrize("page", [*PAGES, *BOOKS], ids=lambda page: page.name)
def test_every_link_inside_leads_somewhere(page: Path) -> None:
    assert [] == list(leads_nowhere(page))


@pytest.mark.parametrize("page", [*PAGES, *BOOKS], ids=lambda page: page.name)
def test_every_picture_is_there_and_has_a_text_in_its_place(page: Path) -> None:
    for text, file in PICTURE.findall(text_of(page)):
        assert len(text.split()) >= 5, f"{file}: say what is seen"
        assert (page.parent / file).is_file()


def test_the_readme_has_a_picture_that_opens_everywhere() -> None:
    files = [ROOT / file for _, file in PICTURE.findall(text_of(ROOT / "README.md"))]

    assert files
    for file in files:
        data = file.read_bytes()
        assert data.startswith(b"\x89PNG") or b"<svg" in data[:1000]
        assert len(data) <= 200_000


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One, two\n[a](page.md#one-two) [b](#one) [c](none.md) [d](https://example.org)\n")

    assert ["#one", "none.md"] == list(leads_nowhere(page))


def test_every_page_is_in_the_index() -> None:
    linked = set(LINK.findall(text_of(DOCS / "README.md")))

    assert [] == [page.name for page in DOCS.glob("*.md") if page.name not in linked | {"README.md"}]
    assert "docs/README.md" in LINK.findall(text_of(ROOT / "README.md"))


@pytest.mark.parametrize("page", [page for page in PAGES if ">>>" in text_of(page)], ids=lambda page: page.name)
def test_the_examples_of_a_page_say_what_it_says(page: Path) -> None:
    found = FENCE.findall(text_of(page))
    examples = "\n\n".join(block for _, language, block in found if language == "python" and ">>>" in block)
    test = doctest.DocTestParser().get_doctest(examples, {}, page.name, str(page), 0)

    assert test.examples
    assert 0 == doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed


def test_the_reference_is_current() -> None:
    current = reference.FILE.read_text(encoding="utf-8") == reference.page()

    assert current, "write it anew: python -m tests.reference"


# -------------------------------------------------------------------- what is told to do works


def test_the_card_of_the_page_is_understood() -> None:
    ((name, entry),) = yaml.safe_load(fences("do-add-a-card.md", "yaml")[0]).items()

    assert "understood" == read_card(Card.from_catalogue(name, entry)).status


def test_the_scenario_of_the_page_passes() -> None:
    assert "passed" == Scenario.read_text(fences("do-add-a-scenario.md", "yaml")[0], strict=True).play().status


def done(program: str) -> Any:
    """What a program prints last, which may declare words; it runs apart, so that the words stay there."""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


def test_the_instruction_of_the_page_is_carried_out_and_read() -> None:
    (block,) = fences("do-add-an-instruction.md", "python")
    called = re.search(r"`(Game\.of\(.+\))`", text_of(DOCS / "do-add-an-instruction.md"))
    assert called is not None
    checks = f"""
import json
from rulekit import Card
from rulekit.engine.text import read_card
game = {called[1]}
stone = {{"cost": "{{1}}", "types": "Artifact", "abilities": [{{"activated": "{{T}}: target player sifts 3"}}]}}
zones = [len(game.state.zone(zone, "Bob")) for zone in ("graveyard", "hand", "library")]
print(json.dumps([zones, read_card(Card.from_catalogue("Stone", stone)).status]))"""

    assert [[3, 1, 0], "understood"] == done(NEW_WORDS + block + checks)


def test_the_keyword_of_the_page_triggers() -> None:
    (block,) = fences("do-add-a-keyword.md", "python")
    scenario = """\
title: The Rat gnaws
rules: ["603.2"]
given:
  cards:
    Peat Rat: {cost: "{B}", types: Creature — Rat, power: 1, toughness: 1, abilities: [{keyword: gnaw 2}]}
  Alice: {battlefield: [Peat Rat]}
do: [{attack: {Peat Rat: Bob}}, resolve]
expect: {Alice.graveyard: 2}
"""
    checks = (
        f"import json\nfrom rulekit import Scenario\nprint(json.dumps(Scenario.read_text({scenario!r}).play().status))"
    )

    assert "passed" == done(NEW_WORDS + block + checks)


def test_the_doing_of_a_page_is_short() -> None:
    blocks = [block for page in DOCS.glob("do-*.md") for _, _, block in FENCE.findall(text_of(page))]

    assert blocks
    assert max(len(block.splitlines()) for block in blocks) <= 12
