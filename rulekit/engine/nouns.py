"""The nouns of rules text, all of them: who and what is meant, how much, whether, and how long.

`filters` says what an object is, `which` what follows that; `players`, `objects`, `amounts` and `conditions` are the
words of those sorts. This module is the one door to them.
"""

from rulekit.engine import amounts, conditions, filters, objects, players, which
from rulekit.engine.filters import all_of, any_of, say_filter
from rulekit.engine.objects import found, zones_of

__all__ = ["all_of", "amounts", "any_of", "conditions", "filters", "found", "objects", "players", "say_filter", "which",
           "zones_of"]  # fmt: skip
