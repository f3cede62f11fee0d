"""The static page: which wheels lie in it, and that each way in to rulekit without installing is described well.

That the page works is tried by `python3 start.py lite --try`, which takes minutes and needs a network to build it.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import zipfile
from math import comb
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from rulekit import Deck, Plan, simulate
from tests import lite, lite_trial
from tests.conftest import ROOT
from tests.test_packaging import project

METADATA = "Metadata-Version: 2.1\nName: Py_Thing\nVersion: 1.2\nRequires-Dist: numba>=1; sys_platform == 'linux'\n"
METADATA += "Requires-Dist: six>=1\nRequires-Dist: typing_extensions; python_version < '4'\n"
METADATA += "Requires-Dist: pytest; extra == 'test'\n"


@pytest.fixture
def compiled(tmp_path: Path) -> Path:
    """A wheel that works with its compiled part and without."""
    path = tmp_path / "py_thing-1.2-cp314-cp314-manylinux2014_x86_64.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("thing/__init__.py", "answer = 42\n")
        wheel.writestr("thing/_fast.cpython-314-x86_64-linux-gnu.so", b"\x7fELF")
        wheel.writestr("py_thing-1.2.dist-info/METADATA", METADATA)
        wheel.writestr("py_thing-1.2.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: cp314-cp314-manylinux2014_x86_64\n")
        wheel.writestr("py_thing-1.2.dist-info/RECORD", "thing/__init__.py,,\n")
    return path


def test_a_compiled_wheel_is_written_anew_without_what_is_compiled(compiled: Path) -> None:
    whole = lite.pure(compiled)

    with zipfile.ZipFile(whole) as wheel:
        assert "answer = 42\n" == wheel.read("thing/__init__.py").decode()
        assert not [name for name in wheel.namelist() if name.endswith(".so")]
        assert "Wheel-Version: 1.0\nTag: py3-none-any\n" == wheel.read("py_thing-1.2.dist-info/WHEEL").decode()
    assert "py_thing-1.2-py3-none-any.whl" == whole.name
    assert not compiled.exists()
    assert whole == lite.pure(whole)


def test_the_lock_file_tells_of_a_wheel_what_an_import_needs(compiled: Path) -> None:
    whole = lite.pure(compiled)

    assert ("py-thing", "1.2", ["six", "typing-extensions"]) == lite.told(whole)
    entry = lite.entry(whole, "py-thing", "1.2", ["six"])
    assert ["thing"] == entry["imports"]
    assert hashlib.sha256(whole.read_bytes()).hexdigest() == entry["sha256"]


def test_what_a_package_needs_is_followed_to_the_end_and_in_circles() -> None:
    known = {"a": {"depends": ["B_b"]}, "b-b": {"depends": ["c"]}, "c": {"depends": ["a"]}, "d": {"depends": []}}

    assert ["a", "b-b", "c"] == lite.with_needs(known, ["a"])


def test_everything_that_rulekit_needs_can_be_had_in_the_page() -> None:
    """What is neither pure Python, and named here, nor compiled for Pyodide on its own server would fail there."""
    compiled_by_pyodide = {"matplotlib", "numpy", "pandas"}
    every = [Requirement(word) for word in project()["dependencies"]]
    needed = {lite.normal(need.name) for need in every if need.marker is None or need.marker.evaluate(lite.BROWSER)}

    assert needed == compiled_by_pyodide | (needed & set(lite.WE_NEED))


def test_the_files_for_other_peoples_machines_name_what_there_is() -> None:
    steps = yaml.safe_load((ROOT / ".github" / "workflows" / "pages.yml").read_text(encoding="utf-8"))["jobs"]
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    binder = (ROOT / ".binder" / "postBuild").read_text(encoding="utf-8")

    assert "python3 start.py lite --output site" in [step.get("run") for step in steps["build"]["steps"]]
    assert ".[lab,test]" in container["postCreateCommand"]
    assert '".[lab]"' in binder


def test_without_npm_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(lite.shutil, "which", lambda name: None)

    with pytest.raises(SystemExit, match="needs npm"):
        lite.main(["--output", str(tmp_path / "site")])
    assert not (tmp_path / "site").exists()


def test_a_step_that_fails_ends_the_building_with_what_it_said() -> None:
    program = "import sys; print('half done'); sys.exit('no network')"

    with pytest.raises(SystemExit, match=r"(?s)failed: .*half done.*no network"):
        lite.run([sys.executable, "-c", program])


def test_without_chromium_the_page_is_not_tried_and_that_is_no_success(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lite_trial, "chromium", lambda: None)

    assert 1 == lite_trial.run(tmp_path)
    assert "no Chromium is installed" in capsys.readouterr().out


def test_a_notebook_that_only_lacks_numpy_is_told_apart_from_one_that_fails() -> None:
    lacking = "ModuleNotFoundError: No module named 'numpy'"

    assert "passed" == lite_trial.verdict([])
    assert "numpy " == lite_trial.verdict([lacking])
    assert "failed" == lite_trial.verdict([lacking, "AssertionError"])


AS_IN_THE_PAGE = """
import sys, threading
import matplotlib.pyplot, pandas  # they ask for the platform, which changes below
from importlib.abc import MetaPathFinder

class NotThere(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("llvmlite", "multiprocessing", "_multiprocessing", "dask", "distributed"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

def refuse(self):
    raise RuntimeError("can't start new thread")

sys.meta_path.insert(0, NotThere())
threading.Thread.start = refuse
sys.platform = "emscripten"
from rulekit import Deck, Plan, exact, simulate

asked = (Deck.read("24 Island\\n36 Filler"), Plan().each_turn("mill 3"), ["land"], 2)
games = simulate(*asked[:3], 1, trials=2, seed=1, policy="eager")
played = simulate(*asked, trials=20_000, seed=1)
print(exact(*asked).p("land = 6"), float(played.p("land = 2")), games.p("graveyard = 3"))
"""


def test_the_odds_need_no_thread_no_process_and_no_compiler() -> None:
    """The page has none of them; numpy itself is there when it is online."""
    done = subprocess.run([sys.executable, "-c", AS_IN_THE_PAGE], capture_output=True, text=True, cwd=ROOT, check=False)

    assert "" == done.stderr
    sixth, second, played = done.stdout.split(maxsplit=2)
    here = simulate(Deck.read("24 Island\n36 Filler"), Plan().each_turn("mill 3"), ["land"], 2, trials=20_000, seed=1)
    assert comb(24, 6) / comb(60, 6) == pytest.approx(float(sixth))
    assert float(here.p("land = 2")) == float(second)
    assert played.startswith("100 %")
