"""Rows of card data packed so that they load in a moment, and kept in the user's cache folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulekit.cards import kept
from rulekit.cards.card_data import CardData, Row

VERSION = "rulekit card cache 2"
"""First words of a cache file; another version is read anew."""

_FIRST_LINE = 4096
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True)
class PackedCards:
    """Card data with its rows as bytes, each turned into a card when it is asked for.

    Attributes:
        spans: Name to (start, end) of its row in `rows`; likewise of tokens.
        token_spans: The same for names that only tokens have.
        aliases: Other names of the same cards to names.
        numbers: Magic Online's numbers to names.
        rows: The rows as JSON, one behind the other.
    """

    spans: Mapping[str, tuple[int, int]]
    token_spans: Mapping[str, tuple[int, int]]
    aliases: Mapping[str, str]
    numbers: Mapping[str, str]
    rows: bytes

    @classmethod
    def of(cls, data: CardData) -> PackedCards:
        """Pack card data."""
        tokens = {name: row for name, row in data.tokens.items() if name not in data.rows}
        spans: dict[str, tuple[int, int]] = {}
        pieces = []
        at = 0
        for name, row in (*data.rows.items(), *tokens.items()):
            piece = _ENCODE(row).encode("utf-8", "surrogatepass")
            spans[name] = (at, at + len(piece))
            at += len(piece)
            pieces.append(piece)
        token_spans = {name: spans.pop(name) for name in tokens}
        return cls(spans, token_spans, data.aliases, data.numbers, b"".join(pieces))

    def row(self, name: str) -> Row:
        """Give the row of a card, or of a token."""
        start, end = self.spans.get(name) or self.token_spans[name]
        found: Row = json.loads(self.rows[start:end])
        return found

    def to_bytes(self, source: str) -> bytes:
        """Write everything down, with what it was made from and a checksum."""
        index = json.dumps(
            [list(self.spans.items()), list(self.token_spans.items()), dict(self.aliases), dict(self.numbers)],
            separators=(",", ":"),
        ).encode()
        body = index + self.rows
        head = {"source": source, "index": len(index), "sum": hashlib.blake2b(body, digest_size=16).hexdigest()}
        return f"{VERSION}\n{json.dumps(head)}\n".encode() + body

    @classmethod
    def from_bytes(cls, data: bytes, source: str) -> PackedCards | None:
        """Read what `to_bytes` wrote; None if it was made from something else, by another version, or is damaged."""
        version, _, rest = data[:_FIRST_LINE].partition(b"\n")
        line, newline, _ = rest.partition(b"\n")
        if version != VERSION.encode() or not newline:
            return None
        try:
            head: dict[str, Any] = json.loads(line)
            body = data[len(version) + len(line) + 2 :]
            if head["source"] != source or head["sum"] != hashlib.blake2b(body, digest_size=16).hexdigest():
                return None
            spans, tokens, aliases, numbers = json.loads(body[: head["index"]])
            return cls(dict(spans), dict(tokens), aliases, numbers, body[head["index"] :])
        except (ValueError, KeyError, TypeError):
            return None


def source_of(path: Path) -> str:
    """Say which file this is, and which state of it."""
    facts = path.stat()
    return f"{path.resolve()} {facts.st_size} {facts.st_mtime_ns}"


def name_of(path: Path) -> str:
    """Give the name under which the cards of a file are kept."""
    return "cards-" + hashlib.blake2b(str(path.resolve()).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def load(path: Path) -> PackedCards | None:
    """Give the cards of a file from the cache, None if they are not there in its present state."""
    data = kept.read(name_of(path))
    return None if data is None else PackedCards.from_bytes(data, source_of(path))


def save(path: Path, packed: PackedCards, source: str) -> None:
    """Keep the cards of a file.

    Args:
        path: The file that was read.
        packed: Its cards.
        source: What `source_of` said before it was read.
    """
    kept.write(name_of(path), packed.to_bytes(source))
