"""Deck lists in XML: Magic Online, Cockatrice, OCTGN, Lackey; read without entities or outside parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rulekit.cards.deck_draft import SECTION_WORDS, UNKNOWN_SECTION, Draft, heading
from rulekit.cards.deck_names import named
from rulekit.cards.deck_source import Source
from rulekit.cards.pool import CardPool

_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")
_WEB_PAGE = re.compile(r"\s*<(?:!doctype\s+html|html|head|body|table)\b", re.IGNORECASE)
DEEPEST = 50


@dataclass
class _Node:
    """An element: its tag and attributes in small letters, its text, its line, what is in it."""

    tag: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    inner: list[_Node] = field(default_factory=list)

    def everything(self) -> Iterator[_Node]:
        """Give this element and all below it."""
        yield self
        for node in self.inner:
            yield from node.everything()

    def words(self) -> str:
        """Give the element as it is shown in messages."""
        facts = "".join(f' {key}="{value}"' for key, value in self.attributes.items())
        return f"<{self.tag}{facts}>{self.text.strip()}"


class _Builder:
    """Takes the events of the XML parser and keeps the line of each element."""

    def __init__(self) -> None:
        self.root: _Node | None = None
        self.open: list[_Node] = []
        self.line_of: Callable[[], int] = int

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin an element."""
        if len(self.open) > DEEPEST:
            raise ValueError(f"more than {DEEPEST} elements stand one inside the other")
        plain = {key.casefold(): value for key, value in attributes.items()}
        node = _Node(tag.rpartition("}")[2].casefold(), plain, self.line_of())
        if self.open:
            self.open[-1].inner.append(node)
        else:
            self.root = node
        self.open.append(node)

    def end(self, _: str) -> None:
        """End an element."""
        self.open.pop()

    def data(self, text: str) -> None:
        """Take text."""
        if self.open:
            self.open[-1].text += text

    def close(self) -> _Node | None:
        """Give the outermost element."""
        return self.root


def _parsed(source: Source) -> _Node:
    """Read the XML; what could fetch or grow is refused."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser, ParseError

    builder = _Builder()
    parser = DefusedXMLParser(target=builder, forbid_dtd=True)
    builder.line_of = lambda: int(parser.parser.CurrentLineNumber)
    try:
        parser.feed(_DECLARATION.sub("", source.text, count=1).lstrip().encode("utf-8", "replace"))
        root = parser.close()
    except ParseError as error:
        raise source.bad(f"this is not XML: {error}.", error.position[0]) from None
    except DefusedXmlException:
        raise source.bad("this XML declares a document type or entities, which no deck list needs.") from None
    except ValueError as error:
        raise source.bad(f"this XML cannot be read: {error}.") from None
    if not isinstance(root, _Node):
        raise source.bad("this XML is empty.")
    return root


def read_xml(source: Source, pool: CardPool) -> list[Draft]:
    """Read a deck of Magic Online, Cockatrice, OCTGN or Lackey.

    Args:
        source: The XML.
        pool: Where names are looked up, and numbers of Magic Online where there is no name.

    Returns:
        One draft for each deck in it.

    Raises:
        BadData: It is no XML, or another kind of document.
    """
    if _WEB_PAGE.match(source.text):
        raise source.bad("this is a web page, not a deck list.", instead="Export the list from the site as text.")
    root = _parsed(source)
    kinds = {"cockatrice_deck": "Cockatrice (.cod)", "deck": "Magic Online (.dek) or OCTGN (.o8d)"}
    decks = [node for node in root.everything() if node.tag in kinds]
    if not decks:
        raise source.bad(
            f"this XML is no deck: <{root.tag}> stands where a deck must stand.", root.line,
            "May stand here: <Deck> of Magic Online, <cockatrice_deck>, <deck> of OCTGN.",
        )  # fmt: skip
    return [_draft(deck, kinds[deck.tag], pool) for deck in decks]


def _draft(deck: _Node, form: str, pool: CardPool) -> Draft:
    """Read one deck."""
    draft = Draft(form)
    _walk(deck, "main", draft, pool)
    return draft


def _walk(node: _Node, section: str, draft: Draft, pool: CardPool) -> None:
    """Read what stands in an element; zones and sections name what they hold."""
    for inner in node.inner:
        if inner.tag in ("zone", "section", "superzone"):
            word = heading(inner.attributes.get("name", "main"))
            inside = SECTION_WORDS.get(word, "")
            if not inside and inner.inner:
                draft.skip(inner.line, inner.words(), UNKNOWN_SECTION)
            _walk(inner, inside or "main", draft, pool)
        elif inner.tag in ("card", "cards", "item"):
            _add(inner, section, draft, pool)
        elif inner.tag == "deckname":
            draft.name = inner.text.strip()
        elif "name" in inner.attributes:
            draft.skip(inner.line, inner.words(), f"<{inner.tag}> is no card of a deck")
        elif inner.text.strip():
            draft.comments.append(f"{inner.tag}: {inner.text.strip()}")


def _add(node: _Node, section: str, draft: Draft, pool: CardPool) -> None:
    """Read one card."""
    facts = node.attributes
    number = next((facts[key] for key in ("quantity", "number", "qty", "count") if key in facts), "1").strip()
    if facts.get("sideboard", facts.get("issideboard", "")).casefold() == "true":
        section = "sideboard"
    inside = next((inner.text for inner in node.inner if inner.tag == "name"), "")
    written = facts.get("name") or node.text.strip() or inside.strip()
    if not written and facts.get("catid"):
        written = pool.name_of_number(facts["catid"]) or ""
    if not written:
        draft.skip(node.line, node.words(), "there is no name, and the number is in no card data")
    elif not re.fullmatch(r"\d{1,9}", number):
        draft.skip(node.line, node.words(), f"{number!r} is no number of cards")
    else:
        line = named(written, pool)
        draft.add("tokens" if line.token else section, line.name, int(number), node.line, node.words())
