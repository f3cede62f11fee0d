"""What happens: the rules of the game.

Whichever module of it is imported first, all words are declared in one and the same order: where several phrases fit a
text, the order decides which of them is meant.
"""

from rulekit.engine.text import load_words

load_words()
