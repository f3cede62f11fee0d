"""Numbers as aligned text with bars, and as an HTML table with a caption."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

ROUNDING = 1e-12
MOST_NAMES = 5
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def percent(p: float) -> str:
    """Return a probability in percent: one decimal, more where it is near 0 or 1."""
    room = min(p, 1 - p)
    if p == 0 or (p > 0.5 and room < ROUNDING):
        return f"{100 * round(p):.1f} %"
    digits = max(1, 1 - math.floor(math.log10(100 * room)))
    return f"{100 * p:.{digits}f} %" if digits <= 6 or p > 0.5 else f"{100 * p:.1e} %"


def number(value: Any) -> str:
    """Return a number as text: four digits, an estimate with its error."""
    return str(value.short()) if hasattr(value, "short") else f"{float(value):.4g}"


def bar(share: float, width: int = 24) -> str:
    """Return a bar of block characters, `width` of them at 1."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]], bars: Sequence[float] = ()) -> str:
    """Return rows under a head, aligned to the right, with a bar behind each row.

    Args:
        head: Names of the columns.
        rows: The cells, as many in each row as there are names.
        bars: A share from 0 to 1 for each row, or none.

    Returns:
        The lines, without spaces at their ends.
    """
    widths = [max(len(head[i]), *(len(row[i]) for row in rows)) if rows else len(head[i]) for i in range(len(head))]
    lines = ["  ".join(name.rjust(width) for name, width in zip(head, widths, strict=True))]
    for number, row in enumerate(rows):
        line = "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        lines.append(line + ("  " + bar(bars[number]) if bars else ""))
    return "\n".join(line.rstrip() for line in lines)


def html_table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]], bars: Sequence[float] = ()) -> str:
    """Return the same as an HTML table whose caption and cells are escaped.

    Args:
        caption: What the table shows.
        head: Names of the columns.
        rows: The cells; the first of each row names the row.
        bars: A share from 0 to 1 for each row, or none.

    Returns:
        A table that reads without scripts, style sheets or trust.
    """
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    lines = []
    for number, row in enumerate(rows):
        cells = f'<th scope="row">{escape(row[0])}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        if bars:
            cells += f'<td><meter min="0" max="1" value="{bars[number]:.4f}">{escape(row[-1])}</meter></td>'
        lines.append(f"<tr>{cells}</tr>")
    ending = '<th scope="col">bar</th>' if bars else ""
    return (
        f'<table><caption style="text-align:left;white-space:nowrap">{escape(caption)}</caption>'
        f"<thead><tr>{names}{ending}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def some_of(names: Iterable[str]) -> str:
    """Give the first few of some names."""
    several = list(names)
    return ", ".join(several[:MOST_NAMES]) + (" and others" if len(several) > MOST_NAMES else "")
