"""start.py, the one door: what it needs, what it says, and when it installs."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.conftest import ROOT

FILE = ROOT / "start.py"


def door() -> ModuleType:
    """The module, loaded anew."""
    spec = importlib.util.spec_from_file_location("start", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The door of a clone in a folder of the test, whose Python notes what it was asked to run."""
    module = door()
    home = tmp_path / ".venv"
    for name, value in {"ROOT": tmp_path, "HOME": home, "PYTHON": home / "python", "STAMP": home / "stamp"}.items():
        monkeypatch.setattr(module, name, value)
    module.ran = []
    monkeypatch.setattr(module, "run", lambda words: module.ran.append(words) or 0)
    monkeypatch.setattr(module, "make_environment", lambda: (home.mkdir(), (home / "python").touch()))
    (tmp_path / "pyproject.toml").write_text("first")
    return module


def installs(start: ModuleType) -> int:
    """How often the door installed."""
    return sum("install" in words for words in start.ran)


def test_it_needs_nothing_but_the_standard_library() -> None:
    nodes = list(ast.walk(ast.parse(FILE.read_text(encoding="utf-8"))))
    imported = {name.name.partition(".")[0] for node in nodes if isinstance(node, ast.Import) for name in node.names}
    imported |= {str(node.module).partition(".")[0] for node in nodes if isinstance(node, ast.ImportFrom)}

    assert set() == imported - sys.stdlib_module_names


def test_a_word_that_opens_nothing_is_answered_with_what_does() -> None:
    said = subprocess.run([sys.executable, FILE, "dance"], capture_output=True, text=True, check=False)

    assert said.returncode == 2
    assert all(f"\n  {name} " in said.stdout for name in door().COMMANDS)


def test_an_old_python_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 13))

    with pytest.raises(SystemExit, match=r"3\.11 or newer"):
        door()


def test_a_debian_without_venv_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    module = door()
    monkeypatch.setattr(module.importlib.util, "find_spec", lambda name: None)

    with pytest.raises(SystemExit, match="apt install python3-venv"):
        module.make_environment()


@pytest.mark.parametrize(("failure", "status"), [(KeyboardInterrupt, "130"), (OSError("disk full"), "disk full")])
def test_an_environment_that_was_not_finished_is_taken_away(
    failure: BaseException, status: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fails(home: Path, **_: bool) -> None:
        home.mkdir()
        raise failure

    module = door()
    monkeypatch.setattr(module, "HOME", tmp_path / ".venv")
    monkeypatch.setattr(module.venv, "create", fails)

    with pytest.raises(SystemExit, match=status):
        module.make_environment()
    assert not (tmp_path / ".venv").exists()


def test_it_installs_once_and_again_when_the_dependencies_change(start: ModuleType, tmp_path: Path) -> None:
    start.main(["lab"])
    start.main(["lab"])
    assert installs(start) == 1

    (tmp_path / "pyproject.toml").write_text("second")
    start.main(["lab"])
    assert installs(start) == 2


def test_an_installation_that_failed_is_tried_again(start: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "run", lambda words: 1)
    with pytest.raises(SystemExit, match="status 1"):
        start.main([])

    assert not start.STAMP.exists()


def test_options_go_to_what_is_started(start: ModuleType) -> None:
    start.main(["lab", "--", "--no-browser", "--port", "8899"])

    assert ["-m", "jupyterlab", "notebooks/00-start-here.ipynb", "--no-browser", "--port", "8899"] == start.ran[-1]


def test_every_check_runs_and_one_that_fails_is_told_by_name_and_status(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start.install()
    monkeypatch.setattr(start, "run", lambda words: start.ran.append(words) or int("mypy" in words))

    assert start.main(["test"]) == 1
    assert ["ruff", "ruff", "mypy", "pytest"] == [words[1] for words in start.ran[-4:]]
    verdicts = [line.split()[-1] for line in capsys.readouterr().out.splitlines()[-4:]]
    assert ["passed", "passed", "failed", "passed"] == verdicts


def test_each_door_leads_to_a_module_that_its_installation_has() -> None:
    for name, parts in door().COMMANDS.items():
        for module, *_ in parts:
            assert importlib.util.find_spec(module) is not None, f"python3 start.py {name} runs {module}"


@pytest.mark.parametrize("name", ["lite", "fuzz", "notebooks", "bench", "soak", "pages"])
def test_what_a_door_ended_with_is_the_status(start: ModuleType, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    start.install()
    monkeypatch.setattr(start, "run", lambda words: 3 if words[1] == start.COMMANDS[name][0][0] else 0)

    assert 3 == start.main([name, "--help"])


def test_what_was_ended_by_a_signal_is_no_success(start: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    start.install()
    monkeypatch.setattr(start, "run", lambda words: -2)

    assert 2 == start.main(["lite"])


def test_ctrl_c_is_left_to_what_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The door waits until what it started has ended, and ends with its status."""
    module = door()
    waits = [KeyboardInterrupt, KeyboardInterrupt, 130]

    class Process:
        def wait(self) -> int:
            found = waits.pop(0)
            if not isinstance(found, int):
                raise found
            return found

    monkeypatch.setattr(module.subprocess, "Popen", lambda *_, **__: Process())

    assert 130 == module.run(["-m", "jupyterlab"])
    assert [] == waits
