"""The `rulekit` command: one subcommand for each module that NAMES lists.

The modules are imported inside `main`, so that Ctrl-C ends it quietly from the first moment on.
"""

from __future__ import annotations

import argparse
import codecs
import io
import os
import sys
import unicodedata
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
PLAIN = dict.fromkeys("█▉▊▋▌", "#") | dict.fromkeys("▍▎▏", " ") | dict.fromkeys("—–−", "-")
PLAIN |= {"×": "x", "±": "+/-", "→": "->", "≤": "<=", "≥": ">=", "≠": "!=", "…": "..."}
"""What is written for a sign that a terminal has not."""


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
        _open_streams()
        status = _run(words)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads, `head` for one, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as failure:
        print(f"rulekit: {_told(failure)}", file=sys.stderr)
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
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] == "rulekit":
            raise
        name = missing.name.partition(".")[0]
        print(f"rulekit {words[0]} needs {name}, which is not installed: pip install {name}", file=sys.stderr)
        return FAILED
    return status


def _open_streams() -> None:
    """Let every text be printed: to nobody if a stream is closed, in plain signs where a terminal has no others.

    What goes to a file or another program is UTF-8, unless PYTHONIOENCODING says otherwise.
    """
    codecs.register_error("rulekit.plain", _plain)
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper) and name != "stdin":
            if not stream.isatty() and not os.environ.get("PYTHONIOENCODING"):
                stream.reconfigure(encoding="utf-8")
            stream.reconfigure(errors="rulekit.plain")


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Return plain signs for those that an encoding has not, letters without their accents."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    bare = (unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode() for sign in signs)
    return "".join(PLAIN.get(sign, letter or "?") for sign, letter in zip(signs, bare, strict=True)), error.end


def _told(failure: OSError) -> str:
    """Return what went wrong with a file, the file first."""
    from rulekit.rules import shown

    if failure.filename is None or failure.strerror is None:
        return str(failure)
    return f"{shown(os.fsdecode(failure.filename))}: {failure.strerror}"


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
