"""Blocks of a text list: what stands under its headings, and which decks they make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from rulekit.cards.deck_draft import Draft, Unread
from rulekit.cards.deck_names import Line

SMALLEST_DECK = 40
"""Cards of the smallest deck (100.2b); groups of fewer are parts of one."""

FRONT = ("commander", "companion", "about")
"""Sections that a list has in front of the deck itself; a blank line or a group ends them."""


@dataclass
class Group:
    """Cards that stand together.

    Attributes:
        lines: Line number, text, and what was read.
        after_blank: Whether nothing but a blank line parts it from what stands above.
        title: The line over it that is no card, None if there is none.
    """

    lines: list[tuple[int, str, Line]] = field(default_factory=list)
    after_blank: bool = False
    title: Unread | None = None

    @property
    def total(self) -> int:
        """The number of cards."""
        return sum(_count(line) for _, _, line in self.lines)


@dataclass
class Block:
    """What stands under one heading.

    Attributes:
        section: The section that the heading names, "about" for facts about the deck, empty if there was no heading.
        groups: The groups of cards in it.
        names: Names of the deck.
    """

    section: str = ""
    groups: list[Group] = field(default_factory=lambda: [Group()])
    names: list[str] = field(default_factory=list)

    @property
    def filled(self) -> list[Group]:
        """The groups that hold cards."""
        return [group for group in self.groups if group.lines]


def parted_into_decks(blocks: list[Block]) -> Iterator[list[Block]]:
    """Part the blocks of several decks: a second name, main deck or sideboard under a heading begins another one.

    Args:
        blocks: The blocks of a list in their order.

    Returns:
        The blocks of each deck.
    """
    deck: list[Block] = []
    headed = full = False
    for block in _parted(blocks):
        start = _front(deck) if headed and block.section == "main" else len(deck)
        if (headed and block.section == "main") or (full and block.section == "about"):
            yield deck[:start]
            deck = deck[start:]
            headed = full = False
        deck.append(block)
        headed = headed or (block.section == "main" and bool(block.filled))
        full = full or (block.section in ("", "main", "about") and bool(block.filled))
    yield deck


def _front(deck: list[Block]) -> int:
    """Give the place behind which only a commander, a companion or facts stand: they belong to the next deck."""
    place = len(deck)
    while place and (deck[place - 1].section in FRONT or not deck[place - 1].filled):
        place -= 1
    return place


def _parted(blocks: list[Block]) -> Iterator[Block]:
    """Cut blocks in which another deck begins under a title, or behind a sideboard that is followed by another."""
    last = {block.section: at for at, block in enumerate(blocks)}
    for at, block in enumerate(blocks):
        groups = block.filled
        cuts = [number for number, group in enumerate(groups) if group.title and number]
        if block.section == "sideboard" and last["sideboard"] > at > last.get("main", -1):
            cuts = cuts[-1:] or [number for number, group in enumerate(groups) if group.after_blank and number][-1:]
        elif block.section not in ("", "main") or not _are_decks(groups, cuts):
            cuts = []
        starts = [0, *cuts]
        for start, end in zip(starts, [*cuts, len(groups)], strict=True):
            part = Block(block.section, groups[start:end], block.names)
            if start:
                title = groups[start].title
                part = Block("about", groups[start:end], [title.text] if title else [])
            yield part if groups else block


def _are_decks(groups: list[Group], cuts: list[int]) -> bool:
    """Say whether every part between titles is as large as a deck."""
    ends = [0, *cuts, len(groups)]
    return all(sum(group.total for group in groups[a:b]) >= SMALLEST_DECK for a, b in pairwise(ends))


def fill(draft: Draft, blocks: list[Block]) -> None:
    """Put the cards of one deck into their sections.

    Args:
        draft: The deck, to which the cards are added.
        blocks: Its blocks.
    """
    lines = [line for block in blocks for group in block.groups for _, _, line in group.lines]
    taken = {line.section for line in lines} | {block.section for block in blocks}
    side = None if taken & {"sideboard", "maybeboard"} else _side_by_blank_line(blocks)
    later: list[tuple[str, Line, int, str]] = []
    for block in blocks:
        for group in block.groups:
            headed = "main" if block.section in ("", "about") else block.section
            for at, text, line in group.lines:
                where = "tokens" if line.token else line.section or ("sideboard" if group is side else headed)
                if line.section in FRONT and line.count is None:
                    later.append((where, line, at, text))
                else:
                    draft.add(where, line.name, _count(line), at, text)
    for where, line, at, text in later:
        if line.name not in draft.sections.get(where, {}):
            draft.add(where, line.name, 1, at, text)


def _side_by_blank_line(blocks: list[Block]) -> Group | None:
    """Give the group that is the sideboard because one blank line, and nothing else, parts it from the deck."""
    main = [block for block in blocks if block.section in ("", "main", "about") and block.filled]
    groups = [group for block in main for group in block.filled]
    if len(main) == 1 and len(groups) == 2 and groups[1].after_blank and groups[1].total <= groups[0].total:
        return groups[1]
    return None


def _count(line: Line) -> int:
    """Give the number of cards of a line; no number means one."""
    return 1 if line.count is None else line.count
