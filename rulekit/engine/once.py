"""What is worked out of a thing once and remembered by its identity: faster than by its value where that is large."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")
MOST = 16_384  # things remembered at a time


class Once(Generic[T]):
    """A function of something that never changes; it is carried out once for each such thing.

    The thing is kept as long as its result, so that no other can have its identity.
    """

    __slots__ = ("_known", "_work")

    def __init__(self, work: Callable[..., T]) -> None:
        """Take the function; its first argument is the thing, and nothing else may matter for the result."""
        self._work = work
        self._known: dict[int, tuple[Any, T]] = {}

    def __call__(self, thing: Any, *args: Any) -> T:
        """Return the result for a thing."""
        found = self._known.get(id(thing))
        if found is None:
            if len(self._known) >= MOST:
                self._known.clear()
            found = self._known[id(thing)] = (thing, self._work(thing, *args))
        return found[1]
