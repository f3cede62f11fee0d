"""JSON read piece by piece, so that a file of any size needs little memory and nonsense is refused early."""

from __future__ import annotations

import codecs
import gzip
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from rulekit.rules import BadData

CHUNK = 1 << 22
"""Bytes read at a time."""

LONGEST_ENTRY = 1 << 24
"""Characters that one entry may have; the longest card of today has some 100,000."""

LONGEST_FILE = 6 << 30
"""Bytes that a file may have, unpacked; the largest of today has some 2.5 GB."""

MOST_PACKED = 300
"""How many times larger a gzip file may become past its first chunks; card data becomes some ten times larger."""

MOST_BLANK = 8
"""Chunks in a row that may hold nothing but blanks."""

_BLANK = re.compile(r"[\s,]*")
_DECODE = json.JSONDecoder().raw_decode


class JsonStream:
    """A JSON file, plain or gzip, from which values are taken one after the other.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            BadData: It cannot be opened.
        """
        self.path = path
        self.text = ""
        self.at = 0
        self.ended = False
        try:
            self._size = max(path.stat().st_size, 1)
            self._file = path.open("rb")
        except OSError as error:
            raise BadData(f"this file cannot be read: {error.strerror or error}.", path) from None
        packed = self._file.read(2) == b"\x1f\x8b"
        self._file.seek(0)
        self._source: BinaryIO | gzip.GzipFile = gzip.GzipFile(fileobj=self._file) if packed else self._file
        self._decode = codecs.getincrementaldecoder("utf-8-sig")()
        self._taken = 0

    def begin(self) -> None:
        """Refuse what begins as no card data does."""
        if self.peek() not in ("[", "{"):
            raise self.bad("this is not card data: it begins neither with [ nor with {")

    def close(self) -> None:
        """Close the file."""
        self._source.close()
        self._file.close()

    def bad(self, message: str) -> BadData:
        """Give the refusal of this file."""
        return BadData(
            f"{message}.",
            self.path,
            instead="May stand here: card data of Scryfall (JSON, JSON lines, packed with gzip or not) or of MTGJSON.",
        )

    def _more(self) -> bool:
        """Read another chunk behind what is left; say whether there was one."""
        if self.ended:
            return False
        try:
            data = self._source.read(CHUNK)
            fresh = self._decode.decode(data, final=not data)
        except (OSError, EOFError, zlib.error):
            raise self.bad("this gzip file is damaged or cut off") from None
        except UnicodeDecodeError:
            raise self.bad("this is not card data: it is no text in UTF-8") from None
        self._taken += len(data)
        if self._taken > LONGEST_FILE or self._taken > 16 * CHUNK + MOST_PACKED * self._size:
            raise self.bad(f"this file becomes larger than card data can be: {self._taken >> 20:,} MB and no end")
        self.text = self.text[self.at :] + fresh
        self.at = 0
        self.ended = not data
        return not self.ended

    def peek(self) -> str:
        """Give the next character that is neither blank nor a comma, empty at the end of the file."""
        for _ in range(MOST_BLANK):
            self.at = _BLANK.match(self.text, self.at).end()  # type: ignore[union-attr]
            if self.at < len(self.text):
                return self.text[self.at]
            if not self._more():
                return ""
        raise self.bad("this is not card data: it is blank")

    def skip(self, sign: str) -> None:
        """Step over one character; refuse the file if another one stands there."""
        if self.peek() != sign:
            raise self.bad(f"this is not JSON: {self.peek() or 'the end'!r} stands where {sign!r} must stand")
        self.at += 1

    def value(self) -> Any:
        """Take the next value, whatever it is."""
        self.peek()
        while True:
            try:
                found, end = _DECODE(self.text, self.at)
            except json.JSONDecodeError as error:
                cut_off = error.pos >= len(self.text) - 16 or error.msg.startswith("Unterminated string")
                if not cut_off or not self._more():
                    raise self.bad(f"this is not JSON: {error.msg} after some {self._taken:,} bytes") from None
            except RecursionError:
                raise self.bad("this is not card data: it is nested too deeply") from None
            except ValueError:
                raise self.bad("this is not card data: a number in it has thousands of digits") from None
            else:
                length = end - self.at
                whole = end < len(self.text) or self.text[end - 1] in '}]"'
                if whole or not self._more():
                    self.at += length
                    return found
            if len(self.text) > LONGEST_ENTRY + CHUNK:
                raise self.bad(f"this is not card data: one entry has more than {LONGEST_ENTRY:,} characters")

    def items(self) -> Iterator[Any]:
        """Take the values of a list, one by one."""
        self.skip("[")
        while self.peek() != "]":
            yield self.value()
        self.at += 1

    def keys(self) -> Iterator[str]:
        """Take the keys of a mapping, one by one; whoever asks takes the value before the next key."""
        self.skip("{")
        while self.peek() != "}":
            key = self.value()
            self.skip(":")
            yield str(key)
        self.at += 1
