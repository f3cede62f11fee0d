"""The `rulekit` command: one subcommand for each module that COMMANDS lists."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Protocol

from rulekit import __version__
from rulekit.commands import cards, check, deck, lab, odds, play, rule
from rulekit.rules import RulekitError

FAILED = 2
INTERRUPTED = 130


class Command(Protocol):
    """A module of `rulekit.commands`: it is called as the module is named, and its docstring is its help."""

    __name__: str
    EXAMPLES: str

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare what the subcommand takes."""

    def run(self, options: argparse.Namespace) -> int:
        """Do it, and return the exit status."""


COMMANDS: tuple[Command, ...] = (cards, check, deck, lab, odds, play, rule)


def main(words: Sequence[str] | None = None) -> int:
    """Run one subcommand; what is refused is printed without a traceback.

    Args:
        words: The words behind `rulekit`; those of the terminal when not given.

    Returns:
        The exit status: that of the subcommand, 2 when something was refused or could not be read or written, 130 after
        Ctrl-C.
    """
    options = _parser().parse_args(words)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except RulekitError as refusal:
        print(refusal, file=sys.stderr)
        return FAILED
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rulekit", description="Study the rules of Magic: The Gathering and the odds of decks."
    )
    parser.add_argument("--version", action="version", version=f"rulekit {__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        text = (command.__doc__ or "").strip()
        subparser = subparsers.add_parser(
            command.__name__.rpartition(".")[2],
            help=text.partition("\n")[0],
            description=text,
            epilog=f"examples:\n{command.EXAMPLES}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
