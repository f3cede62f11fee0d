"""The `rulekit` command: one subcommand for each module that NAMES lists.

The modules are imported inside `main`, so that Ctrl-C ends it quietly from the first moment on.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Protocol, cast

from rulekit import __version__

NAMES = ("cards", "check", "deck", "lab", "odds", "play", "rule")
FAILED = 2
INTERRUPTED = 130
STATUS = {
    0: "done",
    FAILED: "something was refused, or a file could not be read or written",
    INTERRUPTED: "stopped with Ctrl-C",
}


class Command(Protocol):
    """A module of `rulekit.commands`: it is called as the module is named, and its docstring is its help.

    Attributes:
        EXAMPLES: Lines that can be typed.
        STATUS: What an exit status means, where `cli.STATUS` does not say it.
    """

    __name__: str
    EXAMPLES: str
    STATUS: dict[int, str]

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare what the subcommand takes."""

    def run(self, options: argparse.Namespace) -> int:
        """Do it, and return the exit status."""


def commands(names: Iterable[str] = NAMES) -> tuple[Command, ...]:
    """Return the modules of subcommands."""
    return tuple(cast("Command", import_module(f"rulekit.commands.{name}")) for name in names)


def main(words: Sequence[str] | None = None) -> int:
    """Run one subcommand; what is refused is printed without a traceback.

    Args:
        words: The words behind `rulekit`; those of the terminal when not given.

    Returns:
        The exit status: that of the subcommand, 2 when something was refused or could not be read or written, 130 after
        Ctrl-C.
    """
    words = sys.argv[1:] if words is None else words
    try:
        status = _run(words)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads, `head` for one, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as failure:
        print(f"rulekit: {failure}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return INTERRUPTED
    return status


def _run(words: Sequence[str]) -> int:
    from rulekit.rules import RulekitError

    options = _parser(words[:1] if words and words[0] in NAMES else NAMES).parse_args(words)
    try:
        status: int = options.run(options)
    except RulekitError as refusal:
        print(refusal, file=sys.stderr)
        return FAILED
    return status


def _parser(names: Iterable[str]) -> argparse.ArgumentParser:
    """Return the parser of some subcommands: it needs all of them only to tell which there are."""
    parser = argparse.ArgumentParser(
        prog="rulekit", description="Study the rules of Magic: The Gathering and the odds of decks."
    )
    parser.add_argument("--version", action="version", version=f"rulekit {__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in commands(names):
        statuses = sorted((STATUS | command.STATUS).items())
        told = "\n".join(f"  {number:<4} {meaning}" for number, meaning in statuses)
        text = (command.__doc__ or "").strip()
        subparser = subparsers.add_parser(
            command.__name__.rpartition(".")[2],
            help=text.partition("\n")[0],
            description=text,
            epilog=f"examples:\n{command.EXAMPLES}\nexit status:\n{told}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
