"""HTML that cannot be broken by the texts in it: whatever is not HTML already is escaped as it is put in."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

VOID = ("br", "hr", "img", "input")


class Html(str):
    """Text that is HTML; only this module makes it."""

    __slots__ = ()


def printable(text: str) -> str:
    """Return a text without what a screen would not show as it is: signs that steer terminals or turn text around."""
    return "".join(
        each if each.isprintable() or each in "\n\xa0" else each.encode("unicode_escape").decode() for each in text
    )


def html(part: object) -> Html:
    """Return anything as HTML: what is HTML as it is, any other text escaped, nothing for None."""
    if isinstance(part, Html):
        return part
    return Html("" if part is None else escape(printable(str(part))))


def joined(parts: Iterable[object], between: object = "") -> Html:
    """Return parts one after another, with something between them."""
    return Html(html(between).join(html(part) for part in parts))


def el(name: str, *inside: object, **attributes: object) -> Html:
    """Return an element.

    Args:
        name: Its tag.
        inside: Its content; what is not `Html` is escaped.
        attributes: `class_` and `for_` stand for class and for, `_` for a hyphen: `aria_label`. One that is None or
            False is left out, one that is True stands without a value.
    """
    said = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape(printable(str(value)))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    return Html(f"<{name}{said}>" + ("" if name in VOID else f"{joined(inside)}</{name}>"))
