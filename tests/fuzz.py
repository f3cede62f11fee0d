"""Feed rulekit input that coverage leads: python3 start.py fuzz [--seconds N] [TARGET ...].

A refusal by one of the four errors is an answer; any other exception, more than twenty seconds for one input and more
than two gigabytes are findings. The input that was found lies in .fuzz, and becomes a small test. It needs atheris,
which has wheels for Linux only and is no dependency: pip install atheris.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOUND = ROOT / ".fuzz"
BANK = ROOT / "rulekit" / "scenarios" / "bank"
LIMITS = ["-max_len=4096", "-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1"]
Target = Callable[[bytes], object]


def scenario(data: bytes) -> object:
    """Read a scenario."""
    from rulekit.scenarios.scenario import Scenario

    return Scenario.read_text(data.decode("utf-8", "replace"))


def deck(data: bytes) -> object:
    """Read a deck list, of whatever program it looks like."""
    from rulekit.cards.deck import Deck

    return Deck.read(data)


def cards(data: bytes) -> object:
    """Read a file of card data."""
    from rulekit.cards.pool import CardPool

    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(data)
        file.flush()
        return CardPool.read(file.name, use_cache=False)


def text(data: bytes) -> object:
    """Read the rules text of a card into abilities."""
    from rulekit.cards.card import Card
    from rulekit.engine.text import read_card

    return read_card(Card("Fuzz", "{1}", "Creature — Bear", data.decode("utf-8", "replace")))


def plan(data: bytes) -> object:
    """Ask a plan in words for an exact number, of a small deck: step, hands, count and condition, a line each."""
    from rulekit.cards.deck import Deck
    from rulekit.probability.exact import exact
    from rulekit.probability.plan import Plan

    step, keep, count, condition = (*data.decode("utf-8", "replace").split("\n", 3), "", "", "")[:4]
    plan = Plan().opening_hand(2, keep=keep, down_to=1).each_turn(step)
    answer = exact(Deck.read("4 Island\n6 Filler"), plan, count=[count or "land"], turns=2)
    return answer.p(condition) if condition else answer


TARGETS: dict[str, Target] = {each.__name__: each for each in (scenario, deck, cards, text, plan)}
SEEDS = {
    "scenario": [path.read_bytes() for path in sorted(BANK.rglob("*.yaml"))[::10]],
    "deck": [b"4 Island\n36 Filler\n\nSideboard\n1 Forest", b'{"mainboard": [{"count": 4, "name": "Island"}]}',
             b'<Deck><Cards Quantity="4" Name="Island"/></Deck>', b"Count,Name\n4,Island\n"],
    "cards": [b'[{"name": "Bear", "type_line": "Creature \xe2\x80\x94 Bear", "mana_cost": "{G}", "layout": "normal"}]'],
    "text": [b"When this creature enters, target player mills two cards.", b"Equip {2}", b"{T}: Draw a card."],
    "plan": [b"mill 2", b"mill cards until 2 land cards", b"each opponent mills half their library, rounded down",
             b"mill 1\n1 or more lands\nland in hand\nland in hand >= 1 and not (library = 5 or hits != 0)",
             b"draw 1\nat most 1 nonland card\ntotal mana value\ntotal mana value < 3", b"scry 1\n\ncan cast {1}{U}"],
}  # fmt: skip


def main(words: Sequence[str] | None = None) -> int:
    """Fuzz each target for a while, each in a process of its own; the status is 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python3 start.py fuzz", description="Look for input that breaks rulekit.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"these only; there are: {', '.join(TARGETS)}")
    parser.add_argument("--seconds", type=int, default=60, help="how long for each target (60)")
    parser.add_argument("--alone", choices=TARGETS, help=argparse.SUPPRESS)
    options = parser.parse_args(words)
    if importlib.util.find_spec("atheris") is None:
        print(f"python3 start.py fuzz needs atheris, which is for Linux: {sys.executable} -m pip install atheris")
        return 2
    if options.alone:
        return fuzz(options.alone, options.seconds)
    wrong = [name for name in options.targets if name not in TARGETS]
    if wrong:
        parser.error(f"no target is called {wrong[0]}; there are: {', '.join(TARGETS)}")
    found = [name for name in options.targets or TARGETS if not clean(name, options.seconds)]
    return int(bool(found))


def clean(name: str, seconds: int) -> bool:
    """Fuzz one target in a process of its own, and tell what came of it."""
    call = [sys.executable, "-m", "tests.fuzz", "--alone", name, "--seconds", str(seconds)]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    runs = [line.split()[-1] for line in done.stderr.splitlines() if "number_of_executed_units" in line]
    print(f"{name:<9} {runs[0] if runs else '?':>9} inputs  {'failed' if done.returncode else 'passed'}", flush=True)
    if done.returncode:
        print((done.stdout + done.stderr)[-4000:])
    return not done.returncode


def fuzz(name: str, seconds: int) -> int:
    """Fuzz one target in this process; it ends with it."""
    import atheris

    with atheris.instrument_imports(include=["rulekit"]):
        from rulekit import cli  # noqa: F401 - imports the rooms that read
        from rulekit.engine.text import load_words
        from rulekit.probability import exact  # noqa: F401
        from rulekit.rules import RulekitError

        load_words()
    warnings.simplefilter("ignore")

    def one(data: bytes) -> None:
        try:
            TARGETS[name](data)
        except RulekitError:
            return

    FOUND.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(SEEDS[name]):
            (Path(corpus) / str(number)).write_bytes(seed)
            one(seed)  # what is read once, such as the catalogue, is no part of the time of an input
        told = [f"-max_total_time={seconds}", f"-artifact_prefix={FOUND}/{name}-"]
        atheris.Setup([sys.argv[0], *LIMITS, *told, corpus], one)
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
