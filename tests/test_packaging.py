"""What travels: the dependencies in both files, and what the wheel holds."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import rulekit
from tests.conftest import ROOT

CONDA_NAMES = {"matplotlib-base": "matplotlib"}
LEFT_OUT = {"__pycache__", ".ipynb_checkpoints"}


def project() -> dict[str, object]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def bounds(words: list[str]) -> dict[str, str]:
    requirements = [Requirement(word) for word in words]
    return {
        CONDA_NAMES.get(name, name): str(requirement.specifier)
        for requirement in requirements
        for name in [canonicalize_name(requirement.name)]
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True)
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def test_conda_installs_what_pip_installs() -> None:
    extras = project()["optional-dependencies"]
    pip = bounds([*project()["dependencies"], *extras["lab"], *extras["test"]])
    listed = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    (by_pip,) = [entry["pip"] for entry in listed if isinstance(entry, dict)]
    named = [entry for entry in listed if isinstance(entry, str)] + by_pip
    conda = bounds([entry for entry in named if entry != "pip" and not entry.startswith("-e")])

    assert project()["requires-python"] == conda.pop("python")
    assert pip == conda
    assert "-e ." in by_pip


def test_the_constraints_of_the_oldest_versions_are_the_lower_bounds() -> None:
    extras = project()["optional-dependencies"]
    every = [Requirement(word) for words in [project()["dependencies"], *extras.values()] for word in words]
    lower = {(each.name.lower(), bound.version) for each in every for bound in each.specifier if bound.operator == ">="}
    listed = (ROOT / "tests" / "lowest.txt").read_text(encoding="utf-8").splitlines()

    assert lower == {tuple(line.split("==")) for line in listed if not line.startswith("#")}


@pytest.mark.parametrize(
    ("platform", "machine", "python", "there_is"),
    [
        ("linux", "x86_64", "3.11", True),
        ("linux", "aarch64", "3.14", True),
        ("darwin", "arm64", "3.12", True),
        ("win32", "AMD64", "3.13", True),
        ("darwin", "x86_64", "3.12", False),
        ("linux", "riscv64", "3.12", False),
        ("linux", "x86_64", "3.16", False),
        ("emscripten", "wasm32", "3.14", False),
    ],
)
def test_llvmlite_is_asked_for_where_it_has_a_wheel(platform: str, machine: str, python: str, there_is: bool) -> None:
    (llvmlite,) = [each for each in map(Requirement, project()["dependencies"]) if each.name == "llvmlite"]
    place = {"sys_platform": platform, "platform_machine": machine, "python_version": python}

    assert llvmlite.marker is not None
    assert there_is == llvmlite.marker.evaluate({**place, "platform_python_implementation": "CPython"})
    assert not llvmlite.marker.evaluate({**place, "platform_python_implementation": "PyPy"})


def test_the_wheel_holds_the_whole_package_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    expected = {
        name
        for folder, inside in (("rulekit", "rulekit"), ("notebooks", "rulekit/notebooks"))
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and not LEFT_OUT & set(path.parts)
        for name in [f"{inside}/{path.relative_to(ROOT / folder).as_posix()}"]
    }
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}

    assert expected == held


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("rulekit/scenarios/bank/mill", ".yaml"),
        ("rulekit/scenarios/bank/gift", ".yaml"),
        ("rulekit/scenarios/bank/equip", ".yaml"),
        ("rulekit/cards/catalogue", ".yaml"),
        ("rulekit/notebooks", ".ipynb"),
    ],
)
def test_the_wheel_holds_data(wheel: zipfile.ZipFile, folder: str, kind: str) -> None:
    assert [name for name in wheel.namelist() if name.startswith(f"{folder}/") and name.endswith(kind)]


def test_the_wheel_says_what_it_is(wheel: zipfile.ZipFile) -> None:
    (metadata,) = [wheel.read(name).decode() for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    (scripts,) = [wheel.read(name).decode() for name in wheel.namelist() if name.endswith("/entry_points.txt")]

    assert f"\nVersion: {rulekit.__version__}\n" in metadata
    assert "\nLicense-Expression: MIT\n" in metadata
    assert "rulekit = rulekit.cli:main" in scripts
    assert [name for name in wheel.namelist() if name.endswith("/LICENSE")]


def test_the_version_is_told_once() -> None:
    assert "version" in project()["dynamic"]
    assert f"## {rulekit.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
