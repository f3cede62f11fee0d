"""Instructions: each thing the game can be told to do, with its rule, its phrases and its body in one place."""

from rulekit.engine.instructions import (
    library,
    looking,
    permanents,
    players,
    preventing,
    regenerating,
    spells,
    tokens,
    zones,
)

__all__ = ["library", "looking", "permanents", "players", "preventing", "regenerating", "spells", "tokens", "zones"]
