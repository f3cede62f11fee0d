"""One at a time: what is pressed in the page can reach Python in several threads."""

from __future__ import annotations

import threading

# JupyterLab sends what widgets say to a thread beside that of the cells, but until that thread has begun, to that of
# the cells. Without a turn for each, an older answer could be shown over a newer one.
TURN = threading.RLock()
"""Held by whoever changes what widgets show; its holder may take it again."""
