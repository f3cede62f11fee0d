"""`rulekit lab`: the copies of the notebooks."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.commands.lab import FIRST, RECORD, copy_notebooks, shipped_notebooks


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    folder = tmp_path / "shipped"
    folder.mkdir()
    (folder / "01-milling.ipynb").write_text("first edition")
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "01-milling-checkpoint.ipynb").write_text("left over")
    return folder


def test_the_first_time_every_notebook_is_copied_and_what_jupyter_left_is_not(shipped: Path, tmp_path: Path) -> None:
    copies = tmp_path / "copies"

    copy_notebooks(shipped, copies)

    assert ["01-milling.ipynb"] == [path.name for path in copies.rglob("*") if not path.name.startswith(".")]
    assert (copies / "01-milling.ipynb").read_text() == "first edition"


def test_the_second_time_nothing_is_said(shipped: Path, tmp_path: Path) -> None:
    copy_notebooks(shipped, tmp_path / "copies")

    assert [] == copy_notebooks(shipped, tmp_path / "copies")


def test_a_copy_that_nobody_changed_follows_a_new_edition(shipped: Path, tmp_path: Path) -> None:
    copy_notebooks(shipped, tmp_path / "copies")
    (shipped / "01-milling.ipynb").write_text("second edition")

    copy_notebooks(shipped, tmp_path / "copies")

    assert (tmp_path / "copies" / "01-milling.ipynb").read_text() == "second edition"


def test_a_changed_copy_is_kept_and_that_is_said(shipped: Path, tmp_path: Path) -> None:
    copy_notebooks(shipped, tmp_path / "copies")
    (tmp_path / "copies" / "01-milling.ipynb").write_text("my notes")

    (said,) = copy_notebooks(shipped, tmp_path / "copies")

    assert (tmp_path / "copies" / "01-milling.ipynb").read_text() == "my notes"
    assert "kept your changed copy" in said


def test_a_file_that_stood_there_before_is_kept(shipped: Path, tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir()
    (tmp_path / "copies" / "01-milling.ipynb").write_text("something else of that name")

    (said,) = copy_notebooks(shipped, tmp_path / "copies")

    assert (tmp_path / "copies" / "01-milling.ipynb").read_text() == "something else of that name"
    assert "kept your changed copy" in said


def test_fresh_copies_leave_what_was_changed_under_a_new_name(shipped: Path, tmp_path: Path) -> None:
    copies = tmp_path / "copies"
    for notes in ("my notes", "more notes"):
        copy_notebooks(shipped, copies, fresh=True)
        (copies / "01-milling.ipynb").write_text(notes)

    copy_notebooks(shipped, copies, fresh=True)

    assert (copies / "01-milling.ipynb").read_text() == "first edition"
    assert (copies / "01-milling (yours).ipynb").read_text() == "my notes"
    assert (copies / "01-milling (yours 2).ipynb").read_text() == "more notes"


@pytest.mark.parametrize("record", ["{cut of", "[1]", "", "[" * 100_000])
def test_a_record_that_is_broken_costs_no_changed_copy(shipped: Path, tmp_path: Path, record: str) -> None:
    copies = tmp_path / "copies"
    copy_notebooks(shipped, copies)
    (copies / "01-milling.ipynb").write_text("my notes")
    (copies / RECORD).write_text(record)

    (said,) = copy_notebooks(shipped, copies)

    assert "kept your changed copy" in said
    assert (copies / "01-milling.ipynb").read_text() == "my notes"


@pytest.mark.parametrize("failure", [KeyboardInterrupt, OSError])
def test_a_copy_that_was_interrupted_is_made_anew(
    failure: type[BaseException], shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Path.write_bytes

    def fails(self: Path, data: bytes) -> None:
        whole(self, data[:3] if "milling" in self.name else data)
        if "milling" in self.name:
            raise failure

    copies = tmp_path / "copies"
    monkeypatch.setattr(Path, "write_bytes", fails)
    with pytest.raises(failure):
        copy_notebooks(shipped, copies)
    monkeypatch.undo()

    assert not (copies / "01-milling.ipynb").exists()
    assert [] == [path.name for path in copies.glob(".*milling*")]
    assert [f"copied: {copies / '01-milling.ipynb'}"] == copy_notebooks(shipped, copies)
    assert (copies / "01-milling.ipynb").read_text() == "first edition"


def test_the_notebook_that_is_opened_first_ships() -> None:
    assert (shipped_notebooks() / FIRST).is_file()
