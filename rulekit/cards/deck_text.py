"""Text lists of every program: Arena, MTGO, Moxfield, Archidekt, ManaBox, .dec, .mwDeck, .dck, plain."""

from __future__ import annotations

import re
from dataclasses import replace

from rulekit.cards.deck_blocks import FRONT, Block, Group, fill, parted_into_decks
from rulekit.cards.deck_draft import ALSO_CARDS, KINDS, SECTION_WORDS, Draft, Unread, heading, why_no_name
from rulekit.cards.deck_names import Line, no_cards, partners, read_line
from rulekit.cards.deck_numbers import LONGEST_LINE, SEVERAL, several_in
from rulekit.cards.deck_source import MOST_LINES, Source
from rulekit.cards.deck_tags import without_tags
from rulekit.cards.pool import CardPool

_COMMENT = re.compile(r"(?://+|#+|;+|/\*+)\s*(.*?)\s*(?:\*/)?")
_SAYING = "?!"  # signs that say something even without a word, which no line between groups does
_DIVIDING = "-=*_~+ "
_DIVIDER = re.compile(r"([-=*_~+])\1+.*\1\1+")
_WHOLE = re.compile(
    r"\d+ (?:total )?(?:(?:sideboard|main ?deck|maindeck) )?cards?(?: (?:in )?total| (?:main ?deck|deck|sideboard))?"
    r"|\d+ (?:in )?total|total (?:of )?\d+(?: cards?)?",
    re.IGNORECASE,
)
_BULLET = re.compile(r"\A(?:>\s*)*(?:[-*•·+–—‣◦▪●○■□✓✔►»]\s+(?=\S))?(?:\[[ xX]\]\s+(?=\S))?")
_EMPHASIS = re.compile(r"\*\*(?=\w)|(?<=[\w:)])\*\*")
_SIGNED_BEHIND = re.compile(r".*[^\W\d].*(?:[(\[]\d{1,2}[)\]]|\s*[:=,]\s*\d{1,2})")
_BRACKET_HEADING = re.compile(r"\[([A-Za-z][A-Za-z _]*)\]")
_OF_XMAGE = re.compile(r"(NAME|AUTHOR|LAYOUT [A-Z]+)\s*:\s*(.*)")
_FACT = re.compile(
    r"(name|title|deck|deck name|format|author|creator|player|event|date|source|description|url|game|archetype|colors?"
    r"|tags?|notes?|total|total price|price)\s*[:=]\s*(.*)",
    re.IGNORECASE,
)
_NAMES = ("name", "title", "deck", "deck name")
_WITH_TOTAL = re.compile(r"\D.*?\s*[(\[]\s*\d+\s*(?:cards?)?\s*[)\]]:?", re.IGNORECASE)
_HEADS_COMMENT = re.compile(r"(?:\d+\s+)?([^\W\d]+(?: [^\W\d]+)?)(?:\s*[-–—/|(\[].*|\s+\d+.*|\s*:)?")
_NOT_IN_COMMENTS = ("maybe", "general", "tokens", "token", "side", "avatar", "plane", "planes", "list")
_GUIDE = ("sideboard guide", "sideboarding", "sideboarding guide", "sideboard plan")
_IN_AND_OUT = (
    "in",
    "out",
    "ins",
    "outs",
    "adds",
    "cuts",
    "additions",
    "removals",
    "add",
    "cut",
    "added",
    "removed",
    *_GUIDE,
)
_CHANGES = "changes"
_OF_CHANGES = (
    "it stands under a heading of changes, not of cards of the deck; write the deck as it is after the changes"
)
_AS_HEADING = "it has no number and no card is called so; it was taken for a heading"


class _Reader:
    """Goes through a text list line by line and sorts it into blocks."""

    def __init__(self, source: Source, pool: CardPool) -> None:
        self.pool = pool
        self.blocks = [Block()]
        self.draft = Draft("text list")
        self.blank = False
        self.any_cards = False
        self.forge_facts = False
        self.no_cards = no_cards(enumerate(source.lines, 1), pool)
        self.lines = [(at, _EMPHASIS.sub("", _BULLET.sub("", text.strip()))) for at, text in enumerate(source.lines, 1)]
        self.read = {
            at: read_line(text, pool)
            for at, text in self.lines
            if text and len(text) <= LONGEST_LINE and not _COMMENT.match(text)
        }
        in_words = any(line.in_words and line.count != 1 for line in self.read.values())
        behind = self.has_numbers_behind()
        if in_words or behind:
            self.read |= {
                at: read_line(text, pool, in_words=in_words, behind=behind)
                for at, text in self.lines
                if at in self.read and not self.read[at].known
            }
        self.order = [at for at, line in self.read.items() if line.known or says_something(self.lines[at - 1][1])]
        self.next_of = dict(zip(self.order, self.order[1:], strict=False))
        counted = [at for at, line in self.read.items() if line.count is not None or at in self.no_cards]
        without = [at for at, line in self.read.items() if line.count is None and not self.is_no_card(at, line)]
        self.numbered = len(counted) > len([at for at in without if at not in self.no_cards])
        unnumbered = [at for at, line in self.read.items() if not self.is_counted(line) and not self.is_fact(at, line)]
        small = [at for at in counted if self.lines[at - 1][1] == self.lines[at - 1][1].lower()]
        self.in_small_letters = len(small) * 2 > len(counted)
        self.only_unnumbered = unnumbered[0] if len(unnumbered) == 1 else 0

    def has_numbers_behind(self) -> bool:
        """Say whether the list has its numbers behind the names, as in `Island (4)`: most known cards have."""
        known = [line.behind for line in self.read.values() if line.known]
        if known:
            return sum(known) * 2 > len(known)
        signed = [at for at in self.read if _SIGNED_BEHIND.fullmatch(self.lines[at - 1][1])]
        in_front = any(line.count is not None for line in self.read.values())
        return not in_front and len(signed) * 2 > len(self.read)

    def run(self) -> list[Block]:
        """Sort every line."""
        for at, text in self.lines:
            if not text:
                self.after_blank()
            elif at in self.no_cards:
                self.draft.unread.append(self.no_cards[at])
                self.blank = False
            elif len(text) > LONGEST_LINE and not _OF_XMAGE.match(text):
                self.draft.skip(at, text[:LONGEST_LINE], f"it is longer than {LONGEST_LINE} characters")
            elif not self.heading_or_fact(at, text):
                self.card(at, text)
                self.blank = False
        return self.blocks

    @property
    def block(self) -> Block:
        """The block under the last heading."""
        return self.blocks[-1]

    def open(self, section: str) -> None:
        """Begin a block."""
        self.blocks.append(Block(section))
        self.blank = False

    def after_blank(self) -> None:
        """Take note of a blank line."""
        self.blank = True
        if self.block.section in FRONT and (self.block.filled or self.block.names):
            self.open("")
            self.blank = True

    def part(self, *, after_blank: bool, title: Unread | None = None) -> None:
        """Begin a group inside the block."""
        if self.block.groups[-1].lines:
            self.block.groups.append(Group(after_blank=after_blank))
        if title:
            self.block.groups[-1].title = title

    def heading_or_fact(self, at: int, text: str) -> bool:
        """Take a line that is no card: a heading, a fact about the deck, a comment; say whether it was one."""
        if bracket := _BRACKET_HEADING.fullmatch(text):
            self.bracket_heading(at, bracket[1].strip())
            return True
        if self.forge_facts and at in self.read and self.read[at].count is not None:
            self.forge_facts = False
            self.open("")
        if self.forge_facts:
            self.fact(*text.partition("=")[::2])
            return True
        if comment := _COMMENT.fullmatch(text):
            self.comment(comment[1].strip())
            return True
        if xmage := _OF_XMAGE.fullmatch(text):
            self.fact(xmage[1], xmage[2])
            return True
        if self.section_heading(at, text):
            return True
        if self.number_and_heading(at, text):
            return True
        if _WHOLE.fullmatch(text.strip(" :()-=")) and not self.read[at].known:
            self.draft.comments.append(text)
            return True
        return self.fact_line(at, text)

    def section_heading(self, at: int, text: str) -> bool:
        """Take the heading of a section; say whether it was one."""
        word = heading(text)
        section = "about" if text.casefold() == "about" or self.is_about(at) else SECTION_WORDS.get(word, "")
        if word in _IN_AND_OUT and self.read[at].count is None:
            section = _CHANGES
        if word in ALSO_CARDS and not (self.numbered and self.read[at].count is None):
            section = ""
        if not section or self.read[at].known:
            return False
        self.open(section)
        return True

    def is_about(self, at: int) -> bool:
        """Say whether a word in any language stands over the name of the deck, as `About` does in lists of Arena."""
        below = self.lines[at][1] if at < len(self.lines) else ""
        empty = at + 1 >= len(self.lines) or not self.lines[at + 1][1]
        first = not self.any_cards and self.read[at].count is None
        return first and below.startswith("Name ") and empty and below not in self.pool

    def number_and_heading(self, at: int, text: str) -> bool:
        """Take a line such as `15 Sideboard` over cards, or `60 Main Deck` below them; say whether it was one."""
        line = self.read[at]
        section = SECTION_WORDS.get(heading(line.name), "") if line.count and not line.known else ""
        if section not in ("main", "sideboard", "maybeboard"):
            return False
        if section != "main" and section != self.block.section and at in self.next_of:
            self.open(section)
        else:
            self.draft.comments.append(text)
        return True

    def bracket_heading(self, at: int, text: str) -> None:
        """Take a heading in square brackets: a section, facts about the deck as Forge has them, or a group."""
        word = text.casefold()
        self.forge_facts = word == "general" or (word not in SECTION_WORDS and not self.stands_over_cards(at))
        if self.forge_facts or word in SECTION_WORDS:
            self.open("about" if self.forge_facts else SECTION_WORDS[word])
        else:
            self.draft.comments.append(text)
            self.group()

    def stands_over_cards(self, at: int) -> bool:
        """Say whether the line below a heading is a card or has a number."""
        below = self.read.get(self.next_of.get(at, 0))
        return below is not None and (below.known or below.count is not None)

    def fact_line(self, at: int, text: str) -> bool:
        """Take a line such as `Name Izzet Test` under About, or `Format: Modern` in front of the cards."""
        if self.block.section == "about" and text.casefold().startswith("name "):
            self.fact("name", text[5:])
            return True
        found = _FACT.fullmatch(text)
        names = found is not None and found[1].casefold() in _NAMES
        if found and not self.read[at].known and not (names and self.any_cards):
            self.fact(found[1], found[2])
            return True
        return False

    def fact(self, key: str, value: str) -> None:
        """Note a fact about the deck; a second name begins a second deck."""
        value = value.strip()
        if key.strip().casefold() in _NAMES and value:
            if self.block.filled:
                self.open("about")
            self.block.names.append(value)
        else:
            self.draft.comments.append(f"{key.strip()}: {value}" if value else key.strip())

    def comment(self, text: str) -> None:
        """Take a comment; it can head a section or a group, and can hold the name."""
        if found := re.fullmatch(r"(?:deck )?name\s*:\s*(.+)", text, re.IGNORECASE):
            self.fact("name", found[1].removesuffix(" from deckstats.net"))
            return
        head = _HEADS_COMMENT.fullmatch(text)
        word = head[1].casefold() if head else ""
        if word in SECTION_WORDS and word not in _NOT_IN_COMMENTS:
            self.open(SECTION_WORDS[word])
            return
        self.draft.comments.append(text)
        self.group()

    def group(self) -> None:
        """Begin a group of the builder's own: it ends the commander, and a sideboard in which each card says so."""
        read = [line for group in self.block.filled for _, _, line in group.lines]
        of_each = self.block.section == "sideboard" and all(line.section == "sideboard" for line in read)
        if (self.block.section in FRONT or of_each) and read:
            self.open("")
        self.part(after_blank=False)
        self.blank = False

    def card(self, at: int, text: str) -> None:
        """Take a line that is a card, unless it is the title, heads a group or is prose."""
        line = self.read[at]
        together = partners(line, self.pool) if "commander" in (line.section, self.block.section) else [line]
        if self.heads_group(text, line):
            self.draft.comments.append(text)
            self.group()
        elif self.is_title(at, line):
            self.block.names.append(text)
        elif self.block.section == _CHANGES:
            self.draft.skip(at, text, _OF_CHANGES)
        elif len(together) < 2 and (reason := self.why_not(text, line)):
            self.draft.skip(at, text, reason)
        elif self.is_lone(at, line):
            self.draft.skip(at, text, _AS_HEADING)
            self.part(after_blank=False, title=self.draft.unread[-1])
        else:
            if self.blank:
                self.part(after_blank=True)
            self.block.groups[-1].lines += [(at, text, each) for each in together]
            self.any_cards = True

    def heads_group(self, text: str, line: Line) -> bool:
        """Say whether a line heads a group or divides: `Creatures (12)`, `24 Lands`, `Removal:`, `-----`."""
        if line.known:
            return False
        if not says_something(text):
            return True
        if _DIVIDER.fullmatch(text):
            inner = read_line(text.strip(_DIVIDING), self.pool)
            return not inner.known and (inner.count is None or KINDS.fullmatch(inner.name) is not None)
        if line.behind:
            return KINDS.fullmatch(line.name) is not None
        if line.count is None:
            return bool(KINDS.fullmatch(heading(text)) or _WITH_TOTAL.fullmatch(text) or text.endswith(":"))
        rest = re.sub(r"^\d+\s*", "", text.strip(" \t:=-*_"))
        return KINDS.fullmatch(rest) is not None and rest.casefold().endswith("s")

    def is_title(self, at: int, line: Line) -> bool:
        """Say whether a line is the title: the first one, without a number, no card, above a list with numbers."""
        if line.known or line.count is not None or line.section or not self.numbered or self.any_cards:
            return False
        alone = at < len(self.lines) and not says_something(self.lines[at][1])
        return at in self.next_of and not self.block.names and (alone or at == self.only_unnumbered)

    def stands_over(self, at: int, line: Line) -> bool:
        """Say whether a line that is no card stands alone over one that has a number, below a blank line."""
        below = self.next_of.get(at, at)
        first = at == 1 or not self.lines[at - 2][1]
        return first and not line.known and line.count is None and self.read[below].count is not None

    def is_no_card(self, at: int, line: Line) -> bool:
        """Say whether a line without a number is surely a heading, a fact or a line that divides."""
        text = self.lines[at - 1][1]
        word = heading(text)
        heads = word in SECTION_WORDS or KINDS.fullmatch(word) is not None or not says_something(text)
        return not line.known and (heads or self.stands_over(at, line) or self.is_fact(at, line))

    def is_fact(self, at: int, line: Line) -> bool:
        """Say whether a line is a fact about the deck, such as `Format: Modern`."""
        return not line.known and _FACT.fullmatch(self.lines[at - 1][1]) is not None

    def is_counted(self, line: Line) -> bool:
        """Say whether a line has a number, or is a heading or a known card, which need none."""
        return line.count is not None or line.known or heading(line.name) in (*SECTION_WORDS, *_IN_AND_OUT)

    def why_not(self, text: str, line: Line) -> str:
        """Say why a line is no card, empty if it may be one."""
        if line.known:
            return ""
        if len(several_in(text)) > 1:
            return SEVERAL
        if _DIVIDER.fullmatch(text):
            return "signs stand round a card, as round one that is struck out; write it without them"
        if not line.name:
            return "there is a number and no name"
        if line.count is None:
            return why_no_name(text)
        return why_no_name(line.name, counted=True, in_small_letters=self.in_small_letters)

    def is_lone(self, at: int, line: Line) -> bool:
        """Say whether a line without a number stands over a group in a list of numbers, and is no card."""
        if line.known or line.count is not None or line.section or not self.numbered:
            return False
        below = self.next_of.get(at)
        if below is None or not (self.is_counted(self.read[below]) or below in self.no_cards):
            return False
        return self.blank or not self.block.groups[-1].lines


def says_something(text: str) -> bool:
    """Say whether a line is more than signs that divide."""
    return any(sign.isalnum() or sign in _SAYING for sign in text)


def read_text(source: Source, pool: CardPool) -> list[Draft]:
    """Read a text list, or several one below the other.

    Args:
        source: The list.
        pool: Where names are looked up.

    Returns:
        One draft for each deck.
    """
    filled = [line for line in source.lines if line.strip()]
    if (
        len(filled) == 1
        and 1 < len(parts := several_in(without_tags(filled[0]))) <= MOST_LINES
        and filled[0].strip() not in pool
    ):
        source = replace(source, text="\n".join(parts))
    source = replace(source, text=without_tags(source.text))
    reader = _Reader(source, pool)
    drafts = []
    decks = list(parted_into_decks(reader.run()))
    for at, blocks in enumerate(decks):
        draft = reader.draft if at == 0 else Draft(reader.draft.form)
        names = [name for block in blocks for name in block.names]
        titles = [group.title.text for block in blocks for group in block.filled if group.title and len(decks) > 1]
        draft.name = next(iter(names + titles), "")
        fill(draft, blocks)
        drafts.append(draft)
    named = {draft.name for draft in drafts}
    reader.draft.unread = [each for each in reader.draft.unread if len(drafts) == 1 or each.text not in named]
    return drafts
