"""Tags of forums and web pages in a text list."""

from __future__ import annotations

import re

_CLOSED = re.compile(r"\[/(\w+)\]|</(\w+)>")
_MOST = 50
_TITLE = re.compile(r"^[ \t]*\[deck(?:list)?=([^\]\n]+)\][ \t]*$", re.IGNORECASE | re.MULTILINE)
_MARKUP = re.compile(r"\s*<(?:b|i|u|strong|em|br|p|li|ul|ol|span|div|h\d|pre|code)\b[^<>]*>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_BREAK_AT_END = re.compile(r"(?:<br\s*/?>[ \t]*)+$", re.IGNORECASE | re.MULTILINE)


def begins_with_markup(text: str) -> bool:
    """Say whether a list begins with a tag that marks words up, such as `<b>Creatures</b>`, and is no document.

    Args:
        text: The list.
    """
    return _MARKUP.match(text) is not None


def without_tags(text: str) -> str:
    """Take off the tags of a forum or a web page, such as `[b]...[/b]`: those that are closed somewhere in the text.

    Args:
        text: The list.

    Returns:
        The list with as many lines as before.
    """
    text = _BREAK.sub("; ", _BREAK_AT_END.sub("", text))
    closed = {(one or other).casefold() for one, other in _CLOSED.findall(text)}
    if not 0 < len(closed) <= _MOST:
        return text
    text = _TITLE.sub(r"Name: \1", text).replace("[*]", "* ")
    tag = rf"/?(?:{'|'.join(sorted(closed))})"
    return re.sub(rf"\[{tag}(?:[= ][^\]\n]*)?\]|<{tag}(?:\s[^<>\n]*)?>", "", text, flags=re.IGNORECASE)
