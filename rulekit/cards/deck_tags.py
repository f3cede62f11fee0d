"""Tags of forums and web pages in a text list."""

from __future__ import annotations

import re

_CLOSED = re.compile(r"\[/(\w+)\]|</(\w+)>")
_MOST = 50
_TITLE = re.compile(r"^[ \t]*\[deck(?:list)?=([^\]\n]+)\][ \t]*$", re.IGNORECASE | re.MULTILINE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_BREAK_AT_END = re.compile(r"(?:<br\s*/?>\s*)+$", re.IGNORECASE | re.MULTILINE)


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
