"""What is printed on cards, and where cards and decks are read."""
