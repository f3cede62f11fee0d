"""Rules text into abilities, by the phrases that words declare, and abilities into text again.

A text is read paragraph by paragraph; what a paragraph is (a list of keywords, "cost: effect", "when event, effect", a
static statement, what a spell does) is tried in turn. A sentence is understood only if every word of it is accounted
for; reminder text in parentheses is apart. Where a sentence is not understood the reading says at which words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from importlib import import_module

from rulekit.cards.card import Card
from rulekit.cards.subtypes import BASIC_MANA
from rulekit.engine.abilities import Ability, Term
from rulekit.engine.antecedents import numbered
from rulekit.engine.flow import together
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.paragraphs import MODIFIERS, paragraph, shifted, spell_paragraph, text_of
from rulekit.engine.parsing import Unread
from rulekit.engine.phrases import joined, tokens
from rulekit.engine.plausible import BEHIND
from rulekit.rules import nearest

__all__ = [
    "CardReading", "Sentence", "abilities_of", "load_words", "read_ability", "read_card", "read_effect", "read_filter",
    "reads_as_clause", "text_of",
]  # fmt: skip

MOST_LENGTH = 20_000  # characters of a text that are looked at
SPELLS = ("Instant", "Sorcery")
WORD_MODULES = (
    "flow", "repeating", "lasting", "until", "nouns", "costs", "sagas", "keywords", "trigger_events", "player_events",
    "would", "replacements", "changes", "statements", "instructions",
)  # fmt: skip

Words = tuple[str, ...]


@dataclass(frozen=True)
class Sentence:
    """One sentence of a text.

    Attributes:
        text: As printed.
        unread: The first phrase that could not be read; "" if the sentence is understood.
        expected: What could have stood there: words, or sorts in braces.
        known: Every word with which something could have begun there.
    """

    text: str
    unread: str = ""
    expected: tuple[str, ...] = ()
    known: frozenset[str] = field(default=frozenset(), compare=False, repr=False)

    @property
    def understood(self) -> bool:
        """Whether every word of it is accounted for."""
        return not self.unread

    @property
    def near(self) -> tuple[str, ...]:
        """What could have been meant by the first word that could not be read."""
        return nearest(self.unread.split(" ")[0], sorted(self.known))


@dataclass(frozen=True)
class CardReading:
    """What was made of the text of a card, of all its faces."""

    name: str
    abilities: tuple[Ability, ...]
    sentences: tuple[Sentence, ...]

    @property
    def status(self) -> str:
        """Say "understood", "partly" or "not understood"."""
        good = sum(sentence.understood for sentence in self.sentences)
        if good == len(self.sentences):
            return "understood"
        return "partly" if good else "not understood"


@lru_cache(maxsize=1)
def load_words() -> None:
    """Import every module that declares words, so that texts can be read."""
    for name in WORD_MODULES:
        import_module(f"rulekit.engine.{name}")


# ---------------------------------------------------------------- cards


def _named(text: str, card: Card | None) -> str:
    """Put ~ where a text speaks of its own card by name; a legendary one may be called by a part of it (201.5)."""
    if card is None:
        return text
    names = [card.name, card.name.removeprefix("A-")]
    if "Legendary" in card.types.supertypes:
        for cut in (", ", " of ", " the ", " "):
            if cut in names[-1]:
                names.append(names[-1].partition(cut)[0].rstrip(","))
    for name in dict.fromkeys(names):
        if len(name) > 2:
            text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", "~", text)
    return text


def _lines(text: str) -> list[str]:
    """Return the paragraphs of a text; the modes of a list belong to what stands before them."""
    found: list[str] = []
    for line in text.split("\n"):
        line = line.strip()
        if line.startswith(("•", "+ {")) and found:
            found[-1] += " " + line
        elif line:
            found.append(line)
    return found


_PARENTHESES = re.compile(r"\s*\(([^()]*)\)")


def _counts(inside: str) -> list[str]:
    """Return the parts of what stands in parentheses that count; none if it is reminder text."""
    parts = [part.strip() for part in inside.split(",")]
    return parts if all(part in MODIFIERS for part in parts) else []


def _without_reminders(line: str) -> tuple[str, tuple[str, ...]]:
    """Return a paragraph without what stands in parentheses, and those parts of it that count."""
    modifiers: list[str] = []
    for inside in _PARENTHESES.findall(line):
        modifiers += _counts(inside)
    return _PARENTHESES.sub("", line).strip(), tuple(modifiers)


_MEANS_SOMETHING = (  # keywords and headings that stand before a dash as ability words do (702.178a, 702.57a ...)
    "Boast|Companion|Exhaust|Forecast|Max [Ss]peed|Power-up|Prize|Prototype|Requirement|Solved|Suspend|To solve|Visit"
)
_ABILITY_WORD = re.compile(rf"^(?!(?:{_MEANS_SOMETHING})\b)[A-Z\"][^.:—\"]{{1,45}} — (?=\S)")


def _read_line(line: str, spell: bool, permanent: bool) -> tuple[tuple[Ability, ...], tuple[Sentence, ...]]:
    """Read a paragraph with its sentences; an ability word before a dash means nothing (207.2c)."""
    text, modifiers = _without_reminders(line)
    if not text:
        return (), ()
    words = tokens(text)
    try:
        return paragraph(words, spell, modifiers, permanent), _all_understood(text)
    except Unread as first:
        unread = first
        rest = _ABILITY_WORD.sub("", text)
        if rest != text:
            try:
                found = paragraph(tokens(rest), spell, modifiers, permanent)
                return tuple(replace(each, text=each.text or _plain(rest)) for each in found), _all_understood(text)
            except Unread as later:
                unread = shifted(later, words, len(words) - len(later.words))
        parts = [text] if spell else _run_together(text)
        if len(parts) > 1:
            read = [_read_line(part, spell, permanent) for part in parts]
            return tuple(a for abilities, _ in read for a in abilities), tuple(s for _, told in read for s in told)
        return (Ability("unread", text=text),), _told(text, words, unread)


_OPENS_AN_ABILITY = re.compile(
    r"(?:When|Whenever)\b(?! (?:you|they|that player) do\b)(?![^,]*\bthat\b)(?!.*\bthis (?:turn|way)\b)"
    r'|At the beginning of (?:your|each)\b|[^".]*:|(?:Equipped|Enchanted)\b'
)


def _run_together(text: str) -> list[str]:
    """Divide a line in which a permanent's abilities follow one another, as people type them, where each begins."""
    parts: list[str] = []
    for sentence in _sentences(text):
        if parts and not _OPENS_AN_ABILITY.match(sentence) and not _is_keyword_line(sentence):
            parts[-1] += " " + sentence
        else:
            parts.append(sentence)
    return parts


def _is_keyword_line(text: str) -> bool:
    try:
        GRAMMAR.read("keyword line", tokens(text.rstrip(".;")))
    except Unread:
        return False
    return True


_SENTENCE = re.compile(r'(?<=[.;])\s+(?=(?:[^"]*"[^"]*")*[^"]*$)')


def _sentences(text: str) -> list[str]:
    return [part for part in _SENTENCE.split(text) if part]


def _all_understood(text: str) -> tuple[Sentence, ...]:
    return tuple(Sentence(sentence) for sentence in _sentences(text))


def _told(text: str, words: Words, unread: Unread) -> tuple[Sentence, ...]:
    """Tell for each sentence of a paragraph whether it is understood, by where the reading stopped."""
    found = []
    start = 0
    for sentence in _sentences(text):
        length = len(tokens(sentence))
        if unread.place < start + length or (unread.place == len(words) and start + length == len(words)):
            here = max(unread.place, start)
            phrase = joined(words[here : min(here + 8, start + length)]) or "(the end)"
            if phrase in (".", ";"):  # each word is known, but together they say nothing that can be done
                phrase = joined(words[start : start + min(8, length)])
            if unread.place >= start or not _reads_alone(sentence):
                known = (unread.expected, unread.known) if unread.place >= start else ((), frozenset())
                found.append(Sentence(sentence, phrase, *known))
                start += length
                continue
        found.append(Sentence(sentence))
        start += length
    if all(sentence.understood for sentence in found):  # what was not read stands behind the last word
        found[-1:] = [Sentence(sentence.text, sentence.text, unread.expected, unread.known) for sentence in found[-1:]]
    return tuple(found)


def _reads_alone(sentence: str) -> bool:
    words = tokens(sentence)
    words = words[:-1] if words[-1:] == (".",) else words
    try:
        GRAMMAR.read("restriction", words)  # of an ability that is not understood for another reason
    except Unread:
        try:
            spell_paragraph(words, False)
        except Unread:
            return False
    return True


@lru_cache(maxsize=16384)
def read_card(card: Card) -> CardReading:
    """Read the text of a card, of each of its faces.

    Returns:
        Its abilities (of the front face where there are several) and, sentence by sentence, what was understood.
    """
    if not card.faces:
        abilities, sentences = _read_text(card)
        return CardReading(card.full_name, abilities, sentences)
    readings = [_read_text(face) for face in card.faces]
    first = readings[0][0] if card.layout != "split" else tuple(a for abilities, _ in readings for a in abilities)
    return CardReading(card.full_name, first, tuple(s for _, sentences in readings for s in sentences))


def _read_text(card: Card) -> tuple[tuple[Ability, ...], tuple[Sentence, ...]]:
    load_words()
    spell = any(kind in card.types.types for kind in SPELLS)
    abilities: list[Ability] = []
    sentences: list[Sentence] = []
    slots = 0
    text = card.text if isinstance(card.text, str) else ""
    for line in _lines(text[:MOST_LENGTH]):
        named = _named(line, card)
        found, told = _read_line(named, spell, not spell)
        if any(_hangs_loose(ability) for ability in found) and not any(each.kind == "spell" for each in abilities):
            found, told = (Ability("unread", text=named),), (Sentence(named, named),)
        for ability in found:
            with_slots, used = numbered(ability, slots if ability.kind == "spell" else 0)
            slots = used if ability.kind == "spell" else slots
            abilities.append(_worded(with_slots, named, line))
        sentences += told
    if len(text) > MOST_LENGTH:
        sentences.append(Sentence(text[MOST_LENGTH:][:100], text[MOST_LENGTH:][:40]))
    return (*_one_spell(abilities), *_intrinsic(card, abilities), *_lore(card)), tuple(sentences)


def _hangs_loose(ability: Ability) -> bool:
    """Return whether a spell's paragraph says what is done instead of something that stands before it."""
    return ability.kind == "spell" and bool(ability.effect) and ability.effect[0].op in BEHIND


def _plain(line: str) -> str:
    """Return a line without reminder text, with "this" for the name of its card."""
    plain = _PARENTHESES.sub(lambda found: found[0] if _counts(found[1]) else "", line)
    return plain.replace("~", "this").strip().rstrip(".")


def _worded(ability: Ability, line: str, printed: str = "") -> Ability:
    """Return an ability with its normal wording, and with what is printed on the card."""
    plain = _plain(line)
    printed = ability.printed or (_without_reminders(printed)[0] if printed else plain)
    ability = replace(ability, text=ability.text or plain, printed=printed)
    return replace(ability, text=text_of(ability))


def _one_spell(abilities: list[Ability]) -> list[Ability]:
    """Join what the paragraphs of an instant or sorcery tell it to do, in their order (608.2c)."""
    parts = [ability for ability in abilities if ability.kind == "spell" and not ability.keyword]
    if len(parts) < 2:
        return abilities
    said, printed = ". ".join(part.text for part in parts), "\n".join(part.printed for part in parts)
    whole = replace(parts[0], text=said, printed=printed, effect=reduce(together, (part.effect for part in parts)))
    whole = replace(whole, text=text_of(whole))
    return [whole if ability is parts[0] else ability for ability in abilities if ability not in parts[1:]]


def _lore(card: Card) -> tuple[Ability, ...]:
    """Return that a Saga enters with a lore counter (714.3a)."""
    if "Saga" not in card.types.subtypes:
        return ()
    (ability,) = paragraph(tokens("~ enters with a lore counter on it"), False, ())
    return (replace(ability, text="this enters with a lore counter on it", rule="714.3a"),)


def _intrinsic(card: Card, abilities: list[Ability]) -> list[Ability]:
    """Return the mana abilities of basic land types that the text does not show (305.6)."""
    found = []
    for kind, symbol in BASIC_MANA.items():
        if kind in card.types.subtypes:
            (ability,) = paragraph(tokens(f"{{T}}: add {{{symbol}}}"), False, ())
            if ability not in abilities:
                found.append(replace(ability, text=f"{{T}}: add {{{symbol}}}", rule="305.6"))
    return found


@lru_cache(maxsize=65536)
def abilities_of(card: Card) -> tuple[Ability, ...]:
    """Return the abilities that a card's text gives, sentences that are not understood among them as such."""
    return read_card(card).abilities


# ---------------------------------------------------------------- single texts


def read_filter(text: str) -> Term:
    """Read a description such as "nontoken creature an opponent controls".

    Raises:
        Unread: It is none.
    """
    load_words()
    found: Term = GRAMMAR.read("filter", text)
    return found


def read_effect(text: str) -> tuple[Term, ...]:
    """Read what a spell or ability would do, such as "mill three cards, then draw a card".

    Raises:
        Unread: It is not understood.
    """
    load_words()
    return numbered(spell_paragraph(tokens(text.rstrip(". ")), False)[0], 0)[0].effect


def read_ability(
    text: str, card: Card | None = None, spell: bool = False, permanent: bool = True
) -> tuple[Ability, ...]:
    """Read one ability, or a list of keywords, such as "ward {2}".

    Args:
        text: One paragraph.
        card: The card whose name may stand in it.
        spell: Whether it says what an instant or sorcery does.
        permanent: Whether a keyword in it stands on a permanent card.

    Raises:
        Unread: It is not understood.
    """
    load_words()
    line, modifiers = _without_reminders(_named(text, card))
    try:
        abilities = paragraph(tokens(line), spell, modifiers, permanent)
    except Unread:
        without_word = _ABILITY_WORD.sub("", line)
        if without_word == line:
            raise
        abilities = paragraph(tokens(without_word), spell, modifiers, permanent)
    return tuple(_worded(numbered(ability, 0)[0], line) for ability in abilities)


def reads_as_clause(text: str) -> bool:
    """Return whether words of a text can be read by themselves: as an effect, an event, a condition, a cost, a noun."""
    load_words()
    words = tokens(text.strip(" ."))
    for sort in ("effects", "deed done+", "event", "condition", "costs", "objects", "keyword line"):
        try:
            GRAMMAR.read(sort, words)
        except Unread:
            continue
        return True
    return False
