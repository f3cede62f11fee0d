"""What is pressed in the page comes in several threads: the answer to what was chosen last is the one that is seen."""

from __future__ import annotations

import threading

import pytest

from rulekit.widgets.gift_lab import DEALT_LATER, GiftLab
from rulekit.widgets.lab import Findings

LONG = 20  # seconds until a thread is given up


def test_what_was_chosen_while_another_thread_was_at_work_is_what_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first change is held up until the second has been made; 104.3b: a player with no life has lost."""
    lab = GiftLab()
    find, first, second = GiftLab._find, threading.Event(), threading.Event()

    def held_up(self: GiftLab) -> Findings:
        found = find(self)
        if not first.is_set():
            first.set()
            assert second.wait(LONG)
        return found

    def choose_more() -> None:
        assert first.wait(LONG)
        threading.Timer(0.5, second.set).start()  # in which the second change would be through, if it did not wait
        lab.controls["then"].value = DEALT_LATER

    monkeypatch.setattr(GiftLab, "_find", held_up)
    later = threading.Thread(target=choose_more)
    later.start()
    lab.controls["card"].value = "Kitnap"
    later.join(LONG)

    assert "" == lab.error.value
    assert ["has lost", "has lost"] == [row[3] for row in lab.findings.grids[-1].rows]
    assert "has lost" in lab._seen.value
    for line in lab.board.games:
        assert "Bob" not in line.state.in_game
