"""Build rulekit as a static page, with JupyterLab and Python inside: python3 start.py lite [--output FOLDER] [--try].

The page runs JupyterLite. Python (Pyodide) and every package that is pure Python lie in the site itself; the lock file
of Pyodide names them, so that a plain `import` in a notebook finds them and no cell installs anything. What is
compiled, like numpy, is named by its address on Pyodide's own server: online it is loaded from there, offline all that
does without works. --try opens the site in Chromium, cut off from the network, and uses it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterable, Sequence
from email.parser import Parser
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / ".lite"
PYODIDE = "314.0.6"
SERVER = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full/"
BUILDER = [
    "jupyterlite-core==0.8.6",
    "jupyterlite-pyodide-kernel==0.8.6",
    "jupyterlab>=4.6,<4.7",
    "jupyter-server",
    "jupyterlab-widgets>=3.0.9,<4",  # these two show widgets: the site gets a copy of each extension of the Lab here
    "anywidget>=0.9.18",
]
PYTHON_OF_WHEELS = ["--python-version", "3.14", "--platform", "any", "--platform", "manylinux2014_x86_64"]
KERNEL_NEEDS = ("micropip", "packaging", "ipython", "jedi")  # and what these need, by the lock
WE_NEED = {  # what the lock has not, or has compiled only, with what it needs itself
    "anywidget": ("ipywidgets", "psygnal", "typing-extensions"),
    "comm": (),
    "defusedxml": (),
    "ipywidgets": ("comm", "ipython", "jupyterlab-widgets", "traitlets", "widgetsnbextension"),
    "platformdirs": (),
    "psygnal": (),
    "pyyaml": (),
    "tqdm": (),
    "typing-extensions": (),
}
BROWSER = {"sys_platform": "emscripten", "platform_machine": "wasm32", "python_version": "3.14", "extra": ""}
RUNTIME = (".mjs", ".js", ".wasm", ".zip", ".json")
COMPILED = (".so", ".pyd")
SETTINGS = {
    "jupyter-lite-schema-version": 0,
    "jupyter-config-data": {
        "appName": "rulekit",
        "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": {"disablePyPIFallback": True}},
    },
}
OVERRIDES = {"@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"}}  # a board stays while one scrolls
Lock = dict[str, Any]


def main(words: Sequence[str] | None = None) -> int:
    """Build the site, try it if asked, and say how to look at it."""
    parser = argparse.ArgumentParser(prog="python3 start.py lite", description="Build rulekit as a static page.")
    parser.add_argument("--output", type=Path, default=WORK / "site", help="where the site goes (.lite/site)")
    parser.add_argument("--try", action="store_true", dest="tried", help="open it in Chromium without a network")
    options = parser.parse_args(words)
    build(options.output.resolve())
    size = sum(file.stat().st_size for file in options.output.rglob("*") if file.is_file())
    print(f"{options.output}: {size / 1e6:.0f} MB. To look at it: python3 -m http.server -d {options.output}")
    if options.tried:
        from tests import lite_trial

        return lite_trial.run(options.output)
    return 0


def build(site: Path) -> None:
    """Put the site together in a folder; one that is there already is replaced."""
    if shutil.which("npm") is None:
        sys.exit("python3 start.py lite needs npm, for the package of Pyodide. On Debian or Ubuntu: apt install npm")
    python = builder()
    lite, static = WORK / "lite", WORK / "lite" / "static" / "pyodide"
    shutil.rmtree(lite, ignore_errors=True)
    static.mkdir(parents=True)
    unpack_runtime(static)
    lock = json.loads((static / "pyodide-lock.json").read_text(encoding="utf-8"))
    fill(lock, static, python)
    (static / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    (lite / "jupyter-lite.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
    (lite / "overrides.json").write_text(json.dumps(OVERRIDES), encoding="utf-8")
    shutil.copytree(ROOT / "notebooks", lite / "contents", ignore=shutil.ignore_patterns(".*", "__pycache__"))
    words = ["--lite-dir", lite, "--contents", lite / "contents", "--output-dir", WORK / "built"]
    shutil.rmtree(WORK / "built", ignore_errors=True)
    run([python, "-m", "jupyter", "lite", "build", *words, "--no-sourcemaps", "--no-unused-shared-packages"], cwd=lite)
    shutil.rmtree(site, ignore_errors=True)
    shutil.move(WORK / "built", site)


def builder() -> Path:
    """Return the Python of the builder: an environment of its own, since each Lab extension beside it is copied."""
    home = WORK / "venv"
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    stamp = home / "installed-for"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != repr(BUILDER):
        venv.create(home, clear=True, with_pip=True)
        run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *BUILDER])
        stamp.write_text(repr(BUILDER), encoding="utf-8")
    return python


def run(words: Iterable[str | Path], cwd: Path = ROOT) -> None:
    """Run a program, or end with what it said."""
    done = subprocess.run(list(words), cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"failed: {' '.join(map(str, words))}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")


# -------------------------------------------------------------------- Python and its packages


def unpack_runtime(static: Path) -> None:
    """Fetch Pyodide, and put its files where JupyterLite looks for them."""
    package = WORK / f"pyodide-{PYODIDE}.tgz"
    if not package.exists():
        run(["npm", "pack", f"pyodide@{PYODIDE}", "--silent", "--pack-destination", WORK])
    with tarfile.open(package) as archive:
        for member in archive.getmembers():
            name = Path(member.name).name
            inside = archive.extractfile(member) if name.endswith(RUNTIME) and name != "package.json" else None
            if inside is not None:
                (static / name).write_bytes(inside.read())


def fill(lock: Lock, static: Path, python: Path) -> None:
    """Put wheels beside the lock file, and write into it what is there and where everything else is."""
    known = lock["packages"]
    started = with_needs(known, KERNEL_NEEDS)
    wanted = [f"{name}=={known[name]['version']}" for name in started]
    wanted += [name for name in WE_NEED if name not in started]
    words = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:", *PYTHON_OF_WHEELS]
    run([python, "-m", "pip", "download", *words, "-d", static, *wanted])
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", static])
    for wheel in sorted(static.glob("*.whl")):
        whole = pure(wheel)
        name, version, needs = told(whole)
        depends = known[name]["depends"] if name in started else [*WE_NEED.get(name, needs)]
        known[name] = entry(whole, name, version, depends)
    for package in known.values():
        package["depends"] = [name for name in package["depends"] if normal(name) in known]
        if not (static / package["file_name"]).exists():
            package["file_name"] = SERVER + package["file_name"]


def with_needs(known: Lock, names: Iterable[str]) -> list[str]:
    """Return packages with all that they need, by the lock, in the order of their names."""
    todo, found = list(names), set()
    while todo:
        name = normal(todo.pop())
        if name not in found:
            found.add(name)
            todo += known[name]["depends"]
    return sorted(found)


def normal(name: str) -> str:
    """Return the name of a package as indexes spell it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pure(wheel: Path) -> Path:
    """Return a wheel that holds Python only: a compiled one is written anew without what is compiled.

    PyYAML is the one it is for: it works without its compiled part, and has no wheel without.
    """
    name, version, *_, platform = wheel.stem.split("-")
    if platform == "any":
        return wheel
    new = wheel.with_name(f"{name}-{version}-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as written:
        for each in old.infolist():
            if not each.filename.endswith((*COMPILED, ".dist-info/RECORD")):
                text = old.read(each)
                if each.filename.endswith(".dist-info/WHEEL"):
                    text = re.sub(rb"(?m)^Tag: .*\n", b"", text).rstrip() + b"\nTag: py3-none-any\n"
                written.writestr(each.filename, text)
        written.writestr(f"{name}-{version}.dist-info/RECORD", "")
    wheel.unlink()
    return new


def told(wheel: Path) -> tuple[str, str, list[str]]:
    """Return what a wheel says of itself: name, version, and what it needs in a browser."""
    with zipfile.ZipFile(wheel) as opened:
        (file,) = [name for name in opened.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name)]
        said = Parser().parsestr(opened.read(file).decode("utf-8"))
    needs = map(Requirement, said.get_all("Requires-Dist") or [])
    there = [normal(need.name) for need in needs if need.marker is None or need.marker.evaluate(BROWSER)]
    return normal(said["Name"]), said["Version"], there


def entry(wheel: Path, name: str, version: str, depends: list[str]) -> Lock:
    """Return the entry of a wheel in the lock file."""
    with zipfile.ZipFile(wheel) as opened:
        tops = {each.split("/")[0] for each in opened.namelist() if not re.search(r"\.(dist-info|data)/", each)}
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    return {
        "name": name, "version": version, "file_name": wheel.name, "install_dir": "site", "sha256": digest,
        "package_type": "package", "imports": sorted(top.removesuffix(".py") for top in tops), "depends": depends,
        "unvendored_tests": False,
    }  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(main())
