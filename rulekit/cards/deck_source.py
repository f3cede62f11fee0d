"""From a file, bytes or a text to the lines of a deck list, in any encoding, within bounds."""

from __future__ import annotations

import codecs
import os
import re
from dataclasses import dataclass
from pathlib import Path

from rulekit.rules import BadData, TooMany

MOST_BYTES = 4 << 20
"""Bytes of a deck list; a collection of 20,000 printings has some 3 MB."""

MOST_LINES = 50_000
"""Lines of a deck list."""

LONGEST_PATH = 4096

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OTHER_KINDS = {
    "%PDF": "a PDF",
    "PK\x03\x04": "a zip archive, as a workbook and a document are",
    "\x1f\x8b": "packed by gzip",
    "\x89PNG": "a picture",
    "\xff\xd8\xff": "a picture",
    "GIF8": "a picture",
    "{\\rtf": "rich text",
}
"""First signs of files that are no text list, to what they are."""

_LINE_END = re.compile("\r*\n|[\r\v\f\x85\u2028\u2029]")
_WITHOUT_WIDTH = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")  # those that steer what is shown stay
_HALF_SIGN = re.compile("[\ud800-\udfff]")
_UNSEEN = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
LATIN = 0xFF
"""The last sign of Latin-1, whose signs are their own bytes."""

_FOLLOWING = "\x80-\xbf" + bytes(range(0x80, 0xA0)).decode("cp1252", "ignore")
_DECODED_WRONG = re.compile(f"[Â-Å][{_FOLLOWING}]|[âãê][{_FOLLOWING}]{{2}}")
_LIST_FILE = re.compile(
    r"[^\n]*\.(txt|dek|cod|dec|dck|csv|tsv|json|md|mwdeck|o8d|mtga|xml|xlsx?|pdf|zip|gz)", re.IGNORECASE
)


@dataclass(frozen=True)
class Source:
    """The text of a deck list and where it comes from.

    Attributes:
        text: The whole text; its line ends are line feeds.
        file: The file, None for a text that was given as such.
    """

    text: str
    file: Path | None = None

    @property
    def lines(self) -> list[str]:
        """The lines; the first one is line 1."""
        return self.text.split("\n")

    def bad(self, message: str, line: int | None = None, instead: str = "") -> BadData:
        """Give the refusal of this list."""
        return BadData(message, self.file or "deck list", line, instead=instead)


def open_source(source: str | Path | bytes) -> Source:
    """Open what somebody gave as a deck list.

    Args:
        source: A Path, or a text without a line end that names a file that exists, is a file; any other text and bytes
            are the list itself.

    Returns:
        The text with its line ends made one kind.

    Raises:
        BadData: There is no such file, it cannot be read, or it is no text.
        TooMany: It is longer than a deck list can be.
    """
    if isinstance(source, str) and not _names_a_file(source):
        if _LIST_FILE.fullmatch(source.strip()):
            raise BadData(f"there is no such file in {Path.cwd()}.", source.strip())
        if len(source) > MOST_BYTES:
            raise _too_long(f"{len(source):,} characters", None)
        return _checked(source.removeprefix("\ufeff"), None)
    if isinstance(source, bytes):
        if len(source) > MOST_BYTES:
            raise _too_long(f"{len(source):,} bytes", None)
        return _checked(_decoded(source, None), None)
    if not isinstance(source, str | os.PathLike):
        raise BadData(f"{source!r:.80} is no deck list.", "deck list", instead="Give a Path, a text or bytes.")
    path = Path(source).expanduser()
    if not path.is_file():
        raise BadData("this is not a file." if path.exists() else "there is no such file.", path)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadData(f"this file cannot be read: {error.strerror or error}.", path) from None
    if len(data) > MOST_BYTES:
        raise _too_long(f"more than {MOST_BYTES:,} bytes", path)
    return _checked(_decoded(data, path), path)


def _names_a_file(source: str) -> bool:
    """Say whether a text is the name of a file that is there."""
    if not source.strip() or len(source) > LONGEST_PATH or _LINE_END.search(source):
        return False
    try:
        return Path(source).expanduser().is_file()
    except (OSError, ValueError, RuntimeError):
        return False


def _too_long(size: str, file: Path | None) -> TooMany:
    """Give the refusal of a list that is too long."""
    return TooMany(
        f"{file or 'this deck list'} has {size}; a list has at most {MOST_BYTES:,} bytes and {MOST_LINES:,} lines.",
        "Split it, or keep the cards you want to ask about.",
    )


def _decoded(data: bytes, file: Path | None) -> str:
    """Decode bytes: by their byte order mark, as UTF-16 without one, else line by line as UTF-8 or Windows-1252."""
    _refuse_other_kind(data[:8].decode("latin-1"), file)
    refusal = BadData("this is no text: it holds bytes that no encoding of deck lists knows.", file or "deck list")
    try:
        for mark, encoding in _MARKS:
            if data.startswith(mark):
                return data.decode(encoding)
        half = len(data) // 2
        for zeros, encoding in ((data[1::2], "utf-16-le"), (data[::2], "utf-16-be")):
            if half > 1 and zeros.count(0) > half * 0.4:
                return data.decode(encoding)
        if b"\x00" in data:
            raise refusal
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return "\n".join(_decoded_line(line, refusal) for line in data.split(b"\n"))


def _refuse_other_kind(start: str, file: Path | None) -> None:
    """Refuse what begins as no text list does, and say what it is."""
    for signs, kind in _OTHER_KINDS.items():
        if start.startswith(signs):
            raise BadData(
                f"this is no text: it is {kind}.", file or "deck list", instead="Export or save the list as text."
            )


def _decoded_line(line: bytes, refusal: BadData) -> str:
    """Decode one line on its own, for lists in which two encodings were mixed."""
    for encoding in ("utf-8", "cp1252"):
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise refusal


def _checked(text: str, file: Path | None) -> Source:
    """Make line ends one kind, and refuse what is no list of lines."""
    _refuse_other_kind(text[:8], file)
    text = _HALF_SIGN.sub("\ufffd", _WITHOUT_WIDTH.sub("", _LINE_END.sub("\n", text)))
    lines = text.count("\n") + 1
    if lines > MOST_LINES:
        raise _too_long(f"{lines:,} lines", file)
    unseen = len(_UNSEEN.findall(text))
    if "\x00" in text or unseen > 2 + len(text) // 100:
        raise BadData("this is no text: it holds signs that no deck list has.", file or "deck list")
    return Source(_DECODED_WRONG.sub(_decoded_again, _UNSEEN.sub(" ", text)), file)


def _decoded_again(found: re.Match[str]) -> str:
    """Give the sign whose UTF-8 bytes somebody once decoded as Windows-1252, such as é for Ã©."""
    data = b"".join(sign.encode("cp1252" if ord(sign) > LATIN else "latin-1") for sign in found[0])
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return found[0]
