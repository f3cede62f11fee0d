"""Study the rules of Magic: The Gathering and the odds of decks."""
