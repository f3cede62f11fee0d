"""Study the rules of Magic: The Gathering and the odds of decks."""

__version__ = "0.1.0"
